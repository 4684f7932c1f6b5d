// A worker's part of the heap: free lists by size over chunks of the region.
//
// `take` pops the list of the exact size, else cuts from the chunk; `give`
// pushes. Last freed is first reused, so the constructor after a match gets
// the node that the match freed, still in the cache. Where several workers
// share the region, a list that has grown to two magazines hands one to the
// region, so that a worker that only frees feeds one that only allocates.
//
// A heap belongs to one worker at a time; nothing in it is atomic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/heap/fault.h"
#include "runtime/heap/poison.h"
#include "runtime/heap/region.h"

namespace tine {

struct HeapCounts {
  std::uint64_t nodes_made = 0, nodes_freed = 0;
  std::uint64_t blocks_made = 0, blocks_freed = 0;
  std::uint64_t frames_made = 0, frames_freed = 0;
  std::uint64_t copies = 0, drops = 0;
};

// What long loops and dead files ask of the run.
class HeapOwner {
 public:
  virtual ~HeapOwner() = default;
  // True when the run must end; called every few thousand steps.
  virtual bool stopping() { return false; }
  virtual void close_file(std::uint32_t) {}
};

class LocalHeap {
 public:
  // `shared`: other workers use the region too.
  LocalHeap(Region& region, HeapOwner& owner, bool shared);
  LocalHeap(const LocalHeap&) = delete;
  LocalHeap& operator=(const LocalHeap&) = delete;

  // `words` words of 8 bytes, 2 .. kMaxWords; null and a fault without
  // memory.
  void* take(unsigned words) {
    SizeClass& size = sizes_[words];
    if (FreeNode* node = size.first) [[likely]] {
      TINE_UNPOISON(node, words * 8);
      size.first = node->next;
      --size.count;
      return node;
    }
    return take_slow(words);
  }
  void give(void* at, unsigned words) {
    SizeClass& size = sizes_[words];
    auto* node = static_cast<FreeNode*>(at);
    node->next = size.first;
    size.first = node;
    TINE_POISON(node, words * 8);
    if (++size.count >= size.limit) [[unlikely]] rotate(words);
  }

  // Blocks of lines of 64 bytes, 64-byte aligned.
  void* take_lines(std::size_t lines, bool* zeroed);
  void give_lines(void* at, std::size_t lines);

  // Sets the fault and returns false.
  bool fail(Fault fault) {
    if (fault_ == Fault::kNone) fault_ = fault;
    return false;
  }
  Fault fault() const { return fault_; }
  // For a run's next entry.
  void clear_fault() { fault_ = Fault::kNone; }

  Region& region() { return region_; }
  HeapOwner& owner() { return owner_; }
  // True (and a fault) when a long loop must be left.
  bool interrupted() {
    return owner_.stopping() && !fail(Fault::kStopped);
  }

  HeapCounts counts;

  // The dead nodes of one size. Emitted code takes and gives in place.
  struct SizeClass {
    FreeNode* first = nullptr;
    FreeNode* spare = nullptr;  // a full magazine
    std::uint32_t count = 0;    // nodes in `first`
    std::uint32_t limit = 0;    // a magazine
  };
  SizeClass* sizes() { return sizes_.data(); }
  // A list is at its limit: called after `give` has pushed.
  void rotate(unsigned words);

 private:
  void* take_slow(unsigned words);
  void* cut(std::size_t bytes);
  bool refill(std::size_t bytes);
  void keep_rest();

  Region& region_;
  HeapOwner& owner_;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t chunk_bytes_;
  Fault fault_ = Fault::kNone;
  std::array<SizeClass, kMaxWords + 1> sizes_;
  std::array<FreeNode*, kLine + 1> lines_{};  // by lines, up to 64
};

}  // namespace tine
