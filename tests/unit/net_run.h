// Runs a book's text on the net engine: what the tests of the room share.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "compiler/book/text.h"
#include "runtime/net/engine.h"

namespace tine::net_test {

inline constexpr std::string_view kTypes =
    "type Bool = False | True\n"
    "type Cmp = LT | EQ | GT\n"
    "type Unit = Unit\n"
    "type Sigma<A, B> = Tuple (fst: A) (snd: B)\n"
    "type String = SNil | SCon (head: Char) (tail: String)\n"
    "type List<T> = Nil | Con (head: T) (tail: List<T>)\n"
    "type Maybe<T> = None | Some (value: T)\n"
    "type Result<E, A> = Fail (error: E) | Done (value: A)\n"
    "type IO.OP<R> plain = Emit (value: R) | Halt (code: U32) (text: String)\n"
    "type File plain\n";

// Keeps what is written; fails with `error` once `room` bytes are written.
class MemoryHost : public Host {
 public:
  int write_out(std::string_view bytes) override {
    if (out.size() + bytes.size() > room) return error;
    out += bytes;
    return 0;
  }
  int write_err(std::string_view bytes) override {
    err += bytes;
    return 0;
  }
  int flush() override { return 0; }
  bool allow_effects() const override { return files; }

  std::string out, err;
  std::size_t room = SIZE_MAX;
  int error = 0;
  bool files = true;
};

inline void load(std::string_view text, Book& book) {
  for (const BookError& error : read_book(text, book)) {
    FAIL(error.line << ":" << error.column << ": " << error.text);
  }
  for (const BookError& error : verify_book(book)) {
    FAIL(error.line << ":" << error.column << ": " << error.text);
  }
}

// `defs` with the types above; a `main main` line is added.
inline RunOutcome run(std::string_view defs, RunRequest request = {}) {
  Book book;
  load(std::string(kTypes) + "main main\n" + std::string(defs), book);
  return run_net(book, request);
}

inline RunRequest on(unsigned workers) {
  RunRequest request;
  request.limits.workers = workers;
  return request;
}

inline bool balanced(const RunStats& stats) {
  return stats.nodes_made == stats.nodes_freed &&
         stats.blocks_made == stats.blocks_freed &&
         stats.frames_made == stats.frames_freed;
}

// The printed value of a main of `type` whose statements are separated by
// "; ". A trap gives its text.
inline std::string eval(std::string_view type, std::string_view body,
                        std::string_view defs = "") {
  std::string text(defs);
  text += "main -> " + std::string(type) + "\n  ";
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body.substr(i, 2) == "; ") {
      text += "\n  ";
      ++i;
    } else {
      text += body[i];
    }
  }
  RunOutcome outcome = run(text + "\n");
  if (outcome.trap.kind != TrapKind::kNone) return outcome.trap.text;
  CHECK(balanced(outcome.stats));
  return outcome.value;
}

}  // namespace tine::net_test
