// Datatypes, constructors and literals as terms.
#include "compiler/core/checker.h"

namespace tine::core {

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
    r = resolve(head->text, head->span);
  if (r.kind != Resolved::kData) {
    if (plus)
      report(Msg::kPlusNotDatatype, node->span, {head->text}).repair =
          "drop the `+`";
    else if (r.kind == Resolved::kDef)
      report(Msg::kTypeArgsOnDef, head->span, {head->text}).repair =
          "write `" + head->text + "(..)`";
    else if (!r.reported)
      report(Msg::kUnknownDatatype, head->span, {head->text}).repair =
          name_like(head->text);
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
    report(Msg::kPlusNotDatatype, node->span, {info.shown}).repair =
        "drop the `+`";
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
    std::string takes = counted(info.params.size() - quants, "argument");
    if (quants > 0)
      takes += ", or " + std::to_string(info.params.size()) +
               " with its quantities";
    report(Msg::kTypeArgCount, node->span,
           {info.shown, takes, std::to_string(given.size())});
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
    params = t_.push(params, t_.delay(arg, env_));
  }
  Value* kind = g_.data(id).kind ? t_.eval(g_.data(id).kind, params)
                                 : unknown();
  return {t, kind};
}

Typed DefChecker::elab_ctor(const Node* node, Value* goal) {
  Ctor id = owner_.resolve_ctor(module_, node->text);
  if (id == Ctor::kNone) {
    Resolved r = resolve(node->text, node->span);
    if (r.kind == Resolved::kData)
      report(Msg::kBracesOnDatatype, node->span, {node->text}).repair =
          "write `" + node->text + "<..>`";
    else if (!r.reported)
      report(Msg::kUnknownCtor, node->span, {node->text}).repair =
          ctor_like(node->text);
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
    diag.observed = info.data == t_.ids().sigma ? "a pair, `A & B`"
                                                : g_.data(info.data).shown;
    return {broken(node->span), goal};
  }
  const std::vector<FieldInfo>& rows = info.fields;
  if (rows.size() != fields.size()) {
    report(Msg::kCtorFieldCount, node->span,
           {info.shown, counted(rows.size(), "field"),
            std::to_string(fields.size())})
        .repair = "write " + written(id, info.shown);
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
    env = t_.push(env, t_.delay(field, env_));
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

namespace {

// The type with all its constructors. In a default arm a variable's type lacks
// those that were handled; what is inferred from it would forbid them to other
// values, which are checked against the datatype alone.
Value* whole(Theory& theory, Value* type) {
  Value* v = theory.whnf(type);
  if (v->kind != ValueKind::kData || !v->removed) return type;
  Value* made = theory.make(ValueKind::kData, {v->args.begin(), v->args.end()});
  made->data = v->data;
  return made;
}

}  // namespace

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
            std::to_string(fields.size())})
        .repair = "write " + written(id, info.shown);
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
    done[i].type = whole(t_, done[i].type);
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
    env = t_.push(env, t_.delay(done[i].term, env_));
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
      mismatch(Msg::kLiteralMismatch, node->span, want, type, {shown},
               literal_hint(node, want));
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

}  // namespace tine::core
