// Copies and drops: rules written with free use of wires come out linear.
#include "compiler/book/lower_linear.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compiler/book/text.h"
#include "compiler/core/theory.h"

namespace tine {
namespace {

// A rule of words only, in a book of its own.
struct Words {
  core::Globals globals;
  core::Theory theory{globals};
  Book book;
  LowerTypes types{globals, theory, book};
  RawRule rule;

  Wire wire(const std::string& name, TypeId type = kTypeU32) {
    rule.wires.push_back(WireRow{name, type});
    return static_cast<Wire>(rule.wires.size() - 1);
  }
  Wire param(const std::string& name, TypeId type = kTypeU32) {
    rule.params.push_back(wire(name, type));
    return rule.params.back();
  }
  static Stmt prim(Prim prim, std::vector<Wire> ins, Wire out) {
    Stmt stmt;
    stmt.op = Op::kPrim;
    stmt.prim = prim;
    stmt.ins = std::move(ins);
    stmt.outs = {out};
    return stmt;
  }
  static Stmt move(Wire in) {
    Stmt stmt;
    stmt.op = Op::kMove;
    stmt.ins = {in};
    stmt.outs = {Wire::kOut};
    return stmt;
  }
  // The definition, after the verifier has seen it.
  const DefRow& linear() {
    DefId id = book.add_def("f");
    DefRow& row = book.def(id);
    row.result = kTypeU32;
    row.defined = true;
    make_linear(rule, book, types, row);
    std::vector<BookError> errors = verify_book(book);
    for (const BookError& error : errors) FAIL_CHECK(error.text);
    return book.def(id);
  }
};

std::vector<Op> ops(const Block& block) {
  std::vector<Op> list;
  for (const Stmt& stmt : block) list.push_back(stmt.op);
  return list;
}

TEST_CASE("one use needs neither copy nor drop") {
  Words w;
  Wire a = w.param("a");
  w.rule.block = {Words::move(a)};
  CHECK(ops(w.linear().block) == std::vector<Op>{Op::kMove});
}

TEST_CASE("n uses are n - 1 copies, each before the statement that needs it") {
  Words w;
  Wire a = w.param("a");
  Wire b = w.wire("b");
  w.rule.block = {Words::prim(Prim::kU32Mul, {a, a}, b),
                  Words::prim(Prim::kU32Add, {a, b}, Wire::kOut)};
  const DefRow& f = w.linear();
  CHECK(ops(f.block) ==
        std::vector<Op>{Op::kCopy, Op::kCopy, Op::kPrim, Op::kPrim});
  CHECK(f.params == 1);
}

TEST_CASE("what nobody uses is dropped where it is defined") {
  Words w;
  Wire a = w.param("a");
  w.param("b");
  Wire c = w.wire("c");
  Stmt copy_free = Words::prim(Prim::kU32Not, {a}, c);
  Stmt five;
  five.op = Op::kU32;
  five.num = 5;
  five.outs = {Wire::kOut};
  w.rule.block = {copy_free, five};
  CHECK(ops(w.linear().block) ==
        std::vector<Op>{Op::kDrop, Op::kPrim, Op::kDrop, Op::kU32});
}

// match n { 0n: out = a; 1n+p: out = b }
TEST_CASE("what only some arms use is dropped at the start of the others") {
  Words w;
  Wire n = w.param("n", kTypeNat);
  Wire a = w.param("a");
  Wire b = w.param("b");
  Wire p = w.wire("p", kTypeNat);
  Stmt match;
  match.op = Op::kMatch;
  match.ins = {n};
  match.arms.resize(2);
  match.arms[0].kind = ArmKind::kZero;
  match.arms[0].block = {Words::move(a)};
  match.arms[1].kind = ArmKind::kSucc;
  match.arms[1].binds = {p};
  match.arms[1].block = {Words::move(b)};
  w.rule.block = {match};
  const DefRow& f = w.linear();
  REQUIRE(ops(f.block) == std::vector<Op>{Op::kMatch});
  const std::vector<Arm>& arms = f.block[0].arms;
  CHECK(ops(arms[0].block) == std::vector<Op>{Op::kDrop, Op::kMove});
  CHECK(ops(arms[1].block) == std::vector<Op>{Op::kDrop, Op::kDrop, Op::kMove});
}

TEST_CASE(
    "a scrutinee that the arms use too is copied once, before the match") {
  Words w;
  Wire n = w.param("n", kTypeNat);
  Wire p = w.wire("p", kTypeNat);
  Stmt match;
  match.op = Op::kMatch;
  match.ins = {n};
  match.arms.resize(2);
  for (Arm& arm : match.arms) {
    arm.block = {Words::prim(Prim::kU32FromNat, {n}, Wire::kOut)};
  }
  match.arms[0].kind = ArmKind::kZero;
  match.arms[1].kind = ArmKind::kSucc;
  match.arms[1].binds = {p};
  w.rule.block = {match};
  const DefRow& f = w.linear();
  CHECK(ops(f.block) == std::vector<Op>{Op::kCopy, Op::kMatch});
  CHECK(ops(f.block[1].arms[0].block) == std::vector<Op>{Op::kPrim});
}

TEST_CASE("a long chain costs as much as it is long") {
  Words w;
  Wire a = w.param("a");
  Wire last = a;
  for (int i = 0; i < 20000; i++) {
    Wire next = w.wire("x");
    w.rule.block.push_back(Words::prim(Prim::kU32Add, {last, a}, next));
    last = next;
  }
  w.rule.block.push_back(Words::move(last));
  CHECK(w.linear().block.size() == 2 * 20000 + 1);
}

}  // namespace
}  // namespace tine
