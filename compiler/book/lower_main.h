// What an engine enters: is `main` an action or a value, and can its value be
// printed.
#pragma once

#include <set>
#include <string>

#include "compiler/book/lower_types.h"
#include "compiler/core/term.h"
#include "compiler/core/theory.h"

namespace tine {

class MainType {
 public:
  MainType(core::Globals& globals, core::Theory& theory, LowerTypes& types)
      : globals_(globals), theory_(theory), types_(types) {}

  // The A when `type` is IO(A), that is
  // @-R: Type -> (A -> IO.OP<R>) -> IO.OP<R>; else null.
  core::Value* answer_of_action(core::Value* type);
  // What in the type keeps its values from being printed: "a function", ..;
  // "" when they can be printed.
  std::string unprintable(core::Value* type);

 private:
  std::string look_at(core::Value* type);
  std::string look_at_data(core::Value* type);
  std::string look_at_fields(core::Ctor ctor, const core::Env* env);

  core::Globals& globals_;
  core::Theory& theory_;
  LowerTypes& types_;
  std::set<TypeId> seen_;
};

// The closed term of an action as a function of its continuation: lambdas
// over the erased R and over k, with the application pushed inwards past lets
// and matches. `IO.print("x")` gives `R => k => IO.print("x", R, k)`.
const core::Term* applied_action(core::Globals& globals,
                                 const core::Term* action);

}  // namespace tine
