// Where workers without work look for some and sleep, and the threads that
// they are.
//
// States of a worker, each step with what it reads and writes:
//
//   state     leaves by                     reads, writes
//   busy      finds its own work no more    idle + 1             -> looking
//   looking   a theft succeeds              idle - 1             -> busy
//   looking   many thefts failed            reads the epoch      -> tired
//   tired     one more theft succeeds       idle - 1             -> busy
//   tired     it fails                      asleep + 1           -> asleep
//   asleep    the epoch differs from
//             what was read                 asleep - 1           -> looking
//
// A publisher pushes first and then looks at `idle`; when that is not 0 it
// raises the epoch and wakes. Whoever gets tired has counted itself as idle
// before its last theft, so it sees what was pushed, or its epoch is raised:
// nothing published is slept through.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/sched/schedule.h"

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

  // Looks for work and sleeps when there is none for long, until `steal` has
  // found some (true) or it is `over` (false). `poke` asks who is busy to
  // publish.
  bool look(const auto& over, const auto& steal, const auto& poke);
  // What a worker does after a look that found nothing.
  static void look_again();

  // Workers that look or sleep.
  unsigned idle() const { return idle_.load(std::memory_order_seq_cst); }
  void wake_one() { wake(false); }
  void wake_all() { wake(true); }

 private:
  // Counts as idle for as long as it lives.
  class Looking {
   public:
    explicit Looking(Pool& pool) : pool_(pool) {
      pool_.idle_.fetch_add(1, std::memory_order_seq_cst);
    }
    Looking(const Looking&) = delete;
    ~Looking() { pool_.idle_.fetch_sub(1, std::memory_order_seq_cst); }

   private:
    Pool& pool_;
  };

  void wake(bool all);
  // Until the epoch is another than the one seen.
  void wait(std::uint64_t seen);

  static constexpr int kLooks = 64;  // before it sleeps
  static constexpr int kPokeEvery = 16;

  std::atomic<unsigned> idle_{0};
  std::atomic<unsigned> asleep_{0};
  std::atomic<std::uint64_t> epoch_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::thread> threads_;
};

bool Pool::look(const auto& over, const auto& steal, const auto& poke) {
  Looking looking(*this);
  for (;;) {
    for (int i = 0; i < (scheduled() ? 2 : kLooks); ++i) {
      if (over()) return false;
      if (steal()) return true;
      if (i % kPokeEvery == 0) poke();
      look_again();
    }
    std::uint64_t seen = epoch_.load(std::memory_order_seq_cst);
    poke();
    if (over()) return false;
    if (steal()) return true;
    wait(seen);
  }
}

}  // namespace tine
