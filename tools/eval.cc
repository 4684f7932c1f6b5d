// `tine eval`: the theory's value of main or of an expression.
#include "tools/commands.h"
#include "tools/signals.h"

namespace tine::tool {

void note_forks(const std::vector<std::string>& defs, Console& console) {
  if (defs.empty()) return;
  std::string names;
  for (const std::string& def : defs) {
    names += (names.empty() ? "" : ", ") + def;
  }
  console.note(
      "this is the theory's value: writes through the second handle of an "
      "array fork are not in it; it relies on the fork in: " +
      names);
}

int command_eval(const Options& options, Console& console) {
  Context context(options.config);
  Program program = context.load_file(options.operands[0]);
  console.show(program.messages(), false);
  if (!program.ok()) return kProgramWrong;
  EvalOptions what;
  what.expression = options.expression.value_or("");
  what.head = options.head;
  what.stop = &begin_interruptible();
  EvalResult result = program.eval(what);
  console.show(result.messages, true);
  if (!result.failure.empty()) {
    console.fail(result.failure, {}, result.status);
  }
  if (result.status == kOk) {
    console.out(result.value + "\n");
    note_forks(result.fork_defs, console);
  }
  if (options.steps) {
    console.note(std::to_string(result.steps) +
                 (result.steps == 1 ? " step" : " steps"));
  }
  return result.status;
}

}  // namespace tine::tool
