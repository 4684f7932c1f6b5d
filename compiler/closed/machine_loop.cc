// The loop of the machine and what it does most. One function after inlining:
// a call for each op would cost as much as the op.
#include <algorithm>

#include "compiler/closed/machine.h"
#include "compiler/syntax/utf8.h"

#define TINE_HOT [[gnu::always_inline]] inline

namespace tine::closed {

using core::TheoryFailure;

// ---- control --------------------------------------------------------------

TINE_HOT Cell* ClosedMachine::make(std::size_t cells, const ClosedOp* op,
                                   Cell* frame) {
  if (Cell* object = heap_.make(cells)) return object;
  return collect(op, frame) ? heap_.make(cells) : nullptr;
}

TINE_HOT Spot ClosedMachine::start_call(ClosedFn* fn, Cell* frame) {
  if (!fn->code) coder_.code(fn);
  steps_ += fn->steps;
  if (steps_ >= look_at_ && !look()) return {};
  if (stack_.end() - frame < static_cast<std::ptrdiff_t>(fn->frame))
    return fail(TheoryFailure::kDepth);
  return {fn->code, frame};
}

// Evaluates a thunk in a frame at `base`.
TINE_HOT Spot ClosedMachine::enter(Cell* thunk, Cell* base) {
  std::size_t size = size_of(thunk[0]);
  if (top_ == end_ || stack_.end() - base < static_cast<std::ptrdiff_t>(size))
    return fail(TheoryFailure::kDepth);
  auto* fn = reinterpret_cast<ClosedFn*>(thunk[1]);
  for (std::size_t i = 2; i <= size; ++i) base[i - 2] = thunk[i];
  thunk[0] = header(CellShape::kBusy, size);
  return start_call(fn, base);
}

// A value goes to what waits, a thunk is evaluated for it.
TINE_HOT Spot ClosedMachine::reach(Cell cell, Cell* base) {
  cell = followed(cell);
  if (!is_address(cell)) return give(cell);
  Cell* object = object_of(cell);
  CellShape shape = shape_of(object[0]);
  if (shape == CellShape::kThunk) {
    if (end_ - top_ < 2 || base == stack_.end())
      return fail(TheoryFailure::kDepth);
    *base = cell;
    *top_++ = {&update_, base};
    return enter(object, base + 1);
  }
  if (shape == CellShape::kBusy) return fail(TheoryFailure::kDepth);
  return give(cell);
}

TINE_HOT Spot ClosedMachine::give(Cell value) {
  while (true) {
    Waiting waiting = *--top_;
    if (top_ < low_) low_ = top_;
    switch (waiting.op->sort) {
      case OpSort::kUpdate:
        heap_.update(object_of(waiting.frame[0]), value);
        continue;
      case OpSort::kHalt:
        result_ = value;
        return {};
      case OpSort::kApplyRest: {
        std::size_t n = nat_of(waiting.frame[0]);
        std::copy_n(waiting.frame + 1, n, scratch_.begin());
        return apply(value, n, waiting.frame);
      }
      case OpSort::kEval:
        waiting.frame[waiting.op->dst] = value;
        return {waiting.op->next, waiting.frame};
      default: {
        Cell& place = waiting.frame[waiting.op->dst];
        heap_.update(object_of(place), value);
        place = value;
        return {waiting.op, waiting.frame};
      }
    }
  }
}

// The op at hand needs the value of `cell`, which is no value yet and stands
// in `dst`: there its thunk is found when it runs again.
TINE_HOT Spot ClosedMachine::unready(Cell cell, Spot at) {
  Cell* object = object_of(cell);
  if (shape_of(object[0]) != CellShape::kThunk)
    return fail(TheoryFailure::kDepth);
  if (top_ == end_) return fail(TheoryFailure::kDepth);
  *top_++ = {at.op, at.frame};
  return enter(object, at.frame + at.op->depth);
}

TINE_HOT Spot ClosedMachine::force(Spot at) {
  Cell& place = at.frame[at.op->dst];
  place = followed(place);
  if (!is_address(place) || shape_of(*object_of(place)) < CellShape::kThunk)
    return {at.op->next, at.frame};
  return unready(place, at);
}

TINE_HOT Spot ClosedMachine::call(Spot at) {
  const ClosedOp* op = at.op;
  Cell* frame = at.frame;
  Cell* to = frame + op->base;
  std::size_t n = op->size;
  if (stack_.end() - to < static_cast<std::ptrdiff_t>(n))
    return fail(TheoryFailure::kDepth);
  if (op->base != 0) {
    for (std::size_t i = 0; i < n; ++i) to[i] = get(op->args[i], frame);
  } else {
    // In the places of what it is called with.
    Cell* way = frame + op->depth;
    for (std::size_t i = 0; i < n; ++i) way[i] = get(op->args[i], frame);
    for (std::size_t i = 0; i < n; ++i) to[i] = way[i];
  }
  return start_call(op->fn, to);
}

// ---- making ---------------------------------------------------------------

TINE_HOT Spot ClosedMachine::object(Spot at) {
  const ClosedOp* op = at.op;
  Cell* made = make(op->size + 1, op, at.frame);
  if (!made) return {};
  made[0] = op->head;
  for (std::size_t i = 0; i < op->size; ++i)
    made[i + 1] = get(op->args[i], at.frame);
  at.frame[op->dst] = cell_of(made);
  return {op->next, at.frame};
}

TINE_HOT Spot ClosedMachine::succ(Spot at) {
  const ClosedOp* op = at.op;
  Cell below = followed(get(op->args[0], at.frame));
  if (tag_of(below) == kNatTag) {
    if (nat_of(below) + op->count >= kNatEnd) return beyond();
    at.frame[op->dst] = nat_cell(nat_of(below) + op->count);
  } else {
    Cell* made = make(3, op, at.frame);
    if (!made) return {};
    made[0] = header(CellShape::kSucc, 2);
    made[1] = nat_cell(op->count);
    made[2] = get(op->args[0], at.frame);
    at.frame[op->dst] = cell_of(made);
  }
  return {op->next, at.frame};
}

TINE_HOT Spot ClosedMachine::put_result(Cell result, const Cell* pair,
                                        Spot at) {
  const ClosedOp* op = at.op;
  if (result == PrimTable::kPair) {
    Cell* made = make(3, op, at.frame);
    if (!made) return {};
    made[0] = pair_;
    made[1] = pair[0];
    made[2] = pair[1];
    result = cell_of(made);
  }
  ++steps_;
  at.frame[op->dst] = result;
  return {op->next, at.frame};
}

TINE_HOT Spot ClosedMachine::prim(Spot at) {
  const ClosedOp* op = at.op;
  Cell args[2] = {}, pair[2] = {};
  for (std::size_t i = 0; i < op->size; ++i)
    args[i] = get(op->args[i], at.frame);
  Cell result = functions_.prims().run(*op->prim, args, pair);
  return result ? put_result(result, pair, at) : beyond();
}

TINE_HOT Spot ClosedMachine::prim_now(Spot at) {
  const ClosedOp* op = at.op;
  Cell args[2] = {}, pair[2] = {};
  for (std::size_t i = 0; i < op->size; ++i)
    args[i] = followed(get(op->args[i], at.frame));
  if (Cell result = functions_.prims().run(*op->prim, args, pair))
    return put_result(result, pair, at);
  Cell* made = make(op->size + 2, op, at.frame);
  if (!made) return {};
  made[0] = header(CellShape::kThunk, op->size + 1);
  made[1] = cell_of(op->prim->fn);
  for (std::size_t i = 0; i < op->size; ++i)
    made[i + 2] = get(op->args[i], at.frame);
  at.frame[op->dst] = cell_of(made);
  return {op->next, at.frame};
}

// ---- looking --------------------------------------------------------------

// Counts the successors of a natural; other numbers stay.
TINE_HOT Spot ClosedMachine::natural(Spot at) {
  Cell& place = at.frame[at.op->dst];
  Cell& count = at.frame[at.op->count];
  while (true) {
    Cell cell = place = followed(place);
    if (!is_address(cell)) {
      if (tag_of(cell) == kNatTag) {
        if (nat_of(cell) + nat_of(count) >= kNatEnd) return beyond();
        place = nat_cell(nat_of(cell) + nat_of(count));
      }
      return {at.op->next, at.frame};
    }
    Cell* object = object_of(cell);
    CellShape shape = shape_of(object[0]);
    if (shape >= CellShape::kThunk) return unready(cell, at);
    if (shape != CellShape::kSucc) return beyond();
    if (nat_of(count) + nat_of(object[1]) >= kNatEnd) return beyond();
    count = nat_cell(nat_of(count) + nat_of(object[1]));
    place = object[2];
  }
}

TINE_HOT Spot ClosedMachine::take(const ClosedArm& arm, Spot at) {
  if (arm.code) return {arm.code, at.frame};
  return at.op->rest ? Spot{at.op->other.code, at.frame} : beyond();
}

TINE_HOT Spot ClosedMachine::match_ctor(Spot at) {
  const ClosedOp* op = at.op;
  Cell cell = at.frame[op->dst];
  if (tag_of(cell) == kCtorTag) return take(op->arms[cell >> 32], at);
  if (!is_address(cell)) {
    if (tag_of(cell) != kWordTag || sort_of(cell) != WordSort::kChar)
      return beyond();
    at.frame[op->arms[0].dst] = word_cell(WordSort::kU32, word_of(cell));
    return take(op->arms[0], at);
  }
  Cell* object = object_of(cell);
  switch (shape_of(object[0])) {
    case CellShape::kCtor: {
      const ClosedArm& arm = op->arms[position_of(object[0])];
      Cell* to = at.frame + arm.dst;
      for (std::size_t i = 0; i < arm.fields; ++i) to[i] = object[i + 1];
      return take(arm, at);
    }
    case CellShape::kText:
      return match_text(cell, at);
    case CellShape::kLink:
      at.frame[op->dst] = followed(cell);
      return at;
    case CellShape::kThunk:
    case CellShape::kBusy:
      return unready(cell, at);
    default:
      return beyond();
  }
}

TINE_HOT Spot ClosedMachine::match_nat(Spot at) {
  const ClosedOp* op = at.op;
  Cell cell = at.frame[op->dst];
  const ClosedArm& more = op->arms[1];
  if (tag_of(cell) == kNatTag) {
    if (nat_of(cell) == 0) return take(op->arms[0], at);
    if (more.code) at.frame[more.dst] = nat_cell(nat_of(cell) - 1);
    return take(more, at);
  }
  if (!is_address(cell)) return beyond();
  Cell* object = object_of(cell);
  switch (shape_of(object[0])) {
    case CellShape::kSucc:
      break;
    case CellShape::kLink:
      at.frame[op->dst] = followed(cell);
      return at;
    case CellShape::kThunk:
    case CellShape::kBusy:
      return unready(cell, at);
    default:
      return beyond();
  }
  if (!more.code) return take(more, at);
  Cell rest = object[2];
  if (std::uint64_t count = nat_of(object[1]); count > 1) {
    Cell* made = make(3, op, at.frame);
    if (!made) return {};
    made[0] = header(CellShape::kSucc, 2);
    made[1] = nat_cell(count - 1);
    made[2] = object_of(at.frame[op->dst])[2];
    rest = cell_of(made);
  }
  at.frame[more.dst] = rest;
  return take(more, at);
}

TINE_HOT Spot ClosedMachine::match_word(Spot at) {
  const ClosedOp* op = at.op;
  Cell cell = at.frame[op->dst];
  if (tag_of(cell) != kWordTag && tag_of(cell) != kNatTag) return beyond();
  std::uint64_t number =
      tag_of(cell) == kWordTag ? word_of(cell) : nat_of(cell);
  auto found = std::lower_bound(
      op->numbers.begin(), op->numbers.end(), number,
      [](const auto& entry, std::uint64_t n) { return entry.first < n; });
  if (found != op->numbers.end() && found->first == number) {
    return {found->second, at.frame};
  }
  return take({}, at);
}

// Applies a function to the first `n` cells of scratch_, in a frame at
// `base`.
Spot ClosedMachine::apply(Cell fn, std::size_t n, Cell* base) {
  if (!is_address(fn) || shape_of(*object_of(fn)) != CellShape::kFun)
    return beyond();
  Cell* object = object_of(fn);
  std::size_t held = size_of(object[0]) - 1;
  auto* code = reinterpret_cast<ClosedFn*>(object[1]);
  if (held + n < code->arity) {
    Cell* more = heap_.make(held + n + 2);
    if (!more) {
      roots_.push_back(fn);
      roots_.insert(roots_.end(), scratch_.begin(), scratch_.begin() + n);
      if (!collect(nullptr, nullptr)) return {};
      std::copy(roots_.end() - n, roots_.end(), scratch_.begin());
      roots_.resize(roots_.size() - n);
      object = object_of(roots_.back());
      roots_.pop_back();
      more = heap_.make(held + n + 2);
    }
    more[0] = header(CellShape::kFun, held + n + 1);
    std::copy_n(object + 1, held + 1, more + 1);
    std::copy_n(scratch_.begin(), n, more + 2 + held);
    return give(cell_of(more));
  }
  std::size_t taken = code->arity - held;
  std::size_t rest = n - taken;
  if (end_ - top_ < 1 ||
      stack_.end() - base < static_cast<std::ptrdiff_t>(rest + code->arity + 1))
    return fail(TheoryFailure::kDepth);
  if (rest > 0) {
    *base = nat_cell(rest);
    std::copy_n(scratch_.begin() + taken, rest, base + 1);
    *top_++ = {&rest_, base};
    base += rest + 1;
  }
  std::copy_n(object + 2, held, base);
  std::copy_n(scratch_.begin(), taken, base + held);
  return start_call(code, base);
}

// A text is its first character and the rest, or empty.
Spot ClosedMachine::match_text(Cell cell, Spot at) {
  const ClosedOp* op = at.op;
  const core::BaseIds& ids = functions_.ids();
  const core::Globals& globals = functions_.globals();
  auto arm_of = [&](core::Ctor id) -> const ClosedArm& {
    return op->arms[globals.ctor(id).tag];
  };
  const auto* text = reinterpret_cast<const std::string*>(object_of(cell)[1]);
  std::size_t offset = nat_of(object_of(cell)[2]);
  if (offset >= text->size()) return take(arm_of(ids.snil), at);
  const ClosedArm& arm = arm_of(ids.scon);
  if (!arm.code) return take(arm, at);
  Cell* rest = make(3, op, at.frame);
  if (!rest) return {};
  Decoded first = decode_utf8(*text, offset);
  rest[0] = header(CellShape::kText, 2);
  rest[1] = cell_of(text);
  rest[2] = nat_cell(offset + first.length);
  at.frame[arm.dst] =
      word_cell(WordSort::kChar, static_cast<std::uint32_t>(first.code));
  at.frame[arm.dst + 1] = cell_of(rest);
  return take(arm, at);
}

// ---- the loop -------------------------------------------------------------

void ClosedMachine::loop(Spot at) {
  const ClosedOp* op = at.op;
  Cell* frame = at.frame;
  while (op) {
    Spot to;
    switch (op->sort) {
      case OpSort::kCopy:
        frame[op->dst] = get(op->args[0], frame);
        op = op->next;
        continue;
      case OpSort::kForce: {
        Cell cell = frame[op->dst];
        if (!is_address(cell) ||
            shape_of(*object_of(cell)) < CellShape::kThunk) {
          op = op->next;
          continue;
        }
        to = force({op, frame});
        break;
      }
      case OpSort::kNatStart: {
        Cell cell = followed(frame[op->count]);
        frame[op->count] = cell;
        frame[op->dst] = nat_cell(0);
        op = is_address(cell) ? op->next : op->next->next;
        continue;
      }
      case OpSort::kEval:
        if (top_ == end_) return void(fail(TheoryFailure::kDepth));
        *top_++ = {op, frame};
        op = op->sub;
        continue;
      case OpSort::kObject:
        to = object({op, frame});
        break;
      case OpSort::kSucc:
        to = succ({op, frame});
        break;
      case OpSort::kPrimNow:
        to = prim_now({op, frame});
        break;
      case OpSort::kNat:
        to = natural({op, frame});
        break;
      case OpSort::kPrim:
        to = prim({op, frame});
        break;
      case OpSort::kMatchCtor:
        to = match_ctor({op, frame});
        break;
      case OpSort::kMatchNat:
        to = match_nat({op, frame});
        break;
      case OpSort::kMatchWord:
        to = match_word({op, frame});
        break;
      case OpSort::kReturn:
        to = give(get(op->args[0], frame));
        break;
      case OpSort::kEnter:
        to = reach(get(op->args[0], frame), frame + op->base);
        break;
      case OpSort::kCall:
        to = call({op, frame});
        break;
      case OpSort::kApply: {
        std::size_t n = op->size - 1;
        for (std::size_t i = 0; i < n; ++i)
          scratch_[i] = get(op->args[i + 1], frame);
        to = apply(get(op->args[0], frame), n, frame + op->base);
        break;
      }
      default:
        to = beyond();
    }
    op = to.op;
    frame = to.frame;
  }
}

ClosedMachine::Outcome ClosedMachine::run(const core::Term* term, Cell& cell) {
  if (!heap_.good() || !stack_.begin() || !control_.begin())
    return fail(TheoryFailure::kMemory), outcome_;
  *top_++ = {&halt_, stack_.begin()};
  return run(start_call(functions_.body(term, nullptr, {}), stack_.begin()),
             cell);
}

ClosedMachine::Outcome ClosedMachine::run(Cell& cell) {
  cell = followed(cell);
  if (!is_address(cell) || shape_of(*object_of(cell)) < CellShape::kThunk)
    return Outcome::kValue;
  *top_++ = {&halt_, stack_.begin()};
  return run(reach(cell, stack_.begin()), cell);
}

ClosedMachine::Outcome ClosedMachine::count(Cell& cell) {
  *top_++ = {&halt_, stack_.begin()};
  stack_.begin()[0] = cell;
  return run(start_call(functions_.counter(), stack_.begin()), cell);
}

ClosedMachine::Outcome ClosedMachine::run(Spot at, Cell& cell) {
  loop(at);
  // What still waits is given up when there is no value.
  top_ = low_ = old_ = reinterpret_cast<Waiting*>(control_.begin());
  cell = result_;
  return outcome_;
}

}  // namespace tine::closed
