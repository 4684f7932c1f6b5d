// Many runs in one process, every other one trapped in the middle of a tree of
// forks: each gives what the first gave, and the process does not grow.
// TINE_RUNS is how many (default 400).
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "doctest/doctest.h"
#include "native_run.h"

using namespace tine;
using namespace tine::native_test;

namespace {

// Lists that die on other workers; a number past the range in one leaf.
const char* const kProgram = R"(import Base
def list(n: Nat, +h: U32, l: List<U32>) -> List<U32>:
  match n:
    case 0n: l
    case 1n+p: list(p, (h * 5 : U32), Con{h, l})
def sum(l: List<U32>, s: U32) -> U32:
  match l:
    case Nil{}: s
    case Con{x, r}: sum(r, (s + x : U32))
def big(n: Nat, +m: Nat) -> Nat:
  match n:
    case 0n: m
    case 1n+p: big(p, Nat.mul(m, m))
def snd(r: Array<U32> & U32) -> U32:
  (a, n) = r
  n
def size(a: Array<U32>) -> U32: snd(Array.size(U32, a))
def leaf(+i: U32, +bad: U32, a: Array<U32>) -> U32:
  match U32.is_eq(i, bad):
    case True{}: (U32.from_nat(big(9n, 3n)) + sum(list(9n, i, Nil{}), 0) : U32)
    case False{}: sum(list(50n, i, Nil{}), size(a))
def tree(+n: Nat, +i: U32, +bad: U32) -> U32:
  match n:
    case 0n: leaf(i, bad, [1 : U32^4n])
    case 1n+p:
      a b = tree(p, (i * 2 : U32), bad) tree(p, (i * 2 + 1 : U32), bad)
      (a + b : U32)
def main() -> U32: tree(12n, 0, BAD)
)";

Program load(Context& context, const std::string& bad) {
  std::string text = kProgram;
  text.replace(text.find("BAD"), 3, bad);
  return context.load_text("many.bend", text);
}

std::size_t resident() {
  std::size_t total = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> total >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("native many: runs and traps by turns, and no growth") {
  NATIVE_OR_SKIP();
  const char* text = std::getenv("TINE_RUNS");
  int runs = text ? std::atoi(text) : 400;
  Config config;
  config.threads = 4;
  Context context(config);
  Program good = load(context, "9999"), bad = load(context, "2777");
  REQUIRE_MESSAGE(good.ok(), good.messages()[0].rendered);
  RunOptions options;
  options.engine = "native";
  Outcome first = good.run(options), trap = bad.run(options);
  REQUIRE(first.status == kOk);
  std::uint64_t steals = 0;
  REQUIRE(trap.status == kRunFailed);
  [[maybe_unused]] std::size_t before = 0;
  for (int i = 0; i < runs; ++i) {
    if (i == runs / 4) before = resident();
    Outcome outcome = (i % 2 == 0 ? good : bad).run(options);
    const Outcome& wanted = i % 2 == 0 ? first : trap;
    REQUIRE(outcome.status == wanted.status);
    REQUIRE(outcome.value == wanted.value);
    REQUIRE(outcome.trap == wanted.trap);
    steals += outcome.stats.steals;
  }
  CHECK(steals > 0);  // others took part
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(resident() < before + (std::size_t{4} << 20));
#endif
}
