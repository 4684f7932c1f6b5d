// Bodies: a chain of statements that ends in one term or match.
//
//   x = v            x y = v w         -x y = v w        x : T = v
//   (a, b) = v       a[i] <- v         %e : P            match a, b: ..
//
// A statement that waits for the rest of the body (a let, a write, a rewrite)
// takes it as its last kid. The chain is built by a loop, so its length costs
// no recursion. The span of such a node is its own text, without the rest.
//
// A let is seen only behind its left side, which is parsed as a term: `=`
// makes it a let, `: T =` a typed one. Inside of parentheses `x : T` may also
// be the annotation of the group; when no `=` follows, the type is handed to
// the group in `carried_` and the cursor goes back to the colon.
//
// Cases of a match: the first must stand right of `bound` (the column of the
// enclosing `case`, 0 for a def); the others at its column or further right.
#include <algorithm>

#include "compiler/syntax/parser.h"

namespace tine {

namespace {

constexpr std::string_view kDropLet = "drop the `let`: `x = v` is a let";

std::string count_of(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) +
         (count == 1 ? "" : "s");
}

}  // namespace

// A body whose cases may start at the column of its first token.
Node* Parser::parse_body_here() { return parse_body(peek().column - 1); }

Node* Parser::parse_body(std::uint32_t bound) {
  const std::size_t stretch = open_stretch(StretchKind::kBody);
  Node* first = nullptr;
  Node* last = nullptr;
  for (bool open = true; open;) {
    const bool ends = last != nullptr && !panic_ && !can_start_body();
    if (ends && peek().kind != Tok::kBad) return fail_open_body(first, last);
    if (last != nullptr) set_mark(kMarkStatement);
    const Statement statement = parse_statement(bound);
    if (last != nullptr) last->kids.push_back(statement.node);
    if (first == nullptr) first = statement.node;
    last = statement.node;
    open = statement.open && !panic_;
    if (statement.open && panic_) last->kids.push_back(error_node());
  }
  close_stretch(stretch);
  if (shape_ != nullptr && first == last && first->kind != NodeKind::kMatch) {
    shape_->stretches[stretch].kind = StretchKind::kPlainBody;
  }
  return first;
}

// The chain stops behind a statement that needs more.
Node* Parser::fail_open_body(Node* first, Node* last) {
  const std::string_view what =
      last->kind == NodeKind::kRewrite ? "rewrite" : "let";
  if (!last->binders.empty() && last->binders[0].text == "let") {
    last->kids.push_back(fail(Msg::kForeignWord, last->binders[0].span,
                              {"let"}, std::string(kDropLet)));
    return first;
  }
  // `a b = f(x)`, meant to take a pair apart, reads on to what was to be the
  // value.
  std::string repair;
  if (last->kind == NodeKind::kParLet && !last->binders.empty()) {
    repair = "a let of several names has a value for each, and the value of "
             "the body follows; a pair is taken apart by `(a, b) = ..`";
  }
  last->kids.push_back(fail(Msg::kBodyNoValue, last->span,
                            {std::string(what), describe(peek())},
                            std::move(repair)));
  return first;
}

bool Parser::can_start_body() const {
  return at_term_start() || at(Tok::kMatch) || at(Tok::kMinusMark) ||
         at(Tok::kReturn) || at_op(find_operator("-")) ||
         at_op(find_operator("+"));
}

Parser::Statement Parser::parse_statement(std::uint32_t& bound) {
  if (at(Tok::kMatch)) return {parse_match(bound), false};
  if (at(Tok::kRewrite)) {
    const Statement rewrite = parse_rewrite();
    bound = peek().column - 1;
    return rewrite;
  }
  if (at(Tok::kMinusMark) && binder_run() > 0) return parse_parallel_let(true);
  if (binder_run() > 1) return parse_parallel_let(false);
  const Token start = peek();
  Node* term = parse_term(0);
  if (at(Tok::kAssign)) return parse_let(term);
  Node* type = nullptr;
  if (read_let_type(type)) return parse_typed_let(term, type);
  if (parallel_pattern(term)) {
    return {fail(Msg::kPatternInParallelLet, term->span), false};
  }
  return parse_write(term, start);
}

// Lets
// ----

Parser::Statement Parser::parse_let(Node* target) {
  const std::uint32_t begin = target->span.begin;
  take();
  Node* pattern = to_pattern(target);
  Node* value = parse_term(0);
  const Span span = span_from(begin);
  accept(Tok::kSemi);
  if (pattern->kind != NodeKind::kPVar && pattern->kind != NodeKind::kPWild) {
    return {make(NodeKind::kDestruct, span, {pattern, value}), true};
  }
  Node* let = make(NodeKind::kLet, span, {value});
  let->binders.push_back(binder_of(pattern));
  return {let, true};
}

// Reads `: T` of `x : T = v`. False when there is none; then nothing is taken.
bool Parser::read_let_type(Node*& type) {
  if (!at(Tok::kColon) || context_.colon_ends) return false;
  if (is_carried()) return false;  // a body inside has looked already
  const std::size_t colon = pos_;
  const std::uint32_t end = last_end_;
  take();
  type = parse_term(0);
  if (at(Tok::kAssign) || panic_) {
    set_role(TokenRole::kSpacedColon, colon);
    return true;
  }
  if (!context_.in_group) {
    unexpected("`=` and the value of the let");
    return true;
  }
  carried_ = {colon, pos_, type};
  pos_ = colon;
  last_end_ = end;
  return false;
}

Parser::Statement Parser::parse_typed_let(Node* target, Node* type) {
  if (panic_) return {error_node(), false};
  take();
  Node* pattern = to_pattern(target);
  const bool plain = pattern->kind == NodeKind::kPVar ||
                     pattern->kind == NodeKind::kPWild;
  if (!plain && pattern->kind != NodeKind::kError) {
    report(Msg::kPatternInTypedLet, pattern->span);
  }
  Node* value = parse_term(0);
  Node* let = make(NodeKind::kTypedLet, span_from(target->span.begin),
                   {type, value});
  accept(Tok::kSemi);
  let->binders.push_back(binder_of(pattern));
  return {let, true};
}

// How many binders stand on this line before an `=`; 0 when none follows.
std::size_t Parser::binder_run() const {
  const std::uint32_t line = peek().line;
  std::size_t count = 0;
  std::size_t i = 0;
  for (; peek(i).line == line; ++i) {
    const Tok kind = peek(i).kind;
    const bool mark = kind == Tok::kPlusMark || kind == Tok::kMinusMark;
    if (mark && peek(i + 1).kind == Tok::kName) ++i;
    else if (kind != Tok::kName) break;
    ++count;
  }
  return peek(i).kind == Tok::kAssign ? count : 0;
}

// x y = v w, and -x y = v w.
Parser::Statement Parser::parse_parallel_let(bool erased) {
  const std::uint32_t begin = peek().begin;
  Node* let = make(erased ? NodeKind::kErasedLet : NodeKind::kParLet,
                   span_of(peek()));
  parse_let_binders(let, erased);
  take();
  parse_let_values(let);
  let->span = span_from(begin);
  accept(Tok::kSemi);
  return {let, true};
}

void Parser::parse_let_binders(Node* let, bool erased) {
  while (!at(Tok::kAssign) && !panic_) {
    const bool first = let->binders.empty();
    const Binder binder = parse_binder();
    if (binder.mark == Mark::kReuse && erased) {
      report(Msg::kReuseInErasedLet, binder.span, {binder.text});
    } else if (binder.mark == Mark::kErased && !first) {
      report(Msg::kErasedInParallelLet, binder.span);
    }
    let->binders.push_back(binder);
    let->binders.back().mark = erased ? Mark::kErased : binder.mark;
  }
}

Binder Parser::parse_binder() {
  Binder binder;
  const Token start = peek();
  bool is_template = false;
  binder.mark = parse_mark(is_template);
  const Token name = take();
  binder.text = text_of(name);
  binder.span = span_from(start.begin);
  if (binder.text.find('.') != std::string::npos) {
    report(Msg::kDottedBinder, binder.span, {binder.text});
  }
  return binder;
}

// As many values as names, one after another.
void Parser::parse_let_values(Node* let) {
  const std::size_t names = let->binders.size();
  for (std::size_t i = 0; i < names && !panic_; ++i) {
    if (i > 0 && !at_term_start() && !at(Tok::kBad)) fail_let_values(let, i);
    const std::size_t stretch = open_stretch(StretchKind::kValue);
    let->kids.push_back(parse_term(0));
    close_stretch(stretch);
  }
  while (let->kids.size() < names) let->kids.push_back(error_node());
}

void Parser::fail_let_values(const Node* let, std::size_t values) {
  if (let->binders[0].text == "let") {
    fail(Msg::kForeignWord, let->binders[0].span, {"let"},
         std::string(kDropLet));
  } else {
    fail(Msg::kParallelLetCount, span_from(let->span.begin),
         {count_of(let->binders.size(), "name"), count_of(values, "value")});
  }
}

// `(a, b) c = ..`: a pattern, then on its line more binders and an `=`.
bool Parser::parallel_pattern(const Node* term) const {
  constexpr std::size_t kLookahead = 16;
  const bool pattern = term->kind == NodeKind::kTuple ||
                       term->kind == NodeKind::kCtor ||
                       term->kind == NodeKind::kList;
  if (!pattern || peek().first) return false;
  std::size_t names = 0;
  for (std::size_t i = 0; i < kLookahead; ++i) {
    const Tok kind = peek(i).kind;
    if (kind == Tok::kAssign) return names > 0;
    names += kind == Tok::kName ? 1 : 0;
    const bool mark = kind == Tok::kPlusMark || kind == Tok::kMinusMark;
    if (kind != Tok::kName && !mark) return false;
  }
  return false;
}

// Writes and rewrites
// -------------------

// May the next token go on with a body behind a write in `column`?
bool Parser::starts_statement(std::uint32_t column) const {
  return peek().first && peek().column == column && can_start_body();
}

// `a[i] <- v` with more in its column or behind `;` is the let of `a`.
Parser::Statement Parser::parse_write(Node* write, const Token& start) {
  const bool bare = write->kind == NodeKind::kWrite &&
                    write->kids[0]->kind == NodeKind::kName &&
                    write->span.begin == start.begin;
  if (panic_ || !bare) {
    if (write->kind == NodeKind::kWrite && starts_statement(start.column)) {
      return {fail(Msg::kWriteNeedsName, write->kids[0]->span), false};
    }
    return {write, false};
  }
  if (!at(Tok::kSemi) && !starts_statement(start.column)) {
    return {write, false};
  }
  accept(Tok::kSemi);
  Node* let = make(NodeKind::kLet, write->span, {write});
  let->binders.push_back(
      {Mark::kPlain, write->kids[0]->text, write->kids[0]->span});
  return {let, true};
}

// The proof of a rewrite, and the name of its equation: `e@name`, or
// `name@e` where e is more than a name. Of two names the checker takes the one
// that is in scope for the proof.
void Parser::parse_rewritten(Node* node) {
  Node* first = parse_term(0);
  node->kids.push_back(first);
  if (!at(Tok::kAt)) return;
  set_role(TokenRole::kTight);
  take();
  const Token name = peek();
  Node* second = parse_term(0);
  const bool left = first->kind == NodeKind::kName;
  const bool right = second->kind == NodeKind::kName;
  if (!left && !right && !panic_) {
    fail(Msg::kExpectedName, span_of(name),
         {"a name for the equation", describe(name)});
  }
  if (!right) std::swap(node->kids[0], second);
  node->text = second->text;
  node->num = left && right ? 1 : 0;
}

// %e : P; body   and   %e@name : P; body
Parser::Statement Parser::parse_rewrite() {
  const Scope scope(*this, {.colon_ends = true, .in_group = context_.in_group});
  const Token start = take();
  Node* node = make(NodeKind::kRewrite, span_of(start));
  parse_rewritten(node);
  set_role(TokenRole::kSpacedColon);
  expect(Tok::kColon, "`:` and the motive of the rewrite");
  node->kids.push_back(parse_term(0));
  node->span = span_from(start.begin);
  accept(Tok::kSemi);
  return {node, true};
}

// Matches
// -------

Node* Parser::parse_match(std::uint32_t bound) {
  const Deeper deeper(*this);
  if (!enter_nesting()) return error_node();
  const std::size_t stretch = open_stretch(StretchKind::kMatch);
  const Token word = take();
  Node* match = make(NodeKind::kMatch, span_of(word));
  match->op_span = span_of(word);
  {
    const Scope scope(*this, {.colon_ends = true});
    do {
      set_item(!match->kids.empty());
      match->kids.push_back(parse_term(0));
      accept(Tok::kComma);
    } while (at_term_start());
    match->span = span_from(word.begin);
    if (match->kids.size() > 0) match->span.end = match->kids.back()->span.end;
    expect(Tok::kColon, "`:` behind what is matched");
  }
  set_middle(stretch);
  const std::uint32_t column = peek().column;
  const bool any = column > bound;
  while (any && at(Tok::kCase) && peek().column >= column) parse_case(match);
  close_stretch(stretch);
  return match;
}

void Parser::parse_case(Node* match) {
  const std::size_t stretch = open_stretch(StretchKind::kCase);
  const Token word = take();
  Case arm;
  parse_patterns(match, arm);
  arm.span = {file_, word.begin, last_end_};
  expect(Tok::kColon, "`:` behind the patterns");
  set_middle(stretch);
  arm.body = parse_body(word.column);
  close_stretch(stretch);
  match->cases.push_back(std::move(arm));
}

void Parser::parse_patterns(Node* match, Case& arm) {
  const Scope scope(*this, {.colon_ends = true});
  do {
    set_item(!arm.patterns.empty());
    arm.patterns.push_back(parse_term(0));
    accept(Tok::kComma);
  } while (at_term_start());
  if (panic_ || !check_pattern_count(match, arm)) return;
  for (Node*& pattern : arm.patterns) pattern = to_pattern(pattern);
}

bool Parser::check_pattern_count(const Node* match, const Case& arm) {
  const std::size_t expected = match->kids.size();
  const std::size_t found = arm.patterns.size();
  if (expected == found) return true;
  const Node* first = arm.patterns[0];
  const Node* last = arm.patterns.back();
  const Span span{file_, first->span.begin, last->span.end};
  if (expected == 1 && found == 2 && first->kind == NodeKind::kU32 &&
      last->kind == NodeKind::kPlus) {
    const std::string number = std::to_string(first->num);
    report(Msg::kPatternSuccessor, span,
           {std::string(source_.substr(span.begin, span.end - span.begin))})
        .repair = "write `" + number + "n" +
                  std::string(source_.substr(
                      last->span.begin, last->span.end - last->span.begin)) +
                  "`";
    return false;
  }
  Diag& diag = report(Msg::kPatternCount, span,
                      {count_of(found, "pattern"),
                       count_of(expected, "scrutinee")});
  const auto is_call = [](const Node* node) {
    return node->kind == NodeKind::kCall || node->kind == NodeKind::kIndex;
  };
  if (found < expected &&
      std::any_of(arm.patterns.begin(), arm.patterns.end(), is_call)) {
    diag.repair = "put a comma before a tuple or list pattern";
  }
  return false;
}

}  // namespace tine
