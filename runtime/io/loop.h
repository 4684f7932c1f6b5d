// The event loop of an IO main: runs its computations round robin, each until
// it waits for a clock, a channel or a program.
//
// A computation is a request (or its end) that the reducer gave; performing
// the request and applying the continuation gives the next one. All of it is
// on the thread of worker 0. `IO.within` starts a computation that belongs to
// the one that waits for it: when the time is over it is forgotten, with all
// that belongs to it, wherever it waits.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "runtime/io/channels.h"
#include "runtime/io/effects.h"
#include "runtime/io/process.h"

namespace tine {

using LoopClock = std::chrono::steady_clock;

struct Computation {
  ComputationPtr owner;      // who waits for it in `IO.within`; null for others
  Word next = 0;             // the owner's continuation
  LoopClock::time_point deadline;
  bool over = false;         // it ended, or its time did
};

class EventLoop {
 public:
  // `apply` gives what a function makes of an argument; 0 after a trap.
  using Apply = std::function<Word(Word function, Word argument)>;
  EventLoop(Effects& effects, LocalHeap& heap, const Book& book,
            const NetProgram& program, Word last, Apply apply)
      : effects_(effects), heap_(heap), book_(book), program_(program),
        last_(last), apply_(std::move(apply)) {}

  // Runs `op` and all that it starts. The `Halt` that ended the program, or 0
  // when all ended, failed (`Effects::stream_error`, a fault in the heap, a
  // trap) or wait for one another (`deadlock`).
  Word run(Word op);
  bool deadlock() const { return deadlock_; }

 private:
  struct Timer {
    Waiting sleeper;         // who sleeps, or
    ComputationPtr limited;  // whose time is over
  };
  struct Child {
    Waiting who;
    std::unique_ptr<Process> process;
  };
  using Timers = std::multimap<LoopClock::time_point, Timer>;

  static bool is_over(const ComputationPtr& computation);
  bool is_late(const ComputationPtr& computation) const;
  bool failed();
  void ready(Waiting who, Word answer);
  void forget(Waiting& who);
  void forget_over();
  void end(const ComputationPtr& computation, Word op);
  void give_up(const ComputationPtr& computation);
  Word step(Word op, bool& waits);
  Word go_on(Word next, Word answer);
  Word next_op();
  bool wait();
  void fire_timers();
  void pump_children();
  void finish_child(Child& child);
  bool waits_for_channels();
  void clear();

  // Effects that the loop performs: an answer, or 0 where the computation
  // waits now.
  Word perform(Effect effect, Word* args, Word next);
  Word send(Word* args, Word next);
  Word receive(Word channel, Word next);
  Word close(Word channel);
  Word within(Word* args, Word next);
  Word start_process(Word* args, Word next);
  Word some(Word value);

  Effects& effects_;
  LocalHeap& heap_;
  const Book& book_;
  const NetProgram& program_;
  const Word last_;
  const Apply apply_;
  ComputationPtr current_;
  std::deque<Waiting> ready_;  // `value` is the answer
  Timers timers_;
  Channels channels_;
  std::vector<Child> children_;
  bool deadlock_ = false;
  bool cut_ = false;  // by a trap
};

}  // namespace tine
