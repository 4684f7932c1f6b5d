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
  std::size_t bytes;         // of the whole chunk
  Sort sort;
  std::vector<bool> marked;
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

bool ValueStore::add_chunk(std::size_t object, Sort sort, std::size_t bytes) {
  void* memory = std::aligned_alloc(kChunk, bytes);
  if (!memory) return false;
  Chunk* chunk = new (memory) Chunk{};
  chunk->object = object;
  chunk->sort = sort;
  chunk->bytes = bytes;
  chunk->count = (bytes - Chunk::kHeader) / object;
  if (bytes > kChunk) chunk->count = 1;
  chunk->marked.assign(chunk->count, false);
  chunks_.push_back(chunk);
  index_chunk(chunk);
  held_ += bytes;
  return true;
}

void* ValueStore::allocate_slow(std::size_t bytes, Sort sort) {
  if (base_ && held_ > limit_) {
    collect();
    // Room for as much garbage as there is life; and some chunks at least,
    // for a size that has hardly any garbage.
    constexpr std::size_t kLeast = std::size_t{64} << 20, kStep = 16 * kChunk;
    limit_ = std::max({2 * live_, live_ + kLeast, held_ + kStep});
    std::size_t size_class = (bytes + 15) / 16;
    if (size_class < kClasses && pools_[sort][size_class].free)
      return allocate(bytes, sort);
  }
  std::size_t object = (bytes + 15) / 16 * 16;
  if (object / 16 >= kClasses) {
    std::size_t whole =
        (object + Chunk::kHeader + kChunk - 1) / kChunk * kChunk;
    if (!add_chunk(object, sort, whole)) return nullptr;
    Chunk* chunk = chunks_.back();
    chunk->count = 1;
    return clear(chunk->first(), object);
  }
  if (!add_chunk(object, sort, kChunk)) return nullptr;
  Chunk* chunk = chunks_.back();
  Pool& pool = pools_[sort][object / 16];
  // In address order, so that neighbours in time are neighbours in memory.
  for (std::size_t i = chunk->count; i-- > 0;) {
    void** cell = reinterpret_cast<void**>(chunk->first() + i * object);
    *cell = pool.free;
    pool.free = cell;
  }
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
  if (i >= chunk->count || chunk->marked[i]) return;
  chunk->marked[i] = true;
  work_.emplace_back(chunk->first() + i * chunk->object, chunk->sort);
}

void ValueStore::mark_maybe(std::uintptr_t word) {
  if (word < kChunk) return;
  mark(reinterpret_cast<const void*>(word));
}

TINE_NO_ASAN void ValueStore::mark_stack() {
  std::jmp_buf registers;
  setjmp(registers);
  auto at = reinterpret_cast<std::uintptr_t>(&registers) &
            ~std::uintptr_t{sizeof(void*) - 1};
  auto end = reinterpret_cast<std::uintptr_t>(base_);
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

void ValueStore::sweep() {
  for (auto& sort : pools_)
    for (Pool& pool : sort) pool.free = nullptr;
  live_ = 0;
  std::vector<Chunk*> kept;
  for (std::size_t c = chunks_.size(); c-- > 0;) {
    Chunk* chunk = chunks_[c];
    std::size_t live = 0;
    for (std::size_t i = 0; i < chunk->count; ++i) live += chunk->marked[i];
    live_ += live * chunk->object;
    if (live == 0 && chunk->bytes > kChunk) {
      held_ -= chunk->bytes;
      chunk->~Chunk();
      std::free(chunk);
      continue;
    }
    kept.push_back(chunk);
    if (chunk->bytes > kChunk) {
      chunk->marked[0] = false;
      continue;
    }
    Pool& pool = pools_[chunk->sort][chunk->object / 16];
    for (std::size_t i = chunk->count; i-- > 0;) {
      if (chunk->marked[i]) {
        chunk->marked[i] = false;
        continue;
      }
      void** cell =
          reinterpret_cast<void**>(chunk->first() + i * chunk->object);
      *cell = pool.free;
      pool.free = cell;
    }
  }
  chunks_.assign(kept.rbegin(), kept.rend());
  std::size_t size = table_.size();
  table_.assign(size, nullptr);
  for (Chunk* chunk : chunks_) index_chunk(chunk);
}

void ValueStore::collect() {
  ++collections_;
  mark_stack();
  for (const std::vector<Value*>* list : lists_)
    for (Value* value : *list) mark(value);
  trace();
  sweep();
}

}  // namespace tine::core
