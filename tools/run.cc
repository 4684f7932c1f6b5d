// `tine run`: compile, then reduce main on an engine.
#include <cstdlib>

#include "tools/commands.h"
#include "tools/signals.h"
#include "tools/stats.h"

namespace tine::tool {
namespace {

RunOptions run_options(const Options& options, Console& console) {
  RunOptions run;
  run.engine = options.engine;
  if (run.engine.empty()) {
    const char* usual = std::getenv("TINE_ENGINE");
    run.engine = usual && *usual ? usual : "auto";
  }
  run.counts = options.stats == StatsForm::kTable ||
               options.stats == StatsForm::kJson;
  run.args = options.arguments;
  run.streams.out = [&](std::string_view bytes) { return console.out(bytes); };
  run.streams.err = [&](std::string_view bytes) { return console.err(bytes); };
  run.stop = &begin_interruptible();
  return run;
}

void show_stats(const Options& options, const Stats& stats,
                Console& console) {
  if (options.stats == StatsForm::kTable) console.err(stats_table(stats));
  if (options.stats == StatsForm::kJson) console.err(stats_json(stats));
  if (options.stats == StatsForm::kTime) console.err(stats_time(stats));
}

}  // namespace

int run_program(Program& program, const Options& options, Console& console) {
  std::size_t shown = program.messages().size();
  Outcome outcome = program.run(run_options(options, console));
  // Lowering may have had something to say.
  const std::vector<Message>& messages = program.messages();
  for (std::size_t i = shown; i < messages.size(); ++i) {
    if (messages[i].error) console.show(messages[i]);
  }
  if (!outcome.value.empty()) console.out(outcome.value + "\n");
  if (!outcome.note.empty()) console.err("tine: note: " + outcome.note + "\n");
  if (!outcome.trap.empty()) {
    console.fail(outcome.trap, outcome.trap_def, outcome.status);
  }
  if (!outcome.stats.engine.empty()) {
    show_stats(options, outcome.stats, console);
  }
  return outcome.status;
}

int dump_program(Program& program, const Options& options,
                 Console& console) {
  std::size_t shown = program.messages().size();
  std::string text = program.dump(options.dump);
  const std::vector<Message>& messages = program.messages();
  for (std::size_t i = shown; i < messages.size(); ++i) {
    console.show(messages[i]);
  }
  if (!program.ok()) return kProgramWrong;
  console.out(text);
  return kOk;
}

int command_run(const Options& options, Console& console) {
  Context context(options.config);
  const std::string& file = options.operands[0];
  bool only_runs = options.deny.empty() && options.dump.empty();
  Program program =
      only_runs ? context.load_to_run(file) : context.load_file(file);
  console.show(program.messages(), false);
  if (!program.ok() || denied(program, options, console)) {
    return kProgramWrong;
  }
  if (!options.dump.empty()) return dump_program(program, options, console);
  return run_program(program, options, console);
}

}  // namespace tine::tool
