// Literals and constructors.
//
// Nat, Char and String literals are statements of their own; `1n+e` is
// nat.succ, `Chr{n}` is char.from_u32. All other constructors are makes. A
// chain of constructors along the last field (a list literal) is written
// without nesting.
#include "compiler/book/lower_natives.h"
#include "compiler/book/lower_rules.h"

namespace tine {

using core::Term;
using core::TermKind;
using core::Value;
using core::ValueKind;
using EntryKind = ScopeEntry::Kind;

namespace {

constexpr std::uint64_t kNatLimit = std::uint64_t{1} << 48;

// The last field that makes code, or the number of fields.
std::size_t last_live(const core::CtorInfo& ctor) {
  std::size_t at = ctor.fields.size();
  for (std::size_t i = 0; i < ctor.fields.size(); i++) {
    if (ctor.fields[i].mark != Mark::kErased) at = i;
  }
  return at;
}

}  // namespace

Value* RuleLowering::data_type(core::Data data) {
  Value*& type = data_types_[core::index(data)];
  if (!type) type = types_.data_value(data, {});
  return type;
}

// A word for a value that nobody can look at: a type or a proof.
Wire RuleLowering::dummy(bool tail) {
  Stmt stmt;
  stmt.op = Op::kU32;
  return emit(std::move(stmt), kTypeAny, tail);
}

Lowered RuleLowering::literal(Op op, std::uint64_t num, TypeId type,
                              core::Data data, bool tail) {
  Stmt stmt;
  stmt.op = op;
  stmt.num = num;
  return {emit(std::move(stmt), type, tail), data_type(data)};
}

Lowered RuleLowering::lower_string(const Term* term, bool tail) {
  Value* type = data_type(theory_.ids().string);
  Stmt stmt;
  stmt.op = Op::kString;
  stmt.text = term->text;
  return {emit(std::move(stmt), type_of(type), tail), type};
}

// k successors of what a chain of them ends in.
Lowered RuleLowering::lower_succ(const Term* term, bool tail) {
  const core::BaseIds& ids = theory_.ids();
  std::uint64_t k = 0;
  for (;;) {
    if (term->kind == TermKind::kSucc) {
      k += term->num;
    } else if (term->kind == TermKind::kCtor && term->ctor == ids.succ) {
      k++;
    } else {
      break;
    }
    term = term->kids[0];
  }
  std::uint64_t base = term->kind == TermKind::kNat ? term->num : 0;
  bool zero = term->kind == TermKind::kCtor && term->ctor == ids.zero;
  if ((zero || term->kind == TermKind::kNat) && base + k < kNatLimit) {
    return literal(Op::kNat, base + k, kTypeNat, ids.nat, tail);
  }
  return add_nat(lower(term, data_type(ids.nat), false).wire, k, tail);
}

Lowered RuleLowering::add_nat(Wire wire, std::uint64_t k, bool tail) {
  Stmt stmt;
  stmt.op = Op::kPrim;
  stmt.prim = k == 1 ? Prim::kNatSucc : Prim::kNatAdd;
  stmt.ins = {wire};
  core::Data nat = theory_.ids().nat;
  if (k != 1) {
    stmt.ins.push_back(literal(Op::kNat, k, kTypeNat, nat, false).wire);
  }
  return {emit(std::move(stmt), kTypeNat, tail), data_type(nat)};
}

// The constructor of fields that are wires already.
Wire RuleLowering::make(core::Ctor ctor, std::vector<Wire> fields, Value* type,
                        bool tail) {
  const core::BaseIds& ids = theory_.ids();
  if (ctor == ids.zero) {
    return literal(Op::kNat, 0, kTypeNat, ids.nat, tail).wire;
  }
  if (ctor == ids.succ) return add_nat(fields[0], 1, tail).wire;
  if (is_word_of(ctor)) return make_word(ctor, fields[0], tail);
  Stmt stmt;
  stmt.ins = std::move(fields);
  if (ctor == ids.chr_of) {
    stmt.op = Op::kPrim;
    stmt.prim = Prim::kCharFromU32;
    return emit(std::move(stmt), kTypeChar, tail);
  }
  stmt.op = Op::kMake;
  stmt.ctor = types_.ctor(ctor);
  return emit(std::move(stmt), type_of(type), tail);
}

const core::Env* RuleLowering::data_env(core::Data data, Value* type,
                                        std::vector<Value*>& args) {
  std::size_t n = globals_.data(data).params.size();
  Value* at = type ? theory_.whnf(type) : nullptr;
  bool known = at && at->kind == ValueKind::kData && at->data == data &&
               at->args.size() == n;
  args.clear();
  const core::Env* env = nullptr;
  for (std::size_t i = 0; i < n; i++) {
    args.push_back(known ? at->args[i] : types_.fresh());
    env = theory_.push(env, args.back());
  }
  return env;
}

Lowered RuleLowering::lower_ctor(const Term* term, Value* goal, bool tail) {
  const core::BaseIds& ids = theory_.ids();
  if (term->ctor == ids.zero || term->ctor == ids.succ) {
    return lower_succ(term, tail);
  }
  return lower_chain(term, goal, tail);
}

// Constructors nested in each other's last live field, outermost first.
Lowered RuleLowering::lower_chain(const Term* term, Value* goal, bool tail) {
  struct Level {
    core::Ctor ctor;
    Value* type;
    std::vector<Wire> fields;
  };
  ScopeMark outer = mark();
  std::vector<Level> levels;
  for (const Term* next = term; next;) {
    Level& level = levels.emplace_back(Level{next->ctor, goal, {}});
    next = lower_fields(next, level.type, level.fields, goal);
  }
  Wire wire = Wire::kOut;
  Value* type = levels.front().type;
  for (std::size_t i = levels.size(); i-- > 0;) {
    if (i + 1 < levels.size()) levels[i].fields.push_back(wire);
    wire = make(levels[i].ctor, std::move(levels[i].fields), levels[i].type,
                tail && i == 0);
  }
  leave(outer);
  return {wire, type};
}

// Writes the fields of one constructor. When the last one is a constructor
// again, it is left to the caller: returned, with its type in `goal`. `type`
// becomes the constructor's type where it was not known.
const Term* RuleLowering::lower_fields(const Term* term, Value*& type,
                                       std::vector<Wire>& wires, Value*& goal) {
  const core::CtorInfo& ctor = globals_.ctor(term->ctor);
  bool known = type && theory_.whnf(type)->kind == ValueKind::kData;
  std::vector<Value*> args;
  const core::Env* env = data_env(ctor.data, type, args);
  std::size_t last = last_live(ctor);
  for (std::size_t i = 0; i < ctor.fields.size(); i++) {
    const Term* kid = term->kids[i];
    Value* wanted = theory_.eval(ctor.fields[i].type, env);
    env = theory_.push(env, eval(kid));
    if (ctor.fields[i].mark == Mark::kErased) continue;
    if (known && i == last && is_plain_ctor(kid)) {
      goal = wanted;
      return kid;
    }
    wires.push_back(lower_field(kid, wanted, known));
  }
  if (known) return nullptr;
  for (Value*& arg : args) {
    Value* found =
        arg->kind == ValueKind::kVar ? theory_.solution(arg->level) : nullptr;
    if (found) arg = found;
  }
  type = types_.data_value(ctor.data, args);
  return nullptr;
}

bool RuleLowering::is_plain_ctor(const Term* term) const {
  const core::BaseIds& ids = theory_.ids();
  return term->kind == TermKind::kCtor && term->ctor != ids.zero &&
         term->ctor != ids.succ;
}

// One field. Where the type of the whole is not known, a field whose type is
// a parameter decides it.
Wire RuleLowering::lower_field(const Term* term, Value* wanted, bool known) {
  if (known) return lower(term, wanted, false).wire;
  Value* at = theory_.whnf(wanted);
  bool open = LowerTypes::is_variable(at) && !theory_.solution(at->level);
  Lowered made = lower(term, open ? nullptr : wanted, false);
  if (open && made.type) {
    theory_.solve(at->level, made.type);
    solved_.push_back(at->level);
  }
  return made.wire;
}

}  // namespace tine
