// Makes code of functions, when they are first called. See code.h.
//
// A term is compiled in one of three ways: to be a lazy value (`lazy`), to
// be a value (`value`), or to be the result of the function or of an
// evaluation within it (`result`).
#pragma once

#include "compiler/closed/cell_heap.h"
#include "compiler/closed/functions.h"

namespace tine::closed {

class Coder {
 public:
  Coder(Functions& functions, CellHeap& heap)
      : functions_(functions),
        scopes_(functions.scopes()),
        globals_(functions.globals()),
        ids_(functions.ids()),
        heap_(heap) {}

  void code(ClosedFn* fn);

 private:
  // Ops in a row, and how many places of the frame are taken.
  struct Row {
    const ClosedOp** tail;
    std::uint32_t depth;
    bool whole;  // nothing of the frame is needed behind it
  };
  using Operands = std::vector<ClosedOperand>;
  using Terms = std::vector<const core::Term*>;

  ClosedOp& add(Row& row, OpSort sort);
  // An op that writes the next place.
  ClosedOp& add_value(Row& row, OpSort sort);
  void set_args(ClosedOp& op, const Operands& args);
  ClosedOp& finish(Row& row, OpSort sort, const Operands& args);

  // coder.cc
  void result(const core::Term* term, const Bind* scope, Row row);
  void call(const Callee& callee, const Bind* scope, Row& row);
  void call_known(const Callee& callee, const Bind* scope, Row& row);
  void apply(ClosedOperand fn, const Terms& args, std::size_t from,
             const Bind* scope, Row& row);
  const Bind* bind(const core::Term* value, const void* key, Mark mark,
                   const Bind* scope, const Bind* inside, Row& row);
  bool binds(const core::Term*& term, const Bind*& scope, Row& row);
  ClosedOperand value(const core::Term* term, const Bind* scope, Row& row);
  ClosedOperand evaluated(ClosedOperand operand, Row& row);
  ClosedOperand natural(ClosedOperand operand, Row& row);
  ClosedOperand place(ClosedOperand operand, Row& row);
  ClosedOperand prim(const ClosedPrim& prim, const Terms& args,
                     const Bind* scope, Row& row);
  void code_prim(const ClosedPrim& prim, Row row);
  // coder_lazy.cc
  ClosedOperand lazy(const core::Term* term, const Bind* scope, Row& row);
  ClosedOperand lazy_variable(std::uint64_t n, const Bind* scope);
  bool is_simple(const core::Term* term, const Bind* scope);
  ClosedOperand lazy_known(const Callee& callee, const Bind* scope, Row& row);
  ClosedOperand lazy_call(const core::Term* term, const Bind* scope, Row& row);
  ClosedOperand lazy_ctor(const core::Term* term, const Bind* scope, Row& row);
  ClosedOperand lazy_succ(std::uint64_t count, const core::Term* rest,
                          const Bind* scope, Row& row);
  ClosedOperand lambda(const core::Term* term, const Bind* scope, Row& row);
  ClosedOperand thunk(const core::Term* term, const Bind* scope, Row& row);
  ClosedOperand lazy_taken(const Bind* bind, const Bind* scope);
  ClosedOperand object(Cell head, ClosedFn* fn, const Operands& fields,
                       Row& row);
  ClosedOperand known(KnownArg* known);
  ClosedOperand global(ClosedFn* fn);
  ClosedOperand lost() { return global(functions_.lost()); }
  ClosedOperand text(const std::string& text);
  // coder_match.cc
  void match(const core::Term* term, const Bind* scope, Row row);
  void match_ctors(const core::Term* term, std::uint32_t slot,
                   const Bind* scope, Row row);
  void match_nat(const core::Term* term, std::uint32_t slot, const Bind* scope,
                 Row row);
  void match_numbers(const core::Term* term, std::uint32_t slot,
                     const Bind* scope, Row row);
  void arm(const core::TermArm& arm, const Bind* scope, Row row,
           ClosedArm& out);

  Functions& functions_;
  ClosedScopes& scopes_;
  const core::Globals& globals_;
  const core::BaseIds& ids_;
  CellHeap& heap_;
  std::deque<ClosedOp> ops_;
  std::deque<std::vector<ClosedOperand>> operands_;
  std::deque<std::vector<ClosedArm>> arms_;
  StrictLets lets_;          // of the function at hand
  std::uint32_t frame_ = 0;  // places of the function at hand
  std::uint32_t nested_ = 0;
};

}  // namespace tine::closed
