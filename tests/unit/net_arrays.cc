// Arrays through the engine: operations, views, copies, forks of handles.
#include "net_run.h"

using namespace tine;
using namespace tine::net_test;

namespace {

// Writes j + 1 at j for the 2^d slots.
constexpr const char* kFill =
    "fill.go (n: Nat) (j: U32) (a: Array<U32>) -> Array<U32>\n"
    "  match n\n"
    "    0n: drop j\n"
    "        out = a\n"
    "    1n+p: j1, j2 = copy j\n"
    "          one = 1\n"
    "          k = u32.add j1 one\n"
    "          k1, k2 = copy k\n"
    "          b = array.set<U32> a j2 k1\n"
    "          out = call fill.go p k2 b\n"
    "fill (d: Nat) -> Array<U32>\n"
    "  d1, d2 = copy d\n"
    "  zero = 0\n"
    "  a = array.new<U32> d1 zero\n"
    "  one = 1\n"
    "  s = u32.shln one d2\n"
    "  n = u32.to_nat s\n"
    "  j = 0\n"
    "  out = call fill.go n j a\n"
    // The sum by taking the tree apart.
    "sum (a: Array<U32>) -> U32\n"
    "  match a\n"
    "    ALeaf x: out = x\n"
    "    ANode l r: s = call sum l\n"
    "               t = call sum r\n"
    "               out = u32.add s t\n"
    // Every element doubled, by taking apart and building.
    "twice (a: Array<U32>) -> Array<U32>\n"
    "  match a\n"
    "    ALeaf x: two = 2\n"
    "             y = u32.mul x two\n"
    "             out = ALeaf y\n"
    "    ANode l r: s = call twice l\n"
    "               t = call twice r\n"
    "               out = ANode s t\n"
    "flip (a: Array<U32>) -> Array<U32>\n"
    "  match a\n"
    "    ALeaf x: out = ALeaf x\n"
    "    ANode l r: s = call flip l\n"
    "               t = call flip r\n"
    "               out = ANode t s\n"
    "rebuild (a: Array<U32>) -> Array<U32>\n"
    "  match a\n"
    "    ALeaf x: out = ALeaf x\n"
    "    ANode l r: out = ANode l r\n";

std::string with_fill(const char* type, const std::string& body) {
  return eval(type, body, kFill);
}

}  // namespace

TEST_CASE("net: arrays of depth 0, 1, 5, 20") {
  CHECK(with_fill("Array<U32>", "d = 0n; out = call fill d") == "[1]");
  CHECK(with_fill("Array<U32>", "d = 1n; out = call fill d") == "[1, 2]");
  for (unsigned d : {0u, 1u, 5u, 20u}) {
    std::uint32_t n = 1u << d;
    std::uint32_t sum = static_cast<std::uint32_t>(
        std::uint64_t{n} * (std::uint64_t{n} + 1) / 2);
    std::string set = "d = " + std::to_string(d) + "n; a = call fill d; ";
    CHECK(with_fill("U32", set + "out = call sum a") == std::to_string(sum));
    CHECK(with_fill("U32", set + "b = call twice a; out = call sum b") ==
          std::to_string(2 * sum));
    CHECK(with_fill("U32", set + "b = call flip a; i = 0; "
                                 "r = array.get<U32> b i; "
                                 "c, x = take Tuple r; drop c; out = x") ==
          std::to_string(n));
    CHECK(with_fill("U32", set + "r = array.size<U32> a; "
                                 "b, x = take Tuple r; drop b; out = x") ==
          std::to_string(n));
    CHECK(with_fill("Sigma<Array<U32>, U32>",
                    "d = 2n; a = call fill d; i = 4294967295; "
                    "out = array.get<U32> a i") == "([1, 2, 3, 4], 4)");
  }
}

TEST_CASE("net: a sole owner's match and the node of its halves copy nothing") {
  RunOutcome outcome = run(std::string(kFill) +
                           "main -> U32\n  d = 10n\n  a = call fill d\n"
                           "  b = call rebuild a\n  c = call rebuild b\n"
                           "  out = call sum c\n");
  CHECK(outcome.stats.blocks_made == 1);
  CHECK(balanced(outcome.stats));
  CHECK(outcome.value == std::to_string(1024 * 1025 / 2));
}

TEST_CASE("net: writes wrap, swaps give the old, clones are apart") {
  std::string set = "d = 2n; a = call fill d; ";
  CHECK(with_fill("Array<U32>", set + "i = 6; v = 9; "
                                      "out = array.set<U32> a i v") ==
        "[1, 2, 9, 4]");
  CHECK(with_fill("Sigma<Array<U32>, U32>",
                  set + "i = 5; v = 9; out = array.swap<U32> a i v") ==
        "([1, 9, 3, 4], 2)");
  CHECK(with_fill("Sigma<Array<U32>, Array<U32>>",
                  set + "r = array.clone<U32> a; b, c = take Tuple r; "
                        "i = 0; v = 9; e = array.set<U32> b i v; "
                        "out = Tuple e c") ==
        "([9, 2, 3, 4], [1, 2, 3, 4])");
}

TEST_CASE("net: cells of every kind") {
  CHECK(eval("Array<Nat>", "d = 1n; v = 281474976710655n; "
                           "out = array.new<Nat> d v") ==
        "[281474976710655n, 281474976710655n]");
  CHECK(eval("Array<Char>", "d = 1n; v = 'x'; out = array.new<Char> d v") ==
        "['x', 'x']");
  CHECK(eval("Array<F32>", "d = 0n; v = f32 0x40000000; "
                           "out = array.new<F32> d v") == "[2.0]");
  CHECK(eval("Array<Bool>", "d = 0n; v = True; out = array.new<Bool> d v") ==
        "[True{}]");
  CHECK(eval("Array<String>",
             "d = 1n; v = \"ab\"; a = array.new<String> d v; i = 1; "
             "w = \"c\"; out = array.set<String> a i w") == "[\"ab\", \"c\"]");
  CHECK(eval("Sigma<Array<String>, String>",
             "d = 1n; v = \"ab\"; a = array.new<String> d v; i = 1; "
             "out = array.get<String> a i") == "([\"ab\", \"ab\"], \"ab\")");
  CHECK(eval("Array<String>", "v = \"a\"; l = ALeaf v; w = \"b\"; "
                              "r = ALeaf w; out = ANode l r") ==
        "[\"a\", \"b\"]");
}

TEST_CASE("net: arrays of arrays move by swap") {
  CHECK(eval("Sigma<Array<Array<U32>>, Array<U32>>",
             "v = 1; l = ALeaf v; a = ALeaf l; w = 2; m = ALeaf w; i = 0; "
             "out = array.swap<Array<U32>> a i m") == "([[2]], [1])");
}

TEST_CASE("net: handles of one block see each other's writes") {
  std::string set = "d = 1n; a = call fill d; r = array.fork<U32> a; "
                    "b, c = take Tuple r; i = 0; v = 9; "
                    "e = array.set<U32> b i v; ";
  CHECK(with_fill("Sigma<Array<U32>, Array<U32>>", set + "out = Tuple e c") ==
        "([9, 2], [9, 2])");
  CHECK(with_fill("Array<U32>", set + "out = array.join<U32> c e") ==
        "[9, 2]");
  CHECK(with_fill("Array<U32>", set + "drop e; out = c") == "[9, 2]");
  // Handles of different blocks: the left stays.
  CHECK(with_fill("Array<U32>", set + "d2 = 0n; z = 0; "
                                      "n = array.new<U32> d2 z; drop e; "
                                      "out = array.join<U32> n c") == "[0]");
}

TEST_CASE("net: a match on a forked handle copies") {
  RunOutcome outcome = run(
      std::string(kFill) +
      "main -> Sigma<Array<U32>, Array<U32>>\n  d = 2n\n  a = call fill d\n"
      "  r = array.fork<U32> a\n  b, c = take Tuple r\n"
      "  e = call twice b\n  out = Tuple e c\n");
  CHECK(outcome.value == "([2, 4, 6, 8], [1, 2, 3, 4])");
  CHECK(balanced(outcome.stats));
  CHECK(outcome.stats.blocks_made > 1);
}

TEST_CASE("net: one owner's value is not taken through two handles") {
  std::string leaf =
      "v = 1; l = ALeaf v; a = ALeaf l; r = array.fork<Array<U32>> a; "
      "b, c = take Tuple r; ";
  const char* take =
      "take1 (a: Array<Array<U32>>) -> Array<U32>\n  match a\n"
      "    ALeaf x: out = x\n"
      "    ANode x y: drop y\n               out = call take1 x\n";
  CHECK(eval("Array<U32>", leaf + "drop c; out = call take1 b", take) ==
        "[1]");
  CHECK(eval("Array<U32>", leaf + "x = call take1 b; drop c; out = x",
             take) == "[1]");
  RunOutcome outcome = run(
      std::string(take) +
      "main -> Array<U32>\n  v = 1\n  l = ALeaf v\n  a = ALeaf l\n"
      "  r = array.fork<Array<U32>> a\n  b, c = take Tuple r\n"
      "  x = call take1 b\n  y = call take1 c\n"
      "  out = array.join<U32> x y\n");
  CHECK(outcome.trap.kind == TrapKind::kTakenTwice);
  CHECK(outcome.trap.text ==
        "a value that has one owner was taken a second time");
  CHECK(outcome.trap.def == "take1");
  CHECK(outcome.trap.status == 70);
}

TEST_CASE("net: atomics") {
  auto atomic = [](const std::string& op, const std::string& v) {
    return with_fill("Sigma<Array<U32>, U32>",
                     "d = 1n; a = call fill d; i = 1; v = " + v +
                         "; out = array.atomic." + op + " a i v");
  };
  CHECK(atomic("add", "4294967295") == "([1, 1], 2)");
  CHECK(atomic("min", "1") == "([1, 1], 2)");
  CHECK(atomic("max", "3") == "([1, 3], 2)");
  CHECK(atomic("and", "1") == "([1, 0], 2)");
  CHECK(atomic("or", "1") == "([1, 3], 2)");
  CHECK(atomic("xor", "3") == "([1, 1], 2)");
  CHECK(atomic("exch", "7") == "([1, 7], 2)");
  CHECK(with_fill("Sigma<Array<U32>, U32>",
                  "d = 1n; a = call fill d; i = 3; x = 2; y = 8; "
                  "out = array.atomic.cas a i x y") == "([1, 8], 2)");
  CHECK(with_fill("Sigma<Array<U32>, U32>",
                  "d = 1n; a = call fill d; i = 3; x = 1; y = 8; "
                  "out = array.atomic.cas a i x y") == "([1, 2], 2)");
}

TEST_CASE("net: traps of arrays") {
  RunOutcome outcome =
      run("main -> Array<U32>\n  d = 32n\n  v = 0\n"
          "  out = array.new<U32> d v\n");
  CHECK(outcome.trap.kind == TrapKind::kArrayDepth);
  CHECK(outcome.trap.text == "an array past the deepest block class 31");
  CHECK(outcome.trap.def == "main");
  outcome = run("main -> Array<U32>\n  d = 1n\n  e = 2n\n  v = 0\n  w = 0\n"
                "  a = array.new<U32> d v\n  b = array.new<U32> e w\n"
                "  out = ANode a b\n");
  CHECK(outcome.trap.kind == TrapKind::kHalves);
  CHECK(outcome.trap.text == "an array node of two unequal halves");
  CHECK(outcome.trap.status == 70);
}

TEST_CASE("net: a fill is refused before memory is touched") {
  RunRequest request;
  request.limits.memory = std::size_t{16} << 20;
  RunOutcome outcome = run("main -> Array<Nat>\n  d = 31n\n  v = 1n\n"
                           "  out = array.new<Nat> d v\n", request);
  CHECK(outcome.trap.kind == TrapKind::kMemory);
  CHECK(outcome.trap.status == 71);
  CHECK(outcome.trap.text.substr(0, 28) == "out of memory: the run held ");
  CHECK(outcome.trap.text.find(" of 16777216 bytes") != std::string::npos);
}

TEST_CASE("net: a chain of 2^20 forks keeps its block") {
  RunOutcome outcome = run(
      "chain (n: Nat) (a: Array<U32>) (l: List<Array<U32>>) -> "
      "Sigma<Array<U32>, List<Array<U32>>>\n  match n\n"
      "    0n: out = Tuple a l\n"
      "    1n+p: r = array.fork<U32> a\n          b, c = take Tuple r\n"
      "          m: List<Array<U32>> = Con c l\n"
      "          out = call chain p b m\n"
      "main -> Array<U32>\n  n = 1048576n\n  v = 4\n  a = ALeaf v\n"
      "  l: List<Array<U32>> = Nil\n  r = call chain n a l\n"
      "  b, m = take Tuple r\n  drop m\n  out = b\n");
  CHECK(outcome.value == "[4]");
  CHECK(balanced(outcome.stats));
}
