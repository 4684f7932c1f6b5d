// Sugar: operators, arrays, lists, tuples and do blocks, rewritten into calls
// and constructors and elaborated as those.
#include "compiler/core/checker.h"
#include "compiler/core/operators.h"

namespace tine::core {

namespace {
constexpr std::size_t kMaxRepair = 60;  // longer text is no help
}  // namespace

Node* DefChecker::make(NodeKind kind, Span span) {
  Node& node = owner_.nodes_.emplace_back();
  node.kind = kind;
  node.span = span;
  return &node;
}

Node* DefChecker::name_node(const std::string& text, Span span) {
  Node* node = make(NodeKind::kName, span);
  node->text = text;
  return node;
}

Node* DefChecker::call_node(const std::string& head,
                            std::vector<const Node*> args, Span span) {
  Node* call = make(NodeKind::kCall, span);
  call->kids.push_back(name_node(head, span));
  for (const Node* arg : args) call->kids.push_back(const_cast<Node*>(arg));
  return call;
}

// ---- operators ---------------------------------------------------------------

// The name of an operand's type, as far as it is seen without elaborating it;
// "" where it is not.
std::string DefChecker::operand_type(const Node* node) {
  switch (node->kind) {
    case NodeKind::kU32:
      return "U32";
    case NodeKind::kNat:
    case NodeKind::kSucc:
      return "Nat";
    case NodeKind::kF32:
      return "F32";
    case NodeKind::kGroup:
      return operand_type(node->kids[0]);
    case NodeKind::kOp: {
      std::string left = operand_type(node->kids[0]);
      return left.empty() ? operand_type(node->kids[1]) : left;
    }
    case NodeKind::kName: {
      std::optional<std::uint32_t> level = find_local(node->text);
      if (!level) return "";
      Value* type = t_.whnf(ctx_[*level].type);
      bool plain = type->kind == ValueKind::kData && type->args.empty();
      return plain ? g_.data(type->data).shown : "";
    }
    default:
      return "";
  }
}

// What to write in place of an operator that no type reached.
std::string DefChecker::operator_repair(const Node* node) {
  Node typed = *node;
  std::string type = operand_type(node);
  typed.ns = name_node(type, node->span);
  std::string written = tine::show(node);
  bool known = !type.empty() && written.size() <= kMaxRepair &&
               owner_.resolve_global(module_, operator_def(&typed), {}, true)
                       .kind == Resolved::kDef;
  if (known) return "write `(" + written + " : " + type + ")`";
  return "put it into parentheses that name the type, as in `(a " +
         node->text + " b : U32)`";
}

Typed DefChecker::elab_op(const Node* node, Value* goal) {
  const Node* a = node->kids[0];
  const Node* b = node->kids[1];
  const std::string& op = node->text;
  if (op == "<>") {
    Node* ctor = make(NodeKind::kCtor, node->span);
    ctor->text = "Con";
    ctor->kids = {node->kids[0], node->kids[1]};
    return elab_ctor(ctor, goal);
  }
  if (op == "&") return settle(elab_exists("", a, b, node->span), goal,
                               node->span);
  if (op == "|") {
    Node* app = make(NodeKind::kTypeApp, node->span);
    app->kids = {name_node("Either", node->op_span), node->kids[0],
                 node->kids[1]};
    return settle(elab_type_app(app), goal, node->span);
  }
  if (op == "<&>") {
    Term* t = g_.make(TermKind::kMeet, node->span);
    Value* quant = t_.make(ValueKind::kQuant);
    t->kids = {check_dead(a, quant), check_dead(b, quant)};
    return settle({t, quant}, goal, node->span);
  }
  std::string name = operator_def(node);
  if (!name.empty()) {
    Resolved found;
    if (is_method(op))
      found = resolve(name, node->op_span);
    if (is_method(op) && found.kind != Resolved::kDef) {
      if (!found.reported)
        report(Msg::kUnknownOperator, node->op_span, {op, name});
      return {broken(node->span), unknown()};
    }
    Node* call = call_node(name, {a, b}, node->span);
    call->kids[0]->span = node->op_span;
    return elab_call(call, goal);
  }
  std::string repair = operator_repair(node);
  report(Msg::kOperatorNoNamespace, node->op_span, {op}).repair = repair;
  return {broken(node->span), unknown()};
}

// ---- arrays ---------------------------------------------------------------------

Typed DefChecker::elab_array(const Node* node, Value* goal) {
  const auto& kids = node->kids;
  Node* u32 = name_node("U32", node->span);
  Node* call = nullptr;
  switch (node->kind) {
    case NodeKind::kIndex:
      call = call_node("Array.get", {u32, kids[0], kids[1]}, node->span);
      break;
    case NodeKind::kWrite:
      call = call_node("Array.set", {u32, kids[0], kids[1], kids[2]},
                       node->span);
      break;
    case NodeKind::kArrayPow:
      call = call_node("Array.new", {kids[1], kids[2], kids[0]}, node->span);
      break;
    default: {
      const Node* count = kids[2];
      std::uint64_t n = count->num;
      if (count->kind != NodeKind::kNat) {
        report(Msg::kArrayCount, count->span).repair =
            "write `[v : T^d]` for 2^d slots with a computed `d`";
        return {broken(node->span), unknown()};
      }
      if (n == 0 || (n & (n - 1)) != 0) {
        report(Msg::kArrayCountPower, count->span,
               {std::to_string(n) + "n"})
            .repair = "write a power of two such as `4n`";
        return {broken(node->span), unknown()};
      }
      Node* depth = make(NodeKind::kNat, count->span);
      while (n > 1) {
        n >>= 1;
        ++depth->num;
      }
      call = call_node("Array.new", {kids[1], depth, kids[0]}, node->span);
    }
  }
  return elab_call(call, goal);
}

// ---- lists and tuples -------------------------------------------------------------

Typed DefChecker::elab_list(const Node* node, Value* goal) {
  Value* want = goal ? t_.whnf(goal) : nullptr;
  const BaseIds& ids = t_.ids();
  if (want && want->kind == ValueKind::kData && want->data == ids.list &&
      ids.list != Data::kNone) {
    // A loop, since a list may have very many items.
    Scoped<bool> no_match(match_here_, false);
    Term* nil = g_.make(TermKind::kCtor, node->span);
    nil->ctor = ids.nil;
    std::vector<Term*> items;
    for (const Node* item : node->kids)
      items.push_back(check(item, want->args[1]));
    Term* rest = nil;
    for (std::size_t i = items.size(); i-- > 0;) {
      Term* cell = g_.make(TermKind::kCtor, node->kids[i]->span);
      cell->ctor = ids.con;
      cell->kids = {items[i], rest};
      rest = cell;
    }
    return {rest, goal};
  }
  return elab_ctor(list_node(node), goal);
}

// A list literal as its constructors.
Node* DefChecker::list_node(const Node* list) {
  Node* rest = make(NodeKind::kCtor, list->span);
  rest->text = "Nil";
  for (std::size_t i = list->kids.size(); i-- > 0;) {
    Node* cell = make(NodeKind::kCtor, list->span);
    cell->text = "Con";
    cell->kids = {list->kids[i], rest};
    rest = cell;
  }
  return rest;
}

Typed DefChecker::elab_tuple(const Node* node, Value* goal) {
  Node* rest = node->kids.back();
  for (std::size_t i = node->kids.size() - 1; i-- > 0;) {
    Node* pair = make(NodeKind::kCtor, node->span);
    pair->text = "Tuple";
    pair->kids = {node->kids[i], rest};
    rest = pair;
  }
  return elab_ctor(rest, goal);
}

// ---- do blocks ---------------------------------------------------------------------

// M<lead.., result> for a datatype M, M(lead.., result) for a def.
const Node* DefChecker::do_type(const Node* node,
                                const std::vector<const Node*>& lead,
                                const Node* result) {
  Resolved m = owner_.resolve_global(module_, node->text, node->span);
  if (m.kind == Resolved::kData) {
    Node* app = make(NodeKind::kTypeApp, node->span);
    app->kids.push_back(name_node(node->text, node->span));
    for (const Node* q : lead) app->kids.push_back(const_cast<Node*>(q));
    if (result) app->kids.push_back(const_cast<Node*>(result));
    return app;
  }
  std::vector<const Node*> args = lead;
  if (result) args.push_back(result);
  return call_node(node->text, args, node->span);
}

Typed DefChecker::elab_do(const Node* node, Value* goal) {
  Resolved m = resolve(node->text, node->op_span);
  if (m.kind == Resolved::kNothing) {
    if (!m.reported)
      report(Msg::kUnknownName, node->op_span, {node->text}).repair =
          name_like(node->text);
    return {broken(node->span), unknown()};
  }
  std::vector<const Node*> lead(node->kids.begin(), node->kids.end());
  const Node* result = nullptr;
  if (!lead.empty()) {
    result = lead.back();
    lead.pop_back();
  }
  // Missing leading quantities of a datatype are &1.
  if (m.kind == Resolved::kData) {
    owner_.ensure_data(m.data);
    const DataInfo& info = g_.data(m.data);
    std::size_t given = lead.size() + (result ? 1 : 0);
    if (given + info.leading_quants == info.params.size()) {
      std::vector<const Node*> filled;
      for (std::uint32_t i = 0; i < info.leading_quants; ++i) {
        Node* q = make(NodeKind::kQuantity, node->span);
        q->num = 1;
        filled.push_back(q);
      }
      filled.insert(filled.end(), lead.begin(), lead.end());
      lead = std::move(filled);
    }
  }
  auto bind = [&](const Node* type, const Node* value, Binder binder,
                  const Node* rest, Span span) {
    Node* lambda = make(NodeKind::kLambda, binder.span);
    lambda->mark = binder.mark;
    lambda->text = binder.text;
    lambda->kids = {const_cast<Node*>(rest)};
    std::vector<const Node*> args = lead;
    args.push_back(type);
    if (result) args.push_back(result);
    args.push_back(value);
    args.push_back(lambda);
    return call_node(node->text + ".bind", args, span);
  };
  const Node* rest = nullptr;
  for (std::size_t i = node->steps.size(); i-- > 0;) {
    const Step& step = node->steps[i];
    switch (step.kind) {
      case StepKind::kReturn: {
        std::vector<const Node*> args = lead;
        if (result) args.push_back(result);
        args.push_back(step.value);
        rest = call_node(node->text + ".pure", args, step.span);
        break;
      }
      case StepKind::kLast: {
        Node* ann = make(NodeKind::kAnn, step.span);
        ann->kids = {step.value,
                     const_cast<Node*>(do_type(node, lead, result))};
        rest = ann;
        break;
      }
      case StepKind::kBind:
        rest = bind(step.type, step.value, step.binder, rest, step.span);
        break;
      case StepKind::kRun:
      case StepKind::kUnit: {
        Binder ignored;
        ignored.text = "_";
        ignored.span = step.span;
        const Node* type = step.kind == StepKind::kRun
                               ? step.type
                               : name_node("Unit", step.span);
        rest = bind(type, step.value, ignored, rest, step.span);
        break;
      }
      case StepKind::kPure: {
        Node* let = make(NodeKind::kTypedLet, step.span);
        let->binders = {step.binder};
        let->kids = {step.type, step.value, const_cast<Node*>(rest)};
        rest = let;
        break;
      }
    }
  }
  if (!rest) {
    report(Msg::kDoNoValue, node->span);
    return {broken(node->span), unknown()};
  }
  return elab(rest, goal);
}

}  // namespace tine::core
