// Inputs that are meant to break a compiler: nesting, length, bytes.
#include <doctest/doctest.h>

#include "runtime/tine.hpp"

using namespace tine;

namespace {

// The thread sanitizer keeps the whole stack with every allocation.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t kChain = 2000, kMany = 100000;
#else
constexpr std::size_t kChain = 20000, kMany = 1000000;
#endif

std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Loads it; whatever it is, there is a verdict, and a wrong one has messages.
bool accepted(const std::string& text) {
  Config config;
  config.check_deadline = 20;
  Program program = Context(config).load_text("hostile.bend", text);
  if (!program.ok()) {
    REQUIRE(program.messages().size() >= 1);
    CHECK(program.messages()[0].text != "");
    CHECK(program.messages().size() <= 202);
  }
  return program.ok();
}

std::string main_of(const std::string& body) {
  return "import Base\ndef main() -> U32:\n  " + body + "\n";
}

}  // namespace

TEST_CASE("a million open brackets of every kind are refused") {
  for (const char* open : {"(", "[", "{", "Some{", "f(", "1n+", "x => ",
                           "\\{", "[1 : ", "a[", "@x: ", "(1, ", "%x@"}) {
    CAPTURE(open);
    CHECK_FALSE(accepted(main_of(repeat(open, kMany))));
  }
}

TEST_CASE("a million closed brackets, operators and patterns") {
  CHECK_FALSE(accepted(main_of(repeat(")", kMany))));
  CHECK_FALSE(accepted(main_of(repeat("(", 100000) + "1" +
                               repeat(")", 100000))));
  CHECK_FALSE(accepted(main_of(repeat("+ ", kMany))));
  CHECK_FALSE(accepted("import Base\ndef f(x: U32) -> U32:\n  match x:\n"
                       "    case " + repeat("(", 500000) + "\n"));
  CHECK_FALSE(accepted("import Base\ntype T<" + repeat("A<", 500000)));
}

TEST_CASE("a long chain of operators has a verdict") {
  accepted(main_of("(1" + repeat(" + 1", 1900) + " : U32)"));
  accepted(main_of("(1" + repeat(" + (1", 1900) + repeat(")", 1900) +
                   " : U32)"));
}

TEST_CASE("what is long costs as much as it is long") {
  // The value of every argument at every level would be 4 * 10^8 values.
  CHECK(accepted(main_of("(1" + repeat(" + 1", kChain) + " : U32)")));
  CHECK(accepted(main_of(repeat("U32.inc(", 1900) + "1" +
                         repeat(")", 1900))));
  CHECK(accepted("import Base\ndef main() -> Nat:\n  List.length(&1, U32, {[" +
                 repeat("7, ", 50000) + "7] : List<U32>})\n"));
}

// Matches `columns` values; the row of a column has `True{}` there alone.
static std::string diagonal(int columns, bool left_first) {
  std::string params, names, rows;
  for (int i = 0; i < columns; ++i) {
    std::string name = "x" + std::to_string(i);
    params += (i ? ", " : "") + name + ": Bool";
    names += " " + name;
    rows += "    case";
    int at = left_first ? i : columns - 1 - i;
    for (int j = 0; j < columns; ++j) rows += j == at ? " True{}" : " _";
    rows += ":\n      " + std::to_string(i) + "\n";
  }
  return "import Base\ndef f(" + params + ") -> U32:\n  match" + names +
         ":\n" + rows + "    case" + repeat(" _", columns) + ":\n      0\n";
}

TEST_CASE("a match splits no column that its first row leaves open") {
  CHECK(accepted(diagonal(60, true)));
  CHECK(accepted(diagonal(6, false)));
#if !defined(__SANITIZE_THREAD__)
  CHECK_FALSE(accepted(diagonal(24, false)));
#endif
}

TEST_CASE("deep but lawful nesting is accepted") {
  CHECK(accepted(main_of(repeat("(", 200) + "1" + repeat(")", 200))));
}

TEST_CASE("bytes that are no text are refused") {
  CHECK_FALSE(accepted(std::string("\0\0\0", 3)));
  CHECK_FALSE(accepted(main_of("\xff\xfe")));
  CHECK_FALSE(accepted(std::string("import Base\ndef \xc3(")));
  CHECK_FALSE(accepted(repeat("\x80", 100000)));
  accepted("");
  accepted("\n");
  accepted("\r\n\t ");
  accepted("\xef\xbb\xbfimport Base\n");
}

TEST_CASE("long lines, names and literals have a verdict") {
  std::string name(100000, 'a');
  CHECK(accepted("import Base\ndef " + name + "() -> U32: 1\n"));
  CHECK_FALSE(accepted(main_of(std::string(100000, '9'))));
  CHECK_FALSE(accepted(main_of("\"" + std::string(1000000, 'x'))));
  CHECK(accepted("import Base\ndef main() -> String:\n  \"" +
                 std::string(1000000, 'x') + "\"\n"));
  CHECK(accepted("import Base\n" + repeat("# comment\n", 100000)));
}

TEST_CASE("many declarations, many errors") {
  std::string defs = "import Base\n";
  for (int i = 0; i < 2000; ++i) {
    defs += "def f" + std::to_string(i) + "() -> U32: 1\n";
  }
  CHECK(accepted(defs));
  std::string wrong = "import Base\n";
  for (int i = 0; i < 500; ++i) {
    wrong += "def f" + std::to_string(i) + "() -> U32: nothing\n";
  }
  Program program = Context().load_text("x.bend", wrong);
  CHECK(program.messages().size() == 101);
  CHECK(program.messages().back().text == "400 more messages are not shown");
}

TEST_CASE("a book's text cannot break the reader") {
  Context context;
  for (const char* piece : {"(", "{", "match ", "par ", "\"", "Fn<", "def f ",
                            "0n: ", "\xff", "\n  "}) {
    CAPTURE(piece);
    Program book = context.load_book("x.net", repeat(piece, 300000));
    if (!book.ok()) CHECK(book.messages()[0].text != "");
    if (book.ok()) CHECK(book.run({}).status == kProgramWrong);
  }
}
