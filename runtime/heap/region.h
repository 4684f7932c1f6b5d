// A run's memory: everything a run allocates comes from one region, bound to
// no thread, and goes back to the system when the region ends, in whatever
// state a trap left it.
//
// Two sizes: chunks, which workers cut into nodes and never give back before
// the end, and big blocks, which go back at once. Both are counted against
// the cap before any of it is touched. Freed nodes that pile up at one worker
// pass to the others in chains.
//
// Who may touch what: chunks, big blocks and chains are under `mutex_`;
// `held_` and `peak_` are atomic, relaxed, since they order nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tine {

inline constexpr std::size_t kLine = 64;
// Nodes and small frames have 2 .. kMaxWords words; larger ones are big.
inline constexpr unsigned kMaxWords = 1023;

// A dead node in a free list. `chain` links whole lists in the region.
struct FreeNode {
  FreeNode* next;
  FreeNode* chain;
};

class SpinLock {
 public:
  void lock();
  // Release: pairs with the acquire in lock().
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

class Region {
 public:
  explicit Region(std::size_t cap) : cap_(cap) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region();

  // 64-byte aligned, uninitialised; null at the cap or when the system has
  // no more.
  std::byte* chunk(std::size_t bytes);
  // The same, to be given back by itself. `zeroed` tells whether the bytes
  // are known to be zero.
  void* big(std::size_t bytes, bool* zeroed = nullptr);
  void give_big(void* block);

  // Memory that lies elsewhere (stacks) but counts against the cap; false at
  // the cap.
  bool hold(std::size_t bytes) { return reserve(bytes); }
  void unhold(std::size_t bytes) { release(bytes); }

  // Chains of free nodes of one size.
  void give_chain(unsigned words, FreeNode* first);
  FreeNode* take_chain(unsigned words);

  // Guards a cell that several handles can reach.
  SpinLock& guard(const void* cell) {
    auto at = reinterpret_cast<std::uintptr_t>(cell);
    return guards_[(at >> 3 ^ at >> 11) % guards_.size()];
  }

  std::size_t cap() const { return cap_; }  // 0: none
  std::size_t held() const { return held_.load(std::memory_order_relaxed); }
  std::size_t peak() const { return peak_.load(std::memory_order_relaxed); }

 private:
  struct Big;
  struct Chunk {
    std::byte* at;
    std::size_t bytes;
  };
  bool reserve(std::size_t bytes);
  void release(std::size_t bytes) {
    held_.fetch_sub(bytes, std::memory_order_relaxed);
  }

  const std::size_t cap_;
  std::atomic<std::size_t> held_{0}, peak_{0};
  std::mutex mutex_;
  std::vector<Chunk> chunks_;
  Big* bigs_ = nullptr;
  std::array<FreeNode*, kMaxWords + 1> chains_{};
  std::array<SpinLock, 256> guards_;
};

}  // namespace tine
