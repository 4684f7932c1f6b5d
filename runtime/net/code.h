// Register code: what the net engine runs.
//
// A definition's rule becomes instructions over the registers of one
// activation. Registers live in a worker's bank, not in frames: a call that
// is not in tail position saves the live registers to a frame of exactly
// their number (the agent that waits), and the call's value brings them back
// (the active pair). So a leaf call makes no frame, and a nested `1n+f(p)`
// costs 16 bytes.
//
// Counting: a rule is a tree of blocks, split by matches. Each way through a
// rule ends in one leaf of the tree, and only that leaf is counted when it is
// left; the rest follows: a block ran as often as its leaves together, and
// its calls, primitives, takes and makes are known when it is compiled.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/book/book.h"
#include "runtime/heap/term.h"

namespace tine {

enum class Code : std::uint16_t {
#define TINE_CODE(name) name,
#include "runtime/net/code.def"
#undef TINE_CODE
  kCount
};

struct Ins {
  std::uint16_t op, a, b, c;
};

union Cell {
  Word word;
  Ins ins;
  std::uint16_t regs[4];
  std::int64_t offset;
  const Cell* target;
};
static_assert(sizeof(Cell) == 8);

// The largest shift that an instruction holds; 32 and more give 0.
inline constexpr std::uint64_t kMostShift = 63;

// A call of a parallel let: two cells behind kJoin.
//   ins.a  1: apply, 0: call   ins.b  arguments   ins.c  first stored slot
//   then the target of a call
inline constexpr unsigned kTaskCells = 2;

// What one block of a rule adds to the counts each time it runs.
struct BlockCount {
  std::uint32_t parent = kNoBlock;  // always an earlier block
  DefId def = DefId::kNone;
  std::uint32_t prims = 0, takes = 0, makes = 0, forks = 0;
  std::vector<DefId> calls;         // one per call statement

  static constexpr std::uint32_t kNoBlock = UINT32_MAX;
};

struct CodeDef {
  const Cell* code = nullptr;  // null where nothing reaches the def
  std::uint32_t params = 0;
};

// Where a definition's code begins, to find the def of a cell.
struct CodeRange {
  std::size_t begin = 0;
  DefId def = DefId::kNone;
};

struct NetProgram {
  std::vector<Cell> code;
  std::vector<CodeDef> defs;        // by DefId; one more: the final `Emit`
  std::vector<CodeRange> ranges;    // ascending
  std::vector<BlockCount> blocks;
  std::vector<std::u32string> texts;
  std::uint32_t registers = 1;      // of the largest def
  // Cells of builtin code: the final continuation, the end of a run, the
  // end of a stolen call, the application of r0 to r1.
  std::size_t emit = 0, halt = 0, arrive = 0, apply = 0;
  // Constructors are renumbered so that those of one type are consecutive.
  std::vector<std::uint32_t> ctor_ids;  // by CtorId
  std::vector<CtorId> ctor_of;          // by id
  std::vector<bool> word_data;      // by DataId: no constructor has fields
  std::string problem;              // "" or why the book is too large

  std::uint32_t id(CtorId ctor) const { return ctor_ids[index(ctor)]; }
  DefId def_at(const Cell* cell) const;
};

inline const std::uint16_t* regs_at(const Cell* cell) {
  return reinterpret_cast<const std::uint16_t*>(cell);
}
constexpr std::size_t list_cells(std::size_t registers) {
  return (registers + 3) / 4;
}

}  // namespace tine
