// Where workers without work sleep, and the threads that they are.
//
// States of a worker: busy -> looking (`prepare`) -> asleep (`wait`) -> busy,
// or looking -> busy (`cancel`). From `prepare` on it counts as idle, and
// nothing published later can be missed: `prepare` reads the epoch, every
// `wake` raises it, and `wait` returns once it differs from what was read.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tine {

class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  ~Pool() { join(); }

  // Starts threads that run `body(1)` .. `body(count - 1)`; thread 0 is the
  // caller. As many as the system grants; returns how many workers there are.
  unsigned start(unsigned count, const std::function<void(unsigned)>& body);
  void join();

  std::uint64_t prepare();
  void cancel();
  void wait(std::uint64_t epoch);

  unsigned idle() const { return idle_.load(std::memory_order_seq_cst); }
  void wake_one();
  void wake_all();

 private:
  std::atomic<unsigned> idle_{0};
  std::atomic<std::uint64_t> epoch_{0};  // raised under the mutex
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
};

}  // namespace tine
