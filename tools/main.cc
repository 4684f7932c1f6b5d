// The `tine` command: reads the command line and calls one subcommand.
#include <optional>
#include <string>
#include <vector>

#include "tools/commands.h"
#include "tools/console.h"
#include "tools/options.h"
#include "tools/signals.h"

namespace tine::tool {
namespace {

int refuse(const UsageError& error) {
  std::string help = error.topic.empty() ? "" : " " + error.topic;
  Console console(false);
  console.err("tine: " + error.text + "\ntry `tine help" + help + "`\n");
  return kUsage;
}

int dispatch(const Options& options, Console& console) {
  switch (options.command) {
    case Command::kRun:
      return command_run(options, console);
    case Command::kCheck:
      return command_check(options, console);
    case Command::kEval:
      return command_eval(options, console);
    case Command::kRepl:
      return command_repl(options, console);
    case Command::kNet:
      return command_net(options, console);
    case Command::kBuild:
      return command_build(options, console);
    case Command::kFmt:
      return command_fmt(options, console);
    case Command::kExplain:
      return command_explain(options, console);
    case Command::kLib:
      return command_lib(options, console);
    case Command::kDoc:
      return command_doc(options, console);
    case Command::kTest:
      return command_test(options, console);
    case Command::kCache:
      return command_cache(options, console);
    case Command::kVersion:
      return command_version(options, console);
    case Command::kHelp:
      return command_help(options, console);
  }
  return kUsage;
}

int tine_main(const std::vector<std::string>& words) {
  install_signal_handlers();
  std::optional<UsageError> error;
  Options options = parse_options(words, error);
  if (error) return refuse(*error);
  Console console(options.json);
  return console.finish(dispatch(options, console));
}

}  // namespace
}  // namespace tine::tool

int main(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  if (tine::is_built("/proc/self/exe")) return tine::tool::built_main(words);
  if (!words.empty()) words.erase(words.begin());
  return tine::tool::tine_main(words);
}
