// Import lines: how they are read, and what their paths may be.
#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/syntax/surface.h"

namespace tine {

enum class ImportKind : std::uint8_t {
  kBase,       // Base
  kLibrary,    // par/scan: a module that comes with tine
  kFile,       // ./a.bend, ../lib/a.bend, /abs/a.bend, lib/a.bend
  kHub,        // 0x12ab/f.bend, name@1.2.3/f.bend: refused
  kNoSuffix,   // ./a: a file without `.bend`
  kMalformed,  // ./my.lib.bend, ./a b.bend
};

// Classifies the path of an import by its spelling alone.
ImportKind classify_import(std::string_view path);

// Letters, digits and `_`, not starting with a digit.
bool is_import_alias(std::string_view text);

// Reads the import lines that open a file into `tree.imports`; returns the
// offset where its declarations begin.
std::uint32_t parse_imports(const SourceMap& sources, FileId file,
                            FileTree& tree, Sink& sink);

}  // namespace tine
