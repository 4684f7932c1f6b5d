// Small matches without branches, and floats that are loose in a strip: the
// values are those of the net engine, and the text has what it should.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "native_run.h"

using namespace tine;
using namespace tine::native_test;

namespace {

// Each definition's text ends at the next comment in front of a definition.
std::string function_text(const std::string& program, const std::string& name) {
  std::string text = emitted_text(program);
  std::size_t at = text.find("/* " + name + ", ");
  REQUIRE(at != std::string::npos);
  return text.substr(at, text.find("\n/* ", at) - at);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Two arms that end in one operation, three arms, an arm within an arm, an
// arm that only hands on, natural numbers, truth values.
const char* const kShapes = R"(
def far(+a: U32, +b: U32) -> U32:
  match (a < b : U32):
    case True{}: ((b - a) * (b - a) : U32)
    case False{}: ((a - b) * (a - b) : U32)
def three(x: U32, +y: U32) -> U32:
  match x:
    case 0: y
    case 7: (y + 1 : U32)
    case z: (z * 3 - y : U32)
def clamp(+x: U32, +low: U32, +high: U32) -> U32:
  match (x < low : U32):
    case True{}: low
    case False{}:
      match (x > high : U32):
        case True{}: high
        case False{}: x
def down(n: Nat, m: Nat) -> Nat:
  match n:
    case 0n: m
    case 1n+p: p
def both(a: Bool, b: Bool) -> Bool:
  match a:
    case True{}: b
    case False{}: False{}
def best(n: Nat, +x: U32, +at: U32, +top: U32) -> U32:
  match n:
    case 0n: (at * 1000 + top : U32)
    case 1n+p:
      +y = (x * 2654435761 + 12345 : U32)
      match ((y >> 20n) > top : U32):
        case True{}: best(p, y, Nat.to(p), (y >> 20n : U32))
        case False{}: best(p, y, at, top)
)";

std::string shapes(const std::string& main) {
  std::string text = kShapes;
  std::size_t at = text.find("Nat.to(p)");
  text.replace(at, 9, "(y .&. 7 : U32)");
  return text + "def main() -> " + main + "\n";
}

}  // namespace

TEST_CASE("native selects: no branch where all arms are small and alike") {
  std::string text = shapes("U32: 0");
  for (const char* call :
       {"far(3, 10)", "three(7, 1)", "clamp(3, 4, 5)", "best(9n, 1, 0, 0)"}) {
    std::string name(call, std::string_view(call).find('('));
    std::string program = shapes(std::string("U32: ") + call);
    std::string body = function_text(program, name);
    CAPTURE(body);
    CHECK(holds(body, " ? "));
    CHECK(holds(body, "if (") == (name == "best"));  // the loop's end
  }
  // One multiplication behind the choice.
  std::string body = function_text(shapes("U32: far(3, 10)"), "far");
  CHECK(body.find(" * ") == body.rfind(" * "));
}

TEST_CASE("native selects: values of the net engine at every edge") {
  const std::pair<const char*, const char*> cases[] = {
      {"U32: far(3, 10)", "49"},         {"U32: far(10, 3)", "49"},
      {"U32: far(5, 5)", "0"},           {"U32: three(0, 5)", "5"},
      {"U32: three(7, 5)", "6"},         {"U32: three(9, 5)", "22"},
      {"U32: clamp(3, 4, 6)", "4"},      {"U32: clamp(7, 4, 6)", "6"},
      {"U32: clamp(5, 4, 6)", "5"},      {"Nat: down(0n, 4n)", "4n"},
      {"Nat: down(9n, 4n)", "8n"},       {"Bool: both(True{}, True{})", "True{}"},
      {"Bool: both(True{}, False{})", "False{}"},
      {"Bool: both(False{}, True{})", "False{}"},
      {"U32: best(0n, 1, 2, 3)", "2003"},
  };
  for (auto [main, value] : cases) same_value(shapes(main), value);
  std::string net = run_native_text(shapes("U32: best(1000n, 1, 0, 0)"), {},
                                    nullptr, "net").value;
  same_value(shapes("U32: best(1000n, 1, 0, 0)"), net);
}

TEST_CASE("native selects: what may fail or cost much keeps its branch") {
  const char* division =
      "def half(+a: U32, +b: U32) -> U32:\n  match (a < b : U32):\n"
      "    case True{}: (a / b : U32)\n    case False{}: (b % a : U32)\n"
      "def main() -> U32: half(3, 9)\n";
  CHECK(holds(function_text(division, "half"), "if ("));
  same_value(division, "0");
  const char* range =
      "def up(b: Bool, +n: Nat) -> Nat:\n  match b:\n"
      "    case True{}: Nat.add(n, n)\n    case False{}: n\n"
      "def main() -> Nat: up(False{}, Nat.mul(4294967295n, 65536n))\n";
  CHECK(holds(function_text(range, "up"), "if ("));
  same_value(range, "281474976645120n");
}

TEST_CASE("native selects: counts are those of the way that is taken") {
  NATIVE_OR_SKIP();
  std::string program =
      "import Base\n" + shapes("U32: clamp(far(3, 10), 4, three(7, 50))");
  std::uint64_t prims[2];
  for (int i = 0; i < 2; ++i) {
    Context context;
    Program loaded = context.load_text("counts.bend", program);
    RunOptions options;
    options.engine = i == 0 ? "net" : "native";
    options.counts = true;
    prims[i] = loaded.run(options).stats.prims;
  }
  CHECK(prims[0] == prims[1]);
}

// A sum that no round looks at: the NaN that it began with keeps its bits
// when there is no round, and is the one NaN after the first.
TEST_CASE("native floats: loose in a strip, exact behind it") {
  const std::string loop =
      "def add(n: Nat, x: F32, +y: F32) -> F32:\n  match n:\n    case 0n: x\n"
      "    case 1n+p: add(p, (x + y : F32), y)\n"
      "def of(x: U32) -> F32:\n  match x:\n    case U32{w}: F32{w}\n"
      "def bits(x: F32) -> U32:\n  match x:\n    case F32{w}: U32{w}\n"
      "def odd() -> F32: of(4290772993)\n";
  std::string text = loop + "def main() -> U32: bits(add(0n, odd(), 1.0))\n";
  Outcome none = run_native_text(text, {}, nullptr, "net");
  INFO(none.trap);
  CHECK(none.value == "4290772993");
  same_value(text, "4290772993");
  std::string one = loop + "def main() -> U32: bits(add(1n, odd(), 1.0))\n";
  same_value(one, "2143289344");
  std::string much =
      loop + "def main() -> U32: bits(add(40000n, odd(), 1.0))\n";
  same_value(much, "2143289344");
  std::string sum = loop + "def main() -> F32: add(40000n, 0.5, 0.25)\n";
  same_value(sum, "10000.5");
  CHECK(holds(function_text(sum, "add"), "x_1 = f32_canon(x_1);"));
}

TEST_CASE("native: one operation at the end of both arms, on parameters") {
  same_value(
      "def swapped(x: U32, y: U32, +z: U32) -> U32:\n"
      "  match (z < 3 : U32):\n"
      "    case True{}: (x - y : U32)\n"
      "    case False{}: (y - x : U32)\n"
      "def inner(x: U32, y: U32, k: U32, +z: U32) -> U32:\n"
      "  match (z < 3 : U32):\n"
      "    case True{}:\n"
      "      match (z < 2 : U32):\n"
      "        case True{}: (x - k : U32)\n"
      "        case False{}: (y - k : U32)\n"
      "    case False{}: (x * 2 : U32)\n"
      "def behind(n: Nat, +j: U32, s: U32, t: U32) -> U32:\n"
      "  match n:\n"
      "    case 0n:\n"
      "      match (j < 5 : U32):\n"
      "        case True{}: (s - 1 : U32)\n"
      "        case False{}: (t - 1 : U32)\n"
      "    case 1n+p: behind(p, (j + 1 : U32), (s * 3 : U32), (t * 5 : U32))\n"
      "def main() -> List<U32>:\n"
      "  [swapped(10, 1, 2), swapped(1, 10, 5), inner(10, 1, 0, 1),\n"
      "    inner(10, 1, 0, 2), inner(10, 1, 0, 5), behind(3n, 0, 1, 2),\n"
      "    behind(10n, 0, 1, 2)]\n",
      "[9, 9, 10, 1, 20, 26, 19531249]");
}

namespace {

// Nested matches on words, whose ends are operations on parameters.
struct Choice {
  char sign = 0;               // of an end; 0: a match
  int left = 0, right = 0;     // parameters
  std::uint32_t limit = 0;     // is parameter `left` below it?
  std::vector<Choice> arms;

  static constexpr const char* kNames = "stuv";
  std::string text(const std::string& indent) const {
    std::string a(1, kNames[left]), b(1, kNames[right]);
    if (sign) return indent + "(" + a + " " + sign + " " + b + " : U32)\n";
    return indent + "match (" + a + " < " + std::to_string(limit) +
           " : U32):\n" + indent + "  case True{}:\n" +
           arms[0].text(indent + "    ") + indent + "  case False{}:\n" +
           arms[1].text(indent + "    ");
  }
  std::uint32_t value(const std::uint32_t* of) const {
    if (!sign) return arms[of[left] < limit ? 0 : 1].value(of);
    return sign == '+' ? of[left] + of[right]
         : sign == '-' ? of[left] - of[right]
                       : of[left] * of[right];
  }
};

Choice draw_choice(std::mt19937& random, int depth) {
  auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  Choice choice;
  choice.left = below(4);
  choice.right = below(4);
  if (depth == 0 || below(4) == 0) {
    choice.sign = "-+*-"[below(4)];
    return choice;
  }
  choice.limit = static_cast<std::uint32_t>(below(12));
  for (int i = 0; i < 2; ++i) {
    choice.arms.push_back(draw_choice(random, depth - 1));
  }
  return choice;
}

}  // namespace

TEST_CASE("native: random matches that end in operations on parameters") {
  for (unsigned seed = 1; seed <= draws(2); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::string defs, calls, values;
    for (int i = 0; i < 40; ++i) {
      Choice first = draw_choice(random, 3), last = draw_choice(random, 3);
      std::string n = std::to_string(i);
      std::string params = "+s: U32, +t: U32, +u: U32, +v: U32) -> U32:\n";
      defs += "def choice" + n + "(" + params + first.text("  ");
      defs += "def loop" + n + "(n: Nat, " + params +
              "  match n:\n    case 0n:\n" + last.text("      ") +
              "    case 1n+p: loop" + n + "(p, choice" + n +
              "(s, t, u, v), s, t, (u + 1 : U32))\n";
      for (unsigned rounds : {0u, 1u, 9u}) {
        std::uint32_t of[4];
        std::string call = "loop" + n + "(" + std::to_string(rounds) + "n";
        for (std::uint32_t& word : of) {
          word = static_cast<std::uint32_t>(random() % 12);
          call += ", " + std::to_string(word);
        }
        for (unsigned k = 0; k < rounds; ++k) {
          std::uint32_t next[4] = {first.value(of), of[0], of[1], of[2] + 1};
          std::copy(next, next + 4, of);
        }
        calls += (calls.empty() ? "" : ", ") + call + ")";
        values += (values.empty() ? "" : ", ") + std::to_string(last.value(of));
      }
    }
    same_value(defs + "def main() -> List<U32>: [" + calls + "]\n",
               "[" + values + "]");
  }
}
