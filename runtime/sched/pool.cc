#include "runtime/sched/pool.h"

#include <system_error>

namespace tine {

unsigned Pool::start(unsigned count,
                     const std::function<void(unsigned)>& body) {
  threads_.reserve(count);
  for (unsigned id = 1; id < count; ++id) {
    try {
      threads_.emplace_back(body, id);
    } catch (const std::system_error&) {
      break;  // fewer workers do the same work
    }
  }
  return static_cast<unsigned>(threads_.size()) + 1;
}

void Pool::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Pool::wait(std::uint64_t epoch) {
  std::unique_lock lock(mutex_);
  // Before the epoch is read: pairs with `wake`, which does it the other way
  // round.
  asleep_.fetch_add(1, std::memory_order_seq_cst);
  changed_.wait(lock, [&] { return this->epoch() != epoch; });
  asleep_.fetch_sub(1, std::memory_order_seq_cst);
}

void Pool::wake(bool all) {
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  if (asleep_.load(std::memory_order_seq_cst) == 0) return;
  // Whoever counts as asleep holds the mutex or waits: not between the two.
  { std::lock_guard lock(mutex_); }
  if (all) changed_.notify_all();
  else changed_.notify_one();
}

}  // namespace tine
