// tine: the embedding interface.
//
// A `Context` owns workers, caches and limits; a process may have several, at
// once or one after another. `Context::load*` compiles text into a `Program`;
// `Program::run` reduces its main on an engine, `Program::eval` evaluates in
// the theory. Nothing here throws, exits, installs a signal handler or prints.
//
// Ownership: strings are copied in and out. A `Program` keeps its `Context`'s
// settings and may outlive it.
// Threads: one Program serves one call at a time; different Programs are
// independent.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tine {

inline constexpr const char* kVersion = "0.1.0";

// Exit statuses of the command, also in `Outcome::status`.
enum Status : int {
  kOk = 0,
  kProgramWrong = 1,   // diagnostics
  kUsage = 2,
  kRunFailed = 70,     // a trap
  kOutOfMemory = 71,
  kStopped = 130,
};

struct Message {
  bool error = true;           // else a warning
  std::string code;            // "E23"
  std::string text;            // one line
  std::string path;            // "" when there is no place
  std::uint32_t line = 0, column = 0;          // code points, from 1
  std::uint32_t end_line = 0, end_column = 0;  // one past the end
  std::string rendered;        // with source line and caret, no colour
  std::string coloured;        // the same with terminal colours
  std::string json;            // one line
};

struct Config {
  unsigned threads = 0;        // workers; 0 = the CPUs the process may use
  std::size_t memory = 0;      // bytes a run may hold; 0 = 80% of what is free
  double deadline = 0;         // seconds of wall time per run; 0 = none
  double check_deadline = 60;  // seconds for check and eval; 0 = none
  std::uint64_t fuel = 0;      // theory steps; 0 = no limit
  bool verify = false;         // verifiers between the passes
  bool cache = true;           // keep compiled programs in the user's cache
};

// Where a run's output goes; default: kept in `Outcome::out` / `err`.
struct Streams {
  // Return 0 or an errno. Called from the thread that runs.
  std::function<int(std::string_view)> out;
  std::function<int(std::string_view)> err;
  bool files = true;           // may the program open files?
};

struct DefCounts {
  std::string def;
  std::uint64_t calls = 0, prims = 0;
};

struct Stats {
  std::string engine;          // "net", "native"
  unsigned workers = 0;
  std::vector<DefCounts> defs;
  std::uint64_t calls = 0, prims = 0, takes = 0, makes = 0;
  std::uint64_t copies = 0, drops = 0, steals = 0, forks = 0;
  std::uint64_t nodes_made = 0, nodes_freed = 0;
  std::uint64_t blocks_made = 0, blocks_freed = 0;
  std::uint64_t frames_made = 0, frames_freed = 0;
  std::size_t peak_bytes = 0;
  double seconds = 0;
};

struct Outcome {
  int status = kOk;            // what the command would exit with
  std::string value;           // pure main: its printed value, no newline
  std::string trap;            // one line, "" when it ended well
  std::string trap_def;        // the definition, "" when unknown
  std::string out, err;        // captured when Streams has no sink
  std::string note;            // what the engine passed over, one line
  Stats stats;
};

struct RunOptions {
  // net; net-plain, its reference; native, compiled by the C compiler, or net
  // with a note; auto: native where there is a C compiler and the program is
  // not so large that compiling it takes long, else net.
  std::string engine = "net";
  bool counts = false;             // native code counts too, and is slower
  std::vector<std::string> args;   // IO.args; index 0 is the program
  Streams streams;
  const std::atomic<bool>* stop = nullptr;  // set it to interrupt
};

struct EvalOptions {
  std::string expression;      // "" = main
  bool head = false;           // stop at the weak head normal form
  bool type_only = false;      // evaluate nothing but the type
  const std::atomic<bool>* stop = nullptr;  // set it to interrupt
};

struct EvalResult {
  int status = kOk;
  std::string value;           // as a source term
  std::string type;            // "" when it cannot be told
  std::uint64_t steps = 0;     // beta steps and unfoldings of the evaluation
  std::vector<std::string> fork_defs;  // the value relies on these forks
  std::vector<Message> messages;
  std::string failure;         // fuel, deadline, memory: one line
};

struct Built {
  int status = kOk;
  std::string failure;         // why there is no executable, one line
  std::string note;            // why it has no compiled code, one line
};

class Program {
 public:
  struct State;
  explicit Program(std::unique_ptr<State> state);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // Errors and warnings of loading and checking, in order of discovery.
  const std::vector<Message>& messages() const;
  bool ok() const;             // no error among them
  std::size_t todos() const;   // open laws and ?TODOs
  // Defs outside Base that rely on unsafe code, "namespace.name".
  const std::vector<std::string>& unsafe_defs() const;
  bool has_main() const;
  bool main_is_io() const;

  // Writes an executable that runs the program without a compiler or its
  // source: a copy of the executable `runner`, the book, and the book compiled
  // where there is a C compiler. `load_built` reads it back.
  Built build(const std::string& path, const std::string& runner);

  // The text of the book; adds messages when the program cannot be lowered.
  std::string book_text();
  // Another stage: "surface", "core", "book", "c"; "device": the functions that
  // reach no fork, in CUDA C++. "" and a message if unknown.
  std::string dump(std::string_view stage);
  Outcome run(const RunOptions& options);
  // In the theory; the second form: the normal form, "" = main.
  EvalResult eval(const EvalOptions& options);
  EvalResult eval(std::string_view expression);

 private:
  friend class Context;
  std::unique_ptr<State> state_;
};

class Context {
 public:
  explicit Context(const Config& config = {});
  Context(const Context&) = delete;
  ~Context();

  // A `.bend` or `.net` file; a file that cannot be read is a message.
  Program load_file(const std::string& path);
  // As load_file, for a program that is run and nothing else: where the cache
  // (Config::cache) has the book of an earlier check of the same files, that
  // is read, and there are no warnings and no list of unsafe defs.
  Program load_to_run(const std::string& path);
  // The same from text; imports are resolved against `path`'s folder.
  Program load_text(const std::string& path, std::string_view text);
  Program load_book(const std::string& path, std::string_view text);
  // What Program::build put into an executable.
  Program load_built(const std::string& executable);
  const Config& config() const { return config_; }

 private:
  Config config_;
};

// Did Program::build write that executable?
bool is_built(const std::string& executable);

// What was typed at a prompt.
enum class InputKind { kEmpty, kDeclaration, kExpression, kIncomplete };

struct Declared {
  bool ok = false;                 // else the session is as it was
  std::vector<Message> messages;
  std::vector<std::string> names;  // in order
  // Earlier things of the same name that others still use: old and new name.
  std::vector<std::pair<std::string, std::string>> renamed;
};

struct NameInfo {
  std::string name;
  std::string kind;                // def, law, open law, type, constructor
  std::string type;
  std::string text;                // its declaration as written
  std::string path;
  std::uint32_t line = 0;
  bool unsafe = false;             // it or what it uses is unsafe
  bool forks = false;              // it relies on the fork of an array
};

struct RunResult {
  Outcome outcome;
  std::vector<Message> messages;   // why the expression cannot run
  std::string failure;             // the same in one line, "" when there is none
};

// A program that grows at a prompt: a file, and what is typed after it in the
// file's namespace. Each declaration is checked as a whole; one with errors
// changes nothing. A declaration of a name that exists hides the earlier one,
// which gets a new name and keeps its meaning for those that use it. Holes
// and open laws are accepted. `it` in an input is the last value that `eval`
// gave, when its type is Data.
class Session {
 public:
  explicit Session(const Config& config);
  Session(const Session&) = delete;
  ~Session();

  // Complete, or does the text wait for more lines?
  static InputKind classify(std::string_view text);

  Config& config();                // takes effect with the next call
  // Forgets all that was typed; "" = no file, Base only.
  Declared load(const std::string& path, const std::atomic<bool>* stop);
  const std::string& path() const;
  std::size_t typed() const;       // declarations typed so far
  Declared declare(std::string_view text, const std::atomic<bool>* stop);
  EvalResult eval(const EvalOptions& options);
  // `text` is A == B. The value is "equal" or "not equal".
  EvalResult equal(std::string_view text, const std::atomic<bool>* stop);
  // Reduces an expression, an IO action or a value, on an engine.
  RunResult run(const std::string& expression, const RunOptions& options);
  // The rules of one def in the book of the session; "" and messages.
  std::string rules(const std::string& name, std::vector<Message>& messages);

  std::vector<std::string> names() const;       // sorted, for completion
  // What a name stands for: nothing, or a def or type, or a constructor.
  std::vector<NameInfo> info(const std::string& name) const;
  // The session's own names; of an alias or of Base when named.
  std::vector<NameInfo> browse(const std::string& scope) const;
  std::vector<Message> holes() const;           // open laws included
  // Defs outside Base that rely on unsafe code.
  const std::vector<std::string>& unsafe_defs() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A program's text in the layout of `tine fmt`, which never changes what it
// says.
struct Formatted {
  bool ok = false;                 // else `text` is not to be used
  std::string source;              // as it was read
  std::string text;
  std::vector<Message> messages;   // why it cannot be read
  std::string failure;             // a fault of the formatter, one line
};
// The path is for messages.
Formatted format_text(const std::string& path, std::string_view text);
Formatted format_file(const std::string& path);

// The page of a message code ("E23a"): what it means, a wrong and a right
// example. Of a row of codes ("E23", "W", ""): a line for each. "" when there
// is none.
std::string explain(std::string_view code);

// The modules of the library, sorted by name: what stands after `import`, and
// what the module is for, one line.
struct LibraryModule {
  std::string name, purpose;
};
std::vector<LibraryModule> library_modules();

// What a module says about itself: its first comment, then signatures with
// their comments. `module` is one of the library or the path of a .bend file;
// `name`, unless "", asks for one of its declarations.
struct Documentation {
  bool known = false;              // there is such a module, and it was read
  bool found = false;              // and such a declaration in it
  std::string text;
  std::vector<Message> messages;   // why it cannot be read
  std::string failure;             // memory, one line
};
Documentation document(const std::string& module, const std::string& name);

// The compiled programs that the native engine keeps for this user.
struct CacheInfo {
  std::string folder;          // "" when there is none
  std::string problem;         // why, one line
  std::size_t programs = 0;
  std::uint64_t bytes = 0;
};
CacheInfo cache_info();
// How many were removed.
std::size_t clear_cache();

// The CPUs this process may use, cgroup quota included; at least 1.
unsigned usable_cpus();
// 80% of the smaller of the cgroup's limit and free memory, in bytes.
std::size_t default_memory();

}  // namespace tine
