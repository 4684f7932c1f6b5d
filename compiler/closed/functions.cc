#include "compiler/closed/functions.h"

namespace tine::closed {

using core::Def;
using core::DefInfo;
using core::Globals;
using core::ParamInfo;
using core::Term;
using core::TermKind;

Functions::Functions(const Globals& globals, const core::Theory& theory)
    : globals_(globals),
      ids_(theory.ids()),
      scopes_(globals),
      prims_(globals, theory) {
  type_.cell = kOpaque;
  lost_ = make(nullptr, nullptr);
  lost_->lost = true;
  counter_ = make(nullptr, nullptr);
  counter_->counts = true;
  counter_->arity = 1;
  for (ClosedPrim& prim : prims_.all()) {
    prim.fn = make(nullptr, nullptr);
    prim.fn->prim = &prim;
    prim.fn->arity = prim.fn->params = prim.arity;
    prim.fn->needs.assign(prim.arity, true);
    prim.fn->state = ClosedFn::Needs::kKnown;
  }
}

ClosedFn* Functions::make(const Term* term, const Bind* scope) {
  ClosedFn* fn = &fns_.emplace_back();
  fn->term = term;
  fn->scope = scope;
  return fn;
}

void Functions::add_param(ClosedFn* fn, bool live) {
  if (!live) {
    fn->scope = scopes_.dead(fn->scope);
    return;
  }
  fn->scope = scopes_.slot(fn->scope, fn->arity++);
  fn->binds.push_back(fn->scope);
  ++fn->params;
}

ClosedFn* Functions::def(Def id, const std::vector<KnownArg*>& templates) {
  const DefInfo& info = globals_.def(id);
  if (!info.body || info.state != core::DefState::kChecked) return nullptr;
  ClosedFn*& fn = by_def_[{id, templates}];
  if (fn) return fn;
  fn = make(info.body, nullptr);
  fn->steps = 1;
  for (std::size_t i = 0; i < info.params.size(); ++i) {
    fn->term = fn->term->kids[0];
    if (i < templates.size()) {
      fn->scope = scopes_.known(fn->scope, templates[i]);
    } else {
      add_param(fn, info.params[i].mark != Mark::kErased);
    }
  }
  return fn;
}

ClosedFn* Functions::body(const Term* term, const Bind* scope,
                          std::vector<const Bind*> taken) {
  auto arity = static_cast<std::uint32_t>(taken.size());
  ClosedFn* fn = make(term, scopes_.edge(scope, std::move(taken)));
  fn->arity = arity;
  return fn;
}

ClosedFn* Functions::lambda(const Term* term, const Bind* scope,
                            std::vector<const Bind*> taken) {
  ClosedFn* fn = body(term, scope, std::move(taken));
  while (fn->term->kind == TermKind::kLam) {
    add_param(fn, fn->term->mark != Mark::kErased);
    fn->term = fn->term->kids[0];
  }
  fn->steps = fn->params;
  return fn;
}

// ---- template arguments ---------------------------------------------------

KnownArg* Functions::known(const Term* term, const Bind* scope) {
  term = plain(term);
  if (is_type(term->kind)) return &type_;
  if (term->kind == TermKind::kVar) {
    Seen seen = resolve(scope, term->num);
    return seen.bind && seen.bind->sort == BindSort::kKnown ? seen.bind->known
                                                            : &type_;  // erased
  }
  KnownArg*& known = by_term_[{term, scopes_.knowns(term, scope)}];
  if (known) return known;
  known = &knowns_.emplace_back();
  known->term = term;
  known->scope = scope;
  KnownArg* made = known;
  find_known(made);
  return made;
}

// Is it a function or an operation by itself?
void Functions::find_known(KnownArg* known) {
  if (known->term->kind == TermKind::kLam) {
    ClosedFn* fn = lambda(known->term, known->scope, {});
    if (fn->params > 0) known->fn = fn;
    return;
  }
  if (known->term->kind != TermKind::kRef &&
      known->term->kind != TermKind::kApp)
    return;
  Callee callee = this->callee(known->term, known->scope);
  if (!callee.known() || !callee.args.empty() || callee.params() == 0) return;
  known->prim = callee.prim;
  known->fn = callee.prim ? callee.prim->fn : callee.fn;
}

// ---- calls ----------------------------------------------------------------

Callee Functions::callee(const Term* term, const Bind* scope) {
  Callee callee;
  const Term* head = term;
  std::size_t first = 0;  // argument behind the template arguments
  if (term->kind == TermKind::kApp) head = plain(term->kids[0]);
  std::size_t given = head == term ? 0 : term->kids.size() - 1;
  if (head->kind == TermKind::kRef) {
    const DefInfo& info = globals_.def(head->def);
    first = info.templates;
    if ((callee.lost = given < first)) return callee;
    std::vector<KnownArg*> templates;
    for (std::size_t i = 0; i < first; ++i)
      templates.push_back(known(term->kids[i + 1], scope));
    callee.prim = prims_.find(head->def);
    callee.fn = callee.prim ? callee.prim->fn : def(head->def, templates);
    callee.lost = !callee.fn;
  } else if (head->kind == TermKind::kVar) {
    Seen seen = resolve(scope, head->num);
    if (seen.bind && seen.bind->sort == BindSort::kKnown) {
      callee.fn = seen.bind->known->fn;
      callee.prim = seen.bind->known->prim;
    }
  }
  if (!callee.known()) callee.head = head;
  for (std::size_t i = first; i < given; ++i)
    if (!dead_argument(globals_, term, i))
      callee.args.push_back(term->kids[i + 1]);
  return callee;
}

}  // namespace tine::closed
