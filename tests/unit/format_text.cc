// The formatter on texts: the golden pairs of tests/fmt, and bytes that a
// file in the repository would not keep.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "compiler/format/format.h"

using namespace tine;

namespace {

namespace fs = std::filesystem;

struct Source {
  SourceMap sources;
  Sink sink;
  FileTree tree;
  Shape shape;
  explicit Source(const std::string& text) {
    const FileId file = sources.add("a.bend", text);
    parse_file(sources, file, tree, sink, &shape);
  }
};

std::string format(const std::string& text) {
  Source source(text);
  for (const Diag& diag : source.sink.diags()) {
    FAIL_CHECK(render(diag, source.sources, false));
  }
  if (source.sink.has_errors()) return "";
  return format_source(source.sources.file(source.tree.file), source.tree,
                       source.shape);
}

// Formats, and sees that a second time changes nothing.
std::string format_twice(const std::string& text) {
  const std::string once = format(text);
  CHECK(format(once) == once);
  return once;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::string kOne = "def f(x: U32) -> U32: x\n";

}  // namespace

TEST_CASE("format: golden pairs") {
  const fs::path folder = fs::path(TINE_SOURCE_DIR) / "tests" / "fmt";
  std::size_t pairs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".bend") continue;
    ++pairs;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    const std::string got = format_twice(read(entry.path()));
    CHECK(got == read(fs::path(entry.path()).replace_extension(".out")));
  }
  CHECK(pairs >= 8);
}

TEST_CASE("format: empty files and blank ones") {
  CHECK(format_twice("") == "");
  CHECK(format_twice(" \n\t\r\n\n") == "");
  CHECK(format_twice("#") == "#\n");
  CHECK(format_twice("\n\n# a \n\n\n\n\n#b\n\n") == "# a\n\n\n#b\n");
  CHECK(format_twice("import Base") == "import Base\n");
}

TEST_CASE("format: line ends, tabs and blanks at the end of a line") {
  CHECK(format_twice("def f(x: U32) -> U32:\r\n\tx \r\n\r\n") ==
        "def f(x: U32) -> U32:\n  x\n");
  CHECK(format_twice("import Base\r\n# a\t \r\n"
                     "def\tf(x: U32)\t-> U32: x # b \r") ==
        "import Base\n\n# a\ndef f(x: U32) -> U32: x  # b\n");
}

TEST_CASE("format: a byte order mark goes") {
  CHECK(format_twice("\xEF\xBB\xBF" "import Base\n") == "import Base\n");
  CHECK(format_twice("\xEF\xBB\xBF" + kOne) == kOne);
}

TEST_CASE("format: strings keep their bytes") {
  const std::string text =
      "def f() -> String:\n  g(\"a \t\r\n   # no comment  \n\", \"\xC3\xA9\",\n"
      "    'x')\n";
  CHECK(format_twice(text) == text);
  CHECK(format_twice("def f() -> String: \"a\n  b\"\n") ==
        "def f() -> String: \"a\n  b\"\n");
}

TEST_CASE("format: columns count characters, not bytes") {
  CHECK(format_twice("def f() -> String:\n"
                     "  x = \"\xC3\xA9\xC3\xA9\"     # a\n"
                     "  yy = \"ab\"    # b\n"
                     "  x\n") ==
        "def f() -> String:\n"
        "  x = \"\xC3\xA9\xC3\xA9\"   # a\n"
        "  yy = \"ab\"  # b\n"
        "  x\n");
  CHECK(format_twice("def f() -> U32:\n"
                     "  f(\"\xC3\xA9\xC3\xA9\", (y = x\n"
                     "    y))\n") ==
        "def f() -> U32:\n"
        "  f(\"\xC3\xA9\xC3\xA9\", (y = x\n"
        "           y))\n");
}

TEST_CASE("format: the expected output stays byte for byte") {
  CHECK(format_twice(kOne + "\n\n\n#| a \t\n#|b\n#|\n#|  c \r\n\n \n") ==
        kOne + "\n#| a \t\n#|b\n#|\n#|  c \r\n");
  CHECK(format_twice(kOne + "#| a ") == kOne + "#| a \n");
  CHECK(format_twice("#| a \n#| b") == "#| a \n#| b\n");
  CHECK(format_twice("#| no tail \n" + kOne) == "#| no tail\n" + kOne);
  CHECK(format_twice("#| no tail \n\n\n\n#| tail \n") ==
        "#| no tail\n\n#| tail \n");
}

// It would be read as one more line of output.
TEST_CASE("format: a comment does not become expected output") {
  CHECK(format_twice(kOne + " #| no\n#| a\n") == kOne + "  #| no\n#| a\n");
  CHECK(format_twice("import Base\n #| no\n#| a\n") ==
        "import Base\n  #| no\n#| a\n");
  CHECK(format_twice(kOne + "\r#| no\n#| a\n") == kOne + "  #| no\n#| a\n");
}

TEST_CASE("format: long lines stay") {
  std::string list;
  for (int i = 0; i < 2000; ++i) list += (i == 0 ? "1" : ", 1");
  const std::string text = "def f() -> List<U32>: [" + list + "]\n";
  CHECK(format_twice(text) == text);
}

TEST_CASE("format: as deep as the parser goes") {
  const std::string open(1900, '('), close(1900, ')');
  const std::string text = "def f() -> U32: " + open + "1" + close + "\n";
  CHECK(format_twice(text) == text);
  std::string lines = "def f() -> U32:\n";
  for (int i = 0; i < 900; ++i) lines += "  f(\n";
  const std::string got =
      format_twice(lines + "1" + std::string(900, ')') + "\n");
  CHECK(got.find("\n" + std::string(1802, ' ') + "1)") != std::string::npos);
}

namespace {

bool same(const std::string& a, const std::string& b) {
  SourceMap sources;
  Sink sink;
  FileTree left, right;
  parse_file(sources, sources.add("a", a), left, sink);
  parse_file(sources, sources.add("b", b), right, sink);
  REQUIRE(!sink.has_errors());
  return same_source(left, right, sources);
}

}  // namespace

TEST_CASE("format: what is the same source") {
  CHECK(same("import Base\n" + kOne, "import  Base # \n" + kOne) == false);
  CHECK(same("import Base # a\n" + kOne, "import  Base #a\n" + kOne) == false);
  CHECK(same("import Base #a \n" + kOne, "import  Base\n#a\n" + kOne));
  CHECK(same(kOne, "def f(x :\nU32,) ->U32:\n  x\n"));
  for (const char* other :
       {"", "def g(x: U32) -> U32: x\n", "def f(+x: U32) -> U32: x\n",
        "def f(~x: U32) -> U32: x\n", "def f(x: Nat) -> U32: x\n",
        "def f(x: U32) -> Nat: x\n", "def f(x: U32) -> U32: (x)\n",
        "def f?(x: U32) -> U32: x\n", "def f(x: U32) -> U32: x()\n",
        "def f(x: U32) -> U32: y = x\n  y\n", "def f(x: U32) -> U32: 0\n",
        "law f: x\n", "type f is x:\n",
        "import Base\ndef f(x: U32) -> U32: x"}) {
    CAPTURE(other);
    CHECK_FALSE(same(kOne, other));
  }
  CHECK_FALSE(same("type T is Data: A{} B{}", "type T is Data: A{}"));
  CHECK_FALSE(same("type T is Data: A{x: U32}", "type T is Data: A{-x: U32}"));
  CHECK_FALSE(same("law l: for x: U32 y", "law l: exs x: U32 y"));
  CHECK_FALSE(same("law l: for x: U32 y", "law l: for x: U32 where z y"));
  CHECK_FALSE(same("def f(x: U32) -> U32: f!(x)",
                   "def f(x: U32) -> U32: f(x)"));
  CHECK_FALSE(same("def f(x: U32) -> U32: match x: case 1: 2",
                   "def f(x: U32) -> U32: match x: case 2: 2"));
  CHECK_FALSE(same("def f() -> U32: do M<A>: x : A <- y; x",
                   "def f() -> U32: do M<A>: x : A = y; x"));
}
