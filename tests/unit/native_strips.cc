// Counted loops over arrays: strips without masks, and what the C compilers
// make of them.
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>

#include "doctest/doctest.h"
#include "driver_temp.h"
#include "native_run.h"

using namespace tine;
using namespace tine::native_test;

namespace {

const char* const kLoops = R"(
def sum(n: Nat, +i: U32, s: U32, a: Array<U32>) -> Array<U32> & U32:
  match n:
    case 0n: (a, s)
    case 1n+p:
      (b, x) = a[i]
      sum(p, (i + 1 : U32), (s + x : U32), b)
def map(n: Nat, +i: U32, a: Array<U32>) -> Array<U32>:
  match n:
    case 0n: a
    case 1n+p:
      (b, x) = a[i]
      map(p, (i + 1 : U32), b[i] <- (x * 3 : U32))
def fill(n: Nat, +i: U32, a: Array<U32>) -> Array<U32>:
  match n:
    case 0n: a
    case 1n+p: fill(p, (i + 1 : U32), a[i] <- i)
def snd(r: Array<U32> & U32) -> U32:
  (a, s) = r
  s
)";

std::string emitted(const std::string& main) {
  Context context;
  Program program = context.load_text(
      "loops.bend", std::string("import Base\n") + kLoops + main);
  REQUIRE_MESSAGE(program.ok(), program.messages()[0].rendered);
  return program.dump("c");
}

// The text of the function whose name holds `name`, up to its end.
std::string function_of(const std::string& text, const std::string& name,
                        const std::string& end) {
  std::size_t at = text.find(name);
  if (at == std::string::npos) return "";
  return text.substr(at, text.find(end, at) - at);
}

// The label of a function, which GCC may have copied for a constant argument.
std::string label_of(const std::string& code, const std::string& name) {
  std::smatch found;
  std::regex label("\n\\w+_" + name + "(\\.\\w+)*:");
  return std::regex_search(code, found, label) ? found.str() : "no label";
}

// Assembly of the text; "" where there is no such compiler.
std::string assembly(const std::string& compiler, const std::string& text) {
  if (std::system((compiler + " --version > /dev/null 2>&1").c_str()) != 0) {
    return "";
  }
  test::TempFolder folder;
  std::string source = folder.write("a.c", text);
  // Functions of their own, so that each can be found.
  std::string command = compiler +
                        " -std=gnu11 -O3 -fno-builtin -fno-inline -fPIC -w "
                        "-S -o " + folder.at("a.s") + " " + source;
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream in(folder.at("a.s"));
  return std::string(std::istreambuf_iterator<char>(in), {});
}

const char* const kMain =
    "def main() -> U32:\n"
    "  snd(sum(1000n, 0, 0, map(1000n, 0, fill(1000n, 0, [0 : U32^10n]))))\n";

}  // namespace

TEST_CASE("native: counted loops run in strips without masks") {
  std::string text = emitted(kMain);
  for (const char* name : {"_sum(W* w, u64 n_0", "_map(W* w, u64 n_0",
                           "_fill(W* w, u64 n_0"}) {
    std::size_t head = text.rfind(name);
    REQUIRE(head != std::string::npos);
    std::string body = text.substr(head, text.find("\n}\n", head) - head);
    CAPTURE(body);
    CHECK(body.find("for (u64 i = 0; i < strip; i++)") != std::string::npos);
    CHECK(body.find("c1[i]") != std::string::npos);
    CHECK(body.find("array_last(") != std::string::npos);
  }
}

TEST_CASE("native: sum, map and fill are vectorised by the C compilers") {
#if !defined(__x86_64__)
  return;
#endif
  std::string text = emitted(kMain);
  for (const char* compiler : {"gcc", "clang"}) {
    std::string code = assembly(compiler, text);
    if (code.empty()) {
      MESSAGE("skipped: no ", std::string(compiler));
      continue;
    }
    for (const char* name : {"sum", "map", "fill"}) {
      std::string body = function_of(code, label_of(code, name), ".size");
      INFO(compiler, " ", name);
      CHECK(body.find("paddd") != std::string::npos);
    }
  }
}

TEST_CASE("native: loops that leave their array wrap as others do") {
  NATIVE_OR_SKIP();
  for (const char* size : {"1n", "3n", "10n"}) {
    for (const char* count : {"1n", "7n", "1000n", "40000n"}) {
      for (const char* first : {"0", "5", "4294967290"}) {
        std::string rounds = std::string(count) + ", " + first;
        std::string main =
            "def main() -> Array<U32> & U32:\n  sum(" + rounds + ", 0, map(" +
            rounds + ", fill(" + rounds + ", [0 : U32^" + size + "])))\n";
        Outcome native = run_native_text(kLoops + main);
        Outcome net = run_native_text(kLoops + main, {}, nullptr, "net");
        CHECK(net.status == kOk);
        CHECK(native.value == net.value);
      }
    }
  }
}
