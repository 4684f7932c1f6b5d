// Checks a program: names, types, quantities, kinds, coverage, descent.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/core/term.h"
#include "compiler/core/theory.h"

namespace tine::core {

// One loaded file, in load order (imports before importers, Base first).
struct Module {
  const FileTree* tree = nullptr;
  std::string space;   // namespace: "" for Base and the entry file
  bool is_base = false;
  bool is_entry = false;
  // alias -> namespace of the imported file
  std::vector<std::pair<std::string, std::string>> aliases;
};

struct CheckResult {
  // Defs outside Base that rely on unsafe code, "namespace.name", file order.
  std::vector<std::string> unsafe_defs;
  // Open laws and ?TODOs outside Base.
  std::size_t todos = 0;
};

// Reports to `sink` and goes on; a def with an error is kFailed and the
// others are still checked. `theory` keeps its values for later passes.
CheckResult check_program(const std::vector<Module>& modules,
                          Globals& globals, Theory& theory, Sink& sink);

// Checks one closed expression in the scope of the entry module; infers its
// type unless it is a literal or constructor that needs one. Null on error.
struct Typed {
  Term* term = nullptr;
  Value* type = nullptr;
};
Typed check_expression(const std::vector<Module>& modules, Globals& globals,
                       Theory& theory, const Node* node, Sink& sink);

}  // namespace tine::core
