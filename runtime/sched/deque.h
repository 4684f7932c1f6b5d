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

namespace tine {

template <class T>
class Deque {
 public:
  void push(const T& item) {
    std::lock_guard lock(mutex_);
    if (count_ == items_.size()) grow();
    items_[(first_ + count_) % items_.size()] = item;
    set_count(count_ + 1);
  }

  bool pop_newest(T& item) {
    if (size() == 0) return false;
    std::lock_guard lock(mutex_);
    if (count_ == 0) return false;
    item = items_[(first_ + count_ - 1) % items_.size()];
    set_count(count_ - 1);
    return true;
  }

  bool steal_oldest(T& item) {
    if (size() == 0) return false;
    std::lock_guard lock(mutex_);
    if (count_ == 0) return false;
    item = items_[first_];
    first_ = (first_ + 1) % items_.size();
    set_count(count_ - 1);
    return true;
  }

  std::size_t size() const { return size_.load(std::memory_order_seq_cst); }

 private:
  void set_count(std::size_t count) {
    count_ = count;
    size_.store(count, std::memory_order_seq_cst);
  }
  void grow() {
    std::vector<T> larger(items_.empty() ? 16 : items_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) {
      larger[i] = items_[(first_ + i) % items_.size()];
    }
    items_.swap(larger);
    first_ = 0;
  }

  std::mutex mutex_;
  std::vector<T> items_;           // a ring
  std::size_t first_ = 0, count_ = 0;
  std::atomic<std::size_t> size_{0};  // `count_`, for looks without the lock
};

}  // namespace tine
