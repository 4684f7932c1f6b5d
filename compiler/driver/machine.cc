// Reads CPUs and memory from affinity masks, cgroups and /proc/meminfo.
//
// A process lies in one cgroup per hierarchy; /proc/self/cgroup gives its
// path ("0::/user/job" for v2, "4:cpu,cpuacct:/job" for v1). The limit in
// force is the smallest on the way up to the root. In a container the path
// may not exist below the mount: then the walk up ends at the mount itself,
// whose files are the container's.
#include "compiler/driver/machine.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "runtime/tine.hpp"

namespace tine {
namespace {

std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

// The path of this process's cgroup in the hierarchy of `controller`; v2 has
// one hierarchy, whose controller list is empty.
std::optional<std::string> cgroup_path(const std::string& root,
                                       std::string_view controller) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    std::size_t first = line.find(':');
    std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string list = "," + line.substr(first + 1, second - first - 1) + ",";
    if (list == ",," ? controller.empty()
                     : !controller.empty() &&
                           list.find("," + std::string(controller) + ",") !=
                               std::string::npos) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

// Calls `visit` with every folder from `mount + path` up to `mount`.
void walk_up(const std::string& mount, std::string path,
             const std::function<void(const std::string&)>& visit) {
  while (!path.empty() && path != "/") {
    visit(mount + path);
    path.resize(path.find_last_of('/') == std::string::npos
                    ? 0
                    : path.find_last_of('/'));
  }
  visit(mount);
}

// The smallest of what `read` finds on the way up.
std::optional<double> smallest(
    const std::string& mount, const std::string& path,
    const std::function<std::optional<double>(const std::string&)>& read) {
  std::optional<double> best;
  walk_up(mount, path, [&](const std::string& folder) {
    std::optional<double> found = read(folder);
    if (found && (!best || *found < *best)) best = found;
  });
  return best;
}

std::optional<double> cpus_v2(const std::string& folder) {
  std::istringstream line(read_line(folder + "/cpu.max"));
  std::string quota, period;
  line >> quota >> period;
  std::optional<double> q = parse_number(quota), p = parse_number(period);
  if (!q || !p || *p <= 0) return std::nullopt;
  return *q / *p;
}

std::optional<double> cpus_v1(const std::string& folder) {
  std::optional<double> q =
      parse_number(read_line(folder + "/cpu.cfs_quota_us"));
  std::optional<double> p =
      parse_number(read_line(folder + "/cpu.cfs_period_us"));
  if (!q || !p || *q <= 0 || *p <= 0) return std::nullopt;
  return *q / *p;
}

std::optional<double> memory_v2(const std::string& folder) {
  return parse_number(read_line(folder + "/memory.max"));
}

// v1 has no word for "none": it shows a number near 2^63.
std::optional<double> memory_v1(const std::string& folder) {
  std::optional<double> limit =
      parse_number(read_line(folder + "/memory.limit_in_bytes"));
  if (limit && *limit > 0x1p62) return std::nullopt;
  return limit;
}

std::optional<double> smaller(std::optional<double> a,
                              std::optional<double> b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

}  // namespace

std::optional<unsigned> cgroup_cpus(const std::string& root) {
  std::string mount = root + "/sys/fs/cgroup";
  std::optional<double> found;
  if (auto path = cgroup_path(root, "")) {
    found = smallest(mount, *path, cpus_v2);
  }
  if (auto path = cgroup_path(root, "cpu")) {
    found = smaller(found, smallest(mount + "/cpu", *path, cpus_v1));
  }
  if (!found) return std::nullopt;
  return static_cast<unsigned>(std::clamp(std::ceil(*found), 1.0, 4096.0));
}

std::optional<std::size_t> cgroup_memory(const std::string& root) {
  std::string mount = root + "/sys/fs/cgroup";
  std::optional<double> found;
  if (auto path = cgroup_path(root, "")) {
    found = smallest(mount, *path, memory_v2);
  }
  if (auto path = cgroup_path(root, "memory")) {
    found = smaller(found, smallest(mount + "/memory", *path, memory_v1));
  }
  if (!found) return std::nullopt;
  return static_cast<std::size_t>(*found);
}

std::optional<std::size_t> available_memory(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t kib = 0;
    if (words >> name >> kib && name == "MemAvailable:") return kib * 1024;
  }
  return std::nullopt;
}

std::size_t default_memory_at(const std::string& root) {
  std::optional<std::size_t> limit = cgroup_memory(root);
  std::optional<std::size_t> free = available_memory(root);
  if (!limit && !free) return std::size_t{1} << 30;
  std::size_t bound = std::min(limit.value_or(~std::size_t{0}),
                               free.value_or(~std::size_t{0}));
  return bound / 5 * 4;
}

std::size_t default_memory() { return default_memory_at(""); }

unsigned usable_cpus() {
  // A mask of 4,096 CPUs is past every kernel's default limit.
  constexpr int kMaskCpus = 4096;
  cpu_set_t* mask = CPU_ALLOC(kMaskCpus);
  std::size_t bytes = CPU_ALLOC_SIZE(kMaskCpus);
  int count = 1;
  if (mask && sched_getaffinity(0, bytes, mask) == 0) {
    count = CPU_COUNT_S(bytes, mask);
  }
  if (mask) CPU_FREE(mask);
  unsigned cpus = std::clamp(static_cast<unsigned>(count), 1u, kMaxWorkers);
  std::optional<unsigned> quota = cgroup_cpus("");
  return quota ? std::min(cpus, *quota) : cpus;
}

}  // namespace tine
