// The pages of `tine doc`: what a module says about itself, made from its text
// alone. Nothing is checked; a file only has to parse.
//
// A page is the module's first comment, then its declarations in their order:
// the signature, and below it, indented, the comment that stands directly
// above. A first comment that shows the module in use (`import par/scan as
// Scan` and calls of `Scan.exclusive`) says by that which defs are meant for
// others: these are on the page, and the types that their signatures name.
// Without such a comment every declaration is on it but the parts of others
// (`map.go` beside `map`). Any declaration can be asked for by its name.
#pragma once

#include <string>
#include <vector>

#include "compiler/syntax/diag.h"
#include "compiler/syntax/surface.h"

namespace tine {

// The comment a file begins with, a line each, without `# `.
std::vector<std::string> first_comment(const SourceFile& file);
// The comment directly above a declaration.
std::vector<std::string> comment_above(const SourceFile& file,
                                       const Decl& decl);
// A declaration as it is written, without a body: lines of at most 80 columns
// where its parameters can be broken.
std::string signature(const SourceMap& sources, const Decl& decl);
// The declarations that a page shows.
std::vector<const Decl*> shown_decls(const SourceMap& sources,
                                     const FileTree& tree);

}  // namespace tine
