#include "runtime/net/counts.h"

#include <map>

namespace tine {

void add_def_counts(const Book& book, const std::uint64_t* calls,
                    const std::uint64_t* prims, RunStats& stats) {
  std::map<std::string, DefCount> defs;
  for (std::size_t i = 0; i < book.defs.size(); ++i) {
    if (calls[i] == 0 && prims[i] == 0) continue;
    DefCount& count = defs[book.defs[i].origin];
    count.calls += calls[i];
    count.prims += prims[i];
  }
  for (auto& [name, count] : defs) {
    count.def = name;
    stats.calls += count.calls;
    stats.prims += count.prims;
    stats.defs.push_back(std::move(count));
  }
}

}  // namespace tine
