// Matches and destructurings.
//
// A match consumes its scrutinee; an arm binds the live fields. In the arm
// the matched name stands for the constructor, which is rebuilt from the
// fields where the name is used. A type with one constructor is taken apart
// in place (`a, x = take Tuple r`), any other match ends its rule; where one
// stands elsewhere it becomes a rule of its own.
//
//   match n:                     match n
//     case 0n: f(x)                0n: out = call f x
//     case 1n+p: g(n, x)           1n+p: n = nat.succ p
//                                        out = call g n x
#include <algorithm>

#include "compiler/book/lower_rules.h"

namespace tine {

using core::Term;
using core::TermArm;
using core::TermKind;
using core::Value;
using core::ValueKind;
using EntryKind = ScopeEntry::Kind;

// Gives the body that goes on in the same rule, or null when all is written
// and `made` is the value.
const Term* RuleLowering::open_match(const Term* term, Value* goal, bool tail,
                                     Lowered& made) {
  std::uint32_t at = position(term->kids[0]);
  const Term* next = nullptr;
  if (scope_[at].kind == EntryKind::kRebuilt) next = open_known(term, at);
  if (scope_[at].kind == EntryKind::kClosed) next = open_closed(term, at);
  if (next) return next;
  settle(at);
  next = open_only(term, at);
  if (next) return next;
  made = tail ? put_match(term, goal, at) : lift_match(term, goal);
  return nullptr;
}

// Makes the scrutinee a wire, whatever it was.
void RuleLowering::settle(std::uint32_t at) {
  if (scope_[at].kind == EntryKind::kWire) return;
  ScopeEntry entry = scope_[at];
  entry.wire = use(at);
  entry.owner = function_;
  entry.kind = EntryKind::kWire;
  replace(at, entry);
}

// A match on a variable that an outer match has opened already.
const Term* RuleLowering::open_known(const Term* term, std::uint32_t at) {
  const ScopeEntry entry = scope_[at];
  for (const TermArm& arm : term->arms) {
    if (arm.kind == core::ArmKind::kElse) return arm.body;
    if (arm.kind == core::ArmKind::kLiteral) return nullptr;
    if (arm.ctor != entry.ctor) continue;
    for (std::uint32_t i = 0; i < arm.binds.size(); i++) {
      ScopeEntry field = scope_[entry.first + i];
      field.name = &arm.binds[i].text;
      push(field);
    }
    return arm.body;
  }
  return nullptr;
}

// A match on a template argument is decided here.
const Term* RuleLowering::open_closed(const Term* term, std::uint32_t at) {
  const ScopeEntry entry = scope_[at];
  Value* value = theory_.whnf(theory_.eval(entry.term, nullptr));
  core::Ctor ctor = core::Ctor::kNone;
  std::vector<Value*> fields;
  bool built = theory_.as_ctor(value, ctor, fields);
  for (const TermArm& arm : term->arms) {
    if (arm.kind == core::ArmKind::kElse) return arm.body;
    if (arm.kind == core::ArmKind::kLiteral) {
      bool word =
          value->kind == ValueKind::kU32 || value->kind == ValueKind::kF32 ||
          value->kind == ValueKind::kChar || value->kind == ValueKind::kNat;
      if (!word) return nullptr;
      bool big = value->kind == ValueKind::kNat && value->big != nullptr;
      if (!big && value->num == arm.num) return arm.body;
      continue;
    }
    if (!built) return nullptr;
    if (arm.ctor == ctor) {
      bind_closed(arm, entry, fields);
      return arm.body;
    }
  }
  return nullptr;
}

void RuleLowering::bind_closed(const TermArm& arm, const ScopeEntry& entry,
                               const std::vector<Value*>& fields) {
  const core::CtorInfo& ctor = globals_.ctor(arm.ctor);
  std::vector<Value*> args;
  const core::Env* env = data_env(ctor.data, entry.type, args);
  for (std::size_t i = 0; i < arm.binds.size(); i++) {
    ScopeEntry field;
    field.kind = EntryKind::kClosed;
    field.type = theory_.eval(ctor.fields[i].type, env);
    field.value = fields[i];
    field.name = &arm.binds[i].text;
    field.term = theory_.quote(fields[i], 0, false);
    env = theory_.push(env, fields[i]);
    push(field);
  }
}

// A match that has only one way to go stays in its rule.
const Term* RuleLowering::open_only(const Term* term, std::uint32_t at) {
  if (term->arms.empty()) return nullptr;
  const TermArm& arm = term->arms[0];
  if (arm.kind == core::ArmKind::kElse) return arm.body;
  if (arm.kind != core::ArmKind::kCtor) return nullptr;
  const core::BaseIds& ids = theory_.ids();
  core::Data data = globals_.ctor(arm.ctor).data;
  bool only = globals_.data(data).ctors.size() == 1;
  if (!only || data == ids.nat || data == ids.array) return nullptr;
  if (is_word_of(arm.ctor)) {
    bind_bits(arm, at);
    return arm.body;
  }
  Stmt take;
  take.ins = {use(at)};
  if (arm.ctor == ids.chr_of) {
    take.op = Op::kPrim;
    take.prim = Prim::kCharToU32;
  } else {
    take.op = Op::kTake;
    take.ctor = types_.ctor(arm.ctor);
  }
  bind_fields(arm, at, take.outs);
  function_->block->push_back(std::move(take));
  return arm.body;
}

// Binds the fields of a constructor: live ones to new wires, which are added
// to `wires`. From here on the scrutinee is that constructor.
void RuleLowering::bind_fields(const TermArm& arm, std::uint32_t at,
                               std::vector<Wire>& wires) {
  const core::CtorInfo& ctor = globals_.ctor(arm.ctor);
  ScopeEntry whole = scope_[at];
  std::vector<Value*> args, fields;
  const core::Env* env = data_env(ctor.data, whole.type, args);
  auto first = static_cast<std::uint32_t>(scope_.size());
  for (std::size_t i = 0; i < arm.binds.size(); i++) {
    const std::string& name = arm.binds[i].text;
    Value* type = theory_.eval(ctor.fields[i].type, env);
    Value* value = types_.fresh();
    if (ctor.fields[i].mark == Mark::kErased) {
      bind_dead(name, type, value);
    } else {
      wires.push_back(new_wire(type_of(type), name));
      push_wire(wires.back(), type, value, &name);
    }
    fields.push_back(value);
    env = theory_.push(env, value);
  }
  Value* value = whole.value;
  bool open = LowerTypes::is_variable(value) && !theory_.solution(value->level);
  if (open) {
    theory_.solve(value->level, theory_.ctor(arm.ctor, fields));
    solved_.push_back(value->level);
  }
  whole.kind = EntryKind::kRebuilt;
  whole.ctor = arm.ctor;
  whole.first = first;
  replace(at, whole);
}

// ---- words as lists of bits -------------------------------------------------

// U32{..} or F32{..}: a word seen as its bits.
bool RuleLowering::is_word_of(core::Ctor ctor) const {
  return ctor == theory_.ids().u32_of || ctor == theory_.ids().f32_of;
}

// A call of one of the two functions of Base between words and bits.
Stmt RuleLowering::call_bits(const char* name, Wire word) {
  InstanceRequest request;
  request.def = globals_.find_def(name);
  Stmt call;
  call.op = Op::kCall;
  call.def = instances_.get(std::move(request)).id;
  core::Data nat = theory_.ids().nat;
  call.ins = {literal(Op::kNat, 32, kTypeNat, nat, false).wire, word};
  return call;
}

Wire RuleLowering::convert_word(Prim prim, Wire word, bool tail) {
  Stmt stmt;
  stmt.op = Op::kPrim;
  stmt.prim = prim;
  stmt.ins = {word};
  return emit(std::move(stmt),
              prim == Prim::kF32Make ? kTypeF32 : kTypeU32, tail);
}

// The scrutinee's bits become the field of its pattern.
void RuleLowering::bind_bits(const TermArm& arm, std::uint32_t at) {
  Wire word = use(at);
  if (arm.ctor == theory_.ids().f32_of) {
    word = convert_word(Prim::kF32Take, word, false);
  }
  Stmt call = call_bits("Word.of_u32", word);
  bind_fields(arm, at, call.outs);
  function_->block->push_back(std::move(call));
}

Wire RuleLowering::make_word(core::Ctor ctor, Wire bits, bool tail) {
  Stmt call = call_bits("Word.to_u32", bits);
  bool is_float = ctor == theory_.ids().f32_of;
  Wire word = emit(std::move(call), kTypeU32, tail && !is_float);
  return is_float ? convert_word(Prim::kF32Make, word, tail) : word;
}

// ---- matches that end a rule ------------------------------------------------

namespace {

Op literal_op(TypeId type) {
  if (type == kTypeNat) return Op::kNat;
  if (type == kTypeChar) return Op::kChar;
  return type == kTypeF32 ? Op::kF32 : Op::kU32;
}

}  // namespace

Lowered RuleLowering::put_match(const Term* term, Value* goal,
                                std::uint32_t at) {
  std::vector<const TermArm*> arms = reachable(term);
  if (arms.empty()) {
    call_never();
    return {Wire::kOut, goal ? goal : types_.unknown()};
  }
  Stmt match;
  match.op = Op::kMatch;
  match.ins = {use(at)};
  Lowered made;
  for (const TermArm* arm : arms) {
    ScopeMark outer = mark();
    Arm branch;
    Block* block = std::exchange(function_->block, &branch.block);
    bind_arm(*arm, at, branch);
    Lowered value = lower(arm->body, goal, true);
    if (!made.type) made = value;
    function_->block = block;
    leave(outer);
    match.arms.push_back(std::move(branch));
  }
  if (misses_some(arms)) match.arms.push_back(never_arm(at));
  function_->block->push_back(std::move(match));
  if (goal || !made.type) made.type = goal ? goal : types_.unknown();
  return made;
}

// The arms that can be taken: none after all constructors are there.
std::vector<const TermArm*> RuleLowering::reachable(const Term* term) const {
  std::vector<const TermArm*> arms;
  std::size_t ctors = 0;
  for (const TermArm& arm : term->arms) {
    if (!arm.body) continue;
    if (ctors > 0 && arm.kind != core::ArmKind::kCtor) {
      core::Data data = globals_.ctor(arms.back()->ctor).data;
      if (ctors == globals_.data(data).ctors.size()) break;
    }
    arms.push_back(&arm);
    if (arm.kind == core::ArmKind::kCtor) ctors++;
    if (arm.kind == core::ArmKind::kElse) break;
  }
  return arms;
}

// True when the type has constructors that the arms leave out, because an
// outer match took them away.
bool RuleLowering::misses_some(const std::vector<const TermArm*>& arms) const {
  if (arms.empty() || arms.back()->kind != core::ArmKind::kCtor) return false;
  core::Data data = globals_.ctor(arms.back()->ctor).data;
  return arms.size() < globals_.data(data).ctors.size();
}

void RuleLowering::bind_arm(const TermArm& arm, std::uint32_t at, Arm& branch) {
  const core::BaseIds& ids = theory_.ids();
  if (arm.kind == core::ArmKind::kElse) {
    branch.kind = ArmKind::kElse;
    rebind(at, branch);
    return;
  }
  if (arm.kind == core::ArmKind::kLiteral) {
    bool zero = arm.num == 0 && type_of(scope_[at].type) == kTypeNat;
    branch.kind = zero ? ArmKind::kZero : ArmKind::kLiteral;
    branch.value = zero ? 0 : arm.num;
    bind_literal(arm, at);
    return;
  }
  if (is_word_of(arm.ctor)) {
    branch.kind = ArmKind::kElse;
    rebind(at, branch);
    return bind_bits(arm, at);
  }
  branch.kind = arm.ctor == ids.zero   ? ArmKind::kZero
                : arm.ctor == ids.succ ? ArmKind::kSucc
                                       : ArmKind::kCtor;
  if (branch.kind == ArmKind::kCtor) branch.ctor = types_.ctor(arm.ctor);
  bind_fields(arm, at, branch.binds);
}

// The scrutinee becomes the wire that a default arm binds.
void RuleLowering::rebind(std::uint32_t at, Arm& branch) {
  ScopeEntry whole = scope_[at];
  Wire wire = new_wire(type_of(whole.type), whole.name ? *whole.name : "");
  branch.binds = {wire};
  whole.owner = function_;
  whole.wire = wire;
  replace(at, whole);
}

void RuleLowering::bind_literal(const TermArm& arm, std::uint32_t at) {
  ScopeEntry whole = scope_[at];
  Op op = literal_op(type_of(whole.type));
  TermKind kind = op == Op::kNat    ? TermKind::kNat
                  : op == Op::kChar ? TermKind::kChar
                  : op == Op::kF32  ? TermKind::kF32
                                    : TermKind::kU32;
  Term* term = globals_.make(kind);
  term->num = arm.num;
  Value* value = whole.value;
  if (LowerTypes::is_variable(value) && !theory_.solution(value->level)) {
    theory_.solve(value->level, theory_.eval(term, nullptr));
    solved_.push_back(value->level);
  }
  whole.kind = EntryKind::kLiteral;
  whole.term = term;
  replace(at, whole);
}

// The arm for what an outer match has taken away.
Arm RuleLowering::never_arm(std::uint32_t at) {
  Arm arm;
  arm.kind = ArmKind::kElse;
  Block* block = std::exchange(function_->block, &arm.block);
  arm.binds = {new_wire(type_of(scope_[at].type), "")};
  call_never();
  function_->block = block;
  return arm;
}

// Ends a rule at a place that no value gets to: calls a def that matches on a
// type without values.
void RuleLowering::call_never() {
  Stmt call;
  call.op = Op::kCall;
  call.def = never();
  call.ins = {dummy(false)};
  emit(std::move(call), kTypeAny, true);
}

DefId RuleLowering::never() {
  if (never_ != DefId::kNone) return never_;
  never_ = helper("missing case", type_of(data_type(theory_.ids().empty)));
  Stmt match;
  match.op = Op::kMatch;
  match.ins = {Wire{0}};
  book_.def(never_).block.push_back(std::move(match));
  return never_;
}

// A match whose value is used: a rule of its own, called here.
Lowered RuleLowering::lift_match(const Term* term, Value* goal) {
  DefId id = child_def("m", term->span);
  Function inner;
  ScopeMark outer = mark();
  begin(inner, id);
  std::uint32_t at = position(term->kids[0]);
  Lowered made = put_match(term, goal, at);
  TypeId type = type_of(goal ? goal : made.type);
  leave(outer);
  finish(inner, type);
  Stmt call;
  call.op = Op::kCall;
  call.def = id;
  call.ins = use_captures(inner);
  return {emit(std::move(call), type, false), goal ? goal : made.type};
}

}  // namespace tine
