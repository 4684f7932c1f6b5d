// Raw matches: a function that matches its argument, `\{K: f; L: g; rest}`.
// An arm is a function of the constructor's fields, `rest` one of the value.
//
//   \{Zero: 0n; Succ: p => p}   ==>   x => match x: case Zero{}: 0n
//                                                   case Succ{p}: p
//
// The lambdas in front of an arm become the names of its pattern. An arm that
// has fewer of them than fields is applied to the others; a raw match among
// them, whose type cannot be inferred, becomes a match of its field. Names
// that are made here hold a space, so that no program can write them.
#include <set>

#include "compiler/core/checker.h"

namespace tine::core {

namespace {

const Node* bare(const Node* node) {
  while (node->kind == NodeKind::kGroup) node = node->kids[0];
  return node;
}

// The name that a lambda binds, with its mark.
Span binder_span(const Node* lambda) {
  std::size_t size = lambda->text.size() + (lambda->mark == Mark::kReuse);
  return {lambda->span.file, lambda->span.begin,
          lambda->span.begin + std::uint32_t(size)};
}

}  // namespace

std::string DefChecker::fresh_name() {
  return "_ value " + std::to_string(++fresh_);
}

// A term as it stands in a lambda: no match of the program's own may follow.
Node* DefChecker::closed_body(const Node* term) {
  Node* group = make(NodeKind::kGroup, term->span);
  group->kids = {const_cast<Node*>(term)};
  return group;
}

// `f` applied to names: `f` may be a lambda or a raw match.
Node* DefChecker::apply_to(const Node* f, std::vector<std::string> names) {
  const Node* head = bare(f);
  if (names.empty()) {
    return head->kind == NodeKind::kRawMatch ? const_cast<Node*>(head)
                                             : closed_body(f);
  }
  if (head->kind == NodeKind::kRawMatch) return match_names(head, names);
  if (head->kind == NodeKind::kLambda) {
    Node* let = make(NodeKind::kLet, head->span);
    let->binders.push_back({head->mark, head->text, binder_span(head)});
    let->kids = {name_node(names[0], head->span)};
    names.erase(names.begin());
    let->kids.push_back(apply_to(head->kids[0], std::move(names)));
    return let;
  }
  Node* call = make(NodeKind::kCall, f->span);
  call->kids = {const_cast<Node*>(f)};
  for (const std::string& name : names)
    call->kids.push_back(name_node(name, f->span));
  return closed_body(call);
}

// A variable pattern for the next argument of `f`, which moves on to the body
// of its lambda; a new name, to be applied later, where it has none.
Node* DefChecker::peel(const Node*& f, std::vector<std::string>& rest) {
  const Node* head = bare(f);
  bool named = head->kind == NodeKind::kLambda;
  Node* pattern =
      make(NodeKind::kPVar, named ? binder_span(head) : head->span);
  if (rest.empty() && head->kind == NodeKind::kLambda) {
    pattern->mark = head->mark;
    pattern->text = head->text;
    if (head->text == "_") pattern->kind = NodeKind::kPWild;
    f = head->kids[0];
  } else {
    pattern->text = fresh_name();
    rest.push_back(pattern->text);
  }
  return pattern;
}

// `case K{fields}: f(fields, names)`.
Case DefChecker::raw_case(const Node* ctor, const Node* f,
                          const std::vector<std::string>& names) {
  Case out;
  out.span = ctor->span;
  Node* pattern = make(NodeKind::kPCtor, ctor->span);
  pattern->text = ctor->text;
  out.patterns = {pattern};
  std::vector<std::string> rest;
  Ctor id = owner_.resolve_ctor(module_, ctor->text);
  if (id != Ctor::kNone && fields_known(g_.ctor(id).data, ctor->span)) {
    std::size_t fields = g_.ctor(id).fields.size();
    for (std::size_t i = 0; i < fields; ++i)
      pattern->kids.push_back(peel(f, rest));
  }
  rest.insert(rest.end(), names.begin(), names.end());
  out.body = apply_to(f, std::move(rest));
  return out;
}

// A match of the first name whose arms take the others.
Node* DefChecker::match_names(const Node* raw,
                              std::vector<std::string> names) {
  Node* match = make(NodeKind::kMatch, raw->span);
  match->op_span = raw->span;
  match->kids = {name_node(names[0], raw->span)};
  names.erase(names.begin());
  std::set<std::string> seen;
  std::size_t i = 0;
  for (; i + 1 < raw->kids.size(); i += 2) {
    const Node* ctor = raw->kids[i];
    if (!seen.insert(ctor->text).second)
      report(Msg::kCaseWrongType, ctor->span, {ctor->text}).repair =
          "an arm before takes it";
    match->cases.push_back(raw_case(ctor, raw->kids[i + 1], names));
  }
  if (i < raw->kids.size()) {
    const Node* f = raw->kids[i];
    Case rest;
    rest.span = f->span;
    std::vector<std::string> taken;
    rest.patterns = {peel(f, taken)};
    taken.insert(taken.end(), names.begin(), names.end());
    rest.body = apply_to(f, std::move(taken));
    match->cases.push_back(std::move(rest));
  }
  return match;
}

Typed DefChecker::elab_raw_match(const Node* node, Value* goal) {
  if (!goal) {
    report(Msg::kCannotInfer, node->span, {"a raw match"}).repair =
        "annotate it: `{\\{..} : A -> B}`";
    return {broken(node->span), unknown()};
  }
  Node* lambda = make(NodeKind::kLambda, node->span);
  lambda->text = fresh_name();
  lambda->num = 1;  // its match may stand here
  lambda->kids = {match_names(node, {lambda->text})};
  return elab_lambda(lambda, goal);
}

}  // namespace tine::core
