// Native computation in the theory: U32, Nat, Char and array operations of
// Base on closed values. Open arguments leave a call stuck, or unfold the
// def's own body where Base gives one.
#pragma once

#include <functional>
#include <vector>

#include "compiler/core/bignat.h"

namespace tine::core {

struct Theory::Natives {
  Natives(Theory& theory, Globals& globals)
      : theory_(theory), globals_(globals) {}

  // Binds the rows to the defs of the tables by name.
  void link();
  // The result of a saturated call; null when the def is no native, or when
  // it waits for an argument, which is then `block`.
  Value* run(Def def, const std::vector<Value*>& args, Value*& block);
  // The result when it costs no more than remembering the call: a word
  // operation whose arguments are all words. It keeps accumulators flat.
  Value* at_once(Def def, const std::vector<Value*>& args);

 private:
  // A row gets the live arguments only, and sets `block` when it is stuck.
  using Fn = std::function<Value*(const std::vector<Value*>&, Value*&)>;
  void bind(const char* name, Fn fn);
  void link_u32();
  void link_nat();
  void link_arrays();
  void link_atomics();

  Value* force(Value* v, ValueKind kind, Value*& block);
  bool u32_arg(Value* v, std::uint32_t& n, Value*& block);
  bool nat_arg(Value* v, BigNat& n, Value*& block);
  Value* pair(Value* a, Value* b);
  Value* cmp(int order);
  bool leaf(Value* v, Value*& value, Value*& block);
  bool array_depth(Value* a, std::uint32_t& depth, Value*& block);
  Value* array_get(Value* a, std::uint32_t depth, std::uint32_t i,
                   Value*& block);
  Value* array_set(Value* a, std::uint32_t depth, std::uint32_t i, Value* x,
                   Value*& block);

  Theory& theory_;
  Globals& globals_;
  std::vector<Fn> rows_;  // by def; empty = no native
  std::vector<bool> cheap_;
};

}  // namespace tine::core
