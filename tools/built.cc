// What an executable of `tine build` does: its options, then the program.
#include "tools/commands.h"
#include "tools/signals.h"

namespace tine::tool {
namespace {

constexpr std::string_view kPrefix = "--tine-";

constexpr const char* kBuiltHelp =
    R"(A program made by `tine build`. Words before the first that is no option:

  --tine-threads N         workers, 1 to 256; default: the CPUs it may use
  --tine-mem SIZE          memory cap (64M, 1G); default: 80% of what is free
  --tine-deadline SECONDS  stop after that time
  --tine-engine NAME       native, if it was compiled; net; net-plain
  --tine-stats             seconds, memory and steals on standard error
  --tine-end               what follows belongs to the program
  --tine-help              print this

All other words belong to the program.
)";

// One option; "" or what is wrong.
std::string read_option(const std::vector<std::string>& words, std::size_t& at,
                        Options& options) {
  const std::string& word = words[at++];
  std::string name = word.substr(kPrefix.size());
  if (name == "stats") {
    options.stats = StatsForm::kTime;
    return "";
  }
  if (name != "threads" && name != "mem" && name != "deadline" &&
      name != "engine") {
    return "unknown option `" + word + "`; --tine-help lists them";
  }
  if (at == words.size()) return "`" + word + "` needs a value";
  const std::string& value = words[at++];
  const char* wanted = set_option(options, "--" + name, value);
  return wanted ? "`" + word + "` needs " + wanted + ", not `" + value + "`"
                : "";
}

}  // namespace

int built_main(const std::vector<std::string>& words) {
  install_signal_handlers();
  Options options;
  options.engine = "auto";
  Console console(false);
  std::size_t at = words.empty() ? 0 : 1;
  while (at < words.size() && words[at].starts_with(kPrefix)) {
    if (words[at] == "--tine-end") {
      ++at;
      break;
    }
    if (words[at] == "--tine-help") {
      console.out(kBuiltHelp);
      return console.finish(kOk);
    }
    std::string wrong = read_option(words, at, options);
    if (wrong.empty()) continue;
    console.err("tine: " + wrong + "\n");
    return console.finish(kUsage);
  }
  options.arguments.push_back(words.empty() ? "" : words[0]);
  options.arguments.insert(options.arguments.end(),
                           words.begin() + static_cast<std::ptrdiff_t>(at),
                           words.end());
  Context context(options.config);
  Program program = context.load_built("/proc/self/exe");
  console.show(program.messages(), false);
  if (!program.ok()) return console.finish(kProgramWrong);
  return console.finish(run_program(program, options, console));
}

}  // namespace tine::tool
