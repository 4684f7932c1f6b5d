// Lays the words of a file out in lines: the indentation of each.
//
//   2 columns per level: the body of a declaration, the cases of a match, the
//   body of a case, the steps of a do block, the inside of a bracket;
//   what continues a line stands 2 columns right of its statement or item, and
//   4 in the head of a declaration, match or case, so that the body shows
//   (but 2 in a bracket that closes on a line of its own);
//   brackets that open on one line and close on one line count once;
//   tuples, lists and groups that open a line keep their items under the first;
//   a body that begins inside a line keeps its statements under its first.
#pragma once

#include <vector>

#include "compiler/format/lines.h"
#include "compiler/format/words.h"
#include "compiler/syntax/surface.h"

namespace tine {

// Appends the lines of the declarations to `lines`. `last` is the offset
// behind what stands before them, and becomes the offset behind the last word
// or comment.
void lay_out(std::string_view text, const Shape& shape,
             const SourceWords& words, std::uint32_t& last,
             std::vector<FormatLine>& lines);

// Newlines in the text between two offsets, less one.
std::uint32_t blank_lines(std::string_view text, std::uint32_t from,
                          std::uint32_t to);

}  // namespace tine
