// The native engine's entry: one run of a book's main in compiled code.
#pragma once

#include "runtime/native/object.h"
#include "runtime/net/code.h"
#include "runtime/net/engine.h"

namespace tine {

// `program` is what `emit_c(book, numbers)` says, compiled. As run_net: never
// throws, never exits; all that the run allocated is gone when it returns.
RunOutcome run_native(const Book& book, const NetProgram& numbers,
                      const NativeProgram& program, const RunRequest& request);

}  // namespace tine
