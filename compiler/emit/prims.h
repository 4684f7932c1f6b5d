// The C of each primitive, from a table.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

enum class EmitKind : std::uint8_t {
  kMissing,  // no row: programs that use it run on the net engine
  kValue,    // the text is the result
  kDo,       // the text is done for its effect; operand 0 is the result
  kWith,     // the result is the pair of operand 0 and the text
  kSplit,    // the text gives a `two`; the result is the pair of its parts
};

// In `text`: $0 .. $3 are the operands, $B1 is operand 1 boxed, $w the worker, $d the definition's
// number, $k how cells are kept ("u32", "f32", "word"), $n its number in
// CellKind.
struct EmitRow {
  EmitKind kind = EmitKind::kMissing;
  std::string_view text;
};
const EmitRow& emit_row(Prim prim);

// Does the C of the primitive give NaNs of any bits? Does it mind them?
bool gives_loose(Prim prim);
bool takes_loose(Prim prim);

}  // namespace tine
