// One worker: its stack, its joins, its offers.
#include "runtime/native/hand.h"

#include <new>
#include <thread>

#include "runtime/heap/check.h"
#include "runtime/net/traps.h"

namespace tine {
namespace {

constexpr int kLooks = 16;  // before a worker sleeps
constexpr std::uint32_t kNobody = UINT32_MAX;
// Functions that cannot recurse, and the runtime, do not look at the limit.
constexpr std::size_t kSlack = std::size_t{96} << 10;
constexpr std::size_t kFirstHold = std::size_t{256} << 10;
constexpr std::size_t kLargestStack = std::size_t{64} << 30;
// A stack that grew beyond this is given back between two entries.
constexpr std::size_t kKeep = std::size_t{16} << 20;

}  // namespace

NativeHand::NativeHand(NativeRun& owner, unsigned number)
    : run(owner),
      id(number),
      heap(owner.region, *this, owner.request.limits.workers > 1) {
  state.limit.store(kPoison, std::memory_order_relaxed);
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
  // First the limit, then what others may want: whoever pokes first says
  // what for and then poisons the limit, so nothing is missed.
  state.limit.store(soft_limit(), std::memory_order_seq_cst);
  if (run.limits_reached()) leave(def);
  const char* at = static_cast<const char*>(__builtin_frame_address(0));
  if (at < soft_limit() + kSlack / 8) grow(at, def);
  if (state.published != state.newest &&
      run.request.limits.workers > 1) {
    share();
  }
}

// ---- forks ------------------------------------------------------------------

// Gives idle workers something to do.
void NativeHand::share() {
  if (!run.started()) run.start_threads();
  unsigned idle = run.pool.idle();
  std::size_t ready = deque.size();
  while (ready < idle && state.published != state.newest) {
    if (!publish_oldest()) return;
    ++ready;
    run.pool.wake_one();
  }
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
  if (victim == id || !from.deque.steal_oldest(fork)) return false;
  fork->thief.store(id, std::memory_order_relaxed);
  ++steals;
  // There may be more: wake the next before starting.
  if (from.deque.size() > 0 && run.pool.idle() > 0) run.pool.wake_one();
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
  fork->run(&state, fork);
  // Release: pairs with the acquire of the join; the fork is gone after it.
  fork->done.store(1, std::memory_order_seq_cst);
  if (run.pool.idle() > 0) run.pool.wake_all();
}

// A worker that found nothing: true to look again, false to sleep.
bool NativeHand::look_again(int& look) {
  if (look == 0) run.poke_all();
  if (++look >= kLooks) return false;
  std::this_thread::yield();
  return true;
}

void NativeHand::join(NativeFork* fork, std::uint32_t def) {
  state.published = fork->older;
  NativeFork* newest;
  if (deque.pop_newest(newest)) {
    TINE_CHECK(newest == fork);
    return fork->run(&state, fork);
  }
  for (int look = 0;;) {
    if (fork->done.load(std::memory_order_acquire)) return;
    if (run.leaving()) leave(def);
    NativeFork* other;
    if (steal(other, fork->thief.load(std::memory_order_relaxed))) {
      execute(other);
      look = 0;
      continue;
    }
    if (look_again(look)) continue;
    std::uint64_t epoch = run.pool.prepare();
    run.poke_all();
    if (fork->done.load(std::memory_order_seq_cst) || run.leaving()) {
      run.pool.cancel();
    } else if (steal(other, kNobody)) {
      run.pool.cancel();
      execute(other);
    } else {
      run.pool.wait(epoch);
    }
    look = 1;
  }
}

namespace {

struct Stolen {
  NativeHand* hand;
  NativeFork* fork;
};

}  // namespace

void NativeHand::serve() {
  for (int look = 0; !run.leaving();) {
    NativeFork* fork;
    bool found = steal(fork, kNobody);
    if (!found) {
      if (look_again(look)) continue;
      std::uint64_t epoch = run.pool.prepare();
      run.poke_all();
      found = !run.leaving() && steal(fork, kNobody);
      if (found || run.leaving()) run.pool.cancel();
      else run.pool.wait(epoch);
      look = 1;
    }
    if (!found) continue;
    look = 0;
    Stolen stolen{this, fork};
    enter([](void* argument) {
      auto* given = static_cast<Stolen*>(argument);
      given->hand->execute(given->fork);
    }, &stolen);
  }
}

}  // namespace tine
