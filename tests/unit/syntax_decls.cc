// Declarations, import headers, recovery.
#include <doctest/doctest.h>

#include <string>

#include "compiler/syntax/imports.h"
#include "tests/unit/syntax_support.h"

using namespace tine;
using namespace tine::testing;

namespace {

std::string messages(const std::string& text) {
  return Parsed(text).messages();
}

const Decl& first_decl(const Parsed& parsed) { return parsed.tree.decls.at(0); }

}  // namespace

TEST_CASE("defs") {
  const Parsed parsed{
      "def go(~T: Data, a, -n: Nat, +i: U32 x: T) -> U32 & U32: i"};
  REQUIRE(parsed.count() == 0);
  const Decl& decl = first_decl(parsed);
  CHECK(decl.kind == DeclKind::kDef);
  CHECK(decl.text == "go");
  CHECK(parsed.sources.text(decl.span) == "go");
  CHECK(parsed.sources.text(decl.whole).substr(0, 6) == "def go");
  CHECK(parsed.sources.text(decl.whole).ends_with("U32: i"));
  REQUIRE(decl.params.size() == 5);
  CHECK(decl.params[0].is_template);
  CHECK(decl.params[1].type == nullptr);
  CHECK(decl.params[2].mark == Mark::kErased);
  CHECK(parsed.sources.text(decl.params[2].span) == "-n");
  CHECK(decl.params[3].mark == Mark::kReuse);
  CHECK(show(decl.params[4].type) == "T");
  CHECK(show(decl.result) == "U32 & U32");
}

TEST_CASE("unsafe defs") {
  CHECK(first_decl(Parsed("@unsafe def f() -> U32: 1")).is_unsafe);
  CHECK(first_decl(Parsed("@unsafe\ndef f() -> U32: 1")).is_unsafe);
  CHECK(first_decl(Parsed("def f?(n: Nat) -> U32: f(n)")).is_unsafe);
  CHECK_FALSE(first_decl(Parsed("def f() -> U32: 1")).is_unsafe);
  CHECK(messages("@safe def f() -> U32: 1") == "E14n `safe`");
  CHECK(messages("@unsafe type T is Data:") == "E14a `type`");
}

TEST_CASE("fills") {
  const Parsed parsed{"def M.claim(a, b): a"};
  CHECK(parsed.count() == 0);
  CHECK(first_decl(parsed).kind == DeclKind::kFill);
  CHECK(first_decl(parsed).text == "M.claim");
  const Parsed typed{"def f(x: U32): x"};
  CHECK(typed.messages() == "E12b `x`");
  CHECK(typed.diag().repair.find("-> T") != std::string::npos);
}

TEST_CASE("templates lead the parameters") {
  CHECK(messages("def f(x: U32, ~k: U32) -> U32: x") == "E10e `~k`");
  CHECK(messages("type T<~A: Data> is Data:") == "E10h `~`");
  CHECK(messages("type T is Data:\n  K{~x: U32}") == "E10h `~`");
  CHECK(messages("law l:\n  for x: T\n  for ~y: T\n  {x == y : T}") ==
        "E10e `~y`");
}

TEST_CASE("parameters written wrongly") {
  CHECK(messages("def f(-a) -> U32: 1") == "E14a `)`");
  CHECK(messages("def f(3) -> U32: 1") == "E02c `3`");
  CHECK(messages("def f(x: ) -> U32: 1") == "E14b `)`");
  CHECK(messages("def f(x: U32 -> U32: 1") == "E14a `:`");
  CHECK(messages("def f(x: U32") == "E14e `(`");
  CHECK(messages("def f -> U32: 1") == "E14a `->`");
  CHECK(messages("def f() U32: 1") == "E14a `U32`");
  CHECK(messages("def f() -> U32 1") == "E14a `1`");
  CHECK(messages("def (x) -> U32: 1") == "E02c `(`");
  CHECK(messages("def case() -> U32: 1") == "E02a `case`");
  CHECK(messages("def Pt.3x() -> U32: 1") == "E02b `Pt.3x`");
  CHECK(messages("def f() -> U32:\ndef g() -> U32: 1") == "E14b `def`");
  CHECK(messages("def f() -> U32:") == "E14b ``");
}

TEST_CASE("foreign bodies") {
  const Parsed parsed{
      "def f(x: U32) -> IO(Unit):\n  import \"a.c\"\n  import \"a.js\"\n"
      "def g() -> U32: 1"};
  REQUIRE(parsed.count() == 0);
  CHECK(first_decl(parsed).is_foreign);
  CHECK(first_decl(parsed).body == nullptr);
  CHECK(first_decl(parsed).foreign ==
        std::vector<std::string>{"a.c", "a.js"});
  CHECK(messages("def f() -> U32: import \"a.c\"") == "E29b `U32`");
  CHECK(messages("def f() -> IO(U32): import \"a.py\"") == "E29e `\"a.py\"`");
  CHECK(messages("def f(~T: Data) -> IO(T): import \"a.c\"") == "E10g `~T`");
  CHECK(messages("def f() -> IO(U32): import a") == "E14a `a`");
}

TEST_CASE("types") {
  const Parsed parsed{
      "type Map<a, -V: Kind(a)> is Kind(a):\n  MTip{}\n"
      "  MLeaf {key: String, val: V}"};
  REQUIRE(parsed.count() == 0);
  const Decl& decl = first_decl(parsed);
  CHECK(decl.kind == DeclKind::kType);
  REQUIRE(decl.params.size() == 2);
  CHECK(decl.params[0].type == nullptr);
  CHECK(decl.params[1].mark == Mark::kErased);
  CHECK(show(decl.params[1].type) == "Kind(a)");
  CHECK(show(decl.result) == "Kind(a)");
  REQUIRE(decl.ctors.size() == 2);
  CHECK(decl.ctors[1].fields.size() == 2);
  CHECK(parsed.sources.text(decl.ctors[1].span) == "MLeaf");
}

TEST_CASE("type parameters may start with an erased one or be none") {
  const Parsed parsed{"type Word.Con<-p: Nat> is Data:\n  K{x: F<A>}\n"
                      "type E is Data:\ntype F<> is Data:"};
  REQUIRE(parsed.count() == 0);
  const Param& param = first_decl(parsed).params.at(0);
  CHECK(param.mark == Mark::kErased);
  CHECK(parsed.sources.text(param.span) == "-p");
  CHECK(parsed.tree.decls.size() == 3);
}

TEST_CASE("types written wrongly") {
  CHECK(messages("type T:\n  K{}") == "E14a `:`");
  CHECK(messages("type T is Data:\n  K\n") == "E14a ``");
  CHECK(Parsed("type T is Data:\n  K\n").diag().repair ==
        "write `K{}` for a constructor without fields");
  CHECK(messages("type T is Data:\n  K{x: U32, x: Bool}") == "E03c `x`");
  CHECK(messages("type T is Data:\n  3") == "E14c `3`");
  CHECK(messages("type T<a is Data:") == "E02a `is`");
  CHECK(messages("type T<a: Quant is Data:") == "E02a `is`");
}

TEST_CASE("laws") {
  const Parsed parsed{
      "law comm:\n  for ~T: Data\n  for +a: Nat where Q(a)\n"
      "  exs b: Nat\n  {a == b : Nat}"};
  REQUIRE(parsed.count() == 0);
  const Decl& decl = first_decl(parsed);
  CHECK(decl.kind == DeclKind::kLaw);
  REQUIRE(decl.clauses.size() == 3);
  CHECK(decl.clauses[0].param.is_template);
  CHECK(decl.clauses[1].param.mark == Mark::kReuse);
  CHECK(show(decl.clauses[1].where) == "Q(a)");
  CHECK(decl.clauses[2].kind == ClauseKind::kExs);
  CHECK(show(decl.body) == "{a == b : Nat}");
  CHECK(messages("law l\n  A") == "E14a ``");
  CHECK(messages("law l:\n  for 3: A\n  B") == "E02c `3`");
}

TEST_CASE("a run reports the errors of many declarations") {
  const Parsed parsed{
      "def a() -> U32: )\n"
      "def b() -> U32: 1\n"
      "type c is Data\n"
      "@unsafe def d() -> U32: f(\n"
      "law e: ]\n"
      "junk\n"
      "def f() -> U32: 0x2\n"};
  CHECK(parsed.messages() ==
        "E14b `)`\nE14a ``\nE14e `(`\nE14b `]`\nE05b `0x2`");
  CHECK(parsed.diag(0).where == "a");
  CHECK(parsed.diag(2).where == "d");
}

TEST_CASE("junk at the top level") {
  CHECK(messages("x") == "E14c `x`");
  CHECK(messages("def f() -> U32: 1\n  2") == "E14c `2`");
  CHECK(messages("def f() -> U32: 1 ; 2") == "E14c `;`");
  CHECK(messages("def f() -> U32: 1\nimport Base") == "E01i `import`");
}

// Imports
// -------

TEST_CASE("import lines") {
  const Parsed parsed{
      "# head\n\nimport Base # all\n  import ./a/b-c.bend as A\n"
      "import par/scan as Scan\r\nimport ../../x.bend as X\n"
      "import /abs/y.bend as Y\n\ndef f() -> U32: 1"};
  REQUIRE(parsed.count() == 0);
  REQUIRE(parsed.tree.imports.size() == 5);
  CHECK(parsed.tree.imports[0].path == "Base");
  CHECK(parsed.tree.imports[0].alias == "");
  CHECK(parsed.tree.imports[1].path == "./a/b-c.bend");
  CHECK(parsed.tree.imports[1].alias == "A");
  CHECK(parsed.sources.text(parsed.tree.imports[1].span) ==
        "import ./a/b-c.bend as A");
  CHECK(parsed.sources.text(parsed.tree.imports[1].path_span) ==
        "./a/b-c.bend");
  CHECK(parsed.tree.imports[2].alias == "Scan");
  CHECK(parsed.tree.decls.size() == 1);
  CHECK(parsed.tree.comments.size() == 2);
}

TEST_CASE("a byte order mark is skipped") {
  const Parsed parsed{"\xEF\xBB\xBFimport Base\ndef f() -> U32: 1"};
  CHECK(parsed.count() == 0);
  CHECK(parsed.tree.imports.size() == 1);
  CHECK(Parsed("\xEF\xBB\xBF" "def f() -> U32: 1").count() == 0);
}

TEST_CASE("the forms of an import path") {
  CHECK(classify_import("Base") == ImportKind::kBase);
  CHECK(classify_import("par/scan") == ImportKind::kLibrary);
  CHECK(classify_import("scan") == ImportKind::kLibrary);
  CHECK(classify_import("a-b/c_1") == ImportKind::kLibrary);
  CHECK(classify_import("./a.bend") == ImportKind::kFile);
  CHECK(classify_import("a.bend") == ImportKind::kFile);
  CHECK(classify_import("lib/a.bend") == ImportKind::kFile);
  CHECK(classify_import("../../a.bend") == ImportKind::kFile);
  CHECK(classify_import("./../a.bend") == ImportKind::kFile);
  CHECK(classify_import("/abs/a.bend") == ImportKind::kFile);
  CHECK(classify_import("0x12ab/f.bend") == ImportKind::kHub);
  CHECK(classify_import("name@1.2.3.4/f.bend") == ImportKind::kHub);
  CHECK(classify_import("./a") == ImportKind::kNoSuffix);
  CHECK(classify_import("a.txt") == ImportKind::kNoSuffix);
  CHECK(classify_import("./my.lib.bend") == ImportKind::kMalformed);
  CHECK(classify_import("./3a.bend") == ImportKind::kMalformed);
  CHECK(classify_import("a/../b.bend") == ImportKind::kMalformed);
  CHECK(classify_import(".bend") == ImportKind::kMalformed);
  CHECK(classify_import("a//b.bend") == ImportKind::kMalformed);
  CHECK(is_import_alias("_A1"));
  CHECK_FALSE(is_import_alias("1A"));
  CHECK_FALSE(is_import_alias("A.B"));
}

TEST_CASE("import lines written wrongly") {
  CHECK(messages("import") == "E01a `import`");
  CHECK(messages("import ./a.bend as") == "E01a `import ./a.bend as`");
  CHECK(messages("import ./a.bend") == "E01b `./a.bend`");
  CHECK(Parsed("import ./a.bend").diag().repair ==
        "write `import ./a.bend as Name`");
  CHECK(messages("import ./a.bend as A\nimport ./b.bend as A") == "E01c `A`");
  CHECK(messages("import ./a as A") == "E01d `./a`");
  CHECK(Parsed("import ./a as A").diag().repair == "write `./a.bend`");
  CHECK(messages("import ./my.lib.bend as L") == "E01e `./my.lib.bend`");
  CHECK(messages("import 0x12/f.bend as P") == "E01h `0x12/f.bend`");
  CHECK(messages("import n@1.2/f.bend as P") == "E01h `n@1.2/f.bend`");
  CHECK(messages("import ./a.bend as A.B") == "E01l `A.B`");
  CHECK(messages("import Base as B") == "E01m `as`");
  CHECK(messages("import ./a.bend to A") == "E01m `to`");
  CHECK(messages("import ./a.bend as A now") == "E01m `now`");
}

TEST_CASE("every bad import line is reported, and the rest is read") {
  const Parsed parsed{"import ./a as A\nimport\nimport Base\n"
                      "def f() -> U32: )"};
  CHECK(parsed.messages() == "E01d `./a`\nE01a `import`\nE14b `)`");
  CHECK(parsed.tree.imports.size() == 1);
}

// Expressions
// -----------

TEST_CASE("one expression") {
  const auto parse = [](const std::string& text, Sink& sink) {
    static SourceMap sources;
    static FileTree tree;
    const FileId file = sources.add("<eval>", text);
    const Node* node = parse_expression(sources, file, tree, sink);
    return node == nullptr ? std::string("null") : show(node);
  };
  Sink good;
  CHECK(parse("  f(1)[2]\n", good) == "f(1)[2]");
  CHECK(parse("x = f(1)\n x", good) == "x = f(1); x");
  CHECK(good.errors() == 0);
  Sink bad;
  CHECK(parse("f(1) )", bad) == "null");
  CHECK(parse("", bad) == "null");
  CHECK(parse("0x1", bad) == "null");
  CHECK(bad.errors() == 3);
  CHECK(bad.diags()[0].text == "expected the end of the expression, found `)`");
}
