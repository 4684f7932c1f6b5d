// `tine net`: the program's book as text.
#include "tools/commands.h"

namespace tine::tool {

int command_net(const Options& options, Console& console) {
  Context context(options.config);
  Program program = context.load_file(options.operands[0]);
  console.show(program.messages(), false);
  if (!program.ok()) return kProgramWrong;
  Options dump = options;
  if (dump.dump.empty()) dump.dump = "book";
  return dump_program(program, dump, console);
}

}  // namespace tine::tool
