// Books that were checked before. `tine run` of a program that has not
// changed reads its book from the user's cache instead of checking again.
//
// An entry is found by the program's real path and by what this executable is;
// it holds for as long as every file that was read is the same, byte for byte
// by hash, under every name by which it was found, and no file has appeared
// where one was looked for in vain. Whatever is wrong with an entry, the
// program is checked.
#pragma once

#include <optional>
#include <string>

#include "compiler/driver/loader.h"

namespace tine {

// The text of the book; nothing when there is none that holds.
std::optional<std::string> find_kept_book(const std::string& path);
// Failures are silent: the next run checks again.
void keep_book(const std::string& path, const ModuleSet& modules,
               const std::string& book);

}  // namespace tine
