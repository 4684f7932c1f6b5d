#include "runtime/heap/region.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <thread>

#include "runtime/heap/check.h"
#include "runtime/heap/poison.h"

namespace tine {
namespace {

// From here on pages come straight from the system: they are zero, and go
// back at once.
constexpr std::size_t kMapBytes = std::size_t{1} << 20;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMayMap = false;  // let the sanitizer see the block's ends
#else
constexpr bool kMayMap = true;
#endif

bool mapped(std::size_t bytes) { return kMayMap && bytes >= kMapBytes; }

// Pages of this size where the system has them: an array of 16 MiB needs more
// small ones than the processor remembers, and each random access to it asks
// the page table.
constexpr std::size_t kHuge = std::size_t{2} << 20;

void* map(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

// Huge pages begin at multiples of their size: takes more and gives back both
// ends. The last pages of the block stay small, so it takes no more memory.
void* map_huge(std::size_t bytes) {
  auto* at = static_cast<std::byte*>(map(bytes + kHuge));
  if (!at) return map(bytes);
  constexpr std::size_t kPage = 4096;
  std::size_t pages = (bytes + kPage - 1) / kPage * kPage;
  std::size_t skip = -reinterpret_cast<std::uintptr_t>(at) % kHuge;
  if (skip > 0) munmap(at, skip);
  std::size_t rest = (bytes + kHuge + kPage - 1) / kPage * kPage;
  if (rest > skip + pages) munmap(at + skip + pages, rest - skip - pages);
#ifdef MADV_HUGEPAGE
  madvise(at + skip, pages, MADV_HUGEPAGE);  // a wish
#endif
  return at + skip;
}

void* system_take(std::size_t bytes) {
  if (!mapped(bytes)) return std::aligned_alloc(kLine, bytes);
  return bytes < kHuge ? map(bytes) : map_huge(bytes);
}

void system_give(void* at, std::size_t bytes) {
  if (mapped(bytes)) {
    munmap(at, bytes);
  } else {
    std::free(at);
  }
}

}  // namespace

// In front of each big block, one line wide.
struct alignas(kLine) Region::Big {
  Big* previous;
  Big* next;
  std::size_t bytes;  // with this header
};

void SpinLock::lock() {
  // Acquire: pairs with the release in unlock(). A holder that lost its
  // processor must get it back, so waiting yields.
  while (flag_.test_and_set(std::memory_order_acquire)) {
    std::this_thread::yield();
  }
}

Region::~Region() {
  for (Chunk chunk : chunks_) system_give(chunk.at, chunk.bytes);
  while (bigs_) {
    Big* next = bigs_->next;
    system_give(bigs_, bigs_->bytes);
    bigs_ = next;
  }
}

bool Region::reserve(std::size_t bytes) {
  std::size_t now =
      held_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (now < bytes || (cap_ != 0 && now > cap_)) {
    release(bytes);
    return false;
  }
  std::size_t peak = peak_.load(std::memory_order_relaxed);
  while (peak < now && !peak_.compare_exchange_weak(
                           peak, now, std::memory_order_relaxed)) {
  }
  return true;
}

std::byte* Region::chunk(std::size_t bytes) {
  TINE_CHECK(bytes % kLine == 0);
  if (!reserve(bytes)) return nullptr;
  auto* at = static_cast<std::byte*>(system_take(bytes));
  if (at) {
    std::lock_guard lock(mutex_);
    try {
      chunks_.push_back({at, bytes});
      return at;
    } catch (const std::bad_alloc&) {
      system_give(at, bytes);
    }
  }
  release(bytes);
  return nullptr;
}

void* Region::big(std::size_t bytes, bool* zeroed) {
  bytes = (bytes + sizeof(Big) + kLine - 1) / kLine * kLine;
  if (!reserve(bytes)) return nullptr;
  auto* at = static_cast<Big*>(system_take(bytes));
  if (!at) {
    release(bytes);
    return nullptr;
  }
  if (zeroed) *zeroed = mapped(bytes);
  at->bytes = bytes;
  at->previous = nullptr;
  std::lock_guard lock(mutex_);
  at->next = bigs_;
  if (bigs_) bigs_->previous = at;
  bigs_ = at;
  return at + 1;
}

void Region::give_big(void* block) {
  Big* at = static_cast<Big*>(block) - 1;
  std::size_t bytes = at->bytes;
  {
    std::lock_guard lock(mutex_);
    if (at->next) at->next->previous = at->previous;
    (at->previous ? at->previous->next : bigs_) = at->next;
  }
  system_give(at, bytes);
  release(bytes);
}

void Region::give_chain(unsigned words, FreeNode* first) {
  TINE_CHECK(words <= kMaxWords);
  std::lock_guard lock(mutex_);
  TINE_UNPOISON(first, sizeof(FreeNode));
  first->chain = chains_[words];
  TINE_POISON(first, sizeof(FreeNode));
  chains_[words] = first;
}

FreeNode* Region::take_chain(unsigned words) {
  TINE_CHECK(words <= kMaxWords);
  std::lock_guard lock(mutex_);
  FreeNode* first = chains_[words];
  if (first) {
    TINE_UNPOISON(first, sizeof(FreeNode));
    chains_[words] = first->chain;
    TINE_POISON(first, sizeof(FreeNode));
  }
  return first;
}

}  // namespace tine
