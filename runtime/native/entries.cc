// What emitted code asks of the runtime. Nothing here may hold a resource
// when it calls `trap_fault`, which does not return.
#include "runtime/heap/array.h"
#include "runtime/native/hand.h"
#include "runtime/num/f32.h"

namespace tine {
namespace {

using W = NativeWorker;
using Fork = NativeFork;
using two = NativeTwo;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

LocalHeap& heap_of(W* w) { return hand_of(w).heap; }

// The value, or the end of the run.
u64 good(W* w, u64 value, u32 def) {
  if (value == 0) [[unlikely]] hand_of(w).trap_fault(def);
  return value;
}

void check(W* w, bool fine, u32 def) {
  if (!fine) [[unlikely]] hand_of(w).trap_fault(def);
}

u64 rt_take(W* w, u32 words, u32 def) {
  return good(w, reinterpret_cast<u64>(heap_of(w).take(words)), def);
}

void rt_rotate(W* w, u32 words) { heap_of(w).rotate(words); }

void rt_poll(W* w, u32 def) { hand_of(w).poll(def); }

void rt_fail(W* w, u32 fault, u32 def) {
  heap_of(w).fail(static_cast<Fault>(fault));
  hand_of(w).trap_fault(def);
}

void rt_join(W* w, Fork* fork, u32 def) { hand_of(w).join(fork, def); }

void rt_drop(W* w, u64 x, u32 def) {
  LocalHeap& heap = heap_of(w);
  ++heap.counts.drops;
  drop_owned(heap, x);
  check(w, heap.fault() == Fault::kNone, def);
}

void rt_share(W* w, u64 x, u32 def) {
  // Not as the sole owner: it may be lent.
  check(w, copy_word(heap_of(w), x, false), def);
}

u64 rt_text(W* w, const u32* chars, u64 count, u32 def) {
  static_assert(sizeof(char32_t) == sizeof(u32));
  std::u32string_view text(reinterpret_cast<const char32_t*>(chars), count);
  return good(w, make_string(heap_of(w), hand_of(w).run.strings, text), def);
}

u64 rt_append(W* w, u64 left, u64 right, u32 def) {
  return good(w, append_strings(heap_of(w), hand_of(w).run.strings, left,
                                right), def);
}

u64 rt_length(W* w, u64 text, u32 def) {
  LocalHeap& heap = heap_of(w);
  u64 length = string_length(heap, hand_of(w).run.strings, text);
  check(w, heap.fault() == Fault::kNone, def);
  return length;
}

float rt_f32_math(W*, u32 op, float x, float y) {
  return f32_of(f32_math(static_cast<F32Math>(op),
                         std::bit_cast<u32>(x), std::bit_cast<u32>(y)));
}

u64 rt_f32_show(W* w, u64 number, u32 def) {
  return good(w, show_f32(heap_of(w), hand_of(w).run.strings, number), def);
}

u64 rt_f32_read(W* w, u64 text, u32 def) {
  return good(w, read_f32(heap_of(w), hand_of(w).run.strings, text), def);
}

u64 rt_array_new(W* w, u64 depth, u32 kind, u64 fill, u32 def) {
  return good(w, array_new(heap_of(w), depth, static_cast<CellKind>(kind),
                           fill), def);
}

u64 rt_array_leaf(W* w, u32 kind, u64 cell, u32 def) {
  return good(w, array_leaf(heap_of(w), static_cast<CellKind>(kind), cell),
              def);
}

u64 rt_array_node(W* w, u64 low, u64 high, u32 def) {
  return good(w, array_node(heap_of(w), low, high), def);
}

u64 rt_array_take(W* w, u64 array, u32 def) {
  Word value = 0;
  check(w, array_take_leaf(heap_of(w), array, value), def);
  return value;
}

two rt_array_split(W* w, u64 array, u32 def) {
  Word low = 0, high = 0;
  check(w, array_split(heap_of(w), array, low, high), def);
  return {low, high};
}

u64 rt_array_join(W* w, u64 left, u64 right, u32 def) {
  LocalHeap& heap = heap_of(w);
  u64 array = array_join(heap, left, right);
  check(w, heap.fault() == Fault::kNone, def);
  return array;
}

two rt_array_fork(W* w, u64 array, u32 def) {
  Word other = 0;
  check(w, array_fork(heap_of(w), array, other), def);
  return {array, other};
}

u64 rt_array_clone(W* w, u64 array, u32 def) {
  return good(w, array_clone(heap_of(w), array), def);
}

u64 rt_array_get(W* w, u64 array, u32 at, u32 def) {
  Word value = 0;
  check(w, array_get(heap_of(w), array, at, value), def);
  return value;
}

void rt_array_set(W* w, u64 array, u32 at, u64 cell, u32 def) {
  LocalHeap& heap = heap_of(w);
  bool done = array_set(heap, array, at, cell);
  check(w, done && heap.fault() == Fault::kNone, def);
}

u64 rt_array_swap(W* w, u64 array, u32 at, u64 cell, u32 def) {
  Word old = 0;
  check(w, array_swap(heap_of(w), array, at, cell, old), def);
  return old;
}

u32 rt_array_atomic(W* w, u32 op, u64 array, u32 at, u32 x, u32 y, u32 def) {
  Word old = 0;
  check(w, array_atomic(heap_of(w), static_cast<AtomicOp>(op), array, at, x, y,
                        old), def);
  return low32(old);
}

}  // namespace

const NativeEntries& native_entries() {
  static constexpr NativeEntries kEntries = {
#define TINE_ENTRY(result, name, params) rt_##name,
#include "runtime/native/entries.def"
#undef TINE_ENTRY
  };
  return kEntries;
}

}  // namespace tine
