// CPUs and memory from a machine laid out in files, and from the real one.
#include <doctest/doctest.h>

#include "compiler/driver/machine.h"
#include "runtime/tine.hpp"
#include "tests/unit/driver_temp.h"

using namespace tine;
using tine::test::TempFolder;

TEST_CASE("cgroup v2: the smallest quota on the way up") {
  TempFolder root;
  root.write("proc/self/cgroup", "0::/a/b\n");
  root.write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  root.write("sys/fs/cgroup/a/cpu.max", "250000 100000\n");
  CHECK(cgroup_cpus(root.path()) == 3u);  // 2.5, rounded up
  root.write("sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
  CHECK(cgroup_cpus(root.path()) == 1u);
}

TEST_CASE("cgroup v2: no quota anywhere") {
  TempFolder root;
  root.write("proc/self/cgroup", "0::/a\n");
  root.write("sys/fs/cgroup/a/cpu.max", "max 100000\n");
  CHECK_FALSE(cgroup_cpus(root.path()).has_value());
  CHECK_FALSE(cgroup_memory(root.path()).has_value());
}

TEST_CASE("cgroup v2: in a container the mount is the group") {
  TempFolder root;
  root.write("proc/self/cgroup", "0::/../../outside\n");
  root.write("sys/fs/cgroup/cpu.max", "400000 100000\n");
  root.write("sys/fs/cgroup/memory.max", "1000000\n");
  CHECK(cgroup_cpus(root.path()) == 4u);
  CHECK(cgroup_memory(root.path()) == std::size_t{1000000});
}

TEST_CASE("cgroup v1: quota and memory by controller") {
  TempFolder root;
  root.write("proc/self/cgroup",
             "5:memory:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/x\n");
  root.write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000\n");
  root.write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000000\n");
  CHECK(cgroup_cpus(root.path()) == 2u);
  CHECK(cgroup_memory(root.path()) == std::size_t{5000000});
}

TEST_CASE("cgroup v1: -1 and the huge limit mean none") {
  TempFolder root;
  root.write("proc/self/cgroup", "5:memory:/\n4:cpu,cpuacct:/\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  root.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes",
             "9223372036854771712\n");
  CHECK_FALSE(cgroup_cpus(root.path()).has_value());
  CHECK_FALSE(cgroup_memory(root.path()).has_value());
}

TEST_CASE("the default cap is 80% of the smaller of limit and free") {
  TempFolder root;
  CHECK(default_memory_at(root.path()) == std::size_t{1} << 30);
  root.write("proc/meminfo",
             "MemTotal:  9000 kB\nMemFree: 1 kB\nMemAvailable:   5000 kB\n");
  CHECK(default_memory_at(root.path()) == std::size_t{4000} * 1024);
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/memory.max", "1000000\n");
  CHECK(default_memory_at(root.path()) == std::size_t{800000});
}

TEST_CASE("the real machine has at least one CPU and some memory") {
  CHECK(usable_cpus() >= 1);
  CHECK(usable_cpus() <= kMaxWorkers);
  CHECK(default_memory() > std::size_t{16} << 20);
}
