// Counted loops, found by looking at a definition:
//
//   f (n: Nat) (j: U32) (a: Array<U32>) ..
//     match n
//       0n:   ..
//       1n+p: ..  call f p (j + 1) a ..     in tail position, on every way
//
// Such a loop runs in strips: one look at the limits, then as many rounds as
// the strip is long. Where an array stays the same from round to round and its
// index is a parameter that grows by one, plus or minus words and parameters
// that stay the same, `a[up + j - 1]`, a strip that stays inside of the array
// needs no mask, so that the C compiler may vectorise it. Nor does it where a
// part of the index is masked, `a[up + ((j - 1) .&. last)]`, and the mask
// changes nothing in the strip.
//
// What a round reads last and only hands on, `f p (j + 1) (a[j + 1])`, the
// next round may as well read first: without a value carried round, such a
// loop may be vectorised too.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

struct CountedLoop {
  // A parameter, or a field of one that is a record.
  struct Place {
    static constexpr std::uint32_t kWhole = ~std::uint32_t{0};
    std::uint32_t param = 0;
    std::uint32_t field = kWhole;
    auto operator<=>(const Place&) const = default;
  };
  struct Term {
    std::uint32_t param = 0;
    bool minus = false;
    auto operator<=>(const Term&) const = default;
  };
  // What an index is made of: one of the terms is a parameter that steps.
  struct Sum {
    std::vector<Term> terms;  // in order
    std::uint32_t plus = 0;   // modulo 2^32, near 0 on either side
    bool operator==(const Sum&) const = default;
  };
  // `sum .&. mask`: the mask is parameter `param`, or else the literal `word`.
  struct Masked {
    Sum sum;
    std::optional<std::uint32_t> param;
    std::uint32_t word = 0;
  };
  struct Access {
    const Stmt* stmt;       // an array.get or array.set
    Place array;
    Sum index;              // without the mask
    std::optional<Masked> masked;
  };
  // A place that every round fills with what it reads by `read`, which it does
  // not look at itself, with nothing behind the read that writes.
  struct Ahead {
    Place place;
    Access read;  // without a mask
  };
  std::uint32_t count = 0;          // the parameter that counts down
  const Arm* done = nullptr;        // its arms
  const Arm* round = nullptr;
  std::vector<bool> steps;          // by parameter: grows by one each round,
  std::vector<bool> same;           // stays what it is
  std::vector<Access> accesses;     // that need no mask inside of a strip
  std::optional<Ahead> ahead;
};

std::optional<CountedLoop> counted_loop(const Book& book, DefId def);

}  // namespace tine
