// Random books on the net engine, at 1, 2 and 4 workers, against the plain
// reducer: same values, same traps, same counts of calls, primitives, takes
// and constructions, nothing left allocated; and the text form reads back.
//
//   tine_books [--count N] [--seed S] [--print]
//
// Book number I is a function of S + I alone. `--print` shows the first.
#include <cstdio>
#include <cstring>
#include <string>

#include "compiler/book/text.h"
#include "runtime/net/engine.h"
#include "tests/fuzz/random_book.h"

namespace tine::fuzz {
namespace {

std::string text_of(const RunOutcome& outcome) {
  std::string text = outcome.value + outcome.trap.text + "\n";
  const RunStats& stats = outcome.stats;
  if (outcome.trap.kind != TrapKind::kNone) return text;
  for (const DefCount& row : stats.defs) {
    text += row.def + " " + std::to_string(row.calls) + " " +
            std::to_string(row.prims) + "\n";
  }
  text += "takes " + std::to_string(stats.takes) + " makes " +
          std::to_string(stats.makes) + "\n";
  bool clean = stats.nodes_made == stats.nodes_freed &&
               stats.blocks_made == stats.blocks_freed &&
               stats.frames_made == stats.frames_freed;
  return text + (clean ? "" : "something is still allocated\n");
}

RunOutcome run(const Book& book, bool plain, unsigned workers) {
  RunRequest request;
  request.limits.workers = workers;
  request.limits.deadline = 30;
  request.limits.memory = std::size_t{256} << 20;
  request.plain = plain;
  return run_net(book, request);
}

// "" or what is wrong with the book of this seed.
std::string judge(std::uint64_t seed) {
  Book book = random_book(seed);
  for (const BookError& error : verify_book(book)) {
    return "does not verify: " + error.text;
  }
  std::string text = print_book(book);
  Book again;
  for (const BookError& error : read_book(text, again)) {
    return "does not read back: " + error.text;
  }
  if (print_book(again) != text) return "changes when it is read back";
  std::string plain = text_of(run(book, true, 1));
  if (plain.find("still allocated") != plain.npos) return "plain: " + plain;
  for (unsigned workers : {1u, 2u, 4u}) {
    std::string net = text_of(run(book, false, workers));
    if (net != plain) {
      return std::to_string(workers) + " workers give\n" + net +
             "the plain reducer gives\n" + plain;
    }
  }
  return "";
}

int main(int argc, char** argv) {
  std::uint64_t count = 500, seed = 1;
  bool print = false;
  for (int i = 1; i < argc; ++i) {
    bool more = i + 1 < argc;
    if (!std::strcmp(argv[i], "--count") && more) {
      count = std::strtoull(argv[++i], nullptr, 10);
    } else if (!std::strcmp(argv[i], "--seed") && more) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (!std::strcmp(argv[i], "--print")) {
      print = true;
    } else {
      std::fprintf(stderr, "usage: tine_books [--count N] [--seed S]\n");
      return 2;
    }
  }
  if (print) std::fputs(print_book(random_book(seed)).c_str(), stdout);
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < count && failed < 10; ++i) {
    std::string wrong = judge(seed + i);
    if (wrong.empty()) continue;
    ++failed;
    std::printf("book %llu: %s\n", static_cast<unsigned long long>(seed + i),
                wrong.c_str());
  }
  std::printf("%llu passed, %llu failed\n",
              static_cast<unsigned long long>(count - failed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tine::fuzz

int main(int argc, char** argv) { return tine::fuzz::main(argc, argv); }
