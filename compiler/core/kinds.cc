// Kinds and the "fits" relation of language.md 3.3 and 3.6.
#include "compiler/core/checker.h"

namespace tine::core {

// The type of a neutral value that is itself a type, by its head.
Value* DefChecker::neutral_type(Value* v) {
  Value* type = nullptr;
  std::size_t from = 0;
  if (v->kind == ValueKind::kVar) {
    if (v->level >= ctx_.size()) return nullptr;
    type = ctx_[v->level].type;
  } else if (v->kind == ValueKind::kStuck) {
    owner_.ensure_signature(v->def);
    if (!g_.def(v->def).type) return nullptr;
    type = t_.eval(g_.def(v->def).type, nullptr);
  } else {
    return nullptr;
  }
  for (std::size_t i = from; i < v->args.size(); ++i) {
    type = t_.whnf(type);
    if (type->kind != ValueKind::kPi) return nullptr;
    type = t_.instantiate(type, v->args[i]);
  }
  return t_.whnf(type);
}

Value* DefChecker::kind_of(Value* type) {
  Value* v = t_.whnf(type);
  auto constant = [&](std::uint32_t q) {
    return t_.word(ValueKind::kQty, q);
  };
  switch (v->kind) {
    case ValueKind::kEqual:
      return constant(2);
    case ValueKind::kData: {
      owner_.ensure_data(v->data);
      const DataInfo& info = g_.data(v->data);
      const Env* env = nullptr;
      for (Value* arg : v->args) env = t_.push(env, arg);
      if (!info.kind) return constant(2);
      Value* kind = t_.whnf(t_.eval(info.kind, env));
      return kind->kind == ValueKind::kKind ? t_.whnf(kind->args[0])
                                            : constant(1);
    }
    case ValueKind::kVar:
    case ValueKind::kStuck: {
      Value* kind = neutral_type(v);
      if (kind && kind->kind == ValueKind::kKind)
        return t_.whnf(kind->args[0]);
      return constant(1);
    }
    case ValueKind::kHole:
      return constant(2);  // already reported
    default:
      return constant(1);
  }
}

bool DefChecker::quantity_fits(Value* have, Value* need) {
  have = t_.whnf(have);
  need = t_.whnf(need);
  auto is = [](const Value* v, std::uint64_t q) {
    return v->kind == ValueKind::kQty && v->num == q;
  };
  if (is(have, 2) || is(need, 0) || is(need, 1)) return true;
  if (have->kind == ValueKind::kHole || need->kind == ValueKind::kHole)
    return true;
  if (t_.convertible(have, need, depth())) return true;
  if (have->kind == ValueKind::kMeet)
    return quantity_fits(have->args[0], need) &&
           quantity_fits(have->args[1], need);
  if (need->kind == ValueKind::kMeet)
    return quantity_fits(have, need->args[0]) ||
           quantity_fits(have, need->args[1]);
  return false;
}

bool DefChecker::is_data(Value* type) {
  return quantity_fits(kind_of(type), t_.word(ValueKind::kQty, 2));
}

// In an unsafe def `+` on an array is a fork.
bool DefChecker::may_reuse(Value* type) {
  if (is_unknown(type) || is_data(type)) return true;
  Value* v = t_.whnf(type);
  return unsafe_ && v->kind == ValueKind::kData && v->data == t_.ids().array;
}

void DefChecker::need_data(const std::string& name, Value* type, Span span,
                           bool parameter) {
  if (may_reuse(type)) return;
  std::string shown = show(type);
  Diag& diag = report(Msg::kPlusNotData, span, {name});
  diag.observed = shown;
  diag.repair = reuse_hint(name, type, parameter, true);
  if (diag.repair.empty()) diag.repair = "drop the `+`, and use it once";
}

bool DefChecker::is_type_of_types(Value* type) {
  Value* v = t_.whnf(type);
  return v->kind == ValueKind::kKind || v->kind == ValueKind::kHole;
}

bool DefChecker::fits(Value* have, Value* need) {
  if (have == need) return true;
  if (t_.convertible(have, need, depth())) return true;
  Value* a = t_.whnf(have);
  Value* b = t_.whnf(need);
  if (is_unknown(a) || is_unknown(b)) return true;
  if (a->kind != b->kind) return false;
  if (a->kind == ValueKind::kKind)
    return quantity_fits(a->args[0], b->args[0]);
  if (a->kind == ValueKind::kData && a->data == b->data) {
    if (!subset(b->removed, a->removed)) return false;
    for (std::size_t i = 0; i < a->args.size(); ++i)
      if (!t_.convertible(a->args[i], b->args[i], depth())) return false;
    return true;
  }
  if (a->kind == ValueKind::kPi && a->mark == b->mark) {
    if (!fits(b->args[0], a->args[0])) return false;
    std::uint32_t level = depth();
    Value* x = t_.var(level);
    push("", a->mark, b->args[0], {});
    bool ok = fits(t_.instantiate(a, x), t_.instantiate(b, x));
    pop();
    return ok;
  }
  return false;
}

}  // namespace tine::core
