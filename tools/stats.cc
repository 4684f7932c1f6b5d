// A table for people and a JSON line for programs, from one list of columns.
#include "tools/stats.h"

#include <algorithm>
#include <cstdio>

#include "tools/console.h"

namespace tine::tool {
namespace {

struct Column {
  const char* name;
  std::uint64_t Stats::* value;
};
constexpr Column kColumns[] = {
    {"calls", &Stats::calls},
    {"primitives", &Stats::prims},
    {"takes", &Stats::takes},
    {"makes", &Stats::makes},
    {"copies", &Stats::copies},
    {"drops", &Stats::drops},
    {"forks", &Stats::forks},
    {"steals", &Stats::steals},
    {"nodes_made", &Stats::nodes_made},
    {"nodes_freed", &Stats::nodes_freed},
    {"blocks_made", &Stats::blocks_made},
    {"blocks_freed", &Stats::blocks_freed},
    {"frames_made", &Stats::frames_made},
    {"frames_freed", &Stats::frames_freed},
};

std::string line(const char* form, const std::string& a, std::uint64_t b) {
  char text[512];
  std::snprintf(text, sizeof text, form, a.c_str(),
                static_cast<unsigned long long>(b));
  return text;
}

std::string seconds_text(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6f", seconds);
  return text;
}

std::string def_rows(const Stats& stats) {
  std::size_t width = 10;
  for (const DefCounts& row : stats.defs) {
    width = std::max(width, std::min<std::size_t>(row.def.size(), 60));
  }
  std::string text = "definition" + std::string(width - 10, ' ') +
                     "            calls       primitives\n";
  for (const DefCounts& row : stats.defs) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, " %16llu %16llu\n",
                  static_cast<unsigned long long>(row.calls),
                  static_cast<unsigned long long>(row.prims));
    std::size_t pad = width - std::min(width, row.def.size());
    text += row.def + std::string(pad, ' ') + numbers;
  }
  return text;
}

}  // namespace

std::string stats_table(const Stats& stats) {
  std::string text = "engine        " + stats.engine + "\nworkers       " +
                     std::to_string(stats.workers) + "\nseconds       " +
                     seconds_text(stats.seconds) + "\npeak bytes    " +
                     std::to_string(stats.peak_bytes) + "\n";
  for (const Column& column : kColumns) {
    text += line("%-13s %llu\n", column.name, stats.*column.value);
  }
  if (!stats.defs.empty()) text += def_rows(stats);
  return text;
}

std::string stats_time(const Stats& stats) {
  return "{\"engine\":" + json_string(stats.engine) +
         ",\"workers\":" + std::to_string(stats.workers) +
         ",\"seconds\":" + seconds_text(stats.seconds) +
         ",\"peak_bytes\":" + std::to_string(stats.peak_bytes) +
         line(",\"%s\":%llu", "steals", stats.steals) + "}\n";
}

std::string stats_json(const Stats& stats) {
  std::string text = "{\"engine\":" + json_string(stats.engine) +
                     ",\"workers\":" + std::to_string(stats.workers) +
                     ",\"seconds\":" + seconds_text(stats.seconds) +
                     ",\"peak_bytes\":" + std::to_string(stats.peak_bytes);
  for (const Column& column : kColumns) {
    text += line(",\"%s\":%llu", column.name, stats.*column.value);
  }
  text += ",\"defs\":[";
  for (const DefCounts& row : stats.defs) {
    if (text.back() != '[') text += ',';
    text += "{\"def\":" + json_string(row.def) +
            ",\"calls\":" + std::to_string(row.calls) +
            ",\"primitives\":" + std::to_string(row.prims) + "}";
  }
  return text + "]}\n";
}

}  // namespace tine::tool
