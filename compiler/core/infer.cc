// Terms: bidirectional elaboration. `elab` with a goal checks, without one
// infers; the type that comes back is the goal where one was given.
#include "compiler/core/checker.h"
#include "compiler/core/reserved.h"

namespace tine::core {

namespace {
// Chains of statements nest this deep at most (the parser bounds the rest).
constexpr std::uint32_t kMaxDepth = 120000;
}  // namespace

Typed DefChecker::elab(const Node* node, Value* goal) {
  if (nesting_ >= kMaxDepth) {
    report(Msg::kNestingTooDeep, node->span, {std::to_string(kMaxDepth)});
    return {broken(node->span), unknown()};
  }
  ++nesting_;
  Typed result = elab_kind(node, goal);
  --nesting_;
  if (!result.type) result.type = unknown();
  return result;
}

Typed DefChecker::settle(Typed inferred, Value* goal, Span span) {
  if (!goal) return inferred;
  if (!fits(inferred.type, goal))
    mismatch(Msg::kTypeMismatch, span, goal, inferred.type, {},
             mismatch_hint(inferred.term, inferred.type, goal));
  return {inferred.term, goal};
}

Typed DefChecker::elab_kind(const Node* node, Value* goal) {
  switch (node->kind) {
    case NodeKind::kName:
      return settle(elab_name(node), goal, node->span);
    case NodeKind::kCtor:
      return elab_ctor(node, goal);
    case NodeKind::kU32:
    case NodeKind::kNat:
    case NodeKind::kSucc:
    case NodeKind::kF32:
    case NodeKind::kChar:
    case NodeKind::kString:
      return elab_literal(node, goal);
    case NodeKind::kType:
    case NodeKind::kData: {
      Term* t = g_.make(TermKind::kKind, node->span);
      Term* q = g_.make(TermKind::kQty, node->span);
      q->num = node->kind == NodeKind::kType ? 1 : 2;
      t->kids = {q};
      return settle({t, t_.kind(1)}, goal, node->span);
    }
    case NodeKind::kQuant:
      return settle({g_.make(TermKind::kQuant, node->span), t_.kind(1)}, goal,
                    node->span);
    case NodeKind::kKind: {
      Term* t = g_.make(TermKind::kKind, node->span);
      t->kids = {check_dead(node->kids[0], t_.make(ValueKind::kQuant))};
      return settle({t, t_.kind(1)}, goal, node->span);
    }
    case NodeKind::kQuantity: {
      Term* t = g_.make(TermKind::kQty, node->span);
      t->num = node->num;
      return settle({t, t_.make(ValueKind::kQuant)}, goal, node->span);
    }
    case NodeKind::kPi:
    case NodeKind::kArrow:
      return settle(elab_pi(node), goal, node->span);
    case NodeKind::kExists:
      return settle(elab_exists(node->text, node->kids[0], node->kids[1],
                                node->span),
                    goal, node->span);
    case NodeKind::kPlus:
    case NodeKind::kTypeApp:
      return settle(elab_type_app(node), goal, node->span);
    case NodeKind::kList:
      return elab_list(node, goal);
    case NodeKind::kTuple:
      return elab_tuple(node, goal);
    case NodeKind::kGroup: {
      Scoped<bool> no_match(match_here_, false);
      return elab(node->kids[0], goal);
    }
    case NodeKind::kArrayPow:
    case NodeKind::kArrayMul:
    case NodeKind::kIndex:
    case NodeKind::kWrite:
      return elab_array(node, goal);
    case NodeKind::kAnn: {
      Term* t = g_.make(TermKind::kAnn, node->span);
      Term* type = check_type(node->kids[1]);
      Value* value = t_.eval(type, env_);
      t->kids = {check(node->kids[0], value), type};
      return settle({t, value}, goal, node->span);
    }
    case NodeKind::kEqual:
      return settle(elab_equal(node), goal, node->span);
    case NodeKind::kRefl:
      return elab_refl(node, goal);
    case NodeKind::kRewrite:
      return elab_rewrite(node, goal);
    case NodeKind::kHole:
      return elab_hole(node, goal);
    case NodeKind::kDo:
      return elab_do(node, goal);
    case NodeKind::kCall:
      return elab_call(node, goal);
    case NodeKind::kLambda:
      return elab_lambda(node, goal);
    case NodeKind::kOp:
      return elab_op(node, goal);
    case NodeKind::kMatch:
      return elab_match(node, goal);
    case NodeKind::kDestruct:
      return elab_destruct(node, goal);
    case NodeKind::kLet:
    case NodeKind::kTypedLet:
    case NodeKind::kErasedLet:
      return elab_let(node, goal);
    case NodeKind::kParLet:
      return elab_par(node, goal);
    case NodeKind::kRawMatch:
      return elab_raw_match(node, goal);
    default:
      return {broken(node->span), unknown()};  // already reported
  }
}

Term* DefChecker::check_dead(const Node* node, Value* goal) {
  Scoped<bool> dead(live_, false);
  return check(node, goal);
}

Term* DefChecker::check_type(const Node* node) {
  Scoped<bool> dead(live_, false);
  Scoped<bool> no_match(match_here_, false);
  Typed t = elab(node, nullptr);
  if (!is_type_of_types(t.type))
    mismatch(Msg::kNotAType, node->span, t_.kind(1), t.type);
  return t.term;
}

// ---- names and calls -------------------------------------------------------------

Typed DefChecker::elab_name(const Node* node) {
  if (auto level = find_local(node->text))
    return {use(*level, node->span), ctx_[*level].type};
  Resolved r = resolve(node->text, node->span);
  if (r.kind == Resolved::kDef) return elab_ref(r.def, node, false);
  if (r.kind == Resolved::kData) return elab_data(r.data, {}, false, node);
  std::string part(lacked_part(node->text));
  if (!r.reported && !part.empty()) {
    report(Msg::kLackedName, node->span, {node->text, part});
  } else if (!r.reported) {
    Diag& diag = report(Msg::kUnknownName, node->span, {node->text});
    if (owner_.resolve_ctor(module_, node->text) != Ctor::kNone)
      diag.repair = "a constructor needs its braces: " +
                    written(owner_.resolve_ctor(module_, node->text),
                            node->text);
    else
      diag.repair = name_like(node->text);
  }
  return {broken(node->span), unknown()};
}

Typed DefChecker::elab_ref(Def id, const Node* node, bool called) {
  owner_.ensure_signature(id);
  uses(id);
  Term* t = g_.make(TermKind::kRef, node->span);
  t->def = id;
  const DefInfo& def = g_.def(id);
  if (!def.type) {
    report(Msg::kSignatureCycle, node->span, {def.shown});
    return {broken(node->span), unknown()};
  }
  Value* type = t_.eval(def.type, nullptr);
  if (!live_) return {t, type};
  if (def.templates > 0 && !called) {
    report(Msg::kTemplateAsValue, node->span, {def.shown}).repair =
        "wrap a call of it in a lambda";
    return {t, unknown()};
  }
  if (id == self_) {
    if (!unsafe_ && (!called || def.params.empty()))
      report(Msg::kBareSelf, node->span, {def.shown});
    return {t, type};
  }
  bool open = def.is_law && owner_.fill_of_def_[index(id)] == kNoUnit;
  if (open && !def.is_base && !unsafe_) {
    report(Msg::kOpenLawUsed, node->span, {def.shown});
    return {t, type};
  }
  bool declared = def.state == DefState::kDeclared;
  bool cycle = declared && !open && !unsafe_ && !def.is_unsafe &&
               self_ != Def::kNone && owner_.leads_to(id, self_);
  // Reached while its own body is being checked: a cycle that the order of
  // checking did not see.
  cycle |= def.state == DefState::kChecking && !unsafe_ && !def.is_unsafe &&
           self_ != Def::kNone;
  if (declared && !cycle) owner_.ensure_body(id);
  if (cycle)
    report(Msg::kCallCycle, node->span,
           {"`" + place_ + "` calls `" + def.shown + "`, which leads back to `" +
            place_ + "`"})
        .repair = "merge the two into one def with a selector argument, or "
                  "mark one `@unsafe`";
  return {t, type};
}

Typed DefChecker::elab_call(const Node* node, Value* goal) {
  const Node* head = node->kids[0];
  std::vector<const Node*> args(node->kids.begin() + 1, node->kids.end());
  Typed f;
  Def def = Def::kNone;
  if (head->kind == NodeKind::kName && !find_local(head->text)) {
    Resolved r = resolve(head->text, head->span);
    if (r.reported) return {broken(node->span), unknown()};
    if (r.kind == Resolved::kDef) {
      def = r.def;
      owner_.ensure_signature(def);
      // A call that lacks the arguments of a template is one all the same.
      bool called = !args.empty() ||
                    (def != self_ && g_.def(def).templates > 0);
      f = elab_ref(def, head, called);
    } else if (r.kind == Resolved::kData && !args.empty()) {
      report(Msg::kBracesOnDatatype, head->span, {head->text}).repair =
          "write `" + head->text + "<..>`";
      return {broken(node->span), unknown()};
    }
  }
  if (node->bang && def == Def::kNone) {
    bool local = head->kind == NodeKind::kName && find_local(head->text);
    report(local ? Msg::kBangOnLocal : Msg::kBangOnTerm, head->span,
           {head->text});
  }
  if (!f.term) {
    Scoped<bool> no_match(match_here_, false);
    f = elab(head, nullptr);
  }
  Typed result = elab_args(f, args, node->num, node);
  if (result.term->kind == TermKind::kApp) result.term->bang = node->bang;
  if (def != Def::kNone && def == self_ && live_ && !unsafe_ &&
      result.term->kind == TermKind::kApp)
    check_descent(result.term, node->span);
  return settle(result, goal, node->span);
}

Typed DefChecker::elab_args(Typed head, const std::vector<const Node*>& args,
                            std::size_t tildes, const Node* call) {
  std::size_t templates = 0;
  std::string name = "this";
  if (head.term->kind == TermKind::kRef) {
    templates = g_.def(head.term->def).templates;
    name = g_.def(head.term->def).shown;
  }
  if (tildes > templates)
    report(templates == 0 ? Msg::kTildeNotTemplate : Msg::kTildeTooMany,
           args[templates]->span,
           {name, counted(templates, "template argument"),
            std::to_string(tildes)});
  if (args.size() < templates) {
    report(Msg::kTemplateMissing, call->span,
           {name, counted(templates, "template argument"),
            std::to_string(args.size())});
    return {head.term, unknown()};
  }
  if (args.empty()) return head;
  Term* app = g_.make(TermKind::kApp, call->span);
  app->kids.push_back(head.term);
  Value* type = head.type;
  Scoped<bool> no_match(match_here_, false);
  for (std::size_t i = 0; i < args.size(); ++i) {
    Value* pi = t_.whnf(type);
    if (pi->kind != ValueKind::kPi) {
      if (!is_unknown(pi)) {
        const Node* called = call->kids[0];
        if (i == 0)
          refuse(Msg::kCallNonFunction, called->span, pi,
                 {called->kind == NodeKind::kName ? "`" + called->text + "`"
                                                  : "this"});
        else
          report(Msg::kTooManyArgs, args[i]->span,
                 {name, counted(i, "argument"), std::to_string(args.size())});
      }
      return {broken(call->span), unknown()};
    }
    bool is_template = i < templates;
    Value* domain = pi->args[0];
    Value* shape = t_.whnf(domain);
    bool dead = pi->mark == Mark::kErased || !live_ ||
                (is_template && (shape->kind == ValueKind::kKind ||
                                 shape->kind == ValueKind::kQuant));
    Term* arg = nullptr;
    {
      Scoped<bool> live(live_, !dead);
      Scoped<std::int64_t> closed(
          closed_from_, is_template && (live_ || pi->mark != Mark::kErased)
                            ? std::int64_t(depth())
                            : closed_from_);
      arg = check(args[i], domain);
    }
    app->kids.push_back(arg);
    app->marks.push_back(pi->mark);
    type = t_.instantiate(pi, t_.delay(arg, env_));
  }
  return {app, type};
}

}  // namespace tine::core
