// Lines, inputs, and what is printed. See repl.h; the commands are in
// repl_commands.cc.
#include "tools/repl.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "tools/commands.h"
#include "tools/signals.h"

namespace tine::tool {
namespace {

constexpr const char* kPrompt = "tine> ";
constexpr const char* kMore = "....> ";

std::string trim(const std::string& text) {
  std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

}  // namespace

Repl::Repl(const Options& options, Console& console)
    : console_(console), session_(options.config),
      lines_([this](const std::string& line) { return complete(line); }),
      echo_(options.echo && !lines_.interactive()) {
  if (!options.engine.empty()) settings_.engine = options.engine;
}

int Repl::loop() {
  if (lines_.interactive()) {
    say(std::string("tine ") + kVersion + "; :help lists the commands");
  }
  std::string line;
  while (!quit_ && next_line(false, line)) {
    if (line.starts_with(':')) {
      command_line(line);
    } else {
      read_input(line);
    }
  }
  return kOk;
}

// ---- lines -------------------------------------------------------------------

// False at the end of the input. An interrupted line is empty.
bool Repl::next_line(bool more, std::string& line) {
  forget_interrupt();
  ReadLine got = lines_.read(more ? kMore : kPrompt, line);
  if (got == ReadLine::kEnd) return false;
  if (got == ReadLine::kInterrupted) line.clear();
  if (echo_) say(line.empty() ? more ? "....>" : "tine>"
                              : (more ? kMore : kPrompt) + line);
  return true;
}

// Takes more lines until the text is complete. Two empty lines end anything:
// else a bracket that is never closed would take all that follows.
void Repl::read_input(std::string text) {
  std::string line;
  int empty = 0;
  while (empty < 2 && Session::classify(text) == InputKind::kIncomplete) {
    if (!next_line(true, line)) break;
    if (interrupted()) return;  // Ctrl-C drops the whole input
    text += "\n" + line;
    empty = trim(line).empty() ? empty + 1 : 0;
  }
  finish_input(text);
}

// An empty line ends everything but open brackets: those are an error of
// what the text starts as.
void Repl::finish_input(const std::string& text) {
  InputKind kind = Session::classify(text + "\n\n");
  if (kind == InputKind::kIncomplete) {
    std::string word = trim(text).substr(0, 4);
    bool declares = word == "def " || word == "type" || word == "law " ||
                    word == "impo" || word == "@uns";
    kind = declares ? InputKind::kDeclaration : InputKind::kExpression;
  }
  if (kind == InputKind::kDeclaration) declare(text);
  if (kind == InputKind::kExpression) evaluate(text, false);
}

// ---- commands ----------------------------------------------------------------

// A command of that name, or all those that the word begins.
std::vector<const Repl::Command*> Repl::matching(
    const std::string& word) const {
  std::vector<const Command*> found;
  for (const Command& command : commands()) {
    if (command.name == word) return {&command};
    if (std::string_view(command.name).starts_with(word)) {
      found.push_back(&command);
    }
  }
  return found;
}

void Repl::command_line(const std::string& line) {
  std::size_t end = 1;
  while (end < line.size() && line[end] != ' ' && line[end] != '\t') ++end;
  std::string word = line.substr(1, end - 1);
  std::string argument = trim(line.substr(end));
  if (word == "?" || word.empty()) word = "help";
  std::vector<const Command*> found = matching(word);
  if (found.empty()) {
    return complain("there is no command `:" + word + "`; try :help");
  }
  if (found.size() > 1) {
    std::string names;
    for (const Command* command : found) {
      names += std::string(names.empty() ? ":" : ", :") + command->name;
    }
    return complain("`:" + word + "` could be " + names);
  }
  const Command& command = *found[0];
  std::string wanted = command.argument;
  if (wanted.empty() && !argument.empty()) {
    return complain(std::string("`:") + command.name + "` takes no argument");
  }
  if (!wanted.empty() && wanted[0] != '[' && argument.empty()) {
    return complain(std::string("`:") + command.name + "` needs " + wanted);
  }
  (this->*command.run)(argument);
}

// ---- completion --------------------------------------------------------------

Completions Repl::complete(const std::string& line) const {
  Completions out;
  std::size_t blank = line.find(' ');
  if (line.starts_with(':') && blank == std::string::npos) {
    for (const Command& command : commands()) {
      std::string word = std::string(":") + command.name;
      if (word.starts_with(line)) out.words.push_back(word);
    }
    return out;
  }
  if (line.starts_with(':')) {
    std::vector<const Command*> command = matching(line.substr(1, blank - 1));
    out.files = command.size() == 1 && command[0]->argument ==
                                           std::string("[FILE]");
    if (out.files) return out;
  }
  out.start = line.size();
  while (out.start > 0 && is_word(line[out.start - 1])) --out.start;
  std::string word = line.substr(out.start);
  for (std::string& name : session_.names()) {
    if (name.starts_with(word)) out.words.push_back(std::move(name));
  }
  return out;
}

// Call it before something that Ctrl-C is to stop.
const std::atomic<bool>* Repl::begin() {
  forget_interrupt();
  return &begin_interruptible();
}

// ---- what is printed -----------------------------------------------------------

void Repl::say(const std::string& line) { console_.out(line + "\n"); }

void Repl::complain(const std::string& text, const std::string& def) {
  console_.fail(text, def);
}

void Repl::show(const std::vector<Message>& messages) {
  console_.show(messages, true);
}

void Repl::show_declared(const Declared& declared) {
  for (const auto& [old, now] : declared.renamed) {
    say("the earlier `" + old + "` is now `" + now + "`");
  }
  for (const std::string& name : declared.names) {
    for (const NameInfo& info : session_.info(name)) show_info(info, false);
  }
}

void Repl::show_info(const NameInfo& info, bool full) {
  std::string line = info.name;
  if (!info.type.empty()) line += " : " + info.type;
  if (info.kind != "def") line = info.kind + " " + line;
  if (!full) return say(line);
  say(line);
  if (!info.path.empty()) {
    line = "  in " + info.path + ", line " + std::to_string(info.line);
    if (info.unsafe) line += "; relies on unsafe code";
    if (info.forks) line += "; relies on the fork of an array";
    say(line);
  }
  say(info.text);
}

// True, with messages, when the evaluation gave no value.
bool Repl::show_failure(const EvalResult& result) {
  show(result.messages);
  if (!result.failure.empty()) complain(result.failure);
  return result.status != kOk;
}

void Repl::show_value(const EvalResult& result, double seconds) {
  std::string text = result.value;
  if (text.size() > settings_.limit) {
    std::size_t end = settings_.limit;
    while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
    text = text.substr(0, end) + " .. (" + std::to_string(result.value.size()) +
           " bytes; `:set limit N` shows more)";
  }
  if (settings_.types && !result.type.empty()) text += " : " + result.type;
  say(text);
  if (!result.fork_defs.empty()) note_forks(result.fork_defs, console_);
  if (settings_.steps) {
    say(std::to_string(result.steps) +
        (result.steps == 1 ? " step" : " steps"));
  }
  if (settings_.time) show_seconds(seconds);
}

void Repl::show_seconds(double seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3f seconds", seconds);
  say(text);
}

int command_repl(const Options& options, Console& console) {
  interrupts_stop_evaluations_only();
  Repl repl(options, console);
  return repl.run_file(options.operands);
}

}  // namespace tine::tool
