// Evaluation in the theory: what is printed is a term of the language, and
// reads back as the same value.
#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "runtime/tine.hpp"

using namespace tine;

namespace {

const char* const kText = R"(import Base

def konst(+x: Nat) -> Nat -> Nat:
  y => x

def twice(f: Nat -> Nat) -> Nat -> Nat:
  x => f(x)

def pairs(+n: Nat) -> List<(Nat & Nat)>:
  match n:
    case 0n: []
    case 1n+p: (Nat.double(p), p) <> pairs(p)

type Tree is Data:
  Leaf{}
  Node{l: Tree, r: Tree}

def grow(n: Nat) -> Tree:
  match n:
    case 0n: Leaf{}
    case 1n+p:
      +t = grow(p)
      Node{t, t}

@unsafe def spin(n: Nat) -> Nat: spin(n)
)";

Program load(const Config& config = {}) {
  return Context(config).load_text("test.bend", kText);
}

EvalOptions head(const std::string& expression) {
  EvalOptions options;
  options.expression = expression;
  options.head = true;
  return options;
}

}  // namespace

TEST_CASE("eval: binders are renamed where a name would be captured") {
  Program program = load();
  CHECK(program.eval("{y => konst(y) : Nat -> Nat -> Nat}").value ==
        "y => y1 => y");
  CHECK(program.eval("{x => twice(konst(x)) : Nat -> Nat -> Nat}").value ==
        "x => x1 => x");
  CHECK(program.eval("{Nat => twice(konst(Nat)) : Nat -> Nat -> Nat}")
            .value == "Nat => x => Nat");
  // The binder `pairs` would hide the def of that name.
  CHECK(program
            .eval("{pairs => twice(n => Nat.add(n, pairs)) : "
                  "Nat -> Nat -> Nat}")
            .value == "pairs => x => Nat.add(x, pairs)");
}

TEST_CASE("eval: open terms print as terms that mean the same") {
  Program program = load();
  const char* const kTerms[] = {
      "{x => (x + 1 : U32) : U32 -> U32}",
      "{n => pairs(2n+n) : Nat -> List<(Nat & Nat)>}",
      "{n => m => (n + m : Nat) : Nat -> Nat -> Nat}",
      "{y => konst(y) : Nat -> Nat -> Nat}",
      "{f => x => f(x)(x) : (U32 -> U32 -> U32) -> U32 -> U32}",
      "{xs => List.append(&1, U32, [1, 2], xs) : List<U32> -> List<U32>}",
      "@-a: Data -> @x: a -> &y: a -> {x == y : a}",
      "(U32 & Nat) -> (U32 | Nat) & List<(U32 & U32)>",
      "@-a: Quant -> @-b: Quant -> Kind((a <&> b) <&> &1)",
      "{[Some{1}, None{}] : List<Maybe<U32>>}",
      "\"a\\\"b\\n\"",
      "konst",
  };
  for (const char* term : kTerms) {
    CAPTURE(term);
    for (bool whnf : {false, true}) {
      EvalOptions options;
      options.expression = term;
      options.head = whnf;
      EvalResult once = program.eval(options);
      REQUIRE(once.status == kOk);
      CAPTURE(once.value);
      options.expression = "{" + once.value + " : " + once.type + "}";
      EvalResult again = program.eval(options);
      CHECK(again.value == once.value);
      CHECK(again.type == once.type);
    }
  }
}

TEST_CASE("eval: the head form evaluates nothing below the head") {
  Program program = load();
  EvalResult list = program.eval(head("pairs(3n)"));
  CHECK(list.value == "(Nat.double(2n), 2n) <> pairs(2n)");
  CHECK(program.eval(head("{n => pairs(1n+n) : Nat -> List<(Nat & Nat)>}"))
            .value == "n => pairs(1n+n)");
  // The endless field is never looked at.
  CHECK(program.eval(head("{Some{spin(1n)} : Maybe<Nat>}")).value ==
        "Some{spin(1n)}");
  CHECK(list.steps < program.eval("pairs(3n)").steps);
}

TEST_CASE("eval: types print as they were written") {
  Program program = load();
  EvalOptions options;
  options.type_only = true;
  options.expression = "IO.print(\"a\")";
  CHECK(program.eval(options).type == "IO(Unit)");
  options.expression = "spin(1n)";
  EvalResult result = program.eval(options);
  CHECK(result.type == "Nat");
  CHECK(result.value == "");
  CHECK(result.steps == 0);
}

TEST_CASE("eval: a shared value that is huge as a term meets the limit") {
  Config config;
  config.memory = std::size_t{256} << 20;
  Program program = load(config);
  CHECK(program.eval(head("grow(60n)")).value ==
        "Node{grow(59n), grow(59n)}");
  EvalResult huge = program.eval("grow(60n)");
  CHECK(huge.status == kOutOfMemory);
  CHECK(huge.failure == "the theory is out of memory");
  CHECK(huge.value == "");
  // What it took is given back.
  for (int i = 0; i < 5; ++i) CHECK(program.eval("grow(12n)").status == kOk);
}

TEST_CASE("eval: an action of many steps prints, its binders numbered") {
  std::string text = "import Base\ndef main() -> IO(Unit):\n  do IO<Unit>:\n";
  for (int i = 0; i < 600; ++i) text += "    IO.print(\"x\")\n";
  Program program = Context(Config{}).load_text("steps.bend", text);
  EvalResult result = program.eval("");
  CHECK(result.status == kOk);
  CHECK(result.value.size() > 600);
}

TEST_CASE("eval: the stop flag interrupts") {
  Program program = load();
  std::atomic<bool> stop{true};
  EvalOptions options;
  options.expression = "spin(1n)";
  options.stop = &stop;
  EvalResult result = program.eval(options);
  CHECK(result.status == kStopped);
  CHECK(result.failure == "interrupted");
  stop = false;
  options.expression = "pairs(0n)";
  CHECK(program.eval(options).value == "[]");
}
