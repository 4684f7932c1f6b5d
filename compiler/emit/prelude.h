// The text that every emitted file begins with.
#pragma once

#include <string>

namespace tine {

std::string c_prelude(bool counts);
// The description of the program at the end of the file: its entries, by
// definition, and what the loader checks.
std::string c_program_row(std::size_t def_count, bool counts);

}  // namespace tine
