// May a rule rely on the types of its wires?
#pragma once

#include "runtime/book/book.h"

namespace tine {

// True when a wire always holds a value of its type, so that a word can be
// told from a boxed value by type alone.
bool types_hold(const Book& book);

}  // namespace tine
