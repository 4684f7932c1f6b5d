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
  Value* run(Def def, ArgList args, Value*& block);
  bool has(Def def) const {
    return index(def) < rows_.size() && rows_[index(def)] != nullptr;
  }
  // The result when it costs no more than remembering the call: a word
  // operation whose arguments are all words. It keeps accumulators flat.
  Value* at_once(Def def, ArgList args);
  WordRow row(Def def) const {
    return index(def) < words_.size() ? words_[index(def)] : WordRow{};
  }

 private:
  // A row gets the live arguments only, and sets `block` when it is stuck.
  using Fn = std::function<Value*(Value* const*, Value*&)>;
  void bind(const char* name, Fn fn);
  WordRow& word_row(const char* name);
  // Rows of words: two give one, two are tested, one gives one.
  using U = std::uint32_t;
  void word2(ValueKind kind, const char* name, U (*f)(U, U));
  void word1(ValueKind kind, const char* name, U (*f)(U));
  void test(ValueKind kind, const char* name, bool (*f)(U, U));
  void link_u32();
  void link_words();
  void link_f32();
  void link_nat();
  void link_arrays();
  void link_atomics();

  Value* force(Value* v, ValueKind kind, Value*& block);
  bool u32_arg(Value* v, std::uint32_t& n, Value*& block) {
    return word_arg(ValueKind::kU32, v, n, block);
  }
  bool word_arg(ValueKind kind, Value* v, std::uint32_t& n, Value*& block);
  bool text_arg(Value* v, std::string& text, Value*& block);
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
  std::vector<WordRow> words_;  // by def, for `at_once`
  WordRow unbound_;
};

}  // namespace tine::core
