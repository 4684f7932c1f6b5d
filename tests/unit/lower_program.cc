// Lowering whole programs: the book that comes out, what it says, and what
// the lowering refuses.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compiler/book/lower.h"
#include "compiler/book/text.h"
#include "compiler/driver/loader.h"

namespace tine {
namespace {

struct Lowered {
  Book book;
  std::string text;                 // the printed book
  std::vector<std::string> errors;  // "E31d: .."
  bool has(const std::string& part) const {
    return text.find(part) != std::string::npos;
  }
};

Lowered lower_text(const std::string& body, std::uint64_t fuel = 0) {
  Lowered made;
  SourceMap sources;
  ModuleSet modules;
  Sink sink;
  load_modules("t.bend", "import Base\n" + body, sources, modules, sink);
  core::Globals globals;
  core::Theory theory(globals);
  if (!sink.has_errors()) {
    core::check_program(modules.modules, globals, theory, sink);
  }
  bool checked = !sink.has_errors();
  if (fuel > 0) {
    core::TheoryLimits limits;
    limits.fuel = fuel;
    theory.set_limits(limits);
  }
  LowerOptions options;
  options.all_defs = globals.main == core::Def::kNone;
  if (checked) {
    lower_program(globals, theory, sources, options, made.book, sink);
  }
  for (const Diag& diag : sink.diags()) {
    if (diag.severity != Severity::kError) continue;
    made.errors.push_back(diag.code + ": " + diag.text);
  }
  if (!made.errors.empty()) return made;
  for (const BookError& error : verify_book(made.book)) {
    FAIL_CHECK("the verifier: " << error.text);
  }
  made.text = print_book(made.book);
  return made;
}

std::string only_error(const Lowered& made) {
  return made.errors.size() == 1 ? made.errors[0] : "not one error";
}

// ---- what an engine enters --------------------------------------------------

TEST_CASE("a pure main is a rule without parameters") {
  Lowered made = lower_text("def main() -> U32: (1 + 2 : U32)\n");
  CHECK(made.book.main != DefId::kNone);
  CHECK(!made.book.main_is_io);
  CHECK(made.book.def(made.book.main).params == 0);
  CHECK(made.book.def(made.book.main).place == "t.bend:2");
  CHECK(made.has("out = u32.add"));
}

TEST_CASE("an action takes the last continuation") {
  Lowered made = lower_text("def main() -> IO(Unit): IO.print(\"hi\")\n");
  CHECK(made.book.main_is_io);
  CHECK(made.book.def(made.book.main).params == 1);
  CHECK(made.has("effect IO.print"));
}

TEST_CASE("without a main all closed defs are in the book") {
  Lowered made = lower_text(
      "def twice(x: U32) -> U32: (x * 2 : U32)\n"
      "def same(-A: Type, x: A) -> A: x\n"
      "def Word16() -> Data: U32\n");
  CHECK(made.book.main == DefId::kNone);
  CHECK(made.book.find_def("twice") != DefId::kNone);
  CHECK(made.book.find_def("same<Any>") != DefId::kNone);
  CHECK(made.book.find_def("Word16") == DefId::kNone);
}

TEST_CASE("main takes no parameters") {
  CHECK(only_error(lower_text("def main(x: U32) -> U32: x\n")) ==
        "E31d: `main` takes no parameters");
}

TEST_CASE("a value that cannot be printed is refused by name") {
  const std::string start =
      "E31c: the value of `main` cannot be printed: its type contains ";
  CHECK(only_error(lower_text("def main() -> U32 -> U32: U32.inc\n")) ==
        start + "a function");
  CHECK(only_error(lower_text("def main() -> Type: U32\n")) ==
        start + "a type");
  CHECK(only_error(lower_text("type Box is Type:\n  Box{-n: Nat, x: U32}\n"
                              "def main() -> Box: Box{3n, 1}\n")) ==
        start + "the erased field `n` of `Box`");
  CHECK(only_error(lower_text(
            "def F(b: Bool) -> Data:\n  match b:\n    case True{}: U32\n"
            "    case False{}: Nat\n"
            "def main() -> Exists(Bool, b => F(b)): (True{}, 1)\n")) ==
        start + "the dependent field `snd` of `Tuple`");
  CHECK(only_error(lower_text("def main() -> {1n == 1n : Nat}: {==}\n")) ==
        start + "an equation");
}

// ---- erasure and specialisation ---------------------------------------------

TEST_CASE("type arguments are specialised away, quantities do not matter") {
  Lowered made = lower_text(
      "def same(a, -A: Kind(a), x: A) -> A: x\n"
      "def main() -> U32:\n"
      "  x = same(&2, U32, same(&1, U32, 1))\n"
      "  _ = same(&1, Nat, 2n)\n"
      "  x\n");
  CHECK(made.book.find_def("same<U32>") != DefId::kNone);
  CHECK(made.book.find_def("same<Nat>") == DefId::kNone);
  CHECK(made.book.defs.size() == 2);
  CHECK(made.book.def(made.book.find_def("same<U32>")).origin == "same");
}

TEST_CASE("types that grow from call to call end in Any") {
  Lowered made = lower_text(
      "def grow(n: Nat, -A: Type, x: A) -> U32:\n"
      "  match n:\n"
      "    case 0n: 7\n"
      "    case 1n+p: grow(p, A & A, (x, x))\n");
  CHECK(only_error(made).substr(0, 4) == "E23a");
  made = lower_text(
      "def grow(n: Nat, -A: Type, f: A -> U32, x: A) -> U32:\n"
      "  match n:\n"
      "    case 0n: f(x)\n"
      "    case 1n+p: grow(p, Maybe<A>, m => 3, Some{x})\n"
      "def main() -> U32: grow(20n, U32, x => x, 1)\n");
  CHECK(made.book.find_def("grow<Any>") != DefId::kNone);
  CHECK(made.book.defs.size() < 40);
}

TEST_CASE("each tuple of template arguments is an instance") {
  Lowered made = lower_text(
      "def map2(~f: U32 -> U32, x: U32) -> U32: f(f(x))\n"
      "def main() -> U32:\n"
      "  (map2(~U32.inc, 1) + map2(~(y => (y * 2 : U32)), map2(~U32.inc, 2)) : "
      "U32)\n");
  CHECK(made.book.find_def("map2~1") != DefId::kNone);
  CHECK(made.book.find_def("map2~2") != DefId::kNone);
  CHECK(made.book.find_def("map2~3") == DefId::kNone);
  CHECK(made.has("u32.inc"));
}

TEST_CASE("a let that is never used goes with its value") {
  Lowered made = lower_text(
      "def f(x: U32) -> U32: (x + 1 : U32)\n"
      "def g(x: U32) -> U32: (x + 2 : U32)\n"
      "def main() -> U32:\n  x = f(1)\n  y = g(x)\n  3\n");
  CHECK(made.book.defs.size() == 1);
}

TEST_CASE("an array of an unknown element is refused") {
  const std::string open =
      "E31f: the element type of this array is not known when the program "
      "is compiled";
  // A type that hides the element, and a function that takes any.
  Lowered made = lower_text(
      "type Dyn is Type:\n  Dyn{-T: Type, a: Array<T>}\n"
      "def keep(d: Dyn) -> U32: 1\n"
      "def main() -> U32: keep(Dyn{U32, [1 : U32*4n]})\n");
  CHECK(only_error(made) == open);
  made = lower_text(
      "def size(-T: Type, a: Array<T>) -> U32:\n"
      "  Pair.snd(Array<T>, U32, Array.size(T, a))\n"
      "def both(f: @-T: Type -> Array<T> -> U32) -> U32:\n"
      "  f(U32, [1 : U32*4n])\n"
      "def main() -> U32: both(size)\n");
  REQUIRE(!made.errors.empty());
  CHECK(made.errors[0] == open);
  // With the element known the same def is fine.
  made = lower_text(
      "def size(-T: Type, a: Array<T>) -> U32:\n"
      "  Pair.snd(Array<T>, U32, Array.size(T, a))\n"
      "def main() -> U32: size(U32, [1 : U32*4n])\n");
  CHECK(made.book.find_def("size<U32>") != DefId::kNone);
}

TEST_CASE("words are lists of bits only where a program says so") {
  Lowered made = lower_text(
      "def same(x: U32) -> U32:\n  U32{w} = x\n  U32{w}\n"
      "def main() -> U32: same(3)\n");
  CHECK(made.errors.empty());
  CHECK(made.book.find_def("Word.of_u32") != DefId::kNone);
  CHECK(made.book.find_def("Word.to_u32") != DefId::kNone);
  made = lower_text("def main() -> U32: (3 + 4 : U32)\n");
  CHECK(made.book.find_def("Word.of_u32") == DefId::kNone);
}

TEST_CASE("an equation between types does not change the code") {
  Lowered made = lower_text(
      "def Tag(b: Bool) -> Type:\n  match b:\n    case True{}: Unit\n"
      "    case False{}: Empty\n"
      "def absurd(e: {True{} == False{} : Bool}) -> Empty:\n"
      "  %e : Tag(_)\n  Unit{}\n");
  CHECK(made.has("call `the retype`"));
}

TEST_CASE("types that cannot be worked out within the limits") {
  Lowered made =
      lower_text("def main() -> IO(Unit): IO.print(U32.show(1))\n", 1);
  CHECK(only_error(made) ==
        "E31k: the types of the program could not be worked out: a limit of "
        "the check was met");
}

// ---- calls and closures -----------------------------------------------------

TEST_CASE("fewer arguments make a closure, more are applied") {
  Lowered made = lower_text(
      "def add(x: U32, y: U32) -> U32: (x + y : U32)\n"
      "def pick(b: Bool) -> U32 -> U32:\n  match b:\n"
      "    case True{}: add(1)\n    case False{}: U32.inc\n"
      "def main() -> U32: pick(True{}, 5)\n");
  CHECK(made.has("out = closure add"));
  CHECK(made.has("out = closure U32.inc"));
  CHECK(made.has("call pick"));
  CHECK(made.has("out = apply"));
}

TEST_CASE("lambdas at the head of a body are parameters") {
  Lowered made = lower_text(
      "def add(x: U32) -> U32 -> U32: y => (x + y : U32)\n"
      "def main() -> U32: add(1, 2)\n");
  DefId add = made.book.find_def("add");
  REQUIRE(add != DefId::kNone);
  CHECK(made.book.def(add).params == 2);
}

TEST_CASE("a lambda captures what it uses") {
  Lowered made = lower_text(
      "def call(f: U32 -> U32) -> U32: f(1)\n"
      "def go(+a: U32, b: U32) -> U32: call(x => (x + a : U32))\n"
      "def main() -> U32: go(2, 3)\n");
  DefId fn = made.book.find_def("go.fn1");
  REQUIRE(fn != DefId::kNone);
  CHECK(made.book.def(fn).params == 2);
  CHECK(made.book.def(fn).origin == "go");
  CHECK(made.has("closure go.fn1 a"));
}

TEST_CASE("a parallel let of calls forks, arguments first") {
  Lowered made = lower_text(
      "def f(x: U32) -> U32: (x + 1 : U32)\n"
      "def main() -> U32:\n  l r = f(f(1)) f(f(2))\n  (l + r : U32)\n");
  const Block& block = made.book.def(made.book.main).block;
  REQUIRE(block.size() == 6);
  CHECK(block[4].op == Op::kPar);
  CHECK(block[4].calls.size() == 2);
}

TEST_CASE("a parallel let of native operations, or with one used, is plain") {
  Lowered made = lower_text(
      "def f(x: U32) -> U32: (x + 1 : U32)\n"
      "def main() -> U32:\n  l r = f(1) f(2)\n  a b = U32.inc(l) f(3)\n"
      "  (a + b : U32)\n");
  CHECK(!made.has("par"));
}

TEST_CASE("an offload mark stays on its call") {
  Lowered made = lower_text(
      "def f(x: U32) -> U32: (x + 1 : U32)\n"
      "def main() -> U32: f!(1)\n");
  CHECK(made.has("call! f"));
}

// ---- matches ----------------------------------------------------------------

TEST_CASE("a matched name is rebuilt from its fields") {
  Lowered made = lower_text(
      "def f(+n: Nat, m: Nat) -> Nat: Nat.add(n, m)\n"
      "def g(+n: Nat) -> Nat:\n  match n:\n    case 0n: n\n"
      "    case 1n+p: f(p, n)\n"
      "def main() -> Nat: g(3n)\n");
  CHECK(made.has("nat.succ"));
}

TEST_CASE("a default arm may match what is left") {
  Lowered made = lower_text(
      "def f(c: Cmp) -> U32:\n  match c:\n    case LT{}: 0\n"
      "    case o:\n      match o:\n        case EQ{}: 1\n"
      "        case GT{}: 2\n"
      "def main() -> U32: f(GT{})\n");
  CHECK(made.errors.empty());
  CHECK(made.has("call `the missing case`"));
}

TEST_CASE("one constructor is taken apart in place") {
  Lowered made = lower_text(
      "def f(p: U32 & U32) -> U32:\n  (a, b) = p\n  (a + b : U32)\n"
      "def main() -> U32: f((1, 2))\n");
  CHECK(made.has("take Tuple p"));
  CHECK(!made.has("match"));
}

TEST_CASE("long chains of lets and list items") {
  std::string body =
      "def f(x: U32) -> U32: (x + 1 : U32)\n"
      "def main() -> U32:\n  x0 = f(0)\n";
  for (int i = 1; i < 1000; i++) {
    body +=
        "  x" + std::to_string(i) + " = f(x" + std::to_string(i - 1) + ")\n";
  }
  Lowered made = lower_text(body + "  x999\n");
  CHECK(made.book.def(made.book.main).block.size() == 1002);
  std::string list = "def main() -> List<U32>: [0";
  for (int i = 1; i < 3000; i++) list += ", " + std::to_string(i);
  made = lower_text(list + "]\n");
  CHECK(made.book.def(made.book.main).block.size() == 6001);
}

}  // namespace
}  // namespace tine
