// From checked core terms to the book: erasure, specialisation, lowering.
#pragma once

#include <memory>

#include "compiler/core/check.h"
#include "compiler/core/term.h"
#include "compiler/core/theory.h"
#include "runtime/book/book.h"

namespace tine {

struct LowerOptions {
  // Start from `main`; when there is none, from every closed def outside
  // Base (its type parameters become Any).
  bool all_defs = false;
};

// Needs a program without errors. Reports E31 and the like to `sink`; the
// book is unusable then.
void lower_program(core::Globals& globals, core::Theory& theory,
                   const SourceMap& sources, const LowerOptions& options,
                   Book& book, Sink& sink);

}  // namespace tine
