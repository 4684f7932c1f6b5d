// Executables with a program inside: the runner's bytes, then the book's text,
// then the compiled object, then a trailer that says where they begin.
#pragma once

#include <string>

#include "compiler/driver/state.h"

namespace tine {

struct BuiltParts {
  bool found = false;
  std::string book, object;    // the object may be ""
};

BuiltParts read_built(const std::string& executable);
bool has_trailer(const std::string& executable);
Built write_built(Program::State& state, const std::string& path,
                  const std::string& runner);

}  // namespace tine
