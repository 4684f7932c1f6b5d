// `tine check`: the verdict on every file.
#include <time.h>

#include <algorithm>
#include <cstdio>

#include "tools/commands.h"

namespace tine::tool {
namespace {

std::string verdict(const Program& program, bool is_book) {
  if (is_book) return "the book verifies\n";
  const std::vector<std::string>& defs = program.unsafe_defs();
  if (defs.empty()) return "all terms check\n";
  std::string text = std::to_string(defs.size()) +
                     (defs.size() == 1 ? " def relies" : " defs rely") +
                     " on unsafe code:\n";
  for (const std::string& def : defs) text += def + "\n";
  return text;
}

bool is_denied(const Message& message, const std::vector<std::string>& deny) {
  if (message.error) return false;
  return std::any_of(deny.begin(), deny.end(), [&](const std::string& what) {
    return what == "warnings" || message.code.starts_with(what);
  });
}

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string time_line(const std::string& file, double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", seconds * 1e3);
  return file + ": " + text + " ms of CPU\n";
}

int check_file(const std::string& file, const Options& options,
               Console& console) {
  Context context(options.config);
  double begin = cpu_seconds();
  Program program = context.load_file(file);
  double seconds = cpu_seconds() - begin;
  console.show(program.messages(), true);
  if (options.time) console.err(time_line(file, seconds));
  if (program.todos() > 0) {
    console.fail(std::to_string(program.todos()) +
                 (program.todos() == 1 ? " TODO" : " TODOs") +
                 " found: the program is incomplete");
  }
  if (!program.ok()) return kProgramWrong;
  if (options.operands.size() > 1) console.out(file + ": ");
  console.out(verdict(program, file.ends_with(".net")));
  return denied(program, options, console) ? kProgramWrong : kOk;
}

}  // namespace

bool denied(const Program& program, const Options& options,
            Console& console) {
  bool refuse = false;
  for (const Message& message : program.messages()) {
    refuse |= is_denied(message, options.deny);
  }
  if (refuse) {
    // check has shown the warnings already.
    if (options.command == Command::kRun) {
      console.show(program.messages(), true);
    }
    console.fail("a warning is denied by --deny");
  }
  bool unsafe = std::find(options.deny.begin(), options.deny.end(),
                          "unsafe") != options.deny.end();
  if (unsafe && !program.unsafe_defs().empty()) {
    console.fail("unsafe code is denied by --deny, and " +
                 std::to_string(program.unsafe_defs().size()) +
                 " of the program's defs rely on it");
    refuse = true;
  }
  return refuse;
}

int command_check(const Options& options, Console& console) {
  int status = kOk;
  for (const std::string& file : options.operands) {
    status = std::max(status, check_file(file, options, console));
  }
  return status;
}

}  // namespace tine::tool
