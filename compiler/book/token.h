// Tokens of a book's text form, and how names and texts are quoted in it.
//
// The scanner never fails: what it cannot read becomes a kBad token and one
// error, so that the reader can go on behind it. Columns count code points.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/book/text.h"

namespace tine {

enum class BookTokenKind : std::uint8_t {
  kName,    // x, sum.go, else
  kQuoted,  // `List.map<U32>`
  kNumber,  // 5, also 0x3f800000 (`hex` set)
  kNat,     // 3n
  kChar,    // 'c'
  kString,  // "text"
  kSign,    // one of = , : ( ) < > | + ! @ $ ->
  kBad,     // reported by the scanner
  kEnd,
};

struct BookToken {
  BookTokenKind kind = BookTokenKind::kEnd;
  bool first = false;       // first on its line
  bool hex = false;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string_view text;    // names and texts are decoded
  std::uint64_t value = 0;  // numbers and characters
};

struct BookTokenList {
  std::vector<BookToken> tokens;       // ends with kEnd
  std::deque<std::string> decoded;  // owns texts that had escapes
  std::vector<BookError> errors;
};

BookTokenList scan_book(std::string_view text);

// The words that begin or mark a statement; a name equal to one is quoted.
bool is_book_keyword(std::string_view word);
// A name that needs no quotes as far as its characters go.
bool is_plain_name(std::string_view name);
// The name as it is written, in backquotes where it must be.
std::string quote_name(std::string_view name);
// Text between two `quote` characters, with escapes; any bytes survive.
std::string quote_text(std::string_view text, char quote);
std::string quote_char(std::uint64_t code);

// The code point at `at` and its length, 0 where the bytes are not UTF-8.
// Surrogates are let through: a Char may be any number.
struct CodePoint {
  std::uint32_t code = 0;
  std::size_t length = 0;
};
CodePoint read_code_point(std::string_view text, std::size_t at);
void append_utf8(std::string& text, std::uint32_t code);

}  // namespace tine
