// Programs on the native engine: values, traps, limits, forks.
#include <atomic>
#include <chrono>
#include <thread>

#include "compiler/emit/prims.h"
#include "doctest/doctest.h"
#include "native_run.h"

using namespace tine;
using namespace tine::native_test;

TEST_CASE("every primitive has its C") {
  for (int i = 0; i < static_cast<int>(Prim::kCount); ++i) {
    auto prim = static_cast<Prim>(i);
    CHECK_MESSAGE(emit_row(prim).kind != EmitKind::kMissing,
                  "compiler/emit/prims.def has no row for ",
                  std::string(prim_row(prim).name));
  }
}

TEST_CASE("native: traps name their definition") {
  NATIVE_OR_SKIP();
  const char* text = "def big(n: Nat) -> Nat: Nat.mul(n, 16777216n)\n"
                     "def main() -> Nat: big(big(16n))\n";
  Outcome outcome = run_native_text(text);
  CHECK(outcome.status == kRunFailed);
  CHECK(outcome.trap_def == "big");
  CHECK(run_native_text(text, {}, nullptr, "net").trap_def == "big");
  outcome = run_native_text(
      "def main() -> IO(Unit):\n  do IO<Unit>:\n    IO.print(\"out\")\n"
      "    IO.die(Unit, 9, \"end\")\n");
  CHECK(outcome.status == 9);
  CHECK(outcome.out == "out\n");
  CHECK(outcome.err == "end\n");
}

TEST_CASE("native: calls nest as deep as the memory allows") {
  NATIVE_OR_SKIP();
  Config config;
  config.threads = 1;
  config.memory = std::size_t{64} << 20;
  Outcome deep = run_native_text(deep_program("100000"), config);
  CHECK(deep.status == kOk);
  CHECK(deep.trap == "");
  CHECK(deep.stats.peak_bytes > std::size_t{1} << 20);
  Outcome full = run_native_text(deep_program("4000000000"), config);
  CHECK(full.status == kOutOfMemory);
  CHECK(full.trap.find("out of memory") == 0);
  CHECK(full.trap_def == "deep");
}

TEST_CASE("native: deadline and stop flag end loops on every worker") {
  NATIVE_OR_SKIP();
  const char* spin = "def spin?(n: U32) -> U32: spin((n + 1 : U32))\n"
                     "def both?(n: U32) -> U32:\n"
                     "  a b = spin(n) spin(1)\n  (a + b : U32)\n"
                     "def main() -> U32: both(0)\n";
  for (unsigned threads : {1u, 2u, 4u}) {
    Config config;
    config.threads = threads;
    config.deadline = 0.05;
    Outcome late = run_native_text(spin, config);
    CHECK(late.status == kRunFailed);
    CHECK(late.trap_def == "spin");
    CHECK(late.trap == "the deadline of 0.05 seconds has passed");
    config.deadline = 0;
    std::atomic<bool> stop{false};
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      stop = true;
    });
    Outcome stopped = run_native_text(spin, config, &stop);
    stopper.join();
    CHECK(stopped.status == kStopped);
  }
}

TEST_CASE("native: one program, many runs, half of them trapped") {
  NATIVE_OR_SKIP();
  Config config;
  config.threads = 2;
  Context context(config);
  Program program = context.load_text(
      "t.bend", std::string("import Base\n") + kTree +
                    "def main() -> IO(Unit):\n  do IO<Unit>:\n"
                    "    IO.print(U32.show(sum(build(8n))))\n"
                    "    IO.die(Unit, 3, \"\")\n");
  REQUIRE(program.ok());
  for (int i = 0; i < 200; ++i) {
    RunOptions options;
    options.engine = "native";
    Outcome outcome = program.run(options);
    CHECK(outcome.status == 3);
    CHECK(outcome.out == "256\n");
  }
}

TEST_CASE("native: trees, spines and skewed trees at several workers") {
  NATIVE_OR_SKIP();
  std::string leaf = "def leaf?(n: U32, a: U32) -> U32:\n"
                     "  match (n < 1 : U32):\n    case True{}: a\n"
                     "    case False{}: leaf((n - 1 : U32), (a * 3 + 1 : U32))\n";
  std::string rest = "      (l .^. r : U32)\n";
  std::string head = "(n: U32) -> U32:\n  match (n < 1 : U32):\n"
                     "    case True{}: 1\n    case False{}:\n";
  std::string text = leaf + "def first?" + head +
                     "      l r = leaf(30, n) first((n - 1 : U32))\n" + rest +
                     "def second?" + head +
                     "      r l = second((n - 1 : U32)) leaf(30, n)\n" + rest +
                     "def main() -> U32 & U32: (first(30000), second(30000))\n";
  std::string value;
  for (unsigned threads : {1u, 2u, 4u, 8u}) {
    Config config;
    config.threads = threads;
    Outcome outcome = run_native_text(text, config);
    CHECK(outcome.trap == "");
    if (value.empty()) value = run_native_text(text, config, nullptr, "net").value;
    CHECK(outcome.value == value);
    CHECK(outcome.stats.nodes_made == outcome.stats.nodes_freed);
  }
}

TEST_CASE("native: shared nodes are taken apart by several owners") {
  NATIVE_OR_SKIP();
  std::string text = std::string(kTree) +
      "def twice(+t: Tree) -> U32:\n"
      "  a b = sum(t) sum(flip(t))\n  c = sum(flip(flip(t)))\n"
      "  ((a + b : U32) + c : U32)\n"
      "def main() -> U32: twice(build(12n))\n";
  for (unsigned threads : {1u, 2u, 4u}) {
    Config config;
    config.threads = threads;
    Outcome outcome = run_native_text(text, config);
    CHECK(outcome.value == "12288");
    CHECK(outcome.stats.nodes_made == outcome.stats.nodes_freed);
  }
}

TEST_CASE("native: what a call only reads is lent to it") {
  NATIVE_OR_SKIP();
  std::string text = std::string(kTree) +
      "def depth(t: Tree) -> U32:\n  match t:\n    case Leaf{_}: 0\n"
      "    case Fork{l, _}: (depth(l) + 1 : U32)\n"
      "def left(t: Tree) -> Tree:\n  match t:\n    case Leaf{n}: Leaf{n}\n"
      "    case Fork{l, _}: l\n"
      "def all(+t: Tree) -> U32:\n"
      "  a b = depth(t) sum(t)\n  c = sum(left(t))\n  d = depth(t)\n"
      "  (a + b + c + d + sum(t) : U32)\n"
      "def main() -> U32: all(build(10n))\n";
  Context context;
  Program program = context.load_text("t.bend", "import Base\n" + text);
  REQUIRE(program.ok());
  std::string c = program.dump("c");
  std::size_t all = c.rfind("_all(W* w");
  REQUIRE(all != std::string::npos);
  std::string body = c.substr(all, c.find("\n}\n", all) - all);
  CHECK(body.find("copy(w, ") == std::string::npos);
  CHECK(body.find("_sum_lent1(w, ") != std::string::npos);
  for (unsigned threads : {1u, 2u, 4u}) {
    Config config;
    config.threads = threads;
    Outcome outcome = run_native_text(text, config);
    CHECK(outcome.value == "2580");
    CHECK(outcome.stats.nodes_made == outcome.stats.nodes_freed);
  }
}

TEST_CASE("native: code that counts does as the net engine counts") {
  NATIVE_OR_SKIP();
  std::string text = std::string(kTree) +
      "def count(n: Nat, +acc: U32) -> U32:\n  match n:\n"
      "    case 0n: acc\n    case 1n+p: count(p, (acc + 3 : U32))\n"
      "def twice(f: U32 -> U32 -> U32, +x: U32) -> U32: f(x, x)\n"
      "def main() -> U32 & U32:\n"
      "  (twice(x => y => (x + y : U32), sum(flip(build(9n)))), count(5000n, 1))\n";
  auto run = [&](const char* engine, unsigned threads) {
    Config config;
    config.threads = threads;
    Context own(config);
    RunOptions options;
    options.engine = engine;
    options.counts = true;
    Outcome outcome =
        own.load_text("t.bend", "import Base\n" + text).run(options);
    CHECK(outcome.stats.engine == engine);
    CHECK(outcome.value == "(1024, 15001)");
    std::string rows;
    for (const DefCounts& row : outcome.stats.defs) {
      rows += row.def + " " + std::to_string(row.calls) + " " +
              std::to_string(row.prims) + "\n";
    }
    const Stats& stats = outcome.stats;
    return rows + std::to_string(stats.takes) + " " +
           std::to_string(stats.makes) + " " + std::to_string(stats.forks);
  };
  std::string net = run("net", 1);
  CHECK(net.find("count 5001 5000\n") != std::string::npos);
  for (unsigned threads : {1u, 2u, 4u}) CHECK(run("native", threads) == net);
}
