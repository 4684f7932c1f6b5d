// Memory of theory values: size classes over aligned chunks, and a
// mark-and-sweep collector for long evaluations.
//
// Values never move. Roots are the host stack, scanned conservatively (a word
// that looks like the address of an object keeps it), and the lists that the
// Theory names. A chunk without life is cut anew from one end, for any size:
// most of what a loop makes is dead by the next collection, so that sweeping
// costs little and neighbours in time are neighbours in memory. Collection
// happens inside `allocate`, and only after
// `collect_from`: the checker, whose tables hold values, never turns it on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tine::core {

struct Value;
struct Env;

class ValueStore {
 public:
  enum Sort : std::uint8_t { kValue, kEnv };

  ValueStore();
  ~ValueStore();
  ValueStore(const ValueStore&) = delete;
  ValueStore& operator=(const ValueStore&) = delete;

  // Zeroed memory of at least `bytes`, 16-byte aligned; null when the system
  // has none.
  void* allocate(std::size_t bytes, Sort sort) {
    std::size_t size_class = (bytes + 15) / 16;
    if (size_class < kClasses) {
      Pool& pool = pools_[sort][size_class];
      if (pool.next != pool.end) {
        void* p = pool.next;
        pool.next += size_class * 16;
        return p;
      }
      if (void* p = pool.free) {
        pool.free = *static_cast<void**>(p);
        return clear(p, size_class * 16);
      }
    }
    return allocate_slow(bytes, sort);
  }

  std::size_t held() const { return held_; }   // bytes of chunks
  // Collects from now on; `base` is the stack address where scanning ends.
  void collect_from(const void* base) { base_ = base; }
  // Lists that hold values besides the stack; they must outlive the store.
  void add_roots(const std::vector<Value*>* list) { lists_.push_back(list); }
  std::uint64_t collections() const { return collections_; }

 private:
  static constexpr std::size_t kClasses = 17;  // up to 256 bytes
  static constexpr std::size_t kChunk = std::size_t{1} << 18;

  struct Chunk;
  struct Pool {
    char* next = nullptr;     // zeroed cells up to `end`,
    char* end = nullptr;
    Chunk* chunk = nullptr;   // in the chunk that is being cut
    void* free = nullptr;     // cells between live ones
  };

  static void* clear(void* p, std::size_t bytes);
  void* allocate_slow(std::size_t bytes, Sort sort);
  void* allocate_large(std::size_t object, Sort sort);
  bool cut(Pool& pool);
  bool next_chunk(Pool& pool, std::size_t object, Sort sort);
  Chunk* add_chunk(std::size_t bytes);
  void collect();
  void mark_stack();
  void mark_maybe(std::uintptr_t word);
  void mark(const void* object);
  void trace();
  void set_limit(bool emptied);
  void sweep();
  void sweep_chunk(Chunk* chunk);
  Chunk* chunk_of(std::uintptr_t address) const;
  void index_chunk(Chunk* chunk);

  Pool pools_[2][kClasses];
  std::vector<Chunk*> chunks_;
  std::vector<Chunk*> empty_;           // without life
  std::vector<Chunk*> table_;           // open addressing, by address
  std::vector<std::pair<const void*, Sort>> work_;
  std::vector<const std::vector<Value*>*> lists_;
  const void* base_ = nullptr;
  std::size_t held_ = 0;
  std::size_t limit_ = std::size_t{4} << 20;  // collect above this
  std::size_t stack_ = 0;               // bytes scanned by the last
  std::size_t live_ = 0;                // bytes found live by the last
  std::uint64_t collections_ = 0;
};

}  // namespace tine::core
