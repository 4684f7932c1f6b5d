// A schedule drawn from a seed: one worker runs at a time, and at each point
// the next is drawn. A seed also draws how eager the schedule is to change
// workers and whether one of them is slow.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "runtime/sched/schedule.h"

namespace tine {

class SeededSchedule final : public Schedule {
 public:
  explicit SeededSchedule(unsigned seed) : seed_(seed), draw_(seed) {
    const unsigned kStays[] = {0, 7, 63, 511};
    stays_ = kStays[draw_() % 4];
    slow_ = draw_() % 16;  // nobody, where there are fewer workers
    current_schedule.store(this);
  }
  ~SeededSchedule() override { current_schedule.store(nullptr); }

  void begin(unsigned count) override {
    std::unique_lock lock(mutex_);
    here(0);
    begun_.wait(lock, [&] { return present_ == count; });
    turn_ = 0;
  }
  void enter(unsigned id) override {
    std::unique_lock lock(mutex_);
    here(id);
    begun_.notify_one();
    await(lock, id);
  }
  void leave() override {
    if (me_ < 0) return;
    std::lock_guard lock(mutex_);
    seats_[me_]->here = false;
    me_ = -1;
    if (--present_ == 0) turn_ = kNobody;
    else give(next());
  }
  void at(Point point) override {
    if (me_ < 0) return;
    std::unique_lock lock(mutex_);
    idle_ = point == Point::kAsleep ? idle_ + 1 : 0;
    if (idle_ > kStuck) stuck();
    ++points_;
    bool waits = point == Point::kAsleep || point == Point::kLook;
    if (!waits && stays_ > 0 && draw_() % (stays_ + 1) != 0) return;
    unsigned id = next();
    if (id == static_cast<unsigned>(me_)) return;
    give(id);
    await(lock, static_cast<unsigned>(me_));
  }

  std::uint64_t points() const { return points_; }

 private:
  static constexpr int kStuck = 100'000;
  static constexpr unsigned kNobody = ~0u;
  struct Seat {
    bool here = false;
    std::condition_variable called;
  };

  void here(unsigned id) {
    while (seats_.size() <= id) seats_.push_back(std::make_unique<Seat>());
    me_ = static_cast<int>(id);
    seats_[id]->here = true;
    ++present_;
  }
  void give(unsigned id) {
    turn_ = id;
    seats_[id]->called.notify_one();
  }
  void await(std::unique_lock<std::mutex>& lock, unsigned id) {
    std::condition_variable& called = seats_[id]->called;
    called.wait(lock, [&] { return turn_ == id; });
  }
  unsigned next() {
    for (;;) {
      auto id = static_cast<unsigned>(draw_() % seats_.size());
      if (!seats_[id]->here) continue;
      if (id == slow_ && present_ > 1 && draw_() % 32 != 0) continue;
      return id;
    }
  }
  // Everybody sleeps and nobody will be woken.
  void stuck() {
    std::fprintf(stderr, "all workers sleep: seed %u, %zu workers\n", seed_,
                 seats_.size());
    std::abort();
  }

  static inline thread_local int me_ = -1;

  const unsigned seed_;
  std::mt19937 draw_;
  std::mutex mutex_;
  std::condition_variable begun_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::size_t present_ = 0;
  unsigned turn_ = kNobody, stays_, slow_;
  int idle_ = 0;
  std::uint64_t points_ = 0;
};

}  // namespace tine
