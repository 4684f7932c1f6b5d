// Patterns: what one says by itself, before the matrix takes it apart.
#include "compiler/core/checker.h"

namespace tine::core {

DefChecker::View DefChecker::view(const Node* p, bool expand) {
  View v;
  v.span = p->span;
  switch (p->kind) {
    case NodeKind::kPVar:
      v.mark = p->mark;
      v.name = p->text;
      return v;
    case NodeKind::kPCtor:
      v.kind = View::kCtor;
      v.ctor = owner_.resolve_ctor(module_, p->text);
      v.subs.assign(p->kids.begin(), p->kids.end());
      return v;
    case NodeKind::kPSucc: {
      if (p->num == 0) return view(p->kids[0], expand);
      v.kind = View::kCtor;
      v.ctor = t_.ids().succ;
      const Node* sub = p->kids[0];
      if (p->num > 1) {
        Node* rest = make(NodeKind::kPSucc, p->span);
        rest->num = p->num - 1;
        rest->kids = p->kids;
        sub = rest;
      }
      v.subs = {sub};
      return v;
    }
    case NodeKind::kPLit:
      break;
    default:
      return v;  // `_`, or what the parser has reported
  }
  const Node* lit = p->kids[0];
  auto sub_literal = [&](NodeKind kind, std::uint64_t num,
                         const std::string& text) {
    Node* inner = make(kind, p->span);
    inner->num = num;
    inner->text = text;
    Node* wrapped = make(NodeKind::kPLit, p->span);
    wrapped->kids = {inner};
    return wrapped;
  };
  if (lit->kind == NodeKind::kNat && (expand || lit->num == 0)) {
    v.kind = View::kCtor;
    v.ctor = lit->num == 0 ? t_.ids().zero : t_.ids().succ;
    if (lit->num > 0)
      v.subs = {sub_literal(NodeKind::kNat, lit->num - 1, "")};
    return v;
  }
  if (lit->kind == NodeKind::kChar && expand) {
    v.kind = View::kCtor;
    v.ctor = t_.ids().chr_of;
    v.subs = {sub_literal(NodeKind::kU32, lit->num, "")};
    return v;
  }
  if (lit->kind == NodeKind::kString) {
    v.kind = View::kCtor;
    if (lit->text.empty()) {
      v.ctor = t_.ids().snil;
      return v;
    }
    v.ctor = t_.ids().scon;
    Term text;  // decode through the theory's view of a string
    text.kind = TermKind::kString;
    text.text = lit->text;
    Ctor id{};
    std::vector<Value*> parts;
    t_.as_ctor(t_.eval(&text, nullptr), id, parts);
    v.subs = {sub_literal(NodeKind::kChar, parts[0]->num, ""),
              sub_literal(NodeKind::kString, 0,
                          lit->text.substr(parts[1]->num))};
    return v;
  }
  v.kind = View::kLiteral;
  v.literal = lit->kind;
  v.num = lit->num;
  return v;
}

// Reports what a pattern gets wrong by itself.
bool DefChecker::check_pattern(const Node* p) {
  if (p->kind == NodeKind::kError) return false;
  if (p->kind == NodeKind::kPVar) {
    if (owner_.resolve_ctor(module_, p->text) == Ctor::kNone) return true;
    report(Msg::kPatternBareCtor, p->span, {p->text}).repair =
        "write " + written(owner_.resolve_ctor(module_, p->text), p->text);
    return false;
  }
  bool number = p->kind == NodeKind::kPSucc || p->kind == NodeKind::kPLit;
  if (number && (t_.ids().succ == Ctor::kNone ||
                 t_.ids().scon == Ctor::kNone ||
                 t_.ids().chr_of == Ctor::kNone)) {
    report(Msg::kNoBase, p->span);
    return false;
  }
  if (p->kind == NodeKind::kPSucc && p->num > kMaxSuccessors) {
    report(Msg::kPatternManySuccessors, p->span,
           {std::to_string(kMaxSuccessors)});
    return false;
  }
  if (p->kind == NodeKind::kPSucc) return check_pattern(p->kids[0]);
  if (p->kind != NodeKind::kPCtor) return true;
  Ctor id = owner_.resolve_ctor(module_, p->text);
  if (id == Ctor::kNone) {
    report(Msg::kPatternUnknownCtor, p->span, {p->text}).repair =
        ctor_like(p->text);
    return false;
  }
  if (!fields_known(g_.ctor(id).data, p->span)) return false;
  std::size_t want = g_.ctor(id).fields.size();
  if (want != p->kids.size()) {
    report(Msg::kPatternFieldCount, p->span,
           {p->text, counted(want, "field"), std::to_string(p->kids.size())})
        .repair = "write " + written(id, p->text);
    return false;
  }
  bool ok = true;
  for (const Node* sub : p->kids) ok &= check_pattern(sub);
  return ok;
}

}  // namespace tine::core
