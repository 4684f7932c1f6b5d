// What the machine for closed programs computes with: one word for a value.
//
// A small number, a constructor without fields and what is never looked at
// stand in the word; everything else is the address of an object. An object
// is a header and its payload, which the collector reads as cells: a word in
// it that is no cell (the address of code or of a text) is no address of the
// heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tine::closed {

using Cell = std::uint64_t;

// ---- words ----------------------------------------------------------------

// The three low bits of a cell.
constexpr Cell kAddressTag = 0, kWordTag = 1, kNatTag = 2, kCtorTag = 3,
               kOpaqueTag = 4;
constexpr Cell tag_of(Cell cell) { return cell & 7; }
constexpr bool is_address(Cell cell) { return tag_of(cell) == kAddressTag; }

enum class WordSort : std::uint8_t { kU32, kF32, kChar };

constexpr Cell word_cell(WordSort sort, std::uint32_t number) {
  return Cell{number} << 32 | static_cast<Cell>(sort) << 3 | kWordTag;
}
constexpr std::uint32_t word_of(Cell cell) {
  return static_cast<std::uint32_t>(cell >> 32);
}
constexpr WordSort sort_of(Cell cell) {
  return static_cast<WordSort>(cell >> 3 & 3);
}

// Naturals below 2^60; a program that makes a larger one is left to the
// theory.
constexpr std::uint64_t kNatEnd = std::uint64_t{1} << 60;
constexpr Cell nat_cell(std::uint64_t n) { return n << 3 | kNatTag; }
constexpr std::uint64_t nat_of(Cell cell) { return cell >> 3; }

// A constructor without fields: its position among those of its type, and
// its id.
constexpr Cell ctor_cell(std::uint32_t position, std::uint32_t id) {
  return Cell{position} << 32 | Cell{id} << 3 | kCtorTag;
}

// Types, proofs and what was erased: nothing looks at them.
constexpr Cell kOpaque = kOpaqueTag;

// ---- objects --------------------------------------------------------------

enum class CellShape : std::uint8_t {
  // Values:
  kCtor,  // the fields; position and id are in the header
  kFun,   // a ClosedFn, the first arguments it has
  kSucc,  // a count (a natural), the rest
  kText,  // a text (address), an offset (a natural)
  // Not values:
  kThunk,  // a ClosedFn, all its arguments
  kBusy,   // a thunk that is being evaluated: its payload is not looked at
  kLink,   // what a thunk became; behind it unused words
};

constexpr std::size_t kMaxSize = 0x7FFF;  // of a payload, in words
constexpr std::uint32_t kMaxPosition = 0xFFFF;
constexpr std::uint32_t kMaxCtor = 0xFFFFFF;

// The lowest bit is set, so that a header is no address: the collector
// leaves one where an object was.
constexpr Cell header(CellShape shape, std::size_t size,
                      std::uint32_t position = 0, std::uint32_t id = 0) {
  return 1 | static_cast<Cell>(shape) << 1 | Cell{size} << 8 |
         Cell{position} << 24 | Cell{id} << 40;
}
constexpr CellShape shape_of(Cell head) {
  return static_cast<CellShape>(head >> 1 & 0x7F);
}
constexpr std::size_t size_of(Cell head) { return head >> 8 & 0xFFFF; }
constexpr std::uint32_t position_of(Cell head) {
  return static_cast<std::uint32_t>(head >> 24 & kMaxPosition);
}
constexpr std::uint32_t id_of(Cell head) {
  return static_cast<std::uint32_t>(head >> 40);
}

inline Cell* object_of(Cell cell) { return reinterpret_cast<Cell*>(cell); }
template <class T>
Cell cell_of(T* object) {
  return reinterpret_cast<Cell>(object);
}

// What a cell stands for once it was evaluated, as far as it was.
inline Cell followed(Cell cell) {
  while (is_address(cell) && shape_of(*object_of(cell)) == CellShape::kLink)
    cell = object_of(cell)[1];
  return cell;
}

}  // namespace tine::closed
