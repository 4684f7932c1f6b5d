// Coverage: what a match misses, and when it may.
#include <algorithm>

#include "compiler/core/checker.h"

namespace tine::core {

// A pattern that the opened columns below `level` describe.
std::string DefChecker::witness(std::uint32_t level) {
  const Local& local = ctx_[level];
  if (!local.opened || local.ctor == Ctor::kNone) return "_";
  const BaseIds& ids = t_.ids();
  const CtorInfo& info = g_.ctor(local.ctor);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < info.fields.size(); ++i)
    parts.push_back(i < local.fields.size() ? witness(local.fields[i]) : "_");
  if (local.ctor == ids.zero) return "0n";
  if (local.ctor == ids.succ) return "1n+" + parts[0];
  if (local.ctor == ids.nil) return "[]";
  if (local.ctor == ids.con) return parts[0] + " <> " + parts[1];
  if (local.ctor == ids.tuple) return "(" + parts[0] + ", " + parts[1] + ")";
  std::string out = info.shown + "{";
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += (i ? ", " : "") + parts[i];
  return out + "}";
}

// No row is left: an error, unless some live variable has no constructor. The
// innermost is taken, which in a raw match is the matched one.
Term* DefChecker::missing(const Node* node, Value* goal) {
  (void)goal;
  std::int64_t erased = -1;  // an empty value that is not there at run time
  for (std::uint32_t level = depth(); level-- > 0;) {
    const Local& local = ctx_[level];
    if (local.opened) continue;
    Value* type = t_.whnf(local.type);
    if (type->kind != ValueKind::kData) continue;
    owner_.ensure_fields(type->data);
    const std::vector<Ctor>& all = g_.data(type->data).ctors;
    if (std::any_of(all.begin(), all.end(), [&](Ctor id) {
          return !has_tag(type->removed, g_.ctor(id).tag);
        })) {
      continue;
    }
    if (live_ && local.mark == Mark::kErased) {
      if (erased < 0) erased = level;
      continue;
    }
    Term* t = g_.make(TermKind::kMatch, node->span);
    t->kids = {use(level, node->span)};
    return t;
  }
  if (erased >= 0 && node->kind == NodeKind::kMatch && node->cases.empty()) {
    std::uint32_t level = std::uint32_t(erased);
    explain_erased(
        report(Msg::kMatchErased, node->kids[0]->span, {quoted(level)}),
        level);
    return broken(node->span);
  }
  std::string shown;
  std::vector<const Node*> scrutinees;
  if (node->kind == NodeKind::kMatch)
    scrutinees.assign(node->kids.begin(), node->kids.end());
  else
    scrutinees = {node->kids[1]};
  for (const Node* s : scrutinees) {
    auto level = s->kind == NodeKind::kName ? find_local(s->text)
                                            : std::nullopt;
    std::string part = level ? witness(*level) : "_";
    if (!level && scrutinees.size() == 1) {
      for (std::uint32_t i = 0; i < depth(); ++i)
        if (ctx_[i].name == "the matched value") part = witness(i);
    }
    shown += (shown.empty() ? "" : ", ") + part;
  }
  Span span = node->kids[0]->span;
  if (node->kind == NodeKind::kMatch)
    span = {node->op_span.file, node->op_span.begin,
            node->kids.back()->span.end};
  report(Msg::kMissingCases, span, {"`case " + shown + "`"}).repair =
      "add `case " + shown + ":`";
  return broken(node->span);
}

}  // namespace tine::core
