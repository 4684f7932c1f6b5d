// Code of the machine for closed programs: what the bodies of defs, lambdas
// and lazy arguments are compiled to, each when it is first run.
//
// An op works on a frame, a row of cells on the machine's stack: arguments
// first, then one place for every value that is made or found on the way.
// `depth` is how many of them hold a value before the op runs; frames of
// calls begin behind them, so that the collector sees nothing else.
#pragma once

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "compiler/closed/cell.h"
#include "compiler/core/term.h"

namespace tine::closed {

struct ClosedFn;
struct ClosedOp;

// ---- what a variable stands for -------------------------------------------

// An argument that is known when code is made: a template argument.
struct KnownArg {
  const core::Term* term = nullptr;
  const struct Bind* scope = nullptr;       // only its known variables are used
  ClosedFn* fn = nullptr;                   // when it is a function,
  const struct ClosedPrim* prim = nullptr;  // or an operation
  Cell cell = 0;                            // the value; 0 = not made yet
};

enum class BindSort : std::uint8_t {
  kSlot,   // a place of the frame
  kDead,   // erased
  kKnown,  // a template argument
  kEdge,   // no variable: from here on up, another frame
};

// A variable in scope, innermost first. Behind an edge stand the variables of
// the code around, of which those in `taken` are the frame's first arguments.
struct Bind {
  BindSort sort = BindSort::kDead;
  std::uint32_t slot = 0;
  KnownArg* known = nullptr;
  std::vector<const Bind*> taken;
  const Bind* up = nullptr;
};

// ---- operations on numbers ------------------------------------------------

enum class PrimSort : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kAnd,
  kOr,
  kXor,  // U32
  kEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIsZero,
  kCompare,
  kShiftLeft,
  kShiftRight,
  kToNat,
  kFromNat,
  kWord1,
  kWord2,
  kTest,     // by a function
  kConvert,  // a word to another sort
  kNatAdd,
  kNatSub,
  kNatMul,
  kNatLess,
  kNatCompare,
  kNatDouble,
  kNatDivmod,
};

struct ClosedPrim {
  PrimSort sort{};
  WordSort words{};  // of the result
  std::uint8_t arity = 0;
  std::uint8_t nats = 0;  // bit by argument: it is a natural
  std::uint32_t (*one)(std::uint32_t) = nullptr;
  std::uint32_t (*two)(std::uint32_t, std::uint32_t) = nullptr;
  bool (*test)(std::uint32_t, std::uint32_t) = nullptr;
  ClosedFn* fn = nullptr;  // the operation on lazy arguments
};

// ---- ops ------------------------------------------------------------------

enum class OpSort : std::uint8_t {
  // dst = a value or a thunk; nothing is evaluated
  kCopy,     // args[0]
  kObject,   // head and args: kCtor, or kFun and kThunk with fn before them
  kSucc,     // count successors of args[0]
  kPrimNow,  // prim of args when they are numbers, else a thunk
  // dst = a value
  kForce,     // the value of dst itself
  kNatStart,  // past kNat if the number in place `count` is one already;
              // dst = none, the successors that were counted
  kNat,       // the value of dst, all successors counted; place `count` has
              // how many so far
  kEval,      // what `sub` gives
  kPrim,      // prim of args, which are numbers
  // the end
  kMatchCtor,  // by the constructor of dst, which is evaluated first
  kMatchNat,   // zero or not
  kMatchWord,  // by the number in dst: a word, or an evaluated natural
  kReturn,     // args[0], a value
  kEnter,      // the value of args[0]
  kCall,       // fn with args
  kApply,      // args[0], a function, to the others
  kBail,       // beyond this machine
  // what is on the control stack besides the ops that wait for a value
  kUpdate,
  kApplyRest,
  kHalt,
};

constexpr std::int32_t kConstant = -1, kGlobal = -2;

struct ClosedOperand {
  std::int32_t slot = kConstant;
  Cell cell = 0;
};

struct ClosedArm {
  const ClosedOp* code = nullptr;
  // Of the fields, those that are live; they go to dst, dst + 1, ..
  std::uint32_t fields = 0;
  std::uint32_t dst = 0;
};

struct ClosedOp {
  OpSort sort{};
  bool rest = false;  // kMatch..: `other` is there
  std::uint32_t dst = 0;
  std::uint32_t depth = 0;
  std::uint32_t base = 0;  // where the frame of what it enters begins
  std::uint32_t size = 0;  // of args
  ClosedOperand* args = nullptr;
  const ClosedOp* next = nullptr;
  const ClosedOp* sub = nullptr;
  union {
    Cell head = 0;
    std::uint64_t count;
  };
  union {
    ClosedFn* fn = nullptr;
    const ClosedPrim* prim;
    ClosedArm* arms;  // kMatchCtor: by position; kMatchNat: 0, more
  };
  ClosedArm other;  // the default arm
  std::vector<std::pair<std::uint64_t, const ClosedOp*>> numbers;  // ascending
};

// A body. The arguments are first what it takes from the code around it, then
// the parameters.
struct ClosedFn {
  const ClosedOp* code = nullptr;  // null until it is called
  std::uint32_t arity = 0;
  std::uint32_t params = 0;
  std::uint32_t steps = 0;  // unfoldings and betas of a call
  std::uint32_t frame = 0;
  const core::Term* term = nullptr;
  const Bind* scope = nullptr;
  const ClosedPrim* prim = nullptr;  // instead of a term
  bool counts = false;               // neither: it counts successors
  bool lost = false;                 // neither: beyond this machine
  std::vector<bool> needs;           // by parameter: surely evaluated
  std::vector<const Bind*> binds;    // by parameter
  enum class Needs : std::uint8_t { kUnknown, kRunning, kKnown };
  Needs state = Needs::kUnknown;
  Cell global = 0;  // of no parameters: its one thunk
};

}  // namespace tine::closed
