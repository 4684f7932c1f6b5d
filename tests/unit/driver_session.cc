// Sessions: what an input is, that errors change nothing, shadowing, `it`.
#include <doctest/doctest.h>

#include <atomic>
#include <string>

#include "runtime/tine.hpp"

using namespace tine;

namespace {

std::string value_of(Session& session, const std::string& expression) {
  EvalOptions options;
  options.expression = expression;
  EvalResult result = session.eval(options);
  return result.status == kOk ? result.value : "failed: " + result.failure;
}

bool declares(Session& session, const std::string& text) {
  return session.declare(text, nullptr).ok;
}

}  // namespace

TEST_CASE("session: which inputs are complete") {
  struct Row {
    const char* text;
    InputKind kind;
  };
  const Row kRows[] = {
      {"", InputKind::kEmpty},
      {"  # a comment", InputKind::kEmpty},
      {"f(1)", InputKind::kExpression},
      {"f(1", InputKind::kIncomplete},
      {"[1,\n 2]", InputKind::kExpression},
      {"\"open", InputKind::kIncomplete},
      {"x = f(1)", InputKind::kIncomplete},
      {"x = f(1)\nx", InputKind::kExpression},
      {"(1 +", InputKind::kIncomplete},
      {"\"a\" ++", InputKind::kIncomplete},
      {"do IO<Unit>:", InputKind::kIncomplete},
      {"do IO<Unit>:\n  IO.print(\"a\")", InputKind::kIncomplete},
      {"do IO<Unit>:\n  IO.print(\"a\")\n", InputKind::kExpression},
      {"def f() -> U32: 7", InputKind::kDeclaration},
      {"def f() -> U32:", InputKind::kIncomplete},
      {"def f() -> U32:\n  7", InputKind::kIncomplete},
      {"def f() -> U32:\n  7\n", InputKind::kDeclaration},
      {"@unsafe def f() -> U32: 7", InputKind::kDeclaration},
      {"@x: U32 -> U32", InputKind::kExpression},
      {"import ./a.bend as A", InputKind::kDeclaration},
      {"type", InputKind::kIncomplete},
      {"f(]", InputKind::kExpression},
  };
  for (const Row& row : kRows) {
    CAPTURE(std::string(row.text));
    CHECK(Session::classify(row.text) == row.kind);
  }
}

TEST_CASE("session: an input with an error leaves no trace") {
  Session session{Config()};
  CHECK(declares(session, "def f(x: U32) -> U32: (x + 1 : U32)"));
  CHECK_FALSE(declares(session, "def f(x: U32) -> U32: missing(x)"));
  CHECK_FALSE(declares(session, "def f(x: U32) -> U32: (x"));
  CHECK_FALSE(declares(session, "def g() -> U32: f\ndef h() -> U32: 1"));
  CHECK(value_of(session, "f(1)") == "2");
  CHECK(session.info("g").empty());
  CHECK(session.info("h").empty());
  CHECK_FALSE(session.load("/none/such.bend", nullptr).ok);
  CHECK(value_of(session, "f(2)") == "3");
  CHECK(session.typed() == 1);
}

TEST_CASE("session: what a declaration hides keeps its meaning") {
  Session session{Config()};
  CHECK(declares(session, "def f(x: U32) -> U32: (x + 1 : U32)"));
  // A binder of the same name, too, goes on meaning what it meant.
  CHECK(declares(session, "def g(f: U32) -> U32: (f * 2 : U32)"));
  CHECK(declares(session, "def h(x: U32) -> U32: f(g(x))"));
  Declared later = session.declare("def f(x: U32) -> U32: (x * 100 : U32)",
                                   nullptr);
  REQUIRE(later.ok);
  REQUIRE(later.renamed.size() == 1);
  CHECK(later.renamed[0].first == "f");
  CHECK(later.renamed[0].second == "f_1");
  CHECK(value_of(session, "f(1)") == "100");
  CHECK(value_of(session, "h(3)") == "7");
  CHECK(value_of(session, "f_1(1)") == "2");
  // What nobody uses goes without a word.
  CHECK(session.declare("def h() -> U32: 1", nullptr).renamed.empty());
}

TEST_CASE("session: it is the last value of a Data type") {
  Session session{Config()};
  CHECK(value_of(session, "(20 + 1 : U32)") == "21");
  CHECK(value_of(session, "(it + it : U32)") == "42");
  CHECK(declares(session, "def kept() -> U32: it"));
  CHECK(value_of(session, "Nat.add(1n, 2n)") == "3n");
  CHECK(value_of(session, "it") == "3n");
  CHECK(value_of(session, "kept") == "42");
  // Too large to be a literal: computed again.
  CHECK(value_of(session, "Nat.mul(4294967295n, 4294967295n)") ==
        "18446744065119617025n");
  CHECK(value_of(session, "Nat.add(it, 1n)") == "18446744065119617026n");
  CHECK(value_of(session, "[0 : U32*2n]") == "[0, 0]");
  CHECK(value_of(session, "it") ==
        "failed: `it` is not kept: its type Array<U32> is not Data");
}

TEST_CASE("session: equations, runs, the stop flag") {
  Session session{Config()};
  CHECK(session.equal("Nat.add(1n, 2n) == 3n", nullptr).value == "equal");
  CHECK(session.equal("1 == 2", nullptr).value == "not equal");
  CHECK(session.equal("1 == 2n", nullptr).status == kProgramWrong);
  RunResult run = session.run("U32.pow(2, 3n)", {});
  CHECK(run.outcome.value == "8");
  run = session.run("IO.print(\"hi\")", {});
  CHECK(run.outcome.out == "hi\n");
  // An engine needs live code: the check is stricter than the theory's.
  CHECK(declares(session, "def dup(x: U32) -> U32 & U32:\n  +y = x\n  (y, y)"));
  CHECK(session.run("dup(1)", {}).outcome.value == "(1, 1)");
  std::atomic<bool> stop{true};
  CHECK(declares(session, "@unsafe def spin(n: Nat) -> Nat: spin(n)"));
  EvalOptions options;
  options.expression = "spin(1n)";
  options.stop = &stop;
  CHECK(session.eval(options).status == kStopped);
  CHECK(value_of(session, "1") == "1");
}
