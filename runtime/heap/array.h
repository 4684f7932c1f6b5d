// Arrays: flat blocks of 2^d cells, views of their parts, weighted handles.
//
//   handle (a word)          view header              block
//   tag | weight | address > total weight, cells, > first view | live | cells
//                            depth, kind
//
// A handle holds a share (its weight) of its view's total. A fork halves the
// weight and a join adds, touching no memory; the sole owner is who holds the
// whole total. A weight of one cannot be halved: it borrows more, which adds
// to the total. A dropped handle subtracts its weight; at zero the view dies.
//
// A sole owner may split its view: the header becomes the lower half's and
// the upper half gets a header of its own, in O(1); the two halves in order
// merge the same way. The block counts live cells, so a split or a merge does
// not touch it; a dead view subtracts its cells, and at zero the block goes.
//
// Cells are 4 bytes for U32, F32 and Char, else a word. Narrow cells are read
// and written by relaxed atomics, since handles may race; word cells of a
// view with several handles are guarded per slot, so that a race gives one of
// the written values and never a broken heap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/heap/node.h"

namespace tine {

// In the order of the tags that narrow cells stand for.
enum class CellKind : std::uint8_t { kWord, kU32, kF32, kChar };

struct CellBlock;

struct View {
  std::atomic<std::uint64_t> total;  // weight of all handles
  std::byte* cells;
  CellBlock* block;
  std::uint32_t mask;       // cells - 1
  std::uint32_t progress;   // of a drop
  CellKind kind;
  std::uint8_t depth;
  bool inner;               // lies in its block's header

  std::uint64_t size() const { return std::uint64_t{mask} + 1; }
  Word* words() { return reinterpret_cast<Word*>(cells); }
  std::uint32_t* narrow() { return reinterpret_cast<std::uint32_t*>(cells); }
};

inline constexpr unsigned kMaxArrayDepth = 31;

inline View* view_of(Word array) {
  return reinterpret_cast<View*>((array & kViewMask) << 6);
}
inline Word weight_of(Word array) {
  return array >> kWeightShift & kMaxWeight;
}
inline bool sole_owner(Word array) {
  // Acquire: pairs with the release of a dropped handle's subtraction.
  return view_of(array)->total.load(std::memory_order_acquire) ==
         weight_of(array);
}
inline Word narrow_word(CellKind kind, std::uint32_t bits) {
  return (Word{6} + static_cast<Word>(kind)) << kTagShift | bits;
}

enum class AtomicOp : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor,
                                     kExch, kCas, kFadd };

// In all of these a zero word or `false` means a fault, left in the heap; the
// arguments are lost then. Handles are consumed unless said otherwise.

// 2^depth copies of `fill`.
Word array_new(LocalHeap& heap, std::uint64_t depth, CellKind kind, Word fill);
Word array_leaf(LocalHeap& heap, CellKind kind, Word value);
Word array_node(LocalHeap& heap, Word low, Word high);
bool array_take_leaf(LocalHeap& heap, Word array, Word& value);
bool array_split(LocalHeap& heap, Word array, Word& low, Word& high);
Word array_join(LocalHeap& heap, Word left, Word right);
// `array` keeps what is left of its weight.
bool array_fork(LocalHeap& heap, Word& array, Word& other);

// These keep the handle; the index wraps.
Word array_clone(LocalHeap& heap, Word array);
bool array_get_word(LocalHeap& heap, Word array, std::uint32_t index,
                    Word& value);
bool array_set_word(LocalHeap& heap, Word array, std::uint32_t index,
                    Word value);
bool array_swap(LocalHeap& heap, Word array, std::uint32_t index, Word value,
                Word& old);
// `x` is the operand, or of kCas the expected value and `y` the new one.
bool array_atomic(LocalHeap& heap, AtomicOp op, Word array,
                  std::uint32_t index, std::uint32_t x, std::uint32_t y,
                  Word& old);
inline std::uint64_t array_size(Word array) { return view_of(array)->size(); }

inline bool array_get(LocalHeap& heap, Word array, std::uint32_t index,
                      Word& value) {
  View* view = view_of(array);
  if (view->kind == CellKind::kWord) {
    return array_get_word(heap, array, index, value);
  }
  std::atomic_ref cell(view->narrow()[index & view->mask]);
  value = narrow_word(view->kind, cell.load(std::memory_order_relaxed));
  return true;
}

inline bool array_set(LocalHeap& heap, Word array, std::uint32_t index,
                      Word value) {
  View* view = view_of(array);
  if (view->kind == CellKind::kWord) {
    return array_set_word(heap, array, index, value);
  }
  if (value >> kTagShift != narrow_word(view->kind, 0) >> kTagShift) {
    return heap.fail(Fault::kNoArm);
  }
  std::atomic_ref cell(view->narrow()[index & view->mask]);
  cell.store(low32(value), std::memory_order_relaxed);
  return true;
}

// For drops: gives up a handle; true when its view died with it. A dead
// view's cells are dropped by the caller, then the view is freed.
bool release_handle(Word array);
void free_view(LocalHeap& heap, View* view);

}  // namespace tine
