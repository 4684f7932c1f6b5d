// What follows from the graph of calls: which functions the C compiler may
// treat as run seldom, and which call of a fork its worker keeps.
#include <string>

#include "doctest/doctest.h"
#include "native_run.h"

using namespace tine;
using namespace tine::native_test;

namespace {

// Does the prototype begin with the mark? `text` is all that was emitted.
bool marked(const std::string& text, const std::string& name,
            const std::string& mark) {
  std::size_t at = text.find("_" + name + "(W* w",
                             text.find("/* definitions */"));
  REQUIRE(at != std::string::npos);
  std::size_t line = text.rfind('\n', at) + 1;
  return text.compare(line, mark.size(), mark) == 0;
}

bool seldom(const std::string& text, const std::string& name) {
  return marked(text, name, "COLD ");
}

// What the functions call that run offered work.
std::string offered(const std::string& text) {
  std::string calls;
  for (std::size_t at = 0; (at = text.find("k->r = ", at)) < text.size();) {
    calls += text.substr(at, text.find('\n', at) - at) + "\n";
    ++at;
  }
  return calls;
}

}  // namespace

TEST_CASE("native reach: what no cycle reaches runs seldom") {
  const std::string program = R"(
def twice(x: U32) -> U32:
  (x * 2 : U32)
def once(x: U32) -> U32:
  (x + 1 : U32)
def loop(n: Nat, x: U32) -> U32:
  match n:
    case 0n: x
    case 1n+p: loop(p, twice(x))
def main() -> U32:
  once(loop(5n, 3))
)";
  std::string text = emitted_text(program);
  CHECK(seldom(text, "main"));
  CHECK(seldom(text, "once"));
  CHECK_FALSE(seldom(text, "loop"));
  CHECK_FALSE(seldom(text, "twice"));
  CHECK(marked(text, "loop", "HOT "));
  CHECK_FALSE(marked(text, "twice", "HOT "));
  same_value(program, "97");
}

TEST_CASE("native reach: each doubling of the places of a call counts") {
  std::string program = "def f0(+x: U32) -> U32:\n  (x + 1 : U32)\n";
  for (int i = 1; i <= 8; ++i) {
    std::string below = "f" + std::to_string(i - 1);
    program += "def f" + std::to_string(i) + "(+x: U32) -> U32:\n  " + below +
               "(" + below + "(x))\n";
  }
  program += "def main() -> U32:\n  f8(0)\n";
  std::string text = emitted_text(program);
  CHECK(seldom(text, "f8"));
  CHECK(seldom(text, "f2"));  // 64 entries
  CHECK_FALSE(seldom(text, "f1"));
  CHECK_FALSE(seldom(text, "f0"));
  same_value(program, "256");
}

TEST_CASE("native reach: a closure runs often where a loop applies closures") {
  const std::string one = R"(
def add(+k: U32, x: U32) -> U32:
  (x + k : U32)
def use(f: U32 -> U32, x: U32) -> U32:
  f(x)
def main() -> U32:
  use(add(3), 4)
)";
  CHECK(seldom(emitted_text(one), "add"));
  same_value(one, "7");
  const std::string many = R"(
def add(+k: U32, x: U32) -> U32:
  (x + k : U32)
def each(fs: List<(U32 -> U32)>, x: U32) -> U32:
  match fs:
    case Nil{}: x
    case Con{f, rest}: each(rest, f(x))
def main() -> U32:
  each([add(1), add(2), add(3)], 4)
)";
  std::string text = emitted_text(many);
  CHECK_FALSE(seldom(text, "add"));
  CHECK(seldom(text, "main"));
  same_value(many, "10");
}

TEST_CASE("native reach: loops of IO are cycles") {
  std::string text = emitted_text(R"(
def line(n: Nat) -> String:
  U32.show(U32.from_nat(n))
def count(+n: Nat) -> IO(Unit):
  match n:
    case 0n: IO.print("end")
    case 1n+p:
      do IO<Unit>:
        IO.print(line(n))
        count(p)
def main() -> IO(Unit):
  count(3n)
)");
  CHECK_FALSE(seldom(text, "count"));
  CHECK_FALSE(seldom(text, "line"));
  CHECK(seldom(text, "main"));
}

TEST_CASE("native reach: a worker keeps the only call that leads to forks") {
  const std::string leaf = R"(
def leaf(x: U32) -> U32:
  (x * 3 : U32)
def spine(n: Nat, +x: U32) -> U32:
  match n:
    case 0n: x
    case 1n+p:
      )";
  const std::string rest = R"(
      (a * 7 + b * 5 + c : U32)
def main() -> U32:
  spine(300n, 1)
)";
  // The same sum by a loop of the test's own.
  std::uint32_t wanted = 301;
  for (std::uint32_t x = 300; x >= 1; --x) {
    wanted = x * 3 * 7 + wanted * 5 + (x + 1) * 3;
  }
  const char* lines[] = {
      "a b c = leaf(x) spine(p, (x + 1 : U32)) leaf((x + 1 : U32))",
      "b a c = spine(p, (x + 1 : U32)) leaf(x) leaf((x + 1 : U32))",
      "a c b = leaf(x) leaf((x + 1 : U32)) spine(p, (x + 1 : U32))"};
  for (const char* line : lines) {
    std::string program = leaf + line + rest;
    std::string calls = offered(emitted_text(program));
    CHECK(calls.find("_leaf(") != std::string::npos);
    CHECK(calls.find("_spine(") == std::string::npos);
    same_value(program, std::to_string(wanted));
  }
}

TEST_CASE("native reach: where several calls may fork, the first is kept") {
  std::string calls = offered(emitted_text(R"(
def low(n: Nat) -> U32:
  match n:
    case 0n: 1
    case 1n+p:
      +q = p
      a b = low(q) low(q)
      (a + b : U32)
def high(n: Nat) -> U32:
  low(n)
def main() -> U32:
  a b = low(3n) high(4n)
  (a * 100 + b : U32)
)"));
  CHECK(calls.find("_high(") != std::string::npos);
}
