// Nodes: constructors with fields, partial applications and effect requests.
//
//   word 0   count (32 bits) | id (22 bits) | words (10 bits)
//   word 1.. fields
//
// `id` is a constructor, a definition or an effect; `words` is the whole
// size, so that fields can be walked without a table. Only constructor nodes
// are shared. The count is tested by an acquire load; a sole owner raises it
// by a plain store, and read-modify-writes are used only above one.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/heap/local.h"
#include "runtime/heap/term.h"

namespace tine {

inline constexpr std::uint32_t kMaxId = (1u << 22) - 1;
inline constexpr std::uint32_t kMaxFields = kMaxWords - 1;
// Above this a count is refused, far enough below the end of its 32 bits
// for every worker to be in the middle of a copy.
inline constexpr std::uint32_t kMaxCount = 0xF000'0000u;

struct HeapNode {
  std::atomic<std::uint32_t> count;
  std::uint32_t info;

  std::uint32_t id() const { return info >> 10; }
  unsigned words() const { return info & kMaxWords; }
  unsigned size() const { return words() - 1; }
  Word* fields() { return reinterpret_cast<Word*>(this + 1); }
  // Acquire: pairs with the release of whoever gave up a share, whose reads
  // of the fields come before we overwrite or free them.
  bool sole() const { return count.load(std::memory_order_acquire) == 1; }
};
static_assert(sizeof(HeapNode) == 8);

inline HeapNode* node_of(Word word) {
  return reinterpret_cast<HeapNode*>(word & kAddressMask);
}
inline Word node_word(Tag tag, HeapNode* node) {
  return tag_bits(tag) | reinterpret_cast<std::uintptr_t>(node);
}

// Fields are left for the caller to write. Null and a fault at the cap.
inline HeapNode* new_node(LocalHeap& heap, std::uint32_t id, unsigned fields) {
  auto* node = static_cast<HeapNode*>(heap.take(fields + 1));
  if (!node) [[unlikely]] return nullptr;
  ++heap.counts.nodes_made;
  node->count.store(1, std::memory_order_relaxed);
  node->info = id << 10 | (fields + 1);
  return node;
}
inline void free_node(LocalHeap& heap, HeapNode* node) {
  ++heap.counts.nodes_freed;
  heap.give(node, node->words());
}

// `more` further owners for a word that is owned; false and a fault where
// the value may have one owner only. `ours`: nobody else can reach the word
// we copy from, so that a count of one is ours to raise by a plain store; a
// field of a shared node is not.
bool share(LocalHeap& heap, Word word, std::uint32_t more, bool ours);

// One further owner. Words are free; a node is shared, not copied.
inline bool copy_word(LocalHeap& heap, Word word, bool ours = true) {
  if (!is_owned(word)) return true;
  ++heap.counts.copies;
  return share(heap, word, 1, ours);
}

// Gives up a value, and all that it alone owns, however deep. Needs no
// memory and no stack.
void drop_owned(LocalHeap& heap, Word word);
inline void drop_word(LocalHeap& heap, Word word) {
  if (is_owned(word)) drop_owned(heap, word);
}

// Moves the fields of a constructor node to `out` and gives up the node: a
// sole owner's fields are moved, else each is copied.
bool take_fields_shared(LocalHeap& heap, HeapNode* node, Word* out);
inline bool take_fields(LocalHeap& heap, HeapNode* node, Word* out) {
  if (!node->sole()) [[unlikely]] return take_fields_shared(heap, node, out);
  for (unsigned i = 0, n = node->size(); i < n; ++i) {
    out[i] = node->fields()[i];
  }
  free_node(heap, node);
  return true;
}

}  // namespace tine
