// Functions and lets: plain, erased, typed and parallel.
#include "compiler/core/checker.h"

namespace tine::core {

// ---- functions ------------------------------------------------------------------

Typed DefChecker::elab_lambda(const Node* node, Value* goal) {
  if (!goal) {
    report(Msg::kCannotInfer, node->span, {"a lambda"}).repair =
        "annotate it: `{x => .. : A -> B}`";
    return {broken(node->span), unknown()};
  }
  Value* pi = t_.whnf(goal);
  if (pi->kind != ValueKind::kPi) {
    mismatch(Msg::kLambdaNotFunction, node->span, pi, nullptr);
    return {broken(node->span), goal};
  }
  Mark mark = pi->mark;
  if (node->mark == Mark::kReuse && mark == Mark::kPlain) {
    need_data(node->text, pi->args[0], node->span);
    mark = Mark::kReuse;
  }
  Term* t = g_.make(TermKind::kLam, node->span);
  t->mark = mark;
  t->text = node->text;
  Span name{node->span.file, node->span.begin,
            node->span.begin + std::uint32_t(node->text.size())};
  Value* codomain = t_.instantiate(pi, t_.var(depth()));
  push(node->text, mark, pi->args[0], name);
  {
    Scoped<bool> place(match_here_, node->num == 1);  // a raw match
    t->kids = {check(node->kids[0], codomain)};
  }
  pop();
  return {t, goal};
}

Typed DefChecker::elab_pi(const Node* node) {
  Scoped<bool> dead(live_, false);
  Term* t = g_.make(TermKind::kPi, node->span);
  t->mark = node->mark;
  t->text = node->text;
  Term* domain = check_type(node->kids[0]);
  Value* type = t_.eval(domain, env_);
  if (node->mark == Mark::kReuse) need_data(node->text, type, node->span);
  push(node->text, node->mark, type, {});
  t->kids = {domain, check_type(node->kids[1])};
  pop();
  return {t, t_.kind(1)};
}

Typed DefChecker::elab_exists(const std::string& name, const Node* a,
                              const Node* b, Span span) {
  Scoped<bool> dead(live_, false);
  if (t_.ids().sigma == Data::kNone) {
    report(Msg::kNoBase, span);
    return {broken(span), unknown()};
  }
  owner_.ensure_data(t_.ids().sigma);
  uses(t_.ids().sigma);
  Term* t = g_.make(TermKind::kData, span);
  t->data = t_.ids().sigma;
  Term* one = g_.make(TermKind::kQty, span);
  one->num = 1;
  Term* first = check_type(a);
  push(name, Mark::kPlain, t_.eval(first, env_), {});
  Term* lam = g_.make(TermKind::kLam, span);
  lam->text = name;
  lam->kids = {check_type(b)};
  pop();
  t->kids = {one, one, first, lam};
  return {t, t_.kind(1)};
}

// ---- lets -------------------------------------------------------------------------

// The value of a let: inferred; a constructor gets &2 under `+`.
Typed DefChecker::let_value(const Node* node, Mark mark) {
  Scoped<bool> no_match(match_here_, false);
  while (node->kind == NodeKind::kGroup && node->kids.size() == 1)
    node = node->kids[0];
  const Node* plain = node;
  if (plain->kind == NodeKind::kGroup) plain = plain->kids[0];
  bool plus = mark == Mark::kReuse;
  if (plus && plain->kind == NodeKind::kCtor) {
    Ctor id = owner_.resolve_ctor(module_, plain->text);
    if (id != Ctor::kNone)
      return infer_ctor(id, {plain->kids.begin(), plain->kids.end()}, true,
                        plain);
  }
  if (plus && plain->kind == NodeKind::kList && !plain->kids.empty()) {
    const Node* rest = list_node(plain);
    Ctor con = owner_.resolve_ctor(module_, "Con");
    if (con != Ctor::kNone)
      return infer_ctor(con, {rest->kids.begin(), rest->kids.end()}, true,
                        rest);
  }
  return elab(node, nullptr);
}

Typed DefChecker::elab_let(const Node* node, Value* goal) {
  std::size_t n = node->binders.size();
  bool typed = node->kind == NodeKind::kTypedLet;
  bool erased = node->kind == NodeKind::kErasedLet;
  Term* outer = nullptr;
  Term* inner = nullptr;
  std::vector<Typed> values;
  Term* type_term = nullptr;
  for (std::size_t i = 0; i < n; ++i) {
    Scoped<bool> live(live_, live_ && !erased);
    if (typed) {
      type_term = check_type(node->kids[0]);
      Value* type = t_.eval(type_term, env_);
      Scoped<bool> no_match(match_here_, false);
      values.push_back({check(node->kids[1], type), type});
    } else {
      values.push_back(let_value(node->kids[i], node->binders[i].mark));
    }
  }
  const Env* outside = env_;
  for (std::size_t i = 0; i < n; ++i) {
    const Binder& binder = node->binders[i];
    Mark mark = erased ? Mark::kErased : binder.mark;
    if (mark == Mark::kReuse)
      need_data(binder.text, values[i].type, binder.span);
    Term* let = g_.make(TermKind::kLet, node->span);
    let->mark = mark;
    let->text = binder.text;
    let->kids = {values[i].term};
    if (type_term) let->kids.insert(let->kids.begin(), type_term);
    // A later erased value stands under the earlier names: shift by naming.
    if (i > 0) let->kids[0] = t_.quote(t_.eval(values[i].term, outside),
                                       depth(), false);
    const Term* value = values[i].term;
    std::int64_t alias =
        value->kind == TermKind::kVar
            ? std::int64_t(depth() - i) - 1 - std::int64_t(value->num)
            : -1;
    Local& local = push(binder.text, mark, values[i].type, binder.span,
                        t_.delay(values[i].term, outside));
    local.alias = alias;
    (outer ? inner->kids.back() : outer) = let;
    let->kids.push_back(nullptr);
    inner = let;
  }
  Typed body = elab(node->kids.back(), goal);
  inner->kids.back() = body.term;
  for (std::size_t i = 0; i < n; ++i) {
    if (n == 1 && !erased) warn_let(ctx_.back(), values[0].term);
    pop();
  }
  return {outer, goal ? goal : body.type};
}

namespace {

// What an unused value would have done, "" when nothing: an array write or a
// fork somewhere in it.
std::string lost_effect(const Globals& g, const Term* t) {
  if (t->kind == TermKind::kApp && t->kids[0]->kind == TermKind::kRef) {
    const std::string& name = g.def(t->kids[0]->def).name;
    if (name == "Array.set" || name == "Array.swap" ||
        name.starts_with("Array.atomic."))
      return "the array write";
    if (name == "Array.fork") return "the fork";
  }
  for (const Term* kid : t->kids) {
    std::string found = lost_effect(g, kid);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace

void DefChecker::warn_let(Local& local, const Term* value) {
  if (!live_ || local.mentioned || local.span.file == kNoFile) return;
  if (in_base()) return;
  std::string lost = lost_effect(g_, value);
  if (lost.empty()) return;
  report(Msg::kUnusedLetDropped, local.span, {local.name, lost});
  local.quiet = true;  // that says it all
}

// A call that forks: of a def with all its arguments (no native), or of a
// function value.
bool DefChecker::saturated_call(const Term* t) const {
  while (t->kind == TermKind::kAnn) t = t->kids[0];
  if (t->kind == TermKind::kRef)
    return g_.def(t->def).params.empty() && !g_.def(t->def).is_law;
  if (t->kind != TermKind::kApp) return false;
  if (t->kids[0]->kind != TermKind::kRef) return true;
  const DefInfo& def = g_.def(t->kids[0]->def);
  if (def.is_base && def.is_law) return false;
  return t->kids.size() - 1 >= def.params.size();
}

std::string DefChecker::forks_not(const Term* par,
                                  const std::vector<bool>& used) const {
  std::size_t count = 0;
  for (bool u : used) count += u;
  if (count < 2) return "fewer than two of its names are used";
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] && !saturated_call(par->kids[i]))
      return "the value of `" + par->binders[i].text +
             "` is not a saturated call of a def";
  return "";
}

Typed DefChecker::elab_par(const Node* node, Value* goal) {
  std::size_t n = node->binders.size();
  Term* t = g_.make(TermKind::kPar, node->span);
  std::vector<Typed> values;
  for (std::size_t i = 0; i < n && i + 1 < node->kids.size(); ++i)
    values.push_back(let_value(node->kids[i], node->binders[i].mark));
  const Env* outside = env_;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Binder& binder = node->binders[i];
    if (binder.mark == Mark::kReuse)
      need_data(binder.text, values[i].type, binder.span);
    t->binders.push_back({binder.mark, binder.text});
    t->kids.push_back(values[i].term);
    push(binder.text, binder.mark, values[i].type, binder.span,
         t_.delay(values[i].term, outside));
  }
  Typed body = elab(node->kids.back(), goal);
  t->kids.push_back(body.term);
  std::vector<bool> used(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    used[i] = ctx_[depth() - values.size() + i].uses > 0;
  if (live_ && !in_base()) {
    std::string why = forks_not(t, used);
    if (!why.empty()) report(Msg::kLetDoesNotFork, node->span, {why});
  }
  for (std::size_t i = 0; i < values.size(); ++i) pop();
  return {t, goal ? goal : body.type};
}

}  // namespace tine::core
