#include "compiler/core/value_store.h"

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>

#include "compiler/core/theory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define TINE_NO_ASAN __attribute__((no_sanitize("address")))
#else
#define TINE_NO_ASAN
#endif

namespace tine::core {

// A chunk starts at a multiple of kChunk. A large object has chunks of its
// own, entered in the table once for each kChunk step.
struct ValueStore::Chunk {
  std::size_t object;        // bytes of one object
  std::size_t count;
  std::size_t used;          // cells that were ever cut since it was empty
  std::size_t live;          // marked cells
  std::size_t bytes;         // of the whole chunk
  Sort sort;
  std::vector<bool> marked;
  void hold(std::size_t size, Sort what) {
    object = size;
    sort = what;
    count = bytes > kChunk ? 1 : (bytes - kHeader) / object;
    used = live = 0;
    marked.assign(count, false);
  }
  char* first() { return reinterpret_cast<char*>(this) + kHeader; }
  static constexpr std::size_t kHeader = 192;
};

ValueStore::ValueStore() : table_(1024, nullptr) {}

ValueStore::~ValueStore() {
  for (Chunk* chunk : chunks_) {
    chunk->~Chunk();
    std::free(chunk);
  }
}

void* ValueStore::clear(void* p, std::size_t bytes) {
  return std::memset(p, 0, bytes);
}

namespace {
// Garbage that is worth a collection. Sanitizers collect often, so that what
// nothing keeps alive is missed soon.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kLeast = 2 * (std::size_t{1} << 18);
#else
constexpr std::size_t kLeast = std::size_t{4} << 20;
#endif

std::size_t hash(std::uintptr_t key) {
  return static_cast<std::size_t>((key >> 18) * 0x9E3779B97F4A7C15ull >> 20);
}
}  // namespace

ValueStore::Chunk* ValueStore::chunk_of(std::uintptr_t address) const {
  std::uintptr_t key = address & ~(std::uintptr_t{kChunk} - 1);
  for (std::size_t i = hash(key);; ++i) {
    Chunk* chunk = table_[i & (table_.size() - 1)];
    if (!chunk) return nullptr;
    if (reinterpret_cast<std::uintptr_t>(chunk) == key) return chunk;
  }
}

void ValueStore::index_chunk(Chunk* chunk) {
  if (chunks_.size() * 2 > table_.size()) {
    table_.assign(table_.size() * 2, nullptr);
    for (Chunk* old : chunks_)
      if (old != chunk) index_chunk(old);
  }
  std::size_t i = hash(reinterpret_cast<std::uintptr_t>(chunk));
  while (table_[i & (table_.size() - 1)]) ++i;
  table_[i & (table_.size() - 1)] = chunk;
}

ValueStore::Chunk* ValueStore::add_chunk(std::size_t bytes) {
  void* memory = std::aligned_alloc(kChunk, bytes);
  if (!memory) return nullptr;
  Chunk* chunk = new (memory) Chunk{};
  chunk->bytes = bytes;
  chunks_.push_back(chunk);
  index_chunk(chunk);
  held_ += bytes;
  return chunk;
}

// Zeroes the next cells of the chunk at hand; false when it is used up.
bool ValueStore::cut(Pool& pool) {
  constexpr std::size_t kSlab = 4096;
  if (!pool.chunk) return false;
  std::size_t object = pool.chunk->object;
  char* last = pool.chunk->first() + pool.chunk->count * object;
  std::size_t left = static_cast<std::size_t>(last - pool.end);
  std::size_t bytes = std::min(left, kSlab / object * object);
  clear(pool.end, bytes);
  pool.end += bytes;
  return bytes > 0;
}

bool ValueStore::next_chunk(Pool& pool, std::size_t object, Sort sort) {
  if (pool.chunk) pool.chunk->used = pool.chunk->count;
  pool.chunk = nullptr;
  Chunk* chunk = nullptr;
  if (!empty_.empty()) {
    chunk = empty_.back();
    empty_.pop_back();
  } else {
    chunk = add_chunk(kChunk);
  }
  if (!chunk) return false;
  chunk->hold(object, sort);
  pool.chunk = chunk;
  pool.next = pool.end = chunk->first();
  return true;
}

void* ValueStore::allocate_large(std::size_t object, Sort sort) {
  std::size_t whole =
      (object + Chunk::kHeader + kChunk - 1) / kChunk * kChunk;
  Chunk* chunk = add_chunk(whole);
  if (!chunk) return nullptr;
  chunk->hold(object, sort);
  chunk->used = 1;
  return clear(chunk->first(), object);
}

void* ValueStore::allocate_slow(std::size_t bytes, Sort sort) {
  std::size_t object = (bytes + 15) / 16 * 16;
  bool large = object / 16 >= kClasses;
  if (!large && cut(pools_[sort][object / 16])) return allocate(bytes, sort);
  bool more = large || empty_.empty();
  if (more && base_ && held_ > limit_) {
    collect();
    if (!large && pools_[sort][object / 16].free) return allocate(bytes, sort);
  }
  if (large) return allocate_large(object, sort);
  if (!next_chunk(pools_[sort][object / 16], object, sort)) return nullptr;
  return allocate(bytes, sort);
}

// ---- collection ------------------------------------------------------------------

void ValueStore::mark(const void* object) {
  if (!object) return;
  auto address = reinterpret_cast<std::uintptr_t>(object);
  Chunk* chunk = chunk_of(address);
  if (!chunk) return;
  auto first = reinterpret_cast<std::uintptr_t>(chunk->first());
  if (address < first) return;
  std::size_t i = (address - first) / chunk->object;
  if (i >= chunk->used || chunk->marked[i]) return;
  chunk->marked[i] = true;
  ++chunk->live;
  work_.emplace_back(chunk->first() + i * chunk->object, chunk->sort);
}

void ValueStore::mark_maybe(std::uintptr_t word) {
  if (word < kChunk) return;
  mark(reinterpret_cast<const void*>(word));
}

TINE_NO_ASAN void ValueStore::mark_stack() {
  // glibc hides the frame pointer in a jmp_buf: it must lie here as well.
  __builtin_unwind_init();
  std::jmp_buf registers;
  setjmp(registers);
  auto at = reinterpret_cast<std::uintptr_t>(&registers) &
            ~std::uintptr_t{sizeof(void*) - 1};
  auto end = reinterpret_cast<std::uintptr_t>(base_);
  stack_ = end - at;
  for (; at < end; at += sizeof(void*))
    mark_maybe(*reinterpret_cast<const std::uintptr_t*>(at));
}

void ValueStore::trace() {
  while (!work_.empty()) {
    auto [object, sort] = work_.back();
    work_.pop_back();
    if (sort == kEnv) {
      const Env* env = static_cast<const Env*>(object);
      mark(env->value);
      mark(env->up);
      continue;
    }
    const Value* v = static_cast<const Value*>(object);
    for (Value* arg : v->args) mark(arg);
    switch (v->kind) {
      case ValueKind::kThunk:
      case ValueKind::kMatch:
        mark(v->env);
        mark(v->forced);
        break;
      case ValueKind::kCall:
        mark(v->forced);
        break;
      case ValueKind::kLam:
      case ValueKind::kPi:
        mark(v->env);
        break;
      case ValueKind::kStuck:
        mark(v->block);
        break;
      default:
        break;
    }
  }
}

// Makes the cells of a chunk free that are not marked.
void ValueStore::sweep_chunk(Chunk* chunk) {
  if (chunk->live == 0) {
    empty_.push_back(chunk);
    chunk->used = 0;
  } else if (chunk->bytes > kChunk) {
    chunk->marked[0] = false;
  } else {
    Pool& pool = pools_[chunk->sort][chunk->object / 16];
    for (std::size_t i = chunk->count; i-- > 0;) {
      if (chunk->marked[i]) {
        chunk->marked[i] = false;
        continue;
      }
      char* at = chunk->first() + i * chunk->object;
      // What stands in a cell that was not cut yet may be of another size.
      if (i >= chunk->used) clear(at, chunk->object);
      void** cell = reinterpret_cast<void**>(at);
      *cell = pool.free;
      pool.free = cell;
    }
    chunk->used = chunk->count;
  }
  chunk->live = 0;
}

// Room for as much garbage as there is life and as the stack costs to scan;
// little more, so that the cells that are cut again are in the cache. Where
// no chunk was emptied, some more at least: a size may have no garbage.
void ValueStore::set_limit(bool emptied) {
  constexpr std::size_t kStep = 16 * kChunk;
  limit_ = std::max(2 * live_, live_ + kLeast + 4 * stack_);
  if (!emptied) limit_ = std::max(limit_, held_ + kStep);
}

void ValueStore::sweep() {
  for (auto& sort : pools_)
    for (Pool& pool : sort) pool = Pool{};
  auto free_dead = [&](auto goes) {
    std::erase_if(chunks_, [&](Chunk* chunk) {
      if (chunk->live > 0 || !goes(chunk)) return false;
      held_ -= chunk->bytes;
      chunk->~Chunk();
      std::free(chunk);
      return true;
    });
  };
  free_dead([](const Chunk* chunk) { return chunk->bytes > kChunk; });
  live_ = 0;
  empty_.clear();
  bool emptied = false;
  for (const Chunk* chunk : chunks_) {
    live_ += chunk->live * chunk->object;
    emptied |= chunk->live == 0;
  }
  set_limit(emptied);
  free_dead([&](const Chunk*) { return held_ > limit_; });
  for (std::size_t i = chunks_.size(); i-- > 0;) sweep_chunk(chunks_[i]);
  table_.assign(table_.size(), nullptr);
  for (Chunk* chunk : chunks_) index_chunk(chunk);
}

void ValueStore::collect() {
  ++collections_;
  for (auto& sort : pools_)
    for (Pool& pool : sort)
      if (pool.chunk)
        pool.chunk->used =
            static_cast<std::size_t>(pool.next - pool.chunk->first()) /
            pool.chunk->object;
  mark_stack();
  for (const std::vector<Value*>* list : lists_)
    for (Value* value : *list) mark(value);
  trace();
  sweep();
}

}  // namespace tine::core
