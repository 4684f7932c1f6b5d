// One definition as a C function.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/reps.h"

namespace tine {

// What the functions of a file share.
struct EmitShared {
  const Book& book;
  const NetProgram& numbers;
  Reps reps;
  std::vector<std::string> names;   // by DefId
  std::vector<bool> entered;        // by DefId: a closure stands for it
  std::string texts, forks;         // file-level tables
  std::size_t text_count = 0, fork_count = 0;
  std::string missing;              // a primitive without C
};

std::string function_head(EmitShared& shared, DefId def);
// `check`: looks at the stack when entered.
std::string emit_function(EmitShared& shared, DefId def, bool check);
// The function by which closures reach the definition.
std::string emit_entry(EmitShared& shared, DefId def);

}  // namespace tine
