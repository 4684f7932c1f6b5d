// Which lets are alive.
//
// A let whose name is never used in live code is removed together with its
// value, and what only that value used is then unused in turn. One walk finds
// all of them: the body of a let is walked before its value, and the value
// only when the body used the name.
//
// Example: in `x = f(a)`, `y = g(x)`, `a` with y unused, both lets go, and
// `a` is used once.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/core/term.h"

namespace tine {

class LiveLets {
 public:
  explicit LiveLets(const core::Globals& globals) : globals_(globals) {}

  // Walks a term that is about to be lowered; a second time costs nothing.
  // Its free variables are those of a def or none.
  void scan(const core::Term* root);
  // Whether name `i` of a scanned kLet or kPar is used live.
  bool used(const core::Term* let, std::size_t i = 0) const;

 private:
  void walk(const core::Term* term);
  void walk_let(const core::Term* term);
  void walk_par(const core::Term* term);
  void walk_match(const core::Term* term);
  void walk_app(const core::Term* term);
  void push(std::size_t n) { used_.resize(used_.size() + n, false); }
  void pop(std::size_t n) { used_.resize(used_.size() - n); }

  const core::Globals& globals_;
  std::vector<bool> used_;  // by binder, innermost last
  std::unordered_set<const core::Term*> scanned_;
  std::unordered_map<const core::Term*, std::vector<bool>> lets_;
};

}  // namespace tine
