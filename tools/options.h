// The command line of `tine`, read into one struct.
//
//   tine [COMMAND] [OPTION..] FILE [ARGUMENT..]
//
// Under `run` options stand before FILE, and all that follows FILE belongs to
// the program. The other commands take options anywhere. `--` ends options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/tine.hpp"

namespace tine::tool {

enum class Command {
  kRun, kCheck, kEval, kRepl, kNet, kBuild, kFmt, kExplain, kLib, kDoc, kTest,
  kCache, kVersion, kHelp
};
enum class StatsForm { kNone, kTable, kJson, kTime };

struct Options {
  Command command = Command::kRun;
  Config config;
  std::vector<std::string> operands;   // files and paths; topic of help
  std::vector<std::string> arguments;  // of the program, FILE first
  bool json = false;
  StatsForm stats = StatsForm::kNone;
  std::vector<std::string> deny;       // "unsafe", "warnings", codes
  std::string engine;                  // "": the command's own choice
  std::string dump;
  std::optional<std::string> expression;
  bool head = false;                   // --whnf of eval
  bool steps = false;
  bool time = false;                   // of check
  bool echo = false;                   // of repl
  bool update = false;
  std::string output;                  // -o of build
  bool check = false;                  // of fmt
  bool diff = false;                   // of fmt
  std::vector<unsigned> thread_list;   // of test
};

// What is wrong with the command line: one line, and the command whose help
// is worth reading ("" for the general one).
struct UsageError {
  std::string text;
  std::string topic;
};

// Reads argv[1..]. On error `error` is set and the options are unusable.
Options parse_options(const std::vector<std::string>& words,
                      std::optional<UsageError>& error);

// The name of a command, and the command of a name.
const char* command_name(Command command);
std::optional<Command> find_command(std::string_view name);

// Sets one option; null, or what its value should have been.
const char* set_option(Options& options, std::string_view name,
                       std::string_view value);
bool is_engine(std::string_view name);
inline constexpr const char* kEngineNames =
    "an engine of this build: auto, net, net-plain or native";

// "64M", "1G", "4096" as bytes; nothing when malformed, 0 or too large.
std::optional<std::size_t> parse_size(std::string_view text);

}  // namespace tine::tool
