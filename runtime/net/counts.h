// Calls and primitives by definition, as rows of the statistics.
#pragma once

#include <cstdint>

#include "runtime/net/engine.h"

namespace tine {

// `calls` and `prims` have a number for each definition of the book. What has
// one origin is one row; rows of zeros are left out. Adds to the sums too.
void add_def_counts(const Book& book, const std::uint64_t* calls,
                    const std::uint64_t* prims, RunStats& stats);

}  // namespace tine
