// Tokens: names, literals, and the operators that depend on their neighbours.
#include <doctest/doctest.h>

#include <bit>
#include <string>

#include "compiler/syntax/token.h"
#include "tests/unit/syntax_support.h"

using namespace tine;
using namespace tine::testing;

namespace {

// The kinds of `text`'s tokens without the end, as small letters of a code.
std::vector<Token> tokens_of(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("t.bend", text);
  std::vector<Token> tokens = lex(sources, file, 0).tokens;
  tokens.pop_back();
  return tokens;
}

std::vector<Tok> kinds_of(const std::string& text) {
  std::vector<Tok> kinds;
  for (const Token& token : tokens_of(text)) kinds.push_back(token.kind);
  return kinds;
}

using Kinds = std::vector<Tok>;

// The literal a body consists of.
const Node* literal(const Parsed& parsed) { return parsed.tree.decls[0].body; }

std::uint64_t number_of(const std::string& text) {
  return literal(Parsed(in_def(text)))->num;
}

float float_of(const std::string& text) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(number_of(text)));
}

std::string string_of(const std::string& text) {
  return literal(Parsed(in_def(text)))->text;
}

}  // namespace

TEST_CASE("tokens know their line, column and neighbours") {
  const auto tokens = tokens_of("f(x)\n  \xCE\xBB y # c\n\tz");
  REQUIRE(tokens.size() == 7);
  CHECK(tokens[0].first);
  CHECK(tokens[1].glued);
  CHECK_FALSE(tokens[1].first);
  CHECK(tokens[4].kind == Tok::kBad);  // the lambda sign
  CHECK(tokens[4].line == 2);
  CHECK(tokens[4].column == 3);
  CHECK(tokens[5].column == 5);
  CHECK(tokens[6].line == 3);
  CHECK(tokens[6].column == 2);
  CHECK(tokens[6].first);
}

TEST_CASE("what follows a string of several lines is not first on its line") {
  CHECK(shown("\"a\nb\" (x)") == "\"a\\n  b\"(x)");
}

TEST_CASE("comments may stand wherever white space may") {
  const Parsed parsed{"# one\ndef f( # two\n x: U32) -> U32: # three\n x"};
  CHECK(parsed.count() == 0);
  CHECK(parsed.tree.comments.size() == 3);
}

TEST_CASE("names are words joined by single dots") {
  CHECK(shown("a.b.c_1") == "a.b.c_1");
  CHECK(shown("_x") == "_x");
  CHECK(errors_of("a..b") == "E02b `a..b`");
  CHECK(errors_of("a.") == "E02b `a.`");
  CHECK(errors_of("v.3x") == "E02b `v.3x`");
}

TEST_CASE("reserved words are no names") {
  for (const char* word : {"def", "type", "law", "match", "case", "do",
                           "return", "for", "exs", "where", "is", "import",
                           "Type", "Data", "Kind", "Quant"}) {
    CAPTURE(word);
    CHECK(is_reserved(word));
    const Parsed parsed{"def f(" + std::string(word) + ": U32) -> U32: 1"};
    CHECK(parsed.messages() == "E02a `" + std::string(word) + "`");
  }
  for (const char* word : {"as", "if", "else", "let", "in", "fun", "Base",
                           "True", "unsafe"}) {
    CAPTURE(word);
    const Parsed parsed{"def f(" + std::string(word) + ": U32) -> U32: 1"};
    CHECK(parsed.count() == 0);
  }
}

TEST_CASE("numbers and their limits") {
  CHECK(number_of("42") == 42);
  CHECK(number_of("007") == 7);
  CHECK(number_of("4294967295") == 4294967295u);
  CHECK(errors_of("4294967296") == "E05a `4294967296`");
  CHECK(number_of("4294967295n") == 4294967295u);
  CHECK(errors_of("4294967296n") == "E05a `4294967296n`");
  CHECK(errors_of("99999999999999999999999999") ==
        "E05a `99999999999999999999999999`");
  CHECK(literal(Parsed(in_def("3n")))->kind == NodeKind::kNat);
  CHECK(literal(Parsed(in_def("3")))->kind == NodeKind::kU32);
}

TEST_CASE("a successor literal takes a whole term") {
  const Parsed parsed{in_def("2n+a <> b")};
  CHECK(literal(parsed)->kind == NodeKind::kSucc);
  CHECK(literal(parsed)->num == 2);
  CHECK(literal(parsed)->kids[0]->kind == NodeKind::kOp);
  CHECK(shown("1n+half(q)") == "1n+half(q)");
  CHECK(kinds_of("1n +x") == Kinds{Tok::kNat, Tok::kPlusMark, Tok::kName});
  CHECK(kinds_of("1n + x") == Kinds{Tok::kNat, Tok::kOp, Tok::kName});
}

TEST_CASE("numbers written wrongly, and the repair") {
  CHECK(errors_of("0x1F") == "E05b `0x1F`");
  CHECK(repair_of("0x1F") == "write `31`");
  CHECK(repair_of("0b101") == "write `5`");
  CHECK(repair_of("0xZZ") == "");
  CHECK(errors_of("1e5") == "E05c `1e5`");
  CHECK(repair_of("1e5") == "write `1.0e5`");
  CHECK(repair_of("1e-5") == "write `1.0e-5`");
  CHECK(errors_of("1_000") == "E05e `1_000`");
  CHECK(repair_of("1_000") == "write `1000`");
  CHECK(errors_of("1.") == "E05f `1.`");
  CHECK(repair_of("1.") == "write `1.0`");
  CHECK(errors_of("3x") == "E05d `3x`");
  CHECK(errors_of("5u") == "E05d `5u`");
  CHECK(errors_of("3nx") == "E05d `3nx`");
  CHECK(errors_of("1.5x") == "E05d `1.5x`");
  CHECK(errors_of("1.5.2") == "E05d `1.5.2`");
}

TEST_CASE("there is no unary minus") {
  CHECK(errors_of("-1") == "E05p `-1`");
  CHECK(repair_of("-1") == "write `(0 - 1 : U32)`");
  CHECK(repair_of("-1.5") == "write `F32.neg(1.5)`");
  CHECK(errors_of("f(a, -b)") == "E05p `-b`");
  CHECK(errors_of("f(a -b)") == "E05p `-b`");
  CHECK(errors_of("-(a)") == "E14b `-`");
}

TEST_CASE("floats are rounded once and finite") {
  CHECK(float_of("1.5") == 1.5f);
  CHECK(float_of("2.0e3") == 2000.0f);
  CHECK(float_of("1.0E-4") == 1.0e-4f);
  CHECK(float_of("1.0e+2") == 100.0f);
  CHECK(float_of("16777217.0") == 16777216.0f);
  CHECK(float_of("3.4028235e38") == 3.4028235e38f);
  CHECK(float_of("1.0e-45") == 1.0e-45f);
  CHECK(float_of("1.0e-400") == 0.0f);
  CHECK(float_of("0.0e999999") == 0.0f);
  CHECK(errors_of("3.5e38") == "E05g `3.5e38`");
  CHECK(errors_of("1.0e999999999999") == "E05g `1.0e999999999999`");
  CHECK(errors_of(std::string(60, '9') + ".0") ==
        "E05g `" + std::string(60, '9') + ".0`");
}

TEST_CASE("characters and their escapes") {
  CHECK(number_of("'c'") == 'c');
  CHECK(number_of("'''") == '\'');
  CHECK(number_of("'\\''") == '\'');
  CHECK(number_of("'\"'") == '"');
  CHECK(number_of("'\\n'") == '\n');
  CHECK(number_of("'\\0'") == 0);
  CHECK(number_of("'\\u{1F600}'") == 0x1F600);
  CHECK(number_of("'\\u{D800}'") == 0xD800);
  CHECK(number_of("'\xE2\x82\xAC'") == 0x20AC);
}

TEST_CASE("characters written wrongly") {
  CHECK(errors_of("'ab'") == "E05m `'ab'`");
  CHECK(repair_of("'ab'") == "write a string: `\"ab\"`");
  CHECK(errors_of("''") == "E05l `''`");
  CHECK(errors_of("'a") == "E05k `'a`");
  CHECK(errors_of("'") == "E05k `'`");
  CHECK(errors_of("'\\q'") == "E05h `\\q`");
  CHECK(errors_of("'\\u{}'") == "E05i `\\u{`");
}

TEST_CASE("strings and their escapes") {
  CHECK(string_of("\"a\\tb\\r\\n\\\\\\\"\\'\"") == "a\tb\r\n\\\"'");
  CHECK(string_of("\"\\u{3bb}\"") == "\xCE\xBB");
  CHECK(string_of("\"\\0\"") == std::string(1, '\0'));
  CHECK(string_of("\"\"") == "");
}

TEST_CASE("strings written wrongly") {
  CHECK(errors_of("\"a\\qb\"") == "E05h `\\q`");
  CHECK(errors_of("\"\\u{41\"") == "E05i `\\u{41`");
  CHECK(errors_of("\"\\u41\"") == "E05i `\\u`");
  CHECK(errors_of("\"\\u{123456789}\"") == "E05i `\\u{12345678`");
  CHECK(errors_of("\"\\u{D800}\"") == "E05q `\\u{D800}`");
  CHECK(errors_of("\"\\u{110000}\"") == "E05q `\\u{110000}`");
  CHECK(errors_of("\"abc") == "E05j `\"abc`");
}

TEST_CASE("a string without its end hides one line only") {
  const Parsed parsed{in_def("\"abc") + "def g() -> U32: 0x1\n"};
  CHECK(parsed.messages() == "E05j `\"abc`\nE05b `0x1`");
}

TEST_CASE("a long string is one literal") {
  const std::string text(200000, 'a');
  CHECK(string_of("\"" + text + "\"") == text);
}

TEST_CASE("stray characters") {
  CHECK(errors_of("$") == "E05n `$`");
  CHECK(errors_of("x $ y") == "E05n `$`");
  CHECK(errors_of("\xCE\xBB") == "E05n `\xCE\xBB`");
  const Parsed parsed{in_def(std::string(1, '\0'))};
  CHECK(parsed.diag().text == "unexpected character number 0");
}

TEST_CASE("malformed UTF-8 is one message, wherever it stands") {
  CHECK(errors_of("\xFF\xFE x").substr(0, 4) == "E05o");
  CHECK(Parsed("def f() -> U32: \xFF").count() == 1);
  CHECK(Parsed("# \xFF\ndef f() -> U32: 1").count() == 1);
  const Parsed parsed{"def f() -> String: \"\xFF\""};
  CHECK(parsed.count() == 1);
  CHECK(parsed.tree.decls[0].body->text == "\xEF\xBF\xBD");
}

TEST_CASE("a sign that touches a name is a mark, else an operator") {
  CHECK(kinds_of("a -b") == Kinds{Tok::kName, Tok::kMinusMark, Tok::kName});
  CHECK(kinds_of("a - b") == Kinds{Tok::kName, Tok::kOp, Tok::kName});
  CHECK(kinds_of("a -1") == Kinds{Tok::kName, Tok::kOp, Tok::kU32});
  CHECK(kinds_of("a+1") == Kinds{Tok::kName, Tok::kOp, Tok::kU32});
  CHECK(kinds_of("a+b") == Kinds{Tok::kName, Tok::kPlusMark, Tok::kName});
  CHECK(kinds_of("a->b") == Kinds{Tok::kName, Tok::kOp, Tok::kName});
}

TEST_CASE("a greater sign that touches what precedes it only closes") {
  CHECK(kinds_of("a>> b") == Kinds{Tok::kName, Tok::kTightGreater,
                                   Tok::kTightGreater, Tok::kName});
  CHECK(kinds_of("a >> b") == Kinds{Tok::kName, Tok::kOp, Tok::kName});
  CHECK(errors_of("(a> b : U32)") == "E14h `>`");
  CHECK(repair_of("(a> b : U32)") == "put a space before the `>`");
  CHECK(shown("(a > b : U32)") == "(a > b : U32)");
  CHECK(shown("(a >> b : U32)") == "(a >> b : U32)");
  CHECK(shown("x : List<U32>= v\nx") == "x : List<U32> = v; x");
}

TEST_CASE("a percent sign that touches what follows starts a rewrite") {
  CHECK(kinds_of("a % b") == Kinds{Tok::kName, Tok::kOp, Tok::kName});
  CHECK(kinds_of("%b") == Kinds{Tok::kRewrite, Tok::kName});
  CHECK(shown("%e : P\nx") == "%e : P; x");
  CHECK(shown("%h@e : P; x") == "%h@e : P; x");
  CHECK(shown("(a % b : U32)") == "(a % b : U32)");
}

TEST_CASE("operators are matched longest first") {
  CHECK(shown("a .&. b") == "a .&. b");
  CHECK(shown("a <&> b") == "a <&> b");
  CHECK(shown("a <> b") == "a <> b");
  CHECK(shown("a <= b") == "a <= b");
  CHECK(shown("a << b") == "a << b");
  CHECK(shown("a || b && c") == "a || b && c");
  CHECK(kinds_of("a <-1") == Kinds{Tok::kName, Tok::kBackArrow, Tok::kU32});
}

TEST_CASE("quantities") {
  CHECK(shown("f(&0, &1, &2)") == "f(&0, &1, &2)");
  CHECK(kinds_of("&12") == Kinds{Tok::kOp, Tok::kU32});
  CHECK(kinds_of("& 1") == Kinds{Tok::kOp, Tok::kU32});
}

TEST_CASE("equality signs are no operators on values") {
  CHECK(errors_of("(a == b : U32)") == "E14p `==`");
  CHECK(errors_of("a != b") == "E14p `!=`");
  CHECK(repair_of("a == b") ==
        "call an equality test such as `U32.is_eq(a, b)`");
}
