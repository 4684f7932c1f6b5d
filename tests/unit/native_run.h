// Helpers of the native engine's tests.
#pragma once

#include <atomic>
#include <cstdlib>
#include <string>

#include "doctest/doctest.h"
#include "runtime/native/compiler.h"
#include "runtime/native/object.h"
#include "runtime/tine.hpp"

namespace tine::native_test {

inline bool has_native() {
  return !find_c_compiler().path.empty();
}

#define NATIVE_OR_SKIP()                  \
  if (!tine::native_test::has_native()) { \
    MESSAGE("skipped: no C compiler");    \
    return;                               \
  }

// Definitions with a `?` behind their name are unsafe; all parameters `+`.
inline std::string unsafe_text(std::string text) {
  for (std::size_t at = 0; (at = text.find('?', at)) != std::string::npos;) {
    std::size_t def = text.rfind("def ", at);
    std::size_t end = text.find("->", at);
    std::string head = text.substr(at + 1, end - at - 1);
    for (std::size_t i = 0; i < head.size(); ++i) {
      if ((head[i] == '(' || head[i] == ' ') && i + 1 < head.size() &&
          head[i + 1] >= 'a' && head[i + 1] <= 'z') {
        head.insert(i + 1, "+");
      }
    }
    text.replace(at, end - at, head);
    text.insert(def, "@unsafe ");
  }
  return text;
}

inline Outcome run_native_text(const std::string& text,
                               const Config& config = {},
                               const std::atomic<bool>* stop = nullptr,
                               const std::string& engine = "native") {
  Context context(config);
  Program program =
      context.load_text("test.bend", "import Base\n" + unsafe_text(text));
  Outcome outcome;
  outcome.status = kProgramWrong;
  if (!program.ok()) {
    for (const Message& message : program.messages()) {
      outcome.trap += message.rendered;
    }
    return outcome;
  }
  RunOptions options;
  options.engine = engine;
  options.stop = stop;
  return program.run(options);
}

// How many programs to draw: TINE_DRAWS, for longer campaigns.
inline unsigned draws(unsigned otherwise) {
  const char* text = std::getenv("TINE_DRAWS");
  return text ? static_cast<unsigned>(std::atoi(text)) : otherwise;
}

inline std::string deep_program(const std::string& depth) {
  return "def deep?(n: U32) -> U32:\n  match (n < 1 : U32):\n"
         "    case True{}: 1\n    case False{}:\n"
         "      +m = deep((n - 1 : U32))\n      (m .^. (m * n) : U32)\n"
         "def main() -> U32: deep(" + depth + ")\n";
}

inline constexpr const char* kTree =
    "type Tree is Data:\n  Leaf{n: U32}\n  Fork{l: Tree, r: Tree}\n"
    "def build(+n: Nat) -> Tree:\n  match n:\n    case 0n: Leaf{1}\n"
    "    case 1n+p:\n      l r = build(p) build(p)\n"
    "      Fork{l, r}\n"
    "def sum(t: Tree) -> U32:\n  match t:\n    case Leaf{n}: n\n"
    "    case Fork{l, r}:\n      a b = sum(l) sum(r)\n      (a + b : U32)\n"
    "def flip(t: Tree) -> Tree:\n  match t:\n    case Leaf{n}: Leaf{n}\n"
    "    case Fork{l, r}:\n      a b = flip(r) flip(l)\n      Fork{a, b}\n";

// A def that folds the first n entries of an array into a word.
inline constexpr const char* kHash = R"(
def hash(n: Nat, +i: U32, s: U32, a: Array<U32>) -> U32:
  match n:
    case 0n: s
    case 1n+p:
      (b, x) = a[i]
      hash(p, (i + 1 : U32), (s * 31 + x : U32), b)
)";

// The C of a program.
inline std::string emitted_text(const std::string& program) {
  Context context;
  Program loaded = context.load_text("test.bend", "import Base\n" + program);
  REQUIRE_MESSAGE(loaded.ok(), loaded.messages()[0].rendered);
  return loaded.dump("c");
}

// The value of main: on the plain engine, on the others at 1, 2, 4 workers.
inline void same_value(const std::string& program, const std::string& value) {
  CAPTURE(program);
  CHECK(run_native_text(program, {}, nullptr, "net-plain").value == value);
  for (const char* engine : {"net", "native"}) {
    if (engine == std::string("native")) NATIVE_OR_SKIP();
    for (unsigned workers : {1u, 2u, 4u}) {
      Config config;
      config.threads = workers;
      Outcome outcome = run_native_text(program, config, nullptr, engine);
      CHECK(outcome.value == value);
      CHECK(outcome.stats.engine == engine);  // not another instead
    }
  }
}

}  // namespace tine::native_test
