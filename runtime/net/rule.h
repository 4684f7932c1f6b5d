// Compiles the rule of one definition.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/net/code.h"

namespace tine {

struct RuleResult {
  std::vector<std::size_t> calls;  // cells that hold a def to be joined
  std::vector<DefId> reached;      // defs called or closed over
};

// Appends code and blocks to `program`. `trust`: wires hold values of their
// types, so those of word types need no test when copied or dropped.
RuleResult compile_rule(const Book& book, DefId def, bool trust,
                        NetProgram& program);

}  // namespace tine
