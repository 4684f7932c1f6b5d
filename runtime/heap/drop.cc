// Giving values up. A dead value may be deep (a list of millions, a tree
// leaning left, closures that hold closures), so its owner links are turned
// round while walking down: the field that led to a child holds the parent
// until the child is done, and the count of a dead node, which nobody needs
// any more, holds the number of that field. The last owned field of a node
// is followed after the node itself is freed, so a list takes constant room.
#include "runtime/heap/array.h"
#include "runtime/heap/node.h"

namespace tine {
namespace {

constexpr std::uint32_t kPollSteps = 1u << 16;

struct Slots {
  Word* at;
  std::uint64_t size;
};

bool is_array(Word word) { return tag_of(word) == Tag::kArray; }

Slots slots_of(Word dead) {
  if (!is_array(dead)) {
    HeapNode* node = node_of(dead);
    return {node->fields(), node->size()};
  }
  View* view = view_of(dead);
  return {view->words(), view->size()};
}

void set_progress(Word dead, std::uint64_t slot) {
  auto at = static_cast<std::uint32_t>(slot);
  if (is_array(dead)) view_of(dead)->progress = at;
  else node_of(dead)->count.store(at, std::memory_order_relaxed);
}

std::uint64_t progress(Word dead) {
  if (is_array(dead)) return view_of(dead)->progress;
  return node_of(dead)->count.load(std::memory_order_relaxed);
}

void free_dead(LocalHeap& heap, Word dead) {
  if (is_array(dead)) free_view(heap, view_of(dead));
  else free_node(heap, node_of(dead));
}

// Gives up one owner's share; true when the value is dead and its slots
// must be dropped before it is freed.
bool release(LocalHeap& heap, Word word) {
  switch (tag_of(word)) {
    case Tag::kNode: {
      HeapNode* node = node_of(word);
      // Release: our reads come before the last owner's free; acquire: the
      // last owner sees everybody's.
      return node->sole() ||
             node->count.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }
    case Tag::kArray: {
      if (!release_handle(word)) return false;
      View* view = view_of(word);
      if (view->kind == CellKind::kWord) return true;
      free_view(heap, view);
      return false;
    }
    case Tag::kFile:
      heap.owner().close_file(low32(word));
      return false;
    default:
      return true;  // closures and requests have one owner
  }
}

std::uint64_t next_owned(Slots slots, std::uint64_t from) {
  while (from < slots.size && !is_owned(slots.at[from])) ++from;
  return from;
}

}  // namespace

void drop_owned(LocalHeap& heap, Word word) {
  if (!release(heap, word)) return;
  Word current = word, parent = 0;
  std::uint64_t slot = 0;
  for (std::uint32_t steps = 1;; ++steps) {
    if (steps % kPollSteps == 0 && heap.interrupted()) return;
    Slots slots = slots_of(current);
    slot = next_owned(slots, slot);
    if (slot < slots.size) {
      Word child = slots.at[slot];
      if (next_owned(slots, slot + 1) == slots.size) {
        free_dead(heap, current);
        if (release(heap, child)) {
          current = child;
          slot = 0;
          continue;
        }
      } else if (release(heap, child)) {
        slots.at[slot] = parent;
        set_progress(current, slot);
        parent = current;
        current = child;
        slot = 0;
        continue;
      } else {
        ++slot;
        continue;
      }
    } else {
      free_dead(heap, current);
    }
    if (parent == 0) return;
    current = parent;
    slot = progress(current);
    parent = slots_of(current).at[slot];
    ++slot;
  }
}

bool share(LocalHeap& heap, Word word, std::uint32_t more, bool ours) {
  if (tag_of(word) != Tag::kNode) return heap.fail(Fault::kTakenTwice);
  HeapNode* node = node_of(word);
  std::uint32_t count = node->count.load(std::memory_order_acquire);
  if (count > kMaxCount || more > kMaxCount - count) {
    return heap.fail(Fault::kMemory);
  }
  if (ours && count == 1) {
    node->count.store(1 + more, std::memory_order_relaxed);
  } else {
    node->count.fetch_add(more, std::memory_order_relaxed);
  }
  return true;
}

bool take_fields_shared(LocalHeap& heap, HeapNode* node, Word* out) {
  unsigned size = node->size();
  for (unsigned i = 0; i < size; ++i) {
    out[i] = node->fields()[i];
    if (!copy_word(heap, out[i], false)) return false;
  }
  // Acquire and release as in `release`. The others may all have left in
  // the meantime; then the node and its own shares of the fields go.
  if (node->count.fetch_sub(1, std::memory_order_acq_rel) != 1) return true;
  for (unsigned i = 0; i < size; ++i) drop_word(heap, out[i]);
  free_node(heap, node);
  return true;
}

}  // namespace tine
