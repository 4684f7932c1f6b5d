// The compiler and the cache when they fail.
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "doctest/doctest.h"
#include "driver_temp.h"
#include "native_run.h"
#include "runtime/native/cache.h"

using namespace tine;
using namespace tine::native_test;
using tine::test::Variable;

namespace {

const char* const kProgram = "def main() -> U32: 42\n";

std::string script(const test::TempFolder& folder, const char* text) {
  std::string path = folder.write("cc", text);
  chmod(path.c_str(), 0700);
  return path;
}

// A C compiler that is this script, with temporary files and a cache beside it.
struct Failing {
  explicit Failing(const char* text) : path(script(folder, text)) {}
  test::TempFolder folder;
  std::string path;
  Variable compiler{"TINE_CC", path.c_str()};
  Variable temporary{"TMPDIR", folder.path().c_str()};
  Variable cache{"TINE_CACHE", folder.at("cache").c_str()};
};

}  // namespace

TEST_CASE("native: without a compiler the net engine runs, with a note") {
  Variable compiler("TINE_CC", "/nowhere/cc");
  Outcome outcome = run_native_text(kProgram);
  CHECK(outcome.value == "42");
  CHECK(outcome.stats.engine == "net");
  CHECK(outcome.note ==
        "there is no C compiler `/nowhere/cc`; the net engine runs it");
}

TEST_CASE("native: a compiler that fails leaves its input") {
  Failing failing("#!/bin/sh\necho no >&2\nexit 1\n");
  Outcome outcome = run_native_text(kProgram);
  CHECK(outcome.value == "42");
  CHECK(outcome.stats.engine == "net");
  std::size_t at = outcome.note.find("its input is ");
  REQUIRE(at != std::string::npos);
  std::string file = outcome.note.substr(at + 13);
  file = file.substr(0, file.find(';'));
  CHECK(std::filesystem::exists(file));
  CHECK(std::filesystem::exists(file + ".log"));
}

TEST_CASE("native: a compiler that nobody asked for leaves nothing") {
  Failing failing("#!/bin/sh\nexit 1\n");
  const test::TempFolder& folder = failing.folder;
  Outcome outcome = run_native_text(kProgram, {}, nullptr, "auto");
  CHECK(outcome.value == "42");
  CHECK(outcome.stats.engine == "net");
  CHECK(outcome.note == "the C compiler `" + failing.path +
                            "` failed; the net engine runs it");
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().filename().string().rfind("tine-", 0) != 0);
  }
}

TEST_CASE("native: a compiler that hangs is ended") {
  test::TempFolder folder;
  std::string path = script(folder, "#!/bin/sh\nsleep 100\n");
  CCompiler compiler;
  compiler.name = compiler.path = path;
  std::string source = folder.write("a.c", "");
  auto begin = std::chrono::steady_clock::now();
  std::string problem = compile_c(compiler, source, folder.at("a.so"), 0.1);
  CHECK(problem.find("took more than 0.1 seconds") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("native: a long text may take longer to compile") {
  Failing failing("#!/bin/sh\nsleep 100\n");
  NativeSettings settings;
  settings.compile_seconds = 0.1;
  settings.keep = false;
  std::string text(1000, ' ');
  CHECK(load_native(text, settings).problem ==
        "the C compiler `" + failing.path + "` took more than 0.15 seconds");
}

TEST_CASE("native: a program is compiled once, then comes from the cache") {
  NATIVE_OR_SKIP();
  test::TempFolder folder;
  Variable cache("TINE_CACHE", folder.at("a/b").c_str());
  CHECK(run_native_text(kProgram).value == "42");
  CHECK(NativeCache().contents().objects == 1);
  {
    // A compiler of the same name and age would be needed for a miss.
    Outcome again = run_native_text(kProgram);
    CHECK(again.value == "42");
    CHECK(again.note == "");
  }
  CHECK(NativeCache().contents().objects == 1);
  CHECK(run_native_text("def main() -> U32: 43\n").value == "43");
  CHECK(NativeCache().contents().objects == 2);
  Config config;
  config.cache = false;
  CHECK(run_native_text("def main() -> U32: 44\n", config).value == "44");
  CHECK(NativeCache().contents().objects == 2);
  CHECK(NativeCache().clear() == 2);
  CHECK(NativeCache().contents().objects == 0);
}

TEST_CASE("native: a damaged object is compiled anew") {
  NATIVE_OR_SKIP();
  test::TempFolder folder;
  Variable cache("TINE_CACHE", folder.path().c_str());
  CHECK(run_native_text(kProgram).value == "42");
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.path())) {
    std::filesystem::remove(entry.path());
    folder.write(entry.path().filename().string(), "not an object");
  }
  CHECK(run_native_text(kProgram).value == "42");
}

TEST_CASE("native: caches that cannot be used are passed over with a line") {
  NATIVE_OR_SKIP();
  test::TempFolder folder;
  Variable none("TINE_CACHE", nullptr);
  Variable xdg("XDG_CACHE_HOME", nullptr);
  {
    Variable home("HOME", nullptr);
    Outcome outcome = run_native_text(kProgram);
    CHECK(outcome.value == "42");
    CHECK(outcome.stats.engine == "native");
    CHECK(outcome.note == "there is no folder for the cache (HOME is not set)");
  }
  {
    Variable home("HOME", "/proc");  // nobody can make a folder there
    Outcome outcome = run_native_text(kProgram);
    CHECK(outcome.value == "42");
    CHECK(outcome.note.find("the cache `/proc/.cache/tine` is not used") == 0);
  }
  std::string open = folder.at("open");
  std::filesystem::create_directory(open);
  chmod(open.c_str(), 0777);
  Variable shared("TINE_CACHE", open.c_str());
  Outcome outcome = run_native_text(kProgram);
  CHECK(outcome.value == "42");
  CHECK(outcome.note == "the cache `" + open +
                            "` is not used: others may write to it");
  CHECK(std::filesystem::is_empty(open));
}
