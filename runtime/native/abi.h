// The boundary between emitted code and the runtime: plain structs, read and
// written by both. The C text of the same structs stands in
// compiler/emit/prelude.cc; emitted code states the offsets that its compiler
// gave them, and a mismatch is refused when the object is loaded.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/heap/local.h"

namespace tine {

struct NativeWorker;

// A call of a parallel let that somebody else may run. It lies in the frame
// of its caller; arguments and result follow in memory.
//
// The forks of a worker form a list, oldest first. Those up to `published`
// are in the worker's deque, or stolen; the newer ones are private:
//   private    only the owner knows it; it runs the call itself at the join
//   published  in the deque; the owner's join takes it back, or a thief takes
//              it: both under the deque's lock
//   stolen     a thief runs it and sets `done`; the owner's join waits
struct NativeFork {
  NativeFork* older;
  NativeFork* newer;
  void (*run)(NativeWorker*, NativeFork*);
  std::atomic<std::uint32_t> done;  // set by a thief
  std::atomic<std::uint32_t> thief; // who it is
};

struct NativeTwo {
  std::uint64_t a, b;
};

struct NativeEntries;

// The part of a worker that emitted code sees.
struct NativeWorker {
  // Below it the stack pointer must not be; poisoned by whoever wants to be
  // heard.
  std::atomic<char*> limit;
  NativeFork* newest;
  NativeFork* published;
  LocalHeap::SizeClass* sizes;
  std::uint64_t made, freed;        // nodes
  const NativeEntries* rt;
  void* self;                       // the NativeHand
  // No other worker has begun: counts may be changed without atomics.
  std::uint64_t alone;
  // Of programs that count, else null: see NativeSlots.
  std::uint64_t* counts;
};

// Where counts stand: calls by definition, the last continuation behind them;
// primitives by definition; the rest.
struct NativeSlots {
  std::size_t defs;
  std::size_t calls(std::size_t def) const { return def; }
  std::size_t prims(std::size_t def) const { return defs + 1 + def; }
  std::size_t takes() const { return 2 * defs + 1; }
  std::size_t makes() const { return 2 * defs + 2; }
  std::size_t forks() const { return 2 * defs + 3; }
  std::size_t size() const { return 2 * defs + 4; }
};

struct NativeEntries {
  using W = NativeWorker;
  using Fork = NativeFork;
  using two = NativeTwo;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
#define TINE_ENTRY(result, name, params) result(*name) params;
#include "runtime/native/entries.def"
#undef TINE_ENTRY
};

// What a definition is to closures: it gets the closure's node (fields from
// word 1 on, which it frees) and the last argument.
struct NativeDef {
  std::uint32_t params;
  std::uint64_t (*enter)(NativeWorker*, std::uint64_t* node,
                         std::uint64_t last);
};

inline constexpr std::uint32_t kNativeVersion = 3;

// The one symbol of an object, `tine_program`.
struct NativeProgram {
  std::uint32_t version;
  std::uint32_t def_count;
  const NativeDef* defs;            // by DefId; the last is the final `Emit`
  std::uint64_t (*main)(NativeWorker*, std::uint64_t k);
  std::uint64_t (*apply)(NativeWorker*, std::uint64_t f, std::uint64_t x);
  std::uint32_t layout[10];
  std::uint32_t counted;
};

// The offsets that emitted code must have been compiled with.
inline bool native_layout_holds(const std::uint32_t* layout) {
  const std::size_t ours[10] = {
      offsetof(NativeWorker, newest), offsetof(NativeWorker, sizes),
      offsetof(NativeWorker, freed),  offsetof(NativeWorker, rt),
      sizeof(NativeWorker),           offsetof(NativeFork, run),
      sizeof(NativeFork),             sizeof(LocalHeap::SizeClass),
      sizeof(NativeEntries),          sizeof(NativeDef)};
  for (int i = 0; i < 10; ++i) {
    if (layout[i] != ours[i]) return false;
  }
  return true;
}

}  // namespace tine
