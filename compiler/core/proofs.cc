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
  } else if (!is_unknown(want->args[0]) && !is_unknown(want->args[1]) &&
             !t_.convertible(want->args[0], want->args[1], depth())) {
    std::string hint = equation_hint(want->args[0], want->args[1]);
    Diag& diag = report(Msg::kEquationSides, node->span);
    diag.expected = show(want->args[0]);
    diag.observed = show(want->args[1]);
    diag.repair = hint;
  }
  return {t, goal};
}

// The motive as a function of the right side and, where it has a name, of the
// equation.
Term* DefChecker::rewrite_motive(const Node* node, const std::string& name,
                                 const Value* equation) {
  Term* motive = g_.make(TermKind::kLam, node->span);
  motive->text = "_";
  std::size_t names = names_.size();
  push("_", Mark::kErased, equation->args[2], {});
  names_.push("_", depth() - 1);
  if (name.empty()) {
    motive->kids = {check_type(node->kids[1])};
  } else {
    Value* type = t_.make(ValueKind::kEqual, {equation->args[0], env_->value,
                                              equation->args[2]});
    push(name, Mark::kErased, type, {});
    Term* inner = g_.make(TermKind::kLam, node->span);
    inner->text = name;
    inner->kids = {check_type(node->kids[1])};
    motive->kids = {inner};
    pop();
  }
  pop();
  names_.shrink(names);
  return motive;
}

Typed DefChecker::elab_rewrite(const Node* node, Value* goal) {
  const Node* proof = node->kids[0];
  std::string name = node->text;
  auto known = [&](const std::string& text) {
    return find_local(text) ||
           owner_.resolve_global(module_, text, node->span, true).kind !=
               Resolved::kNothing;
  };
  if (node->num == 1 && !known(proof->text) && known(name)) {
    Node* other = name_node(name, proof->span);
    name = proof->text;
    proof = other;
  }
  // Dead code counts no uses, so a proof there may be a paradox: it must not
  // change a type.
  if (!live_ || type_body_) {
    report(Msg::kRewriteInType, node->span);
    return {broken(node->span), unknown()};
  }
  if (!goal) {
    report(Msg::kCannotInfer, node->span, {"a rewrite"});
    return {broken(node->span), unknown()};
  }
  Term* t = g_.make(TermKind::kRewrite, node->span);
  // The proof counts as a use: in dead code affinity would not bind it, and a
  // type could then be changed on the word of a proof that never ends.
  Typed e = elab(proof, nullptr);
  Value* eq = t_.whnf(e.type);
  if (eq->kind != ValueKind::kEqual) {
    refuse(Msg::kRewriteNotEquation, proof->span, eq);
    return {broken(node->span), goal};
  }
  Term* motive = rewrite_motive(node, name, eq);
  Value* p = t_.eval(motive, env_);
  auto motive_at = [&](Value* side, Value* equation) {
    Value* type = t_.instantiate(p, side);
    return name.empty() ? type : t_.apply(type, equation);
  };
  Value* at_b = motive_at(eq->args[1], t_.delay(e.term, env_));
  if (!t_.convertible(at_b, goal, depth()))
    mismatch(Msg::kRewriteMotive, node->kids[1]->span, goal, at_b);
  Scoped<bool> no_match(match_here_, false);
  Value* at_a = motive_at(eq->args[0], t_.make(ValueKind::kRefl));
  Term* body = check(node->kids[2], at_a);
  t->num = name.empty() ? 0 : 1;
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
