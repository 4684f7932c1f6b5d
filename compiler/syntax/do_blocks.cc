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
  const Token word = take();
  Node* block = make(NodeKind::kDo, span_of(word));
  Span name;
  if (!take_name("the name of a monad", block->text, name)) {
    return error_node();
  }
  block->op_span = name;
  if (at_op(kOpCons)) {
    take();  // `M<>`
  } else {
    const Token less = peek();
    if (!at_op(kOpLess)) {
      unexpected("`<` and the type of the block");
      return error_node();
    }
    take();
    const Scope scope(*this, {.colon_ends = true, .greater_closes = true});
    while (at_term_start()) {
      block->kids.push_back(parse_term(0));
      accept(Tok::kComma);
    }
    if (!closes_type_args()) {
      type_arg_error(less, "no `>` closes them", "");
      return error_node();
    }
    take();
  }
  expect(Tok::kColon, "`:` and the statements of the block");
  parse_steps(block);
  block->span = span_from(word.begin);
  return block;
}

void Parser::parse_steps(Node* block) {
  const std::uint32_t column = peek().column;
  const std::uint32_t begin = peek().begin;
  while (!panic_ && parse_step(block, column)) {
    if (!can_start_body() && !at(Tok::kBad)) {
      fail(Msg::kDoNoValue, span_from(begin));
    }
  }
}

// Parses one step; true when another must follow.
bool Parser::parse_step(Node* block, std::uint32_t column) {
  const Token start = peek();
  Step step;
  const auto finish = [&](StepKind kind) {
    step.kind = kind;
    step.span = span_from(start.begin);
    block->steps.push_back(step);
    return accept(Tok::kSemi) || starts_statement(column);
  };
  if (accept(Tok::kReturn)) {
    step.value = parse_term(0);
    if (!finish(StepKind::kReturn)) return false;
    if (can_start_body()) fail(Msg::kReturnNotLast, span_of(start));
    return false;
  }
  if (at(Tok::kMatch) || parallel_step()) {
    refuse_step("");
    return false;
  }
  Node* term = nullptr;
  {
    const Scope scope(*this, {.colon_ends = true});
    term = parse_term(0);
  }
  if (at(Tok::kColon) && parse_bind_step(step, term)) {
    finish(step.kind);
    return true;
  }
  if (accept(Tok::kBackArrow)) {
    step.type = term;
    step.value = parse_term(0);
    finish(StepKind::kRun);
    return true;
  }
  if (at(Tok::kAssign)) {
    const bool name = term->kind == NodeKind::kName;
    refuse_step(name ? "write the type: `" + term->text + " : T = v`" : "");
    return false;
  }
  step.value = term;
  if (!finish(StepKind::kLast)) return false;
  if (term->kind == NodeKind::kWrite) report(Msg::kLetInDo, term->span);
  block->steps.back().kind = StepKind::kUnit;
  return true;
}

// `x : T <- v` or `x : T = v` from the colon on. False when the colon and a
// type end a group around the block; then nothing is taken.
bool Parser::parse_bind_step(Step& step, Node* target) {
  const std::size_t colon = pos_;
  const std::uint32_t end = last_end_;
  take();
  step.type = parse_term(1);
  const bool bind = at(Tok::kBackArrow);
  if (!bind && !at(Tok::kAssign) && !panic_) {
    if (!context_.in_group) {
      unexpected("`<-` or `=`");
      return true;
    }
    carried_ = {colon, pos_, std::exchange(step.type, nullptr)};
    pos_ = colon;
    last_end_ = end;
    return false;
  }
  take();
  Node* pattern = to_pattern(target);
  const bool plain = pattern->kind == NodeKind::kPVar ||
                     pattern->kind == NodeKind::kPWild;
  if (!plain && pattern->kind != NodeKind::kError && !panic_) {
    report(Msg::kPatternInTypedLet, pattern->span);
  }
  step.binder = binder_of(pattern);
  step.value = parse_term(0);
  step.kind = bind ? StepKind::kBind : StepKind::kPure;
  return true;
}

// A parallel or erased let.
bool Parser::parallel_step() const {
  return binder_run() > (at(Tok::kMinusMark) ? 0u : 1u);
}

void Parser::refuse_step(std::string repair) {
  const Token token = peek();
  fail(Msg::kLetInDo, span_of(token), {}, std::move(repair));
}

}  // namespace tine
