// The pages of `tine doc`, and that the library documents itself.
#include <doctest/doctest.h>

#include <string>

#include "compiler/driver/doc.h"
#include "compiler/driver/embedded.h"
#include "runtime/tine.hpp"
#include "tests/unit/driver_temp.h"

using namespace tine;
using tine::test::TempFolder;

namespace {

constexpr const char* kShape = R"(# A module of shapes.
#   import ./shape.bend as Shape
#   Shape.area(s)
import Base

# A square or a strip.
type Form is Data:
  Square{side: U32}   # a trailing remark
  Strip{length: U32}

# Hidden{} is no part of the page.
type Hidden is Data:
  Hidden{}

def area.of(x: U32) -> U32:
  x

# What a form covers.
# A strip is one wide.
def area(s: Form) -> U32:
  0

# Not shown.

def edge(s: Form) -> U32:
  0
#| 0
)";

}  // namespace

TEST_CASE("doc: the first comment says what is shown") {
  TempFolder folder;
  std::string path = folder.write("shape.bend", kShape);
  CHECK(document(path, "").text ==
        "A module of shapes.\n"
        "  import ./shape.bend as Shape\n"
        "  Shape.area(s)\n\n"
        "type Form is Data:\n"
        "  Square{side: U32}   # a trailing remark\n"
        "  Strip{length: U32}\n"
        "    A square or a strip.\n\n"
        "def area(s: Form) -> U32\n"
        "    What a form covers.\n"
        "    A strip is one wide.\n");
  CHECK(document(path, "edge").text == "def edge(s: Form) -> U32\n");
  CHECK(document(path, "area.of").text == "def area.of(x: U32) -> U32\n");
  CHECK(document(path, "main").known);
  CHECK(!document(path, "main").found);
}

TEST_CASE("doc: without a comment all is shown but parts and fills") {
  TempFolder folder;
  std::string path = folder.write("plain.bend",
                                  "import Base\n\n"
                                  "def f(~T: Data, -x: T, +y: U32) -> U32:\n"
                                  "  y\n\n"
                                  "def f.go(n: Nat) -> Nat:\n  n\n\n"
                                  "law l:\n  for a: U32\n  U32\n\n"
                                  "def l(a):\n  a\n\n"
                                  "def f?(q) -> U32:\n  0\n");
  CHECK(document(path, "").text ==
        "def f(~T: Data, -x: T, +y: U32) -> U32\n\n"
        "law l:\n  for a: U32\n  U32\n\n"
        "@unsafe def f(q) -> U32\n");
}

TEST_CASE("doc: a long signature has a parameter a line") {
  TempFolder folder;
  std::string name(70, 'x');
  std::string path = folder.write(
      "long.bend", "def " + name + "(a: U32, b: U32) -> U32:\n  a\n");
  CHECK(document(path, "").text == "def " + name +
                                       "(\n        a: U32,\n        b: U32) "
                                       "-> U32\n");
}

TEST_CASE("doc: a file that cannot be read or parsed gives its messages") {
  TempFolder folder;
  Documentation missing = document(folder.at("none.bend"), "");
  CHECK(!missing.known);
  REQUIRE(missing.messages.size() == 1);
  CHECK(missing.messages[0].text.find("does not exist") != std::string::npos);
  Documentation broken = document(folder.write("b.bend", "def f(\n"), "");
  CHECK(!broken.found);
  CHECK(!broken.messages.empty());
  CHECK(document(folder.write("empty.bend", ""), "").text == "");
  CHECK(!document("par/none", "").known);
}

TEST_CASE("doc: every module says what it is for, every def what it does") {
  std::size_t modules = 0, defs = 0;
  for (const LibraryModule& module : library_modules()) {
    CAPTURE(module.name);
    ++modules;
    CHECK(module.purpose.size() > 10);
    CHECK(document(module.name, "").found);
    bool is_base = module.name == "Base";
    std::string file = (is_base ? "base" : module.name) + ".bend";
    SourceMap sources;
    Sink sink;
    FileTree tree;
    FileId id = sources.add(file, std::string(*find_embedded(file)));
    parse_file(sources, id, tree, sink);
    for (const Decl* decl : shown_decls(sources, tree)) {
      CAPTURE(decl->text);
      ++defs;
      if (!is_base) CHECK(!comment_above(sources.file(id), *decl).empty());
    }
  }
  CHECK(modules >= 15);
  CHECK(defs > 250);
}
