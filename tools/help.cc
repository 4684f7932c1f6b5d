// `tine help` and `tine version`.
#include "tools/commands.h"

namespace tine::tool {
namespace {

constexpr const char* kGeneral = R"(tine runs programs of a small affine functional language on interaction nets.

usage: tine [COMMAND] [OPTION..] FILE [ARGUMENT..]

  run FILE [ARGUMENT..]  run the program; `tine FILE` means the same
  check FILE..           check, run nothing, print the verdict
  eval FILE [-e EXPR]    print the theory's value of main or of EXPR
  repl [FILE]            evaluate and declare at a prompt
  net FILE               print the program's book of rules
  build FILE [-o PROG]   an executable with the program inside
  fmt [PATH..]           format programs in place, or standard input
  explain [CODE]         what a message means, with examples
  lib                    list the modules of the library
  doc MODULE [NAME]      what a module declares, with its comments
  test PATH..            run files whose tail is their expected output
  cache info|clear       the compiled programs that are kept
  version                print the version
  help [COMMAND]         print this, or more about a command

FILE is a .bend program or a .net book. `--` ends options.
Results go to standard output, everything else to standard error.

exit status: 0 well; 1 the program is wrong; 2 usage; 70 the run failed;
71 out of memory; 130 interrupted; else the code of IO.die
)";

constexpr const char* kRun = R"(usage: tine run [OPTION..] FILE [ARGUMENT..]

Checks the program and runs its main on an engine. A main that is a plain
value is printed. What follows FILE belongs to the program.

  --threads N         workers, 1 to 256; default: the CPUs it may use
  --mem SIZE          memory cap (64M, 1G, bytes); default: 80% of what is free
  --deadline SECONDS  stop the run, or the check, after that time
  --fuel N            stop the check after N steps of the theory
  --no-cache          neither use nor keep compiled programs
  --stats[=json]      counts, seconds and memory on standard error; native
                      code is compiled to count then, and is slower
  --stats=time        seconds, memory and steals, as one line of JSON
  --engine NAME       native: compiled by the C compiler of this machine;
                      net: reduced; net-plain, its slow reference; auto, the
                      default: native where it can be, else net. TINE_ENGINE
                      names another default
  --deny WHAT         refuse a program with unsafe code (unsafe), with any
                      warning (warnings), or with one (W01, W02, ..)
  --dump=STAGE        print surface, core, book, c or device (what a GPU
                      could run of it) instead of running
  --json              diagnostics as JSON lines
)";

constexpr const char* kBuild = R"(usage: tine build [OPTION..] FILE

Writes an executable that needs neither FILE nor a compiler: this command, the
program's book, and its machine code where a C compiler is found. Its own
options begin with --tine- (--tine-help lists them); all other words are the
program's.

  -o PROG             the executable; default: FILE without its folder and
                      suffix. A name that ends in .c gets the C text instead
  --no-cache          neither use nor keep compiled programs
  --mem SIZE          memory cap of the check
  --deadline SECONDS  stop the check after that time
  --fuel N            stop the check after N steps of the theory
  --deny WHAT         refuse a program with unsafe code (unsafe), with any
                      warning (warnings), or with one (W01, W02, ..)
  --json              diagnostics as JSON lines
)";

constexpr const char* kCheck = R"(usage: tine check [OPTION..] FILE..

Checks the programs and runs nothing. Prints `all terms check`, or the defs
that rely on unsafe code, by namespace.name. Warnings go to standard error.

  --deny WHAT         unsafe, warnings, or a code (W01, ..): status 1
  --time              CPU time of reading and checking, Base included, on
                      standard error
  --deadline SECONDS  stop the check after that time
  --fuel N            stop the check after N steps of the theory
  --mem SIZE          memory of the theory, at least 256M
  --json              diagnostics as JSON lines
)";

constexpr const char* kEval = R"(usage: tine eval [OPTION..] FILE [-e EXPR]

Prints the normal form of main, or of EXPR in the scope of FILE, as the
theory computes it. No engine runs, and no effect happens.

  -e EXPR             the expression
  --nf                the normal form (default)
  --whnf              stop at the head: what is below it prints as written
  --steps             count beta steps and unfoldings, on standard error
  --deadline SECONDS  stop after that time
  --fuel N            stop after N steps
  --mem SIZE          memory of the theory, at least 256M
  --json              diagnostics as JSON lines
)";

constexpr const char* kRepl = R"(usage: tine repl [OPTION..] [FILE]

A prompt after FILE, or after Base alone: a declaration is checked and added,
an expression is evaluated in the theory and printed with its type, and a line
that starts with `:` is a command; `:help` lists them. Ctrl-C stops an
evaluation. The history is kept in $XDG_STATE_HOME/tine/history, or under
~/.local/state.

  --echo              print prompts and lines where no terminal shows them
  --engine NAME, --threads N, --deadline SECONDS, --fuel N, --mem SIZE
                      as for `tine run`; `:set` changes them
)";

constexpr const char* kNet = R"(usage: tine net [OPTION..] FILE

Prints the book: the rules that the engines reduce. Where there is no main,
all closed defs are in it. `tine run BOOK.net` runs what it printed.

  --dump=STAGE        another stage: surface, core, book, c
  --deadline SECONDS, --fuel N, --mem SIZE, --json   as for `tine check`
)";

constexpr const char* kFmt = R"(usage: tine fmt [--check] [--diff] [--json] [PATH..]

Formats programs in place and prints the names of those it changed. Of a
folder, all .bend files in it and below; hidden files are left out. Without a
path, or for `-`, standard input to standard output.

Line breaks and comments stay. Indentation, spaces, blank lines and commas get
one form; statements and cases get a line each where they take more than one.
The lines `#|` at the end of a test file are not touched. The program stays
the same program: the result is parsed and compared before it is written.

  --check             write nothing, print the names of the files that would
                      change, status 1 if there are any
  --diff              the same, with the lines that would change, as a diff
  --json              diagnostics as JSON lines

exit status: 0 well; 1 a file is wrong, cannot be read, or would change under
--check; 70 a file cannot be written, or an internal error. A file with an
error is left as it was.
)";

constexpr const char* kExplain = R"(usage: tine explain [CODE]

Prints the page of a message, such as E23a: what it means, a wrong and a right
example. Without a code, or for the first letters of one (E23), the codes.
)";

constexpr const char* kLib = R"(usage: tine lib

Lists the modules of the library, each with its purpose. A program imports one
by its name: `import par/scan as Scan`. `tine doc par/scan` says what is in it.
)";

constexpr const char* kDoc = R"(usage: tine doc MODULE [NAME]
       tine doc FILE.bend [NAME]
       tine doc NAME

Prints a module's first comment, then the types, names and comments of its
declarations; of one declaration where a NAME follows. A name alone is one of
Base. Where the first comment shows the module in use (`import .. as Alias`,
`Alias.name`), the page has only what it shows, and the types that stand in
those signatures. The file has to parse; it is not checked.
)";

constexpr const char* kTest = R"(usage: tine test [OPTION..] PATH..

Runs every .bend and .net file of the folders (but not of subfolders `lib`).
A file's last lines, those that start with `#|`, are its expected output; a
status other than 0 adds standard error and a line `exit N`. A first line
`#! E23 7:5` means: must be refused with that code at that line and column. A
file of a folder `good` without either must be accepted, and is not run.

  --update            write the output that came into the files
  --threads-list L    worker counts, default 1,2,4
  --engine NAME       one engine only: net, net-plain or native; default: all,
                      native where there is a C compiler
  --no-cache          neither use nor keep compiled programs
  --deadline SECONDS  per run; default 60
  --mem SIZE, --fuel N   as for `tine run`
)";

constexpr const char* kCache = R"(usage: tine cache info|clear

The native engine keeps what it compiled in $TINE_CACHE, $XDG_CACHE_HOME/tine
or $HOME/.cache/tine; what was used longest ago goes first. `info` prints the
folder and what is in it, `clear` removes it.
)";

constexpr const char* kVersionHelp = "usage: tine version\n";
constexpr const char* kHelpHelp = "usage: tine help [COMMAND]\n";

const char* help_text(Command command) {
  switch (command) {
    case Command::kRun:
      return kRun;
    case Command::kCheck:
      return kCheck;
    case Command::kEval:
      return kEval;
    case Command::kRepl:
      return kRepl;
    case Command::kNet:
      return kNet;
    case Command::kBuild:
      return kBuild;
    case Command::kFmt:
      return kFmt;
    case Command::kExplain:
      return kExplain;
    case Command::kLib:
      return kLib;
    case Command::kDoc:
      return kDoc;
    case Command::kTest:
      return kTest;
    case Command::kCache:
      return kCache;
    case Command::kVersion:
      return kVersionHelp;
    case Command::kHelp:
      return kHelpHelp;
  }
  return kGeneral;
}

}  // namespace

int command_help(const Options& options, Console& console) {
  if (options.operands.empty()) {
    console.out(kGeneral);
  } else {
    console.out(help_text(*find_command(options.operands[0])));
  }
  return kOk;
}

int command_version(const Options&, Console& console) {
  console.out(std::string("tine ") + kVersion + "\n");
  return kOk;
}

}  // namespace tine::tool
