// Evaluates an expression of a checked program in the theory.
#pragma once

#include <cstddef>

#include "compiler/driver/state.h"

namespace tine {

// `stack` is the size of the current stack.
EvalResult eval_in_theory(Program::State& state, const EvalOptions& options,
                          std::size_t stack);

}  // namespace tine
