// Which Base definitions the engines have as their own.
//
// The rows of prims.def and effects.def decide: "u32.add" is Base's `U32.add`,
// "array.atomic.add" is `Array.atomic.add`, "IO.print" is itself.
#pragma once

#include <string>
#include <string_view>

#include "compiler/core/term.h"
#include "runtime/book/book.h"

namespace tine {

// The name in Base of a primitive's row: "u32.add" gives "U32.add".
std::string base_name(std::string_view prim);

// kCount when the def is no primitive / no effect.
Prim native_prim(const core::DefInfo& def);
Effect native_effect(const core::DefInfo& def);

// The number of arguments in a signature's text: "U32 U32 -> U32" has 2.
std::size_t signature_arity(std::string_view signature);
// True when the row speaks of an element type.
bool is_generic(Prim prim);

}  // namespace tine
