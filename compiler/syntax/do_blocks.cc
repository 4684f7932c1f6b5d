// do blocks.
//
//   do IO<Unit>:
//     line : String <- IO.read     bind
//     n : U32 = 3                  pure
//     Unit <- IO.print(line)       run, drop a result of the written type
//     IO.print("end")              run, drop a Unit
//     return Unit{}                or a final action
//
// The column of the first statement is the block's column: an expression is a
// step only when `;` or a token in exactly that column follows; otherwise it
// is the block's value and ends it.
#include "compiler/syntax/parser.h"

namespace tine {

Node* Parser::parse_do() {
  const std::size_t stretch = open_stretch(StretchKind::kDo);
  const Token word = take();
  Node* block = make(NodeKind::kDo, span_of(word));
  if (!parse_do_head(block)) return error_node();
  set_middle(stretch);
  parse_steps(block);
  close_stretch(stretch);
  block->span = span_from(word.begin);
  return block;
}

// `M<..>:`
bool Parser::parse_do_head(Node* block) {
  if (!take_name("the name of a monad", block->text, block->op_span)) {
    return false;
  }
  const Token less = peek();
  if (at_op(kOpCons)) {  // `M<>`
    set_role(TokenRole::kGlued);
    take();
    return expect(Tok::kColon, "`:` and the statements of the block");
  }
  if (!at_op(kOpLess)) {
    unexpected("`<` and the type of the block");
    return false;
  }
  set_role(TokenRole::kTypeOpen);
  take();
  const Scope scope(*this, {.colon_ends = true, .greater_closes = true});
  while (at_term_start()) {
    set_item(!block->kids.empty());
    block->kids.push_back(parse_term(0));
    accept(Tok::kComma);
  }
  if (!closes_type_args()) {
    type_arg_error(less, "no `>` closes them", "");
    return false;
  }
  set_role(TokenRole::kTypeClose);
  take();
  return expect(Tok::kColon, "`:` and the statements of the block");
}

void Parser::parse_steps(Node* block) {
  const std::uint32_t column = peek().column;
  const std::uint32_t begin = peek().begin;
  while (!panic_ && parse_step(block, column)) {
    if (!can_start_body() && !at(Tok::kBad)) {
      fail(Msg::kDoNoValue, span_from(begin));
    }
    set_mark(kMarkStatement);
  }
}

// Parses one step; true when another must follow.
bool Parser::parse_step(Node* block, std::uint32_t column) {
  const Token start = peek();
  if (at(Tok::kReturn)) return parse_return(block, start, column);
  if (at(Tok::kMatch) || parallel_step()) {
    refuse_step(nullptr);
    return false;
  }
  const bool colon_ends = std::exchange(context_.colon_ends, true);
  Node* term = parse_term(0);
  context_.colon_ends = colon_ends;
  if (at(Tok::kColon) && parse_bind_step(block, start, term)) return true;
  if (accept(Tok::kBackArrow)) {
    Node* value = parse_term(0);
    finish_step(block, start, {StepKind::kRun, {}, term, value, {}}, column);
    return true;
  }
  if (!at(Tok::kAssign)) return parse_last_step(block, start, term, column);
  refuse_step(term);
  return false;
}

// Stores a step; true when `;` or a token in the block's column follows.
bool Parser::finish_step(Node* block, const Token& start, Step step,
                         std::uint32_t column) {
  step.span = span_from(start.begin);
  block->steps.push_back(std::move(step));
  return accept(Tok::kSemi) || starts_statement(column);
}

bool Parser::parse_return(Node* block, const Token& start,
                          std::uint32_t column) {
  take();
  Node* value = parse_term(0);
  if (finish_step(block, start, {StepKind::kReturn, {}, nullptr, value, {}},
                  column) &&
      can_start_body()) {
    fail(Msg::kReturnNotLast, span_of(start));
  }
  return false;
}

// A bare term: the block's value, or a step whose Unit is dropped.
bool Parser::parse_last_step(Node* block, const Token& start, Node* term,
                             std::uint32_t column) {
  if (!finish_step(block, start, {StepKind::kLast, {}, nullptr, term, {}},
                   column)) {
    return false;
  }
  if (term->kind == NodeKind::kWrite) report(Msg::kLetInDo, term->span);
  block->steps.back().kind = StepKind::kUnit;
  return true;
}

// The type of `x : T <- v`. Null when the colon and a type end a group around
// the block; then nothing is taken.
Node* Parser::parse_bind_type() {
  const std::size_t colon = pos_;
  const std::uint32_t end = last_end_;
  take();
  Node* type = parse_term(1);
  if (at(Tok::kBackArrow) || at(Tok::kAssign) || panic_) {
    set_role(TokenRole::kSpacedColon, colon);
    return type;
  }
  if (!context_.in_group) {
    unexpected("`<-` or `=`");
    return type;
  }
  carried_ = {colon, pos_, type};
  pos_ = colon;
  last_end_ = end;
  return nullptr;
}

// `x : T <- v` or `x : T = v`, from the colon on.
bool Parser::parse_bind_step(Node* block, const Token& start, Node* target) {
  Node* type = parse_bind_type();
  if (type == nullptr) return false;
  const bool bind = at(Tok::kBackArrow);
  take();
  const Node* pattern = to_pattern(target);
  const bool plain = pattern->kind == NodeKind::kPVar ||
                     pattern->kind == NodeKind::kPWild;
  if (!plain && pattern->kind != NodeKind::kError && !panic_) {
    report(Msg::kPatternInTypedLet, pattern->span);
  }
  Node* value = parse_term(0);
  finish_step(block, start,
              {bind ? StepKind::kBind : StepKind::kPure, binder_of(pattern),
               type, value, {}},
              0);
  return true;
}

// A parallel or erased let.
bool Parser::parallel_step() const {
  return binder_run() > (at(Tok::kMinusMark) ? 0u : 1u);
}

// A statement that no do block has; `term` is what stands before its `=`.
void Parser::refuse_step(const Node* term) {
  const bool name = term != nullptr && term->kind == NodeKind::kName;
  fail(Msg::kLetInDo, term != nullptr ? term->span : span_of(peek()), {},
       name ? "write the type: `" + term->text + " : T = v`" : "");
}

}  // namespace tine
