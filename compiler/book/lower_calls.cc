// Calls: what is called, with which arguments, and how.
//
// A call is planned first, which writes no code: the spine is taken apart,
// the head's type says which arguments live, the instance is found. Then its
// arguments are written left to right, and the call comes last, so that a
// parallel let can write all arguments before all calls.
//
//   arguments      code
//   exact          x = call f a b
//   more           g = call f a b    x = apply g c
//   fewer          x = closure f a
//   of a native    x = u32.add a b
//   of a closure   x = apply f a
//
// A template argument that is a lambda is opened in place.
#include <algorithm>

#include "compiler/book/lower_natives.h"
#include "compiler/book/lower_rules.h"

namespace tine {

using core::Term;
using core::TermKind;
using core::Value;
using core::ValueKind;
using EntryKind = ScopeEntry::Kind;

// ---- planning ---------------------------------------------------------------

RuleLowering::Spine RuleLowering::flatten(const Term* term) {
  Spine spine;
  spine.span = term->span;
  for (;;) {
    if (term->kind == TermKind::kApp) {
      spine.offload = spine.offload || term->bang;
      std::vector<const Term*> args(term->kids.begin() + 1, term->kids.end());
      std::vector<Mark> marks(term->marks.begin(), term->marks.end());
      marks.resize(args.size(), Mark::kPlain);
      args.insert(args.end(), spine.args.begin(), spine.args.end());
      marks.insert(marks.end(), spine.marks.begin(), spine.marks.end());
      spine.args = std::move(args);
      spine.marks = std::move(marks);
      spine.head_type = nullptr;
      term = term->kids[0];
    } else if (term->kind == TermKind::kAnn) {
      spine.head_type = eval(term->kids[1]);
      term = term->kids[0];
    } else if (term->kind == TermKind::kVar && !spine.closed_head &&
               scope_[position(term)].kind == EntryKind::kClosed) {
      const ScopeEntry& entry = scope_[position(term)];
      spine.head_type = entry.type;
      spine.closed_head = true;
      term = entry.term;
      lets_.scan(term);
    } else {
      break;
    }
  }
  spine.head = term;
  return spine;
}

RuleLowering::Plan RuleLowering::plan(const Term* term) {
  Plan made;
  made.spine = flatten(term);
  const Spine& spine = made.spine;
  if (spine.head->kind == TermKind::kRef) {
    plan_ref(made);
    return made;
  }
  made.type = spine.head_type;
  if (!made.type && spine.head->kind == TermKind::kVar && !spine.closed_head) {
    made.type = scope_[position(spine.head)].type;
  }
  bool lambda = spine.head->kind == TermKind::kLam && !spine.args.empty();
  made.target = lambda ? Target::kInline : Target::kValue;
  if (made.type || lambda) plan_args(made, 0);
  return made;
}

// Walks the type of what is called along the arguments from `from` on.
void RuleLowering::plan_args(Plan& plan, std::size_t from) {
  Value* type = plan.type;
  for (std::size_t i = from; i < plan.spine.args.size(); i++) {
    Arg arg;
    arg.term = plan.spine.args[i];
    arg.value = eval(arg.term);
    arg.live = plan.spine.marks[i] != Mark::kErased;
    Value* pi = type ? theory_.whnf(type) : nullptr;
    type = nullptr;
    if (pi && pi->kind == ValueKind::kPi) {
      arg.live = pi->mark != Mark::kErased;
      arg.type = pi->args[0];
      type = theory_.instantiate(pi, arg.value);
    }
    arg.after = type ? type : types_.unknown();
    if (arg.live) plan.live++;
    plan.args.push_back(arg);
  }
}

// Finds the instance that the arguments ask for.
void RuleLowering::plan_ref(Plan& plan) {
  const Spine& spine = plan.spine;
  core::Def callee = spine.head->def;
  const core::DefInfo& def = globals_.def(callee);
  const std::vector<ParamRole> roles = instances_.roles(callee);
  InstanceRequest request;
  request.def = callee;
  Value* type = theory_.eval(def.type, nullptr);
  for (std::size_t i = 0; i < def.templates; i++) {
    const Term* arg = i < spine.args.size() ? close(spine.args[i], 0)
                                            : globals_.make(TermKind::kHole);
    Value* value = theory_.eval(arg, nullptr);
    Value* pi = theory_.whnf(type);
    if (roles[i].family) {
      request.types.push_back(pi->kind == ValueKind::kPi
                                  ? types_.of_family(value, pi->args[0])
                                  : kTypeAny);
    }
    request.templates.push_back(arg);
    type = pi->kind == ValueKind::kPi ? theory_.instantiate(pi, value)
                                      : types_.unknown();
  }
  plan.type = type;
  plan_args(plan, def.templates);
  for (std::size_t i = def.templates; i < roles.size(); i++) {
    if (!roles[i].family) continue;
    std::size_t at = i - def.templates;
    bool given = at < plan.args.size() && plan.args[at].type != nullptr;
    request.types.push_back(
        given ? types_.of_family(plan.args[at].value, plan.args[at].type)
              : kTypeAny);
  }
  plan_target(plan, std::move(request), roles);
}

void RuleLowering::plan_target(Plan& plan, InstanceRequest request,
                               const std::vector<ParamRole>& roles) {
  const core::DefInfo& def = globals_.def(request.def);
  Prim prim = native_prim(def);
  bool native = prim != Prim::kCount;
  if (native) {
    auto live = [](const ParamRole& role) { return role.live; };
    plan.arity = static_cast<std::size_t>(
        std::count_if(roles.begin(), roles.end(), live));
    if (is_generic(prim)) plan.element = request.types.at(0);
  }
  if (native && plan.live >= plan.arity) {
    plan.target = Target::kPrim;
    plan.prim = prim;
    types_.declare_signature(prim_row(prim).signature);
    return;
  }
  if (instances_.too_nested(request)) {
    report(Msg::kTemplateEndless, plan.spine.span, {def.shown});
    plan.target = Target::kDef;
    plan.def = never();  // the book is refused
    plan.arity = plan.live;
    return;
  }
  const Instance& instance = instances_.get(std::move(request));
  plan.target = Target::kDef;
  plan.def = instance.id;
  plan.arity = instance.arity;
}

// True when the plan ends in the call of a def or of a closure.
bool RuleLowering::forks(const Plan& plan) const {
  switch (plan.target) {
    case Target::kDef:
      return plan.live >= plan.arity;
    case Target::kPrim:
      return false;
    case Target::kValue:
      return plan.live > 0 && plan.type != nullptr;
    case Target::kInline:
      break;
  }
  std::size_t takes = 0;
  const Term* body = plan.spine.head;
  for (; body->kind == TermKind::kLam; body = body->kids[0]) takes++;
  return plan.spine.closed_head && plan.args.size() >= takes;
}

// ---- writing ----------------------------------------------------------------

Lowered RuleLowering::lower_call(const Term* term, bool tail) {
  Plan made = plan(term);
  if (made.target == Target::kInline) return emit_inline(made, tail);
  if (made.target == Target::kValue) {
    Lowered head = lower_head(made.spine, tail && made.spine.args.empty());
    if (made.spine.args.empty()) return head;
    if (!made.type) {
      made.type = head.type;
      plan_args(made, 0);
    }
    if (made.live == 0) return result(head.wire, made.result(), tail);
    Stmt last = last_step(made, head.wire, lower_args(made));
    return {emit(std::move(last), type_of(made.result()), tail), made.result()};
  }
  Stmt last = prepare(made);
  return {emit(std::move(last), type_of(made.result()), tail), made.result()};
}

// The head of a spine as a value; a closed one is lowered in a scope of its
// own.
Lowered RuleLowering::lower_head(const Spine& spine, bool tail) {
  ScopeMark outer = mark();
  if (spine.closed_head) env_ = nullptr;
  Lowered head = lower(spine.head, spine.head_type, tail);
  leave(outer);
  return head;
}

std::vector<Wire> RuleLowering::lower_args(const Plan& plan) {
  std::vector<Wire> wires;
  wires.reserve(plan.live);
  for (const Arg& arg : plan.args) {
    if (arg.live) wires.push_back(lower(arg.term, arg.type, false).wire);
  }
  return wires;
}

// Computes head and arguments, and gives the call that is left to make.
Stmt RuleLowering::prepare(Plan& plan) {
  if (plan.target == Target::kInline) {
    // Only where calls overlap: the lambda must be a definition then.
    ScopeMark outer = mark();
    env_ = nullptr;
    Function inner;
    plan.def = lift_lambda(plan.spine.head, plan.type, inner);
    leave(outer);
    plan.target = Target::kDef;
    plan.arity = inner.params.size();
  }
  Wire head = Wire::kOut;
  if (plan.target == Target::kValue) head = lower_head(plan.spine, false).wire;
  return last_step(plan, head, lower_args(plan));
}

// Writes all steps of a call but the last, which is returned.
Stmt RuleLowering::last_step(const Plan& plan, Wire head,
                             std::vector<Wire> wires) {
  Stmt step;
  std::size_t taken = std::min(plan.arity, wires.size());
  auto first = wires.begin();
  step.ins.assign(first, first + static_cast<std::ptrdiff_t>(taken));
  step.def = plan.def;
  switch (plan.target) {
    case Target::kPrim:
      step.op = Op::kPrim;
      step.prim = plan.prim;
      step.type = plan.element;
      break;
    case Target::kDef:
      step.op = taken == plan.arity ? Op::kCall : Op::kClosure;
      step.offload = step.op == Op::kCall && plan.spine.offload;
      break;
    default:
      step.op = Op::kApply;
      step.ins = {head, wires[0]};
      taken = 1;
  }
  for (; taken < wires.size(); taken++) {
    Wire function =
        emit(std::move(step), type_of(type_after(plan, taken)), false);
    step = Stmt{};
    step.op = Op::kApply;
    step.ins = {function, wires[taken]};
  }
  return step;
}

// The type of a call that was given its first `live` live arguments.
Value* RuleLowering::type_after(const Plan& plan, std::size_t live) const {
  Value* type = plan.type;
  for (const Arg& arg : plan.args) {
    if (arg.live && live-- == 0) return type;
    type = arg.after;
  }
  return type;
}

// Opens a lambda in place: its parameters are the wires of the arguments.
Lowered RuleLowering::emit_inline(const Plan& plan, bool tail) {
  std::vector<Wire> wires = lower_args(plan);
  ScopeMark outer = mark();
  if (plan.spine.closed_head) env_ = nullptr;
  const Term* body = plan.spine.head;
  Value* type = plan.type;
  std::size_t at = 0, live = 0;
  for (; at < plan.args.size() && body->kind == TermKind::kLam; at++) {
    const Arg& arg = plan.args[at];
    Value* arg_type = arg.type ? arg.type : types_.unknown();
    if (arg.live) {
      push_wire(wires[live++], arg_type, arg.value, &body->text);
    } else {
      bind_dead(body->text, arg_type, arg.value);
    }
    type = arg.after;
    body = body->kids[0];
  }
  bool whole = live == wires.size();
  Lowered made = lower(body, type, tail && whole);
  leave(outer);
  if (whole) return {made.wire, plan.result()};
  Plan rest;
  rest.type = type;
  rest.args.assign(plan.args.begin() + static_cast<std::ptrdiff_t>(at),
                   plan.args.end());
  wires.erase(wires.begin(), wires.begin() + static_cast<std::ptrdiff_t>(live));
  Stmt last = last_step(rest, made.wire, std::move(wires));
  return {emit(std::move(last), type_of(plan.result()), tail), plan.result()};
}

// ---- template arguments -----------------------------------------------------

// The term with the template parameters of the scope replaced by what they
// stand for. `depth` counts the term's own binders around it.
const Term* RuleLowering::close(const Term* term, std::uint64_t depth) {
  if (term->kind == TermKind::kVar) {
    if (term->num < depth) return term;
    std::size_t at = scope_.size() - 1 - (term->num - depth);
    if (scope_[at].kind == EntryKind::kClosed) return scope_[at].term;
    return globals_.make(TermKind::kHole, term->span);
  }
  std::vector<Term*> kids = term->kids;
  bool changed = false;
  bool binds_last =
      term->kind == TermKind::kLam || term->kind == TermKind::kPi ||
      term->kind == TermKind::kLet || term->kind == TermKind::kPar;
  std::uint64_t binders =
      term->kind == TermKind::kPar ? term->binders.size() : 1;
  for (std::size_t i = 0; i < kids.size(); i++) {
    bool inside = binds_last && i + 1 == kids.size();
    kids[i] = const_cast<Term*>(close(kids[i], depth + (inside ? binders : 0)));
    changed = changed || kids[i] != term->kids[i];
  }
  Rare<core::TermArm> arms = term->arms;
  for (core::TermArm& arm : arms) {
    if (!arm.body) continue;
    Term* body = arm.body;
    arm.body = const_cast<Term*>(close(body, depth + arm.binds.size()));
    changed = changed || arm.body != body;
  }
  if (!changed) return term;
  Term* made = globals_.make(term->kind, term->span);
  *made = *term;
  made->kids = std::move(kids);
  made->arms = std::move(arms);
  return made;
}

}  // namespace tine
