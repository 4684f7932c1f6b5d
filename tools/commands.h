// The subcommands: each gets the options, works, and gives the exit status.
#pragma once

#include "tools/console.h"
#include "tools/options.h"

namespace tine::tool {

int command_run(const Options& options, Console& console);
int command_check(const Options& options, Console& console);
int command_eval(const Options& options, Console& console);
int command_repl(const Options& options, Console& console);
int command_net(const Options& options, Console& console);
int command_build(const Options& options, Console& console);
int command_fmt(const Options& options, Console& console);
int command_explain(const Options& options, Console& console);
int command_lib(const Options& options, Console& console);
int command_doc(const Options& options, Console& console);
int command_test(const Options& options, Console& console);
int command_cache(const Options& options, Console& console);
int command_version(const Options& options, Console& console);
int command_help(const Options& options, Console& console);

// The whole of an executable that `build` made; words begin with its name.
int built_main(const std::vector<std::string>& words);

// Shared by run and built programs.
int run_program(Program& program, const Options& options, Console& console);
// Shared by run, build and check: does `--deny` refuse this program? Says why.
bool denied(const Program& program, const Options& options, Console& console);
// Shared by eval and repl: that the value relies on forks of arrays.
void note_forks(const std::vector<std::string>& defs, Console& console);
// `--dump=STAGE`.
int dump_program(Program& program, const Options& options, Console& console);

}  // namespace tine::tool
