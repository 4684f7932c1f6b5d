// Any text gives a book or messages: broken fixtures, large books.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/book/text.h"

using namespace tine;

namespace {

std::vector<std::string> fixtures() {
  std::vector<std::string> texts;
  for (const char* folder : {"/tests/net", "/tests/net/bad"}) {
    std::string path = std::string(TINE_SOURCE_DIR) + folder;
    for (auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() != ".net") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream text;
      text << file.rdbuf();
      texts.push_back(text.str());
    }
  }
  return texts;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(std::string text, const std::string& other) {
    for (std::size_t i = 0, n = 1 + below(6); i < n && !text.empty(); i++) {
      edit(text, other);
    }
    return text;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  void edit(std::string& text, const std::string& other) {
    static const char* kWords[] = {
        "match x", "out = ", "1n+p:", "else y:", "par", "`", "\"", "take Con",
        "copy ", "Any", "<", ">", "(", ")", "\n", "\n  ", "4294967296",
        "call "};
    std::size_t at = below(text.size());
    std::size_t length = below(40);
    switch (below(7)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(below(text.size()), length)); break;
      case 3: text.insert(at, kWords[below(std::size(kWords))]); break;
      case 4: text.insert(at, other.substr(below(other.size()), length)); break;
      case 5: swap_words(text); break;
      case 6: text.resize(at); break;
    }
  }

  // Two words of the text change places.
  void swap_words(std::string& text) {
    auto word = [&](std::size_t at) {
      std::size_t end = text.find_first_of(" \n:", at);
      return text.substr(at, end == text.npos ? end : end - at);
    };
    std::size_t a = text.find(' ', below(text.size()));
    std::size_t b = text.find(' ', below(text.size()));
    if (a == text.npos || b == text.npos || a >= b) return;
    std::string first = word(a + 1), second = word(b + 1);
    text.replace(b + 1, second.size(), first);
    if (a + 1 + first.size() <= b) text.replace(a + 1, first.size(), second);
  }

  std::mt19937_64 random_;
};

// Reads, verifies, prints, and reads again what was printed.
bool is_right(const std::string& text) {
  Book book;
  if (!read_book(text, book).empty()) return false;
  std::string printed = print_book(book);
  Book again;
  std::vector<BookError> errors = read_book(printed, again);
  INFO(printed);
  CHECK(errors.empty());
  CHECK(print_book(again) == printed);
  bool right = verify_book(book).empty();
  CHECK(right == verify_book(again).empty());
  return right;
}

}  // namespace

TEST_CASE("mutated books give a book or messages") {
  std::vector<std::string> texts = fixtures();
  REQUIRE(texts.size() > 100);
  Mutator mutator(2024);
  std::size_t right = 0;
  for (int i = 0; i < 2000; i++) {
    const std::string& text = texts[mutator.below(texts.size())];
    const std::string& other = texts[mutator.below(texts.size())];
    right += is_right(mutator.mutate(text, other));
  }
  CHECK(right > 0);
}

TEST_CASE("bytes of any kind give messages") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; i++) {
    std::string text = "5";  // no comment
    for (int n = 0; n < 300; n++) text += static_cast<char>(random());
    Book book;
    CHECK_FALSE(read_book(text, book).empty());
  }
  Book book;
  CHECK(read_book("", book).empty());
  CHECK(verify_book(book).empty());
  CHECK(print_book(book) == "");
}

// The work is linear; sanitizers make it slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kMany = 10000;
#else
constexpr int kMany = 100000;
#endif

TEST_CASE("a hundred thousand definitions, a hundred thousand statements") {
  std::string defs, stmts = "f (x0: U32) -> U32\n";
  for (int i = 0; i < kMany; i++) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    defs += "f" + n + " (x: U32) -> U32\n  out = call f" +
            std::to_string(i * 7919LL % kMany) + " x\n\n";
    stmts += "  x" + next + " = u32.inc x" + n + "\n";
  }
  stmts += "  out = x" + std::to_string(kMany) + "\n";
  for (const std::string* text : {&defs, &stmts}) {
    Book book;
    CHECK(read_book(*text, book).empty());
    CHECK(verify_book(book).empty());
    CHECK(print_book(book).size() >= text->size() - 2);
  }
}

TEST_CASE("a hundred thousand arms, wires, constructors") {
  std::string type = "type T = C0", arms, copies, drops;
  for (int i = 0; i < kMany; i++) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    if (i > 0) type += " | C" + n;
    arms += "    C" + n + ":  out = " + n + "\n";
    copies += "  y" + n + ", x" + next + " = copy x" + n + "\n";
    drops += "  drop y" + n + "\n";
  }
  Book book;
  CHECK(read_book(type + "\nf (t: T) -> U32\n  match t\n" + arms +
                      "g (x0: T) -> T\n" + copies + drops + "  out = x" +
                      std::to_string(kMany) + "\n",
                  book)
            .empty());
  CHECK(verify_book(book).empty());
}

TEST_CASE("open parentheses by the million give a message") {
  Book book;
  CHECK(read_book(std::string(1000000, '('), book).size() == 1);
  Book other;
  CHECK(read_book("f " + std::string(1000000, '('), other).size() == 1);
  Book third;
  CHECK(read_book("f (x: " + std::string(1000, '<'), third).size() == 1);
}
