// Parallel lets on several workers: the order rule, equal counts, skewed
// trees and spines, traps and stops in the middle.
#include <chrono>
#include <thread>

#include "net_run.h"

using namespace tine;
using namespace tine::net_test;

namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kRepeats = 10;
#else
constexpr int kRepeats = 50;
#endif
// At each of three numbers of workers: 210 runs where nothing slows them.
constexpr int kMany = 7 * kRepeats / 5;

constexpr const char* kSkew =
    "skew (d: Nat) -> U32\n  match d\n    0n: out = 1\n"
    "    1n+p: p1, p2 = copy p\n          two = 2n\n"
    "          q = nat.sub p2 two\n"
    "          par\n            l = call skew p1\n"
    "            r = call skew q\n"
    "          s = u32.add l r\n          out = u32.inc s\n"
    "main -> U32\n  d = 28n\n  out = call skew d\n";

std::string spine(bool leaf_first) {
  const char* leaf = "            l = call leaf p1\n";
  const char* rest = "            r = call spine p2\n";
  return std::string(
             "leaf (d: Nat) -> U32\n  drop d\n  out = 1\n"
             "spine (d: Nat) -> U32\n  match d\n    0n: out = 0\n"
             "    1n+p: p1, p2 = copy p\n          par\n") +
         (leaf_first ? leaf : rest) + (leaf_first ? rest : leaf) +
         "          out = u32.add l r\n"
         "main -> U32\n  d = 100000n\n  out = call spine d\n";
}

// A tree of sums, with lists made and dropped at the leaves.
constexpr const char* kTree =
    "list (n: Nat) -> List<U32>\n  match n\n    0n: out = Nil\n"
    "    1n+p: t = call list p\n          x = 1\n          out = Con x t\n"
    "len (l: List<U32>) (s: U32) -> U32\n  match l\n    Nil: out = s\n"
    "    Con h t: n = u32.add s h\n             out = call len t n\n"
    "tree (d: Nat) -> U32\n  match d\n"
    "    0n: n = 20n\n        l = call list n\n        a, b = copy l\n"
    "        drop a\n        z = 0\n        out = call len b z\n"
    "    1n+p: p1, p2 = copy p\n          p3, p4 = copy p2\n"
    "          par\n            x = call tree p1\n"
    "            y = call tree p3\n            z = call tree p4\n"
    "          s = u32.add x y\n          out = u32.add s z\n"
    "main -> U32\n  d = 7n\n  out = call tree d\n";

bool same_counts(const RunStats& a, const RunStats& b) {
  if (a.defs.size() != b.defs.size()) return false;
  for (std::size_t i = 0; i < a.defs.size(); ++i) {
    if (a.defs[i].def != b.defs[i].def || a.defs[i].calls != b.defs[i].calls ||
        a.defs[i].prims != b.defs[i].prims) {
      return false;
    }
  }
  return a.takes == b.takes && a.makes == b.makes && a.forks == b.forks;
}

// Every run gives `value`, the same counts, and frees all.
void same_everywhere(const std::string& defs, const std::string& value,
                     int repeats = kRepeats) {
  Book book;
  load(std::string(kTypes) + "main main\n" + defs, book);
  RunOutcome first = run_net(book, on(1));
  CHECK(first.value == value);
  CHECK(balanced(first.stats));
  for (unsigned workers : {1u, 2u, 4u}) {
    for (int i = 0; i < repeats; ++i) {
      RunOutcome outcome = run_net(book, on(workers));
      REQUIRE(outcome.trap.text == "");
      REQUIRE(outcome.value == value);
      REQUIRE(balanced(outcome.stats));
      REQUIRE(same_counts(first.stats, outcome.stats));
    }
  }
}

}  // namespace

TEST_CASE("net: a skewed fork tree, at every number of workers") {
  same_everywhere(kSkew, "116849", kMany);
}

TEST_CASE("net: fork spines of 100,000, leaf first and spine first") {
  same_everywhere(spine(true), "100000", kMany);
  same_everywhere(spine(false), "100000", kMany);
}

TEST_CASE("net: ternary forks with lists at the leaves") {
  same_everywhere(kTree, std::to_string(2187 * 20));
}

TEST_CASE("net: forks in what follows a parallel let") {
  same_everywhere(
      "f (d: Nat) -> U32\n  match d\n    0n: out = 1\n"
      "    1n+p: a, b = copy p\n          c, e = copy b\n"
      "          par\n            x = call f a\n            y = call f c\n"
      "          k, l = copy e\n          one = 1n\n"
      "          m = nat.sub k one\n"
      "          par\n            u = call f l\n            v = call f m\n"
      "          s = u32.add x y\n          t = u32.add u v\n"
      "          out = u32.add s t\n"
      "main -> U32\n  d = 9n\n  out = call f d\n",
      eval("U32", "d = 9n; out = call f d",
           "f (d: Nat) -> U32\n  match d\n    0n: out = 1\n"
           "    1n+p: a, b = copy p\n          three = 3\n"
           "          x = call f a\n          y = u32.mul x three\n"
           "          one = 1n\n          m = nat.sub b one\n"
           "          v = call f m\n          out = u32.add y v\n"));
}

TEST_CASE("net: closures applied in a parallel let") {
  same_everywhere(
      "add (a: U32) (b: U32) -> U32\n  out = u32.add a b\n"
      "f (n: Nat) -> U32\n  match n\n    0n: out = 1\n"
      "    1n+p: a, b = copy p\n          x = call f a\n"
      "          y = call f b\n          g = closure add\n"
      "          h = closure add x\n          z = 1\n"
      "          par\n            k = apply g y\n            u = apply h z\n"
      "          out = apply k u\n"
      "main -> U32\n  n = 10n\n  out = call f n\n",
      "2047");
}

TEST_CASE("net: a wide parallel let") {
  std::string text = "f (x: U32) -> U32\n  out = u32.inc x\nmain -> U32\n";
  for (int i = 0; i < 300; ++i) {
    text += "  a" + std::to_string(i) + " = " + std::to_string(i) + "\n";
  }
  text += "  par\n";
  for (int i = 0; i < 300; ++i) {
    std::string n = std::to_string(i);
    text += "    x" + n + " = call f a" + n + "\n";
  }
  text += "  s0 = 0\n";
  for (int i = 0; i < 300; ++i) {
    std::string n = std::to_string(i);
    text += "  s" + std::to_string(i + 1) + " = u32.add s" + n + " x" + n +
            "\n";
  }
  same_everywhere(text + "  out = s300\n", std::to_string(300 * 301 / 2), 10);
}

TEST_CASE("net: a write before a read in program order is seen") {
  const std::string tail =
      "show (n: U32) (r: Sigma<Array<U32>, U32>) -> U32\n"
      "  a, x = take Tuple r\n  drop a\n  drop n\n  out = x\n"
      "main -> U32\n  d = 1n\n  z = 0\n  x = array.new<U32> d z\n"
      "  r = array.fork<U32> x\n  a, b = take Tuple r\n  seven = 7\n"
      "  n = call put a seven\n  i = 0\n  g = array.get<U32> b i\n"
      "  out = call show n g\n";
  const std::string plain =
      "put (a: Array<U32>) (v: U32) -> U32\n  i = 0\n"
      "  b = array.set<U32> a i v\n  drop b\n  out = 1\n";
  // The write happens in one branch of a fork; the other is busy.
  const std::string forks =
      "write (a: Array<U32>) (v: U32) -> U32\n  i = 0\n"
      "  b = array.set<U32> a i v\n  drop b\n  out = 1\n"
      "busy (n: Nat) -> U32\n  match n\n    0n: out = 0\n"
      "    1n+p: a, b = copy p\n          par\n"
      "            x = call busy a\n            y = call busy b\n"
      "          out = u32.add x y\n"
      "put (a: Array<U32>) (v: U32) -> U32\n  n = 6n\n  par\n"
      "    x = call busy n\n    y = call write a v\n"
      "  out = u32.add x y\n";
  for (const std::string& put : {plain, forks}) {
    Book book;
    load(std::string(kTypes) + "main main\n" + put + tail, book);
    for (unsigned workers : {1u, 2u, 4u}) {
      for (int i = 0; i < 20 * kRepeats; ++i) {
        RunOutcome outcome = run_net(book, on(workers));
        REQUIRE(outcome.value == "7");
        REQUIRE(balanced(outcome.stats));
      }
    }
  }
}

TEST_CASE("net: one worker runs a parallel let left to right") {
  RunOutcome outcome = run(
      "put (i: U32) (v: U32) (a: Array<U32>) -> U32\n"
      "  r = array.swap<U32> a i v\n  b, x = take Tuple r\n  drop b\n"
      "  out = x\n"
      "main -> Sigma<U32, Sigma<U32, U32>>\n  z = 0\n  a = ALeaf z\n"
      "  r = array.fork<U32> a\n  b, c = take Tuple r\n"
      "  s = array.fork<U32> b\n  e, f = take Tuple s\n"
      "  i = 0\n  j = 0\n  k = 0\n  u = 1\n  v = 2\n  w = 3\n"
      "  par\n    x = call put i u c\n    y = call put j v e\n"
      "    q = call put k w f\n"
      "  t = Tuple y q\n  out = Tuple x t\n");
  CHECK(outcome.value == "(0, 1, 2)");
}

TEST_CASE("net: lanes write disjoint slots, atomics add up") {
  same_everywhere(
      "go (d: Nat) (i: U32) (a: Array<U32>) -> Array<U32>\n  match d\n"
      "    0n: i1, i2 = copy i\n        b = array.set<U32> a i1 i2\n"
      "        z = 0\n        one = 1\n"
      "        r = array.atomic.add b z one\n"
      "        c, x = take Tuple r\n        drop x\n        out = c\n"
      "    1n+p: p1, p2 = copy p\n          r = array.fork<U32> a\n"
      "          b, c = take Tuple r\n          two = 2\n"
      "          j = u32.mul i two\n          j1, j2 = copy j\n"
      "          one = 1\n          k = u32.add j2 one\n"
      "          par\n            x = call go p1 j1 b\n"
      "            y = call go p2 k c\n"
      "          out = array.join<U32> x y\n"
      "main -> U32\n  d = 11n\n  z = 0\n  a = array.new<U32> d z\n"
      "  i = 1\n  e = 10n\n  b = call go e i a\n  y = 0\n"
      "  r = array.get<U32> b y\n  c, n = take Tuple r\n  drop c\n"
      "  out = n\n",
      "1024", kRepeats / 2);
}

TEST_CASE("net: shared lists are used by all workers") {
  same_everywhere(
      "list (n: Nat) (l: List<Nat>) -> List<Nat>\n  match n\n"
      "    0n: out = l\n    1n+p: a, b = copy p\n"
      "          m: List<Nat> = Con a l\n          out = call list b m\n"
      "sum (l: List<Nat>) (s: Nat) -> Nat\n  match l\n    Nil: out = s\n"
      "    Con h t: n = nat.add s h\n             out = call sum t n\n"
      "go (d: Nat) (l: List<Nat>) -> Nat\n  match d\n"
      "    0n: z = 0n\n        out = call sum l z\n"
      "    1n+p: p1, p2 = copy p\n          a, b = copy l\n"
      "          par\n            x = call go p1 a\n"
      "            y = call go p2 b\n          out = nat.add x y\n"
      "main -> Nat\n  n = 100n\n  e: List<Nat> = Nil\n"
      "  l = call list n e\n  d = 8n\n  out = call go d l\n",
      std::to_string(256 * 4950) + "n", kRepeats / 2);
}

TEST_CASE("net: a trap in any branch ends the run for all workers") {
  const std::string text =
      "f (d: Nat) (i: U32) -> Nat\n  match d\n"
      "    0n: c = 777\n        e = u32.is_eq i c\n        match e\n"
      "          True: n = 281474976710655n\n                "
      "out = nat.succ n\n"
      "          False: out = 1n\n"
      "    1n+p: p1, p2 = copy p\n          two = 2\n"
      "          j = u32.mul i two\n          j1, j2 = copy j\n"
      "          one = 1\n          k = u32.add j2 one\n"
      "          par\n            x = call f p1 j1\n"
      "            y = call f p2 k\n          out = nat.add x y\n"
      "main -> Nat\n  d = 12n\n  i = 0\n  out = call f d i\n";
  Book book;
  load(std::string(kTypes) + "main main\n" + text, book);
  for (unsigned workers : {1u, 2u, 4u, 8u}) {
    for (int i = 0; i < kRepeats; ++i) {
      RunOutcome outcome = run_net(book, on(workers));
      REQUIRE(outcome.trap.kind == TrapKind::kNatRange);
      REQUIRE(outcome.trap.def == "f");
      REQUIRE(outcome.value == "");
    }
  }
}

TEST_CASE("net: 64 workers on few cores") {
  Book book;
  load(std::string(kTypes) + "main main\n" + kTree, book);
  for (unsigned workers : {64u, 256u, 1000u}) {
    RunOutcome outcome = run_net(book, on(workers));
    CHECK(outcome.value == std::to_string(2187 * 20));
    CHECK(balanced(outcome.stats));
  }
}

// ---- limits -----------------------------------------------------------------

namespace {

const std::string kForever =
    "f (n: Nat) -> Nat\n  match n\n    0n: out = 0n\n"
    "    1n+p: one = 1n\n          q = nat.add p one\n"
    "          out = call f q\n"
    "both (n: Nat) -> Nat\n  a, b = copy n\n  par\n    x = call f a\n"
    "    y = call f b\n  out = nat.add x y\n"
    "main -> Nat\n  n = 5n\n  out = call both n\n";

double run_seconds(const Book& book, const RunRequest& request,
                   RunOutcome& outcome) {
  auto begin = std::chrono::steady_clock::now();
  outcome = run_net(book, request);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                       begin).count();
}

}  // namespace

TEST_CASE("net: a deadline ends a run that would not end") {
  Book book;
  load(std::string(kTypes) + "main main\n" + kForever, book);
  for (unsigned workers : {1u, 2u, 4u}) {
    RunRequest request = on(workers);
    request.limits.deadline = 0.05;
    RunOutcome outcome;
    double seconds = run_seconds(book, request, outcome);
    CHECK(outcome.trap.kind == TrapKind::kDeadline);
    CHECK(outcome.trap.status == 70);
    CHECK(outcome.trap.text == "the deadline of 0.05 seconds has passed");
    CHECK(outcome.trap.def == "f");
    CHECK(seconds >= 0.05);
    CHECK(seconds < 2);
  }
}

TEST_CASE("net: a stop flag interrupts a run, and the next one is good") {
  Book book, good;
  load(std::string(kTypes) + "main main\n" + kForever, book);
  load(std::string(kTypes) + "main main\n" + kTree, good);
  for (unsigned workers : {1u, 2u, 4u}) {
    std::atomic<bool> stop{false};
    RunRequest request = on(workers);
    request.limits.stop = &stop;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stop = true;
    });
    RunOutcome outcome = run_net(book, request);
    other.join();
    CHECK(outcome.trap.kind == TrapKind::kInterrupted);
    CHECK(outcome.trap.status == 130);
    CHECK(outcome.trap.text == "interrupted");
    CHECK(run_net(good, on(workers)).value == std::to_string(2187 * 20));
  }
}

TEST_CASE("net: stops at random moments leave nothing behind") {
  Book book;
  load(std::string(kTypes) + "main main\n" + kTree, book);
  for (int i = 0; i < 4 * kRepeats; ++i) {
    RunRequest request = on(1 + i % 4);
    request.limits.deadline = 1e-5 * (1 + i % 100);
    RunOutcome outcome = run_net(book, request);
    bool ended = outcome.trap.kind == TrapKind::kNone;
    CHECK((ended || outcome.trap.kind == TrapKind::kDeadline));
    if (ended) CHECK(balanced(outcome.stats));
  }
}

TEST_CASE("net: ten million nested calls fit in a gigabyte, not in 64 MB") {
  const std::string text =
      "f (p: Nat) -> Nat\n  match p\n    0n: out = 0n\n"
      "    1n+q: r = call f q\n          out = nat.succ r\n"
      "main -> Nat\n  n = 10000000n\n  out = call f n\n";
  RunRequest request;
  request.limits.memory = std::size_t{1} << 30;
  RunOutcome outcome = run(text, request);
  CHECK(outcome.value == "10000000n");
  CHECK(outcome.stats.peak_bytes < std::size_t{400} << 20);
  request.limits.memory = std::size_t{64} << 20;
  outcome = run(text, request);
  CHECK(outcome.trap.kind == TrapKind::kMemory);
  CHECK(outcome.trap.status == 71);
  CHECK(outcome.trap.def == "f");
}

TEST_CASE("net: memory runs out in any worker") {
  const std::string text =
      "list (n: Nat) -> List<Nat>\n  match n\n    0n: out = Nil\n"
      "    1n+p: a, b = copy p\n          t = call list a\n"
      "          out = Con b t\n"
      "both (n: Nat) -> Sigma<List<Nat>, List<Nat>>\n  a, b = copy n\n"
      "  par\n    x = call list a\n    y = call list b\n"
      "  out = Tuple x y\n"
      "main -> Sigma<List<Nat>, List<Nat>>\n  n = 1000000n\n"
      "  out = call both n\n";
  for (unsigned workers : {1u, 2u, 4u}) {
    RunRequest request = on(workers);
    request.limits.memory = std::size_t{8} << 20;
    RunOutcome outcome = run(text, request);
    CHECK(outcome.trap.kind == TrapKind::kMemory);
    CHECK(outcome.stats.peak_bytes <= std::size_t{8} << 20);
  }
}

TEST_CASE("net: deep forks on one worker stay within memory") {
  RunRequest request;
  request.limits.memory = std::size_t{512} << 20;
  RunOutcome outcome = run(
      "leaf (d: Nat) -> U32\n  drop d\n  out = 1\n"
      "spine (d: Nat) -> U32\n  match d\n    0n: out = 0\n"
      "    1n+p: a, b = copy p\n          par\n"
      "            r = call spine a\n            l = call leaf b\n"
      "          out = u32.add l r\n"
      "main -> U32\n  d = 2000000n\n  out = call spine d\n", request);
  CHECK(outcome.value == "2000000");
}
