// Terms: bidirectional elaboration. `elab` with a goal checks, without one
// infers; the type that comes back is the goal where one was given.
#include "compiler/core/checker.h"

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
    mismatch(Msg::kTypeMismatch, span, goal, inferred.type);
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
      report(Msg::kUnsupported, node->span, {"a raw lambda-match"});
      return {broken(node->span), unknown()};
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
  Resolved r = owner_.resolve_global(module_, node->text, node->span);
  if (r.kind == Resolved::kDef) return elab_ref(r.def, node, false);
  if (r.kind == Resolved::kData) return elab_data(r.data, {}, false, node);
  if (!r.reported) {
    Diag& diag = report(Msg::kUnknownName, node->span, {node->text});
    if (owner_.resolve_ctor(module_, node->text) != Ctor::kNone)
      diag.repair = "a constructor needs its braces: `" + node->text + "{}`";
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
    Resolved r = owner_.resolve_global(module_, head->text, head->span);
    if (r.kind == Resolved::kDef) {
      def = r.def;
      f = elab_ref(def, head, !args.empty());
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
        if (i == 0)
          mismatch(Msg::kCallNonFunction, call->kids[0]->span, pi, nullptr);
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
    type = t_.instantiate(pi, t_.eval(arg, env_));
  }
  return {app, type};
}

// ---- datatypes and constructors -----------------------------------------------------

Typed DefChecker::elab_type_app(const Node* node) {
  bool plus = node->kind == NodeKind::kPlus;
  const Node* inner = plus ? node->kids[0] : node;
  while (plus && inner->kind == NodeKind::kGroup) inner = inner->kids[0];
  const Node* head =
      inner->kind == NodeKind::kTypeApp ? inner->kids[0] : inner;
  if (head->kind != NodeKind::kName) {
    report(plus ? Msg::kPlusOnTerm : Msg::kTypeArgsOnDef, head->span, {"this"});
    return {broken(node->span), unknown()};
  }
  Resolved r;
  if (!find_local(head->text))
    r = owner_.resolve_global(module_, head->text, head->span);
  if (r.kind != Resolved::kData) {
    if (plus)
      report(Msg::kPlusNotDatatype, node->span, {head->text});
    else if (r.kind == Resolved::kDef)
      report(Msg::kTypeArgsOnDef, head->span, {head->text}).repair =
          "write `" + head->text + "(..)`";
    else if (!r.reported)
      report(Msg::kUnknownDatatype, head->span, {head->text});
    return {broken(node->span), unknown()};
  }
  std::vector<const Node*> args;
  if (inner->kind == NodeKind::kTypeApp)
    args.assign(inner->kids.begin() + 1, inner->kids.end());
  return elab_data(r.data, args, plus, node);
}

Typed DefChecker::elab_data(Data id, const std::vector<const Node*>& given,
                            bool plus, const Node* node) {
  owner_.ensure_data(id);
  uses(id);
  const DataInfo& info = g_.data(id);
  if (!info.kind) {
    report(Msg::kSignatureCycle, node->span, {info.shown});
    return {broken(node->span), unknown()};
  }
  std::size_t quants = info.leading_quants;
  if (plus && quants == 0) {
    report(Msg::kPlusNotDatatype, node->span, {info.shown});
    plus = false;
  }
  std::vector<const Node*> args = given;
  auto quantity = [&](std::uint64_t q) {
    Node* n = make(NodeKind::kQuantity, node->span);
    n->num = q;
    return n;
  };
  bool bare = given.empty() && !info.params.empty() && !plus &&
              info.params.size() != quants;
  if (bare) {
    report(Msg::kBareDatatype, node->span, {info.shown}).repair =
        "write `" + info.shown + "<..>`";
    return {broken(node->span), unknown()};
  }
  if (args.size() + quants == info.params.size())
    for (std::size_t i = 0; i < quants; ++i)
      args.insert(args.begin(), quantity(plus ? 2 : 1));
  else if (plus && args.size() == info.params.size())
    for (std::size_t i = 0; i < quants; ++i) args[i] = quantity(2);
  if (args.size() != info.params.size()) {
    report(Msg::kTypeArgCount, node->span,
           {info.shown, counted(info.params.size() - quants, "argument"),
            std::to_string(given.size())});
    return {broken(node->span), unknown()};
  }
  Term* t = g_.make(TermKind::kData, node->span);
  t->data = id;
  const Env* params = nullptr;
  Scoped<bool> dead(live_, false);
  for (std::size_t i = 0; i < args.size(); ++i) {
    Value* type = t_.eval(g_.data(id).params[i].type, params);
    Term* arg = check(args[i], type);
    t->kids.push_back(arg);
    params = t_.push(params, t_.eval(arg, env_));
  }
  Value* kind = g_.data(id).kind ? t_.eval(g_.data(id).kind, params)
                                 : unknown();
  return {t, kind};
}

Typed DefChecker::elab_ctor(const Node* node, Value* goal) {
  Ctor id = owner_.resolve_ctor(module_, node->text);
  if (id == Ctor::kNone) {
    Resolved r = owner_.resolve_global(module_, node->text, node->span);
    if (r.kind == Resolved::kData)
      report(Msg::kBracesOnDatatype, node->span, {node->text}).repair =
          "write `" + node->text + "<..>`";
    else if (!r.reported)
      report(Msg::kUnknownCtor, node->span, {node->text});
    return {broken(node->span), unknown()};
  }
  std::vector<const Node*> fields(node->kids.begin(), node->kids.end());
  if (!goal) return infer_ctor(id, fields, false, node);
  return ctor_at(id, fields, goal, node);
}

Typed DefChecker::ctor_at(Ctor id, const std::vector<const Node*>& fields,
                          Value* goal, const Node* node) {
  Value* want = t_.whnf(goal);
  const CtorInfo& info = g_.ctor(id);
  if (is_unknown(want)) return {broken(node->span), goal};
  if (!fields_known(info.data, node->span))
    return {broken(node->span), goal};
  if (want->kind != ValueKind::kData || want->data != info.data) {
    std::string expected = show(want);
    Diag& diag = report(want->kind == ValueKind::kData
                            ? Msg::kCtorWrongDatatype
                            : Msg::kCtorNotDatatype,
                        node->span, {info.shown});
    diag.expected = expected;
    diag.observed = g_.data(info.data).shown;
    return {broken(node->span), goal};
  }
  const std::vector<FieldInfo>& rows = info.fields;
  if (rows.size() != fields.size()) {
    report(Msg::kCtorFieldCount, node->span,
           {info.shown, counted(rows.size(), "field"),
            std::to_string(fields.size())});
    return {broken(node->span), goal};
  }
  Term* t = g_.make(TermKind::kCtor, node->span);
  t->ctor = id;
  const Env* env = nullptr;
  for (Value* arg : want->args) env = t_.push(env, arg);
  Scoped<bool> no_match(match_here_, false);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Value* type = t_.eval(rows[i].type, env);
    Term* field = rows[i].mark == Mark::kErased
                      ? check_dead(fields[i], type)
                      : check(fields[i], type);
    t->kids.push_back(field);
    env = t_.push(env, t_.eval(field, env_));
  }
  return {t, goal};
}

// A constructor has no meaning inside the fields of its own datatype.
bool DefChecker::fields_known(Data data, Span span) {
  owner_.ensure_fields(data);
  if (owner_.fields_done_[index(data)] == Progress::kDone) return true;
  report(Msg::kSignatureCycle, span, {g_.data(data).shown});
  return false;
}

// A constructor without a goal, as a let's value: quantities are &1 (&2 under
// `+`), type parameters are read off the fields that have them as their type.
Typed DefChecker::infer_ctor(Ctor id, const std::vector<const Node*>& fields,
                             bool plus, const Node* node) {
  if (!fields_known(g_.ctor(id).data, node->span))
    return {broken(node->span), unknown()};
  const CtorInfo& info = g_.ctor(id);
  const DataInfo& data = g_.data(info.data);
  if (info.fields.size() != fields.size()) {
    report(Msg::kCtorFieldCount, node->span,
           {info.shown, counted(info.fields.size(), "field"),
            std::to_string(fields.size())});
    return {broken(node->span), unknown()};
  }
  std::vector<Value*> args(data.params.size(), nullptr);
  for (std::uint32_t i = 0; i < data.leading_quants; ++i)
    args[i] = t_.word(ValueKind::kQty, plus ? 2 : 1);
  std::size_t n = data.params.size();
  std::vector<Typed> done(fields.size());
  // The parameter that the type of field `i` is, or -1.
  auto parameter = [&](std::size_t i) -> std::int64_t {
    const Term* type = info.fields[i].type;
    if (type->kind == TermKind::kApp) type = type->kids[0];
    if (type->kind != TermKind::kVar || type->num < i) return -1;
    std::size_t back = type->num - i;
    return back < n ? std::int64_t(n - 1 - back) : -1;
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::int64_t p = parameter(i);
    if (p < 0 || args[p]) continue;
    const Node* field = fields[i];
    bool nested = field->kind == NodeKind::kCtor &&
                  owner_.resolve_ctor(module_, field->text) != Ctor::kNone;
    done[i] = nested
                  ? infer_ctor(owner_.resolve_ctor(module_, field->text),
                               {field->kids.begin(), field->kids.end()}, plus,
                               field)
                  : elab(field, nullptr);
    if (info.fields[i].type->kind == TermKind::kApp) {
      Value* constant = t_.make(ValueKind::kLam);
      Term* var = g_.make(TermKind::kVar);
      var->num = 1;
      constant->term = var;
      constant->text = &g_.data(info.data).params[p].text;
      constant->env = t_.push(nullptr, done[i].type);
      args[p] = constant;
    } else {
      args[p] = done[i].type;
    }
  }
  for (Value* arg : args)
    if (!arg) {
      report(Msg::kCannotInfer, node->span, {"`" + info.shown + "{..}`"})
          .repair = "annotate it: `{" + info.shown + "{..} : T}`";
      return {broken(node->span), unknown()};
    }
  if (!args_fit(info.data, args, node->span))
    return {broken(node->span), unknown()};
  Value* type = t_.make(ValueKind::kData, args);
  type->data = info.data;
  Term* t = g_.make(TermKind::kCtor, node->span);
  t->ctor = id;
  const Env* env = nullptr;
  for (Value* arg : args) env = t_.push(env, arg);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!done[i].term)
      done[i].term = check(fields[i], t_.eval(info.fields[i].type, env));
    t->kids.push_back(done[i].term);
    env = t_.push(env, t_.eval(done[i].term, env_));
  }
  // Keep the type with the term: nothing else would tell it later.
  Term* ann = g_.make(TermKind::kAnn, node->span);
  ann->kids = {t, t_.quote(type, depth(), false)};
  return {ann, type};
}

// Do inferred type arguments fit the kinds of their parameters?
bool DefChecker::args_fit(Data data, const std::vector<Value*>& args,
                          Span span) {
  const Env* env = nullptr;
  for (std::size_t p = 0; p < args.size(); ++p) {
    Value* want = t_.whnf(t_.eval(g_.data(data).params[p].type, env));
    Value* type = args[p];
    if (want->kind == ValueKind::kPi) {  // a family: its constant body
      want = t_.whnf(t_.instantiate(want, t_.var(depth())));
      type = t_.apply(type, t_.var(depth()));
    }
    if (want->kind == ValueKind::kKind && !is_unknown(type) &&
        !quantity_fits(kind_of(type), want->args[0])) {
      std::string shown = show(type), wanted = show(want);
      Diag& diag = report(Msg::kKindTooSmall, span);
      diag.expected = "a type of kind " + wanted;
      diag.observed = shown;
      return false;
    }
    env = t_.push(env, args[p]);
  }
  return true;
}

Typed DefChecker::elab_literal(const Node* node, Value* goal) {
  const BaseIds& ids = t_.ids();
  Data data = Data::kNone;
  TermKind kind{};
  switch (node->kind) {
    case NodeKind::kU32: data = ids.u32; kind = TermKind::kU32; break;
    case NodeKind::kF32: data = ids.f32; kind = TermKind::kF32; break;
    case NodeKind::kChar: data = ids.chr; kind = TermKind::kChar; break;
    case NodeKind::kString: data = ids.string; kind = TermKind::kString; break;
    default: data = ids.nat; kind = TermKind::kNat; break;
  }
  if (data == Data::kNone) {
    report(Msg::kNoBase, node->span);
    return {broken(node->span), unknown()};
  }
  uses(data);
  Value* type = t_.make(ValueKind::kData);
  type->data = data;
  if (goal && !is_unknown(goal)) {
    Value* want = t_.whnf(goal);
    if (want->kind != ValueKind::kData || want->data != data) {
      std::string shown = tine::show(node);
      if (shown.size() > 40) shown = shown.substr(0, 37) + "..";
      mismatch(Msg::kLiteralMismatch, node->span, want, type, {shown});
      return {broken(node->span), goal};
    }
  }
  Term* t = g_.make(kind, node->span);
  t->num = node->num;
  t->text = node->text;
  if (node->kind == NodeKind::kSucc) {
    Scoped<bool> no_match(match_here_, false);
    Term* inner = check(node->kids[0], type);
    if (node->num == 0) return {inner, type};
    if (inner->kind == TermKind::kNat) {
      t->num += inner->num;
    } else if (inner->kind == TermKind::kSucc) {
      t->kind = TermKind::kSucc;
      t->num += inner->num;
      t->kids = inner->kids;
    } else {
      t->kind = TermKind::kSucc;
      t->kids = {inner};
    }
  }
  return {t, goal ? goal : type};
}

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
    Scoped<bool> no_match(match_here_, false);
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
    Node* rest = make(NodeKind::kCtor, plain->span);
    rest->text = "Nil";
    for (std::size_t i = plain->kids.size(); i-- > 0;) {
      Node* cell = make(NodeKind::kCtor, plain->span);
      cell->text = "Con";
      cell->kids = {plain->kids[i], rest};
      rest = cell;
    }
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
                        t_.eval(values[i].term, outside));
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

void DefChecker::warn_let(const Local& local, const Term* value) {
  if (!live_ || local.mentioned || local.span.file == kNoFile) return;
  if (self_ != Def::kNone && g_.def(self_).is_base) return;
  std::string lost = lost_effect(g_, value);
  if (lost.empty()) return;
  report(Msg::kUnusedLetDropped, local.span, {local.name, lost});
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
         t_.eval(values[i].term, outside));
  }
  Typed body = elab(node->kids.back(), goal);
  t->kids.push_back(body.term);
  std::vector<bool> used(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    used[i] = ctx_[depth() - values.size() + i].uses > 0;
  bool base = self_ != Def::kNone && g_.def(self_).is_base;
  if (live_ && !base) {
    std::string why = forks_not(t, used);
    if (!why.empty()) report(Msg::kLetDoesNotFork, node->span, {why});
  }
  for (std::size_t i = 0; i < values.size(); ++i) pop();
  return {t, goal ? goal : body.type};
}

// ---- equations and holes -------------------------------------------------------------

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
