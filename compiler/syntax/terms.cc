// Terms: operators by precedence, suffixes, type arguments, lambdas.
//
//   term    ::= operand (infix operand)*          by level, see operators.h
//   operand ::= atom (call | index | write)*
//
// The operators of one term wait on an explicit stack (`pending_` from `base`
// up), so a chain of any length costs no recursion. An operator of level n is
// taken only when n >= min; T(n) of the grammar is parse_term(n).
//
// Newlines: `(` and `[` that are first on their line do not continue a term;
// infix operators do.
//
// `<` is either a comparison or the start of type arguments. One operand is
// parsed at level 5; when `>` or `,` follows, it was the first type argument.
// Otherwise that same operand is the right side of a comparison: a comparison
// takes exactly level 5 there, so nothing has to be parsed again.
#include <algorithm>

#include "compiler/syntax/parser.h"

namespace tine {

Node* Parser::parse_term(int min) {
  const Deeper deeper(*this);
  if (!enter_nesting()) return error_node();
  const std::size_t base = pending_.size();
  Node* right = parse_operand();
  while (take_infix(min, base, right)) {
  }
  return reduce(base, -1, false, right);
}

// Takes what continues the term behind `right`; false at its end.
bool Parser::take_infix(int min, std::size_t base, Node*& right) {
  if (at(Tok::kFatArrow) && min == 0) {
    right = reduce(base, kArrowLevel, true, right);
    right = parse_lambda(right);
    return false;
  }
  if (!at(Tok::kOp)) return false;
  const Token op = peek();
  const Operator& row = kOperators[op.op];
  if (op.op == kOpLess && (op.glued || min <= kCompareLevel)) {
    parse_less(min, base, right);
    return true;
  }
  if (row.level < min) return false;
  if (context_.greater_closes && row.text == ">") return false;
  take();
  Node* left = reduce(base, row.level, row.right, right);
  pending_.push_back({left, op});
  right = parse_operand();
  return true;
}

// Joins the waiting operators that bind before one of `level`.
Node* Parser::reduce(std::size_t base, int level, bool right_assoc,
                     Node* right) {
  while (pending_.size() > base) {
    const Pending& top = pending_.back();
    const int waiting = kOperators[top.op.op].level;
    if (waiting < level || (waiting == level && right_assoc)) break;
    right = make_operation(top.op, top.left, right);
    pending_.pop_back();
  }
  return right;
}

Node* Parser::make_operation(const Token& op, Node* left, Node* right) {
  const bool arrow = op.op == kOpArrow;
  const Span span{file_, left->span.begin,
                  std::max(left->span.end, right->span.end)};
  Node* node = make(arrow ? NodeKind::kArrow : NodeKind::kOp, span,
                    {left, right});
  node->op_span = span_of(op);
  if (!arrow) node->text = kOperators[op.op].text;
  return node;
}

// Type arguments
// --------------

void Parser::parse_less(int min, std::size_t base, Node*& right) {
  const Token less = peek();
  const std::size_t at_less = pos_;
  if (!less.glued) right = reduce(base, kCompareLevel, false, right);
  take();
  Node* operand = parse_term(kTypeArgLevel);
  if (at(Tok::kComma) || closes_type_args()) {
    set_role(TokenRole::kTypeOpen, at_less);
    right = parse_suffixes(finish_type_args(right, less, operand));
    return;
  }
  if (at(Tok::kOp) && kOperators[peek().op].level <= 1) {
    type_arg_error(less, "a compound first argument needs parentheses",
                   "put the first type argument in parentheses");
    return;
  }
  if (min > kCompareLevel) {
    set_role(TokenRole::kTight, at_less);
    right = make_operation(less, right, operand);
    return;
  }
  Node* left = reduce(base, kCompareLevel, false, right);
  pending_.push_back({left, less});
  right = operand;
}

Node* Parser::finish_type_args(Node* head, const Token& less, Node* first) {
  const Scope scope(*this, {.colon_ends = true, .greater_closes = true});
  Node* node = make(NodeKind::kTypeApp, head->span, {head, first});
  if (head->kind != NodeKind::kName) {
    type_arg_error(less, "only a name takes type arguments",
                   "put a comparison in parentheses: `(a < b : U32)`");
    return node;
  }
  accept(Tok::kComma);
  while (!closes_type_args() && at_term_start()) {
    set_mark(kMarkItem | kMarkComma);
    node->kids.push_back(parse_term(0));
    accept(Tok::kComma);
  }
  if (!closes_type_args()) {
    type_arg_error(less, "no `>` closes them",
                   "put a comparison in parentheses: `(a < b : U32)`");
    return node;
  }
  set_role(TokenRole::kTypeClose);
  take();
  node->span = span_from(head->span.begin);
  return node;
}

void Parser::type_arg_error(const Token& less, std::string_view why,
                            std::string_view repair) {
  if (at(Tok::kBad)) {
    report_special();
    return;
  }
  fail(Msg::kCompoundTypeArg, span_of(less), {std::string(why)},
       std::string(repair));
}

// Operands
// --------

Node* Parser::parse_operand() { return parse_suffixes(parse_atom()); }

Node* Parser::parse_suffixes(Node* head) {
  for (;;) {
    const Token& next = peek();
    if (next.first) return head;
    if (next.kind == Tok::kLParen) {
      head = parse_call(head, false);
    } else if (next.kind == Tok::kBang && peek(1).kind == Tok::kLParen &&
               peek(1).glued) {
      head = parse_call(head, true);
    } else if (next.kind == Tok::kLBracket) {
      head = parse_index(head);
    } else {
      return head;
    }
  }
}

Node* Parser::parse_call(Node* head, bool bang) {
  if (bang) {
    const Token mark = take();
    if (head->kind != NodeKind::kName) {
      return fail(Msg::kBangOnTerm, span_of(mark));
    }
  }
  set_role(TokenRole::kGlued);
  const Token open = take();
  Node* call = make(NodeKind::kCall, head->span, {head});
  call->bang = bang;
  parse_arguments(open, call);
  call->span = span_from(head->span.begin);
  return call;
}

void Parser::parse_arguments(const Token& open, Node* call) {
  const Scope scope(*this, {});
  bool plain = false;
  while (!at(Tok::kRParen) && (at(Tok::kTilde) || at_term_start())) {
    const Token mark = peek();
    set_item(call->kids.size() > 1);
    if (accept(Tok::kTilde)) {
      if (plain) report(Msg::kTildeArgAfterPlain, span_of(mark));
      ++call->num;
    } else {
      plain = true;
    }
    call->kids.push_back(parse_term(0));
    accept(Tok::kComma);
  }
  if (at(Tok::kRParen) || panic_) {
    take();
    return;
  }
  const Tok before = stream_.tokens[pos_ - 1].kind;
  const bool needs_term = before == Tok::kLParen || before == Tok::kComma ||
                          at(Tok::kMinusMark);
  if (needs_term && !at(Tok::kEnd) && !at_declaration()) {
    fail_atom();
  } else {
    expect_close(open, Tok::kRParen, "`,` or `)`");
  }
}

// a[i], or a[i] <- v when the arrow stands on the line of the bracket.
Node* Parser::parse_index(Node* head) {
  set_role(TokenRole::kGlued);
  const Token open = take();
  Node* index = nullptr;
  {
    const Scope scope(*this, {.colon_ends = true});
    index = parse_term(0);
    if (!expect_close(open, Tok::kRBracket, "`]`")) return error_node();
  }
  const Token close = stream_.tokens[pos_ - 1];
  if (index_ns_ == nullptr) {
    index_ns_ = make(NodeKind::kName, span_of(open));
    index_ns_->text = "U32";
  }
  annotate_operators(index, index_ns_);
  Node* node = make(NodeKind::kIndex, span_from(head->span.begin),
                    {head, index});
  if (!at(Tok::kBackArrow)) return node;
  const Token arrow = peek();
  if (arrow.line != close.line) {
    return fail(Msg::kWriteLayout, span_of(arrow));
  }
  take();
  node->kids.push_back(parse_term(kWriteLevel));
  node->kind = NodeKind::kWrite;
  node->op_span = span_of(arrow);
  node->span = span_from(head->span.begin);
  return node;
}

// `x => body`, `+x => body`, `(x : T) => body` (the type is ignored).
Node* Parser::parse_lambda(Node* binder) {
  const Token arrow = take();
  if (panic_) return error_node();
  Node* name = binder;
  if (name->kind == NodeKind::kGroup) name = name->kids[0];
  Mark mark = Mark::kPlain;
  if (name->kind == NodeKind::kPlus) {
    mark = Mark::kReuse;
    name = name->kids[0];
  }
  if (name->kind != NodeKind::kName ||
      name->text.find('.') != std::string::npos) {
    return fail(Msg::kLambdaBinder, binder->span);
  }
  Node* lambda = make(NodeKind::kLambda, binder->span);
  lambda->mark = mark;
  lambda->text = name->text;
  lambda->op_span = span_of(arrow);
  lambda->kids.push_back(parse_body_here());
  lambda->span = span_from(binder->span.begin);
  return lambda;
}

}  // namespace tine
