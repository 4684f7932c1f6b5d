// Lets and lambdas.
//
// A let's value is written before its body; a let that nobody uses alive is
// left out with its value (lower_uses.h). A parallel let of calls forks: the
// arguments of all of them, left to right, then the calls at once.
#include <utility>

#include "compiler/book/lower_rules.h"

namespace tine {

using core::Term;
using core::TermKind;
using core::Value;
using core::ValueKind;

// ---- lets -------------------------------------------------------------------

void RuleLowering::bind_value(const core::TermBinder& binder, Lowered value,
                              Value* theory_value) {
  name_wire(value.wire, binder.text);
  push_wire(value.wire, value.type, theory_value, &binder.text);
}

void RuleLowering::bind_dead(const std::string& name, Value* type,
                             Value* theory_value) {
  ScopeEntry entry;
  entry.type = type;
  entry.value = theory_value;
  entry.name = &name;
  push(entry);
}

void RuleLowering::bind_let(const Term* term) {
  const Term* value = term->kids[term->kids.size() - 2];
  bool typed = term->kids.size() == 3;
  Value* type = typed ? eval(term->kids[0]) : nullptr;
  Value* theory_value = eval(value);
  if (!lets_.used(term)) {
    bind_dead(term->text, type ? type : infer(value), theory_value);
    return;
  }
  Lowered made = lower(value, type, false);
  if (type) made.type = type;
  name_wire(made.wire, term->text);
  push_wire(made.wire, made.type, theory_value, &term->text);
}

void RuleLowering::bind_par(const Term* term) {
  if (bind_forked(term)) return;
  std::size_t n = term->binders.size();
  std::vector<Lowered> values(n);
  std::vector<Value*> theory_values(n);
  for (std::size_t i = 0; i < n; i++) {
    theory_values[i] = eval(term->kids[i]);
    if (lets_.used(term, i)) values[i] = lower(term->kids[i], nullptr, false);
  }
  for (std::size_t i = 0; i < n; i++) {
    const core::TermBinder& binder = term->binders[i];
    if (lets_.used(term, i)) {
      bind_value(binder, values[i], theory_values[i]);
    } else {
      bind_dead(binder.text, nullptr, theory_values[i]);
    }
  }
}

// A parallel let whose used values are two or more calls becomes a fork: the
// arguments of all of them, left to right, then the calls at once.
bool RuleLowering::bind_forked(const Term* term) {
  std::size_t n = term->binders.size();
  std::vector<Plan> plans(n);
  std::size_t used = 0;
  for (std::size_t i = 0; i < n; i++) {
    if (!lets_.used(term, i)) continue;
    const Term* value = term->kids[i];
    while (value->kind == TermKind::kAnn) value = value->kids[0];
    if (value->kind != TermKind::kApp && value->kind != TermKind::kRef) {
      return false;
    }
    plans[i] = plan(value);
    if (!forks(plans[i])) return false;
    used++;
  }
  if (used < 2) return false;
  Stmt par;
  par.op = Op::kPar;
  std::vector<Value*> values(n);
  for (std::size_t i = 0; i < n; i++) {
    values[i] = eval(term->kids[i]);
    if (lets_.used(term, i)) par.calls.push_back(prepare(plans[i]));
  }
  for (std::size_t i = 0; i < n; i++) {
    const core::TermBinder& binder = term->binders[i];
    if (!lets_.used(term, i)) {
      bind_dead(binder.text, nullptr, values[i]);
      continue;
    }
    Value* type = plans[i].result();
    par.outs.push_back(new_wire(type_of(type), binder.text));
    push_wire(par.outs.back(), type, values[i], &binder.text);
  }
  function_->block->push_back(std::move(par));
  return true;
}

// ---- lambdas ----------------------------------------------------------------

namespace {

bool is_erased(const Term* lambda, const Value* pi) {
  bool known = pi && pi->kind == ValueKind::kPi;
  return (known ? pi->mark : lambda->mark) == Mark::kErased;
}

}  // namespace

Lowered RuleLowering::lower_lambda(const Term* term, Value* goal, bool tail) {
  ScopeMark outer = mark();
  Value* pi = goal ? theory_.whnf(goal) : nullptr;
  Value* type = goal ? goal : types_.unknown();
  while (term->kind == TermKind::kLam && is_erased(term, pi)) {
    bool known = pi && pi->kind == ValueKind::kPi;
    bind_dead(term->text, known ? pi->args[0] : nullptr, nullptr);
    pi = known ? theory_.whnf(theory_.instantiate(pi, scope_.back().value))
               : nullptr;
    term = term->kids[0];
  }
  if (term->kind != TermKind::kLam) {
    Lowered made = lower(term, pi, tail);
    leave(outer);
    return {made.wire, type};
  }
  Function inner;
  DefId id = lift_lambda(term, pi, inner);
  leave(outer);
  Stmt closure;
  closure.op = Op::kClosure;
  closure.def = id;
  closure.ins = use_captures(inner);
  const DefRow& row = book_.def(id);
  TypeId book_type = row.result;
  for (std::size_t i = row.params; i-- > closure.ins.size();) {
    book_type =
        book_.intern(Type{TypeKind::kFn, 0, {row.wires[i].type, book_type}});
  }
  if (goal) book_type = type_of(goal);
  return {emit(std::move(closure), book_type, tail), type};
}

// Makes a definition of a lambda and those that stand directly under it.
DefId RuleLowering::lift_lambda(const Term* term, Value* goal,
                                Function& inner) {
  DefId id = child_def("fn", term->span);
  ScopeMark outer = mark();
  begin(inner, id);
  Value* pi = goal ? theory_.whnf(goal) : nullptr;
  while (term->kind == TermKind::kLam) {
    bool known = pi && pi->kind == ValueKind::kPi;
    Value* type = known ? pi->args[0] : types_.unknown();
    if (is_erased(term, pi)) {
      bind_dead(term->text, type, nullptr);
    } else {
      inner.params.push_back(new_wire(type_of(type), term->text));
      push_wire(inner.params.back(), type, nullptr, &term->text);
    }
    pi = known ? theory_.whnf(theory_.instantiate(pi, scope_.back().value))
               : nullptr;
    term = term->kids[0];
  }
  Lowered body = lower(term, pi, true);
  TypeId result = type_of(pi ? pi : body.type);
  leave(outer);
  finish(inner, result);
  return id;
}

}  // namespace tine
