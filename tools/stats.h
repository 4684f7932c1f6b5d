// What `--stats` prints on standard error.
#pragma once

#include <string>

#include "runtime/tine.hpp"

namespace tine::tool {

std::string stats_table(const Stats& stats);
std::string stats_json(const Stats& stats);  // one line, newline included

}  // namespace tine::tool
