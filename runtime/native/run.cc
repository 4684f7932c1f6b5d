// A run: its entries, its limits, its end.
#include <algorithm>
#include <new>

#include "runtime/heap/check.h"
#include "runtime/native/hand.h"
#include "runtime/net/counts.h"
#include "runtime/net/traps.h"
#include "runtime/sched/schedule.h"

namespace tine {
namespace {

constexpr std::chrono::microseconds kFirstTick{200};
constexpr std::chrono::milliseconds kTick{5};

std::uint32_t id_or_zero(const NetProgram& numbers, CtorId ctor) {
  return ctor == CtorId::kNone ? 0 : numbers.id(ctor);
}

struct Entry {
  NativeHand* hand;
  const NativeProgram* program;
  bool applies;
  Word first, second;
  Word value = 0;
};

void perform(void* argument) {
  auto& entry = *static_cast<Entry*>(argument);
  NativeWorker* worker = &entry.hand->state;
  entry.value = entry.applies
                    ? entry.program->apply(worker, entry.first, entry.second)
                    : entry.program->main(worker, entry.first);
}

}  // namespace

NativeRun::NativeRun(const Book& book, const NetProgram& numbers,
                     const NativeProgram& program, const RunRequest& request,
                     FileTable& files)
    : book(book),
      program(program),
      request(request),
      files(files),
      strings{id_or_zero(numbers, book.known.snil),
              id_or_zero(numbers, book.known.scon),
              id_or_zero(numbers, book.known.none),
              id_or_zero(numbers, book.known.some)},
      region(request.limits.memory),
      deadline_(deadline_of(request.limits.deadline)) {
  // Never moves: others read it while the threads are being started.
  hands.reserve(request.limits.workers);
  hands.push_back(std::make_unique<NativeHand>(*this, 0));
  const Limits& limits = request.limits;
  if (limits.workers > 1 || limits.stop || limits.deadline > 0) {
    watcher_ = std::thread([this] { watch(); });
  }
}

NativeRun::~NativeRun() { finish(); }

void NativeRun::finish() {
  {
    std::lock_guard lock(watch_mutex_);
    ended_.store(true, std::memory_order_seq_cst);
  }
  watch_.notify_all();
  pool.wake_all();
  pool.join();
  if (watcher_.joinable()) watcher_.join();
}

// Every few milliseconds, since computing workers look at no clock.
void NativeRun::watch() {
  std::unique_lock lock(watch_mutex_);
  auto tick = kFirstTick;
  while (!ended_.load(std::memory_order_relaxed)) {
    watch_.wait_for(lock, tick);
    if (limits_reached()) return;
    // The first fork of the run finds its workers this way, and those that
    // sleep since everybody ran out of forks find the next.
    if (request.limits.workers > 1 && !scheduled() &&
        (!started() || pool.idle() > 0)) {
      poke_all();
    }
    tick = kTick;
  }
}

bool NativeRun::limits_reached() {
  if (stopped_.load(std::memory_order_relaxed)) return true;
  const Limits& limits = request.limits;
  if (limits.stop && limits.stop->load(std::memory_order_relaxed)) {
    trap(TrapKind::kInterrupted, "interrupted", kNoDef);
    return true;
  }
  if (limits.deadline > 0 && std::chrono::steady_clock::now() > deadline_) {
    trap(TrapKind::kDeadline, deadline_text(limits.deadline), kNoDef);
    return true;
  }
  return false;
}

void NativeRun::trap(TrapKind kind, std::string text, std::uint32_t def) {
  {
    std::lock_guard lock(mutex_);
    if (trap_.kind != TrapKind::kNone) return;
    trap_ = make_trap(kind, std::move(text));
    if (def < book.defs.size()) trap_.def = book.defs[def].origin;
  }
  stopped_.store(true, std::memory_order_seq_cst);
  poke_all();
  pool.wake_all();
}

// Whoever leaves first says where, if the trap does not know.
void NativeRun::name_trap(std::uint32_t def) {
  std::lock_guard lock(mutex_);
  if (trap_.def.empty() && def < book.defs.size()) {
    trap_.def = book.defs[def].origin;
  }
}

const Trap& NativeRun::trapped() {
  Fault fault = heap().fault();
  if (fault != Fault::kNone && fault != Fault::kStopped) {
    trap(trap_kind(fault), fault_text(fault, region), kNoDef);
  }
  std::lock_guard lock(mutex_);
  return trap_;
}

void NativeRun::poke_all() {
  if (!started()) return hands[0]->poke();
  for (const auto& hand : hands) hand->poke();
}

// Once, from worker 0, when there is a first call to share.
void NativeRun::start_threads() {
  unsigned count = request.limits.workers;
  try {
    for (unsigned id = 1; id < count; ++id) {
      hands.push_back(std::make_unique<NativeHand>(*this, id));
    }
  } catch (const std::bad_alloc&) {
    // Fewer workers do the same work.
  }
  hands[0]->state.alone = 0;
  started_.store(true, std::memory_order_release);
  pool.start(static_cast<unsigned>(hands.size()),
             [this](unsigned id) { hands[id]->serve(); });
}

Word NativeRun::enter(bool applies, Word first, Word second) {
  Entry entry{hands[0].get(), &program, applies, first, second};
  hands[0]->enter(perform, &entry);
  if (!stopped()) return entry.value;
  finish();  // whoever trapped names the definition on its way out
  return 0;
}

Word NativeRun::main(Word last) { return enter(false, last, 0); }

Word NativeRun::apply(Word function, Word argument) {
  return enter(true, function, argument);
}

void NativeRun::add_stats(RunStats& stats) const {
  for (const auto& hand : hands) {
    const HeapCounts& counts = hand->heap.counts;
    stats.nodes_made += counts.nodes_made + hand->state.made;
    stats.nodes_freed += counts.nodes_freed + hand->state.freed;
    stats.blocks_made += counts.blocks_made;
    stats.blocks_freed += counts.blocks_freed;
    stats.steals += hand->steals;
  }
  stats.peak_bytes = region.peak();
  stats.workers = request.limits.workers;
  if (program.counted) add_counts(stats);
}

void NativeRun::add_counts(RunStats& stats) const {
  NativeSlots slots{book.defs.size()};
  std::vector<std::uint64_t> sum(slots.size());
  for (const auto& hand : hands) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += hand->state.counts[i];
  }
  add_def_counts(book, &sum[slots.calls(0)], &sum[slots.prims(0)], stats);
  stats.takes += sum[slots.takes()];
  stats.makes += sum[slots.makes()];
  stats.forks += sum[slots.forks()];
}

}  // namespace tine
