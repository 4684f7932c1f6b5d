// Who goes on, wherever workers meet: for tests.
//
// Without a schedule a point is one load and a branch, in code that takes a
// lock or waits anyway. With one, a single worker runs at a time, and at each
// point the schedule chooses who is next: the same seed gives the same run,
// with the same thefts. Points stand outside of every lock.
//
// A schedule serves one run at a time. It orders workers only: the watcher
// of a native run does not ask for work then, since it would do so by clock.
#pragma once

#include <atomic>

namespace tine {

enum class Point {
  kPublish,  // before a call goes to a deque
  kTake,     // before the owner takes one back
  kSteal,    // before a thief takes one
  kDone,     // before and after the result of a stolen call is announced
  kJoin,     // a stolen call is waited for
  kLook,     // nothing found
  kAsleep,   // waits to be woken
  kWake,     // between the work and the waking
  kPoll,
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  // The caller is worker 0, there are `count` in all; returns once they all
  // came.
  virtual void begin(unsigned count) = 0;
  virtual void enter(unsigned id) = 0;  // a worker comes
  virtual void leave() = 0;             // and goes
  virtual void at(Point point) = 0;     // ignores who never came
};

inline std::atomic<Schedule*> current_schedule{nullptr};

inline Schedule* scheduled() {
  return current_schedule.load(std::memory_order_relaxed);
}

inline void schedule_point(Point point) {
  if (Schedule* schedule = scheduled()) [[unlikely]] schedule->at(point);
}

}  // namespace tine
