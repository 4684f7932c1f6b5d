// Small matches without branches, and floats that are loose in a strip: the
// values are those of the net engine, and the text has what it should.
#include <string>

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
