// The public classes: every call hands over to a pass or a piece of this
// folder, on a stack that is deep enough.
#include <utility>

#include "compiler/book/text.h"
#include "compiler/driver/big_stack.h"
#include "compiler/driver/build.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/eval.h"
#include "compiler/driver/files.h"
#include "compiler/driver/kept.h"
#include "compiler/driver/machine.h"
#include "compiler/driver/messages.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/run.h"
#include "compiler/driver/state.h"

namespace tine {
namespace {

void note_no_memory(Program::State& state) {
  state.wrong = true;
  report_now(state, Msg::kCompileMemory);
}

std::unique_ptr<Program::State> new_state(const Config& config,
                                          const std::string& path) {
  auto state = std::make_unique<Program::State>();
  state->config = config;
  state->path = path;
  return state;
}

Program compile(std::unique_ptr<Program::State> state,
                std::optional<std::string_view> text) {
  StackResult result = on_big_stack([&](std::size_t stack) {
    check_source(*state, text, stack);
  });
  if (result == StackResult::kNoMemory) note_no_memory(*state);
  return Program(std::move(state));
}

Program read_net(std::unique_ptr<Program::State> state,
                 std::string_view text) {
  StackResult result = on_big_stack(
      [&](std::size_t) { read_book_source(*state, text); });
  if (result == StackResult::kNoMemory) note_no_memory(*state);
  return Program(std::move(state));
}

// Lowers when that has not been done yet; false when there is no book.
bool need_book(Program::State& state) {
  if (state.lowered || state.wrong) return state.book_ok && !state.wrong;
  bool made = false;
  StackResult result = on_big_stack(
      [&](std::size_t stack) { made = make_book(state, stack); });
  if (result == StackResult::kNoMemory) note_no_memory(state);
  return made && result == StackResult::kDone;
}

// A program needs a main to run; says so once.
bool may_run(Program::State& state) {
  if (state.wrong || state.has_main()) return !state.wrong;
  if (!state.no_main_noted) report_now(state, Msg::kNoMain);
  state.no_main_noted = true;
  return false;
}

// What the next run will read is what is compiled now: reading a book back
// changes names, and with them the key of the compiled code.
void use_kept_book(Program::State& state, const std::string& text) {
  Book book;
  bool good = false;
  on_big_stack([&](std::size_t) { good = read_book(text, book).empty(); });
  if (good) state.book = std::move(book);
}

}  // namespace

Context::Context(const Config& config) : config_(config) {
  if (TINE_VERIFY_DEFAULT) config_.verify = true;
}

Context::~Context() = default;

Program Context::load_file(const std::string& path) {
  auto state = new_state(config_, path);
  if (!path.ends_with(".net")) return compile(std::move(state), std::nullopt);
  FileText file = read_file(path);
  if (file.result != ReadResult::kOk) {
    report_unread(file, path, {}, state->sink);
    show_new_messages(*state);
    state->wrong = true;
    return Program(std::move(state));
  }
  return read_net(std::move(state), file.text);
}

Program Context::load_to_run(const std::string& path) {
  bool cached = config_.cache && !path.ends_with(".net");
  if (!cached) return load_file(path);
  if (std::optional<std::string> book = find_kept_book(path)) {
    Program program = load_book(path, *book);
    if (program.ok() && program.has_main()) return program;
  }
  Program program = load_file(path);
  program.state_->keep_as = path;
  return program;
}

Program Context::load_text(const std::string& path, std::string_view text) {
  return compile(new_state(config_, path), text);
}

Program Context::load_book(const std::string& path, std::string_view text) {
  return read_net(new_state(config_, path), text);
}

Program::Program(std::unique_ptr<State> state) : state_(std::move(state)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

const std::vector<Message>& Program::messages() const {
  return state_->messages;
}

bool Program::ok() const {
  for (const Message& message : state_->messages) {
    if (message.error) return false;
  }
  return true;
}

std::size_t Program::todos() const { return state_->checked.todos; }

const std::vector<std::string>& Program::unsafe_defs() const {
  return state_->checked.unsafe_defs;
}

bool Program::has_main() const { return state_->has_main(); }

bool Program::main_is_io() const {
  return has_main() && need_book(*state_) && state_->book.main_is_io;
}

std::string Program::book_text() {
  return need_book(*state_) ? print_book(state_->book) : "";
}

std::string Program::dump(std::string_view stage) {
  if (stage == "book") return book_text();
  if (stage == "c" || stage == "device") {
    bool may = may_run(*state_) && need_book(*state_);
    return may ? emitted_c(*state_, stage == "device") : "";
  }
  std::string text;
  StackResult result = on_big_stack(
      [&](std::size_t) { text = dump_stage(*state_, stage); });
  if (result == StackResult::kNoMemory) note_no_memory(*state_);
  return text;
}

Outcome Program::run(const RunOptions& options) {
  bool native = options.engine == "native" || options.engine == "auto";
  if (!native && options.engine != "net" && options.engine != "net-plain") {
    return unknown_engine(options.engine);
  }
  if (!may_run(*state_) || !need_book(*state_)) return program_wrong();
  if (!state_->keep_as.empty()) {
    std::string text = print_book(state_->book);
    keep_book(state_->keep_as, state_->modules, text);
    state_->keep_as.clear();
    if (native) use_kept_book(*state_, text);
  }
  if (native) return run_on_native(*state_, options);
  return run_on_net(*state_, options);
}

Built Program::build(const std::string& path, const std::string& runner) {
  Built built;
  built.status = kProgramWrong;
  if (!may_run(*state_) || !need_book(*state_)) return built;
  return write_built(*state_, path, runner);
}

Program Context::load_built(const std::string& executable) {
  BuiltParts parts = read_built(executable);
  Program program = load_book(executable, parts.book);
  if (!parts.object.empty()) {
    program.state_->native.object = load_native_bytes(parts.object);
  }
  return program;
}

bool is_built(const std::string& executable) {
  return has_trailer(executable);
}

EvalResult Program::eval(std::string_view expression) {
  EvalOptions options;
  options.expression = expression;
  return eval(options);
}

EvalResult Program::eval(const EvalOptions& options) {
  EvalResult result;
  StackResult done = on_big_stack([&](std::size_t stack) {
    result = eval_in_theory(*state_, options, stack);
  });
  if (done == StackResult::kNoMemory) {
    result.status = kOutOfMemory;
    result.failure = "the theory is out of memory";
  }
  return result;
}

}  // namespace tine
