// `tine build`: an executable with the program inside, or the C of it.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tools/commands.h"

namespace tine::tool {
namespace {

// prog.bend becomes prog, beside nothing: in the current folder.
std::string usual_output(const std::string& file) {
  std::string name = file.substr(file.rfind('/') + 1);
  std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name + ".out"
                                              : name.substr(0, dot);
}

int write_c(Program& program, const std::string& path, Console& console) {
  std::string text = program.dump("c");
  if (text.empty()) return kProgramWrong;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool wrote =
      file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = errno;
  if (file && std::fclose(file) != 0) wrote = false;
  if (wrote) return kOk;
  console.fail("`" + path + "` cannot be written: " + std::strerror(error),
               "", kRunFailed);
  return kRunFailed;
}

}  // namespace

int command_build(const Options& options, Console& console) {
  const std::string& file = options.operands[0];
  Context context(options.config);
  Program program = context.load_file(file);
  console.show(program.messages(), false);
  if (!program.ok() || denied(program, options, console)) {
    return kProgramWrong;
  }
  std::string path =
      options.output.empty() ? usual_output(file) : options.output;
  std::size_t shown = program.messages().size();
  int status;
  if (path.ends_with(".c")) {
    status = write_c(program, path, console);
  } else {
    Built built = program.build(path, "/proc/self/exe");
    if (!built.note.empty()) console.err("tine: note: " + built.note + "\n");
    if (!built.failure.empty()) {
      console.fail(built.failure, "", built.status);
    }
    status = built.status;
  }
  for (std::size_t i = shown; i < program.messages().size(); ++i) {
    console.show(program.messages()[i]);
  }
  return status;
}

}  // namespace tine::tool
