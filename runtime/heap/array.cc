#include "runtime/heap/array.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/heap/check.h"
#include "runtime/num/f32.h"

namespace tine {

// The first view lies in the header; it is left where it is when it dies
// before the block.
struct CellBlock {
  View first;
  std::atomic<std::uint64_t> live;  // cells under a living view
  std::uint64_t lines;              // whole size
  std::byte unused[kLine - sizeof(View) - 16];

  std::byte* cells() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(CellBlock) == kLine);

namespace {

constexpr std::size_t kPollCells = std::size_t{1} << 20;

std::size_t cell_bytes(CellKind kind) {
  return kind == CellKind::kWord ? 8 : 4;
}

Word array_word(View* view, Word weight) {
  auto address = reinterpret_cast<std::uintptr_t>(view);
  return tag_bits(Tag::kArray) | weight << kWeightShift | address >> 6;
}

void set_depth(View* view, unsigned depth) {
  view->depth = static_cast<std::uint8_t>(depth);
  view->mask =
      static_cast<std::uint32_t>((std::uint64_t{1} << depth) - 1);
}

void init_view(View* view, CellBlock* block, std::byte* cells, unsigned depth,
               CellKind kind, bool inner) {
  view->total.store(kFirstWeight, std::memory_order_relaxed);
  view->cells = cells;
  view->block = block;
  view->kind = kind;
  view->inner = inner;
  set_depth(view, depth);
}

// A block with its first view; cells not written.
View* new_block(LocalHeap& heap, unsigned depth, CellKind kind,
                bool* zeroed = nullptr) {
  std::uint64_t cells = std::uint64_t{1} << depth;
  std::uint64_t lines = 1 + (cells * cell_bytes(kind) + kLine - 1) / kLine;
  auto* block = static_cast<CellBlock*>(heap.take_lines(lines, zeroed));
  if (!block) return nullptr;
  ++heap.counts.blocks_made;
  block->live.store(cells, std::memory_order_relaxed);
  block->lines = lines;
  init_view(&block->first, block, block->cells(), depth, kind, true);
  return &block->first;
}

// The bits that a narrow cell keeps of a word.
bool fits(View* view, Word value) {
  return view->kind == CellKind::kWord ||
         value >> kTagShift == narrow_word(view->kind, 0) >> kTagShift;
}

// Copies (`move` false) or moves the cells of one view to another, of the
// same kind. Guards are needed where others hold `from`.
bool fill_from(LocalHeap& heap, View* to, std::uint64_t at, View* from,
               std::uint64_t begin, std::uint64_t end, bool move) {
  if (to->kind != CellKind::kWord) {
    for (std::uint64_t i = begin; i < end; ++i) {
      std::atomic_ref cell(from->narrow()[i]);
      to->narrow()[at++] = cell.load(std::memory_order_relaxed);
      if (at % kPollCells == 0 && heap.interrupted()) return false;
    }
    return true;
  }
  for (std::uint64_t i = begin; i < end; ++i) {
    Word& cell = from->words()[i];
    if (move) {
      to->words()[at++] = cell;
    } else {
      SpinLock& guard = heap.region().guard(&cell);
      guard.lock();
      Word value = cell;
      bool good = value == kTakenWord ? heap.fail(Fault::kTakenTwice)
                                      : copy_word(heap, value);
      guard.unlock();
      if (!good) return false;
      to->words()[at++] = value;
    }
    if (at % kPollCells == 0 && heap.interrupted()) return false;
  }
  return true;
}

// A block of its own for cells [begin, end) of a view.
Word copy_part(LocalHeap& heap, View* from, unsigned depth,
               std::uint64_t begin, std::uint64_t end) {
  View* view = new_block(heap, depth, from->kind);
  if (!view) return 0;
  if (!fill_from(heap, view, 0, from, begin, end, false)) return 0;
  return array_word(view, kFirstWeight);
}

}  // namespace

Word array_new(LocalHeap& heap, std::uint64_t depth, CellKind kind,
               Word fill) {
  if (depth > kMaxArrayDepth) {
    heap.fail(Fault::kArrayDepth);
    return 0;
  }
  bool zeroed = false;
  View* view = new_block(heap, static_cast<unsigned>(depth), kind, &zeroed);
  if (!view) return 0;
  std::uint64_t size = view->size();
  if (!fits(view, fill)) {
    heap.fail(Fault::kNoArm);
    return 0;
  }
  bool narrow = kind != CellKind::kWord;
  if (!narrow && is_owned(fill) && size > 1) {
    heap.counts.copies += size - 1;
    if (!share(heap, fill, static_cast<std::uint32_t>(size - 1), true)) {
      return 0;
    }
  }
  if (narrow && low32(fill) == 0 && zeroed) {
    return array_word(view, kFirstWeight);
  }
  for (std::uint64_t i = 0; i < size; i += kPollCells) {
    std::uint64_t count = std::min<std::uint64_t>(kPollCells, size - i);
    if (narrow) std::fill_n(view->narrow() + i, count, low32(fill));
    else std::fill_n(view->words() + i, count, fill);
    if (size > kPollCells && heap.interrupted()) return 0;
  }
  return array_word(view, kFirstWeight);
}

Word array_leaf(LocalHeap& heap, CellKind kind, Word value) {
  View* view = new_block(heap, 0, kind);
  if (!view) return 0;
  if (!fits(view, value)) {
    heap.fail(Fault::kNoArm);
    return 0;
  }
  if (kind == CellKind::kWord) view->words()[0] = value;
  else view->narrow()[0] = low32(value);
  return array_word(view, kFirstWeight);
}

bool release_handle(Word array) {
  View* view = view_of(array);
  std::uint64_t weight = weight_of(array);
  if (sole_owner(array)) return true;
  // Release: our accesses come before the next owner's; acquire: the last
  // one sees those of all others.
  return view->total.fetch_sub(weight, std::memory_order_acq_rel) == weight;
}

void free_view(LocalHeap& heap, View* view) {
  CellBlock* block = view->block;
  std::uint64_t cells = view->size();
  if (!view->inner) {
    ++heap.counts.nodes_freed;
    heap.give_lines(view, 1);
  }
  // As for handles: accesses to the cells come before the block's end.
  if (block->live.fetch_sub(cells, std::memory_order_acq_rel) == cells) {
    ++heap.counts.blocks_freed;
    heap.give_lines(block, block->lines);
  }
}

bool array_take_leaf(LocalHeap& heap, Word array, Word& value) {
  View* view = view_of(array);
  if (view->depth != 0) return heap.fail(Fault::kNoArm);
  if (view->kind != CellKind::kWord) {
    array_get(heap, array, 0, value);
    drop_owned(heap, array);
    return true;
  }
  Word& cell = view->words()[0];
  if (sole_owner(array)) {
    value = cell;
    if (value == kTakenWord) return heap.fail(Fault::kTakenTwice);
    free_view(heap, view);
    return true;
  }
  // Shared: Data is copied; what has one owner goes to the first taker.
  SpinLock& guard = heap.region().guard(&cell);
  guard.lock();
  value = cell;
  bool good = true;
  if (value == kTakenWord) {
    good = heap.fail(Fault::kTakenTwice);
  } else if (is_owned(value) && tag_of(value) != Tag::kNode) {
    cell = kTakenWord;
  } else {
    good = copy_word(heap, value);
  }
  guard.unlock();
  if (good) drop_owned(heap, array);
  return good;
}

bool array_split(LocalHeap& heap, Word array, Word& low, Word& high) {
  View* view = view_of(array);
  if (view->depth == 0) return heap.fail(Fault::kNoArm);
  unsigned depth = view->depth - 1u;
  std::uint64_t half = view->size() / 2;
  if (!sole_owner(array)) {
    low = copy_part(heap, view, depth, 0, half);
    high = low ? copy_part(heap, view, depth, half, 2 * half) : 0;
    if (!high) return false;
    drop_owned(heap, array);
    return true;
  }
  auto* upper = static_cast<View*>(heap.take_lines(1, nullptr));
  if (!upper) return false;
  ++heap.counts.nodes_made;
  init_view(upper, view->block, view->cells + half * cell_bytes(view->kind),
            depth, view->kind, false);
  set_depth(view, depth);
  low = array;
  high = array_word(upper, kFirstWeight);
  return true;
}

namespace {

// Are these the two halves, in order, of one view that could be split so?
bool halves_of_one(Word low, Word high) {
  View* l = view_of(low);
  View* h = view_of(high);
  if (l->block != h->block || !sole_owner(low) || !sole_owner(high)) {
    return false;
  }
  std::size_t bytes = l->size() * cell_bytes(l->kind);
  auto offset = static_cast<std::size_t>(l->cells - l->block->cells());
  return l->cells + bytes == h->cells && offset % (2 * bytes) == 0;
}

Word merge(LocalHeap& heap, Word low, Word high) {
  View* l = view_of(low);
  View* h = view_of(high);
  TINE_CHECK(!h->inner);
  ++heap.counts.nodes_freed;
  heap.give_lines(h, 1);
  set_depth(l, l->depth + 1u);
  return low;
}

// One half's cells to their place in a new block; the handle is consumed.
bool move_half(LocalHeap& heap, View* to, std::uint64_t at, Word half) {
  View* from = view_of(half);
  bool sole = sole_owner(half);
  if (!fill_from(heap, to, at, from, 0, from->size(), sole)) return false;
  if (sole) free_view(heap, from);
  else drop_owned(heap, half);
  return true;
}

}  // namespace

Word array_node(LocalHeap& heap, Word low, Word high) {
  View* l = view_of(low);
  View* h = view_of(high);
  if (l->depth != h->depth) {
    heap.fail(Fault::kHalves);
    return 0;
  }
  if (l->depth == kMaxArrayDepth) {
    heap.fail(Fault::kArrayDepth);
    return 0;
  }
  if (l->kind != h->kind) {
    heap.fail(Fault::kNoArm);
    return 0;
  }
  if (halves_of_one(low, high)) return merge(heap, low, high);
  std::uint64_t half = l->size();
  View* view = new_block(heap, l->depth + 1u, l->kind);
  if (!view) return 0;
  if (!move_half(heap, view, 0, low)) return 0;
  if (!move_half(heap, view, half, high)) return 0;
  return array_word(view, kFirstWeight);
}

Word array_join(LocalHeap& heap, Word left, Word right) {
  View* view = view_of(left);
  if (view != view_of(right)) {
    drop_owned(heap, right);
    return left;
  }
  Word weight = weight_of(left) + weight_of(right);
  if (weight > kMaxWeight) {
    view->total.fetch_sub(weight - kMaxWeight, std::memory_order_relaxed);
    weight = kMaxWeight;
  }
  return array_word(view, weight);
}

bool array_fork(LocalHeap&, Word& array, Word& other) {
  View* view = view_of(array);
  Word weight = weight_of(array);
  if (weight < 2) {
    // Relaxed: nobody can find the view unowned while we hold a share.
    view->total.fetch_add(kFirstWeight, std::memory_order_relaxed);
    weight += kFirstWeight;
  }
  array = array_word(view, weight - weight / 2);
  other = array_word(view, weight / 2);
  return true;
}

Word array_clone(LocalHeap& heap, Word array) {
  View* view = view_of(array);
  return copy_part(heap, view, view->depth, 0, view->size());
}

bool array_get_word(LocalHeap& heap, Word array, std::uint32_t index,
                    Word& value) {
  View* view = view_of(array);
  Word& cell = view->words()[index & view->mask];
  if (sole_owner(array)) {
    value = cell;
    if (value == kTakenWord) return heap.fail(Fault::kTakenTwice);
    return copy_word(heap, value);
  }
  SpinLock& guard = heap.region().guard(&cell);
  guard.lock();
  value = cell;
  bool good = value == kTakenWord ? heap.fail(Fault::kTakenTwice)
                                  : copy_word(heap, value);
  guard.unlock();
  return good;
}

// Writes a word cell and gives what it held; guarded where several handles
// can reach it.
static Word exchange_word(LocalHeap& heap, Word array, Word& cell,
                          Word value) {
  if (sole_owner(array)) return std::exchange(cell, value);
  SpinLock& guard = heap.region().guard(&cell);
  guard.lock();
  Word old = std::exchange(cell, value);
  guard.unlock();
  return old;
}

bool array_set_word(LocalHeap& heap, Word array, std::uint32_t index,
                    Word value) {
  View* view = view_of(array);
  Word& cell = view->words()[index & view->mask];
  drop_word(heap, exchange_word(heap, array, cell, value));
  return true;
}

bool array_swap(LocalHeap& heap, Word array, std::uint32_t index, Word value,
                Word& old) {
  View* view = view_of(array);
  if (view->kind != CellKind::kWord) {
    if (!fits(view, value)) return heap.fail(Fault::kNoArm);
    std::atomic_ref cell(view->narrow()[index & view->mask]);
    old = narrow_word(view->kind, cell.exchange(low32(value),
                                                std::memory_order_relaxed));
    return true;
  }
  Word& cell = view->words()[index & view->mask];
  old = exchange_word(heap, array, cell, value);
  return old != kTakenWord || heap.fail(Fault::kTakenTwice);
}

namespace {

std::uint32_t apply(AtomicOp op, std::uint32_t old, std::uint32_t x,
                    std::uint32_t y) {
  switch (op) {
    case AtomicOp::kAdd: return old + x;
    case AtomicOp::kMin: return std::min(old, x);
    case AtomicOp::kMax: return std::max(old, x);
    case AtomicOp::kAnd: return old & x;
    case AtomicOp::kOr: return old | x;
    case AtomicOp::kXor: return old ^ x;
    case AtomicOp::kExch: return x;
    case AtomicOp::kCas: return old == x ? y : old;
    case AtomicOp::kFadd: return f32_add(old, x);
  }
  return old;
}

}  // namespace

bool array_atomic(LocalHeap& heap, AtomicOp op, Word array,
                  std::uint32_t index, std::uint32_t x, std::uint32_t y,
                  Word& old) {
  View* view = view_of(array);
  bool floats = op == AtomicOp::kFadd;
  if (view->kind != (floats ? CellKind::kF32 : CellKind::kU32)) {
    return heap.fail(Fault::kNoArm);
  }
  std::atomic_ref cell(view->narrow()[index & view->mask]);
  // Relaxed throughout: lanes order their other cells by the join alone.
  std::uint32_t seen;
  if (op == AtomicOp::kAdd) {
    seen = cell.fetch_add(x, std::memory_order_relaxed);
  } else {
    seen = cell.load(std::memory_order_relaxed);
    while (!cell.compare_exchange_weak(seen, apply(op, seen, x, y),
                                       std::memory_order_relaxed)) {
    }
  }
  old = floats ? make_f32_bits(seen) : make_u32(seen);
  return true;
}

}  // namespace tine
