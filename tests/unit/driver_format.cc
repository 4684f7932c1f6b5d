// Formatting through the embedding interface, and what it must not change.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/tine.hpp"

using namespace tine;

namespace {

namespace fs = std::filesystem;

// A book without the lines its defs stand on, ` @ "a.bend:7"`.
std::string without_places(std::string book) {
  for (std::size_t at = 0;
       (at = book.find(" @ \"", at)) != std::string::npos;) {
    book.erase(at, book.find('\n', at) - at);
  }
  return book;
}

// The book of a program; its messages when it has none. Places in them move
// with the layout, so the codes alone.
std::string book_of(const std::string& path, const std::string& text) {
  Program program = Context().load_text(path, text);
  std::string book =
      program.ok() ? without_places(program.book_text()) : "";
  for (const Message& message : program.messages()) {
    book += message.code + " " + message.text + "\n";
  }
  return book;
}

}  // namespace

TEST_CASE("format_text: a text and its messages") {
  const std::string source = "def f( x:U32 )->U32:\n x";
  const Formatted good = format_text("a.bend", source);
  CHECK(good.ok);
  CHECK(good.source == source);
  CHECK(good.text == "def f(x: U32) -> U32:\n  x\n");
  CHECK(good.messages.empty());
  CHECK(good.failure == "");

  const Formatted bad = format_text("a.bend", "def f(x: U32) -> U32: (");
  CHECK_FALSE(bad.ok);
  CHECK(bad.text == "");
  REQUIRE(bad.messages.size() == 1);
  CHECK(bad.messages[0].error);
  CHECK(bad.messages[0].path == "a.bend");
  CHECK(bad.messages[0].line == 1);
  CHECK(bad.failure == "");
}

TEST_CASE("format_file: what cannot be read is a message") {
  const Formatted none = format_file("/nowhere/at/all.bend");
  CHECK_FALSE(none.ok);
  REQUIRE(none.messages.size() == 1);
  CHECK(none.messages[0].text.find("does not exist") != std::string::npos);
  CHECK_FALSE(format_file(TINE_SOURCE_DIR).ok);
}

TEST_CASE("format_file: a program that formatting changes keeps its book") {
  const fs::path root = TINE_SOURCE_DIR;
  std::size_t changed = 0;
  for (const char* folder : {"compiler/lib", "tests/run", "tests/check/good",
                             "tests/check/warn", "examples", "bench"}) {
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".bend") continue;
      const std::string path = entry.path().string();
      CAPTURE(path);
      const Formatted formatted = format_file(path);
      CHECK(formatted.failure == "");
      CHECK(formatted.ok);
      if (!formatted.ok || formatted.text == formatted.source) continue;
      ++changed;
      CHECK(book_of(path, formatted.text) == book_of(path, formatted.source));
    }
  }
  CHECK(changed >= 10);
}
