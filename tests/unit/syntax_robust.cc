// The parser on what is large, deep or broken.
//
// What is long must parse whole; what is deep must end in one message; any
// bytes must give a tree and messages that can be rendered.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/syntax/utf8.h"
#include "tests/unit/syntax_support.h"

using namespace tine;
using namespace tine::testing;

namespace {

std::string repeat(const std::string& text, std::size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

// The thread sanitizer keeps the whole stack with every allocation.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t kLong = 2000;
constexpr std::size_t kDeep = 3000;
#else
constexpr std::size_t kLong = 20000;
constexpr std::size_t kDeep = 100000;
#endif

// The seed module, "" when this checkout has none beside it.
std::string seed_text() {
  const char* given = std::getenv("TINE_SEEDS");
  const std::filesystem::path folder =
      given != nullptr ? std::filesystem::path(given)
                       : std::filesystem::path(TINE_SOURCE_DIR) /
                             "../shared/seeds";
  std::ifstream file(folder / "scan.bend", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return file ? text.str() : "";
}

constexpr const char* kSample = R"(import Base
import ./lib/a.bend as A  # comment

type Got<a, -T: Kind(a)> is Type:
  Got{arr: Array<U32>, acc: U32}
  None{}

@unsafe def tree?(~f: U32 -> U32, +d: Nat, h: Array<U32> & Array<U32>) -> Got:
  match d, h:
    case 0n (a, b):
      a[0] <- (1 + 2 * 3 : U32)
      a[1] <- 'c'
      Got{a, b[0]}
    case 1n+p, _:
      Got{la, +x} = l
      k : U32 = (i * 2 << 3n : U32)
      x y = tree(p, k, Array.fork(U32, a))
        tree!(~(z => (z < 1 && z >= 2 : U32)), [0 : U32*4n], "a\"\u{3bb}")
      got.mix(x, {y == x : List<List<&1, U32>>})

law comm:
  for +a: Nat where {a != 0n : Nat}
  exs b: Nat
  {a == b : Nat}

def main() -> IO(Unit):
  do IO<Unit>:
    s : String <- IO.read
    IO.print("a" ++ s <> [1, 2])
    %e@E : P
    return ?TODO
)";

// Parses, renders every message, and spells every body.
std::size_t exercise(const std::string& text) {
  const Parsed parsed{text};
  for (const Diag& diag : parsed.sink.diags()) {
    const std::string shown = render(diag, parsed.sources, true);
    REQUIRE(find_invalid_utf8(shown) == std::string::npos);
    REQUIRE(render_json(diag, parsed.sources).find('\n') ==
            std::string::npos);
    REQUIRE(diag.span.begin <= diag.span.end);
    REQUIRE(diag.span.end <= text.size());
  }
  std::size_t size = 0;
  for (const Decl& decl : parsed.tree.decls) {
    if (decl.body != nullptr) size += show(decl.body).size();
  }
  return size;
}

// One random edit: a byte, a cut, a doubling, or a piece of grammar.
void mutate(std::string& text, std::mt19937& random) {
  static const std::vector<std::string> kPieces = {
      "(", ")", "[", "]", "{", "}", "<", ">", "=", "<-", ":", ",", ";", "\n",
      "case ", "match ", "do M<A>:", "x => ", "%e : P;", "-x", "+x", "1n+",
      "'", "\"", "\\", "@x: A -> ", "&", "\xFF", std::string(1, '\0'), "def ",
      "type ", "law ", "(a, b) = ", "~", "!(", "?h", "0x", "#", ".", "=="};
  const auto pick = [&](std::size_t count) {
    return static_cast<std::size_t>(random() % (count > 0 ? count : 1));
  };
  const std::size_t at = pick(text.size() + 1);
  const std::size_t length = pick(20);
  switch (random() % 5) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(random() % 256);
      break;
    case 1:
      text.erase(std::min(at, text.size()), length);
      break;
    case 2:
      text.insert(at, text.substr(std::min(at, text.size()), length));
      break;
    default:
      text.insert(at, kPieces[pick(kPieces.size())]);
  }
}

}  // namespace

TEST_CASE("the seed module parses") {
  const std::string text = seed_text();
  if (text.empty()) {
    MESSAGE("skipped: no seeds/scan.bend (set TINE_SEEDS to its folder)");
    return;
  }
  const Parsed parsed{text, "scan.bend"};
  CHECK(parsed.messages() == "");
  CHECK(parsed.tree.imports.size() == 1);
  CHECK(parsed.tree.decls.size() == 25);
}

TEST_CASE("long chains of statements parse") {
  for (const char* statement :
       {"x = x\n", "(a, b) = x\n", "a[0] <- x\n", "%e : P\n",
        "x y = x x\n", "-x = x\n", "x : T = x\n"}) {
    CAPTURE(statement);
    CHECK(errors_of(repeat(statement, kLong / 10) + "x") == "");
  }
  const Parsed parsed{"def f(x: U32) -> U32:\n" +
                      repeat("  x = x\n", 100000) + "  x\n"};
  CHECK(parsed.count() == 0);
  CHECK(parsed.body().size() > 700000);
}

TEST_CASE("long chains of operators, lists, suffixes and arguments parse") {
  for (const char* link : {"x + ", "x <> ", "x ++ ", "x -> ", "x && ",
                           "x < ", "x & "}) {
    CAPTURE(link);
    CHECK(errors_of("(" + repeat(link, kLong) + "x)") == "");
  }
  CHECK(errors_of("[" + repeat("x, ", 200000) + "]") == "");
  CHECK(errors_of("f(" + repeat("x ", kLong) + ")") == "");
  CHECK(errors_of("(" + repeat("x, ", kLong) + "x)") == "");
  CHECK(errors_of("x" + repeat("[0]", kLong)) == "");
  CHECK(errors_of("x" + repeat("(0)", kLong)) == "");
  CHECK(errors_of("match x:\n" + repeat("  case 1n+p: x\n", kLong)) == "");
  CHECK(errors_of("match x:\n  case [" + repeat("x,", kLong) + "]: 1") == "");
  CHECK(errors_of("match x:\n  case " + repeat("x <> ", kLong) + "y: 1") ==
        "");
  CHECK(errors_of("do M<U>: " + repeat("x; ", kLong) + "x") == "");
}

TEST_CASE("nesting past the limit is one message") {
  for (const char* open :
       {"(", "[", "{", "f(", "K{", "a[", "x => ", "1n+", "@x: A -> ",
        "a[0] <- ", "F<", "(x => y : ", "do M<A>: x : ", "do M<A>: ", "+ ",
        "{a == ", "[v : T^", "\\{", "Kind(", "do M<", "x = (", "(1, ",
        "f(~"}) {
    CAPTURE(open);
    const Parsed parsed{in_def(repeat(open, kDeep))};
    CHECK(parsed.count() == 1);
    CHECK(parsed.diag().code == "E14m");
  }
  std::string matches;
  for (int i = 0; i < 2100; ++i) matches += "match x: case y: ";
  CHECK(errors_of(matches + "1").substr(0, 4) == "E14m");
}

TEST_CASE("nesting below the limit parses") {
  constexpr std::size_t kFine = 1500;
  const auto nested = [](const std::string& open, const std::string& close) {
    return errors_of(repeat(open, kFine) + "T" + repeat(close, kFine));
  };
  CHECK(nested("(", ")") == "");
  CHECK(nested("[", "]") == "");
  CHECK(nested("f(", ")") == "");
  CHECK(nested("F<", ">") == "");
  CHECK(nested("x => ", "") == "");
  CHECK(nested("(y : ", ")") == "");
  CHECK(nested("match x: case y: ", "") == "");
}

TEST_CASE("nested groups that look ahead over types parse once") {
  constexpr std::size_t kFine = 400;
  for (const char* open :
       {"(y : ", "(x => y : ", "(do M<A>: y : ", "(x => (a, z => y : "}) {
    CAPTURE(open);
    const bool two = std::string(open).find("(a,") != std::string::npos;
    const std::string close = two ? "))" : ")";
    CHECK(errors_of(repeat(open, kFine) + "T" + repeat(close, kFine)) == "");
  }
}

TEST_CASE("a million open parentheses are one message") {
  const Parsed parsed{in_def(std::string(1000000, '('))};
  CHECK(parsed.count() == 1);
  CHECK(parsed.diag().code == "E14m");
}

TEST_CASE("runs of quotes and stray bytes are read once") {
  CHECK(exercise(in_def(repeat("\"\\\"\n", kDeep))) < 100);
  CHECK(exercise(in_def(repeat("'a\n", kDeep))) < 100);
  CHECK(exercise(std::string(1000000, '\0')) == 0);
  CHECK(exercise(std::string(1000000, '\xFF')) == 0);
  CHECK(exercise(repeat("import\n", kDeep)) == 0);
}

TEST_CASE("every prefix of a program gives a tree") {
  const std::string sample = kSample;
  REQUIRE(exercise(sample) > 100);
  for (std::size_t n = 0; n < sample.size(); ++n) {
    exercise(sample.substr(0, n));
  }
}

TEST_CASE("mutated programs give a tree and messages") {
  std::mt19937 random(20240607);
  std::vector<std::string> sources = {kSample, in_def("f(x)")};
  if (const std::string seed = seed_text(); !seed.empty()) {
    sources.push_back(seed.substr(0, 4000));
  }
  for (int round = 0; round < 2000; ++round) {
    std::string text = sources[random() % sources.size()];
    for (int edits = 1 + static_cast<int>(random() % 6); edits > 0; --edits) {
      mutate(text, random);
    }
    exercise(text);
  }
}

TEST_CASE("random bytes give a tree and messages") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 400, '\0');
    for (char& c : text) {
      c = static_cast<char>(round % 2 == 0 ? random() % 256
                                           : 32 + random() % 96);
    }
    exercise(text);
    exercise(in_def(text));
  }
}
