// Equations, rewrites and holes.
#include "compiler/core/checker.h"

namespace tine::core {

Typed DefChecker::elab_equal(const Node* node) {
  Scoped<bool> dead(live_, false);
  Term* t = g_.make(TermKind::kEqual, node->span);
  Term* type = check_type(node->kids[2]);
  Value* at = t_.eval(type, env_);
  t->kids = {check(node->kids[0], at), check(node->kids[1], at), type};
  if (node->num == 0) return {t, t_.kind(2)};
  Term* pi = g_.make(TermKind::kPi, node->span);
  Term* empty = g_.make(TermKind::kData, node->span);
  empty->data = t_.ids().empty;
  if (empty->data == Data::kNone) {
    report(Msg::kNoBase, node->span);
    return {broken(node->span), unknown()};
  }
  pi->kids = {t, empty};
  return {pi, t_.kind(1)};
}

Typed DefChecker::elab_refl(const Node* node, Value* goal) {
  Term* t = g_.make(TermKind::kRefl, node->span);
  if (!goal) {
    report(Msg::kCannotInfer, node->span, {"`{==}`"});
    return {t, unknown()};
  }
  Value* want = t_.whnf(goal);
  if (want->kind != ValueKind::kEqual) {
    mismatch(Msg::kReflNotEquation, node->span, want, nullptr);
  } else if (!t_.convertible(want->args[0], want->args[1], depth())) {
    Diag& diag = report(Msg::kEquationSides, node->span);
    diag.expected = show(want->args[0]);
    diag.observed = show(want->args[1]);
  }
  return {t, goal};
}

Typed DefChecker::elab_rewrite(const Node* node, Value* goal) {
  if (!node->text.empty()) {
    report(Msg::kUnsupported, node->span, {"a rewrite that names its equation"});
    return {broken(node->span), unknown()};
  }
  // Dead code counts no uses, so a proof there may be a paradox: it must not
  // change a type.
  if (!live_ || type_body_) {
    report(Msg::kUnsupported, node->span, {"a rewrite inside of a type"});
    return {broken(node->span), unknown()};
  }
  if (!goal) {
    report(Msg::kCannotInfer, node->span, {"a rewrite"});
    return {broken(node->span), unknown()};
  }
  Term* t = g_.make(TermKind::kRewrite, node->span);
  // The proof counts as a use: in dead code affinity would not bind it, and a
  // type could then be changed on the word of a proof that never ends.
  Typed e = elab(node->kids[0], nullptr);
  Value* eq = t_.whnf(e.type);
  if (eq->kind != ValueKind::kEqual) {
    mismatch(Msg::kRewriteNotEquation, node->kids[0]->span, eq, nullptr);
    return {broken(node->span), goal};
  }
  Term* motive = g_.make(TermKind::kLam, node->span);
  motive->text = "_";
  std::size_t names = names_.size();
  push("_", Mark::kErased, eq->args[2], {});
  names_.emplace_back("_", depth() - 1);
  motive->kids = {check_type(node->kids[1])};
  pop();
  names_.resize(names);
  Value* p = t_.eval(motive, env_);
  Value* at_b = t_.instantiate(p, eq->args[1]);
  if (!t_.convertible(at_b, goal, depth()))
    mismatch(Msg::kRewriteMotive, node->kids[1]->span, goal, at_b);
  Scoped<bool> no_match(match_here_, false);
  Term* body = check(node->kids[2], t_.instantiate(p, eq->args[0]));
  t->kids = {e.term, motive, body};
  return {t, goal};
}

Typed DefChecker::elab_hole(const Node* node, Value* goal) {
  Term* t = g_.make(TermKind::kHole, node->span);
  t->text = node->text;
  if (node->text == "TODO") {
    owner_.todo_holes_.emplace_back(node->span, place_);
    return {t, goal ? goal : unknown()};
  }
  std::string want = goal ? show(goal) : "";
  Diag& diag = report(Msg::kHole, node->span, {node->text});
  diag.expected = want;
  for (const Local& local : ctx_)
    if (!local.name.empty() && local.name[0] != '_')
      diag.notes.push_back({Span{}, "`" + local.name + "` : " +
                                        show(local.type)});
  return {t, goal ? goal : unknown()};
}

}  // namespace tine::core
