// Makes a rule linear: every wire defined once and used once.
//
// The lowering writes rules in which a wire may be used often or never. This
// pass inserts the copies and drops and numbers the wires anew, parameters
// first.
//
//   x = u32.add a b          x = u32.add a b
//   out = u32.mul x x        x1, x2 = copy x
//                            out = u32.mul x1 x2
//
// n uses on one path are n - 1 copies, each before the statement that needs
// it. Every way through a match is a path of its own: what only some arms use
// is dropped at the start of the others. What nobody uses is dropped where it
// is defined. A copy of an array is a fork of its handle.
//
// Needs: no wire is used before its definition; a wire defined in an arm is
// used in that arm only. Costs about as much as its output is long.
#pragma once

#include <vector>

#include "compiler/book/lower_types.h"
#include "runtime/book/book.h"

namespace tine {

// A rule that is not linear yet; wires are positions in `wires`.
struct RawRule {
  std::vector<WireRow> wires;
  std::vector<Wire> params;
  Block block;
};

// Fills `params`, `wires` and `block` of the row.
void make_linear(const RawRule& rule, Book& book, LowerTypes& types,
                 DefRow& row);

}  // namespace tine
