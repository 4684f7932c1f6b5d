// A session: texts, and the program they make.
//
// The session keeps no incremental state. Every declaration compiles all of
// the texts again, beside the program that is in use; only when that went well
// it takes the old one's place. So an input with an error leaves no trace, and
// compiling Base takes a few hundredths of a second.
#include <algorithm>
#include <filesystem>

#include "compiler/book/text.h"
#include "compiler/driver/big_stack.h"
#include "compiler/driver/eval.h"
#include "compiler/driver/files.h"
#include "compiler/driver/inputs.h"
#include "compiler/driver/messages.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/session.h"

namespace tine {
namespace {

using ProgramState = std::unique_ptr<Program::State>;

constexpr const char* kNoPath = "<session>";
constexpr const char* kBaseOnly = "import Base\n";
constexpr std::string_view kItHead = "def it() -> ";
// A longer value is not written out as the text of `it`.
constexpr std::size_t kMaxIt = std::size_t{64} << 10;

// An unfilled hole or law: the program is incomplete and yet of use.
bool is_hole(const Diag& diag) {
  return diag.msg == Msg::kHole || diag.msg == Msg::kTodoHole ||
         diag.msg == Msg::kOpenLaw;
}

bool is_own(const core::Module& module) {
  return module.space.empty() && !module.is_base;
}

// The names that the entry's aliases give to what other files declare.
void show_by_alias(Program::State& state) {
  if (state.modules.modules.empty()) return;
  const core::Module& last = state.modules.modules.back();
  std::vector<std::string>& unsafe = state.checked.unsafe_defs;
  auto rename = [&](const std::string& key, std::string& shown) {
    std::size_t colon = key.rfind(':');
    if (colon == std::string::npos) return;
    for (const auto& [alias, space] : last.aliases) {
      if (key.compare(0, colon, space) == 0 && space.size() == colon) {
        std::string name = alias + "." + key.substr(colon + 1);
        std::replace(unsafe.begin(), unsafe.end(), shown, name);
        shown = name;
      }
    }
  };
  for (core::DefInfo& def : state.globals.defs) rename(def.name, def.shown);
  for (core::DataInfo& data : state.globals.datas) {
    rename(data.name, data.shown);
  }
  for (core::CtorInfo& ctor : state.globals.ctors) {
    rename(ctor.name, ctor.shown);
  }
}

// Declarations by the names they take in the entry's namespace.
std::map<std::string, const Decl*> own_names(const Program::State& state) {
  std::map<std::string, const Decl*> names;
  for (const core::Module& module : state.modules.modules) {
    if (!is_own(module)) continue;
    for (const Decl& decl : module.tree->decls) {
      if (decl.kind != DeclKind::kFill) names[decl.text] = &decl;
      for (const CtorDecl& ctor : decl.ctors) {
        names.try_emplace(ctor.text, &decl);
      }
    }
  }
  return names;
}

std::vector<std::string> names_of(const Decl& decl) {
  std::vector<std::string> names;
  if (decl.kind != DeclKind::kFill) names.push_back(decl.text);
  for (const CtorDecl& ctor : decl.ctors) {
    if (ctor.text != decl.text) names.push_back(ctor.text);
  }
  return names;
}

}  // namespace

// ---- compiling -------------------------------------------------------------

// Compiles the texts; `ok` says whether the program can be used.
ProgramState Session::State::compile(const SessionTexts& texts,
                                     const std::atomic<bool>* stop,
                                     bool& ok) const {
  auto state = std::make_unique<Program::State>();
  state->config = config;
  state->path = path.empty() ? kNoPath : path;
  state->stop = stop;
  StackResult done = on_big_stack([&](std::size_t stack) {
    check_source(*state, texts.entry, stack, texts.inputs);
  });
  if (done == StackResult::kNoMemory) report_now(*state, Msg::kCompileMemory);
  const std::vector<Diag>& diags = state->sink.diags();
  ok = std::none_of(diags.begin(), diags.end(), [](const Diag& diag) {
    return diag.severity == Severity::kError && !is_hole(diag);
  });
  state->wrong = !ok;
  if (ok) show_by_alias(*state);
  return state;
}

// Messages of a compilation: all errors where it failed, else those that
// concern the newest text.
void Session::State::take_messages(const Program::State& from, bool ok,
                                   std::vector<Message>& out) const {
  FileId newest = from.modules.modules.empty()
                      ? kNoFile
                      : from.modules.modules.back().tree->file;
  for (const Diag& diag : from.sink.diags()) {
    bool error = diag.severity == Severity::kError;
    bool wanted = diag.span.file == newest && diag.msg != Msg::kOpenLaw;
    if (ok ? wanted : error) {
      out.push_back(to_message(diag, from.sources));
    }
  }
}

void Session::State::use(ProgramState state, SessionTexts now) {
  holes.clear();
  for (const Diag& diag : state->sink.diags()) {
    if (is_hole(diag)) holes.push_back(to_message(diag, state->sources));
  }
  // What was said has been said: later passes start afresh.
  state->sink = Sink();
  state->messages.clear();
  state->shown = 0;
  state->stop = nullptr;
  current = std::move(state);
  texts = std::move(now);
}

// ---- declarations ----------------------------------------------------------

std::string Session::State::fresh(const std::string& name,
                                  const std::string& input) const {
  auto is_taken = [&](const std::string& word) {
    if (texts.entry.find(word) != std::string::npos) return true;
    if (input.find(word) != std::string::npos) return true;
    return std::any_of(
        texts.inputs.begin(), texts.inputs.end(), [&](const std::string& t) {
          return t.find(word) != std::string::npos;
        });
  };
  for (int n = 1;; ++n) {
    std::string word = name + "_" + std::to_string(n);
    if (!is_taken(word)) return word;
  }
}

// Is `name` used outside of the declaration that gives it?
bool Session::State::is_used(const std::string& name,
                             const Decl& decl) const {
  std::size_t own =
      words_of(current->sources.text(decl.whole))[name];
  std::size_t all = words_of(texts.entry)[name];
  for (const std::string& input : texts.inputs) all += words_of(input)[name];
  return all > own;
}

// New names for what the declarations of `tree` hide.
Renaming Session::State::hide(const FileTree& tree, const std::string& input,
                              Declared& result) const {
  Renaming renaming;
  std::map<std::string, const Decl*> known = own_names(*current);
  for (const Decl& decl : tree.decls) {
    for (const std::string& name : names_of(decl)) {
      auto old = known.find(name);
      if (old == known.end() || renaming.words.contains(name)) continue;
      std::string word = fresh(name, input);
      renaming.words[name] = word;
      if (old->second->kind == DeclKind::kType && old->second->text == name) {
        renaming.types.insert(name);
      }
      if (is_used(name, *old->second)) {
        result.renamed.emplace_back(name, word);
      }
    }
  }
  return renaming;
}

// The texts with everything renamed that needs it, and the input after them.
SessionTexts Session::State::with_input(const Renaming& renaming,
                                        const std::string& input) const {
  SessionTexts next = texts;
  if (!renaming.words.empty()) {
    next.entry = rename_words(next.entry, renaming);
    for (std::string& old : next.inputs) old = rename_words(old, renaming);
  }
  next.inputs.push_back(input);
  return next;
}

Declared Session::State::declare(const std::string& input,
                                 const std::atomic<bool>* stop) {
  Declared result;
  SourceMap sources;
  FileTree tree;
  Sink sink;
  parse_file(sources, sources.add(kInputPath, input), tree, sink);
  if (sink.has_errors()) {
    append_messages(sink, 0, sources, result.messages);
    return result;
  }
  Renaming renaming = hide(tree, input, result);
  SessionTexts next = with_input(renaming, input);
  if (renaming.words.contains("it") &&
      std::none_of(result.renamed.begin(), result.renamed.end(),
                   [](const auto& pair) { return pair.first == "it"; })) {
    // An earlier `it` that nothing uses is of no more use.
    std::string old = "def " + renaming.words["it"] + "() -> ";
    std::erase_if(next.inputs, [&](const std::string& text) {
      return text.starts_with(old);
    });
  }
  ProgramState program = compile(next, stop, result.ok);
  take_messages(*program, result.ok, result.messages);
  if (!result.ok) return result;
  for (const Decl& decl : tree.decls) result.names.push_back(decl.text);
  use(std::move(program), std::move(next));
  it.type = rename_words(it.type, renaming);
  it.value = rename_words(it.value, renaming);
  it.expression = rename_words(it.expression, renaming);
  return result;
}

// ---- it ----------------------------------------------------------------------

bool Session::State::is_data(const std::string& type) {
  EvalOptions options;
  options.expression = "{" + type + " : Data}";
  options.type_only = true;
  return eval(options).status == kOk;
}

// Declares `it` when the text names it; false, with a reason, when the last
// value cannot be named.
bool Session::State::bring_it(std::string_view text, std::string& failure) {
  if (!it.waiting || !words_of(text).contains("it")) return true;
  it.waiting = false;
  if (!is_data(it.type)) {
    failure = "`it` is not kept: its type " + it.type + " is not Data";
    return false;
  }
  std::string head = std::string(kItHead) + it.type + ":\n";
  if (it.value.size() <= kMaxIt && declare(head + it.value, nullptr).ok) {
    return true;
  }
  // What does not read back is computed again.
  if (declare(head + it.expression, nullptr).ok) return true;
  failure = "`it` is not kept: the last value cannot be written as a term";
  return false;
}

EvalResult Session::State::eval(const EvalOptions& options) {
  EvalResult result;
  current->config = config;
  StackResult done = on_big_stack([&](std::size_t stack) {
    result = eval_in_theory(*current, options, stack);
  });
  if (done == StackResult::kNoMemory) {
    result.status = kOutOfMemory;
    result.failure = "the theory is out of memory";
  }
  return result;
}

namespace {

EvalResult failed_eval(std::string failure) {
  EvalResult result;
  result.status = kProgramWrong;
  result.failure = std::move(failure);
  return result;
}

bool mentions_difference(const EvalResult& result) {
  return !result.messages.empty() &&
         std::all_of(result.messages.begin(), result.messages.end(),
                     [](const Message& message) {
                       return message.code == diag_code(Msg::kEquationSides);
                     });
}

}  // namespace

// ---- the public class --------------------------------------------------------

Session::Session(const Config& config) : state_(std::make_unique<State>()) {
  state_->config = config;
  load("", nullptr);
}

Session::~Session() = default;

InputKind Session::classify(std::string_view text) {
  return classify_input(text);
}

Config& Session::config() { return state_->config; }
const std::string& Session::path() const { return state_->path; }

std::size_t Session::typed() const {
  const std::vector<std::string>& inputs = state_->texts.inputs;
  return static_cast<std::size_t>(
      std::count_if(inputs.begin(), inputs.end(), [](const std::string& text) {
        return !text.starts_with(kItHead);
      }));
}

std::vector<Message> Session::holes() const { return state_->holes; }

const std::vector<std::string>& Session::unsafe_defs() const {
  return state_->current->checked.unsafe_defs;
}

Declared Session::load(const std::string& path,
                       const std::atomic<bool>* stop) {
  Declared result;
  SessionTexts texts;
  texts.entry = kBaseOnly;
  if (!path.empty()) {
    FileText file = read_file(path);
    if (file.result != ReadResult::kOk) {
      Sink sink;
      report_unread(file, path, {}, sink);
      append_messages(sink, 0, SourceMap(), result.messages);
      return result;
    }
    texts.entry = std::move(file.text);
  }
  std::string before = std::exchange(state_->path, path);
  ProgramState program = state_->compile(texts, stop, result.ok);
  state_->take_messages(*program, result.ok, result.messages);
  std::erase_if(result.messages, [](const Message& m) { return !m.error; });
  if (!result.ok) {
    state_->path = before;
    return result;
  }
  for (const auto& [name, decl] : own_names(*program)) {
    if (decl->text == name) result.names.push_back(name);
  }
  state_->use(std::move(program), std::move(texts));
  state_->it = {};
  return result;
}

Declared Session::declare(std::string_view text,
                          const std::atomic<bool>* stop) {
  std::string failure;
  state_->bring_it(text, failure);  // without it the name is unknown
  return state_->declare(std::string(text), stop);
}

EvalResult Session::eval(const EvalOptions& options) {
  std::string failure;
  if (!state_->bring_it(options.expression, failure)) {
    return failed_eval(failure);
  }
  EvalResult result = state_->eval(options);
  if (result.status == kOk && !options.type_only && !result.type.empty()) {
    state_->it = {result.type, result.value, options.expression, true};
  }
  return result;
}

EvalResult Session::equal(std::string_view text,
                          const std::atomic<bool>* stop) {
  auto sides = split_equation(text);
  if (!sides) return failed_eval("an equation is written A == B");
  EvalOptions options;
  options.stop = stop;
  options.type_only = true;
  options.expression = sides->first;
  EvalResult result = eval(options);
  if (result.status != kOk) {
    options.expression = sides->second;
    EvalResult second = eval(options);
    if (second.status != kOk) return result;
    result = std::move(second);
  }
  std::string type = result.type;
  options.expression =
      "{{==} : {" + sides->first + " == " + sides->second + " : " + type + "}}";
  result = state_->eval(options);
  result.type = type;
  bool differ = mentions_difference(result);
  if (result.status == kOk) result.value = "equal";
  if (!differ) return result;
  result.status = kOk;
  result.value = "not equal";
  return result;
}

RunResult Session::run(const std::string& expression,
                       const RunOptions& options) {
  RunResult result;
  result.outcome.status = kProgramWrong;
  if (!state_->bring_it(expression, result.failure)) return result;
  if (!state_->holes.empty()) {
    result.failure = "the session has holes or open laws; an engine runs "
                     "complete programs only; see :holes";
    return result;
  }
  EvalOptions ask;
  ask.expression = expression;
  ask.type_only = true;
  ask.stop = options.stop;
  EvalResult typed = state_->eval(ask);
  result.messages = std::move(typed.messages);
  result.failure = typed.failure;
  if (typed.status != kOk) return result;
  std::string input = "def main() -> " + typed.type + ":\n" + expression;
  SourceMap sources;
  FileTree tree;
  Sink sink;
  parse_file(sources, sources.add(kInputPath, input), tree, sink);
  Declared hidden;
  Renaming renaming = state_->hide(tree, input, hidden);
  bool ok = false;
  ProgramState program = state_->compile(
      state_->with_input(renaming, input), options.stop, ok);
  state_->take_messages(*program, ok, result.messages);
  std::erase_if(result.messages, [](const Message& m) { return !m.error; });
  if (!ok) return result;
  program->sink = Sink();
  program->messages.clear();
  program->shown = 0;
  Program runnable(std::move(program));
  result.outcome = runnable.run(options);
  for (const Message& message : runnable.messages()) {
    if (message.error) result.messages.push_back(message);
  }
  return result;
}

namespace {

// The groups of a book that come from one def: its own, and those of its
// lambdas and instances, which say `as NAME`.
std::string groups_of(const std::string& book, const std::string& name) {
  std::string out;
  bool inside = false;
  std::size_t at = 0;
  while (at < book.size()) {
    std::size_t end = book.find('\n', at);
    if (end == std::string::npos) end = book.size();
    std::string_view line = std::string_view(book).substr(at, end - at);
    if (!line.empty() && line[0] != ' ') {
      std::string own = std::string(line.substr(0, line.find(' ')));
      bool group = line.find(" -> ") != std::string_view::npos &&
                   !line.starts_with("type ");
      inside = group && (own == name || own == "`" + name + "`" ||
                         line.ends_with(" as " + name) ||
                         line.ends_with(" as `" + name + "`"));
      if (inside && !out.empty()) out += "\n";
    }
    if (inside && !line.empty()) out += std::string(line) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string Session::rules(const std::string& name,
                           std::vector<Message>& messages) {
  bool ok = false;
  ProgramState program = state_->compile(state_->texts, nullptr, ok);
  // Without a main the book is of all closed defs.
  program->globals.main = core::Def::kNone;
  program->sink = Sink();
  program->shown = 0;
  on_big_stack([&](std::size_t stack) { ok = ok && make_book(*program, stack); });
  append_messages(program->sink, 0, program->sources, messages);
  return ok ? groups_of(print_book(program->book), name) : "";
}

}  // namespace tine
