// Normal forms of closed programs, fast.
//
// The theory evaluates open terms, for the checker. What `tine eval` is asked
// for is mostly closed and first order: words, naturals, texts and datatypes.
// This room computes the normal form of such a term on a machine of its own,
// with code, a stack and a collector made for it; call by need with shared
// results, as in the theory. What it lacks (functions and types as results,
// arrays, effects, naturals past 2^60) it leaves to the theory.
#pragma once

#include "compiler/core/theory.h"

namespace tine::closed {

// The normal form of a closed term; null when the theory met a limit, or when
// this room cannot tell. The limits are those of the theory, and the steps
// are counted there.
core::Term* normal_form(core::Globals& globals, core::Theory& theory,
                        const core::Term* term);

}  // namespace tine::closed
