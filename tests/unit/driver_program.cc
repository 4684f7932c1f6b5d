// The public header as an embedder uses it.
#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "runtime/tine.hpp"
#include "tests/unit/driver_temp.h"

using namespace tine;
using tine::test::TempFolder;

namespace {

Program load(const std::string& text, const Config& config = {}) {
  return Context(config).load_text("test.bend", "import Base\n" + text);
}

Config with_threads(unsigned threads) {
  Config config;
  config.threads = threads;
  return config;
}

std::string all_text(const Program& program) {
  std::string text;
  for (const Message& message : program.messages()) text += message.rendered;
  return text;
}

const char* const kFib = R"(
def fib(n: Nat) -> Nat:
  match n:
    case 0n: 0n
    case 1n+p:
      match p:
        case 0n: 1n
        case 1n+q:
          fib.two(q)

def fib.two(+q: Nat) -> Nat:
  q

def tree(+d: Nat) -> U32:
  match d:
    case 0n: 1
    case 1n+p:
      l r = tree(p) tree(p)
      (l + r : U32)

def main() -> U32: tree(10n)
)";

const char* const kSpin = R"(
def spin?(n: U32) -> U32: spin((n + 1 : U32))
def main() -> U32: spin(0)
)";

}  // namespace

TEST_CASE("a pure main runs and is counted") {
  Program program = load(kFib, with_threads(2));
  REQUIRE_MESSAGE(program.ok(), all_text(program));
  CHECK(program.has_main());
  CHECK_FALSE(program.main_is_io());
  CHECK(program.unsafe_defs().empty());
  CHECK(program.todos() == 0);
  Outcome outcome = program.run({});
  CHECK(outcome.status == kOk);
  CHECK(outcome.value == "1024");
  CHECK(outcome.trap == "");
  CHECK(outcome.stats.engine == "net");
  CHECK(outcome.stats.workers == 2);
  CHECK(outcome.stats.nodes_made == outcome.stats.nodes_freed);
  CHECK(outcome.stats.frames_made == outcome.stats.frames_freed);
  std::uint64_t calls = 0;
  for (const DefCounts& row : outcome.stats.defs) {
    if (row.def == "tree") calls = row.calls;
  }
  CHECK(calls == 2047);
}

TEST_CASE("a program runs again and again") {
  Program program = load(kFib, with_threads(1));
  for (int i = 0; i < 20; ++i) CHECK(program.run({}).value == "1024");
}

TEST_CASE("an effectful main writes to the streams") {
  Program program = load(
      "def main() -> IO(Unit):\n  do IO<Unit>:\n    IO.print(\"out\")\n"
      "    IO.print_err(\"err\")\n    IO.die(Unit, 9, \"end\")\n");
  REQUIRE_MESSAGE(program.ok(), all_text(program));
  CHECK(program.main_is_io());
  Outcome kept = program.run({});
  CHECK(kept.status == 9);
  CHECK(kept.trap == "");
  CHECK(kept.out == "out\n");
  CHECK(kept.err == "err\nend\n");
  std::string out, err;
  RunOptions options;
  options.streams.out = [&](std::string_view bytes) {
    out += bytes;
    return 0;
  };
  options.streams.err = [&](std::string_view bytes) {
    err += bytes;
    return 0;
  };
  Outcome sent = program.run(options);
  CHECK(out == kept.out);
  CHECK(err == kept.err);
  CHECK(sent.out == "");
}

TEST_CASE("a stream that fails ends the run") {
  Program program = load(
      "def main() -> IO(Unit):\n  do IO<Unit>:\n    IO.print(\"a\")\n"
      "    IO.print_err(\"b\")\n    IO.print(\"c\")\n");
  RunOptions options;
  options.streams.out = [](std::string_view) { return ENOSPC; };
  Outcome full = program.run(options);
  CHECK(full.status == kRunFailed);
  CHECK(full.trap.find("No space left on device") != std::string::npos);
  options.streams.out = [](std::string_view) { return EPIPE; };
  Outcome closed = program.run(options);
  CHECK(closed.status == kOk);
  CHECK(closed.trap == "");
}

TEST_CASE("files may be denied") {
  TempFolder folder;
  std::string file = folder.write("x.txt", "secret");
  Program program = load(
      "def shown(r: Result<&1, &1, U32 & String, File>) -> IO(Unit):\n"
      "  match r:\n"
      "    case Fail{e}: IO.print(\"denied\")\n"
      "    case Done{f}: IO.print(\"opened\")\n"
      "def main() -> IO(Unit):\n  do IO<Unit>:\n"
      "    r : Result<&1, &1, U32 & String, File> <- File.open(\"" +
      file + "\", \"r\")\n    shown(r)\n");
  REQUIRE_MESSAGE(program.ok(), all_text(program));
  CHECK(program.run({}).out == "opened\n");
  RunOptions options;
  options.streams.files = false;
  CHECK(program.run(options).out == "denied\n");
}

TEST_CASE("errors carry place, code, text and JSON") {
  Program program = load("def main() -> U32:\n  missing(1)\n");
  CHECK_FALSE(program.ok());
  REQUIRE(program.messages().size() >= 1);
  const Message& message = program.messages()[0];
  CHECK(message.error);
  CHECK(message.code == "E18a");
  CHECK(message.path == "test.bend");
  CHECK(message.line == 3);
  CHECK(message.column == 3);
  CHECK(message.end_line == 3);
  CHECK(message.end_column == 10);
  CHECK(message.rendered.find("missing(1)") != std::string::npos);
  CHECK(message.rendered.find('\033') == std::string::npos);
  CHECK(message.coloured.find('\033') != std::string::npos);
  auto json = nlohmann::json::parse(message.json);
  CHECK(json["line"] == 3);
  CHECK(json["code"] == "E18a");
  Outcome outcome = program.run({});
  CHECK(outcome.status == kProgramWrong);
  CHECK(program.eval("1").status == kProgramWrong);
  CHECK(program.book_text() == "");
}

TEST_CASE("what cannot run says why") {
  Program program = load("def f() -> U32: 1\n");
  REQUIRE(program.ok());
  CHECK_FALSE(program.has_main());
  CHECK(program.eval("f").value == "1");
  Outcome outcome = program.run({});
  CHECK(outcome.status == kProgramWrong);
  REQUIRE(program.messages().size() == 1);
  CHECK(program.messages()[0].text == "the program has no `main`");
  CHECK(program.run({}).status == kProgramWrong);
  CHECK(program.messages().size() == 1);
  // The program is still good for the theory and the book.
  CHECK(program.eval("f").value == "1");
  CHECK(program.eval("").status == kProgramWrong);
  RunOptions options;
  options.engine = "warp";
  Outcome engine = program.run(options);
  CHECK(engine.status == kUsage);
  CHECK(engine.trap ==
        "there is no engine `warp`; this build has: net, net-plain, native, auto");
}

TEST_CASE("deadline, stop flag and memory cap end a run") {
  Config config = with_threads(2);
  config.deadline = 0.05;
  Program spin = load(kSpin, config);
  REQUIRE_MESSAGE(spin.ok(), all_text(spin));
  Outcome late = spin.run({});
  CHECK(late.status == kRunFailed);
  CHECK(late.trap_def == "spin");
  CHECK(late.trap != "");

  Program again = load(kSpin, with_threads(2));
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  Outcome stopped = again.run(options);
  stopper.join();
  CHECK(stopped.status == kStopped);
  CHECK(stopped.trap != "");

  config = with_threads(1);
  config.memory = std::size_t{4} << 20;
  Program deep = load(
      "def count(n: Nat) -> U32:\n  match n:\n    case 0n: 0\n"
      "    case 1n+p: (1 + count(p) : U32)\n"
      "def main() -> U32: count(1000000n)\n",
      config);
  Outcome full = deep.run({});
  CHECK(full.status == kOutOfMemory);
  CHECK(full.trap != "");
}

TEST_CASE("a failed run leaves nothing behind for the next") {
  Config config = with_threads(2);
  config.deadline = 0.02;
  Context context(config);
  Program spin = context.load_text("spin.bend", std::string("import Base\n") +
                                                    kSpin);
  for (int i = 0; i < 5; ++i) CHECK(spin.run({}).status == kRunFailed);
  CHECK(load(kFib, with_threads(2)).run({}).value == "1024");
}

TEST_CASE("eval: main, expressions, errors, limits") {
  Program program = load(kFib);
  CHECK(program.eval("").value == "1024");
  EvalResult result = program.eval("tree(3n)");
  CHECK(result.status == kOk);
  CHECK(result.value == "8");
  CHECK(result.type == "U32");
  CHECK(result.fork_defs.empty());
  EvalResult wrong = program.eval("tree(x)");
  CHECK(wrong.status == kProgramWrong);
  REQUIRE(wrong.messages.size() >= 1);
  CHECK(wrong.messages[0].path == "<expression>");
  CHECK(wrong.messages[0].line == 1);
  CHECK(wrong.messages[0].column == 6);
  // An error does not spoil the next one.
  CHECK(program.eval("tree(2n)").value == "4");
  Config config;
  // Long enough to load Base under a sanitizer on a busy machine.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  config.check_deadline = 10;
  const char* passed = "the deadline of 10 seconds passed";
#else
  config.check_deadline = 0.5;
  const char* passed = "the deadline of 0.5 seconds passed";
#endif
  config.fuel = 5000000000;  // a missed deadline fails and does not hang
  Program spin = load(kSpin, config);
  EvalResult late = spin.eval("");
  CHECK(late.status == kRunFailed);
  CHECK(late.failure == passed);
  CHECK(late.value == "");
  CHECK(spin.eval("(1 + 1 : U32)").value == "2");
}

TEST_CASE("a value that relies on the fork is labelled") {
  Program program = load(
      "def forked(h: Array<U32> & Array<U32>) -> Array<U32>:\n"
      "  (a, b) = h\n  Array.join(U32, a, b[0] <- 7)\n"
      "def plain() -> U32: 3\n"
      "def main() -> Array<U32>:\n"
      "  forked(Array.fork(U32, [0 : U32*2n]))\n");
  REQUIRE_MESSAGE(program.ok(), all_text(program));
  CHECK(program.unsafe_defs() ==
        std::vector<std::string>{"forked", "main"});
  EvalResult theory = program.eval("");
  CHECK(theory.value == "[0, 0]");
  CHECK(theory.fork_defs == std::vector<std::string>{"forked", "main"});
  CHECK(program.eval("plain").fork_defs.empty());
  CHECK(program.run({}).value == "[7, 0]");
}

TEST_CASE("the book is text that runs the same") {
  Program program = load(kFib);
  std::string text = program.book_text();
  REQUIRE(text != "");
  Context context;
  Program book = context.load_book("fib.net", text);
  REQUIRE_MESSAGE(book.ok(), all_text(book));
  CHECK(book.has_main());
  CHECK(book.run({}).value == "1024");
  CHECK(book.book_text() == text);
  EvalResult none = book.eval("");
  CHECK(none.status == kProgramWrong);
  REQUIRE(none.messages.size() == 1);
  CHECK(none.messages[0].text == "a book has no theory: it can only be run");
}

TEST_CASE("a book that is wrong has places") {
  Context context;
  Program book = context.load_book("x.net", "\n  nonsense here\n");
  REQUIRE_FALSE(book.ok());
  CHECK(book.messages()[0].code == "B01");
  CHECK(book.messages()[0].line == 2);
  CHECK(book.messages()[0].rendered.find("nonsense") != std::string::npos);
  CHECK(book.run({}).status == kProgramWrong);
}

TEST_CASE("stages can be dumped") {
  Program program = load(kFib);
  CHECK(program.dump("surface").find("def tree(") != std::string::npos);
  CHECK(program.dump("core").find("tree : ") != std::string::npos);
  CHECK(program.dump("book") == program.book_text());
  CHECK(program.dump("soul") == "");
  REQUIRE_FALSE(program.messages().empty());
  CHECK(program.messages().back().text ==
        "there is no stage `soul`: the stages are surface, core, book, c and device");
}

TEST_CASE("two contexts at once do not meet") {
  std::vector<std::thread> hosts;
  std::atomic<int> right{0};
  for (unsigned host = 0; host < 2; ++host) {
    hosts.emplace_back([&, host] {
      Context context(with_threads(1 + host));
      for (int i = 0; i < 3; ++i) {
        Program program = context.load_text(
            "host.bend",
            "import Base\ndef tree(+d: Nat) -> U32:\n  match d:\n"
            "    case 0n: " + std::to_string(host + 1) + "\n"
            "    case 1n+p:\n      l r = tree(p) tree(p)\n"
            "      (l + r : U32)\ndef main() -> U32: tree(8n)\n");
        bool same = program.run({}).value == std::to_string(256 * (host + 1));
        bool theory = program.eval("").value ==
                      std::to_string(256 * (host + 1));
        if (same && theory) ++right;
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  CHECK(right == 6);
}

TEST_CASE("a program outlives its context, and moves") {
  auto context = std::make_unique<Context>(with_threads(1));
  Program first =
      context->load_text("a.bend", "import Base\ndef main() -> U32: 7\n");
  context.reset();
  Program second = std::move(first);
  CHECK(second.run({}).value == "7");
  second = load(kFib);
  CHECK(second.run({}).value == "1024");
}
