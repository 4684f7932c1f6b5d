// One worker: its stack, its joins, its offers.
#include "runtime/native/hand.h"

#include <algorithm>
#include <new>

#include "runtime/heap/check.h"
#include "runtime/net/traps.h"
#include "runtime/sched/schedule.h"

namespace tine {
namespace {

constexpr int kSpins = 32;  // at a join, before it looks in earnest
// What must lie between a theft and the next for it to have been worth it.
constexpr std::chrono::nanoseconds kWorth{2500};
using Pause = std::chrono::steady_clock::duration;
constexpr Pause kShortestPause = std::chrono::microseconds{1};
constexpr Pause kLongestPause = std::chrono::microseconds{500};
// Polls for which a worker that was asked for work and has none stays asked.
constexpr int kPatience = 256;
constexpr unsigned kMostAhead = 16;
constexpr std::uint32_t kNobody = UINT32_MAX;
// Functions that cannot recurse, and the runtime, do not look at the limit.
constexpr std::size_t kSlack = std::size_t{96} << 10;
constexpr std::size_t kFirstHold = std::size_t{256} << 10;
constexpr std::size_t kLargestStack = std::size_t{64} << 30;
// A stack that grew beyond this is given back between two entries.
constexpr std::size_t kKeep = std::size_t{16} << 20;

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

NativeHand::NativeHand(NativeRun& owner, unsigned number)
    : run(owner),
      id(number),
      heap(owner.region, *this, owner.request.limits.workers > 1) {
  state.limit.store(kPoked, std::memory_order_relaxed);
  state.newest = state.published = &base_;
  state.sizes = heap.sizes();
  state.made = state.freed = 0;
  state.rt = &native_entries();
  state.self = this;
  state.alone = number == 0;
  if (owner.program.counted) {
    counts_.resize(NativeSlots{owner.book.defs.size()}.size());
  }
  state.counts = counts_.data();
}

bool NativeHand::stopping() { return run.limits_reached(); }

void NativeHand::close_file(std::uint32_t file) { run.files.close(file); }

// ---- stack ------------------------------------------------------------------

bool NativeHand::ready() {
  if (stack_.bytes() == 0) {
    std::size_t most = kLargestStack;
    std::size_t cap = run.region.cap();
    if (cap != 0 && cap < most / 2) most = (cap * 2 + 0xFFFF) & ~0xFFFFull;
    if (most < 4 * kFirstHold) most = 4 * kFirstHold;
    if (!stack_.map(most)) return false;
  }
  if (held_ == 0) {
    if (!run.region.hold(kFirstHold)) return false;
    held_ = kFirstHold;
  }
  return true;
}

char* NativeHand::soft_limit() const {
  return stack_.high() - held_ + kSlack;
}

void NativeHand::grow(const char* at, std::uint32_t def) {
  auto depth = static_cast<std::size_t>(stack_.high() - at);
  std::size_t want = depth + depth / 4 + 2 * kSlack;
  want = (want + 0xFFFF) & ~std::size_t{0xFFFF};
  if (want > stack_.bytes()) want = stack_.bytes();
  bool fits = want >= depth + kSlack;
  if (fits && !run.region.hold(want - held_)) fits = false;
  if (!fits) {
    run.trap(TrapKind::kMemory, memory_text(run.region), def);
    leave(def);
  }
  held_ = want;
  state.limit.store(soft_limit(), std::memory_order_seq_cst);
}

void NativeHand::enter(void (*function)(void*), void* argument) {
  if (!ready()) {
    run.trap(TrapKind::kMemory, memory_text(run.region), NativeRun::kNoDef);
    return;
  }
  state.limit.store(soft_limit(), std::memory_order_seq_cst);
  if (run.stopped() || scheduled()) poke();  // a poke before was lost
  stack_.run(function, argument);
  if (held_ > kKeep) {
    stack_.forget();
    run.region.unhold(held_ - kFirstHold);
    held_ = kFirstHold;
  }
}

void NativeHand::leave(std::uint32_t def) {
  run.name_trap(def);
  stack_.leave();
}

void NativeHand::trap_fault(std::uint32_t def) {
  Fault fault = heap.fault();
  if (fault != Fault::kStopped) {
    run.trap(trap_kind(fault), fault_text(fault, run.region), def);
  }
  leave(def);
}

void NativeHand::poll(std::uint32_t def) {
  schedule_point(Point::kPoll);
  // First the limit, then what others may want: whoever pokes first says
  // what for and then poisons the limit, so nothing is missed.
  bool asked = state.limit.exchange(soft_limit(), std::memory_order_seq_cst) ==
               kPoked;
  if (run.limits_reached()) leave(def);
  const char* at = static_cast<const char*>(__builtin_frame_address(0));
  if (at < soft_limit() + kSlack / 8) grow(at, def);
  if (run.request.limits.workers > 1 && share(asked)) {
    char* limit = soft_limit();  // unless it was poked again
    state.limit.compare_exchange_strong(limit, kPatient,
                                        std::memory_order_seq_cst);
  }
}

// ---- forks ------------------------------------------------------------------

// Publishes calls when somebody has asked. True when there were too few: the
// worker stays asked, because the next fork may be one leaf away, and a leaf
// may have no poll.
bool NativeHand::share(bool asked) {
  if (asked) {
    patience_ = kPatience;
    // All that was published is gone: more at a time.
    if (deque.size() == 0 && ahead_ < kMostAhead) ahead_ *= 2;
  }
  if (!run.started()) {
    if (state.published == state.newest) return scheduled();
    run.start_threads();
  }
  if (patience_ == 0) return false;
  std::size_t ready = deque.size();
  while (ready < ahead_ && state.published != state.newest) {
    if (!publish_oldest()) break;
    ++ready;
    if (run.pool.idle() > 0) run.pool.wake_one();
  }
  if (ready >= ahead_) patience_ = 0;
  else --patience_;
  return patience_ > 0;
}

bool NativeHand::publish_oldest() {
  NativeFork* fork = state.published->newer;
  fork->done.store(0, std::memory_order_relaxed);
  fork->thief.store(kNobody, std::memory_order_relaxed);
  try {
    deque.push(fork);
  } catch (const std::bad_alloc&) {
    return false;  // it stays private
  }
  state.published = fork;
  return true;
}

bool NativeHand::steal_from(unsigned victim, NativeFork*& fork) {
  NativeHand& from = *run.hands[victim];
  std::size_t left;
  if (victim == id || !from.deque.steal_oldest(fork, left)) return false;
  fork->thief.store(id, std::memory_order_relaxed);
  ++steals;
  // There may be more: wake the next before starting. Else ask for more now,
  // before anybody wants it.
  if (left == 0) from.poke();
  else if (run.pool.idle() > 0) run.pool.wake_one();
  return true;
}

bool NativeHand::steal(NativeFork*& fork, unsigned first) {
  auto count = static_cast<unsigned>(run.hands.size());
  if (first < count && steal_from(first, fork)) return true;
  for (unsigned i = 1; i < count; ++i) {
    if (steal_from((id + i) % count, fork)) return true;
  }
  return false;
}

void NativeHand::execute(NativeFork* fork) {
  if (!scheduled()) stole_ = Clock::now();
  poke();  // where somebody stole, the first fork in it is wanted too
  fork->run(&state, fork);
  schedule_point(Point::kDone);
  // Release: pairs with the acquire of the join; the fork is gone after it.
  fork->done.store(1, std::memory_order_seq_cst);
  schedule_point(Point::kDone);
  if (run.pool.idle() > 0) run.pool.wake_all();
}

void NativeHand::join(NativeFork* fork, std::uint32_t def) {
  state.published = fork->older;
  NativeFork* newest;
  if (deque.pop_newest(newest)) {
    TINE_CHECK(newest == fork);
    if (ahead_ > 1) ahead_ /= 2;  // it was not wanted
    return fork->run(&state, fork);
  }
  while (!fork->done.load(std::memory_order_acquire)) {
    if (NativeFork* other = look_for_work(fork)) execute(other);
    else if (run.leaving()) leave(def);
  }
}

// Is there no need to go on until `awaited` is done (null: until the run ends)?
bool NativeHand::over(const NativeFork* awaited) {
  schedule_point(Point::kJoin);
  return run.leaving() ||
         (awaited && awaited->done.load(std::memory_order_seq_cst));
}

// On a spine of tiny leaves two workers would take the rest of the spine from
// each other after every leaf. Who comes back too soon with its own fork
// stolen waits, longer each time, and lets the other go on.
void NativeHand::take_a_break(const NativeFork* awaited) {
  if (scheduled()) return;
  auto now = Clock::now();
  pause_ = now - stole_ < kWorth
               ? std::min(kLongestPause, 2 * pause_ + kShortestPause)
               : Pause{0};
  while (pause_ > Pause{0} && Clock::now() - now < pause_ && !over(awaited)) {
    Pool::look_again();
  }
}

// Work to do until it is over: first from whoever runs `awaited`. Null when it
// is over.
NativeFork* NativeHand::look_for_work(const NativeFork* awaited) {
  auto thief = [&] {
    return awaited ? awaited->thief.load(std::memory_order_relaxed) : kNobody;
  };
  if (awaited) take_a_break(awaited);
  // Before any theft: a worker that left its stack in a trap must not use it
  // again, since the forks in its dead frames may still be in its deque.
  if (over(awaited)) return nullptr;
  NativeFork* found;
  if (steal(found, thief())) return found;
  // When a spine of stolen calls ends, each join waits for the one before.
  for (int spin = 0; awaited && spin < kSpins; ++spin) {
    if (over(awaited)) return nullptr;
    relax();
  }
  bool got = run.pool.look([&] { return over(awaited); },
                           [&] { return steal(found, thief()); },
                           [&] { run.poke_all(); });
  return got ? found : nullptr;
}

namespace {

struct Stolen {
  NativeHand* hand;
  NativeFork* fork;
};

}  // namespace

void NativeHand::serve() {
  while (NativeFork* fork = look_for_work(nullptr)) {
    Stolen stolen{this, fork};
    enter([](void* argument) {
      auto* given = static_cast<Stolen*>(argument);
      given->hand->execute(given->fork);
    }, &stolen);
  }
}

}  // namespace tine
