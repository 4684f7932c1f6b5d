// `tine eval`: the theory's value of main or of an expression.
#include "tools/commands.h"

namespace tine::tool {
namespace {

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

}  // namespace

int command_eval(const Options& options, Console& console) {
  Context context(options.config);
  Program program = context.load_file(options.operands[0]);
  console.show(program.messages(), false);
  if (!program.ok()) return kProgramWrong;
  EvalResult result = program.eval(options.expression.value_or(""));
  console.show(result.messages, true);
  if (!result.failure.empty()) {
    console.fail(result.failure, {}, result.status);
  }
  if (result.status == kOk) {
    console.out(result.value + "\n");
    note_forks(result.fork_defs, console);
  }
  return result.status;
}

}  // namespace tine::tool
