// One run of a program's main on an engine.
#pragma once

#include <string>

#include "compiler/driver/state.h"

namespace tine {

Outcome run_on_net(const Program::State& state, const RunOptions& options);

// Outcomes of programs that cannot run.
Outcome unknown_engine(const std::string& engine);
Outcome program_wrong();

}  // namespace tine
