// Prints a stage of the compilation other than the book.
#pragma once

#include <string>
#include <string_view>

#include "compiler/driver/state.h"

namespace tine {

// "surface" or "core"; for another name "" and a message.
std::string dump_stage(Program::State& state, std::string_view stage);

}  // namespace tine
