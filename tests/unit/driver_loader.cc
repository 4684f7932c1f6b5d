// Files and imports: where they are looked up, how they are named, and every
// message of loading.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/driver/files.h"
#include "compiler/driver/loader.h"
#include "runtime/tine.hpp"
#include "tests/unit/driver_temp.h"

using namespace tine;
using tine::test::TempFolder;

namespace {

struct Loaded {
  SourceMap sources;
  Sink sink;
  ModuleSet set;

  explicit Loaded(const std::string& path,
                  std::optional<std::string_view> text = std::nullopt) {
    load_modules(path, text, sources, set, sink);
  }
  std::string codes() const {
    std::string out;
    for (const Diag& diag : sink.diags()) out += diag.code + " ";
    return out;
  }
  const core::Module* find(const std::string& space) const {
    for (const core::Module& module : set.modules) {
      if (module.space == space && !module.is_base) return &module;
    }
    return nullptr;
  }
};

}  // namespace

TEST_CASE("imports come before importers, Base first") {
  TempFolder folder;
  folder.write("a.bend", "import Base\ndef a() -> U32: 1\n");
  folder.write("sub/b.bend",
               "import ../a.bend as A\nimport Base\ndef b() -> U32: A.a\n");
  Loaded loaded(folder.write(
      "main.bend",
      "import ./sub/b.bend as B\nimport ./a.bend as A\ndef m() -> U32: 1\n"));
  CHECK(loaded.codes() == "");
  REQUIRE(loaded.set.modules.size() == 4);
  CHECK(loaded.set.modules[0].is_base);
  CHECK(loaded.set.modules[1].space == "a");
  CHECK(loaded.set.modules[2].space == "sub/b");
  CHECK(loaded.set.modules[3].is_entry);
  CHECK(loaded.set.modules[3].space == "");
  using Aliases = std::vector<std::pair<std::string, std::string>>;
  CHECK(loaded.set.modules[3].aliases == Aliases{{"B", "sub/b"}, {"A", "a"}});
  CHECK(loaded.set.modules[2].aliases == Aliases{{"A", "a"}});
}

TEST_CASE("a file above the entry has a namespace with dots") {
  TempFolder folder;
  folder.write("x/y.bend", "def y() -> U32: 1\n");
  Loaded loaded(folder.write("z/main.bend", "import ../x/y.bend as Y\n"));
  CHECK(loaded.codes() == "");
  CHECK(loaded.find("../x/y"));
}

TEST_CASE("two spellings and a link are one file") {
  TempFolder folder;
  folder.write("a.bend", "def a() -> U32: 1\n");
  REQUIRE(symlink("a.bend", folder.at("l.bend").c_str()) == 0);
  Loaded loaded(folder.write("sub/main.bend",
                             "import ../a.bend as A\n"
                             "import ../sub/../a.bend as B\n"
                             "import ../l.bend as C\n"));
  CHECK(loaded.codes() == "E01e ");  // `..` may only stand in front
  CHECK(loaded.set.modules.size() == 2);
  REQUIRE(loaded.set.modules.back().aliases.size() == 2);
  CHECK(loaded.set.modules.back().aliases[1].second == "../a");
}

TEST_CASE("imports of a linked file are looked up beside the real one") {
  TempFolder folder;
  folder.write("real/lib.bend", "def l() -> U32: 1\n");
  folder.write("real/main.bend", "import ./lib.bend as L\n");
  REQUIRE(symlink("real/main.bend", folder.at("link.bend").c_str()) == 0);
  Loaded loaded(folder.at("link.bend"));
  CHECK(loaded.codes() == "");
  CHECK(loaded.find("lib"));
}

TEST_CASE("the library form: beside the file first, then embedded") {
  TempFolder folder;
  std::string main =
      folder.write("main.bend", "import par/scan as S\n");
  {
    Loaded loaded(main);
    CHECK(loaded.codes() == "");
    const core::Module* scan = loaded.find("par/scan");
    REQUIRE(scan);
    CHECK(loaded.sources.file(scan->tree->file).path ==
          "<lib>/par/scan.bend");
  }
  folder.write("par/scan.bend", "def own() -> U32: 1\n");
  Loaded loaded(main);
  const core::Module* scan = loaded.find("par/scan");
  REQUIRE(scan);
  CHECK(loaded.sources.file(scan->tree->file).path ==
        folder.at("par/scan.bend"));
}

TEST_CASE("an own file and an embedded module of one name stay apart") {
  TempFolder folder;
  folder.write("par/scan.bend", "import par/scan as S\n");
  Loaded loaded(folder.write("main.bend", "import ./par/scan.bend as P\n"));
  CHECK(loaded.codes() == "");
  CHECK(loaded.find("par/scan"));
  CHECK(loaded.find("./par/scan"));
}

TEST_CASE("every way in which an import can be missing") {
  TempFolder folder;
  CHECK(Loaded(folder.at("none.bend")).codes() == "E01f ");
  CHECK(Loaded(folder.path()).codes() == "E01j ");
  std::string at = folder.at("main.bend");
  CHECK(Loaded(at, "import ./none.bend as N\n").codes() == "E01f ");
  CHECK(Loaded(at, "import par/none as N\n").codes() == "E01k ");
  mkdir(folder.at("d.bend").c_str(), 0777);
  CHECK(Loaded(at, "import ./d.bend as D\n").codes() == "E01j ");
  std::string big = folder.write("big.bend", "");
  REQUIRE(truncate(big.c_str(), off_t(kMaxFile) + 1) == 0);
  CHECK(Loaded(at, "import ./big.bend as D\n").codes() == "E01n ");
  CHECK(Loaded(big).codes() == "E01n ");
}

TEST_CASE("a missing import is reported at its path") {
  TempFolder folder;
  Loaded loaded(folder.at("main.bend"), "import Base\nimport ./n.bend as N\n");
  REQUIRE(loaded.sink.diags().size() == 1);
  const Diag& diag = loaded.sink.diags()[0];
  CHECK(diag.text == "the file `./n.bend` does not exist");
  Place place = loaded.sources.file(diag.span.file).place(diag.span.begin);
  CHECK(place.line == 2);
  CHECK(place.column == 8);
}

TEST_CASE("cycles are named step by step") {
  TempFolder folder;
  folder.write("a.bend", "import ./b.bend as B\n");
  folder.write("b.bend", "import ./a.bend as A\n");
  std::string a = folder.at("a.bend"), b = folder.at("b.bend");
  Loaded loaded(a);
  REQUIRE(loaded.sink.diags().size() == 1);
  CHECK(loaded.sink.diags()[0].text ==
        "the imports form a cycle: `" + a + "` -> `" + b + "` -> `" + a + "`");
  CHECK(Loaded(folder.at("c.bend"), "import ./c.bend as C\n").codes() ==
        "E01g ");
}

TEST_CASE("one run reports the errors of all files") {
  TempFolder folder;
  folder.write("a.bend", "def (\n");
  Loaded loaded(folder.at("main.bend"),
                "import ./a.bend as A\nimport ./n.bend as N\ntype\n");
  CHECK(loaded.sink.errors() >= 3);
}
