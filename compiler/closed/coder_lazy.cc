// Code that makes a lazy value: what is a value already or costs no more than
// remembering it is made, everything else becomes a thunk.
#include <algorithm>

#include "compiler/closed/coder.h"

namespace tine::closed {

using core::Term;
using core::TermKind;

namespace {
constexpr std::uint32_t kMostNested = 10000;

ClosedOperand constant(Cell cell) { return {kConstant, cell}; }

Cell number(const Term* t) {
  auto n = static_cast<std::uint32_t>(t->num);
  switch (t->kind) {
    case TermKind::kU32:
      return word_cell(WordSort::kU32, n);
    case TermKind::kF32:
      return word_cell(WordSort::kF32, n);
    default:
      return word_cell(WordSort::kChar, n);
  }
}

}  // namespace

ClosedOperand Coder::lazy(const Term* t, const Bind* scope, Row& row) {
  t = plain(t);
  if (is_type(t->kind)) return constant(kOpaque);
  if (nested_ > kMostNested) return lost();
  ++nested_;
  ClosedOperand operand;
  switch (t->kind) {
    case TermKind::kVar:
      operand = lazy_variable(t->num, scope);
      break;
    case TermKind::kU32:
    case TermKind::kF32:
    case TermKind::kChar:
      operand = constant(number(t));
      break;
    case TermKind::kNat:
      operand = !t->text.empty() || t->num >= kNatEnd
                    ? lost()
                    : constant(nat_cell(t->num));
      break;
    case TermKind::kString:
      operand = text(t->text);
      break;
    case TermKind::kSucc:
      operand = lazy_succ(t->num, t->kids[0], scope, row);
      break;
    case TermKind::kCtor:
      operand = lazy_ctor(t, scope, row);
      break;
    case TermKind::kLam:
      operand = lambda(t, scope, row);
      break;
    case TermKind::kRef:
    case TermKind::kApp:
      operand = lazy_call(t, scope, row);
      break;
    case TermKind::kHole:
      operand = lost();
      break;
    default:
      operand = thunk(t, scope, row);
  }
  --nested_;
  return operand;
}

ClosedOperand Coder::lazy_variable(std::uint64_t n, const Bind* scope) {
  Seen seen = resolve(scope, n);
  if (!seen.bind || seen.bind->sort == BindSort::kDead)
    return constant(kOpaque);
  if (seen.bind->sort == BindSort::kKnown) return known(seen.bind->known);
  return {static_cast<std::int32_t>(seen.slot), 0};
}

// ---- constructors ---------------------------------------------------------

// An object whose parts are all known is made once.
ClosedOperand Coder::object(Cell head, ClosedFn* fn, const Operands& fields,
                            Row& row) {
  if (size_of(head) != fields.size() + (fn ? 1 : 0)) return lost();
  bool fixed = shape_of(head) != CellShape::kThunk;
  for (const ClosedOperand& field : fields) fixed &= field.slot == kConstant;
  if (!fixed) {
    ClosedOp& op = add_value(row, OpSort::kObject);
    Operands all;
    if (fn) all.push_back(constant(cell_of(fn)));
    all.insert(all.end(), fields.begin(), fields.end());
    set_args(op, all);
    op.head = head;
    return {static_cast<std::int32_t>(op.dst), 0};
  }
  Cell* made = heap_.make_static(size_of(head) + 1);
  *made = head;
  std::size_t at = 1;
  if (fn) made[at++] = cell_of(fn);
  for (const ClosedOperand& field : fields) made[at++] = field.cell;
  return constant(cell_of(made));
}

ClosedOperand Coder::lazy_ctor(const Term* t, const Bind* scope, Row& row) {
  if (t->ctor == ids_.zero) return constant(nat_cell(0));
  if (t->ctor == ids_.succ) return lazy_succ(1, t->kids[0], scope, row);
  if (t->ctor == ids_.chr_of || t->ctor == ids_.u32_of ||
      t->ctor == ids_.f32_of)
    return lost();
  const core::CtorInfo& info = globals_.ctor(t->ctor);
  if (info.tag > kMaxPosition || core::index(t->ctor) > kMaxCtor) return lost();
  Operands fields;
  for (std::size_t i = 0; i < t->kids.size(); ++i)
    if (info.fields[i].mark != Mark::kErased)
      fields.push_back(lazy(t->kids[i], scope, row));
  if (fields.empty())
    return constant(ctor_cell(info.tag, core::index(t->ctor)));
  if (fields.size() > kMaxSize) return lost();
  return object(
      header(CellShape::kCtor, fields.size(), info.tag, core::index(t->ctor)),
      nullptr, fields, row);
}

ClosedOperand Coder::lazy_succ(std::uint64_t count, const Term* rest,
                               const Bind* scope, Row& row) {
  ClosedOperand below = lazy(rest, scope, row);
  if (count >= kNatEnd) return lost();
  if (below.slot == kConstant && tag_of(below.cell) == kNatTag &&
      nat_of(below.cell) + count < kNatEnd)
    return constant(nat_cell(nat_of(below.cell) + count));
  ClosedOp& op = add_value(row, OpSort::kSucc);
  set_args(op, {below});
  op.count = count;
  return {static_cast<std::int32_t>(op.dst), 0};
}

ClosedOperand Coder::text(const std::string& text) {
  Cell* made = heap_.make_static(3);
  made[0] = header(CellShape::kText, 2);
  made[1] = cell_of(&text);
  made[2] = nat_cell(0);
  return constant(cell_of(made));
}

// ---- functions and thunks -------------------------------------------------

ClosedOperand Coder::lambda(const Term* t, const Bind* scope, Row& row) {
  std::vector<const Bind*> taken = scopes_.taken(t, scope);
  Operands args;
  for (const Bind* bind : taken) args.push_back(lazy_taken(bind, scope));
  if (args.size() >= kMaxSize) return lost();
  ClosedFn* fn = functions_.lambda(t, scope, std::move(taken));
  CellShape shape = fn->params > 0 ? CellShape::kFun : CellShape::kThunk;
  return object(header(shape, args.size() + 1), fn, args, row);
}

ClosedOperand Coder::thunk(const Term* t, const Bind* scope, Row& row) {
  std::vector<const Bind*> taken = scopes_.taken(t, scope);
  Operands args;
  for (const Bind* bind : taken) args.push_back(lazy_taken(bind, scope));
  if (args.size() >= kMaxSize) return lost();
  ClosedFn* fn = functions_.body(t, scope, std::move(taken));
  return object(header(CellShape::kThunk, args.size() + 1), fn, args, row);
}

// Where the frame at hand has a variable that `taken` found.
ClosedOperand Coder::lazy_taken(const Bind* bind, const Bind* scope) {
  const Bind* edge = scope;
  while (edge && edge->sort != BindSort::kEdge && edge != bind) edge = edge->up;
  if (!edge || edge == bind) return {static_cast<std::int32_t>(bind->slot), 0};
  auto at = std::find(edge->taken.begin(), edge->taken.end(), bind);
  return {static_cast<std::int32_t>(at - edge->taken.begin()), 0};
}

ClosedOperand Coder::lazy_call(const Term* t, const Bind* scope, Row& row) {
  Callee callee = functions_.callee(t, scope);
  if (callee.lost) return lost();
  if (!callee.known()) {
    if (callee.args.empty()) return lazy(callee.head, scope, row);
    return thunk(t, scope, row);
  }
  if (!callee.full()) {
    Operands args;
    for (const Term* arg : callee.args) args.push_back(lazy(arg, scope, row));
    if (args.size() >= kMaxSize) return lost();
    return object(header(CellShape::kFun, args.size() + 1), callee.fn, args,
                  row);
  }
  if (callee.params() == 0 && callee.args.empty()) return global(callee.fn);
  if (callee.args.size() != callee.params()) return thunk(t, scope, row);
  if (!callee.prim) {
    bool simple = true;
    for (const Term* arg : callee.args) simple &= is_simple(arg, scope);
    return simple ? lazy_known(callee, scope, row) : thunk(t, scope, row);
  }
  Operands args;
  for (const Term* arg : callee.args) args.push_back(lazy(arg, scope, row));
  ClosedOp& op = add_value(row, OpSort::kPrimNow);
  set_args(op, args);
  op.prim = callee.prim;
  return {static_cast<std::int32_t>(op.dst), 0};
}

// Does a lazy value of it cost next to nothing?
bool Coder::is_simple(const Term* t, const Bind* scope) {
  t = plain(t);
  if (t->kind == TermKind::kSucc) return is_simple(t->kids[0], scope);
  if (t->kind != TermKind::kApp)
    return t->kind == TermKind::kVar || t->kind == TermKind::kU32 ||
           t->kind == TermKind::kF32 || t->kind == TermKind::kChar ||
           t->kind == TermKind::kNat || is_type(t->kind);
  if (t->kids[0]->kind != TermKind::kRef) return false;
  Callee callee = functions_.callee(t, scope);
  if (!callee.prim || callee.args.size() != callee.params()) return false;
  for (const Term* arg : callee.args)
    if (!is_simple(arg, scope)) return false;
  return true;
}

// A call that waits is a thunk of the function itself.
ClosedOperand Coder::lazy_known(const Callee& callee, const Bind* scope,
                                Row& row) {
  Operands args;
  for (const Term* arg : callee.args) args.push_back(lazy(arg, scope, row));
  if (args.size() >= kMaxSize) return lost();
  return object(header(CellShape::kThunk, args.size() + 1), callee.fn, args,
                row);
}

// The one thunk of a function without parameters.
ClosedOperand Coder::global(ClosedFn* fn) {
  if (fn->global == 0) {
    Cell* made = heap_.make_static(2);
    made[0] = header(CellShape::kThunk, 1);
    made[1] = cell_of(fn);
    fn->global = cell_of(made);
  }
  return constant(fn->global);
}

ClosedOperand Coder::known(KnownArg* known) {
  if (known->cell != 0) return constant(known->cell);
  if (known->fn) {
    Cell* made = heap_.make_static(2);
    made[0] = header(CellShape::kFun, 1);
    made[1] = cell_of(known->fn);
    known->cell = cell_of(made);
  } else {
    known->cell = global(functions_.body(known->term, known->scope, {})).cell;
  }
  return constant(known->cell);
}

}  // namespace tine::closed
