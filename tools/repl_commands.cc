// The commands of the REPL, in the order of their names.
#include <chrono>
#include <cstdio>

#include "tools/repl.h"
#include "tools/signals.h"

namespace tine::tool {
namespace {

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

std::string count(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace

const std::vector<Repl::Command>& Repl::commands() {
  static const std::vector<Command> kCommands = {
      {"browse", "[Base or an alias]", "names and their types",
       &Repl::do_browse},
      {"diff", "an expression", "its value in the theory and on the engine",
       &Repl::do_diff},
      {"engine", "[NAME]", "the engine of :run: net, net-plain, native",
       &Repl::do_engine},
      {"eq", "A == B", "are the two convertible?", &Repl::do_eq},
      {"help", "[COMMAND]", "this list", &Repl::do_help},
      {"holes", "", "holes and open laws", &Repl::do_holes},
      {"info", "a name", "what it is, where, and its text", &Repl::do_info},
      {"load", "[FILE]", "load a file, or none; forgets what was typed",
       &Repl::do_load},
      {"net", "a name", "the rules of a def", &Repl::do_net},
      {"norm", "an expression", "its normal form", &Repl::do_norm},
      {"paste", "", "take lines until `:end` or Ctrl-D as one input",
       &Repl::do_paste},
      {"quit", "", "leave; Ctrl-D does too", &Repl::do_quit},
      {"reload", "", "load the file again; forgets what was typed",
       &Repl::do_reload},
      {"run", "an expression", "run an IO action, or a value, on the engine",
       &Repl::do_run},
      {"set", "[NAME VALUE]", "show or change a setting", &Repl::do_set},
      {"threads", "[N]", "workers of the engine", &Repl::do_threads},
      {"time", "[EXPRESSION]", "show its time, or that of all that follows",
       &Repl::do_time},
      {"type", "an expression", "its type", &Repl::do_type},
      {"unsafe", "", "what relies on unsafe code, forks included",
       &Repl::do_unsafe},
      {"whnf", "an expression", "its weak head normal form", &Repl::do_whnf},
  };
  return kCommands;
}

int Repl::run_file(const std::vector<std::string>& files) {
  if (!files.empty()) load_file(files[0]);
  return loop();
}

void Repl::declare(const std::string& text) {
  Declared declared = session_.declare(text, begin());
  show(declared.messages);
  if (declared.ok) show_declared(declared);
}

void Repl::evaluate(const std::string& text, bool head) {
  Clock clock;
  EvalOptions options;
  options.expression = text;
  options.head = head;
  options.stop = begin();
  EvalResult result = session_.eval(options);
  if (!show_failure(result)) show_value(result, clock.seconds());
}

// What is typed goes with the file it was typed after.
void Repl::load_file(const std::string& path) {
  std::size_t typed = session_.typed();
  Declared loaded = session_.load(path, begin());
  show(loaded.messages);
  if (!loaded.ok) return complain("nothing is loaded; the session is as it was");
  if (typed > 0) say(count(typed, "typed input") + " forgotten");
  if (!path.empty()) {
    say("loaded " + path + ": " + count(loaded.names.size(), "name"));
  }
}

void Repl::do_browse(const std::string& argument) {
  std::vector<NameInfo> names = session_.browse(argument);
  if (names.empty() && !argument.empty()) {
    return complain("`" + argument + "` is no import alias, and not Base");
  }
  for (const NameInfo& info : names) show_info(info, false);
}

void Repl::do_diff(const std::string& argument) {
  EvalOptions options;
  options.expression = argument;
  options.stop = begin();
  EvalResult theory = session_.eval(options);
  if (show_failure(theory)) return;
  RunOptions how;
  how.engine = settings_.engine;
  how.stop = begin();
  how.streams.files = false;
  RunResult run = session_.run(argument, how);
  show(run.messages);
  if (!run.failure.empty()) return complain(run.failure);
  const Outcome& outcome = run.outcome;
  if (!outcome.trap.empty()) {
    say("theory: " + theory.value);
    return complain(outcome.trap, outcome.trap_def);
  }
  if (outcome.status != kOk) return;
  if (outcome.value.empty()) {
    return complain("an IO action has no value to compare");
  }
  if (outcome.value == theory.value) {
    say("the theory and " + settings_.engine + " agree: " + theory.value);
    return;
  }
  say("theory: " + theory.value);
  say(settings_.engine + ": " + std::string(settings_.engine.size() < 6
                                       ? 6 - settings_.engine.size() : 0, ' ') +
      outcome.value);
  for (const std::string& def : theory.fork_defs) {
    say("the theory does not see writes through the second handle of the fork "
        "in " + def);
  }
}

void Repl::do_engine(const std::string& argument) {
  if (argument.empty()) return say(settings_.engine);
  if (!is_engine(argument)) {
    return complain("there is no engine `" + argument + "`: " + kEngineNames);
  }
  settings_.engine = argument;
}

void Repl::do_eq(const std::string& argument) {
  EvalResult result = session_.equal(argument, begin());
  if (result.value != "not equal" && show_failure(result)) return;
  say(result.value);
}

void Repl::do_help(const std::string& argument) {
  std::string word = argument.starts_with(':') ? argument.substr(1) : argument;
  std::vector<const Command*> found = matching(word);
  if (found.empty()) {
    return complain("there is no command `:" + word + "`");
  }
  if (word.empty()) {
    say("A declaration, an expression, or a command; any unambiguous prefix of\n"
        "a command will do. `it` is the last value, when its type is Data.\n");
  }
  for (const Command* command : found) {
    char line[160];
    std::snprintf(line, sizeof line, "  :%-8s %-20s %s", command->name,
                  command->argument, command->help);
    say(line);
  }
}

void Repl::do_holes(const std::string&) {
  std::vector<Message> holes = session_.holes();
  if (holes.empty()) return say("no holes");
  for (const Message& hole : holes) console_.show(hole);
}

void Repl::do_info(const std::string& argument) {
  std::vector<NameInfo> infos = session_.info(argument);
  if (infos.empty()) complain("there is no `" + argument + "`");
  for (const NameInfo& info : infos) show_info(info, true);
}

void Repl::do_load(const std::string& argument) { load_file(argument); }

void Repl::do_net(const std::string& argument) {
  if (session_.info(argument).empty()) {
    return complain("there is no `" + argument + "`");
  }
  std::vector<Message> messages;
  std::string rules = session_.rules(argument, messages);
  console_.show(messages, false);
  if (!rules.empty()) return void(console_.out(rules));
  complain("`" + argument +
           "` has no rules here: it is native or erased, or no def of the "
           "session uses it");
}

void Repl::do_norm(const std::string& argument) { evaluate(argument, false); }

void Repl::do_paste(const std::string&) {
  std::string text, line;
  while (next_line(true, line)) {
    if (interrupted()) return;
    if (line == ":end") break;
    text += line + "\n";
  }
  finish_input(text);
}

void Repl::do_quit(const std::string&) { quit_ = true; }

void Repl::do_reload(const std::string&) {
  if (session_.path().empty()) return complain("no file is loaded");
  load_file(std::string(session_.path()));
}

void Repl::do_run(const std::string& argument) {
  Clock clock;
  RunOptions how;
  how.engine = settings_.engine;
  how.args = {"repl"};
  how.stop = begin();
  how.streams.out = [&](std::string_view text) { return console_.out(text); };
  how.streams.err = [&](std::string_view text) { return console_.err(text); };
  RunResult run = session_.run(argument, how);
  show(run.messages);
  if (!run.failure.empty()) return complain(run.failure);
  const Outcome& outcome = run.outcome;
  if (!outcome.value.empty()) say(outcome.value);
  if (!outcome.trap.empty()) complain(outcome.trap, outcome.trap_def);
  if (outcome.trap.empty() && outcome.status != kOk && run.messages.empty()) {
    say("the action ended with status " + std::to_string(outcome.status));
  }
  if (settings_.time) show_seconds(clock.seconds());
}

void Repl::do_threads(const std::string& argument) {
  if (argument.empty()) {
    unsigned threads = session_.config().threads;
    return say(std::to_string(threads ? threads : usable_cpus()));
  }
  change("threads", argument);
}

void Repl::do_time(const std::string& argument) {
  if (argument.empty()) {
    settings_.time = !settings_.time;
    return say(settings_.time ? "time is on" : "time is off");
  }
  ReplSettings before = settings_;
  settings_.time = settings_.steps = true;
  evaluate(argument, false);
  settings_ = before;
}

void Repl::do_type(const std::string& argument) {
  EvalOptions options;
  options.expression = argument;
  options.type_only = true;
  options.stop = begin();
  EvalResult result = session_.eval(options);
  if (!show_failure(result)) say(argument + " : " + result.type);
}

void Repl::do_unsafe(const std::string&) {
  const std::vector<std::string>& defs = session_.unsafe_defs();
  if (defs.empty()) return say("nothing relies on unsafe code");
  for (const std::string& def : defs) {
    bool forks = false;
    for (const NameInfo& info : session_.info(def)) forks |= info.forks;
    say(def + (forks ? "  (the fork of an array)" : ""));
  }
}

void Repl::do_whnf(const std::string& argument) { evaluate(argument, true); }

}  // namespace tine::tool
