// `tine test`: programs against their expected output, on every engine and
// several worker counts, all in this process. test_file.h has the format.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/commands.h"
#include "tools/test_file.h"

namespace tine::tool {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultDeadline = 60;
constexpr unsigned kDefaultThreads[] = {1, 2, 4};

bool is_test_name(const fs::path& path) {
  return path.extension() == ".bend" || path.extension() == ".net";
}

bool is_good(const std::string& file) {
  return fs::path(file).parent_path().filename() == "good";
}

// All test files of a folder, sorted; modules in `lib` folders are none.
void collect(const fs::path& folder, std::vector<std::string>& files) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, error)) {
    entries.push_back(entry.path());
  }
  std::sort(entries.begin(), entries.end());
  for (const fs::path& path : entries) {
    if (fs::is_directory(path, error)) {
      if (path.filename() != "lib") collect(path, files);
    } else if (is_test_name(path)) {
      files.push_back(path.string());
    }
  }
}

// The output of one run as lines, the way a tail writes it.
std::vector<std::string> lines_of(const std::string& out,
                                  const std::string& err, int status) {
  std::vector<std::string> lines = split_lines(out);
  if (status == kOk) return lines;
  for (std::string& line : split_lines(err)) lines.push_back(std::move(line));
  lines.push_back("exit " + std::to_string(status));
  return lines;
}

// Diagnostics name the file as it was given; a tail should not.
std::string without_folder(std::string text, const std::string& file) {
  std::string folder = fs::path(file).parent_path().string();
  if (folder.empty()) return text;
  folder += '/';
  for (std::size_t at = text.find(folder); at != std::string::npos;
       at = text.find(folder, at)) {
    text.erase(at, folder.size());
  }
  return text;
}

std::string rendered(const std::vector<Message>& messages) {
  std::string text;
  for (const Message& message : messages) {
    if (message.error) text += message.rendered;
  }
  return text;
}

class Runner {
 public:
  Runner(const Options& options, Console& console)
      : options_(options), console_(console), threads_(options.thread_list) {
    if (threads_.empty()) {
      threads_.assign(std::begin(kDefaultThreads), std::end(kDefaultThreads));
    }
  }

  void test(const std::string& file);
  int finish();
  void miss(const std::string& path);

 private:
  struct Run {
    std::string engine;
    unsigned threads;
    std::vector<std::string> lines;
    std::string counts;    // calls and primitives per def, "" after a trap
    std::string engine_used;
    std::string note;

    // Another engine served, since there is no compiler or it failed.
    bool replaced() const {
      return engine == "native" && !engine_used.empty() &&
             engine_used != "native";
    }
    bool no_compiler() const {
      return note.starts_with("there is no C compiler");
    }
  };

  Config config_for(unsigned threads) const;
  bool check_header(const std::string& file, const TestFile& test,
                    Program& program);
  bool check_theory(const std::string& file, const TestFile& test,
                    Program& program);
  Run run_once(const std::string& file, const std::string& text,
               const std::string& engine, unsigned threads);
  std::vector<Run> run_all(const std::string& file, const std::string& text);
  void judge(const std::string& file, const std::string& text,
             const TestFile& test);
  void update(const std::string& file, const std::string& text,
              const TestFile& test, const std::vector<Run>& runs);
  void pass() { ++passed_; }
  void skip(const std::string& file, const std::string& why);
  void fail(const std::string& file, const std::string& why);
  Program load(Context& context, const std::string& file,
               const std::string& text);
  bool has_main(const std::string& file, const std::string& text);
  void accept(const std::string& file, const std::string& text);

  const Options& options_;
  Console& console_;
  std::vector<unsigned> threads_;
  std::size_t passed_ = 0, failed_ = 0, skipped_ = 0;
  bool native_ = true;  // until a run shows that there is no compiler
};

Config Runner::config_for(unsigned threads) const {
  Config config = options_.config;
  config.threads = threads;
  if (config.deadline == 0) config.deadline = kDefaultDeadline;
  return config;
}

Program Runner::load(Context& context, const std::string& file,
                     const std::string& text) {
  return file.ends_with(".net") ? context.load_book(file, text)
                                : context.load_text(file, text);
}

// The diagnostics that a header asks for, and no other error.
bool Runner::check_header(const std::string& file, const TestFile& test,
                          Program& program) {
  // What a program cannot be compiled for is told with its book.
  if (program.ok() && program.has_main()) program.book_text();
  for (const ExpectedMessage& expected : test.header) {
    if (meets(program.messages(), file, expected)) continue;
    std::string found = rendered(program.messages());
    fail(file, "  expected " + show(expected) + ", found:\n" +
                   (found.empty() ? "  nothing\n" : found));
    return false;
  }
  const Message* other = unexpected(program.messages(), file, test.header);
  if (other) fail(file, "  did not expect:\n" + other->rendered);
  return !other;
}

// What the theory gives, and which defs rely on unsafe code.
bool Runner::check_theory(const std::string& file, const TestFile& test,
                          Program& program) {
  if (!test.unsafe.empty() && program.unsafe_defs() != test.unsafe) {
    fail(file, "  other defs rely on unsafe code:\n" +
                   diff_lines(test.unsafe, program.unsafe_defs()));
    return false;
  }
  for (const TheoryValue& expected : test.theory) {
    EvalResult result = program.eval(expected.expression);
    std::string got = result.status == kOk ? result.value : result.failure;
    for (const Message& message : result.messages) got += message.text;
    if (got == expected.value) continue;
    fail(file, "  in the theory, " +
                   (expected.expression.empty() ? "main"
                                                : expected.expression) +
                   ":\n" + diff_lines({expected.value}, {got}));
    return false;
  }
  return true;
}

// Calls and primitives per definition, a line each.
std::string count_lines(const Stats& stats) {
  std::string text;
  for (const DefCounts& row : stats.defs) {
    text += row.def + ": " + std::to_string(row.calls) + " calls, " +
            std::to_string(row.prims) + " primitives\n";
  }
  return text;
}

Runner::Run Runner::run_once(const std::string& file, const std::string& text,
                             const std::string& engine, unsigned threads) {
  Context context(config_for(threads));
  Program program = load(context, file, text);
  Outcome outcome;
  outcome.status = kProgramWrong;
  if (program.ok()) {
    RunOptions run;
    run.engine = engine;
    run.args = {fs::path(file).filename().string()};
    outcome = program.run(run);
  }
  std::string out = outcome.out;
  if (!outcome.value.empty()) out += outcome.value + "\n";
  std::string err = outcome.err + rendered(program.messages());
  if (!outcome.trap.empty()) {
    err += failure_line(outcome.trap, outcome.trap_def);
  }
  return {engine, threads,
          lines_of(out, without_folder(err, file), outcome.status),
          outcome.status == 0 ? count_lines(outcome.stats) : "",
          outcome.stats.engine, outcome.note};
}

// Every worker count on the engine; where none is named also on the native
// engine, and on the reference engine once.
std::vector<Runner::Run> Runner::run_all(const std::string& file,
                                         const std::string& text) {
  bool all = options_.engine.empty();
  std::vector<Run> runs;
  for (unsigned threads : threads_) {
    runs.push_back(
        run_once(file, text, all ? "net" : options_.engine, threads));
  }
  if (!all) return runs;
  runs.push_back(run_once(file, text, "net-plain", 1));
  for (unsigned threads : threads_) {
    if (!native_) break;
    runs.push_back(run_once(file, text, "native", threads));
    const Run& last = runs.back();
    if (!last.replaced() || !last.no_compiler()) continue;
    native_ = false;
    console_.out("skip native, " + last.note + "\n");
  }
  return runs;
}

void Runner::update(const std::string& file, const std::string& text,
                    const TestFile& test, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.lines == runs[0].lines) continue;
    return fail(file, "  " + std::to_string(runs[0].threads) + " and " +
                          std::to_string(run.threads) +
                          " workers differ:\n" +
                          diff_lines(runs[0].lines, run.lines));
  }
  if (test.tail && *test.tail == runs[0].lines) return pass();
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << with_tail(text, test, runs[0].lines);
  out.close();
  if (!out) return fail(file, "  cannot be written\n");
  console_.out("updated " + file + "\n");
  pass();
}

void Runner::judge(const std::string& file, const std::string& text,
                   const TestFile& test) {
  std::vector<Run> runs = run_all(file, text);
  if (options_.update) return update(file, text, test, runs);
  for (const Run& run : runs) {
    std::string where = "  " + run.engine + ", " +
                        std::to_string(run.threads) + " workers\n";
    if (run.replaced()) {
      if (!run.no_compiler()) return fail(file, where + "  " + run.note + "\n");
      if (!options_.engine.empty()) return skip(file, run.note);
    }
    std::string diff = diff_lines(*test.tail, run.lines);
    if (!diff.empty()) return fail(file, where + diff);
    // Compiled code counts no calls.
    if (run.engine != "native" && run.counts != runs[0].counts) {
      return fail(file, where + "  counts differ from " + runs[0].engine +
                            ", " + std::to_string(runs[0].threads) +
                            " workers:\n" + runs[0].counts + "  and\n" +
                            run.counts);
    }
  }
  pass();
}

void Runner::test(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  if (!in) return fail(file, "  cannot be read\n");
  std::string text = buffer.str();
  TestFile test = read_test_file(text);
  if (!test.bad_header.empty()) {
    return fail(file, "  cannot read the header `" + test.bad_header + "`\n");
  }
  bool theory = !test.theory.empty() || !test.unsafe.empty();
  if (!test.header.empty() || theory) {
    Context context(config_for(1));
    Program program = load(context, file, text);
    if (!test.header.empty() || !program.ok()) {
      if (!check_header(file, test, program)) return;
    }
    if (!check_theory(file, test, program)) return;
    if (!test.tail) return pass();
  }
  if (test.tail) return judge(file, text, test);
  if (is_good(file)) return accept(file, text);
  if (options_.update && has_main(file, text)) return judge(file, text, test);
  skip(file, "no expected output");
}

// A program of a folder `good` only has to check.
void Runner::accept(const std::string& file, const std::string& text) {
  Context context(config_for(1));
  Program program = load(context, file, text);
  if (program.ok()) return pass();
  fail(file, "  must be accepted, found:\n" + rendered(program.messages()));
}

// A file without a main is a module: it gets no tail by --update.
bool Runner::has_main(const std::string& file, const std::string& text) {
  Context context(config_for(1));
  return load(context, file, text).has_main();
}

void Runner::skip(const std::string& file, const std::string& why) {
  ++skipped_;
  console_.out("skip " + file + " (" + why + ")\n");
}

void Runner::fail(const std::string& file, const std::string& why) {
  ++failed_;
  console_.out("FAIL " + file + "\n" + why);
}

void Runner::miss(const std::string& path) { fail(path, "  no such path\n"); }

int Runner::finish() {
  console_.out(std::to_string(passed_) + " passed, " +
               std::to_string(failed_) + " failed, " +
               std::to_string(skipped_) + " skipped\n");
  return failed_ == 0 ? kOk : kProgramWrong;
}

}  // namespace

int command_test(const Options& options, Console& console) {
  Runner runner(options, console);
  for (const std::string& path : options.operands) {
    std::error_code error;
    std::vector<std::string> files;
    if (fs::is_directory(path, error)) {
      collect(path, files);
    } else if (fs::exists(path, error)) {
      files.push_back(path);
    } else {
      runner.miss(path);
    }
    for (const std::string& file : files) runner.test(file);
  }
  return runner.finish();
}

}  // namespace tine::tool
