// Terms: precedence, suffixes, type arguments, brackets, namespaces.
#include <doctest/doctest.h>

#include <string>

#include "compiler/syntax/operators.h"
#include "tests/unit/syntax_support.h"

using namespace tine;
using namespace tine::testing;

namespace {

// The tree with every operation in brackets, to see how it associates.
std::string tree(const Node* node) {
  if (node->kind == NodeKind::kGroup) return tree(node->kids[0]);
  const bool arrow = node->kind == NodeKind::kArrow;
  if (node->kind != NodeKind::kOp && !arrow) return show(node);
  return "[" + tree(node->kids[0]) + (arrow ? "->" : node->text) +
         tree(node->kids[1]) + "]";
}

std::string grouped(const std::string& text) {
  const Parsed parsed{in_def(text)};
  if (parsed.count() > 0) return parsed.messages();
  return tree(parsed.tree.decls[0].body);
}

// Every operator with its namespace, `+:U32` or `+:none`, in tree order.
void namespaces(const Node* node, std::string& out) {
  if (node->kind == NodeKind::kOp && is_named_operator(node->text)) {
    out += node->text + ":" + (node->ns ? show(node->ns) : "none") + " ";
  }
  for (const Node* kid : node->kids) namespaces(kid, out);
}

std::string namespaces_of(const std::string& text) {
  const Parsed parsed{in_def(text)};
  if (parsed.count() > 0) return parsed.messages();
  std::string out;
  namespaces(parsed.tree.decls[0].body, out);
  return out;
}

}  // namespace

TEST_CASE("precedence and associativity") {
  CHECK(grouped("a + b * c") == "[a+[b*c]]");
  CHECK(grouped("a * b + c") == "[[a*b]+c]");
  CHECK(grouped("a - b - c") == "[[a-b]-c]");
  CHECK(grouped("a <> b <> c") == "[a<>[b<>c]]");
  CHECK(grouped("a ++ b ++ c") == "[a++[b++c]]");
  CHECK(grouped("a -> b -> c") == "[a->[b->c]]");
  CHECK(grouped("a & b | c & d") == "[a&[b|[c&d]]]");
  CHECK(grouped("a & b -> c") == "[[a&b]->c]");
  CHECK(grouped("a || b && c || d") == "[[a||[b&&c]]||d]");
  CHECK(grouped("a < b && c <= d") == "[[a<b]&&[c<=d]]");
  CHECK(grouped("a .|. b .^. c .&. d << e + f") ==
        "[a.|.[b.^.[c.&.[d<<[e+f]]]]]");
  CHECK(grouped("a <> b + c") == "[a<>[b+c]]");
  CHECK(grouped("a + b < c + d") == "[[a+b]<[c+d]]");
}

TEST_CASE("operators have the span of their operands and their token's") {
  const Parsed parsed{in_def("a + bc")};
  const Node* op = parsed.tree.decls[0].body;
  CHECK(parsed.sources.text(op->span) == "a + bc");
  CHECK(parsed.sources.text(op->op_span) == "+");
}

TEST_CASE("calls, indexes and writes are suffixes") {
  CHECK(shown("f(a, b)(c)[d]") == "f(a, b)(c)[d]");
  CHECK(shown("f()") == "f()");
  CHECK(shown("f (x)") == "f(x)");
  CHECK(shown("(w[k] <- e)[m]") == "(w[k] <- e)[m]");
  CHECK(shown("Rec{u, w[k] <- e}") == "Rec{u, w[k] <- e}");
  CHECK(shown("(w[k] <- e, e2)") == "(w[k] <- e, e2)");
  CHECK(shown("h(n, w[k] <- g(k))") == "h(n, w[k] <- g(k))");
  CHECK(grouped("(a[i] <- b + c : U32)") == "a[i] <- b + c");
  CHECK(grouped("a[i] <- b & c") == "[a[i] <- b&c]");
}

TEST_CASE("a call's span runs from its head to its parenthesis") {
  const Parsed parsed{in_def("foo(a, b)")};
  CHECK(parsed.sources.text(parsed.tree.decls[0].body->span) == "foo(a, b)");
}

TEST_CASE("commas are optional, and one may trail") {
  CHECK(shown("U32.add(1 2)") == "U32.add(1, 2)");
  CHECK(shown("U32.add(1, 2,)") == "U32.add(1, 2)");
  CHECK(shown("[a b c]") == "[a, b, c]");
  CHECK(shown("[a, b,]") == "[a, b]");
  CHECK(shown("K{a b}") == "K{a, b}");
  CHECK(errors_of("f(a,,b)") == "E14b `,`");
  CHECK(errors_of("f(, a)") == "E14b `,`");
}

TEST_CASE("template arguments and offload marks") {
  const Parsed parsed{in_def("g!(~U32, ~(x => x), y)")};
  const Node* call = parsed.tree.decls[0].body;
  CHECK(parsed.count() == 0);
  CHECK(call->bang);
  CHECK(call->num == 2);
  CHECK(show(call) == "g!(~U32, ~(x => x), y)");
  CHECK(errors_of("f(a, ~b)") == "E10f `~`");
  CHECK(errors_of("f(a)!(b)") == "E10b `!`");
  CHECK(errors_of("f! (b)") == "E14c `!`");
}

TEST_CASE("type arguments and comparisons") {
  CHECK(shown("List<U32>") == "List<U32>");
  CHECK(shown("List<List<U32>>") == "List<List<U32>>");
  CHECK(shown("F<(A & B), C & D>") == "F<(A & B), C & D>");
  CHECK(shown("F<A, B C>") == "F<A, B, C>");
  CHECK(shown("F<A, B >") == "F<A, B>");
  CHECK(shown("+List<U32>") == "+List<U32>");
  CHECK(shown("A<B> -> C<D>") == "A<B> -> C<D>");
  CHECK(shown("List<&1, U32>(x)") == "List<&1, U32>(x)");
  CHECK(grouped("(a < b : U32)") == "[a<b]");
  CHECK(grouped("(a<b : U32)") == "[a<b]");
  CHECK(grouped("(1 + a<b : U32)") == "[[1+a]<b]");
  CHECK(grouped("(a<b && c<d : U32)") == "[[a<b]&&[c<d]]");
}

TEST_CASE("what is misread as type arguments") {
  CHECK(errors_of("f(a < b, c)") == "E14d `<`");
  CHECK(repair_of("f(a < b, c)") ==
        "put a comparison in parentheses: `(a < b : U32)`");
  CHECK(errors_of("F<A & B, C>") == "E14d `<`");
  CHECK(repair_of("F<A & B, C>") ==
        "put the first type argument in parentheses");
  CHECK(errors_of("f(a + b < c, d)") == "E14d `<`");
}

TEST_CASE("groups, tuples and units") {
  CHECK(shown("(a)") == "(a)");
  CHECK(shown("(a, b, c)") == "(a, b, c)");
  CHECK(shown("(a, x = v; x)") == "(a, x = v; x)");
  CHECK(shown("(a, s + x : U32)") == "(a, (s + x : U32))");
  CHECK(shown("(x = v; w = x; w)") == "(x = v; w = x; w)");
  CHECK(shown("(x : U32 = v; x)") == "(x : U32 = v; x)");
  CHECK(shown("(x : U32)") == "(x : U32)");
  CHECK(errors_of("()") == "E14f `()`");
  CHECK(repair_of("()") == "write `Unit{}`");
  CHECK(errors_of("(x = v; x, y)") == "E14s `x = v`");
  CHECK(errors_of("(a b)") == "E14a `b`");
}

TEST_CASE("lists and arrays") {
  CHECK(shown("[]") == "[]");
  CHECK(shown("[v : T^d]") == "[v : T^d]");
  CHECK(shown("[v : Pt<U32>*8n]") == "[v : Pt<U32>*8n]");
  CHECK(shown("[i + 1 : U32*4n]") == "[i + 1 : U32*4n]");
  CHECK(errors_of("[0 : U32*3n]") == "E11b `3n`");
  CHECK(errors_of("[0 : U32*0n]") == "E11b `0n`");
  CHECK(errors_of("[0 : U32*n]") == "E11a `n`");
  CHECK(errors_of("[0 : U32*4]") == "E11a `4`");
  CHECK(errors_of("[0 : U32]") == "E14a `]`");
}

TEST_CASE("braces") {
  CHECK(shown("{x : U32}") == "{x : U32}");
  CHECK(shown("{a == b : T}") == "{a == b : T}");
  CHECK(shown("{a != b : T}") == "{a != b : T}");
  CHECK(shown("{==}") == "{==}");
  CHECK(shown("{f : A -> B}") == "{f : A -> B}");
  CHECK(errors_of("{a}") == "E14a `}`");
  CHECK(errors_of("{a == b}") == "E14a `}`");
}

TEST_CASE("a constructor's brace touches its name") {
  CHECK(shown("K{}") == "K{}");
  CHECK(errors_of("K {x}") == "E14g `K {`");
  CHECK(repair_of("K {x}") == "write `K{` without the space");
  CHECK(errors_of("f(K {x, y})") == "E14g `K {`");
  CHECK(errors_of("f(K {})") == "E14g `K {`");
  CHECK(shown("f(x {e : T})") == "f(x, {e : T})");
}

TEST_CASE("types") {
  CHECK(shown("@x: A -> B") == "@x: A -> B");
  CHECK(shown("@-x: A & B -> C -> D") == "@-x: A & B -> C -> D");
  CHECK(shown("@+x: A -> B") == "@+x: A -> B");
  CHECK(shown("@_: A -> B") == "@_: A -> B");
  CHECK(shown("&x: A -> B") == "&x: A -> B");
  CHECK(shown("Kind(a <&> b)") == "Kind(a <&> b)");
  CHECK(shown("Type -> Data -> Quant") == "Type -> Data -> Quant");
  CHECK(errors_of("@x A -> B") == "E14a `A`");
  CHECK(errors_of("@x: A") == "E14a ``");
}

TEST_CASE("lambdas") {
  CHECK(shown("x => y => x") == "x => y => x");
  CHECK(shown("+x => x") == "+x => x");
  CHECK(shown("(y : U32) => y") == "y => y");
  CHECK(shown("_ => 1") == "_ => 1");
  CHECK(shown("f(x => (x + 1 : U32), y)") == "f(x => (x + 1 : U32), y)");
  CHECK(shown("x => z = x\nz") == "x => z = x; z");
  CHECK(grouped("A -> x => x") == "[A->x => x]");
  CHECK(errors_of("(a, b) => a") == "E09d `(a, b)`");
  CHECK(errors_of("a.b => a") == "E09d `a.b`");
  CHECK(errors_of("a + x => x") == "E09d `a + x`");
  CHECK(errors_of("3 => x") == "E09d `3`");
}

TEST_CASE("holes and raw matches") {
  CHECK(shown("?goal") == "?goal");
  CHECK(shown("?TODO") == "?TODO");
  CHECK(shown("\\{A: f; B: g; h}") == "\\{A: f; B: g; h}");
  CHECK(shown("\\{A: f B: x => y}") == "\\{A: f; B: x => y}");
  CHECK(shown("\\{}") == "\\{}");
}

TEST_CASE("plus marks types and binders only") {
  CHECK(errors_of("f(+3)") == "E14b `+`");
  CHECK(errors_of("+3") == "E13b `+3`");
  CHECK(shown("+x = v\nx") == "+x = v; x");
}

TEST_CASE("statement words are no terms") {
  CHECK(errors_of("f(match x: case y: y)") == "E06a `match`");
  CHECK(errors_of("x = match y: case z: z\nx") == "E06a `match`");
  CHECK(errors_of("f(case)") == "E06b `case`");
  CHECK(errors_of("x = is\nx") == "E06b `is`");
  CHECK(errors_of("return x") == "E06d `return`");
}

TEST_CASE("namespaces reach the operator tree and stop elsewhere") {
  CHECK(namespaces_of("(a + b * c : U32)") == "+:U32 *:U32 ");
  CHECK(namespaces_of("((a + b) * c : U32)") == "*:U32 +:U32 ");
  CHECK(namespaces_of("(x < y && y < z : U32)") == "<:U32 <:U32 ");
  CHECK(namespaces_of("(f(a + 1) : U32)") == "+:none ");
  CHECK(namespaces_of("(K{a + 1} : U32)") == "+:none ");
  CHECK(namespaces_of("([a + 1] : U32)") == "+:none ");
  CHECK(namespaces_of("(x => a + 1 : U32)") == "+:none ");
  CHECK(namespaces_of("(a[i] <- b + 1 : U32)") == "+:none ");
  CHECK(namespaces_of("(a + b <> c + d : M.V<Q>)") == "+:M.V<Q> +:M.V<Q> ");
  CHECK(namespaces_of("(x = a + b; x + 1 : U32)") == "+:none +:U32 ");
  CHECK(namespaces_of("((a + b : F32) + c : U32)") == "+:U32 +:F32 ");
  CHECK(namespaces_of("(1n+x * 2n : Nat)") == "*:none ");
  CHECK(namespaces_of("a + 1") == "+:none ");
}

TEST_CASE("an annotation reaches a tuple's last component alone") {
  CHECK(namespaces_of("(a + 1, s + x : U32)") == "+:none +:U32 ");
  CHECK(namespaces_of("(s + x, a : U32)") == "+:none ");
}

TEST_CASE("indexes and array values have namespaces of their own") {
  CHECK(namespaces_of("a[i + 1]") == "+:U32 ");
  CHECK(namespaces_of("a[i + 1] <- b + 1") == "+:U32 +:none ");
  CHECK(namespaces_of("[i + 1 : F32*4n]") == "+:F32 ");
  CHECK(namespaces_of("[i + 1 : Pt<U32>^d]") == "+:Pt<U32> ");
}

TEST_CASE("an unclosed bracket is blamed on its opener") {
  CHECK(errors_of("(1") == "E14e `(`");
  CHECK(errors_of("f(1, 2") == "E14e `(`");
  CHECK(errors_of("[1, 2") == "E14e `[`");
  CHECK(errors_of("K{1, 2") == "E14e `{`");
  CHECK(errors_of("{x : U32") == "E14e `{`");
  const Parsed parsed{in_def("f(1, 2") + "def g() -> U32: 1"};
  CHECK(parsed.messages() == "E14e `(`");
  CHECK(parsed.tree.decls.size() == 2);
}

TEST_CASE("a bracket closed by another notes its opener") {
  const Parsed parsed{in_def("f(1, 2]")};
  REQUIRE(parsed.messages() == "E14a `]`");
  CHECK(parsed.diag().text == "expected `,` or `)`, found `]`");
  REQUIRE(parsed.diag().notes.size() == 1);
  CHECK(parsed.diag().notes[0].text == "to close this `(`");
  CHECK(parsed.sources.text(parsed.diag().notes[0].span) == "(");
}

TEST_CASE("show spells literals so that they read back") {
  for (const char* text : {"1.5", "1.0", "1.0e+21", "0.1", "'a'", "'\\''",
                           "'\"'", "\"q\\\"n\\n'\"", "'\\u{1}'", "3n", "42"}) {
    CHECK(shown(text) == text);
  }
}
