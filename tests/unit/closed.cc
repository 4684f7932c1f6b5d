// The machine for closed programs: what it gives is what the theory gives.
#include <doctest/doctest.h>

#include <string>

#include "runtime/tine.hpp"

using namespace tine;

namespace {

const char* const kText = R"(import Base

type Tree is Data:
  Leaf{}
  Node{l: Tree, x: U32, r: Tree}

type Pick is Data:
  A{}
  B{n: Nat}
  C{s: String, +t: Nat}

@unsafe def spin(n: Nat) -> Nat: spin(n)
@unsafe def ones() -> Nat: 1n+ones
@unsafe def deep(n: Nat) -> Nat: Nat.add(deep(1n+n), 1n)

def plus(a: Nat, b: Nat) -> Nat:
  match a:
    case 0n: b
    case 1n+p: 1n+plus(p, b)

def even(n: Nat) -> Bool:
  match n:
    case 0n: True{}
    case 1n+p: Bool.not(even(p))

def positive(n: Nat) -> Bool:
  match n:
    case 0n: False{}
    case 1n+_: True{}

def upto(n: Nat, +i: U32) -> List<U32>:
  match n:
    case 0n: []
    case 1n+p: i <> upto(p, (i + 1 : U32))

def sum(xs: List<U32>) -> U32:
  List.foldl(~&1, ~U32, ~U32, ~(a => b => (a + b : U32)), xs, 0)

def right(xs: List<U32>) -> U32:
  List.foldr(~&1, ~U32, ~U32, ~(a => b => (a + b : U32)), xs, 0)

def tree(n: Nat, +x: U32) -> Tree:
  match n:
    case 0n: Leaf{}
    case 1n++p: Node{tree(p, (x * 2 : U32)), x, tree(p, (x * 2 + 1 : U32))}

def total(t: Tree) -> U32:
  match t:
    case Leaf{}: 0
    case Node{l, x, r}: (total(l) + x + total(r) : U32)

def both(+t: Tree) -> U32:
  (total(t) + total(t) : U32)

# All numbers below 100003, when n is that, in another order.
def strewn(n: Nat, +x: U32) -> +List<U32>:
  match n:
    case 0n: []
    case 1n+p: x <> strewn(p, ((x + 31337) % 100003 : U32))

def digest(xs: +List<U32>, h: U32) -> U32:
  match xs:
    case Nil{}: h
    case x <> t: digest(t, (h * 31 + x : U32))

def sorted(n: Nat) -> U32:
  digest(List.sort(~U32, ~(a => b => (a <= b : U32)), strewn(n, 0)), 7)

def pick(n: Nat) -> Pick:
  match n:
    case 0n: A{}
    case 1n: B{7n}
    case 5n: C{"five", 5n}
    case _: C{String.append("ma", "ny"), n}

def vowel(c: Char) -> Bool:
  match c:
    case 'a': True{}
    case 'e': True{}
    case _: False{}

def vowels(s: String) -> Nat:
  match s:
    case SNil{}: 0n
    case SCon{c, t}:
      match vowel(c):
        case True{}: 1n+vowels(t)
        case False{}: vowels(t)

def const(x: Nat) -> Nat -> Nat:
  y => x

def twice(+f: Nat) -> Nat:
  plus(f, f)

# A thunk that is shared: it would take 2^n steps otherwise.
def shared(n: Nat) -> Nat:
  match n:
    case 0n: 1n
    case 1n+p: twice(shared(p))
)";

Program load(const Config& config = {}) {
  return Context(config).load_text("closed.bend", kText);
}

// Past the machine: what is asked for is a function.
std::string by_theory(Program& program, const std::string& expression,
                      const std::string& type) {
  EvalResult result =
      program.eval("{_ => " + expression + " : Unit -> " + type + "}");
  CHECK(result.status == kOk);
  REQUIRE(result.value.substr(0, 5) == "_ => ");
  return result.value.substr(5);
}

}  // namespace

TEST_CASE("closed: the same normal forms as the theory") {
  struct {
    const char* expression;
    const char* type;
    const char* value;
  } const kCases[] = {
      {"plus(3n, 4n)", "Nat", "7n"},
      {"Nat.sub(3n, 4n)", "Nat", "0n"},
      {"Nat.divmod(17n, 5n)", "Nat & Nat", "(3n, 2n)"},
      {"Nat.divmod(17n, 0n)", "Nat & Nat", "(0n, 17n)"},
      {"Nat.cmp(2n, 9n)", "Cmp", nullptr},
      {"U32.cmp(9, 2)", "Cmp", nullptr},
      {"pick(0n)", "Pick", "A{}"},
      {"pick(1n)", "Pick", "B{7n}"},
      {"pick(5n)", "Pick", "C{\"five\", 5n}"},
      {"pick(plus(5n, 6n))", "Pick", "C{\"many\", 11n}"},
      {"tree(2n, 1)", "Tree", nullptr},
      {"vowels(\"a tree, a bee\")", "Nat", "6n"},
      {"vowels(\"\")", "Nat", "0n"},
      {"\"\\u{e9}tude\"", "String", nullptr},
      {"String.append(\"\\u{1F600}\", \"x\")", "String", nullptr},
      {"sum(upto(100n, 0))", "U32", "4950"},
      {"right(upto(100n, 0))", "U32", "4950"},
      {"upto(3n, 4294967295)", "List<U32>", "[4294967295, 0, 1]"},
      {"const(3n)(spin(1n))", "Nat", "3n"},
      {"positive(ones)", "Bool", "True{}"},
      {"shared(12n)", "Nat", "4096n"},
      {"U32.shln(1, 31n)", "U32", "2147483648"},
      {"U32.shrn(7, 32n)", "U32", "0"},
      {"F32.div(1.0, 3.0)", "F32", nullptr},
      {"F32.to_u32(2.5)", "U32", "2"},
      {"Char.from_u32(97)", "Char", "'a'"},
      {"U32.show(1234)", "String", "\"1234\""},
      {"[Some{1}, None{}]", "List<Maybe<U32>>", nullptr},
      // Beyond the machine: these go on in the theory.
      {"Nat.mul(Nat.mul(4294967295n, 4294967295n), 4294967295n)", "Nat",
       "79228162458924105385300197375n"},
      {"F32.show(1.5)", "String", "\"1.5\""},
      {"Array.get(U32, [7 : U32*2n], 1)", "Array<U32> & U32", nullptr},
  };
  Program program = load();
  for (const auto& row : kCases) {
    CAPTURE(row.expression);
    std::string type = row.type;
    EvalResult fast =
        program.eval(std::string("{") + row.expression + " : " + type + "}");
    REQUIRE(fast.status == kOk);
    if (row.value) CHECK(fast.value == row.value);
    CHECK(fast.value == by_theory(program, row.expression, type));
  }
}

TEST_CASE("closed: neither recursion nor waiting takes host stack") {
  Program program = load();
  CHECK(program.eval("even(1000000n)").value == "True{}");
  CHECK(program.eval("sum(upto(1000000n, 0))").value == "1783293664");
  CHECK(program.eval("right(upto(1000000n, 0))").value == "1783293664");
  CHECK(program.eval("plus(1000000n, 1000000n)").value == "2000000n");
}

// Far more is made than the memory holds, and what is in use lives through many
// collections.
TEST_CASE("closed: what is in use survives collections") {
  Config config;
  config.memory = std::size_t{256} << 20;
  Program program = load(config);
  std::uint32_t digest = 7, total = 0;
  for (std::uint32_t i = 0; i < 100003; ++i) digest = digest * 31 + i;
  CHECK(program.eval("sorted(100003n)").value == std::to_string(digest));
  for (std::uint32_t i = 1; i < 1u << 17; ++i) total += 2 * i;
  CHECK(program.eval("both(tree(17n, 1))").value == std::to_string(total));
  CHECK(program.eval("plus(2000000n, 2000000n)").value == "4000000n");
}

// By hand: an unfolding, a beta and an operation are one each.
TEST_CASE("closed: steps are those of the definition") {
  Program program = load();
  CHECK(program.eval("7n").steps == 0);
  CHECK(program.eval("Nat.add(2n, 3n)").steps == 1);
  // plus(3n, 0n), plus(2n, 0n), plus(1n, 0n), plus(0n, 0n)
  CHECK(program.eval("plus(3n, 0n)").steps == 4);
  // const, one beta
  CHECK(program.eval("const(3n)(4n)").steps == 2);
  // even and Bool.not for each of two, even of zero
  CHECK(program.eval("even(2n)").steps == 5);
  // upto: 3 + 1; the additions 0 + 1, 1 + 1, 2 + 1 or less, as they are asked
  // for; foldl: 3 + 1, two betas and an addition for each; sum
  std::uint64_t steps = program.eval("sum(upto(3n, 0))").steps;
  CHECK(steps >= 4 + 2 + 4 + 9 + 1);
  CHECK(steps <= 4 + 3 + 4 + 9 + 1);
}

TEST_CASE("closed: limits are those of the theory") {
  Config config;
  config.memory = std::size_t{256} << 20;
  Program program = load(config);
  EvalResult endless = program.eval("deep(0n)");
  CHECK(endless.status == kRunFailed);
  CHECK(endless.failure == "the evaluation is nested too deeply");
  Config fuel;
  fuel.fuel = 100000;
  Program little = load(fuel);
  EvalResult result = little.eval("even(1000000n)");
  CHECK(result.status == kRunFailed);
  CHECK(result.failure ==
        "the limit of 100000 steps of the theory was reached");
  CHECK(little.eval("even(1000n)").value == "True{}");
}
