// What the machine offers: CPUs and memory, cgroup limits included.
//
// Linux says it in files below /proc and /sys. The readers take the folder
// that stands for `/`, so that tests can lay out a machine of their own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tine {

inline constexpr unsigned kMaxWorkers = 256;

// The CPU quota of the process's cgroup (v1 or v2, parents included), in
// CPUs, rounded up. Nothing when there is none.
std::optional<unsigned> cgroup_cpus(const std::string& root);
// The smallest memory limit of the process's cgroup and its parents.
std::optional<std::size_t> cgroup_memory(const std::string& root);
// MemAvailable of /proc/meminfo.
std::optional<std::size_t> available_memory(const std::string& root);
// 80% of the smaller of the two; 1 GiB when neither can be read.
std::size_t default_memory_at(const std::string& root);

}  // namespace tine
