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

std::uint64_t Pool::prepare() {
  // Sequentially consistent: pairs with `idle` after a push, see deque.h.
  idle_.fetch_add(1, std::memory_order_seq_cst);
  return epoch_.load(std::memory_order_seq_cst);
}

void Pool::cancel() { idle_.fetch_sub(1, std::memory_order_seq_cst); }

void Pool::wait(std::uint64_t epoch) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return epoch_.load(std::memory_order_relaxed) != epoch;
    });
  }
  cancel();
}

void Pool::wake_one() {
  {
    std::lock_guard lock(mutex_);
    epoch_.fetch_add(1, std::memory_order_seq_cst);
  }
  changed_.notify_one();
}

void Pool::wake_all() {
  {
    std::lock_guard lock(mutex_);
    epoch_.fetch_add(1, std::memory_order_seq_cst);
  }
  changed_.notify_all();
}

}  // namespace tine
