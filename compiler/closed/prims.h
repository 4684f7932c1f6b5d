// Operations on numbers that the machine for closed programs computes itself.
#pragma once

#include <deque>
#include <vector>

#include "compiler/closed/code.h"
#include "compiler/core/theory.h"

namespace tine::closed {

class PrimTable {
 public:
  PrimTable(const core::Globals& globals, const core::Theory& theory);
  ClosedPrim* find(core::Def def) {
    return core::index(def) < by_def_.size() ? by_def_[core::index(def)]
                                             : nullptr;
  }
  std::deque<ClosedPrim>& all() { return prims_; }
  // The result for numbers; 0 when an argument is none, or the result none of
  // this machine. `pair` is where the parts of a pair go, which it is then.
  Cell run(const ClosedPrim& prim, const Cell* args, Cell* pair) const;
  static constexpr Cell kPair = 8;  // `run` gives a pair

 private:
  ClosedPrim& add(const core::Globals& globals, const char* name);
  void add_words(const core::Globals& globals, const core::Theory& theory);
  void add_nats(const core::Globals& globals);
  Cell compare(int order) const {
    return order < 0 ? less_ : order > 0 ? greater_ : equal_;
  }

  std::deque<ClosedPrim> prims_;
  std::vector<ClosedPrim*> by_def_;
  ClosedPrim none_;
  Cell true_ = 0, false_ = 0, less_ = 0, equal_ = 0, greater_ = 0;
};

}  // namespace tine::closed
