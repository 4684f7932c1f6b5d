// Evaluates an expression of a checked program in the theory.
#pragma once

#include <cstddef>
#include <string_view>

#include "compiler/driver/state.h"

namespace tine {

// `expression` empty means main. `stack` is the size of the current stack.
EvalResult eval_in_theory(Program::State& state, std::string_view expression,
                          std::size_t stack);

}  // namespace tine
