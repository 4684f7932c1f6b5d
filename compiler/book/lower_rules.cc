#include "compiler/book/lower_rules.h"

#include <algorithm>

#include "compiler/book/lower_natives.h"

namespace tine {

using core::Term;
using core::TermKind;
using core::Value;
using core::ValueKind;
using EntryKind = ScopeEntry::Kind;

// ---- scope ------------------------------------------------------------------

RuleLowering::ScopeMark RuleLowering::mark() const {
  return {scope_.size(), trail_.size(), solved_.size(), env_};
}

void RuleLowering::leave(const ScopeMark& mark) {
  while (solved_.size() > mark.solved) {
    theory_.unsolve(solved_.back());
    solved_.pop_back();
  }
  while (trail_.size() > mark.trail) {
    scope_[trail_.back().first] = trail_.back().second;
    trail_.pop_back();
  }
  scope_.resize(mark.entries);
  env_ = mark.env;
}

void RuleLowering::push(ScopeEntry entry) {
  if (!entry.value) entry.value = types_.fresh();
  if (!entry.type) entry.type = types_.unknown();
  env_ = theory_.push(env_, entry.value);
  scope_.push_back(entry);
}

void RuleLowering::push_wire(Wire wire, Value* type, Value* value,
                             const std::string* name) {
  ScopeEntry entry;
  entry.kind = EntryKind::kWire;
  entry.type = type;
  entry.value = value;
  entry.name = name;
  entry.owner = function_;
  entry.wire = wire;
  push(entry);
}

std::uint32_t RuleLowering::position(const Term* var) const {
  return static_cast<std::uint32_t>(scope_.size() - 1 - var->num);
}

// Changes what a variable is until the scope is left.
void RuleLowering::replace(std::uint32_t at, const ScopeEntry& entry) {
  trail_.emplace_back(at, scope_[at]);
  scope_[at] = entry;
}

// The term's value, of which nothing is worked out before it is asked for:
// each part of a large term is evaluated on the way, so that evaluating a
// constructor with all its fields at once would cost the square of its size.
Value* RuleLowering::eval(const Term* term) {
  bool large = term->kind == TermKind::kApp || term->kind == TermKind::kCtor ||
               term->kind == TermKind::kSucc;
  if (!large) return theory_.eval(term, env_);
  Value* thunk = theory_.make(ValueKind::kThunk);
  thunk->term = term;
  thunk->env = env_;
  return thunk;
}

TypeId RuleLowering::type_of(Value* type) {
  TypeId made = type ? types_.of(type) : kTypeAny;
  if (closed_ && types_.has_open_array(made)) {
    report(Msg::kArrayElementOpen, here_);
  }
  return made;
}

// Instances of one def would say the same at the same place, and an open
// array is met at every use.
void RuleLowering::report(Msg msg, Span span, std::vector<std::string> args) {
  bool once = msg == Msg::kArrayElementOpen;
  std::uint32_t place = once ? core::index(self_) : span.begin;
  if (!reported_.emplace(msg, span.file, place).second) return;
  sink_.report(msg, span, std::move(args)).where = globals_.def(self_).shown;
}

// ---- statements -------------------------------------------------------------

Wire RuleLowering::new_wire(TypeId type, std::string name) {
  std::vector<WireRow>& wires = function_->rule.wires;
  if (name == "_") name.clear();
  wires.push_back(WireRow{std::move(name), type});
  return static_cast<Wire>(wires.size() - 1);
}

Wire RuleLowering::emit(Stmt stmt, TypeId type, bool tail) {
  Wire out = tail ? Wire::kOut : new_wire(type, "");
  stmt.outs = {out};
  function_->block->push_back(std::move(stmt));
  return out;
}

// A wire that was made for a let takes its name.
void RuleLowering::name_wire(Wire wire, const std::string& name) {
  if (wire == Wire::kOut) return;
  WireRow& row = function_->rule.wires[index(wire)];
  if (row.name.empty() && name != "_") row.name = name;
}

// Ends a rule with a wire that exists already.
Lowered RuleLowering::result(Wire wire, Value* type, bool tail) {
  if (!tail) return {wire, type};
  Stmt move;
  move.op = Op::kMove;
  move.ins = {wire};
  return {emit(std::move(move), kTypeAny, true), type};
}

// The wire for one use of a variable in the function at hand.
Wire RuleLowering::use(std::uint32_t at) {
  const ScopeEntry entry = scope_[at];
  switch (entry.kind) {
    case EntryKind::kErased:
      return dummy(false);
    case EntryKind::kWire:
      return entry.owner == function_ ? entry.wire : capture(*function_, at);
    case EntryKind::kLiteral:
      return lower(entry.term, entry.type, false).wire;
    case EntryKind::kClosed: {
      ScopeMark outer = mark();
      env_ = nullptr;
      lets_.scan(entry.term);
      Wire wire = lower(entry.term, entry.type, false).wire;
      leave(outer);
      return wire;
    }
    case EntryKind::kRebuilt:
      break;
  }
  Wire wire = rebuild(entry);
  if (entry.name) name_wire(wire, *entry.name);
  // Later uses in this scope share the value.
  ScopeEntry whole = entry;
  whole.kind = EntryKind::kWire;
  whole.owner = function_;
  whole.wire = wire;
  replace(at, whole);
  return wire;
}

Wire RuleLowering::rebuild(const ScopeEntry& entry) {
  if (entry.ctor == theory_.ids().succ) {
    // What was peeled by many matches gets its successors at once.
    std::uint64_t k = 1;
    std::uint32_t at = entry.first;
    for (; scope_[at].kind == EntryKind::kRebuilt &&
           scope_[at].ctor == entry.ctor; ++k) {
      at = scope_[at].first;
    }
    return add_nat(use(at), k, false).wire;
  }
  std::vector<Wire> fields;
  const std::vector<core::FieldInfo>& infos = globals_.ctor(entry.ctor).fields;
  for (std::uint32_t i = 0; i < infos.size(); i++) {
    if (infos[i].mark != Mark::kErased) fields.push_back(use(entry.first + i));
  }
  return make(entry.ctor, std::move(fields), entry.type, false);
}

Wire RuleLowering::capture(Function& function, std::uint32_t at) {
  auto it = function.captured.find(at);
  if (it != function.captured.end()) return it->second;
  const ScopeEntry& entry = scope_[at];
  Wire wire = new_wire(entry.owner->rule.wires[index(entry.wire)].type,
                       entry.name ? *entry.name : "");
  function.captures.emplace_back(at, wire);
  function.captured.emplace(at, wire);
  return wire;
}

// ---- functions --------------------------------------------------------------

void RuleLowering::begin(Function& function, DefId id) {
  function.parent = function_;
  function.id = id;
  function.block = &function.rule.block;
  function_ = &function;
}

void RuleLowering::finish(Function& function, TypeId result) {
  for (const auto& [at, wire] : function.captures) {
    function.rule.params.push_back(wire);
  }
  function.rule.params.insert(function.rule.params.end(),
                              function.params.begin(), function.params.end());
  DefRow& row = book_.def(function.id);
  row.result = result;
  row.defined = true;
  make_linear(function.rule, book_, types_, row);
  function_ = function.parent;
}

// What a finished function captured, as wires of the one around it.
std::vector<Wire> RuleLowering::use_captures(const Function& function) {
  std::vector<Wire> wires;
  for (const auto& capture : function.captures) {
    wires.push_back(use(capture.first));
  }
  return wires;
}

DefId RuleLowering::child_def(const char* kind, Span span) {
  std::uint32_t& count = kind[0] == 'f' ? lambdas_ : joins_;
  std::string name = root_ + "." + kind + std::to_string(++count);
  return instances_.add_row(name, self_, span);
}

// A definition of the lowering's own, of one parameter and result Any, without
// its body. No def of a program can have its name.
DefId RuleLowering::helper(const char* name, TypeId param) {
  DefId id = instances_.add_row("the " + std::string(name), self_, Span{});
  DefRow& row = book_.def(id);
  row.origin = row.name;
  row.params = 1;
  row.result = kTypeAny;
  row.wires = {WireRow{"x", param}};
  row.defined = true;
  return id;
}

void RuleLowering::lower(const Instance& instance) {
  root_ = book_.def(instance.id).name;
  self_ = instance.def;
  here_ = globals_.def(self_).span;
  lambdas_ = joins_ = 0;
  Function function;
  begin(function, instance.id);
  scope_ = instance.scope;
  env_ = instance.env;
  for (ScopeEntry& entry : scope_) {
    if (entry.kind != EntryKind::kWire) continue;
    entry.owner = &function;
    entry.wire = new_wire(type_of(entry.type), entry.name ? *entry.name : "");
    function.params.push_back(entry.wire);
  }
  if (instance.body && types_.is_family_kind(instance.result)) {
    dummy(true);  // a type: nobody can look at it, and it may match the erased
  } else if (instance.body) {
    lets_.scan(instance.body);
    lower(instance.body, instance.result, true);
  } else {
    lower_native(instance);
  }
  finish(function, type_of(instance.result));
  scope_.clear();
}

// The body of a primitive or an effect that is used as a function.
void RuleLowering::lower_native(const Instance& instance) {
  const core::DefInfo& def = globals_.def(instance.def);
  Stmt stmt;
  stmt.ins = function_->params;
  stmt.prim = native_prim(def);
  stmt.effect = native_effect(def);
  if (stmt.prim != Prim::kCount) {
    stmt.op = Op::kPrim;
    types_.declare_signature(prim_row(stmt.prim).signature);
    if (is_generic(stmt.prim)) stmt.type = instance.types.at(0);
  } else {  // an open law of a program is refused before
    stmt.op = Op::kEffect;
    types_.declare_signature(effect_row(stmt.effect).signature);
  }
  emit(std::move(stmt), kTypeAny, true);
}

// ---- terms ------------------------------------------------------------------

Lowered RuleLowering::lower(const Term* term, Value* goal, bool tail) {
  ScopeMark outer = mark();
  Lowered made;
  while (term) {
    if (term->span.file != kNoFile) here_ = term->span;
    switch (term->kind) {
      case TermKind::kLet:
        bind_let(term);
        term = term->kids.back();
        break;
      case TermKind::kPar:
        bind_par(term);
        term = term->kids.back();
        break;
      case TermKind::kAnn:
        goal = eval(term->kids[1]);
        term = term->kids[0];
        break;
      case TermKind::kRewrite: {
        Value* whole = goal;
        goal = rewrite_goal(term, goal);
        term = term->kids[2];
        if (!changes_type(whole, goal)) break;
        made = retype(lower(term, goal, false).wire, whole, tail);
        term = nullptr;
        break;
      }
      case TermKind::kMatch:
        term = open_match(term, goal, tail, made);
        break;
      default:
        made = lower_leaf(term, goal, tail);
        term = nullptr;
    }
  }
  leave(outer);
  return made;
}

Lowered RuleLowering::lower_leaf(const Term* term, Value* goal, bool tail) {
  const core::BaseIds& ids = theory_.ids();
  switch (term->kind) {
    case TermKind::kVar: {
      std::uint32_t at = position(term);
      if (scope_[at].kind == EntryKind::kClosed) return lower_call(term, tail);
      Value* type = scope_[at].type;
      return result(use(at), type, tail);
    }
    case TermKind::kRef:
    case TermKind::kApp:
      return lower_call(term, tail);
    case TermKind::kLam:
      return lower_lambda(term, goal, tail);
    case TermKind::kCtor:
      return lower_ctor(term, goal, tail);
    case TermKind::kU32:
      return literal(Op::kU32, term->num, kTypeU32, ids.u32, tail);
    case TermKind::kF32:
      return literal(Op::kF32, term->num, kTypeF32, ids.f32, tail);
    case TermKind::kChar:
      return literal(Op::kChar, term->num, kTypeChar, ids.chr, tail);
    case TermKind::kNat:
      return literal(Op::kNat, term->num, kTypeNat, ids.nat, tail);
    case TermKind::kSucc:
      return lower_succ(term, tail);
    case TermKind::kString:
      return lower_string(term, tail);
    default:  // a type or a proof: nobody can look at it
      return {dummy(tail), goal ? goal : types_.unknown()};
  }
}

// The goal of a rewrite's body: the motive at the left side.
Value* RuleLowering::rewrite_goal(const Term* term, Value* goal) {
  Value* equation = infer(term->kids[0]);
  if (!equation) return goal;
  equation = theory_.whnf(equation);
  if (equation->kind != ValueKind::kEqual) return goal;
  Value* made = theory_.apply(eval(term->kids[1]), equation->args[0]);
  if (term->num == 0) return made;
  return theory_.apply(made, theory_.make(ValueKind::kRefl));
}

// True when an equation turns one book type into another, which only code
// that never runs can do.
bool RuleLowering::changes_type(Value* whole, Value* inner) {
  if (!whole || !inner || whole == inner) return false;
  TypeId a = type_of(whole), b = type_of(inner);
  return a != b && a != kTypeAny && b != kTypeAny;
}

// The wire as a value of another type: it goes through a def on Any.
Lowered RuleLowering::retype(Wire wire, Value* type, bool tail) {
  if (retype_ == DefId::kNone) {
    retype_ = helper("retype", kTypeAny);
    Stmt move;
    move.op = Op::kMove;
    move.ins = {Wire{0}};
    move.outs = {Wire::kOut};
    book_.def(retype_).block.push_back(std::move(move));
  }
  Stmt call;
  call.op = Op::kCall;
  call.def = retype_;
  call.ins = {wire};
  return {emit(std::move(call), type_of(type), tail), type};
}

// The type of a term that makes no code; null where it takes a goal to know.
Value* RuleLowering::infer(const Term* term) {
  switch (term->kind) {
    case TermKind::kVar:
      return scope_[position(term)].type;
    case TermKind::kRef:
      return theory_.eval(globals_.def(term->def).type, nullptr);
    case TermKind::kAnn:
      return eval(term->kids[1]);
    case TermKind::kApp: {
      Value* type = infer(term->kids[0]);
      for (std::size_t i = 1; type && i < term->kids.size(); i++) {
        type = theory_.whnf(type);
        if (type->kind != ValueKind::kPi) return nullptr;
        type = theory_.instantiate(type, eval(term->kids[i]));
      }
      return type;
    }
    default:
      return nullptr;
  }
}

}  // namespace tine
