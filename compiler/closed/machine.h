// The machine for closed programs: runs code (code.h) on two stacks of its
// own, so that neither recursion nor a chain of thunks takes host stack.
#pragma once

#include "compiler/closed/coder.h"

namespace tine::closed {

// Where the machine is. Both words travel in registers; no op means that the
// run has ended, with a value or not.
struct Spot {
  const ClosedOp* op = nullptr;
  Cell* frame = nullptr;
};

class ClosedMachine {
 public:
  ClosedMachine(const core::Globals& globals, core::Theory& theory);

  enum class Outcome : std::uint8_t {
    kValue,
    kBeyond,  // the program needs what this machine lacks
    kFailed,  // a limit of the theory was met
  };
  // Evaluates a closed term to a value; once the outcome was another, it
  // stays that.
  Outcome run(const core::Term* term, Cell& cell);
  // The same for a cell.
  Outcome run(Cell& cell);
  // Counts the successors of a natural, too.
  Outcome count(Cell& cell);
  // Tells the theory of the last steps.
  Outcome finish();
  // Cells that the collector has to see besides.
  std::vector<Cell>& roots() { return roots_; }
  Functions& functions() { return functions_; }
  std::size_t bytes() const { return heap_.bytes(); }

 private:
  // Waits for a value.
  struct Waiting {
    const ClosedOp* op;
    Cell* frame;
  };
  static Cell get(const ClosedOperand& operand, const Cell* frame) {
    const Cell* at = operand.slot >= 0 ? frame + operand.slot : &operand.cell;
    return *at;
  }
  Outcome run(Spot at, Cell& cell);
  // These give where it goes on.
  void loop(Spot at);
  Spot give(Cell value);
  Spot enter(Cell* thunk, Cell* base);
  Spot reach(Cell value, Cell* base);
  Spot force(Spot at);
  Spot call(Spot at);
  Spot apply(Cell fn, std::size_t n, Cell* base);
  Spot start_call(ClosedFn* fn, Cell* frame);
  Spot object(Spot at);
  Spot succ(Spot at);
  Spot prim(Spot at);
  Spot prim_now(Spot at);
  Spot put_result(Cell result, const Cell* pair, Spot at);
  Spot natural(Spot at);
  Spot match_ctor(Spot at);
  Spot match_nat(Spot at);
  Spot match_word(Spot at);
  Spot match_text(Cell text, Spot at);
  Spot take(const ClosedArm& arm, Spot at);
  Spot unready(Cell cell, Spot at);

  Cell* make(std::size_t cells, const ClosedOp* op, Cell* frame);
  bool collect(const ClosedOp* op, Cell* frame);
  void visit(const Waiting& waiting);
  bool look();
  Spot beyond();
  Spot fail(core::TheoryFailure failure);

  core::Theory& theory_;
  CellHeap heap_;
  Functions functions_;
  Coder coder_;
  CellSpace stack_, control_;
  Waiting* top_ = nullptr;  // of the control stack
  Waiting* low_ = nullptr;  // as low as that was since the last collection
  Waiting* old_ = nullptr;  // and since the one before
  Waiting* end_ = nullptr;
  std::uint64_t steps_ = 0;  // that the theory was not told of
  std::uint64_t look_at_ = 0;
  Outcome outcome_ = Outcome::kValue;
  Cell result_ = 0;
  ClosedOp halt_, update_, rest_;
  std::vector<Cell> roots_;
  std::vector<Cell> scratch_;  // arguments on their way
  Cell pair_ = 0;              // the header of a pair
};

}  // namespace tine::closed
