// Termination: a self-call must descend. Its arguments are compared with the
// def's parameters as the enclosing matches have refined them, left to right:
// each equal until one is strictly smaller; the rest are free.
#include "compiler/core/checker.h"

namespace tine::core {

// Annotations and let-bound aliases do not matter.
const Term* DefChecker::look_through(const Term* arg) const {
  while (arg->kind == TermKind::kAnn) arg = arg->kids[0];
  return arg;
}

namespace {

// The level a variable term stands for, lets by another name looked through.
std::uint32_t resolve_alias(const std::vector<Local>& ctx, const Term* var) {
  std::uint32_t level =
      static_cast<std::uint32_t>(ctx.size() - 1 - var->num);
  while (ctx[level].alias >= 0)
    level = static_cast<std::uint32_t>(ctx[level].alias);
  return level;
}

}  // namespace

// Is `arg` equal to, or part of, a field of the matched variable?
bool DefChecker::below(const Term* arg, std::uint32_t level) {
  const Local& local = ctx_[level];
  if (!local.opened) return false;
  for (std::uint32_t field : local.fields) {
    Order order = compare(arg, field);
    if (order != Order::kOther) return true;
  }
  return false;
}

DefChecker::Order DefChecker::compare(const Term* arg, std::uint32_t level) {
  arg = look_through(arg);
  const Local& column = ctx_[level];
  if (arg->kind == TermKind::kVar &&
      resolve_alias(ctx_, arg) == level)
    return Order::kEqual;
  if (!column.opened) return Order::kOther;
  // The argument is a constructor of the column's shape: field by field.
  bool same = arg->kind == TermKind::kCtor && arg->ctor == column.ctor;
  std::vector<const Term*> fields(arg->kids.begin(), arg->kids.end());
  Term rest;  // the predecessor of a successor term
  if (arg->kind == TermKind::kSucc && column.ctor == t_.ids().succ) {
    same = true;
    rest = *arg;
    --rest.num;
    fields = {rest.num == 0 ? arg->kids[0] : &rest};
  } else if (arg->kind == TermKind::kNat && column.ctor != Ctor::kNone &&
             (column.ctor == t_.ids().succ || column.ctor == t_.ids().zero)) {
    bool zero = arg->num == 0;
    same = (column.ctor == t_.ids().zero) == zero;
    rest = *arg;
    if (!zero) --rest.num;
    fields.clear();
    if (!zero) fields = {&rest};
  }
  if (arg->kind == TermKind::kNat && column.literal >= 0) {
    std::uint64_t n = std::uint64_t(column.literal);
    return arg->num < n    ? Order::kSmaller
           : arg->num == n ? Order::kEqual
                           : Order::kOther;
  }
  if (same && fields.size() == column.fields.size()) {
    bool smaller = false;
    bool ok = true;
    for (std::size_t i = 0; ok && i < fields.size(); ++i) {
      if (ctx_[column.fields[i]].mark == Mark::kErased) continue;
      Order order = compare(fields[i], column.fields[i]);
      ok = order != Order::kOther;
      smaller |= order == Order::kSmaller;
    }
    if (ok) return smaller ? Order::kSmaller : Order::kEqual;
  }
  return below(arg, level) ? Order::kSmaller : Order::kOther;
}

// The parameter from `from` on whose argument shrinks; "" when none does.
std::string DefChecker::shrinks_late(const Term* call, std::size_t from) {
  const DefInfo& def = g_.def(self_);
  std::size_t given = call->kids.size() - 1;
  for (std::size_t i = from; i < given && i < def.params.size(); ++i) {
    std::size_t at = i - def.templates;
    if (at >= params_.size()) break;
    bool erased = def.params[i].mark == Mark::kErased;
    if (!erased && compare(call->kids[i + 1], params_[at]) == Order::kSmaller)
      return def.params[i].text;
  }
  return "";
}

void DefChecker::check_descent(const Term* call, Span span) {
  const DefInfo& def = g_.def(self_);
  std::size_t given = call->kind == TermKind::kApp ? call->kids.size() - 1 : 0;
  if (given <= def.templates && !params_.empty()) {
    report(Msg::kBareSelf, span, {def.shown});
    return;
  }
  std::string culprit, late, hint, same;
  for (std::size_t i = def.templates; i < given && i < def.params.size();
       ++i) {
    std::size_t at = i - def.templates;
    if (at >= params_.size()) break;
    if (def.params[i].mark == Mark::kErased) continue;
    Order order = compare(call->kids[i + 1], params_[at]);
    if (order == Order::kSmaller) return;
    if (order == Order::kEqual && same.empty() && ctx_[params_[at]].opened)
      same = def.params[i].text;
    if (order == Order::kOther) {
      culprit = def.params[i].text;
      late = shrinks_late(call, i + 1);
      hint = descent_hint(call->kids[i + 1], params_[at]);
      break;
    }
  }
  Diag& diag = report(Msg::kNoDescent, span, {def.shown});
  if (!culprit.empty())
    diag.notes.push_back(
        {Span{}, "its argument for `" + culprit +
                     "` is neither the parameter itself nor a part of it"});
  else
    diag.notes.push_back({Span{}, "none of its arguments is smaller"});
  if (!late.empty()) {
    diag.repair = "`" + late + "` shrinks: put it before `" + culprit +
                  "` in the parameters";
    return;
  }
  if (!same.empty()) {
    diag.repair = "`" + same + "` is passed on as it is: pass a part of it " +
                  "that a pattern names, as `p` in `case 1n+p`, or mark the " +
                  "def `@unsafe`";
    return;
  }
  diag.repair = hint.empty() ? "pass a part of a matched parameter that a "
                               "pattern names, as `p` in `case 1n+p`, or "
                               "mark the def `@unsafe`"
                             : hint;
}

}  // namespace tine::core
