#include "compiler/closed/coder.h"

#include <algorithm>

namespace tine::closed {

using core::Term;
using core::TermKind;

namespace {
constexpr std::uint32_t kMostNested = 10000;  // terms, on the host stack
}

void Coder::code(ClosedFn* fn) {
  lets_ = functions_.strict_lets(fn);
  frame_ = fn->arity;
  const ClosedOp* first = nullptr;
  Row row{&first, fn->arity, true};
  if (fn->lost) {
    add(row, OpSort::kBail);
  } else if (fn->counts) {
    finish(row, OpSort::kReturn, {natural({0, 0}, row)});
  } else if (fn->prim) {
    code_prim(*fn->prim, row);
  } else {
    result(fn->term, fn->scope, row);
  }
  fn->frame = frame_ + 1;
  fn->code = first;
}

// ---- ops ------------------------------------------------------------------

ClosedOp& Coder::add(Row& row, OpSort sort) {
  ClosedOp& op = ops_.emplace_back();
  op.sort = sort;
  op.depth = row.depth;
  op.base = row.whole ? 0 : row.depth;
  *row.tail = &op;
  row.tail = &op.next;
  return op;
}

ClosedOp& Coder::add_value(Row& row, OpSort sort) {
  ClosedOp& op = add(row, sort);
  op.dst = row.depth++;
  frame_ = std::max(frame_, row.depth);
  return op;
}

void Coder::set_args(ClosedOp& op, const Operands& args) {
  op.args = operands_.emplace_back(args).data();
  op.size = static_cast<std::uint32_t>(args.size());
}

ClosedOp& Coder::finish(Row& row, OpSort sort, const Operands& args) {
  ClosedOp& op = add(row, sort);
  set_args(op, args);
  return op;
}

// ---- results --------------------------------------------------------------

void Coder::result(const Term* t, const Bind* scope, Row row) {
  t = plain(t);
  while (binds(t, scope, row)) t = plain(t);
  if (++nested_ > kMostNested) {
    add(row, OpSort::kBail);
    --nested_;
    return;
  }
  switch (t->kind) {
    case TermKind::kMatch:
      match(t, scope, row);
      break;
    case TermKind::kRef:
    case TermKind::kApp:
      call(functions_.callee(t, scope), scope, row);
      break;
    case TermKind::kVar:
    case TermKind::kHole:
      finish(row, OpSort::kEnter, {lazy(t, scope, row)});
      break;
    default: {
      ClosedOperand operand = lazy(t, scope, row);
      bool value = operand.slot >= 0 ? t->kind != TermKind::kLam
                                     : !is_address(operand.cell);
      finish(row, value ? OpSort::kReturn : OpSort::kEnter, {operand});
    }
  }
  --nested_;
}

// Takes the lets off a term.
bool Coder::binds(const Term*& t, const Bind*& scope, Row& row) {
  if (t->kind == TermKind::kLet) {
    const Bind* inside = bind(let_value(t), t, t->mark, scope, scope, row);
    scope = inside;
    t = t->kids.back();
    return true;
  }
  if (t->kind != TermKind::kPar) return false;
  const Bind* inside = scope;
  for (std::size_t i = 0; i < t->binders.size(); ++i)
    inside =
        bind(t->kids[i], &t->kids[i], t->binders[i].mark, scope, inside, row);
  scope = inside;
  t = t->kids.back();
  return true;
}

// The variable of a let, whose value stands in `scope`.
const Bind* Coder::bind(const Term* value, const void* key, Mark mark,
                        const Bind* scope, const Bind* inside, Row& row) {
  if (mark == Mark::kErased) return scopes_.dead(inside);
  ClosedOperand operand = lets_.count(key) > 0 ? this->value(value, scope, row)
                                               : lazy(value, scope, row);
  operand = place(operand, row);
  return scopes_.slot(inside, static_cast<std::uint32_t>(operand.slot));
}

void Coder::call(const Callee& callee, const Bind* scope, Row& row) {
  if (callee.lost) {
    add(row, OpSort::kBail);
  } else if (!callee.known()) {
    ClosedOperand fn = value(callee.head, scope, row);
    apply(fn, callee.args, 0, scope, row);
  } else if (callee.args.size() > callee.params()) {
    Callee less = callee;
    less.args.resize(callee.params());
    ClosedOp& op = add(row, OpSort::kEval);
    Row sub{&op.sub, row.depth, false};
    call(less, scope, sub);
    op.dst = row.depth++;
    frame_ = std::max(frame_, row.depth);
    ClosedOperand fn{static_cast<std::int32_t>(op.dst), 0};
    apply(fn, callee.args, callee.params(), scope, row);
  } else if (!callee.full()) {
    Operands args;
    for (const Term* arg : callee.args) args.push_back(lazy(arg, scope, row));
    ClosedOperand made =
        object(header(CellShape::kFun, args.size() + 1), callee.fn, args, row);
    finish(row, OpSort::kReturn, {made});
  } else if (callee.prim) {
    ClosedOperand made = prim(*callee.prim, callee.args, scope, row);
    finish(row, OpSort::kReturn, {made});
  } else {
    call_known(callee, scope, row);
  }
}

// First what is evaluated, so that less is left to be taken along by what is
// not.
void Coder::call_known(const Callee& callee, const Bind* scope, Row& row) {
  if (callee.params() == 0) {
    finish(row, OpSort::kEnter, {global(callee.fn)});
    return;
  }
  const std::vector<bool> needs = functions_.needs(callee.fn);
  Operands args(callee.args.size());
  for (std::size_t i = 0; i < args.size(); ++i)
    if (needs.size() > i && needs[i])
      args[i] = value(callee.args[i], scope, row);
  for (std::size_t i = 0; i < args.size(); ++i)
    if (needs.size() <= i || !needs[i])
      args[i] = lazy(callee.args[i], scope, row);
  frame_ =
      std::max(frame_, row.depth + static_cast<std::uint32_t>(args.size()));
  finish(row, OpSort::kCall, args).fn = callee.fn;
}

void Coder::apply(ClosedOperand fn, const Terms& args, std::size_t from,
                  const Bind* scope, Row& row) {
  Operands all{fn};
  for (std::size_t i = from; i < args.size(); ++i)
    all.push_back(lazy(args[i], scope, row));
  if (all.size() == 1) {
    finish(row, OpSort::kReturn, all);
    return;
  }
  finish(row, OpSort::kApply, all);
}

// ---- values ---------------------------------------------------------------

// A place of the frame for it.
ClosedOperand Coder::place(ClosedOperand operand, Row& row) {
  if (operand.slot >= 0) return operand;
  ClosedOp& op = add_value(row, OpSort::kCopy);
  set_args(op, {operand});
  return {static_cast<std::int32_t>(op.dst), 0};
}

ClosedOperand Coder::evaluated(ClosedOperand operand, Row& row) {
  if (operand.slot == kConstant && !is_address(operand.cell)) return operand;
  operand = place(operand, row);
  ClosedOp& op = add(row, OpSort::kForce);
  op.dst = static_cast<std::uint32_t>(operand.slot);
  return operand;
}

ClosedOperand Coder::natural(ClosedOperand operand, Row& row) {
  if (operand.slot == kConstant && tag_of(operand.cell) == kNatTag)
    return operand;
  // In its place: the first of its successors is not kept while the last are
  // made.
  operand = place(operand, row);
  ClosedOp& count = add_value(row, OpSort::kNatStart);
  ClosedOp& op = add(row, OpSort::kNat);
  op.count = count.dst;
  op.dst = static_cast<std::uint32_t>(operand.slot);
  count.count = op.dst;
  return operand;
}

ClosedOperand Coder::value(const Term* t, const Bind* scope, Row& row) {
  t = plain(t);
  while (binds(t, scope, row)) t = plain(t);
  if (++nested_ > kMostNested) {
    --nested_;
    return evaluated(lost(), row);
  }
  ClosedOperand operand;
  Callee callee;
  switch (t->kind) {
    case TermKind::kRef:
    case TermKind::kApp:
      callee = functions_.callee(t, scope);
      if (callee.prim && callee.args.size() == callee.params()) {
        operand = prim(*callee.prim, callee.args, scope, row);
        break;
      }
      [[fallthrough]];
    case TermKind::kMatch: {
      ClosedOp& op = add(row, OpSort::kEval);
      result(t, scope, {&op.sub, row.depth, false});
      op.dst = row.depth++;
      frame_ = std::max(frame_, row.depth);
      operand = {static_cast<std::int32_t>(op.dst), 0};
      break;
    }
    default:
      operand = evaluated(lazy(t, scope, row), row);
  }
  --nested_;
  return operand;
}

ClosedOperand Coder::prim(const ClosedPrim& prim, const Terms& args,
                          const Bind* scope, Row& row) {
  Operands operands;
  for (std::size_t i = 0; i < args.size(); ++i) {
    bool nat = (prim.nats >> i & 1) != 0;
    ClosedOperand operand = value(args[i], scope, row);
    operands.push_back(nat ? natural(operand, row) : operand);
  }
  ClosedOp& op = add_value(row, OpSort::kPrim);
  set_args(op, operands);
  op.prim = &prim;
  return {static_cast<std::int32_t>(op.dst), 0};
}

// An operation on lazy arguments.
void Coder::code_prim(const ClosedPrim& prim, Row row) {
  Operands operands;
  for (std::int32_t i = 0; i < prim.arity; ++i) {
    bool nat = (prim.nats >> i & 1) != 0;
    operands.push_back(nat ? natural({i, 0}, row) : evaluated({i, 0}, row));
  }
  ClosedOp& op = add_value(row, OpSort::kPrim);
  set_args(op, operands);
  op.prim = &prim;
  finish(row, OpSort::kReturn,
         {ClosedOperand{static_cast<std::int32_t>(op.dst), 0}});
}

}  // namespace tine::closed
