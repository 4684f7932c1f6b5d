// Matches, constructors, closures, calls, counts.
#include "net_run.h"
#include "runtime/net/trust.h"

using namespace tine;
using namespace tine::net_test;

namespace {

std::string of(const char* defs, const char* type, const std::string& body) {
  return eval(type, body, defs);
}

}  // namespace

TEST_CASE("net: matches on Nat, in any shape") {
  const char* f =
      "f (n: Nat) -> Nat\n  match n\n"
      "    0n: out = 100n\n"
      "    3n: out = 103n\n"
      "    1n+p: match p\n"
      "            0n: out = 101n\n"
      "            else q: out = q\n";
  CHECK(of(f, "Nat", "n = 0n; out = call f n") == "100n");
  CHECK(of(f, "Nat", "n = 1n; out = call f n") == "101n");
  CHECK(of(f, "Nat", "n = 3n; out = call f n") == "103n");
  CHECK(of(f, "Nat", "n = 9n; out = call f n") == "8n");
  const char* half =
      "half (d: Nat) -> Nat\n  match d\n    0n: out = 0n\n"
      "    1n+p: match p\n            0n: out = 0n\n"
      "            1n+q: r = call half q\n                  "
      "out = nat.succ r\n";
  CHECK(of(half, "Nat", "n = 9n; out = call half n") == "4n");
}

TEST_CASE("net: a predecessor beside a copy of its successor") {
  CHECK(of("f (n: Nat) -> Sigma<Nat, Nat>\n  a, b = copy n\n  match a\n"
           "    0n: b1, b2 = copy b\n        out = Tuple b1 b2\n"
           "    1n+p: out = Tuple p b\n",
           "Sigma<Nat, Nat>", "n = 5n; out = call f n") == "(4n, 5n)");
}

TEST_CASE("net: literal arms") {
  const char* f =
      "f (n: U32) -> U32\n  match n\n    7: out = 70\n"
      "    9: out = 90\n    else m: out = m\n";
  CHECK(of(f, "U32", "n = 7; out = call f n") == "70");
  CHECK(of(f, "U32", "n = 9; out = call f n") == "90");
  CHECK(of(f, "U32", "n = 8; out = call f n") == "8");
  const char* g =
      "g (c: Char) -> U32\n  match c\n    'a': out = 1\n"
      "    else m: out = char.to_u32 m\n";
  CHECK(of(g, "U32", "c = 'a'; out = call g c") == "1");
  CHECK(of(g, "U32", "c = 'b'; out = call g c") == "98");
}

TEST_CASE("net: matches on constructors, with defaults, known and unknown") {
  const char* f =
      "type C = R | G | B (x: U32) | D (x: U32) (y: U32)\n"
      "f (c: C) -> U32\n  match c\n    G: out = 1\n    B x: out = x\n"
      "    else d: match d\n              D x y: out = u32.add x y\n"
      "              else e: drop e\n                      out = 9\n";
  CHECK(of(f, "U32", "c = R; out = call f c") == "9");
  CHECK(of(f, "U32", "c = G; out = call f c") == "1");
  CHECK(of(f, "U32", "x = 5; c = B x; out = call f c") == "5");
  CHECK(of(f, "U32", "x = 5; y = 6; c = D x y; out = call f c") == "11");
  CHECK(of("", "U32", "x = 5; c = Some x; match c\n    None: out = 0\n"
                      "    Some y: out = y") == "5");
  CHECK(of("", "Maybe<U32>",
           "x = 5; c = Some x; match c\n    None: out = None\n"
           "    else y: out = y") == "Some{5}");
  CHECK(of("", "U32", "x = 5; y = 6; t = Tuple x y; a, b = take Tuple t; "
                      "out = u32.sub a b") == "4294967295");
}

TEST_CASE("net: a comparison bound by a default is a value") {
  CHECK(of("f (x: U32) -> Bool\n  y = 3\n  c = u32.is_lt x y\n  match c\n"
           "    else d: out = d\n",
           "Bool", "x = 2; out = call f x") == "True{}");
  CHECK(of("f (x: U32) -> Bool\n  y = 3\n  c = u32.is_lt x y\n  match c\n"
           "    True: out = False\n    else d: out = d\n",
           "Bool", "x = 4; out = call f x") == "False{}");
}

TEST_CASE("net: shared values are taken apart by copies") {
  RunOutcome outcome = run(
      "len (xs: List<U32>) -> U32\n  match xs\n    Nil: out = 0\n"
      "    Con h t: drop h\n             n = call len t\n"
      "             out = u32.inc n\n"
      "main -> Sigma<U32, List<U32>>\n  a = 1\n  b = 2\n  n: List<U32> = Nil\n"
      "  c: List<U32> = Con b n\n  d = Con a c\n  x, y = copy d\n"
      "  l = call len x\n  out = Tuple l y\n");
  CHECK(outcome.value == "(2, [1, 2])");
  CHECK(balanced(outcome.stats));
  CHECK(outcome.stats.copies >= 1);
}

TEST_CASE("net: constructors of three and more fields") {
  CHECK(of("type Q = Q (a: U32) (b: U32) (c: U32) (d: U32) (e: U32)\n"
           "f (q: Q) -> U32\n  a, b, c, d, e = take Q q\n"
           "  s = u32.sub a b\n  t = u32.sub c d\n  u = u32.mul s t\n"
           "  out = u32.add u e\n",
           "U32", "a = 9; b = 2; c = 8; d = 3; e = 1; q = Q a b c d e; "
                  "out = call f q") == "36");
}

TEST_CASE("net: closures: partial, full, over-applied") {
  const char* f =
      "f (a: U32) (b: U32) (c: U32) -> U32\n  s = u32.mul a b\n"
      "  out = u32.sub s c\n"
      "g (a: U32) -> Fn<U32, Fn<U32, U32>>\n  out = closure f a\n";
  CHECK(of(f, "U32", "a = 5; b = 6; c = 7; h = closure f; "
                     "i = apply h a; j = apply i b; out = apply j c") == "23");
  CHECK(of(f, "U32", "a = 5; b = 6; c = 7; h = closure f a b; "
                     "out = apply h c") == "23");
  CHECK(of(f, "U32", "a = 5; b = 6; c = 7; h = call g a; "
                     "i = apply h b; r = apply i c; out = u32.inc r") == "24");
  CHECK(of(f, "U32", "a = 5; h = closure f a; drop h; out = 1") == "1");
  CHECK(of(f, "U32", "a = 5; h = closure f; i = apply h a; drop i; "
                     "out = 1") == "1");
}

TEST_CASE("net: closures that hold closures and lists are dropped") {
  CHECK(of("k (x: List<U32>) (f: Fn<U32, U32>) (y: U32) -> U32\n"
           "  drop x\n  r = apply f y\n  out = u32.inc r\n"
           "i (x: U32) -> U32\n  out = x\n",
           "U32", "n: List<U32> = Nil; a = 1; x: List<U32> = Con a n; f = closure i; "
                  "g = closure k x f; m: List<U32> = Nil; b = 2; y: List<U32> = Con b m; "
                  "h = closure k y g; drop h; out = 3") == "3");
}

TEST_CASE("net: literals of one list in a big rule") {
  std::string body = "l0: List<U32> = Nil";
  for (int i = 0; i < 3000; ++i) {
    body += "; x" + std::to_string(i) + " = " + std::to_string(i);
    body += "; l" + std::to_string(i + 1) + " = Con x" + std::to_string(i) +
            " l" + std::to_string(i);
  }
  std::string text = eval("List<U32>", body + "; out = l3000");
  CHECK(text.substr(0, 12) == "[2999, 2998,");
}

TEST_CASE("net: many live values fit, too many are refused") {
  auto book = [](int wires) {
    std::string text = "id (x: U32) -> U32\n  out = x\nmain -> U32\n";
    for (int i = 0; i < wires; ++i) {
      std::string n = std::to_string(i);
      text += "  a" + n + " = " + n + "\n  x" + n + " = call id a" + n + "\n";
    }
    text += "  s0 = 0\n";
    for (int i = 0; i < wires; ++i) {
      std::string n = std::to_string(i);
      text += "  s" + std::to_string(i + 1) + " = u32.add s" + n + " x" + n +
              "\n";
    }
    return text + "  out = s" + std::to_string(wires) + "\n";
  };
  CHECK(run(book(1500)).value == std::to_string(1500 * 1499 / 2));
}

TEST_CASE("net: counts are those of the printed book") {
  RunOutcome outcome = run(
      "f (n: Nat) (k: U32) -> U32 as Src.f\n  match n\n"
      "    0n: out = k\n"
      "    1n+p: one = 1\n          q = u32.add k one\n"
      "          out = call f p q\n"
      "g (x: U32) -> U32 as Src.f\n  y = 1\n  out = u32.add x y\n"
      "main -> U32\n  n = 10n\n  k = 0\n  r = call f n k\n"
      "  h = closure g\n  s = apply h r\n"
      "  a = 1\n  t = Tuple s a\n  u, v = take Tuple t\n"
      "  w = u32.add u v\n  out = call g w\n");
  CHECK(outcome.value == "13");
  const RunStats& stats = outcome.stats;
  REQUIRE(stats.defs.size() == 2);
  CHECK(stats.defs[0].def == "Src.f");
  CHECK(stats.defs[0].calls == 13);  // 11 of f, 2 of g
  CHECK(stats.defs[0].prims == 12);
  CHECK(stats.defs[1].def == "main");
  CHECK(stats.defs[1].prims == 1);
  CHECK(stats.calls == 13);
  CHECK(stats.prims == 13);
  CHECK(stats.makes == 1);
  CHECK(stats.takes == 1);
  CHECK(stats.copies == 0);
  CHECK(stats.drops == 0);
  CHECK(stats.workers == 1);
}

TEST_CASE("net: copies and drops are counted for boxed values only") {
  RunOutcome outcome = run(
      "main -> U32\n  a = 1\n  a1, a2 = copy a\n  drop a1\n"
      "  s = Some a2\n  t: Maybe<U32> = None\n  p = Tuple s t\n"
      "  p1, p2 = copy p\n  drop p1\n  drop p2\n  out = 3\n");
  CHECK(outcome.stats.copies == 1);
  CHECK(outcome.stats.drops == 2);
  CHECK(outcome.stats.nodes_made == 2);
  CHECK(balanced(outcome.stats));
}

TEST_CASE("net: a value of unknown type is copied and dropped by its tag") {
  CHECK(of("two (x: Any) -> Sigma<Any, Any>\n  a, b = copy x\n"
           "  out = Tuple a b\n",
           "Sigma<Any, Any>", "s = \"ab\"; out = call two s") ==
        "(\"ab\", \"ab\")");
  // A wire that lies about its type is harmless.
  std::string text = of("lie (x: Any) -> U32\n  out = x\n"
                        "back (x: U32) -> Any\n  out = x\n"
                        "str (x: Any) -> String\n  out = x\n",
                        "Sigma<String, String>",
                        "s = \"ab\"; n = call lie s; a, b = copy n; "
                        "c = call back a; d = call back b; "
                        "e = call str c; f = call str d; out = Tuple e f");
  CHECK(text == "(\"ab\", \"ab\")");
  RunOutcome outcome = run(
      "lie (x: Any) -> Sigma<U32, U32>\n  out = x\n"
      "main -> U32\n  x = 1\n  t = call lie x\n  a, b = take Tuple t\n"
      "  out = u32.add a b\n");
  CHECK(outcome.trap.kind == TrapKind::kNoArm);
  CHECK(outcome.trap.text == "a match met a value that it has no arm for");
  CHECK(outcome.trap.status == 70);
}

TEST_CASE("net: types are relied on unless Any can hide a value") {
  auto holds = [](const std::string& defs) {
    Book book;
    load(std::string(kTypes) + "main main\nmain -> U32\n  out = 1\n" + defs,
         book);
    return types_hold(book);
  };
  CHECK(holds(""));
  CHECK(holds("f (k: Fn<U32, IO.OP<Any>>) (x: U32) -> IO.OP<Any>\n"
              "  out = apply k x\n"));
  CHECK_FALSE(holds("f (x: Any) -> U32\n  out = x\n"));
  CHECK_FALSE(holds("f (x: List<Any>) -> List<U32>\n  out = x\n"));
  CHECK_FALSE(holds("type B = B (x: Any)\n"));
  CHECK_FALSE(holds("f (x: IO.OP<Any>) -> U32\n  match x\n"
                    "    Emit v: drop v\n            out = 1\n"
                    "    else y: drop y\n            out = 2\n"));
}

TEST_CASE("net: an answer taken out under another type is harmless") {
  CHECK(of("lie (x: IO.OP<Any>) -> IO.OP<U32>\n  out = x\n"
           "make (s: String) -> IO.OP<Any>\n  out = Emit s\n"
           "back (x: IO.OP<Any>) -> IO.OP<String>\n  out = x\n"
           "again (n: U32) -> IO.OP<Any>\n  out = Emit n\n"
           "str (x: IO.OP<String>) -> String\n  match x\n"
           "    Emit v: out = v\n    Halt c t: drop c\n"
           "              out = t\n"
           "num (x: IO.OP<U32>) -> U32\n  match x\n"
           "    Emit v: out = v\n    Halt c t: drop t\n"
           "              out = c\n",
           "Sigma<String, String>",
           "s = \"ab\"; e = call make s; f = call lie e; n = call num f; "
           "a, b = copy n; c = call again a; d = call again b; "
           "g = call back c; h = call back d; x = call str g; "
           "y = call str h; out = Tuple x y") == "(\"ab\", \"ab\")");
}
