// Primitives at their edges, and the text of values.
#include "net_run.h"
#include "runtime/num/f32.h"

using namespace tine;
using namespace tine::net_test;

namespace {

// A primitive on literals. Through a def's parameters, and with the literal
// known to the compiler.
std::string prim(const std::string& type, const std::string& name,
                 const std::string& in, const std::string& x,
                 const std::string& y = "") {
  std::string args = y.empty() ? "x" : "x y";
  std::string sets = "x = " + x + (y.empty() ? "" : "; y = " + y);
  std::string known = eval(type, sets + "; out = " + name + " " + args);
  std::size_t comma = in.find(' ');
  std::string first = in.substr(0, comma), second = in.substr(comma + 1);
  std::string params = "(x: " + first + ")";
  if (!y.empty()) params += " (y: " + second + ")";
  std::string defs = "f " + params + " -> " + type + "\n  out = " + name +
                     " " + args + "\n";
  CHECK(eval(type, sets + "; out = call f " + args, defs) == known);
  if (!y.empty()) {  // one side known
    defs = "f (x: " + first + ") -> " + type + "\n  y = " + y +
           "\n  out = " + name + " x y\n";
    CHECK(eval(type, "x = " + x + "; out = call f x", defs) == known);
    defs = "f (y: " + second + ") -> " + type + "\n  x = " + x +
           "\n  out = " + name + " x y\n";
    CHECK(eval(type, "y = " + y + "; out = call f y", defs) == known);
  }
  return known;
}

std::string u32(const std::string& name, const std::string& x,
                const std::string& y) {
  return prim("U32", "u32." + name, "U32 U32", x, y);
}

std::string nat(const std::string& name, const std::string& x,
                const std::string& y) {
  return prim("Nat", "nat." + name, "Nat Nat", x, y);
}

}  // namespace

TEST_CASE("net: u32 arithmetic wraps and divides by zero") {
  CHECK(u32("add", "4294967295", "1") == "0");
  CHECK(u32("sub", "0", "1") == "4294967295");
  CHECK(u32("mul", "65536", "65537") == "65536");
  CHECK(u32("div", "7", "0") == "0");
  CHECK(u32("div", "7", "2") == "3");
  CHECK(u32("mod", "7", "0") == "7");
  CHECK(u32("mod", "7", "4") == "3");
  CHECK(u32("and", "12", "10") == "8");
  CHECK(u32("or", "12", "10") == "14");
  CHECK(u32("xor", "12", "10") == "6");
  CHECK(prim("U32", "u32.not", "U32", "0") == "4294967295");
  CHECK(prim("U32", "u32.inc", "U32", "4294967295") == "0");
  CHECK(prim("U32", "u32.shl", "U32", "2147483649") == "2");
  CHECK(prim("U32", "u32.shr", "U32", "2147483649") == "1073741824");
}

TEST_CASE("net: shifts by 32 and more give 0") {
  auto shift = [](const char* name, const char* x, const char* y) {
    return prim("U32", name, "U32 Nat", x, y);
  };
  CHECK(shift("u32.shln", "1", "31n") == "2147483648");
  CHECK(shift("u32.shln", "1", "32n") == "0");
  CHECK(shift("u32.shln", "1", "281474976710655n") == "0");
  CHECK(shift("u32.shrn", "4294967295", "31n") == "1");
  CHECK(shift("u32.shrn", "4294967295", "32n") == "0");
  CHECK(shift("u32.shrn", "5", "0n") == "5");
}

TEST_CASE("net: comparisons as values and as branches") {
  auto test = [](const char* name, const char* x, const char* y) {
    std::string whole =
        prim("Bool", std::string("u32.") + name, "U32 U32", x, y);
    std::string f = std::string("f (x: U32) (y: U32) -> U32\n  c = u32.") +
                    name +
                    " x y\n  match c\n    False: out = 0\n"
                    "    True: out = 1\n";
    std::string args = std::string("x = ") + x + "; y = " + y;
    std::string branch = eval("U32", args + "; out = call f x y", f);
    CHECK(whole == (branch == "1" ? "True{}" : "False{}"));
    return branch == "1";
  };
  CHECK(test("is_eq", "3", "3"));
  CHECK_FALSE(test("is_eq", "3", "4"));
  CHECK(test("is_ne", "3", "4"));
  CHECK_FALSE(test("is_ne", "4", "4"));
  CHECK(test("is_lt", "3", "4294967295"));
  CHECK_FALSE(test("is_lt", "3", "3"));
  CHECK(test("is_le", "3", "3"));
  CHECK_FALSE(test("is_le", "4", "3"));
  CHECK(test("is_gt", "4", "3"));
  CHECK_FALSE(test("is_gt", "3", "3"));
  CHECK(test("is_ge", "3", "3"));
  CHECK_FALSE(test("is_ge", "3", "4"));
  CHECK(prim("Bool", "u32.is_zero", "U32", "0") == "True{}");
  CHECK(prim("Bool", "u32.is_zero", "U32", "9") == "False{}");
  CHECK(prim("Cmp", "u32.cmp", "U32 U32", "1", "2") == "LT{}");
  CHECK(prim("Cmp", "u32.cmp", "U32 U32", "2", "2") == "EQ{}");
  CHECK(prim("Cmp", "nat.cmp", "Nat Nat", "3n", "2n") == "GT{}");
  CHECK(prim("Bool", "nat.is_lt", "Nat Nat", "2n", "3n") == "True{}");
  CHECK(prim("Bool", "nat.is_lt", "Nat Nat", "3n", "3n") == "False{}");
}

TEST_CASE("net: Nat arithmetic up to its limit") {
  const std::string most = "281474976710655n";
  const std::string past = "a Nat past the largest immediate 2^48-1";
  CHECK(nat("add", "281474976710654n", "1n") == most);
  CHECK(nat("add", most, "1n") == past);
  CHECK(nat("add", most, most) == past);
  CHECK(prim("Nat", "nat.succ", "Nat", "281474976710654n") == most);
  CHECK(prim("Nat", "nat.succ", "Nat", most) == past);
  CHECK(prim("Nat", "nat.double", "Nat", "140737488355327n") ==
        "281474976710654n");
  CHECK(prim("Nat", "nat.double", "Nat", "140737488355328n") == past);
  CHECK(nat("mul", "16777216n", "16777215n") == "281474959933440n");
  CHECK(nat("mul", "16777216n", "16777216n") == past);
  CHECK(nat("mul", most, most) == past);
  CHECK(nat("sub", "2n", "5n") == "0n");
  CHECK(nat("sub", "5n", "2n") == "3n");
  std::string pair = "Sigma<Nat, Nat>";
  CHECK(prim(pair, "nat.divmod", "Nat Nat", "7n", "2n") == "(3n, 1n)");
  CHECK(prim(pair, "nat.divmod", "Nat Nat", "7n", "0n") == "(0n, 7n)");
  CHECK(prim("Nat", "u32.to_nat", "U32", "4294967295") == "4294967295n");
  CHECK(prim("U32", "u32.from_nat", "Nat", "4294967301n") == "5");
}

TEST_CASE("net: a Nat past its limit names the definition") {
  RunOutcome outcome = run(
      "f (n: Nat) -> Nat as Source.f\n  out = nat.succ n\n"
      "main -> Nat\n  n = 281474976710655n\n  r = call f n\n  out = r\n");
  CHECK(outcome.trap.kind == TrapKind::kNatRange);
  CHECK(outcome.trap.status == 70);
  CHECK(outcome.trap.def == "Source.f");
}

TEST_CASE("net: bools, chars") {
  CHECK(eval("Bool", "a = True; b = False; out = bool.or a b") == "True{}");
  CHECK(eval("Bool", "a = False; b = False; out = bool.or a b") == "False{}");
  CHECK(eval("Bool", "a = True; b = True; out = bool.xor a b") == "False{}");
  CHECK(prim("Char", "char.from_u32", "U32", "97") == "'a'");
  CHECK(prim("U32", "char.to_u32", "Char", "'b'") == "98");
}

TEST_CASE("net: strings append and count, shared or not") {
  CHECK(eval("String", "a = \"ab\"; b = \"\\u{e9}\"; "
                       "out = string.append a b") == "\"ab\u00e9\"");
  CHECK(eval("String", "a = \"\"; b = \"x\"; out = string.append a b") ==
        "\"x\"");
  CHECK(eval("Nat", "a = \"h\u00e9llo\"; out = string.length a") == "5n");
  CHECK(eval("Nat", "a = \"\"; out = string.length a") == "0n");
  CHECK(eval("Sigma<String, String>",
             "a = \"ab\"; a1, a2 = copy a; b = \"c\"; "
             "s = string.append a1 b; out = Tuple s a2") ==
        "(\"abc\", \"ab\")");
  CHECK(eval("Nat", "a = \"abc\"; a1, a2 = copy a; n = string.length a1; "
                    "m = string.length a2; out = nat.add n m") == "6n");
  CHECK(eval("String", "a = \"ab\"; a1, a2 = copy a; "
                       "out = string.append a1 a2") == "\"abab\"");
}

TEST_CASE("net: the text of values") {
  CHECK(eval("U32", "out = 7") == "7");
  CHECK(eval("Nat", "out = 7n") == "7n");
  CHECK(eval("F32", "out = f32 0x3fc00000") == "1.5");
  CHECK(eval("Char", "out = '\\''") == "'\\''");
  CHECK(eval("Char", "out = '\"'") == "'\"'");
  CHECK(eval("Char", "out = '\\u{110000}'") == "'\\u{110000}'");
  CHECK(eval("String", "out = \"\"") == "\"\"");
  CHECK(eval("String", "out = \"a\\\"b'\\n\\t\\r\\0\\\\\\u{1b}\\u{7f}\"") ==
        "\"a\\\"b'\\n\\t\\r\\0\\\\\\u{1b}\\u{7f}\"");
  CHECK(eval("Unit", "out = Unit") == "Unit{}");
  CHECK(eval("List<U32>", "out = Nil") == "[]");
  CHECK(eval("List<U32>", "a = 1; b = 2; n: List<U32> = Nil; c: List<U32> = Con b n; "
                          "out = Con a c") == "[1, 2]");
  CHECK(eval("Maybe<Nat>", "a = 1n; out = Some a") == "Some{1n}");
  std::string nested = "Sigma<U32, Sigma<U32, U32>>";
  CHECK(eval(nested, "a = 1; b = 2; c = 3; t = Tuple b c; out = Tuple a t") ==
        "(1, 2, 3)");
  CHECK(eval("Sigma<Sigma<U32, U32>, U32>",
             "a = 1; b = 2; c = 3; t = Tuple a b; out = Tuple t c") ==
        "((1, 2), 3)");
  CHECK(eval("Array<U32>", "d = 2n; v = 5; out = array.new<U32> d v") ==
        "[5, 5, 5, 5]");
  CHECK(eval("P", "a = 1; b = 2n; c = 'c'; out = P a b c",
             "type P = P (a: U32) (b: Nat) (c: Char)\n") == "P{1, 2n, 'c'}");
}

TEST_CASE("net: the text of floats is the shortest that reads back") {
  CHECK(f32_value_text(0x3f800000) == "1.0");
  CHECK(f32_value_text(0x3dcccccd) == "0.1");
  CHECK(f32_value_text(0x3fb88000) == "1.4414062");
  CHECK(f32_value_text(0x46b83320) == "23577.562");
  CHECK(f32_value_text(0x80000000) == "-0.0");
  CHECK(f32_value_text(0xc0400000) == "-3.0");
  CHECK(f32_value_text(0x7fc00000) == "nan");
  CHECK(f32_value_text(0xff800000) == "-inf");
  CHECK(f32_value_text(0x6258d727) == "1.0e+21");
  CHECK(f32_value_text(0x60ad78ec) == "100000000000000000000.0");
  CHECK(f32_value_text(0x33d6bf95) == "1.0e-7");
  CHECK(f32_value_text(0x358637bd) == "0.000001");
  CHECK(f32_value_text(0x7f7fffff) == "3.4028235e+38");
  CHECK(f32_value_text(0x00000001) == "1.0e-45");
}

TEST_CASE("net: long and deep values are printed without recursion") {
  RunOutcome outcome = run(
      "f (n: Nat) (s: String) -> String\n  match n\n"
      "    0n: out = s\n"
      "    1n+p: c = 'x'\n          t = SCon c s\n          out = call f p t\n"
      "main -> String\n  n = 1000000n\n  s = SNil\n  out = call f n s\n");
  CHECK(outcome.value == "\"" + std::string(1'000'000, 'x') + "\"");
  CHECK(balanced(outcome.stats));
  outcome = run(
      "type L = E | L (l: L) (x: U32)\n"
      "f (n: Nat) (s: L) -> L\n  match n\n"
      "    0n: out = s\n"
      "    1n+p: c = 1\n          t = L s c\n          out = call f p t\n"
      "main -> L\n  n = 100000n\n  s = E\n  out = call f n s\n");
  CHECK(outcome.value.size() == 3 + 100'000 * 6);
  CHECK(outcome.value.substr(0, 6) == "L{L{L{");
  CHECK(balanced(outcome.stats));
}
