#include "runtime/sched/pool.h"

#include <system_error>

namespace tine {

unsigned Pool::start(unsigned count,
                     const std::function<void(unsigned)>& body) {
  threads_.reserve(count);
  for (unsigned id = 1; id < count; ++id) {
    try {
      threads_.emplace_back([body, id] {
        Schedule* schedule = scheduled();
        if (schedule) schedule->enter(id);
        body(id);
        if (schedule) schedule->leave();
      });
    } catch (const std::system_error&) {
      break;  // fewer workers do the same work
    }
  }
  unsigned workers = static_cast<unsigned>(threads_.size()) + 1;
  if (Schedule* schedule = scheduled()) schedule->begin(workers);
  return workers;
}

void Pool::join() {
  if (Schedule* schedule = scheduled()) schedule->leave();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Pool::wait(std::uint64_t seen) {
  if (scheduled()) [[unlikely]] {
    while (epoch_.load() == seen) schedule_point(Point::kAsleep);
    return;
  }
  std::unique_lock lock(mutex_);
  // Before the epoch is read: pairs with `wake`, which does it the other way
  // round.
  asleep_.fetch_add(1, std::memory_order_seq_cst);
  changed_.wait(lock, [&] { return epoch_.load() != seen; });
  asleep_.fetch_sub(1, std::memory_order_seq_cst);
}

void Pool::look_again() {
  if (scheduled()) [[unlikely]] schedule_point(Point::kLook);
  else std::this_thread::yield();
}

void Pool::wake(bool all) {
  schedule_point(Point::kWake);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  if (asleep_.load(std::memory_order_seq_cst) == 0) return;
  // Whoever counts as asleep holds the mutex or waits: not between the two.
  { std::lock_guard lock(mutex_); }
  if (all) changed_.notify_all();
  else changed_.notify_one();
}

}  // namespace tine
