// The reducer: one loop per worker that fires rules.
//
// An activation's registers are in one of the worker's two banks. A call
// writes its arguments to the other bank and swaps, so that arguments never
// overwrite one another; a call that is not the last thing of its rule first
// saves the live registers to a frame. A value goes to the frame on top
// (`frame`): code at its resume point takes it. Dispatch is by a table of
// labels, one jump per instruction.
//
// The handlers are in three lists: step_data.inc (constructors, matches),
// step_prims.inc (primitives) and step_calls.inc (calls, frames, parallel
// lets). They use the names defined here:
//   pc      the instruction            r   registers of the activation
//   frame   who gets its value         n   the other bank
//   value   a value on its way         w   the worker
#include "runtime/heap/check.h"
#include "runtime/net/worker.h"
#include "runtime/num/f32.h"
#include "runtime/sched/schedule.h"

namespace tine {
namespace {

// Words of a frame behind its header.
constexpr unsigned kHeader = sizeof(Frame) / sizeof(Word);

// The constructor a word stands for; UINT32_MAX where it is none.
inline std::uint32_t ctor_id(Word word) {
  Tag tag = tag_of(word);
  if (tag == Tag::kNode) [[likely]] return node_of(word)->id();
  return tag == Tag::kCtor ? low32(word) : UINT32_MAX;
}

// The node of `word` if it is of constructor `id` with `fields` fields.
inline HeapNode* node_of_ctor(Word word, std::uint32_t id, unsigned fields) {
  if (tag_of(word) != Tag::kNode) return nullptr;
  HeapNode* node = node_of(word);
  return node->info == (id << 10 | (fields + 1)) ? node : nullptr;
}

inline bool is_array(Word word) { return tag_of(word) == Tag::kArray; }

// A closure with one argument more, or the definition that it completes.
struct Applied {
  std::uint32_t def = 0;
  bool full = false;
  bool good = false;
  Word closure = 0;
};

// Applies `function` to `argument`. When that completes the arguments of a
// def they are in `args`; else the longer closure is the result.
Applied apply_one(LocalHeap& heap, const NetProgram& program, Word function,
                  Word argument, Word* args) {
  Applied result;
  HeapNode* node = nullptr;
  unsigned held = 0;
  if (tag_of(function) == Tag::kFun) {
    result.def = low32(function);
  } else if (tag_of(function) == Tag::kClosure) {
    node = node_of(function);
    result.def = node->id();
    held = node->size();
  } else {
    heap.fail(Fault::kNoArm);
    return result;
  }
  const CodeDef& def = program.defs[result.def];
  result.full = held + 1 == def.params;
  Word* to = args;
  if (!result.full) {
    if (held + 1 > kMaxFields || held + 1 > def.params) {
      heap.fail(Fault::kMemory);
      return result;
    }
    HeapNode* longer = new_node(heap, result.def, held + 1);
    if (!longer) return result;
    result.closure = node_word(Tag::kClosure, longer);
    to = longer->fields();
  }
  for (unsigned i = 0; i < held; ++i) to[i] = node->fields()[i];
  to[held] = argument;
  if (node) free_node(heap, node);
  result.good = true;
  return result;
}

// The registers that a list of at most four names, to consecutive words.
template <unsigned kCount>
inline void copy_from(Word* to, const Word* registers, const Cell& list) {
  static_assert(kCount <= 4);
  if constexpr (kCount > 0) to[0] = registers[list.regs[0]];
  if constexpr (kCount > 1) to[1] = registers[list.regs[1]];
  if constexpr (kCount > 2) to[2] = registers[list.regs[2]];
  if constexpr (kCount > 3) to[3] = registers[list.regs[3]];
}

// The other way round.
template <unsigned kCount>
inline void copy_to(Word* registers, const Word* from, const Cell& list) {
  static_assert(kCount <= 4);
  if constexpr (kCount > 0) registers[list.regs[0]] = from[0];
  if constexpr (kCount > 1) registers[list.regs[1]] = from[1];
  if constexpr (kCount > 2) registers[list.regs[2]] = from[2];
  if constexpr (kCount > 3) registers[list.regs[3]] = from[3];
}

// The arguments that a frame keeps for one call of its parallel let.
inline void load_arguments(Word* registers, Frame* frame, const Cell* task) {
  const Word* from = frame->slots() + task->ins.c;
  for (unsigned i = 0, args = task->ins.b; i < args; ++i) {
    registers[i] = from[i];
  }
}

constexpr std::uint64_t kNatLimit = kMaxNat;

inline Word cmp_word(Word x, Word y, Word less, Word equal, Word greater) {
  return x < y ? less : x == y ? equal : greater;
}

Word ctor_word(const NetProgram& program, CtorId ctor) {
  return ctor == CtorId::kNone ? 0 : make_ctor(program.id(ctor));
}

}  // namespace

// Poll: cheap enough for every call.
#define TINE_POLL()                                             \
  do {                                                          \
    int left = w.fuel.load(std::memory_order_relaxed) - 1;      \
    w.fuel.store(left, std::memory_order_relaxed);              \
    if (left <= 0 && !w.poll()) [[unlikely]] goto leave;        \
  } while (false)

#define TINE_STEP(cells)                \
  do {                                  \
    pc += (cells);                      \
    goto* kLabels[pc->ins.op];          \
  } while (false)
#define TINE_JUMP(cells) TINE_STEP(cells)
#define TINE_OP(name) label_##name:

void reduce(Run& run, Worker& w, const Cell* pc, Frame* frame) {
  static const void* const kLabels[] = {
#define TINE_CODE(name) &&label_##name,
#include "runtime/net/code.def"
#undef TINE_CODE
  };
  const NetProgram& program = run.program;
  LocalHeap& heap = w.heap;
  Word* r = w.registers.data();
  Word* n = r + w.registers.size() / 2;
  std::uint64_t* const hits = w.hits.data();
  const Known& known = run.book.known;
  const Word false_word = ctor_word(program, known.false_);
  const Word true_word = ctor_word(program, known.true_);
  const Word less_word = ctor_word(program, known.lt);
  const Word equal_word = ctor_word(program, known.eq);
  const Word greater_word = ctor_word(program, known.gt);
  Word value = 0;
  w.last = pc;

  if (!pc) goto find;
  TINE_STEP(0);

#include "runtime/net/step_calls.inc"
#include "runtime/net/step_data.inc"
#include "runtime/net/step_prims.inc"

fault:
  run.trap_fault(w);
leave:
  run.name_trap(w, pc ? pc : w.last);
}

}  // namespace tine
