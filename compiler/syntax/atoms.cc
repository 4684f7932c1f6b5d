// What a term can start with.
//
//   ( body ) ( body : T ) ( a, b, c )      groups and tuples
//   [a, b]  [v : T^d]  [v : T*4n]          lists and arrays
//   {e : T} {a == b : T} {a != b : T} {==} annotations and equations
//   @x: A -> B   &x: A -> B   +D<..>       types
//   \{K: f; g}   ?name   %e : P; body      raw matches, holes, rewrites
//
// A `:` inside of brackets and braces always ends the term before it; inside
// of parentheses it may belong to a typed let (see bodies.cc).
#include <bit>

#include "compiler/syntax/parser.h"

namespace tine {

Node* Parser::parse_atom() {
  switch (peek().kind) {
    case Tok::kName:
      return parse_name_or_ctor();
    case Tok::kU32:
    case Tok::kNat:
    case Tok::kSucc:
    case Tok::kF32:
    case Tok::kChar:
    case Tok::kString:
    case Tok::kQuantity:
      return parse_literal();
    case Tok::kTypeUniverse:
      return make(NodeKind::kType, span_of(take()));
    case Tok::kDataUniverse:
      return make(NodeKind::kData, span_of(take()));
    case Tok::kQuant:
      return make(NodeKind::kQuant, span_of(take()));
    case Tok::kKind:
      return parse_kind();
    case Tok::kAt:
      return at_declaration() ? fail_atom() : parse_pi();
    case Tok::kPlusMark:
      return parse_plus();
    case Tok::kMinusMark:
      return parse_minus();
    case Tok::kLParen:
      return parse_paren();
    case Tok::kLBracket:
      return parse_bracket();
    case Tok::kLBrace:
      return parse_brace();
    case Tok::kBackslash:
      return parse_raw_match();
    case Tok::kQuestion:
      return parse_hole();
    case Tok::kDo:
      return parse_do();
    case Tok::kRewrite:
      return parse_body(peek().column - 1);
    case Tok::kOp:
      if (at_op(kOpAmp)) return parse_exists();
      if (at_op(find_operator("+"))) return parse_plus();
      if (at_op(find_operator("-"))) return parse_minus();
      return fail_atom();
    default:
      return fail_atom();
  }
}

// No term starts with the next token.
Node* Parser::fail_atom() {
  if (panic_ || report_special()) return error_node();
  const Token token = peek();
  const std::string text(text_of(token));
  if (token.kind == Tok::kMinusMark || at_op(find_operator("-"))) {
    return parse_minus();
  }
  if (token.kind == Tok::kMatch) {
    return fail(Msg::kMatchInTerm, span_of(token), {},
                "match in a def of its own, and call that here");
  }
  if (token.kind == Tok::kReturn) {
    return fail(Msg::kReturnOutsideDo, span_of(token));
  }
  const bool reserved = token.kind >= Tok::kDef && token.kind <= Tok::kQuant;
  if (reserved && !at_declaration()) {
    return fail(Msg::kReservedInTerm, span_of(token), {text});
  }
  return fail(Msg::kExpectedTerm, span_of(token), {describe(token)});
}

Node* Parser::parse_literal() {
  const Token token = take();
  const auto leaf = [&](NodeKind kind) {
    Node* node = make(kind, span_of(token));
    node->num = token.value;
    return node;
  };
  switch (token.kind) {
    case Tok::kU32: return leaf(NodeKind::kU32);
    case Tok::kNat: return leaf(NodeKind::kNat);
    case Tok::kF32: return leaf(NodeKind::kF32);
    case Tok::kChar: return leaf(NodeKind::kChar);
    case Tok::kQuantity: return leaf(NodeKind::kQuantity);
    case Tok::kString: {
      Node* node = leaf(NodeKind::kString);
      node->text = stream_.strings[token.value];
      node->num = 0;
      return node;
    }
    default:
      break;
  }
  Node* node = leaf(NodeKind::kSucc);  // 2n+e
  node->kids.push_back(parse_term(0));
  node->span = span_from(token.begin);
  return node;
}

Node* Parser::parse_name_or_ctor() {
  const Token name = take();
  Node* node = make(NodeKind::kName, span_of(name));
  node->text = text_of(name);
  if (!at(Tok::kLBrace) || !peek().glued) return node;
  set_role(TokenRole::kGlued);
  const Token open = take();
  const Scope scope(*this, {});
  node->kind = NodeKind::kCtor;
  parse_items(Tok::kRBrace, node->kids);
  expect_close(open, Tok::kRBrace, "`,` or `}`");
  node->span = span_from(name.begin);
  return node;
}

// Terms with optional commas, up to `close`.
void Parser::parse_items(Tok close, std::vector<Node*>& items) {
  while (!at(close) && !panic_) {
    if (!at_term_start()) {
      const bool start = items.empty();
      const bool comma = stream_.tokens[pos_ - 1].kind == Tok::kComma;
      const bool stop = at(Tok::kEnd) || at_declaration();
      if ((start || comma || at(Tok::kMinusMark)) && !stop) fail_atom();
      return;
    }
    set_item(!items.empty());
    items.push_back(parse_term(0));
    accept(Tok::kComma);
  }
}

// Parentheses
// -----------

Node* Parser::parse_paren() {
  const Token open = take();
  if (at(Tok::kRParen)) {
    take();
    report(Msg::kUnitLiteral, span_from(open.begin)).repair =
        "write `Unit{}`";
    return make(NodeKind::kError, span_from(open.begin));
  }
  const Scope scope(*this, {.in_group = true});
  Node* body = parse_body_here();
  if (at(Tok::kComma)) return parse_tuple(open, body);
  Node* group = make(NodeKind::kGroup, body->span, {body});
  if (Node* type = parse_annotation()) {
    annotate_operators(body, type);
    group->kids.push_back(type);
  }
  expect_close(open, Tok::kRParen, "`)`");
  group->span = span_from(open.begin);
  return group;
}

// The `: T` that ends a group, null when there is none. A body may have read
// the type already, to see that no `=` follows it.
Node* Parser::parse_annotation() {
  if (!at(Tok::kColon)) return nullptr;
  set_role(TokenRole::kSpacedColon);
  if (is_carried()) {
    pos_ = carried_.next;
    last_end_ = stream_.tokens[pos_ - 1].end;
    return std::exchange(carried_.type, nullptr);
  }
  take();
  return parse_term(0);
}

// The components behind the first. Only the last may be a body with lets; an
// annotation reaches the last one alone, which becomes a group to keep it.
Node* Parser::parse_tuple(const Token& open, Node* first) {
  Node* tuple = make(NodeKind::kTuple, first->span, {first});
  while (accept(Tok::kComma)) {
    if (!is_plain_term(tuple->kids.back())) {
      return fail(Msg::kLetInTuple, tuple->kids.back()->span);
    }
    set_mark(kMarkItem);
    tuple->kids.push_back(parse_body_here());
  }
  if (Node* type = parse_annotation()) {
    Node* last = tuple->kids.back();
    annotate_operators(last, type);
    const Span span{file_, last->span.begin, type->span.end};
    tuple->kids.back() = make(NodeKind::kGroup, span, {last, type});
  }
  expect_close(open, Tok::kRParen, "`,` or `)`");
  tuple->span = span_from(open.begin);
  return tuple;
}

bool Parser::is_plain_term(const Node* node) {
  switch (node->kind) {
    case NodeKind::kMatch:
    case NodeKind::kLet:
    case NodeKind::kTypedLet:
    case NodeKind::kParLet:
    case NodeKind::kErasedLet:
    case NodeKind::kDestruct:
      return false;
    default:
      return true;
  }
}

// Brackets and braces
// -------------------

Node* Parser::parse_bracket() {
  const Token open = take();
  const Scope scope(*this, {.colon_ends = true});
  Node* list = make(NodeKind::kList, span_of(open));
  if (at_term_start()) {
    Node* first = parse_term(0);
    if (at(Tok::kColon)) return parse_array(open, first);
    list->kids.push_back(first);
    accept(Tok::kComma);
    parse_items(Tok::kRBracket, list->kids);
  } else if (!at(Tok::kRBracket) && !at(Tok::kEnd)) {
    return fail_atom();
  }
  expect_close(open, Tok::kRBracket, "`,` or `]`");
  list->span = span_from(open.begin);
  return list;
}

Node* Parser::parse_array(const Token& open, Node* value) {
  set_role(TokenRole::kSpacedColon);
  take();
  Node* type = parse_term(kAtomLevel);
  const bool power = at(Tok::kCaret);
  if (!power && !at_op(find_operator("*"))) {
    unexpected("`*` or `^` and the size of the array");
    return error_node();
  }
  set_role(TokenRole::kTight);
  take();
  Node* size = parse_term(0);
  expect_close(open, Tok::kRBracket, "`]`");
  annotate_operators(value, type);
  if (!power) check_array_count(size);
  return make(power ? NodeKind::kArrayPow : NodeKind::kArrayMul,
              span_from(open.begin), {value, type, size});
}

void Parser::check_array_count(const Node* count) {
  if (panic_ || count->kind == NodeKind::kError) return;
  if (count->kind != NodeKind::kNat) {
    report(Msg::kArrayCount, count->span).repair =
        "write a power of two such as `4n`, or the depth: `[v : T^d]`";
  } else if (!std::has_single_bit(count->num)) {
    const std::uint64_t above = std::bit_ceil(count->num);
    report(Msg::kArrayCountPower, count->span,
           {std::to_string(count->num) + "n"})
        .repair = "write `" + std::to_string(above) + "n`";
  }
}

Node* Parser::parse_brace() {
  const std::size_t brace = pos_;
  const Token open = take();
  const Scope scope(*this, {.colon_ends = true});
  if (accept(Tok::kEqual)) {
    expect_close(open, Tok::kRBrace, "`}`");
    return make(NodeKind::kRefl, span_from(open.begin));
  }
  if (at(Tok::kRBrace) && is_spaced_brace(brace)) {
    report_spaced_brace(brace);
    return error_node();
  }
  Node* left = parse_term(0);
  Node* node = make(NodeKind::kAnn, left->span, {left});
  if (at(Tok::kEqual) || at(Tok::kNotEqual)) {
    node->kind = NodeKind::kEqual;
    node->num = at(Tok::kNotEqual) ? 1 : 0;
    node->op_span = span_of(take());
    node->kids.push_back(parse_term(0));
  }
  if (!panic_ && !at(Tok::kColon) && is_spaced_brace(brace)) {
    report_spaced_brace(brace);
    return error_node();
  }
  set_role(TokenRole::kSpacedColon);
  expect(Tok::kColon, node->kind == NodeKind::kEqual ? "`:` and a type"
                                                     : "`:`, `==` or `!=`");
  node->kids.push_back(parse_term(0));
  expect_close(open, Tok::kRBrace, "`}`");
  node->span = span_from(open.begin);
  return node;
}

// Types, marks, holes
// -------------------

Node* Parser::parse_kind() {
  const Token word = take();
  const Token open = peek();
  set_role(TokenRole::kGlued);
  if (!expect(Tok::kLParen, "`(` and a quantity")) return error_node();
  const Scope scope(*this, {});
  Node* quantity = parse_term(0);
  expect_close(open, Tok::kRParen, "`)`");
  return make(NodeKind::kKind, span_from(word.begin), {quantity});
}

// What follows `@` or `&`: x: A -> B.
Node* Parser::binder_and_body(Node* node) {
  Span name;
  if (!take_name("a binder", node->text, name)) return error_node();
  const Scope scope(*this, {.colon_ends = true,
                            .greater_closes = context_.greater_closes});
  expect(Tok::kColon, "`:` and the type of the binder");
  node->kids.push_back(parse_term(1));
  if (!at_op(kOpArrow)) unexpected("`->`");
  take();
  node->kids.push_back(parse_term(0));
  node->span = span_from(node->span.begin);
  return node;
}

// @x: A -> B, @-x: A -> B, @+x: A -> B
Node* Parser::parse_pi() {
  const Token start = take();
  Node* node = make(NodeKind::kPi, span_of(start));
  bool is_template = false;
  node->mark = parse_mark(is_template);
  return binder_and_body(node);
}

// &x: A -> B
Node* Parser::parse_exists() {
  set_role(TokenRole::kPrefix);
  const Token start = take();
  Node* node = make(NodeKind::kExists, span_of(start));
  return binder_and_body(node);
}

Node* Parser::parse_plus() {
  if (at(Tok::kOp)) set_role(TokenRole::kAsWritten);
  const Token mark = take();
  Node* inner = parse_term(kAtomLevel);
  const Span span = span_from(mark.begin);
  switch (inner->kind) {
    case NodeKind::kName:
    case NodeKind::kTypeApp:
    case NodeKind::kCall:
    case NodeKind::kGroup:
    case NodeKind::kPlus:  // has been refused, or names a type as this one does
    case NodeKind::kError:
      break;
    default:
      report(Msg::kPlusOnTerm, span);
  }
  return make(NodeKind::kPlus, span, {inner});
}

// There is no unary minus.
Node* Parser::parse_minus() {
  const Token sign = take();
  const Token next = peek();
  const bool simple = next.kind == Tok::kU32 || next.kind == Tok::kName ||
                      next.kind == Tok::kF32;
  if (!simple) return fail(Msg::kExpectedTerm, span_of(sign), {"`-`"});
  const Span span{file_, sign.begin, next.end};
  const std::string word(text_of(next));
  const bool real = next.kind == Tok::kF32;
  return fail(Msg::kNegativeNumber, span, {"-" + word},
              real ? "write `F32.neg(" + word + ")`"
                   : "write `(0 - " + word + " : U32)`");
}

Node* Parser::parse_hole() {
  const Token mark = take();
  Node* hole = make(NodeKind::kHole, span_of(mark));
  Span name;
  if (!take_name("the name of a hole", hole->text, name)) return error_node();
  hole->span = span_from(mark.begin);
  return hole;
}

// K: f;
void Parser::parse_raw_arm(Node* match) {
  if (!match->kids.empty()) set_mark(kMarkItem);
  const Token name = take();
  take();
  match->kids.push_back(make(NodeKind::kName, span_of(name)));
  match->kids.back()->text = text_of(name);
  match->kids.push_back(parse_term(0));
  accept(Tok::kSemi);
}

// \{K: f; L: g; rest}
Node* Parser::parse_raw_match() {
  const Token start = take();
  const Token open = peek();
  if (!expect(Tok::kLBrace, "`{`")) return error_node();
  const Scope scope(*this, {.colon_ends = true});
  Node* node = make(NodeKind::kRawMatch, span_of(start));
  while (at(Tok::kName) && peek(1).kind == Tok::kColon) parse_raw_arm(node);
  if (at_term_start()) {
    if (!node->kids.empty()) set_mark(kMarkItem);
    node->kids.push_back(parse_term(0));
    accept(Tok::kSemi);
  }
  expect_close(open, Tok::kRBrace, "`}`");
  node->span = span_from(start.begin);
  return node;
}

}  // namespace tine
