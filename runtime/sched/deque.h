// The calls that a worker has published: its own end is the newest, thieves
// take the oldest, which is the largest piece of work.
//
// Publishing is rare (only when somebody is idle), so a lock is cheap enough;
// `size` can be read without it. It is sequentially consistent, because a
// worker that goes to sleep first counts itself as idle and then looks here,
// while a publisher first pushes and then looks for idle workers: one of the
// two must see the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "runtime/sched/apart.h"
#include "runtime/sched/schedule.h"

namespace tine {

template <class T>
class alignas(kApart) Deque {
 public:
  void push(const T& item) {
    schedule_point(Point::kPublish);
    std::lock_guard lock(mutex_);
    if (count_ == items_.size()) grow();
    items_[place(count_)] = item;
    set_count(count_ + 1);
  }

  bool pop_newest(T& item) {
    schedule_point(Point::kTake);
    if (size() == 0) return false;
    std::lock_guard lock(mutex_);
    if (count_ == 0) return false;
    item = items_[place(count_ - 1)];
    set_count(count_ - 1);
    return true;
  }

  // `left`: how many more there were at that moment.
  bool steal_oldest(T& item, std::size_t& left) {
    schedule_point(Point::kSteal);
    if (size() == 0) return false;
    std::lock_guard lock(mutex_);
    if (count_ == 0) return false;
    item = items_[first_];
    first_ = first_ + 1 == items_.size() ? 0 : first_ + 1;
    left = count_ - 1;
    set_count(left);
    return true;
  }

  std::size_t size() const { return size_.load(std::memory_order_seq_cst); }

 private:
  std::size_t place(std::size_t number) const {
    std::size_t at = first_ + number;
    return at < items_.size() ? at : at - items_.size();
  }
  void set_count(std::size_t count) {
    count_ = count;
    size_.store(count, std::memory_order_seq_cst);
  }
  void grow() {
    ApartVector<T> larger(items_.empty() ? 16 : items_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) {
      larger[i] = items_[place(i)];
    }
    items_.swap(larger);
    first_ = 0;
  }

  // On two lines together.
  std::atomic<std::size_t> size_{0};  // `count_`, for looks without the lock
  std::mutex mutex_;
  std::size_t first_ = 0, count_ = 0;
  ApartVector<T> items_;  // a ring
};

}  // namespace tine
