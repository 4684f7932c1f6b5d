// Parses and checks one expression, prints its normal form. See eval.h.
//
// The result names the definitions that fork an array and that the expression
// can reach: in the theory a fork shares one immutable value, so a write
// through the second handle is not in the printed value.
#include "compiler/driver/eval.h"

#include <algorithm>

#include "compiler/closed/closed.h"
#include "compiler/driver/messages.h"
#include "compiler/driver/pipeline.h"

namespace tine {
namespace {

// The definitions a term names, itself included once.
void collect_refs(const core::Term* term, std::vector<core::Def>& out) {
  if (!term) return;
  if (term->kind == core::TermKind::kRef) out.push_back(term->def);
  for (const core::Term* kid : term->kids) collect_refs(kid, out);
  for (const core::TermArm& arm : term->arms) collect_refs(arm.body, out);
}

// All definitions reachable from `start`, as a mask over the table.
std::vector<bool> reachable(const core::Globals& globals,
                            std::vector<core::Def> start) {
  std::vector<bool> seen(globals.defs.size(), false);
  while (!start.empty()) {
    core::Def def = start.back();
    start.pop_back();
    if (seen[core::index(def)]) continue;
    seen[core::index(def)] = true;
    for (core::Def next : globals.def(def).uses) start.push_back(next);
  }
  return seen;
}

// The program's own definitions that fork; Base's only where there is no
// other, that is where the expression itself names one.
std::vector<std::string> fork_defs(const core::Globals& globals,
                                   const core::Term* term) {
  std::vector<core::Def> start;
  collect_refs(term, start);
  std::vector<bool> seen = reachable(globals, start);
  std::vector<std::string> own, base;
  for (std::size_t i = 0; i < globals.defs.size(); ++i) {
    const core::DefInfo& def = globals.defs[i];
    if (!seen[i] || !def.relies_on_fork) continue;
    (def.is_base ? base : own).push_back(def.shown);
  }
  return own.empty() ? base : own;
}

int status_of(core::TheoryFailure failure) {
  switch (failure) {
    case core::TheoryFailure::kNone:
      return kOk;
    case core::TheoryFailure::kMemory:
      return kOutOfMemory;
    case core::TheoryFailure::kInterrupted:
      return kStopped;
    default:
      return kRunFailed;
  }
}

// Parses and checks; null, with messages, when the expression is wrong.
core::Typed check(Program::State& state, std::string_view expression,
                  EvalResult& result) {
  Sink sink;
  FileId file = state.sources.add("<expression>", std::string(expression));
  FileTree& tree = state.expressions.emplace_back();
  tree.file = file;
  Node* node = parse_expression(state.sources, file, tree, sink);
  core::Typed typed;
  if (node && !sink.has_errors()) {
    typed = core::check_expression(state.modules.modules, state.globals,
                                   *state.theory, node, sink);
  }
  append_messages(sink, 0, state.sources, result.messages);
  if (sink.has_errors()) typed.term = nullptr;
  return typed;
}

// The normal form of what is no function or type, where it is found fast.
core::Term* closed_form(Program::State& state, const core::Typed& typed,
                        const EvalOptions& options) {
  core::Theory& theory = *state.theory;
  if (options.head || !typed.type) return nullptr;
  core::ValueKind kind = theory.whnf(typed.type)->kind;
  if (kind != core::ValueKind::kData) return nullptr;
  std::uint64_t steps = theory.steps();
  core::Term* normal =
      closed::normal_form(state.globals, theory, typed.term);
  // What was tried in vain is not counted.
  bool limit = theory.failure() != core::TheoryFailure::kNone;
  if (!normal && !limit) theory.forget_steps(steps);
  return normal;
}

void print_value(Program::State& state, const core::Typed& typed,
                 const EvalOptions& options, EvalResult& result) {
  core::Theory& theory = *state.theory;
  // As written: unfolded, `IO(Unit)` would be a long function type.
  if (typed.type) result.type = theory.print_head(typed.type);
  if (options.type_only) return;
  std::uint64_t before = theory.steps();
  if (core::Term* normal = closed_form(state, typed, options)) {
    result.value = core::show(state.globals, normal);
  } else {
    core::Value* value = theory.eval(typed.term, nullptr);
    result.value = options.head ? theory.print_head(theory.whnf(value))
                                : theory.print(value);
  }
  result.steps = theory.steps() - before;
  result.fork_defs = fork_defs(state.globals, typed.term);
}

// Gives back the terms past the first `keep`: those of one evaluation. The
// program's own values name terms of the program only.
void drop_terms(Program::State& state, std::size_t keep) {
  state.globals.arena.shrink(keep);
  state.expressions.clear();
}

EvalResult refuse(const Program::State& state, Msg msg) {
  Sink sink;
  sink.report(msg, {});
  EvalResult result;
  result.status = kProgramWrong;
  append_messages(sink, 0, state.sources, result.messages);
  return result;
}

}  // namespace

EvalResult eval_in_theory(Program::State& state, const EvalOptions& options,
                          std::size_t stack) {
  EvalResult result;
  if (state.wrong) {
    result.status = kProgramWrong;  // the program's messages say why
    return result;
  }
  if (!state.from_source) return refuse(state, Msg::kNoTheory);
  const std::string& expression = options.expression;
  if (expression.empty() && !state.has_main()) {
    return refuse(state, Msg::kNoMain);
  }
  state.theory->set_limits(theory_limits(state.config, stack));
  state.theory->stop = options.stop;
  std::size_t terms = state.globals.arena.size();
  core::Typed typed =
      check(state, expression.empty() ? "main" : expression, result);
  // Nothing but this call's stack holds values now: let the garbage go.
  state.theory->collect_from(__builtin_frame_address(0));
  if (typed.term) print_value(state, typed, options, result);
  state.theory->collect_from(nullptr);
  state.theory->stop = nullptr;
  drop_terms(state, terms);
  core::TheoryFailure failure = state.theory->failure();
  if (failure != core::TheoryFailure::kNone) {
    result.status = status_of(failure);
    result.failure = describe(failure, state.config);
    result.value.clear();
  } else if (!typed.term) {
    result.status = kProgramWrong;
  }
  return result;
}

}  // namespace tine
