// One run of a program's main on an engine.
#pragma once

#include <string>

#include "compiler/driver/state.h"

namespace tine {

Outcome run_on_net(const Program::State& state, const RunOptions& options);
// Emits and compiles what the book says, once; without a compiler the net
// engine serves and `Outcome::note` says so.
Outcome run_on_native(Program::State& state, const RunOptions& options);

// The C of a book with a main.
std::string emitted_c(const Program::State& state, bool device);

// Compiled for an executable, bytes included.
NativeLoad compiled_bytes(const Program::State& state);

// Outcomes of programs that cannot run.
Outcome unknown_engine(const std::string& engine);
Outcome program_wrong();

}  // namespace tine
