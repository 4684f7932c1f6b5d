// Random well-typed programs: the theory, the plain reducer and the net engine
// at 1, 2 and 4 workers must show the same, and so must the native engine at
// 1, 2 and 4 workers on every tenth batch. Formatted, the programs have the
// same book.
//
//   tine_programs [--count N] [--seed S] [--save FOLDER] [--native N] [--print]
//
// `--native 1` has every batch compiled, `--native 0` none.
// Programs are run in batches; every fifth batch has forked arrays, where the
// theory does not apply. A batch that fails is run again program by program,
// and the smallest file that still fails is saved. `--print` shows the first
// batch.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/tine.hpp"
#include "tests/fuzz/random_program.h"

namespace tine::fuzz {
namespace {

constexpr std::uint64_t kBatch = 50;

struct Settings {
  std::uint64_t count = 500, seed = 1, native = 10;
  std::string save;
  bool print = false;
};

std::string shown(const Outcome& outcome) {
  std::string text = outcome.value + outcome.trap;
  const Stats& stats = outcome.stats;
  bool clean = outcome.status != kOk ||
               (stats.nodes_made == stats.nodes_freed &&
                stats.blocks_made == stats.blocks_freed &&
                stats.frames_made == stats.frames_freed);
  return text + (clean ? "" : "\nsomething is still allocated");
}

// What was done, definition by definition.
std::string counted(const Outcome& outcome) {
  std::string text = shown(outcome);
  for (const DefCounts& row : outcome.stats.defs) {
    text += "\n" + row.def + " " + std::to_string(row.calls) + " " +
            std::to_string(row.prims);
  }
  return text;
}

Outcome run(const std::string& text, const char* engine, unsigned workers,
            bool counts = false) {
  Config config;
  config.threads = workers;
  config.deadline = 60;
  config.memory = std::size_t{1} << 30;
  config.verify = true;
  Program program = Context(config).load_text("random.bend", text);
  RunOptions options;
  options.engine = engine;
  options.counts = counts;
  return program.run(options);
}

// How often a batch was not run by compiled code: no C compiler, or a build
// that has no native engine.
std::uint64_t not_compiled = 0;

enum class Native { kNo, kPlain, kCounting };

// A book without the lines its defs stand on, ` @ "a.bend:7"`.
std::string without_places(std::string book) {
  for (std::size_t at = 0;
       (at = book.find(" @ \"", at)) != std::string::npos;) {
    book.erase(at, book.find('\n', at) - at);
  }
  return book;
}

// Formatted it is a program with the same book.
std::string judge_format(Program& program, const std::string& text) {
  Formatted formatted = format_text("random.bend", text);
  if (!formatted.ok) return "fmt: " + formatted.failure;
  Program again =
      Context(Config{}).load_text("random.bend", formatted.text);
  return without_places(again.book_text()) ==
                 without_places(program.book_text())
             ? ""
             : "fmt changes the book:\n" + formatted.text;
}

// "" or what is wrong with the file.
std::string judge(const std::string& text, Forks forks, Native native) {
  Program program = Context(Config{}).load_text("random.bend", text);
  for (const Message& message : program.messages()) {
    if (message.error) return message.rendered;
  }
  if (std::string fault = judge_format(program, text); !fault.empty()) {
    return fault;
  }
  Outcome reference = run(text, "net-plain", 1);
  std::string plain = shown(reference), counts = counted(reference);
  for (unsigned workers : {1u, 2u, 4u}) {
    std::string net = counted(run(text, "net", workers));
    if (net != counts) {
      return std::to_string(workers) + " workers: " + net +
             "\nthe plain reducer: " + counts + "\n";
    }
  }
  // Every other batch by code that counts.
  for (unsigned workers : {1u, 2u, 4u}) {
    if (native == Native::kNo) break;
    bool counting = native == Native::kCounting;
    Outcome outcome = run(text, "native", workers, counting);
    not_compiled += outcome.stats.engine != "native";
    std::string got = counting ? counted(outcome) : shown(outcome);
    if (got != (counting ? counts : plain)) {
      return "native, " + std::to_string(workers) + " workers: " + got +
             "\nthe plain reducer: " + counts + "\n";
    }
  }
  if (forks == Forks::kSome) return "";
  EvalResult theory = program.eval("");
  if (theory.status == kOk && theory.value == plain) return "";
  return "the theory: " + theory.value + theory.failure +
         "\nthe engines: " + plain + "\n";
}

// Takes parts out of the list for as long as the rest still fails.
std::vector<std::uint64_t> shrink(std::vector<std::uint64_t> numbers,
                                  Forks forks, Native native) {
  for (std::size_t part = numbers.size() / 2; part > 0;) {
    bool smaller = false;
    for (std::size_t at = 0; at + part <= numbers.size() && !smaller;
         at += part) {
      std::vector<std::uint64_t> rest = numbers;
      auto from = rest.begin() + static_cast<std::ptrdiff_t>(at);
      rest.erase(from, from + static_cast<std::ptrdiff_t>(part));
      if (rest.empty() ||
          judge(program_file(rest, forks), forks, native).empty()) {
        continue;
      }
      numbers = rest;
      smaller = true;
    }
    if (!smaller || part > numbers.size()) part /= 2;
  }
  return numbers;
}

void save(const Settings& settings, const std::string& text,
          std::uint64_t number) {
  if (settings.save.empty()) return;
  std::filesystem::create_directories(settings.save);
  std::ofstream(settings.save + "/program" + std::to_string(number) + ".bend")
      << text;
}

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    bool more = i + 1 < argc;
    if (!std::strcmp(argv[i], "--count") && more) {
      settings.count = std::strtoull(argv[++i], nullptr, 10);
    } else if (!std::strcmp(argv[i], "--seed") && more) {
      settings.seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (!std::strcmp(argv[i], "--save") && more) {
      settings.save = argv[++i];
    } else if (!std::strcmp(argv[i], "--native") && more) {
      settings.native = std::strtoull(argv[++i], nullptr, 10);
    } else if (!std::strcmp(argv[i], "--print")) {
      settings.print = true;
    } else {
      std::fprintf(stderr,
                   "usage: tine_programs [--count N] [--seed S] "
                   "[--save FOLDER] [--native N] [--print]\n");
      return 2;
    }
  }
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < settings.count && failed < 5; i += kBatch) {
    Forks forks = i / kBatch % 5 == 4 ? Forks::kSome : Forks::kNone;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t j = i; j < i + kBatch && j < settings.count; ++j) {
      numbers.push_back(settings.seed + j);
    }
    std::string text = program_file(numbers, forks);
    if (settings.print) std::fputs(text.c_str(), stdout);
    settings.print = false;
    // Of every kind of batch some.
    std::uint64_t batch = i / kBatch, every = settings.native;
    Native native = Native::kNo;
    if (every != 0 && batch % every == batch / every % every) {
      native = batch / every % 2 == 1 ? Native::kCounting : Native::kPlain;
    }
    if (judge(text, forks, native).empty()) continue;
    ++failed;
    numbers = shrink(numbers, forks, native);
    text = program_file(numbers, forks);
    save(settings, text, numbers[0]);
    std::printf("program %llu: %s\n",
                static_cast<unsigned long long>(numbers[0]),
                judge(text, forks, native).c_str());
  }
  if (not_compiled > 0) {
    std::printf("skipped: %llu runs of compiled code\n",
                static_cast<unsigned long long>(not_compiled));
  }
  std::printf("%llu passed, %llu failed\n",
              static_cast<unsigned long long>(settings.count - failed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tine::fuzz

int main(int argc, char** argv) { return tine::fuzz::main(argc, argv); }
