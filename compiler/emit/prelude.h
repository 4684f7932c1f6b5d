// The text that every emitted file begins with.
#pragma once

#include <string>

namespace tine {

std::string c_prelude(bool counts);
// For a device: CUDA C++ that compiles without any header, all functions
// being device functions (NVRTC's -default-device).
std::string device_prelude();
// The description of the program at the end of the file: its entries, by
// definition, and what the loader checks.
std::string c_program_row(std::size_t def_count, bool counts);

}  // namespace tine
