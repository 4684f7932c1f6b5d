// One table says which option exists, for which commands, and what it does
// with its value. See options.h.
#include "tools/options.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace tine::tool {
namespace {

constexpr unsigned kMaxThreads = 256;

struct CommandRow {
  const char* name;
  Command command;
};
constexpr CommandRow kCommands[] = {
    {"run", Command::kRun},   {"check", Command::kCheck},
    {"eval", Command::kEval}, {"repl", Command::kRepl},
    {"cache", Command::kCache},
    {"net", Command::kNet},
    {"build", Command::kBuild},
    {"fmt", Command::kFmt},
    {"explain", Command::kExplain},
    {"lib", Command::kLib},   {"doc", Command::kDoc},
    {"test", Command::kTest}, {"version", Command::kVersion},
    {"help", Command::kHelp},
};

constexpr unsigned bit(Command command) {
  return 1u << static_cast<unsigned>(command);
}

template <class Number>
std::optional<Number> parse_integer(std::string_view text) {
  Number value{};
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      text.empty()) {
    return std::nullopt;
  }
  return value;
}

bool set_threads(Options& options, std::string_view value) {
  std::optional<unsigned> threads = parse_integer<unsigned>(value);
  if (!threads || *threads < 1 || *threads > kMaxThreads) return false;
  options.config.threads = *threads;
  return true;
}

bool set_thread_list(Options& options, std::string_view value) {
  options.thread_list.clear();
  while (true) {
    std::size_t comma = value.find(',');
    Options one;
    if (!set_threads(one, value.substr(0, comma))) return false;
    options.thread_list.push_back(one.config.threads);
    if (comma == std::string_view::npos) return true;
    value.remove_prefix(comma + 1);
  }
}

bool set_deadline(Options& options, std::string_view value) {
  double seconds = 0;
  auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size()) return false;
  if (!(seconds > 0) || !std::isfinite(seconds)) return false;
  options.config.deadline = seconds;
  options.config.check_deadline = seconds;
  return true;
}

bool set_memory(Options& options, std::string_view value) {
  std::optional<std::size_t> bytes = parse_size(value);
  if (bytes) options.config.memory = *bytes;
  return bytes.has_value();
}

bool set_fuel(Options& options, std::string_view value) {
  std::optional<std::uint64_t> steps = parse_integer<std::uint64_t>(value);
  if (!steps || *steps == 0) return false;
  options.config.fuel = *steps;
  return true;
}

bool set_stats(Options& options, std::string_view value) {
  options.stats = value == "json"   ? StatsForm::kJson
                  : value == "time" ? StatsForm::kTime
                                    : StatsForm::kTable;
  return value == "" || value == "table" || value == "json" ||
         value == "time";
}

// "W01" and the like: any letter and two digits, perhaps a letter.
bool is_code(std::string_view text) {
  return text.size() >= 3 && text.size() <= 4 && text[0] == 'W' &&
         text[1] >= '0' && text[1] <= '9' && text[2] >= '0' &&
         text[2] <= '9' && (text.size() == 3 || (text[3] >= 'a'));
}

bool set_deny(Options& options, std::string_view value) {
  if (value != "unsafe" && value != "warnings" && !is_code(value)) {
    return false;
  }
  options.deny.emplace_back(value);
  return true;
}

bool set_dump(Options& options, std::string_view value) {
  options.dump = value;
  return value == "surface" || value == "core" || value == "book" ||
         value == "c" || value == "device";
}

bool set_engine(Options& options, std::string_view value) {
  options.engine = value;
  return is_engine(value);
}

bool set_expression(Options& options, std::string_view value) {
  options.expression = value;
  return value.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

bool set_nf(Options& options, std::string_view) {
  options.head = false;
  return true;
}

bool set_whnf(Options& options, std::string_view) {
  return options.head = true;
}

bool set_steps(Options& options, std::string_view) {
  return options.steps = true;
}

bool set_json(Options& options, std::string_view) {
  return options.json = true;
}

bool set_time(Options& options, std::string_view) {
  return options.time = true;
}

bool set_output(Options& options, std::string_view value) {
  options.output = value;
  return !value.empty();
}

bool set_echo(Options& options, std::string_view) {
  return options.echo = true;
}

bool set_no_cache(Options& options, std::string_view) {
  options.config.cache = false;
  return true;
}

bool set_update(Options& options, std::string_view) {
  return options.update = true;
}

bool set_diff(Options& options, std::string_view) {
  return options.diff = true;
}

bool set_check(Options& options, std::string_view) {
  return options.check = true;
}

enum class Value { kNone, kNeeded, kOptional };

struct OptionRow {
  const char* name;
  unsigned commands;  // who takes it
  Value value;        // kOptional values stand behind `=` only
  const char* wanted;
  bool (*set)(Options&, std::string_view);
};

constexpr unsigned kCompile = bit(Command::kRun) | bit(Command::kCheck) |
                              bit(Command::kEval) | bit(Command::kNet) |
                              bit(Command::kBuild) |
                              bit(Command::kTest) | bit(Command::kRepl);
constexpr unsigned kRuns =
    bit(Command::kRun) | bit(Command::kTest) | bit(Command::kRepl);

constexpr OptionRow kOptions[] = {
    {"--threads", bit(Command::kRun) | bit(Command::kRepl), Value::kNeeded,
     "a number from 1 to 256", set_threads},
    {"--threads-list", bit(Command::kTest), Value::kNeeded,
     "numbers from 1 to 256 with commas between", set_thread_list},
    {"--deadline", kCompile, Value::kNeeded, "a positive number of seconds",
     set_deadline},
    {"--mem", kCompile, Value::kNeeded,
     "a size such as 64M, 1G or a number of bytes", set_memory},
    {"--fuel", kCompile, Value::kNeeded, "a positive number of steps",
     set_fuel},
    {"--engine", kRuns, Value::kNeeded,
     kEngineNames, set_engine},
    {"--no-cache", kRuns | bit(Command::kBuild), Value::kNone, "", set_no_cache},
    {"--stats", bit(Command::kRun), Value::kOptional, "table, json or time",
     set_stats},
    {"--json",
     (kCompile | bit(Command::kFmt)) & ~bit(Command::kTest) &
         ~bit(Command::kRepl),
     Value::kNone, "", set_json},
    {"--check", bit(Command::kFmt), Value::kNone, "", set_check},
    {"--diff", bit(Command::kFmt), Value::kNone, "", set_diff},
    {"--deny", bit(Command::kRun) | bit(Command::kCheck) | bit(Command::kBuild),
     Value::kNeeded,
     "unsafe, warnings or a code such as W01", set_deny},
    {"--dump", bit(Command::kRun) | bit(Command::kNet), Value::kNeeded,
     "a stage: surface, core, book, c or device", set_dump},
    {"-o", bit(Command::kBuild), Value::kNeeded, "a file", set_output},
    {"-e", bit(Command::kEval), Value::kNeeded, "an expression",
     set_expression},
    {"--nf", bit(Command::kEval), Value::kNone, "", set_nf},
    {"--whnf", bit(Command::kEval), Value::kNone, "", set_whnf},
    {"--time", bit(Command::kCheck), Value::kNone, "", set_time},
    {"--steps", bit(Command::kEval), Value::kNone, "", set_steps},
    {"--echo", bit(Command::kRepl), Value::kNone, "", set_echo},
    {"--update", bit(Command::kTest), Value::kNone, "", set_update},
};

const OptionRow* find_option(std::string_view name) {
  for (const OptionRow& row : kOptions) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

// Reads the words from left to right; stops at the first error.
class Reader {
 public:
  Reader(const std::vector<std::string>& words,
         std::optional<UsageError>& error)
      : words_(words), error_(error) {}

  Options read() {
    if (words_.empty()) {
      fail("a command or a file is needed");
      return options_;
    }
    read_command();
    while (!error_ && at_ < words_.size()) read_word();
    if (!error_) check_operands();
    return options_;
  }

 private:
  void read_command() {
    const std::string& word = words_[0];
    if (word == "-h" || word == "--help") {
      options_.command = Command::kHelp;
    } else if (word == "-V" || word == "--version") {
      options_.command = Command::kVersion;
    } else if (std::optional<Command> command = find_command(word)) {
      options_.command = *command;
      named_ = true;
    } else {
      return;  // `tine FILE` and `tine --threads 2 FILE` mean run
    }
    at_ = 1;
  }

  void read_word() {
    const std::string& word = words_[at_++];
    if (ended_ || word.size() < 2 || word[0] != '-') {
      read_operand(word);
    } else if (word == "--") {
      ended_ = true;
    } else if (word == "-h" || word == "--help") {
      ask_for_help();
    } else {
      read_option(word);
    }
  }

  // `tine run --help` is `tine help run`.
  void ask_for_help() {
    options_.operands.clear();
    if (named_) options_.operands = {command_name(options_.command)};
    options_.command = Command::kHelp;
    at_ = words_.size();
  }

  void read_operand(const std::string& word) {
    options_.operands.push_back(word);
    if (options_.command != Command::kRun) return;
    options_.arguments.assign(words_.begin() + std::ptrdiff_t(at_) - 1,
                              words_.end());
    at_ = words_.size();
  }

  void read_option(const std::string& word) {
    std::size_t equals =
        word.starts_with("--") ? word.find('=') : std::string::npos;
    std::string name = word.substr(0, equals);
    const OptionRow* row = find_option(name);
    if (!row || !(row->commands & bit(options_.command))) {
      return fail(row ? "`" + name + "` is no option of `tine " +
                            command_name(options_.command) + "`"
                      : "unknown option `" + name + "`");
    }
    std::string value;
    if (equals != std::string::npos) {
      if (row->value == Value::kNone) {
        return fail("`" + name + "` takes no value");
      }
      value = word.substr(equals + 1);
    } else if (row->value == Value::kNeeded) {
      if (at_ == words_.size()) {
        return fail("`" + name + "` needs " + row->wanted);
      }
      value = words_[at_++];
    }
    if (!row->set(options_, value)) {
      fail("`" + name + "` needs " + row->wanted + ", not `" + value + "`");
    }
  }

  void check_operands() {
    std::size_t count = options_.operands.size();
    switch (options_.command) {
      case Command::kRun:
      case Command::kEval:
      case Command::kNet:
      case Command::kBuild:
        if (count == 0) fail("a file is needed");
        if (count > 1 && options_.command != Command::kRun) {
          fail("one file only, but `" + options_.operands[1] + "` follows");
        }
        break;
      case Command::kRepl:
        if (count > 1) {
          fail("one file only, but `" + options_.operands[1] + "` follows");
        }
        break;
      case Command::kCheck:
        if (count == 0) fail("a file is needed");
        break;
      case Command::kFmt:
        check_fmt_operands();
        break;
      case Command::kExplain:
        if (count > 1) fail("`explain` takes one code");
        break;
      case Command::kLib:
        if (count > 0) fail("`lib` takes no arguments");
        break;
      case Command::kDoc:
        if (count == 0) fail("a module, a file or a name is needed");
        if (count > 2) fail("`doc` takes a module and a name");
        break;
      case Command::kTest:
        if (count == 0) fail("a file or a folder is needed");
        break;
      case Command::kCache:
        if (count != 1 || (options_.operands[0] != "info" &&
                           options_.operands[0] != "clear")) {
          fail("`cache` needs `info` or `clear`");
        }
        break;
      case Command::kVersion:
        if (count > 0) fail("`version` takes no arguments");
        break;
      case Command::kHelp:
        if (count > 1) fail("`help` takes one command");
        if (count == 1 && !find_command(options_.operands[0])) {
          fail("there is no command `" + options_.operands[0] + "`");
        }
        break;
    }
  }

  void check_fmt_operands() {
    if (options_.operands.size() < 2) return;
    for (const std::string& path : options_.operands) {
      if (path == "-") fail("`-` goes with no other path");
    }
  }

  void fail(std::string text) {
    if (error_) return;
    error_ = UsageError{
        std::move(text), named_ ? command_name(options_.command) : ""};
  }

  const std::vector<std::string>& words_;
  std::optional<UsageError>& error_;
  Options options_;
  std::size_t at_ = 0;
  bool named_ = false;  // the command was written
  bool ended_ = false;  // `--` was met
};

}  // namespace

const char* command_name(Command command) {
  for (const CommandRow& row : kCommands) {
    if (row.command == command) return row.name;
  }
  return "";
}

std::optional<Command> find_command(std::string_view name) {
  for (const CommandRow& row : kCommands) {
    if (name == row.name) return row.command;
  }
  return std::nullopt;
}

const char* set_option(Options& options, std::string_view name,
                       std::string_view value) {
  const OptionRow* row = find_option(name);
  return row->set(options, value) ? nullptr : row->wanted;
}

bool is_engine(std::string_view name) {
  return name == "net" || name == "net-plain" ||
         name == "native" || name == "auto";
}

std::optional<std::size_t> parse_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  unsigned shift = 0;
  if (!text.empty()) {
    std::size_t unit = kUnits.find(text.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(unit) + 1);
      text.remove_suffix(1);
    }
  }
  std::optional<std::size_t> number = parse_integer<std::size_t>(text);
  if (!number || *number == 0) return std::nullopt;
  if (*number > std::numeric_limits<std::size_t>::max() >> shift) {
    return std::nullopt;
  }
  return *number << shift;
}

Options parse_options(const std::vector<std::string>& words,
                      std::optional<UsageError>& error) {
  return Reader(words, error).read();
}

}  // namespace tine::tool
