// Books of an earlier check: used while nothing changed, else not.
#include <filesystem>
#include <fstream>

#include "doctest/doctest.h"
#include "driver_temp.h"
#include "native_run.h"
#include "runtime/native/cache.h"
#include "runtime/tine.hpp"

using namespace tine;

namespace {

// A cache of its own for one test.
struct OwnCache {
  std::string book() const {
    for (const auto& entry :
         std::filesystem::directory_iterator(folder.at("cache"))) {
      if (entry.path().extension() == ".book") return entry.path().string();
    }
    return "";
  }
  test::TempFolder folder;
  test::Variable cache{"TINE_CACHE", folder.at("cache").c_str()};
};

struct Ran {
  std::string value;
  bool kept;
};

Ran run(const std::string& path) {
  Context context;
  Program program = context.load_to_run(path);
  REQUIRE(program.ok());
  // What comes from a book has no source to show.
  bool kept = program.dump("surface").empty();
  return {program.run({}).value, kept};
}

constexpr const char* kMain =
    "import Base\nimport ./lib/two.bend as L\n"
    "def main() -> U32: (L.two * 21 : U32)\n";
constexpr const char* kTwo = "import Base\ndef two() -> U32: 2\n";

}  // namespace

TEST_CASE("kept: a kept program is not compiled again") {
  NATIVE_OR_SKIP();
  OwnCache own;
  std::string path = own.folder.write(
      "main.bend",
      "import Base\ndef mix(+x: U32) -> U32: (x * x + x : U32)\n"
      "def main() -> U32: mix(6)\n");
  for (int i = 0; i < 3; ++i) {
    Context context;
    Program program = context.load_to_run(path);
    REQUIRE(program.ok());
    RunOptions options;
    options.engine = "native";
    CHECK(program.run(options).value == "42");
    std::size_t objects = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(own.folder.at("cache"))) {
      objects += entry.path().extension() == ".so";
    }
    CHECK(objects == 1);
  }
}

TEST_CASE("kept: a program is checked once, until a file of it changes") {
  OwnCache own;
  std::string path = own.folder.write("main.bend", kMain);
  own.folder.write("lib/two.bend", kTwo);
  Ran first = run(path), second = run(path);
  CHECK(first.value == "42");
  CHECK(!first.kept);
  CHECK(second.value == "42");
  CHECK(second.kept);
  own.folder.write("lib/two.bend", "import Base\ndef two() -> U32: 3\n");
  Ran changed = run(path);
  CHECK(changed.value == "63");
  CHECK(!changed.kept);
  CHECK(run(path).kept);
  own.folder.write("main.bend", std::string(kMain) + "# more\n");
  CHECK(!run(path).kept);
  // Nothing is kept of a program that is wrong.
  own.folder.write("main.bend", "import Base\ndef main() -> U32: 1n\n");
  Context context;
  CHECK(!context.load_to_run(path).ok());
  CHECK(!context.load_to_run(path).ok());
}

TEST_CASE("kept: a file that appears before one of the library is seen") {
  OwnCache own;
  std::string path = own.folder.write(
      "main.bend", "import Base\nimport par/scan as S\n"
                   "def total(r: Array<U32> & U32) -> U32:\n"
                   "  (_, t) = r\n  t\n"
                   "def main() -> U32: total(S.exclusive(1n, [4 : U32*4n]))\n");
  CHECK(run(path).value == "16");
  CHECK(run(path).kept);
  own.folder.write("par/scan.bend",
                   "import Base\n"
                   "def exclusive(b: Nat, a: Array<U32>) -> Array<U32> & U32:\n"
                   "  (a, 5)\n");
  Ran shadowed = run(path);
  CHECK(shadowed.value == "5");
  CHECK(!shadowed.kept);
}

TEST_CASE("kept: a link that leads elsewhere is seen") {
  OwnCache own;
  std::string path = own.folder.write("main.bend", kMain);
  own.folder.write("a/two.bend", kTwo);
  own.folder.write("b/two.bend", "import Base\ndef two() -> U32: 4\n");
  std::filesystem::create_directory_symlink(own.folder.at("a"),
                                            own.folder.at("lib"));
  CHECK(run(path).value == "42");
  CHECK(run(path).kept);
  std::filesystem::remove(own.folder.at("lib"));
  std::filesystem::create_directory_symlink(own.folder.at("b"),
                                            own.folder.at("lib"));
  Ran other = run(path);
  CHECK(other.value == "84");
  CHECK(!other.kept);
}

TEST_CASE("kept: entries that are damaged or not ours are passed over") {
  OwnCache own;
  std::string path = own.folder.write("main.bend", kMain);
  own.folder.write("lib/two.bend", kTwo);
  CHECK(run(path).value == "42");
  std::string book = own.book();
  REQUIRE(!book.empty());
  std::string text;
  {
    std::ifstream in(book, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  auto put = [&](const std::string& bytes) {
    std::ofstream(book, std::ios::binary) << bytes;
  };
  for (std::size_t keep : {std::size_t{0}, std::size_t{20}, text.size() / 2,
                           text.size() - 1}) {
    put(text.substr(0, keep));
    Ran again = run(path);
    CHECK(again.value == "42");
    CHECK(!again.kept);
    CHECK(run(path).kept);
  }
  std::string other = text;
  other[other.size() - 10] ^= 1;
  put(other);
  CHECK(!run(path).kept);
  std::filesystem::permissions(book, std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  CHECK(!run(path).kept);
  CHECK(run(path).value == "42");
  CHECK(clear_cache() <= 2);
  CHECK(own.book().empty());
}

TEST_CASE("kept: nothing without a cache") {
  OwnCache own;
  std::string path = own.folder.write("main.bend", kMain);
  own.folder.write("lib/two.bend", kTwo);
  Config config;
  config.cache = false;
  for (int i = 0; i < 2; ++i) {
    Context context(config);
    Program program = context.load_to_run(path);
    CHECK(!program.dump("surface").empty());
    CHECK(program.run({}).value == "42");
  }
  test::Variable nowhere("TINE_CACHE", "/dev/null/cache");
  CHECK(!run(path).kept);
  CHECK(!run(path).kept);
}
