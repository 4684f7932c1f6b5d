// Programs that fork, under schedules drawn from seeds: every theft, join and
// sleep in many orders, on both engines. The value is that of one worker and
// nothing is lost; the same seed gives the same run. TINE_SEEDS is the number
// of seeds by program and number of workers (default 10, 3
// under sanitizers); par/relay gets 20
// times as many.
#include <doctest/doctest.h>

#include <cstdlib>

#include "native_run.h"
#include "seeded.h"

using namespace tine;
using native_test::has_native;

namespace {

constexpr const char* kLeaf =
    "import Base\n"
    "def leaf(n: Nat, +h: U32) -> U32:\n  match n:\n    case 0n: h\n"
    "    case 1n+p: leaf(p, (h * 31 + 7 : U32))\n"
    "def list(n: Nat, +h: U32, l: List<U32>) -> List<U32>:\n  match n:\n"
    "    case 0n: l\n    case 1n+p: list(p, (h * 5 : U32), Con{h, l})\n"
    "def sum(l: List<U32>, s: U32) -> U32:\n  match l:\n    case Nil{}: s\n"
    "    case Con{x, r}: sum(r, (s + x : U32))\n";

struct Case {
  const char* name;
  const char* text;
};

const Case kCases[] = {
    {"leaf first",
     "def spine(n: Nat, +x: U32) -> U32:\n  match n:\n    case 0n: x\n"
     "    case 1n+p:\n      a b = leaf(20n, x) spine(p, (x + 1 : U32))\n"
     "      (a + b : U32)\n"
     "def main() -> U32: spine(150n, 3)\n"},
    {"spine first",
     "def spine(n: Nat, +x: U32) -> U32:\n  match n:\n    case 0n: x\n"
     "    case 1n+p:\n      b a = spine(p, (x + 1 : U32)) leaf(20n, x)\n"
     "      (a + b : U32)\n"
     "def main() -> U32: spine(150n, 3)\n"},
    {"skewed",
     "def grow(+n: Nat, +x: U32) -> U32:\n  match n:\n    case 0n: leaf(9n, x)\n"
     "    case 1n+p:\n      match p:\n        case 0n: leaf(9n, x)\n"
     "        case 1n+q:\n"
     "          a b = grow(p, (x + 1 : U32)) grow(q, (x + 2 : U32))\n"
     "          (a + b : U32)\n"
     "def main() -> U32: grow(12n, 1)\n"},
    {"ternary, lists that die elsewhere",
     "def tri(+n: Nat) -> List<U32>:\n  match n:\n    case 0n: list(5n, 9, Nil{})\n"
     "    case 1n+p:\n      a b c = tri(p) tri(p) tri(p)\n"
     "      list(3n, 2, Con{sum(a, sum(c, 1)), b})\n"
     "def main() -> U32: sum(tri(5n), 0)\n"},
    {"a fork after a join",
     "def two(+n: Nat) -> U32:\n  match n:\n    case 0n: leaf(7n, 2)\n"
     "    case 1n+p:\n      +a b = two(p) leaf(30n, 5)\n"
     "      c d = leaf(30n, a) two(p)\n      (a .^. b + c * d : U32)\n"
     "def main() -> U32: two(7n)\n"},
};

// Outputs that lanes carry on in the order of their turns, by an operator that
// does not commute; a wrong order or a lost turn shows in the digest.
constexpr const char* kRelay = R"(import Base
import par/relay as Relay
def part(env: U32, k: U32, j: U32, x: U32) -> U32: ((x / env) + k * 7 + j : U32)
def op(x: U32, y: U32) -> U32: (x * 31 + y : U32)
def first(_env: U32, p: U32) -> U32: (1000 + p : U32)
def next(env: U32, carry: U32, p: U32) -> U32: (carry * env + p : U32)
def last(_env: U32, carry: U32) -> U32: (carry .^. 1431655765 : U32)
def fill(n: Nat, +i: U32, a: Array<U32>) -> Array<U32>:
  match n:
    case 0n: a
    case 1n+p: fill(p, (i + 1 : U32), a[i] <- (i * 2654435761 : U32))
def digest(n: Nat, +i: U32, +h: U32, a: Array<U32>) -> U32:
  match n:
    case 0n: h
    case 1n+p:
      (b, x) = a[i]
      digest(p, (i + 1 : U32), (h * 31 + x : U32), b)
def out(r: Array<U32> & Array<U32>) -> U32:
  (_, o) = r
  digest(8n, 0, 7, o)
def main() -> U32:
  out(Relay.run(~U32, ~U32, ~U32, ~U32, ~U32, ~part, ~op, ~0, ~first, ~next,
    ~last, 12n, 6, 5, 20, 3, fill(128n, 0, [0 : U32^7n]), [0 : U32^3n]))
)";

// The same by hand: boxes of 20 entries in 5 runs of 4.
std::uint32_t relay_value() {
  std::uint32_t h = 7;
  for (std::uint32_t k = 0; k < 8; ++k) {
    std::uint32_t carry = 0;
    for (std::uint32_t turn = 0; turn < 5 && k < 6; ++turn) {
      std::uint32_t p = 0;
      for (std::uint32_t j = turn * 4; j < turn * 4 + 4; ++j) {
        std::uint32_t x = (k * 20 + j) * 2654435761u;
        p = p * 31 + x / 3 + k * 7 + j;
      }
      carry = turn == 0 ? 1000 + p : carry * 3 + p;
    }
    h = h * 31 + (k < 6 ? carry ^ 1431655765u : 0);
  }
  return h;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr unsigned kSeeds = 3;
#else
constexpr unsigned kSeeds = 10;
#endif

unsigned seeds() {
  const char* text = std::getenv("TINE_SEEDS");
  return text ? static_cast<unsigned>(std::atoi(text)) : kSeeds;
}

Outcome run_case(const std::string& text, const std::string& engine,
                 unsigned workers) {
  Config config;
  config.threads = workers;
  Context context(config);
  Program program = context.load_text("seeds.bend", text);
  REQUIRE(program.ok());
  RunOptions options;
  options.engine = engine;
  return program.run(options);
}

void check_engine(const std::string& engine) {
  for (const Case& one : kCases) {
    CAPTURE(one.name);
    std::string text = std::string(kLeaf) + one.text;
    Outcome wanted = run_case(text, "net-plain", 1);
    REQUIRE(wanted.status == kOk);
    std::uint64_t steals = 0;
    for (unsigned workers : {2u, 4u, 8u}) {
      CAPTURE(workers);
      for (unsigned seed = 1; seed <= seeds(); ++seed) {
        CAPTURE(seed);
        SeededSchedule schedule(seed);
        Outcome outcome = run_case(text, engine, workers);
        REQUIRE(outcome.status == kOk);
        REQUIRE(outcome.value == wanted.value);
        REQUIRE(outcome.stats.nodes_made == outcome.stats.nodes_freed);
        REQUIRE(outcome.stats.frames_made == outcome.stats.frames_freed);
        steals += outcome.stats.steals;
      }
    }
    CHECK(steals > seeds());
  }
}

}  // namespace

TEST_CASE("seeds: the net engine, thefts in many orders") {
  check_engine("net");
}

TEST_CASE("seeds: the native engine, thefts in many orders") {
  NATIVE_OR_SKIP();
  check_engine("native");
}

// A leaf far to the right leaves the range of Nat while others run.
TEST_CASE("seeds: a trap in the middle of a tree of forks") {
  std::string text = std::string(kLeaf) +
      "def big(n: Nat, +m: Nat) -> Nat:\n  match n:\n    case 0n: m\n"
      "    case 1n+p: big(p, Nat.mul(m, m))\n"
      "def tree(+n: Nat, +i: U32) -> U32:\n  match n:\n    case 0n:\n"
      "      match (i < 45 : U32):\n"
      "        case True{}: sum(list(9n, i, Nil{}), 0)\n"
      "        case False{}: U32.from_nat(big(9n, 3n))\n"
      "    case 1n+p:\n"
      "      a b = tree(p, (i * 2 : U32)) tree(p, (i * 2 + 1 : U32))\n"
      "      (a + b : U32)\n"
      "def main() -> U32: tree(6n, 0)\n";
  Outcome wanted = run_case(text, "net-plain", 1);
  REQUIRE(wanted.status == kRunFailed);
  for (const char* engine : {"net", "native"}) {
    if (engine == std::string("native") && !has_native()) continue;
    CAPTURE(engine);
    for (unsigned workers : {2u, 4u, 8u}) {
      CAPTURE(workers);
      for (unsigned seed = 1; seed <= 5 * seeds(); ++seed) {
        CAPTURE(seed);
        SeededSchedule schedule(seed);
        Outcome outcome = run_case(text, engine, workers);
        REQUIRE(outcome.status == wanted.status);
        REQUIRE(outcome.trap == wanted.trap);
      }
    }
  }
}

TEST_CASE("seeds: par/relay, 200 orders of thefts at 4 workers") {
  std::string wanted = std::to_string(relay_value());
  for (const char* engine : {"net", "native"}) {
    if (engine == std::string("native") && !has_native()) continue;
    CAPTURE(engine);
    CHECK(run_case(kRelay, engine, 1).value == wanted);
    std::uint64_t steals = 0;
    for (unsigned seed = 1; seed <= 20 * seeds(); ++seed) {
      CAPTURE(seed);
      SeededSchedule schedule(seed);
      Outcome outcome = run_case(kRelay, engine, 4);
      REQUIRE(outcome.status == kOk);
      REQUIRE(outcome.value == wanted);
      steals += outcome.stats.steals;
    }
    CHECK(steals > 20 * seeds());
  }
}

TEST_CASE("seeds: the same seed gives the same run") {
  for (const char* engine : {"net", "native"}) {
    if (engine == std::string("native") && !has_native()) continue;
    std::string text = std::string(kLeaf) + kCases[2].text;
    for (unsigned seed = 1; seed <= 10; ++seed) {
      CAPTURE(engine);
      CAPTURE(seed);
      std::uint64_t steals[2], points[2];
      for (int i = 0; i < 2; ++i) {
        SeededSchedule schedule(seed);
        steals[i] = run_case(text, engine, 4).stats.steals;
        points[i] = schedule.points();
      }
      CHECK(steals[0] == steals[1]);
      CHECK(points[0] == points[1]);
    }
  }
}
