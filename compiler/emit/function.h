// One definition as a C function.
#pragma once

#include <string>
#include <vector>

#include "compiler/emit/lent.h"
#include "compiler/emit/reach.h"
#include "compiler/emit/reps.h"

namespace tine {

// One C function: a definition, some parameters of which (bit by bit) may be
// lent.
struct EmitForm {
  DefId def;
  std::uint64_t lent = 0;
  auto operator<=>(const EmitForm&) const = default;
};

// What the functions of a file share.
struct EmitShared {
  const Book& book;
  const NetProgram& numbers;
  Reps reps;
  std::vector<std::string> names{};   // by DefId
  std::vector<bool> entered{};        // by DefId: a closure stands for it
  Readers readers;
  Reach reach;
  bool counts = false;
  std::vector<EmitForm> lent_forms{};          // asked for, in order
  std::map<EmitForm, std::string> lent_names{};
  std::map<DefId, unsigned> lent_counts{};
  std::string texts{}, forks{};        // file-level tables
  std::size_t text_count = 0, fork_count = 0;
  std::string missing{};              // a primitive without C
};

std::string function_head(EmitShared& shared, const EmitForm& form);
// The name of the form, which will be emitted; "" when the definition has too
// many forms already.
std::string form_name(EmitShared& shared, const EmitForm& form);
// `check`: looks at the stack before its calls.
std::string emit_function(EmitShared& shared, const EmitForm& form,
                          bool check);
// The function by which closures reach the definition.
std::string emit_entry(EmitShared& shared, DefId def);

}  // namespace tine
