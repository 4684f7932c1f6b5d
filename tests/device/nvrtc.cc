// Compiles what a device could run of each program with NVRTC: the emitted
// text of all functions that reach no fork, unchanged, to PTX that holds every
// one of them.
//
//   tine_nvrtc FILE..
#include <nvrtc.h>

#include <cstdio>
#include <set>
#include <string>

#include "runtime/tine.hpp"

namespace {

struct Compiled {
  bool good = false;
  std::string log, ptx;
};

Compiled compile(const std::string& text) {
  Compiled result;
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, text.c_str(), "program.cu", 0, nullptr,
                         nullptr) != NVRTC_SUCCESS) {
    return result;
  }
  const char* options[] = {"-arch=compute_90", "-std=c++20",
                           "-default-device", "--fmad=false", "-rdc=true",
                           "-w"};
  result.good = nvrtcCompileProgram(program, 6, options) == NVRTC_SUCCESS;
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  result.log.resize(size);
  nvrtcGetProgramLog(program, result.log.data());
  if (result.good) {
    nvrtcGetPTXSize(program, &size);
    result.ptx.resize(size);
    nvrtcGetPTX(program, result.ptx.data());
  }
  nvrtcDestroyProgram(&program);
  return result;
}

// The names in `to[0] = (const void*)NAME;`.
std::set<std::string> functions_of(const std::string& text) {
  std::set<std::string> names;
  const std::string mark = "] = (const void*)";
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
    at += mark.size();
    names.insert(text.substr(at, text.find(';', at) - at));
  }
  return names;
}

// "" or what is wrong.
std::string check(const char* path) {
  tine::Context context;
  tine::Program program = context.load_file(path);
  if (!program.ok()) return program.messages()[0].rendered;
  std::string text = program.dump("device");
  std::set<std::string> names = functions_of(text);
  if (names.empty()) return "no function without a fork";
  Compiled compiled = compile(text);
  if (!compiled.good) return compiled.log;
  for (const std::string& name : names) {
    // C++ names: the length stands in front.
    if (compiled.ptx.find(std::to_string(name.size()) + name) ==
        std::string::npos) {
      return "no " + name + " in the PTX";
    }
  }
  return "";
}

}  // namespace

int main(int count, char** paths) {
  int failed = 0;
  for (int i = 1; i < count; ++i) {
    std::string wrong = check(paths[i]);
    if (wrong.empty()) continue;
    ++failed;
    std::fprintf(stderr, "FAIL %s: %s\n", paths[i], wrong.c_str());
  }
  std::printf("%d passed, %d failed\n", count - 1 - failed, failed);
  return failed == 0 ? 0 : 1;
}
