// A worker of a run: its heap, its registers, its forks and its counts; and
// the run that the workers share.
//
// A frame is an agent that waits for values: where its rule goes on, the
// frame that waits for its own value, and what it saved. A frame of a
// parallel let keeps a control word in slot 0, then the results of its calls,
// then what it saved, then the arguments of the calls that have not begun.
//
// Calls of a parallel let, and who may do what:
//   private    in its frame only; the worker that runs the frame's chain
//              begins them one after another, first to last
//   published  in a deque; whoever takes it runs it. The last private call of
//              the oldest frame is published first
//   running    ends by `arrive`: the last of all ends the let
// `next` and `end` bound the private calls; only the worker that runs the
// chain touches them. `pending` is set by the first publication and counts
// the published calls that have not arrived, and one for the chain's private
// calls together. Before a worker leaves a chain it publishes all private
// calls of that chain, so that whoever goes on with the chain finds none.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/heap/array.h"
#include "runtime/net/code.h"
#include "runtime/net/engine.h"
#include "runtime/net/strings.h"
#include "runtime/sched/apart.h"
#include "runtime/sched/deque.h"
#include "runtime/sched/pool.h"

namespace tine {

struct Frame {
  const Cell* resume;
  Frame* parent;

  Word* slots() { return reinterpret_cast<Word*>(this + 1); }
};

// Slot 0 of a frame of a parallel let.
struct ParControl {
  std::atomic<std::uint32_t> pending;
  std::uint16_t next, end;
};
static_assert(sizeof(ParControl) == sizeof(Word));

inline ParControl& control_of(Frame* frame) {
  return *reinterpret_cast<ParControl*>(frame->slots());
}

struct Task {
  Frame* frame;
  std::uint32_t call;
};

// The frames that have private calls, oldest first.
class ForkStack {
 public:
  explicit ForkStack(Region& region) : region_(region) {}
  bool empty() const { return bottom_ == top_; }
  bool push(Frame* frame) {
    if (top_ == capacity_ && !grow()) return false;
    frames_[top_++] = frame;
    return true;
  }
  void pop(Frame* frame);
  Frame* oldest() const { return frames_[bottom_]; }
  void pop_oldest();

 private:
  bool grow();

  Region& region_;
  Frame** frames_ = nullptr;
  std::size_t bottom_ = 0, top_ = 0, capacity_ = 0;
};

class Run;

class alignas(kApart) Worker final : public HeapOwner {
 public:
  Worker(Run& run, unsigned id);

  bool stopping() override;
  void close_file(std::uint32_t file) override;

  // Every few calls: false when the worker must leave.
  bool poll();
  // The next call to run, from anywhere; false when the worker must leave.
  bool find(Task& task);
  // Publishes all private calls: before the worker leaves a chain.
  void publish_all();

  Frame* new_frame(unsigned words) {
    auto* frame = static_cast<Frame*>(
        words <= kMaxWords ? heap.take(words) : big_frame(words));
    if (frame) [[likely]] ++heap.counts.frames_made;
    return frame;
  }
  void free_frame(Frame* frame, unsigned words) {
    ++heap.counts.frames_freed;
    if (words <= kMaxWords) [[likely]] heap.give(frame, words);
    else heap.region().give_big(frame);
  }

  Run& run;
  const unsigned id;
  LocalHeap heap;
  // Calls until the next poll. Others set it to 0 to be heard; a lost
  // store costs them a few calls.
  std::atomic<int> fuel{0};
  ForkStack forks;
  Deque<Task> deque;
  ApartVector<Word> registers;           // two banks
  ApartVector<std::uint64_t> hits;       // by block
  ApartVector<std::uint64_t> applied;    // calls through closures, by def
  std::uint64_t steals = 0;
  const Cell* last = nullptr;            // names a trap between two calls

 private:
  void* big_frame(unsigned words);
  void publish_oldest();
  bool steal(Task& task);
  void share();
};

class FileTable;

class Run {
 public:
  Run(const Book& book, const NetProgram& program, const RunRequest& request,
      FileTable& files);
  ~Run();

  // Runs code with its first registers set, to a value; 0 after a trap.
  Word enter(const Cell* code, Word first = 0, Word second = 0);
  // Ends the threads. Counts are final then.
  void finish();

  // Called by workers.
  void halt(Worker& worker, Word value);
  void trap(Worker& worker, TrapKind kind, std::string text);
  void trap_fault(Worker& worker);
  void name_trap(Worker& worker, const Cell* at);
  void name_trap(Worker& worker, const DefRow& def);
  bool limits_reached(Worker& worker);
  bool leaving(const Worker& worker) const;
  void poke_all();
  void start_threads();
  bool started() const { return workers.size() > 1; }

  const Book& book;
  const NetProgram& program;
  const RunRequest& request;
  FileTable& files;
  Region region;
  Pool pool;
  std::vector<std::unique_ptr<Worker>> workers;
  const StringIds strings;

  const Trap& trapped() const { return trap_; }
  unsigned most_workers() const { return most_workers_; }

 private:
  std::atomic<bool> stopped_{false};  // a trap: everybody leaves
  std::atomic<bool> done_{false};     // the entry has its value: 0 leaves
  std::atomic<bool> ended_{false};    // no further entry: threads leave
  std::mutex mutex_;
  Trap trap_;
  const Worker* trapper_ = nullptr;
  Word value_ = 0;
  unsigned most_workers_;
  std::chrono::steady_clock::time_point deadline_;
};

// Reduces until the worker must leave: from `code` with the frame that gets
// its value, or from the next published call where `code` is null.
void reduce(Run& run, Worker& worker, const Cell* code, Frame* frame);

}  // namespace tine
