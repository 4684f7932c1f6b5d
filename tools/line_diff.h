// What changed between two texts, as a unified diff.
//
// Equal lines at both ends are set aside; what is between them is compared by
// the longest common row of lines, or, where that would be much work, is one
// block of removed and one of added lines.
#pragma once

#include <string>
#include <string_view>

namespace tine::tool {

// "" when the texts are equal.
std::string unified_diff(const std::string& name, std::string_view before,
                         std::string_view after);

}  // namespace tine::tool
