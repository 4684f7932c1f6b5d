// The flat list of passes. A phase ends at a barrier: when the sink holds an
// error, later phases would only report its consequences.
#include "compiler/driver/pipeline.h"

#include <algorithm>
#include <cstdio>

#include "compiler/book/lower.h"
#include "compiler/book/text.h"
#include "compiler/driver/messages.h"
#include "runtime/heap/check.h"

namespace tine {
namespace {

// Bytes of stack that one level of nested forcing may take in the theory;
// sanitizers make frames several times as large.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kStackPerLevel = std::size_t{32} << 10;
#else
constexpr std::size_t kStackPerLevel = std::size_t{8} << 10;
#endif
constexpr std::uint32_t kMaxLevels = 100000;
// Checking needs some memory whatever a run is allowed.
constexpr std::size_t kLeastTheory = std::size_t{256} << 20;
constexpr std::size_t kMostTheory = std::size_t{4} << 30;

// True when the program is wrong so far: the next phase must not start.
bool barrier(Program::State& state) { return state.sink.has_errors(); }

void check_modules(Program::State& state, std::size_t stack) {
  state.theory = std::make_unique<core::Theory>(state.globals);
  state.theory->set_limits(theory_limits(state.config, stack));
  state.theory->stop = state.stop;
  state.checked = core::check_program(state.modules.modules, state.globals,
                                      *state.theory, state.sink);
  state.theory->stop = nullptr;
  // A limit that was met makes the verdict void, so it must be an error.
  TINE_CHECK(state.theory->failure() == core::TheoryFailure::kNone ||
             state.sink.has_errors());
}

// The passes of the front end, up to their first barrier.
void pass_front_end(Program::State& state,
                    std::optional<std::string_view> text,
                    const std::vector<std::string>& more, std::size_t stack) {
  // Reads and parses the file and everything it imports.
  load_modules(state.path, text, state.sources, state.modules, state.sink,
               more);
  if (barrier(state)) return;
  // Names, types, quantities, coverage, descent. From here on the core terms
  // never change.
  check_modules(state, stack);
}

// A book of our own making that does not verify is a fault of tine.
bool verify_own_book(Program::State& state) {
  std::vector<BookError> errors = verify_book(state.book);
  for (const BookError& error : errors) {
    state.sink.report(Msg::kBookFault, {}, {error.text});
  }
  return errors.empty();
}

}  // namespace

void show_new_messages(Program::State& state) {
  append_messages(state.sink, state.shown, state.sources, state.messages);
  state.shown = state.sink.diags().size();
}

void report_now(Program::State& state, Msg msg,
                std::vector<std::string> args) {
  state.sink.report(msg, {}, std::move(args));
  show_new_messages(state);
}

core::TheoryLimits theory_limits(const Config& config, std::size_t stack) {
  core::TheoryLimits limits;
  if (config.fuel != 0) limits.fuel = config.fuel;
  std::size_t memory = config.memory ? config.memory : default_memory();
  limits.memory = std::clamp(memory, kLeastTheory, kMostTheory);
  limits.seconds = config.check_deadline;
  limits.depth = static_cast<std::uint32_t>(
      std::min<std::size_t>(stack / kStackPerLevel, kMaxLevels));
  return limits;
}

std::string describe(core::TheoryFailure failure, const Config& config) {
  switch (failure) {
    case core::TheoryFailure::kNone:
      return "";
    case core::TheoryFailure::kFuel:
      return "the limit of " + std::to_string(config.fuel) +
             " steps of the theory was reached";
    case core::TheoryFailure::kDeadline: {
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%g", config.check_deadline);
      return "the deadline of " + std::string(seconds) + " seconds passed";
    }
    case core::TheoryFailure::kMemory:
      return "the theory is out of memory";
    case core::TheoryFailure::kDepth:
      return "the evaluation is nested too deeply";
    case core::TheoryFailure::kInterrupted:
      return "interrupted";
  }
  return "";
}

void check_source(Program::State& state, std::optional<std::string_view> text,
                  std::size_t stack, const std::vector<std::string>& more) {
  state.from_source = true;
  pass_front_end(state, text, more, stack);
  state.wrong = barrier(state);
  show_new_messages(state);
}

void read_book_source(Program::State& state, std::string_view text) {
  state.lowered = true;
  FileId file = state.sources.add(state.path, std::string(text));
  std::vector<BookError> errors = read_book(text, state.book);
  // A book's text bypasses the source checker, so it is always verified.
  if (errors.empty()) errors = verify_book(state.book);
  report_book(errors, file, state.sources, state.sink);
  show_new_messages(state);
  state.wrong = !errors.empty();
  state.book_ok = errors.empty();
}

bool make_book(Program::State& state, std::size_t stack) {
  if (state.lowered) return state.book_ok;
  state.lowered = true;
  state.theory->set_limits(theory_limits(state.config, stack));
  LowerOptions options;
  options.all_defs = !state.has_main();
  lower_program(state.globals, *state.theory, state.sources, options,
                state.book, state.sink);
  state.book_ok = !barrier(state);
  // From here on the book never changes.
  if (state.book_ok && state.config.verify) {
    state.book_ok = verify_own_book(state);
  }
  show_new_messages(state);
  return state.book_ok;
}

}  // namespace tine
