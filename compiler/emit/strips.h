// Counted loops, found by looking at a definition:
//
//   f (n: Nat) (j: U32) (a: Array<U32>) ..
//     match n
//       0n:   ..
//       1n+p: ..  call f p (j + 1) a ..     in tail position, on every way
//
// Such a loop runs in strips: one look at the limits, then as many rounds as
// the strip is long. Where an array stays the same from round to round and is
// indexed by a parameter that grows by one, a strip that does not reach the
// array's end needs no mask, so that the C compiler may vectorise it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

struct CountedLoop {
  struct Access {
    const Stmt* stmt;       // an array.get or array.set
    std::uint32_t array;    // parameters
    std::uint32_t index;
  };
  std::uint32_t count = 0;          // the parameter that counts down
  const Arm* done = nullptr;        // its arms
  const Arm* round = nullptr;
  std::vector<bool> steps;          // by parameter: grows by one each round
  std::vector<Access> accesses;     // that need no mask inside of a strip
};

std::optional<CountedLoop> counted_loop(const Book& book, DefId def);

}  // namespace tine
