#include "runtime/heap/local.h"

#include <algorithm>

#include "runtime/heap/check.h"

namespace tine {
namespace {

constexpr std::size_t kFirstChunk = std::size_t{64} << 10;
constexpr std::size_t kLastChunk = std::size_t{2} << 20;  // a huge page
constexpr std::size_t kMagazineBytes = std::size_t{64} << 10;

}  // namespace

LocalHeap::LocalHeap(Region& region, HeapOwner& owner, bool shared)
    : region_(region), owner_(owner), chunk_bytes_(kFirstChunk) {
  for (unsigned words = 2; words <= kMaxWords; ++words) {
    sizes_[words].limit =
        shared ? std::max<std::size_t>(8, kMagazineBytes / (words * 8))
               : UINT32_MAX;
  }
}

void* LocalHeap::take_slow(unsigned words) {
  TINE_CHECK(words >= 2 && words <= kMaxWords);
  SizeClass& size = sizes_[words];
  const std::size_t bytes = words * 8;
  bool spare = size.spare != nullptr;
  if (spare) {
    size.first = size.spare;
    size.spare = nullptr;
  } else if (size.limit != UINT32_MAX &&
             static_cast<std::size_t>(end_ - next_) < bytes) {
    size.first = region_.take_chain(words);
  }
  if (!size.first) return cut(bytes);
  size.count = size.limit;
  return take(words);
}

// A magazine is full: keep it as the spare, hand an older spare on.
void LocalHeap::rotate(unsigned words) {
  SizeClass& size = sizes_[words];
  if (size.spare) region_.give_chain(words, size.spare);
  size.spare = size.first;
  size.first = nullptr;
  size.count = 0;
}

void* LocalHeap::cut(std::size_t bytes) {
  if (static_cast<std::size_t>(end_ - next_) < bytes && !refill(bytes)) {
    fail(Fault::kMemory);
    return nullptr;
  }
  void* at = next_;
  next_ += bytes;
  TINE_UNPOISON(at, bytes);
  return at;
}

bool LocalHeap::refill(std::size_t bytes) {
  keep_rest();
  std::size_t want = std::max(chunk_bytes_, kFirstChunk);
  std::byte* chunk = region_.chunk(want);
  if (!chunk && want > kFirstChunk) {
    want = kFirstChunk;  // near the cap a small chunk may still fit
    chunk = region_.chunk(want);
  }
  if (!chunk || want < bytes) return false;
  TINE_POISON(chunk, want);
  chunk_bytes_ = std::min(chunk_bytes_ * 2, kLastChunk);
  next_ = chunk;
  end_ = chunk + want;
  return true;
}

// What is left of a chunk serves as nodes.
void LocalHeap::keep_rest() {
  while (end_ - next_ >= 16) {
    auto words = std::min<std::size_t>((end_ - next_) / 8, kMaxWords);
    TINE_UNPOISON(next_, words * 8);
    SizeClass& size = sizes_[words];
    auto* node = reinterpret_cast<FreeNode*>(next_);
    node->next = size.first;
    size.first = node;
    ++size.count;
    TINE_POISON(node, words * 8);
    next_ += words * 8;
  }
  next_ = end_;
}

void* LocalHeap::take_lines(std::size_t lines, bool* zeroed) {
  if (zeroed) *zeroed = false;
  if (lines > kLine) {
    void* at = region_.big(lines * kLine, zeroed);
    if (!at) fail(Fault::kMemory);
    return at;
  }
  if (FreeNode* at = lines_[lines]) {
    TINE_UNPOISON(at, lines * kLine);
    lines_[lines] = at->next;
    return at;
  }
  auto skip = (kLine - reinterpret_cast<std::uintptr_t>(next_) % kLine) % kLine;
  if (static_cast<std::size_t>(end_ - next_) >= skip + lines * kLine) {
    if (skip >= 16) give(cut(skip), static_cast<unsigned>(skip / 8));
    else next_ += skip;
  }
  // A fresh chunk begins on a line.
  return cut(lines * kLine);
}

void LocalHeap::give_lines(void* at, std::size_t lines) {
  if (lines > kLine) {
    region_.give_big(at);
    return;
  }
  auto* node = static_cast<FreeNode*>(at);
  node->next = lines_[lines];
  lines_[lines] = node;
  TINE_POISON(node, lines * kLine);
}

}  // namespace tine
