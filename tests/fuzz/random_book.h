// Random books that verify, end, and have one answer.
//
// A book is a row of definitions, each of which may call earlier ones; some
// recurse on a Nat that main keeps small. Every wire is used once, copies
// and drops are inserted as needed, array handles are forked, written and
// joined again within a rule, so that no two lanes share an array.
#pragma once

#include <cstdint>

#include "runtime/book/book.h"

namespace tine::fuzz {

Book random_book(std::uint64_t seed);

}  // namespace tine::fuzz
