// The compiler of one rule, shared by rule.cc (statements), rule_match.cc
// and rule_prims.cc.
//
// A wire is compiled to a place. Most places are registers; the others are
// interactions whose partner is already known, run while compiling: a
// constant, a constructor that is only ever taken apart, a comparison that is
// only ever matched. Each of them becomes a register when it escapes.
//
// Blocks are compiled off an explicit list (`pending_`), not by recursion, so
// that deeply nested matches need no stack.
#pragma once

#include <utility>
#include <vector>

#include "runtime/heap/array.h"
#include "runtime/net/code.h"
#include "runtime/net/registers.h"
#include "runtime/net/rule.h"

namespace tine {

using Reg = std::uint16_t;

struct Operand {
  enum class Kind : std::uint8_t { kNone, kReg, kConst, kNode, kCompare };
  Kind kind = Kind::kNone;
  Reg reg = 0;
  Code compare = Code::kIsEq;     // kIsEq, kIsNe, kIsLt or kIsLe
  CtorId ctor = CtorId::kNone;
  Word word = 0;
  std::vector<Operand> parts;       // fields, or the two compared

  static Operand of_reg(Reg reg) {
    Operand place;
    place.kind = Kind::kReg;
    place.reg = reg;
    return place;
  }
  static Operand of_word(Word word) {
    Operand place;
    place.kind = Kind::kConst;
    place.word = word;
    return place;
  }
  static Operand of_node(CtorId ctor, std::vector<Operand> parts) {
    Operand place;
    place.kind = Kind::kNode;
    place.ctor = ctor;
    place.parts = std::move(parts);
    return place;
  }
};

class RuleCompiler {
 public:
  RuleCompiler(const Book& book, DefId def, bool trust, NetProgram& program);
  RuleResult run();

 private:
  // A part of a match that waits for its code: one arm, or the tests from
  // one arm on.
  struct Pending {
    const Stmt* match;
    std::size_t arm;
    bool tests;
    Operand scrutinee;
    Registers regs;
    std::uint32_t block;
    std::size_t base;                 // cell that offsets count from
    std::vector<std::size_t> patches; // cells that get the offset
  };

  // rule.cc
  void find_escapes();
  const Block* run_block(const Block& block);
  void statement(const Stmt& stmt);
  void make(const Stmt& stmt);
  void take(const Stmt& stmt);
  void copy(const Stmt& stmt);
  void drop(const Stmt& stmt);
  void call(const Stmt& stmt);
  void loop(const Stmt& stmt);
  void apply(const Stmt& stmt);
  void par(const Stmt& stmt);
  void closure(const Stmt& stmt);
  void request(const Stmt& stmt);
  void give(const Stmt& stmt, Operand place);
  void give_back(Operand place);

  // rule_match.cc
  const Block* match(const Stmt& stmt);
  const Block* match_reg(const Stmt& stmt, Operand scrutinee);
  const Block* match_known(const Stmt& stmt, Operand scrutinee);
  const Block* match_compare(const Stmt& stmt, Operand scrutinee);
  const Block* match_array(const Stmt& stmt, Operand scrutinee);
  const Block* match_ctors(const Stmt& stmt, Operand scrutinee);
  const Block* match_tests(const Stmt& stmt, std::size_t arm,
                           Operand scrutinee);
  const Block* test_succ(const Stmt& stmt, std::size_t zero, std::size_t succ,
                         Operand scrutinee);
  const Block* start_arm(const Stmt& stmt, std::size_t arm, Operand scrutinee);
  const Block* no_arm();
  bool arm_fits(const Arm& arm, TypeId type, const Operand& scrutinee) const;
  void bind_known(const Arm& arm, Operand scrutinee);
  void wait(const Stmt& stmt, std::size_t arm, bool tests,
            const Operand& scrutinee, std::size_t base,
            std::vector<std::size_t> patches);
  const Block* resume();

  // rule_prims.cc
  void prim(const Stmt& stmt);
  Operand arithmetic(Code code, Code code_k, bool commutes, const Stmt& stmt);
  Operand shift(Code code, Code code_k, const Stmt& stmt);
  Operand compare(Code code, Operand x, Operand y);
  Operand simple(Code code, const Stmt& stmt);
  Operand swapped(Code code, const Stmt& stmt);
  Operand nat_add_word(Operand x, std::uint64_t more);
  Operand divmod(const Stmt& stmt);
  Operand array_prim(const Stmt& stmt);
  Operand tuple(Operand first, Operand second);
  CellKind cell_kind(TypeId element) const;

  // Places and registers.
  // A copy: a wire may be used again in another arm.
  Operand input(const Stmt& stmt, std::size_t at) const {
    return wires_[index(stmt.ins[at])];
  }
  TypeId wire_type(Wire wire) const {
    return book_.def(def_).wires[index(wire)].type;
  }
  bool is_word_type(TypeId type) const;
  Word literal(std::uint64_t value, TypeId type) const;
  Reg take_reg();
  Reg reg(Operand& place);          // makes it a register
  Reg use(Operand place);           // the same, and its last use
  void release(const Operand& place);
  std::vector<Reg> use_all(const Stmt& stmt);
  std::vector<Reg> live();
  void bind(Wire wire, Operand place) {
    wires_[index(wire)] = std::move(place);
  }

  // Emission. The result is the cell's index.
  std::size_t emit(Code code, std::size_t a = 0, std::size_t b = 0,
                   std::size_t c = 0);
  static Code special(Code general, std::size_t count, std::size_t least,
                      std::size_t most);
  std::size_t word(Word value);
  void list(const std::vector<Reg>& regs);
  void def_cell(DefId def);
  void patch(std::size_t cell, std::size_t base);
  void emit_make(Reg to, CtorId ctor, const std::vector<Reg>& fields);
  void emit_take(Reg from, CtorId ctor, const std::vector<Wire>& outs);
  void emit_resume(Reg to, const std::vector<Reg>& saved);
  std::size_t here() const { return program_.code.size(); }
  void too_large(const char* what);

  std::uint32_t add_block(std::uint32_t parent);
  BlockCount& count() { return program_.blocks[block_]; }

  const Book& book_;
  const DefId def_;
  const bool trust_;
  NetProgram& program_;
  std::vector<Operand> wires_;
  std::vector<bool> escapes_;
  Registers regs_;
  std::uint32_t most_regs_ = 0;
  std::uint32_t block_ = 0;
  std::vector<Pending> pending_;
  RuleResult result_;
};

}  // namespace tine
