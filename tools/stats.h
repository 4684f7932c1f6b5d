// What `--stats` prints on standard error.
#pragma once

#include <string>

#include "runtime/tine.hpp"

namespace tine::tool {

std::string stats_table(const Stats& stats);
std::string stats_json(const Stats& stats);  // one line, newline included
// As stats_json, but nothing that compiled code would have to count.
std::string stats_time(const Stats& stats);

}  // namespace tine::tool
