// Feeds mutated programs and books to the library and looks for what must
// never happen.
//
//   tine_fuzz [--count N] [--seed S] [--only I] [--save FILE] PATH..
//
// The corpus is every .bend and .net file below the paths. Input number I is
// a function of the seed, I and the corpus, so `--only I` repeats one. Each
// input is loaded, evaluated in the theory with little fuel, and run with
// effects denied, a small heap and a short deadline. A failure is
//   - a crash: the process dies; FILE holds the input that did it;
//   - a hang past every deadline: the watchdog aborts;
//   - an error status without a message, or a message of an internal error;
//   - a formatter that would change the program;
//   - memory not given back at status 0;
//   - a book that does not come back from its own text;
//   - a pure value on which engine and theory disagree.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime/tine.hpp"
#include "tests/fuzz/mutate.h"

namespace tine::fuzz {
namespace {

namespace fs = std::filesystem;

// Several times every deadline below, for sanitizers on busy machines.
constexpr int kHangSeconds = 60;

struct Settings {
  std::uint64_t count = 2000;
  std::uint64_t seed = 1;
  std::int64_t only = -1;
  std::string save;
  std::vector<std::string> paths;
};

struct Input {
  std::string path;  // of the file it comes from: imports resolve there
  std::string text;
  bool is_book() const { return path.ends_with(".net"); }
};

Config small_config() {
  Config config;
  config.threads = 2;
  config.memory = std::size_t{64} << 20;
  config.deadline = 1;
  config.check_deadline = 5;
  config.fuel = 3000000;
  config.verify = true;
  return config;
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<Input> read_corpus(const std::vector<std::string>& paths) {
  std::vector<Input> corpus;
  for (const std::string& path : paths) {
    std::error_code error;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(path, error)) {
      fs::path name = entry.path();
      if (name.extension() == ".bend" || name.extension() == ".net") {
        corpus.push_back({name.string(), read_text(name)});
      }
    }
  }
  std::sort(corpus.begin(), corpus.end(), [](const Input& a, const Input& b) {
    return a.path < b.path;
  });
  return corpus;
}

// Aborts the process when one input takes too long.
class Watchdog {
 public:
  Watchdog() : thread_([this] { watch(); }) {}
  ~Watchdog() {
    done_ = true;
    thread_.join();
  }
  void begin(std::int64_t number) {
    started_ = now();
    number_ = number;
  }

 private:
  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  void watch() {
    while (!done_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      if (number_ < 0 || now() - started_ < kHangSeconds) continue;
      std::fprintf(stderr, "FAIL input %lld: hangs\n",
                   static_cast<long long>(number_));
      std::abort();
    }
  }
  std::atomic<bool> done_{false};
  std::atomic<std::int64_t> number_{-1}, started_{0};
  std::thread thread_;
};

struct Counts {
  std::uint64_t refused = 0, ran = 0, trapped = 0, compared = 0;
};

bool has_error(const std::vector<Message>& messages) {
  return std::any_of(messages.begin(), messages.end(), [](const Message& m) {
    return m.error && !m.text.empty();
  });
}

// Judges one input; "" when it behaves.
class Judge {
 public:
  explicit Judge(Counts& counts) : counts_(counts) {}

  std::string judge(const Input& input) {
    if (!input.is_book()) {
      Formatted formatted = format_text(input.path, input.text);
      if (!formatted.failure.empty()) return "fmt: " + formatted.failure;
      if (!formatted.ok && !has_error(formatted.messages)) {
        return "fmt refuses without a message";
      }
    }
    Context context(small_config());
    Program program = input.is_book()
                          ? context.load_book(input.path, input.text)
                          : context.load_text(input.path, input.text);
    std::string fault = check_messages(program);
    if (!fault.empty()) return fault;
    if (!program.ok()) {
      ++counts_.refused;
      return "";
    }
    EvalResult value;
    if (!input.is_book()) {
      value = program.eval("");
      if (value.status != kOk && value.failure.empty() &&
          !has_error(value.messages)) {
        return "eval fails without a message";
      }
    }
    fault = check_book(context, program);
    return fault.empty() ? check_run(program, value) : fault;
  }

 private:
  std::string check_messages(const Program& program) {
    for (const Message& message : program.messages()) {
      if (message.code == "I01") return message.text;
      if (message.text.empty()) return "a message without text";
      if (message.rendered.empty()) return "a message is not rendered";
    }
    return "";
  }

  // The book's text must read back and print the same.
  std::string check_book(Context& context, Program& program) {
    std::string text = program.book_text();
    if (std::string fault = check_messages(program); !fault.empty()) {
      return fault;
    }
    if (!program.ok()) return "";
    Program again = context.load_book("again.net", text);
    if (!again.ok()) {
      return "the book does not read back: " + again.messages()[0].rendered;
    }
    return again.book_text() == text ? "" : "the book prints differently";
  }

  std::string check_run(Program& program, const EvalResult& value) {
    RunOptions options;
    options.args = {"fuzz"};
    options.streams.files = false;
    Outcome outcome = program.run(options);
    if (std::string fault = check_messages(program); !fault.empty()) {
      return fault;
    }
    if (outcome.status != kOk) {
      ++counts_.trapped;
      bool said = !outcome.trap.empty() || !outcome.err.empty() ||
                  has_error(program.messages());
      return said ? "" : "status " + std::to_string(outcome.status) +
                             " without a message";
    }
    ++counts_.ran;
    const Stats& stats = outcome.stats;
    if (stats.nodes_made != stats.nodes_freed ||
        stats.blocks_made != stats.blocks_freed ||
        stats.frames_made != stats.frames_freed) {
      return "memory is not given back";
    }
    return compare(program, outcome, value);
  }

  // Engine and theory agree on a pure value that forks no array.
  std::string compare(const Program& program, const Outcome& outcome,
                      const EvalResult& value) {
    if (value.status != kOk || value.value.empty() || outcome.value.empty() ||
        !value.fork_defs.empty() || !program.unsafe_defs().empty()) {
      return "";
    }
    ++counts_.compared;
    if (outcome.value == value.value) return "";
    return "engine and theory disagree: " + outcome.value + " and " +
           value.value;
  }

  Counts& counts_;
};

bool is_bad(const Input& input) {
  return fs::path(input.path).parent_path().filename() == "bad";
}

Input make_input(const std::vector<Input>& corpus, const Settings& settings,
                 std::uint64_t number) {
  Rng rng(settings.seed * 0x9E3779B97F4A7C15ull + number);
  // Programs that are refused anyway say little: take one seldom.
  const Input* from = &corpus[rng() % corpus.size()];
  for (int i = 0; i < 3 && is_bad(*from); ++i) {
    from = &corpus[rng() % corpus.size()];
  }
  const Input& other = corpus[rng() % corpus.size()];
  return {from->path, mutate(from->text, other.text, rng)};
}

void save(const std::string& file, const Input& input) {
  if (file.empty()) return;
  std::ofstream(file, std::ios::binary | std::ios::trunc) << input.text;
}

bool read_settings(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (!word.starts_with("--")) {
      settings.paths.push_back(word);
      continue;
    }
    if (++i == argc) return false;
    if (word == "--count") {
      settings.count = std::strtoull(argv[i], nullptr, 10);
    } else if (word == "--seed") {
      settings.seed = std::strtoull(argv[i], nullptr, 10);
    } else if (word == "--only") {
      settings.only = std::strtoll(argv[i], nullptr, 10);
    } else if (word == "--save") {
      settings.save = argv[i];
    } else {
      return false;
    }
  }
  return !settings.paths.empty();
}

// Number of inputs that misbehave.
std::uint64_t campaign(const std::vector<Input>& corpus,
                       const Settings& settings, Counts& counts) {
  Watchdog watchdog;
  Judge judge(counts);
  std::uint64_t first = settings.only < 0 ? 0 : std::uint64_t(settings.only);
  std::uint64_t end = settings.only < 0 ? settings.count : first + 1;
  std::uint64_t failed = 0;
  for (std::uint64_t number = first; number < end; ++number) {
    Input input = make_input(corpus, settings, number);
    save(settings.save, input);
    watchdog.begin(std::int64_t(number));
    std::string fault = judge.judge(input);
    if (fault.empty()) continue;
    ++failed;
    std::printf("FAIL input %llu (from %s): %s\n",
                static_cast<unsigned long long>(number), input.path.c_str(),
                fault.c_str());
    if (!settings.save.empty()) {
      save(settings.save + "." + std::to_string(number), input);
    }
  }
  return failed;
}

int fuzz_main(int argc, char** argv) {
  Settings settings;
  if (!read_settings(argc, argv, settings)) {
    std::fprintf(stderr,
                 "usage: tine_fuzz [--count N] [--seed S] [--only I] "
                 "[--save FILE] PATH..\n");
    return 2;
  }
  std::vector<Input> corpus = read_corpus(settings.paths);
  if (corpus.empty()) {
    std::fprintf(stderr, "tine_fuzz: no programs below these paths\n");
    return 2;
  }
  Counts counts;
  std::uint64_t failed = campaign(corpus, settings, counts);
  std::uint64_t all = settings.only < 0 ? settings.count : 1;
  auto show = [](std::uint64_t n) {
    return static_cast<unsigned long long>(n);
  };
  std::printf(
      "%llu inputs from %zu files: %llu refused, %llu ran, %llu trapped, "
      "%llu compared\n",
      show(all), corpus.size(), show(counts.refused), show(counts.ran),
      show(counts.trapped), show(counts.compared));
  std::printf("%llu passed, %llu failed\n", show(all - failed), show(failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tine::fuzz

int main(int argc, char** argv) { return tine::fuzz::fuzz_main(argc, argv); }
