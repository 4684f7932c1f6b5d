// Loads a program: the entry file and, through their import lines, all files
// it needs, each once.
//
// `import Base` is the embedded Base. `import ./x.bend as X` is looked up
// beside the importing file (its real folder, so that links do not matter).
// `import par/scan as S`, without a suffix, is the library form: first
// par/scan.bend beside the importing file, then the embedded library.
//
// Every file but the entry and Base has a namespace: its path from the entry
// file's folder, without the suffix ("lib/check", "../x/y"); an embedded
// module's is its name ("par/scan").
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/core/check.h"
#include "compiler/syntax/diag.h"
#include "compiler/syntax/surface.h"

namespace tine {

// A file that was read: by which name, which file that was, its content.
struct ReadFile {
  std::string path, real, hash;
};

struct ModuleSet {
  std::deque<FileTree> trees;         // stable: modules point into it
  std::vector<core::Module> modules;  // Base first, importers after imports
  std::vector<ReadFile> read;         // from the disk
  std::vector<std::string> absent;    // looked for, and not there
};

// Parses everything; errors of reading, importing and parsing go to `sink`.
// `text` replaces the content of the entry file, which then need not exist.
// `more` are texts that go on where the entry file ends, in its namespace and
// with its aliases; each is a file of its own, with imports of its own.
void load_modules(const std::string& path,
                  std::optional<std::string_view> text, SourceMap& sources,
                  ModuleSet& out, Sink& sink,
                  const std::vector<std::string>& more = {});
// How such a text is called in messages.
inline constexpr const char* kInputPath = "<input>";

}  // namespace tine
