// Finding and publishing work.
#include "runtime/net/worker.h"

#include <cstring>

#include "runtime/heap/check.h"
#include "runtime/io/files.h"
#include "runtime/sched/schedule.h"

namespace tine {
namespace {

constexpr int kFuel = 64;          // calls between polls
constexpr std::size_t kFirstForks = 256;

}  // namespace

// ---- forks ------------------------------------------------------------------

bool ForkStack::grow() {
  if (bottom_ > capacity_ / 2) {
    std::memmove(frames_, frames_ + bottom_,
                 (top_ - bottom_) * sizeof(Frame*));
    top_ -= bottom_;
    bottom_ = 0;
    return true;
  }
  std::size_t capacity = capacity_ == 0 ? kFirstForks : capacity_ * 2;
  auto* frames =
      static_cast<Frame**>(region_.big(capacity * sizeof(Frame*)));
  if (!frames) return false;
  if (frames_) {
    std::memcpy(frames, frames_, top_ * sizeof(Frame*));
    region_.give_big(frames_);
  }
  frames_ = frames;
  capacity_ = capacity;
  return true;
}

void ForkStack::pop(Frame* frame) {
  TINE_CHECK(top_ > bottom_ && frames_[top_ - 1] == frame);
  --top_;
}

void ForkStack::pop_oldest() {
  if (++bottom_ == top_) bottom_ = top_ = 0;
}

// ---- a worker ---------------------------------------------------------------

Worker::Worker(Run& run, unsigned id)
    : run(run),
      id(id),
      heap(run.region, *this, run.request.limits.workers > 1),
      forks(run.region),
      registers(2 * (std::size_t{run.program.registers} + 1)),
      hits(run.program.blocks.size()),
      applied(run.program.defs.size()) {}

bool Worker::stopping() { return run.limits_reached(*this); }

void Worker::close_file(std::uint32_t file) { run.files.close(file); }

void* Worker::big_frame(unsigned words) {
  void* frame = heap.region().big(words * 8);
  if (!frame) heap.fail(Fault::kMemory);
  return frame;
}

bool Worker::poll() {
  schedule_point(Point::kPoll);
  fuel.store(scheduled() ? 1 : kFuel, std::memory_order_relaxed);
  if (stopping()) return false;
  if (!forks.empty() && run.request.limits.workers > 1) share();
  return true;
}

// Gives idle workers something to do.
void Worker::share() {
  if (!run.started()) run.start_threads();
  unsigned idle = run.pool.idle();
  std::size_t ready = deque.size();
  while (ready < idle && !forks.empty()) {
    publish_oldest();
    ++ready;
    run.pool.wake_one();
  }
}

// The last private call of the oldest frame.
void Worker::publish_oldest() {
  Frame* frame = forks.oldest();
  ParControl& control = control_of(frame);
  std::uint32_t calls = frame->resume->ins.a;
  if (control.end == calls) {  // the first: one for the chain, one for it
    control.pending.store(2, std::memory_order_relaxed);
  } else {
    // Relaxed: the chain's own share keeps the count above zero, and the
    // deque hands everything over.
    control.pending.fetch_add(1, std::memory_order_relaxed);
  }
  std::uint32_t call = --control.end;
  if (control.end == control.next) forks.pop_oldest();
  deque.push({frame, call});
}

void Worker::publish_all() {
  bool any = !forks.empty();
  while (!forks.empty()) publish_oldest();
  if (any && run.pool.idle() > 0) run.pool.wake_one();
}

bool Worker::steal(Task& task) {
  std::size_t count = run.workers.size();
  for (std::size_t i = 1; i < count; ++i) {
    Worker& victim = *run.workers[(id + i) % count];
    std::size_t left;
    if (victim.deque.steal_oldest(task, left)) {
      ++steals;
      // There may be more: wake the next before starting.
      if (left > 0 && run.pool.idle() > 0) run.pool.wake_one();
      return true;
    }
  }
  return false;
}

bool Worker::find(Task& task) {
  TINE_CHECK(forks.empty());
  if (run.leaving(*this)) return false;
  if (deque.pop_newest(task) || steal(task)) return true;
  return run.pool.look([&] { return run.leaving(*this); },
                       [&] { return steal(task); }, [&] { run.poke_all(); });
}

}  // namespace tine
