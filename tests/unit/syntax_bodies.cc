// Bodies: statements, layout, matches, patterns, do blocks.
#include <doctest/doctest.h>

#include <string>

#include "tests/unit/syntax_support.h"

using namespace tine;
using namespace tine::testing;

namespace {

// The messages of `text` taken as the pattern of a case.
std::string pattern_errors(const std::string& text) {
  return errors_of("match x:\n  case " + text + ": 1");
}

std::string pattern(const std::string& text) {
  const Parsed parsed{in_def("match x:\n  case " + text + ": 1")};
  if (parsed.count() > 0) return parsed.messages();
  return show(parsed.tree.decls[0].body->cases[0].patterns.at(0));
}

}  // namespace

TEST_CASE("lets") {
  CHECK(shown("y = x\ny") == "y = x; y");
  CHECK(shown("+y = x; y") == "+y = x; y");
  CHECK(shown("_ = x\n1") == "_ = x; 1");
  CHECK(shown("y : U32 = 5\ny") == "y : U32 = 5; y");
  CHECK(shown("+y : A -> B = f; y") == "+y : A -> B = f; y");
  CHECK(shown("-y = x\n1") == "-y = x; 1");
  CHECK(shown("-y z = x w\n1") == "-y z = x w; 1");
  CHECK(shown("(a, +b) = x\na") == "(a, +b) = x; a");
  CHECK(shown("K{a, _} = x\na") == "K{a, _} = x; a");
}

TEST_CASE("the nodes of lets") {
  const Parsed parsed{in_def("y = x\n(a, b) = y\n-c = a\nl r = f(1) g(2)\nl")};
  REQUIRE(parsed.count() == 0);
  const Node* let = parsed.tree.decls[0].body;
  CHECK(let->kind == NodeKind::kLet);
  CHECK(parsed.sources.text(let->span) == "y = x");
  CHECK(parsed.sources.text(let->binders[0].span) == "y");
  const Node* destruct = let->kids[1];
  CHECK(destruct->kind == NodeKind::kDestruct);
  CHECK(destruct->kids[0]->kind == NodeKind::kPCtor);
  const Node* erased = destruct->kids[2];
  CHECK(erased->kind == NodeKind::kErasedLet);
  CHECK(erased->binders[0].mark == Mark::kErased);
  const Node* fork = erased->kids[1];
  CHECK(fork->kind == NodeKind::kParLet);
  CHECK(fork->kids.size() == 3);
}

TEST_CASE("parallel lets") {
  CHECK(shown("l r = f(1) g(2)\nl") == "l r = f(1) g(2); l");
  CHECK(shown("l r = f(1)\n  g(2)\nl") == "l r = f(1) g(2); l");
  CHECK(shown("+l r = f(1) g(2)\nl") == "+l r = f(1) g(2); l");
  CHECK(shown("a b c = x y z\na") == "a b c = x y z; a");
  CHECK(errors_of("a b c = x f(1);\nd") == "E09e `a b c = x f(1)`");
  CHECK(errors_of("(a, b) c = p q\na") == "E09a `(a, b)`");
  CHECK(errors_of("-x +y = p q\n1") == "E09c `+y`");
  CHECK(errors_of("x -y = p q\n1") == "E09f `-y`");
  CHECK(errors_of("a.b c = p q\n1") == "E02d `a.b`");
}

TEST_CASE("the names of a parallel let stand on one line") {
  CHECK(errors_of("a\nb = x y\na") == "E14c `b`");
}

TEST_CASE("typed lets bind plain names") {
  CHECK(errors_of("(a, b) : U32 & U32 = x\na") == "E09b `(a, b)`");
  CHECK(errors_of("K{a} : T = x\na") == "E09b `K{a}`");
  CHECK(errors_of("y : U32\ny") == "E14a ``");
}

TEST_CASE("a let needs a value behind it") {
  CHECK(errors_of("y = x") == "E14r `y = x`");
  CHECK(errors_of("%e : P") == "E14r `%e : P`");
  const Parsed parsed{in_def("y = x") + "def g() -> U32: 1"};
  CHECK(parsed.diag().text ==
        "this let needs a value after it, but the reserved word `def` "
        "follows");
}

TEST_CASE("words of other languages") {
  CHECK(errors_of("if x: 1") == "E14t `if`");
  CHECK(errors_of("let y = x\ny") == "E14t `let`");
  CHECK(repair_of("let y = x\ny") == "drop the `let`: `x = v` is a let");
  CHECK(errors_of("x\nelse: y") == "E14t `else`");
  CHECK(errors_of("while x: y") == "E14t `while`");
}

TEST_CASE("layout 1: a newline ends a call or index") {
  CHECK(shown("y = f\n(y)") == "y = f; (y)");
  CHECK(shown("y = f\n[y]") == "y = f; [y]");
  CHECK(shown("y = f(\n  x\n)\ny") == "y = f(x); y");
}

TEST_CASE("layout 2: operators continue across newlines") {
  CHECK(shown("\"a\"\n++ \"b\"") == "\"a\" ++ \"b\"");
  CHECK(shown("a <>\nb") == "a <> b");
  CHECK(shown("a\n<> b") == "a <> b");
  CHECK(shown("a\n  -> b") == "a -> b");
  CHECK(shown("x\n  => x") == "x => x");
  CHECK(shown("y = a\n+z = b\nz") == "y = a; +z = b; z");
  CHECK(shown("y = a\n-z = b\ny") == "y = a; -z = b; y");
  CHECK(shown("y = a\n%e : P\ny") == "y = a; %e : P; y");
}

TEST_CASE("layout 4: the arrow of a write stands on its bracket's line") {
  CHECK(shown("a[i] <-\n  v") == "a[i] <- v");
  CHECK(errors_of("a[i]\n<- v") == "E14o `<-`");
}

TEST_CASE("layout 5: the columns of cases") {
  CHECK(shown("match a:\n  case x:\n    match b:\n      case y: 1\n"
              "      case z: 2\n  case w: 3") ==
        "match a: case x: match b: case y: 1 case z: 2 case w: 3");
  // A case left of the inner match's cases belongs to the outer match.
  const Parsed parsed{in_def(
      "match a:\n  case x:\n    match b:\n      case y: 1\n  case z: 2")};
  REQUIRE(parsed.count() == 0);
  CHECK(parsed.tree.decls[0].body->cases.size() == 2);
  // One at the column of the enclosing case too, though no case came yet.
  const Parsed empty{in_def("match a:\n  case x: match b:\n  case y: 1")};
  REQUIRE(empty.count() == 0);
  CHECK(empty.tree.decls[0].body->cases.size() == 2);
  CHECK(empty.tree.decls[0].body->cases[0].body->cases.empty());
}

TEST_CASE("layout 5: a case that belongs to no match") {
  CHECK(errors_of("match a:\n    case x: 1\n  case y: 2") == "E06c `case`");
  CHECK(Parsed("def f() -> U32:\nmatch a:\ncase x: 1").count() == 0);
}

TEST_CASE("layout 5: bodies in parentheses may have cases at their column") {
  CHECK(shown("(match a:\n case x: 1\n case y: 2)") ==
        "(match a: case x: 1 case y: 2)");
  CHECK(shown("x => match x:\n     case y: 1") ==
        "x => match x: case y: 1");
  CHECK(errors_of("x => match x:\n    case y: 1") == "E06c `case`");
}

TEST_CASE("layout 6: writes as statements") {
  CHECK(shown("a[0] <- 1\na[1] <- 2") == "a = a[0] <- 1; a[1] <- 2");
  CHECK(shown("a[0] <- 1; a") == "a = a[0] <- 1; a");
  CHECK(shown("a[0] <- 1\n+y = a\ny") == "a = a[0] <- 1; +y = a; y");
  CHECK(errors_of("a[0] <- 1\n  a") == "E14c `a`");
  CHECK(errors_of("g(a)[0] <- 1\nx") == "E14l `g(a)`");
  CHECK(errors_of("a[0][1] <- 1\nx") == "E14l `a[0]`");
  const Parsed parsed{in_def("ab[0] <- 1\nab")};
  const Node* let = parsed.tree.decls[0].body;
  CHECK(let->kind == NodeKind::kLet);
  CHECK(let->kids[0]->kind == NodeKind::kWrite);
  CHECK(parsed.sources.text(let->binders[0].span) == "ab");
}

TEST_CASE("a match with a write in front of the next case") {
  CHECK(shown("match n:\n  case 0n:\n    a[0] <- 1\n  case 1n+p:\n    a") ==
        "match n: case 0n: a[0] <- 1 case 1n+p: a");
}

TEST_CASE("matches") {
  CHECK(shown("match x:") == "match x:");
  CHECK(shown("match f(x), y:\n  case a b: 1") ==
        "match f(x), y: case a, b: 1");
  const Parsed parsed{in_def("match x, y:\n  case a, b: 1")};
  const Node* match = parsed.tree.decls[0].body;
  CHECK(parsed.sources.text(match->span) == "match x, y");
  CHECK(parsed.sources.text(match->op_span) == "match");
  CHECK(parsed.sources.text(match->cases[0].span) == "case a, b");
  CHECK(errors_of("match:\n  case x: 1") == "E14b `:`");
  CHECK(errors_of("match x\n  case y: 1") == "E14a ``");
}

TEST_CASE("patterns") {
  CHECK(pattern("y") == "y");
  CHECK(pattern("+y") == "+y");
  CHECK(pattern("_") == "_");
  CHECK(pattern("(y)") == "y");
  CHECK(pattern("K{a, +b, _}") == "K{a, +b, _}");
  CHECK(pattern("M.K{a}") == "M.K{a}");
  CHECK(pattern("(a, b, c)") == "(a, (b, c))");
  CHECK(pattern("[]") == "[]");
  CHECK(pattern("[a, b]") == "a <> b <> []");
  CHECK(pattern("+h <> t") == "+h <> t");
  CHECK(pattern("1n+p <> t") == "1n+p <> t");
  CHECK(pattern("Con{1n+p, t}") == "Con{1n+p, t}");
  CHECK(pattern("3") == "3");
  CHECK(pattern("3n") == "3n");
  CHECK(pattern("1.5") == "1.5");
  CHECK(pattern("'c'") == "'c'");
  CHECK(pattern("\"s\"") == "\"s\"");
}

TEST_CASE("the nodes of patterns") {
  const Parsed parsed{in_def("match x:\n  case [a]: 1\n  case 1n+h <> t: 2")};
  REQUIRE(parsed.count() == 0);
  const Node* match = parsed.tree.decls[0].body;
  const Node* list = match->cases[0].patterns[0];
  CHECK(list->kind == NodeKind::kPCtor);
  CHECK(list->text == "Con");
  CHECK(list->num == 1);
  CHECK(list->kids[1]->text == "Nil");
  const Node* successor = match->cases[1].patterns[0];
  CHECK(successor->kind == NodeKind::kPSucc);  // 1n+(h <> t)
  CHECK(successor->kids[0]->text == "Con");
}

TEST_CASE("several columns of patterns") {
  CHECK(shown("match xs, n:\n  case Nil{} _: 1\n  case h <> t 1n+p: 2\n"
              "  case +y <> yt, +z: 3") ==
        "match xs, n: case Nil{}, _: 1 case h <> t, 1n+p: 2 "
        "case +y <> yt, +z: 3");
}

TEST_CASE("the number of patterns") {
  CHECK(pattern_errors("a, b") == "E07a `a, b`");
  CHECK(errors_of("match x, y:\n  case a (b, c): 1") == "E07a `a (b, c)`");
  CHECK(repair_of("match x, y:\n  case a (b, c): 1") ==
        "put a comma before a tuple or list pattern");
  CHECK(pattern_errors("1+p") == "E07b `1+p`");
  CHECK(repair_of("match x:\n  case 1+p: 1") == "write `1n+p`");
}

TEST_CASE("terms that are no patterns") {
  CHECK(pattern_errors("a (b, c)") == "E08f `a (b, c)`");
  CHECK(repair_of("match x:\n  case a (b, c): 1") ==
        "write a comma after `a`");
  CHECK(pattern_errors("a.b") == "E08e `a.b`");
  CHECK(pattern_errors("x => y") == "E08d `x => y`");
  CHECK(pattern_errors("(a : U32)") == "E08d `(a : U32)`");
  CHECK(pattern_errors("K{f(a), b.c}") == "E08f `f(a)`\nE08e `b.c`");
  CHECK(pattern_errors("a & b") == "E08d `a & b`");
  CHECK(errors_of("a[0] = x\na") == "E08f `a[0]`");
}

TEST_CASE("do blocks") {
  CHECK(shown("do IO<Unit>:\n  x : U32 <- a\n  +y : U32 = b\n  Unit <- c\n"
              "  d\n  return e") ==
        "do IO<Unit>: x : U32 <- a; +y : U32 = b; Unit <- c; d; return e");
  CHECK(shown("do Maybe<&2, U32>: a; b") == "do Maybe<&2, U32>: a; b");
  CHECK(shown("do M<>: a") == "do M<>: a");
  CHECK(shown("do M<List<U32>>: a") == "do M<List<U32>>: a");
}

TEST_CASE("layout 7: the steps of a do block") {
  const Parsed parsed{in_def("do IO<Unit>:\n  a\n  b\n    ++ c\n  d")};
  REQUIRE(parsed.count() == 0);
  const auto& steps = parsed.tree.decls[0].body->steps;
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].kind == StepKind::kUnit);
  CHECK(steps[1].kind == StepKind::kUnit);
  CHECK(steps[2].kind == StepKind::kLast);
  CHECK(parsed.sources.text(steps[1].span) == "b\n      ++ c");
  // Another column ends the block: what stands there is junk.
  CHECK(errors_of("do IO<Unit>:\n    a\n  b") == "E14c `b`");
}

TEST_CASE("a group around a do block keeps its annotation") {
  CHECK(shown("(do M<>: y : T)") == "(do M<>: y : T)");
  CHECK(shown("(x => y : T)") == "(x => y : T)");
  CHECK(shown("(x => y : U32 = 1; y)") == "(x => y : U32 = 1; y)");
}

TEST_CASE("what a do block refuses") {
  CHECK(errors_of("do M<U>:\n  return a\n  b") == "E14i `return`");
  CHECK(errors_of("do M<U>:\n  (a, b) = c\n  d") == "E14j `(a, b)`");
  CHECK(repair_of("do M<U>:\n  a = c\n  d") ==
        "write the type: `a : T = v`");
  CHECK(errors_of("do M<U>:\n  a b = c d\n  e") == "E14j `a`");
  CHECK(errors_of("do M<U>:\n  -a = c\n  e") == "E14j `-`");
  CHECK(errors_of("do M<U>:\n  match a:\n") == "E14j `match`");
  CHECK(errors_of("do M<U>:\n  a[0] <- 1\n  b") == "E14j `a[0] <- 1`");
  CHECK(errors_of("do M<U>:\n  x : A <- b") == "E14k `x : A <- b`");
  CHECK(errors_of("do M<U>:\n  a;") == "E14k `a;`");
  CHECK(errors_of("do M<U>:\n  (a, b) : T <- b\n  c") == "E09b `(a, b)`");
  CHECK(errors_of("do M<U>:\n  x : A\n  c") == "E14a ``");
  CHECK(errors_of("do M:\n  c") == "E14a `:`");
  CHECK(errors_of("do M<U:\n  c") == "E14d `<`");
}
