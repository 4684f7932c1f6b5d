#include "compiler/closed/machine.h"

#include <algorithm>

namespace tine::closed {

using core::TheoryFailure;

namespace {
constexpr std::uint64_t kLook = 4096;  // steps between looks at the clock
}

ClosedMachine::ClosedMachine(const core::Globals& globals, core::Theory& theory)
    : theory_(theory),
      heap_(theory.limits().memory / 4 * 3),
      functions_(globals, theory),
      coder_(functions_, heap_),
      stack_(theory.limits().memory / 8 / sizeof(Cell)),
      control_(theory.limits().memory / 8 / sizeof(Cell)),
      scratch_(2 * kMaxSize) {
  top_ = low_ = old_ = reinterpret_cast<Waiting*>(control_.begin());
  end_ = reinterpret_cast<Waiting*>(control_.end());
  halt_.sort = OpSort::kHalt;
  update_.sort = OpSort::kUpdate;
  rest_.sort = OpSort::kApplyRest;
  look_at_ = std::min(kLook, theory_.fuel_left() + 1);
  core::Ctor tuple = theory.ids().tuple;
  if (tuple != core::Ctor::kNone)
    pair_ = header(CellShape::kCtor, 2, globals.ctor(tuple).tag,
                   core::index(tuple));
}

ClosedMachine::Outcome ClosedMachine::finish() {
  if (outcome_ == Outcome::kValue) look();
  return outcome_;
}

// ---- ends and limits ------------------------------------------------------

Spot ClosedMachine::beyond() {
  outcome_ = Outcome::kBeyond;
  return {};
}

Spot ClosedMachine::fail(TheoryFailure failure) {
  theory_.fail(failure);
  outcome_ = Outcome::kFailed;
  return {};
}

bool ClosedMachine::look() {
  bool good = theory_.charge(steps_);
  steps_ = 0;
  look_at_ = std::min(kLook, theory_.fuel_left() + 1);
  if (!good) outcome_ = Outcome::kFailed;
  return good;
}

// ---- memory ---------------------------------------------------------------

void ClosedMachine::visit(const Waiting& waiting) {
  std::size_t n = waiting.op->depth;
  if (waiting.op->sort == OpSort::kUpdate) n = 1;
  if (waiting.op->sort == OpSort::kApplyRest) n = 1 + nat_of(waiting.frame[0]);
  for (std::size_t i = 0; i < n; ++i) heap_.visit(waiting.frame[i]);
}

// What has waited below `old_` for two collections points to nothing young.
// Only the frame at hand is written to, and where that waits for a part of
// itself it is the last that waits there.
bool ClosedMachine::collect(const ClosedOp* op, Cell* frame) {
  if (!heap_.begin()) return fail(TheoryFailure::kMemory), false;
  Waiting* bottom = reinterpret_cast<Waiting*>(control_.begin());
  old_ = std::min(old_, low_);
  Waiting* from = heap_.whole() || old_ == bottom ? bottom : old_ - 1;
  for (; from < top_; ++from) visit(*from);
  if (op)
    for (std::size_t i = 0; i < op->depth; ++i) heap_.visit(frame[i]);
  for (Cell& cell : roots_) heap_.visit(cell);
  old_ = low_ == bottom ? bottom : low_ - 1;
  low_ = top_;
  if (!heap_.finish()) fail(TheoryFailure::kMemory);
  return outcome_ != Outcome::kFailed;
}

}  // namespace tine::closed
