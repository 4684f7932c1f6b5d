// The effect loop, files, UTF-8.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "net_run.h"
#include "runtime/io/files.h"
#include "runtime/io/utf8.h"

using namespace tine;
using namespace tine::net_test;

namespace {

RunOutcome run_io(std::string_view defs, MemoryHost& host,
                  RunRequest request = {}) {
  Book book;
  load(std::string(kTypes) + "main io main\n" + std::string(defs), book);
  request.host = &host;
  return run_net(book, request);
}

std::u32string decode(std::initializer_list<std::string_view> chunks) {
  Utf8Decoder decoder;
  std::u32string text;
  for (std::string_view chunk : chunks) decoder.feed(chunk, text);
  decoder.finish(text);
  return text;
}

struct TempFile {
  explicit TempFile(std::string_view content) {
    std::ofstream(path, std::ios::binary) << content;
  }
  ~TempFile() { std::filesystem::remove(path); }
  std::string path =
      (std::filesystem::temp_directory_path() /
       ("tine-io-test-" + std::to_string(::getpid()))).string();
};

// Prints a file read by `max` bytes at a time, one line a chunk.
std::string reader(const std::string& path, const std::string& mode,
                   const std::string& max) {
  return "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n  p = \"" + path +
         "\"\n  m = \"" + mode +
         "\"\n  o = closure opened k\n  out = effect File.open p m o\n"
         "opened (k: Fn<Unit, IO.OP<Unit>>) "
         "(r: Result<Sigma<U32, String>, File>) -> IO.OP<Unit>\n  match r\n"
         "    Fail e: n, t = take Tuple e\n            drop n\n"
         "            out = effect IO.print t k\n"
         "    Done f: out = call more k f\n"
         "more (k: Fn<Unit, IO.OP<Unit>>) (f: File) -> IO.OP<Unit>\n"
         "  n = " + max + "\n  g = closure got k\n"
         "  out = effect File.read f n g\n"
         "got (k: Fn<Unit, IO.OP<Unit>>) "
         "(r: Sigma<File, Result<Sigma<U32, String>, String>>) -> "
         "IO.OP<Unit>\n  f, s = take Tuple r\n  match s\n"
         "    Fail e: n, t = take Tuple e\n            drop n\n"
         "            drop f\n            out = effect IO.print t k\n"
         "    Done t: a, b = copy t\n            n = string.length a\n"
         "            match n\n"
         "              0n: drop b\n                  "
         "out = effect File.close f k\n"
         "              else m: drop m\n                      "
         "c = closure next k f\n                      "
         "out = effect IO.print b c\n"
         "next (k: Fn<Unit, IO.OP<Unit>>) (f: File) (u: Unit) -> "
         "IO.OP<Unit>\n  drop u\n  out = call more k f\n";
}

constexpr const char* kPrintTwice =
    "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n  t = \"one\"\n"
    "  n = closure then k\n  out = effect IO.print t n\n"
    "then (k: Fn<Unit, IO.OP<Unit>>) (u: Unit) -> IO.OP<Unit>\n  drop u\n"
    "  t = \"two\"\n  out = effect IO.write t k\n";

}  // namespace

TEST_CASE("io: output comes in program order, then the run ends") {
  MemoryHost host;
  RunOutcome outcome = run_io(kPrintTwice, host);
  CHECK(outcome.trap.text == "");
  CHECK(host.out == "one\ntwo");
  CHECK(balanced(outcome.stats));
}

TEST_CASE("io: the error stream, and chars that are no scalar values") {
  MemoryHost host;
  RunOutcome outcome = run_io(
      "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n  t = \"a\"\n"
      "  n: U32 = 55296\n  c = char.from_u32 n\n  s = SCon c t\n"
      "  out = effect IO.print_err s k\n", host);
  CHECK(host.err == "\xEF\xBF\xBD" "a\n");
  CHECK(balanced(outcome.stats));
}

TEST_CASE("io: arguments and the clock") {
  MemoryHost host;
  RunRequest request;
  request.args = {"prog", "b\xC3\xA9", "\xFF"};
  RunOutcome outcome = run_io(
      "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n"
      "  g = closure show k\n  out = effect IO.args g\n"
      "show (k: Fn<Unit, IO.OP<Unit>>) (l: List<String>) -> IO.OP<Unit>\n"
      "  match l\n    Nil: g = closure clock k\n"
      "         out = effect IO.now g\n"
      "    Con h t: g = closure rest k t\n"
      "             out = effect IO.print h g\n"
      "rest (k: Fn<Unit, IO.OP<Unit>>) (l: List<String>) (u: Unit) -> "
      "IO.OP<Unit>\n  drop u\n  out = call show k l\n"
      "clock (k: Fn<Unit, IO.OP<Unit>>) (n: Nat) -> IO.OP<Unit>\n"
      "  match n\n    0n: u = Unit\n        out = apply k u\n"
      "    1n+p: drop p\n          t = \"now\"\n"
      "          out = effect IO.print t k\n", host, request);
  CHECK(host.out == "prog\nb\xC3\xA9\n\xEF\xBF\xBD\nnow\n");
  CHECK(balanced(outcome.stats));
}

TEST_CASE("io: a program that ends itself") {
  auto die = [](const char* code) {
    MemoryHost host;
    RunOutcome outcome = run_io(
        std::string("main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n"
                    "  drop k\n  c = ") + code +
            "\n  t = \"gone\"\n  out = Halt c t\n", host);
    CHECK(outcome.trap.kind == TrapKind::kDied);
    CHECK(outcome.trap.text == "gone");
    CHECK(balanced(outcome.stats));
    return outcome.trap.status;
  };
  CHECK(die("3") == 3);
  CHECK(die("126") == 125);
  CHECK(die("4294967295") == 125);
}

TEST_CASE("io: a trap between two effects keeps what was written") {
  MemoryHost host;
  RunOutcome outcome = run_io(
      "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n  t = \"one\"\n"
      "  n = closure then k\n  out = effect IO.print t n\n"
      "then (k: Fn<Unit, IO.OP<Unit>>) (u: Unit) -> IO.OP<Unit>\n"
      "  n = 281474976710655n\n  m = nat.succ n\n  drop m\n"
      "  out = apply k u\n", host);
  CHECK(host.out == "one\n");
  CHECK(outcome.trap.kind == TrapKind::kNatRange);
  CHECK(outcome.trap.def == "then");
}

TEST_CASE("io: a standard stream that cannot be written") {
  MemoryHost host;
  host.room = 2;
  host.error = ENOSPC;
  RunOutcome outcome = run_io(kPrintTwice, host);
  CHECK(outcome.trap.kind == TrapKind::kStream);
  CHECK(outcome.trap.status == 70);
  CHECK(outcome.trap.text ==
        "standard output cannot be written: No space left on device");
}

TEST_CASE("io: files are read by chunks, and cut chars are carried") {
  TempFile file("ab\xC3\xA9" "c");
  MemoryHost host;
  RunOutcome outcome = run_io(reader(file.path, "r", "3"), host);
  CHECK(host.out == "ab\n\u00e9" "c\n");
  CHECK(balanced(outcome.stats));
  MemoryHost single;
  run_io(reader(file.path, "r", "1"), single);
  CHECK(single.out == "a\nb\n\u00e9\nc\n");
}

TEST_CASE("io: failures of files are values") {
  MemoryHost host;
  run_io(reader("/no/such/file", "r", "3"), host);
  CHECK(host.out == "No such file or directory\n");
  MemoryHost mode;
  run_io(reader("/dev/null", "q", "3"), mode);
  CHECK(mode.out == "Invalid argument\n");
  MemoryHost denied;
  denied.files = false;
  run_io(reader("/dev/null", "r", "3"), denied);
  CHECK(denied.out == "Operation not permitted\n");
  TempFile file("x");
  MemoryHost append;
  run_io(reader(file.path, "a", "3"), append);
  CHECK(append.out == "Bad file descriptor\n");
}

TEST_CASE("io: a dropped file is closed, an open one at the end") {
  FileTable files;
  std::uint32_t a = 0, b = 0;
  REQUIRE(files.open("/dev/null", "r", a) == 0);
  REQUIRE(files.open("/dev/null", "r", b) == 0);
  CHECK(files.open_files() == 2);
  files.close(a);
  files.close(a);
  CHECK(files.open_files() == 1);
  std::u32string text;
  CHECK(files.read(a, 3, text) == EBADF);
  CHECK(files.read(99, 3, text) == EBADF);
  CHECK(files.open(std::string("a\0b", 3), "r", a) == ENOENT);
  MemoryHost host;
  RunOutcome outcome = run_io(
      "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n  p = \"/dev/null\"\n"
      "  m = \"r\"\n  o = closure opened k\n  out = effect File.open p m o\n"
      "opened (k: Fn<Unit, IO.OP<Unit>>) "
      "(r: Result<Sigma<U32, String>, File>) -> IO.OP<Unit>\n  drop r\n"
      "  u = Unit\n  out = apply k u\n", host);
  CHECK(balanced(outcome.stats));
}

TEST_CASE("io: a hundred thousand effects take no room") {
  MemoryHost host;
  RunRequest request;
  request.limits.memory = 4 << 20;
  RunOutcome outcome = run_io(
      "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n  n = 100000n\n"
      "  u = Unit\n  out = call loop n k u\n"
      "loop (n: Nat) (k: Fn<Unit, IO.OP<Unit>>) (u: Unit) -> IO.OP<Unit>\n"
      "  match n\n    0n: out = apply k u\n"
      "    1n+p: drop u\n          t = \"x\"\n"
      "          g = closure loop p k\n          "
      "out = effect IO.write t g\n", host, request);
  CHECK(outcome.trap.text == "");
  CHECK(host.out == std::string(100'000, 'x'));
  CHECK(balanced(outcome.stats));
}

TEST_CASE("io: forks between effects use the run's workers") {
  MemoryHost host;
  RunRequest request = on(4);
  RunOutcome outcome = run_io(
      "tree (d: Nat) -> U32\n  match d\n    0n: out = 1\n"
      "    1n+p: a, b = copy p\n          par\n            x = call tree a\n"
      "            y = call tree b\n          out = u32.add x y\n"
      "main (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit>\n  n = 20n\n"
      "  u = Unit\n  out = call loop n k u\n"
      "loop (n: Nat) (k: Fn<Unit, IO.OP<Unit>>) (u: Unit) -> IO.OP<Unit>\n"
      "  drop u\n  match n\n    0n: v = Unit\n        out = apply k v\n"
      "    1n+p: d = 10n\n          x = call tree d\n          match x\n"
      "            1024: t = \".\"\n                  "
      "g = closure loop p k\n                  "
      "out = effect IO.write t g\n"
      "            else y: drop y\n                    drop p\n"
      "                    v = Unit\n                    "
      "out = apply k v\n", host, request);
  CHECK(outcome.trap.text == "");
  CHECK(host.out == std::string(20, '.'));
  CHECK(balanced(outcome.stats));
}

TEST_CASE("io: UTF-8 is decoded as the WHATWG decoder does") {
  CHECK(decode({"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"}) ==
        U"a\u00e9\u20ac\U0001F600");
  CHECK(decode({"\xC3", "\xA9"}) == U"\u00e9");
  CHECK(decode({"\xF0", "\x9F\x98", "\x80x"}) == U"\U0001F600x");
  CHECK(decode({"\xC0\x80"}) == U"\uFFFD\uFFFD");
  CHECK(decode({"\xE2\x82"}) == U"\uFFFD");
  CHECK(decode({"\xE2\x82z"}) == U"\uFFFDz");
  CHECK(decode({"\xED\xA0\x80"}) == U"\uFFFD\uFFFD\uFFFD");
  CHECK(decode({"\xF4\x90\x80\x80"}) == U"\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(decode({"\xFF"}) == U"\uFFFD");
  CHECK(decode({"\xE2\xC3\xA9"}) == U"\uFFFD\u00e9");
  std::string text;
  for (std::uint32_t c : {0x24u, 0xe9u, 0x20acu, 0x1F600u}) put_utf8(text, c);
  CHECK(text == "$\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}
