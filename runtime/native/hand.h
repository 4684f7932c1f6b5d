// A worker of a native run: what emitted code sees of it, its heap, its
// stack and the forks it has published; and the run that they share.
//
// A fork's states, who moves it on, and under what:
//
//   from       to         who    by
//   -          private    owner  push_fork: links it as the newest
//   private    run        owner  pop_fork: it was newer than `published`
//   private    published  owner  publish_oldest, at a poll: the deque's lock
//   published  run        owner  join: takes it back under the lock
//   published  stolen     thief  steal_from: takes the oldest under the lock
//   stolen     done       thief  execute: result first, then `done`
//   done       joined     owner  join: sees `done`, then reads the result
//
// A worker's states, beside those of runtime/sched/pool.h: `join` with a
// stolen fork steals parts of it from whoever runs it, else whatever it finds,
// and runs that on top of its own stack. It never leaves a stack half run for
// another, so emitted code may keep the worker in a register. Every call that
// lies under another on a stack began before it, so no two workers wait for
// each other; a spine of forks nests one theft in the next, at about 200 bytes
// of stack each. With two workers all that the other one has is part of what is
// waited for; with more, a join may come back late, when what its worker took
// meanwhile is done. tests/unit/sched_seeds.cc runs all this in drawn orders.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/io/files.h"
#include "runtime/native/abi.h"
#include "runtime/native/stack.h"
#include "runtime/net/main_loop.h"
#include "runtime/sched/apart.h"
#include "runtime/sched/deque.h"
#include "runtime/sched/pool.h"

namespace tine {

class NativeRun;

class alignas(kApart) NativeHand final : public HeapOwner {
 public:
  NativeHand(NativeRun& run, unsigned id);

  bool stopping() override;
  void close_file(std::uint32_t file) override;

  // Restores the limit, leaves, grows the stack, offers work.
  void poll(std::uint32_t def);
  void join(NativeFork* fork, std::uint32_t def);
  // Ends the run with the fault in the heap.
  [[noreturn]] void trap_fault(std::uint32_t def);
  // Runs a function on the stack until it returns or traps.
  void enter(void (*function)(void*), void* argument);
  // A worker without work: until the run ends.
  void serve();
  // Asks for work, or only to be heard.
  void poke() { state.limit.store(kPoked, std::memory_order_seq_cst); }

  NativeWorker state;
  NativeRun& run;
  const unsigned id;
  LocalHeap heap;
  Deque<NativeFork*> deque;
  std::uint64_t steals = 0;

 private:
  using Clock = std::chrono::steady_clock;

  // Limits below which every stack pointer is: somebody else wants to be
  // heard; the worker has forks to publish as soon as it makes them.
  static inline char* const kPoked = reinterpret_cast<char*>(~std::size_t{0});
  static inline char* const kPatient = kPoked - 1;

  bool ready();
  char* soft_limit() const;
  void grow(const char* at, std::uint32_t def);
  bool share(bool asked);
  bool publish_oldest();
  bool steal_from(unsigned victim, NativeFork*& fork);
  bool steal(NativeFork*& fork, unsigned first);
  bool over(const NativeFork* awaited);
  void take_a_break(const NativeFork* awaited);
  NativeFork* look_for_work(const NativeFork* awaited);
  void execute(NativeFork* fork);
  [[noreturn]] void leave(std::uint32_t def);

  NativeStack stack_;
  ApartVector<std::uint64_t> counts_;
  std::size_t held_ = 0;   // bytes of the stack that count as memory
  NativeFork base_;        // older than every fork
  int patience_ = 0;       // polls for which it still counts as asked
  unsigned ahead_ = 1;     // calls to have published
  Clock::time_point stole_{};       // the last theft
  Clock::duration pause_{0};        // before the next one
};

class NativeRun final : public Reducer {
 public:
  NativeRun(const Book& book, const NetProgram& numbers,
            const NativeProgram& program, const RunRequest& request,
            FileTable& files);
  ~NativeRun() override;

  Word main(Word last) override;
  Word apply(Word function, Word argument) override;
  LocalHeap& heap() override { return hands[0]->heap; }
  HeapOwner& owner() override { return *hands[0]; }
  const Trap& trapped() override;
  // Ends the threads. Counts are final then.
  void finish();
  void add_stats(RunStats& stats) const;

  // Called by workers.
  void trap(TrapKind kind, std::string text, std::uint32_t def);
  void name_trap(std::uint32_t def);
  bool stopped() const { return stopped_.load(std::memory_order_acquire); }
  bool limits_reached();
  bool leaving() const {
    return stopped() || ended_.load(std::memory_order_acquire);
  }
  void poke_all();
  void start_threads();
  bool started() const { return started_.load(std::memory_order_acquire); }

  const Book& book;
  const NativeProgram& program;
  const RunRequest& request;
  FileTable& files;
  const StringIds strings;
  Region region;
  Pool pool;
  // All made before the threads start.
  std::vector<std::unique_ptr<NativeHand>> hands;

  static constexpr std::uint32_t kNoDef = UINT32_MAX;

 private:
  Word enter(bool applies, Word first, Word second);
  void watch();
  void add_counts(RunStats& stats) const;

  std::atomic<bool> stopped_{false};  // a trap: everybody leaves
  std::atomic<bool> ended_{false};    // no further entry: threads leave
  std::atomic<bool> started_{false};
  std::mutex mutex_;
  Trap trap_;
  std::chrono::steady_clock::time_point deadline_;
  // Looks at the limits while workers compute.
  std::thread watcher_;
  std::condition_variable watch_;
  std::mutex watch_mutex_;
};

inline NativeHand& hand_of(NativeWorker* worker) {
  return *static_cast<NativeHand*>(worker->self);
}
// The table that emitted code gets.
const NativeEntries& native_entries();

}  // namespace tine
