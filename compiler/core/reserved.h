// Names that Base keeps though it does not declare them.
#pragma once

#include <string_view>

namespace tine::core {

// May no program declare it?
bool is_kept_name(std::string_view name);
// The part of the library a name belongs to that is not there, else "".
std::string_view lacked_part(std::string_view name);

}  // namespace tine::core
