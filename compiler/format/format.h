// The formatter: a file's text in the one layout that `tine fmt` gives.
//
// It works on tokens, not on the tree: the author's line breaks stay, and what
// is chosen is the space between tokens, the indentation of each line, the
// blank lines, optional commas, and a line of its own for each statement and
// case that does not fit the one-line form. The parser's `Shape` says where
// bodies, cases and steps begin, so whatever layout means survives.
#pragma once

#include <string>

#include "compiler/syntax/shape.h"
#include "compiler/syntax/surface.h"

namespace tine {

// The formatted text of a file that was parsed without errors.
std::string format_source(const SourceFile& source, const FileTree& tree,
                          const Shape& shape);

// Do two files say the same? Everything is compared but spans; the comments by
// their text, in order.
bool same_source(const FileTree& a, const FileTree& b,
                 const SourceMap& sources);

}  // namespace tine
