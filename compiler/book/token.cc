// The scanner of the text form. One pass, linear in the text; a token is cut
// by its first character, and a comment runs from `#` to the end of its line.
#include "compiler/book/token.h"

#include <array>
#include <cstdio>
#include <utility>

namespace tine {

namespace {

constexpr std::array<std::string_view, 13> kKeywords = {
    "out",     "match", "par",    "drop", "take", "copy", "call",
    "closure", "apply", "effect", "else", "f32",  "type"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c) || c == '.';
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_tail(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  BookTokenList run() {
    while (skip_space()) scan_token();
    begin_token();
    list_.tokens.push_back(token_);
    return std::move(list_);
  }

 private:
  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }

  void step() {
    char c = text_[pos_++];
    if (c == '\n') {
      line_++;
      column_ = 1;
      first_ = true;
    } else if (!at_end() && is_tail(peek())) {
      // The column moves on behind the last byte of a code point.
    } else {
      column_++;
    }
  }

  // False at the end of the text.
  bool skip_space() {
    while (!at_end()) {
      char c = peek();
      if (c == '#') {
        while (!at_end() && peek() != '\n') step();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        step();
      } else {
        return true;
      }
    }
    return false;
  }

  void begin_token() {
    token_ = BookToken{};
    token_.line = line_;
    token_.column = column_;
    token_.first = first_;
    first_ = false;
  }

  void push(BookTokenKind kind, std::string_view text) {
    token_.kind = kind;
    token_.text = text;
    list_.tokens.push_back(token_);
  }

  void bad(std::string message) {
    list_.errors.push_back({token_.line, token_.column, std::move(message)});
    push(BookTokenKind::kBad, {});
  }

  void scan_token() {
    begin_token();
    char c = peek();
    if (is_name_start(c)) return scan_name();
    if (is_digit(c)) return scan_number();
    if (c == '"' || c == '\'' || c == '`') return scan_quoted(c);
    scan_sign(c);
  }

  void scan_name() {
    std::size_t begin = pos_;
    while (!at_end() && is_name_char(peek())) step();
    push(BookTokenKind::kName, text_.substr(begin, pos_ - begin));
  }

  void scan_number() {
    token_.hex = peek() == '0' && peek(1) == 'x';
    unsigned base = token_.hex ? 16 : 10;
    if (token_.hex) {
      step();
      step();
    }
    std::uint64_t value = 0;
    bool large = false, some = false;
    for (; !at_end(); step(), some = true) {
      int digit = hex_digit(peek());
      if (digit < 0 || digit >= static_cast<int>(base)) break;
      auto add = static_cast<std::uint64_t>(digit);
      large = large || value > (UINT64_MAX - add) / base;
      value = value * base + add;
    }
    bool nat = !token_.hex && !at_end() && peek() == 'n';
    if (nat) step();
    bool tail = !some || (!at_end() && is_name_char(peek()));
    while (!at_end() && is_name_char(peek())) step();
    token_.value = value;
    if (tail) return bad("a number must end where its digits end");
    if (large) return bad("this number is too large");
    push(nat ? BookTokenKind::kNat : BookTokenKind::kNumber, {});
  }

  void scan_quoted(char quote) {
    step();
    std::string made;
    std::uint64_t code = 0;
    std::size_t count = 0;
    while (!at_end() && peek() != quote && peek() != '\n') {
      if (!scan_unit(quote, made, code)) return skip_bad(quote);
      count++;
    }
    if (at_end() || peek() == '\n') {
      return bad("a quoted text must end on its line");
    }
    step();
    if (quote == '\'') {
      token_.value = code;
      if (count != 1) return bad("a character literal holds one character");
      return push(BookTokenKind::kChar, {});
    }
    list_.decoded.push_back(std::move(made));
    push(quote == '`' ? BookTokenKind::kQuoted : BookTokenKind::kString,
         list_.decoded.back());
  }

  // One character or escape. In a character literal any number up to 2^32 - 1
  // may be written as an escape.
  bool scan_unit(char quote, std::string& made, std::uint64_t& code) {
    if (peek() == '\\') {
      step();
      return scan_escape(quote, made, code);
    }
    CodePoint point = read_code_point(text_, pos_);
    if (quote == '\'' && point.length == 0) {
      problem_ = "a character literal must be UTF-8";
      return false;
    }
    code = point.code;
    std::size_t length = point.length == 0 ? 1 : point.length;
    made.append(text_.substr(pos_, length));
    for (std::size_t i = 0; i < length; i++) step();
    return true;
  }

  bool scan_escape(char quote, std::string& made, std::uint64_t& code) {
    char c = peek();
    static constexpr std::string_view kFrom = "ntr0\\\"'`";
    static constexpr std::string_view kTo{"\n\t\r\0\\\"'`", 8};
    std::size_t plain = at_end() ? kFrom.npos : kFrom.find(c);
    if (plain != kFrom.npos) {
      step();
      code = static_cast<unsigned char>(kTo[plain]);
      made += kTo[plain];
      return true;
    }
    if (c == 'x' && quote != '\'') return scan_byte(made);
    if (c == 'u' && peek(1) == '{') return scan_code(quote, made, code);
    problem_ = "this escape is not known";
    return false;
  }

  bool scan_byte(std::string& made) {
    int high = hex_digit(peek(1));
    int low = hex_digit(peek(2));
    if (high < 0 || low < 0) {
      problem_ = "`\\x` is followed by two hexadecimal digits";
      return false;
    }
    for (int i = 0; i < 3; i++) step();
    made += static_cast<char>(high * 16 + low);
    return true;
  }

  bool scan_code(char quote, std::string& made, std::uint64_t& code) {
    step();
    step();
    std::uint64_t value = 0;
    int digits = 0;
    for (; hex_digit(peek()) >= 0 && digits < 9; digits++) {
      value = value * 16 + static_cast<std::uint64_t>(hex_digit(peek()));
      step();
    }
    std::uint64_t limit = quote == '\'' ? 0xFFFFFFFFu : 0x10FFFFu;
    if (digits == 0 || peek() != '}' || value > limit) {
      problem_ = "`\\u{..}` holds a code point in hexadecimal digits";
      return false;
    }
    step();
    code = value;
    if (quote != '\'') append_utf8(made, static_cast<std::uint32_t>(value));
    return true;
  }

  // Behind an escape that cannot be read: to the closing quote.
  void skip_bad(char quote) {
    while (!at_end() && peek() != quote && peek() != '\n') {
      if (peek() == '\\' && peek(1) != '\n' && pos_ + 1 < text_.size()) step();
      step();
    }
    if (!at_end() && peek() == quote) step();
    bad(problem_);
  }

  void scan_sign(char c) {
    std::size_t begin = pos_;
    if (c == '-' && peek(1) == '>') {
      step();
      step();
      return push(BookTokenKind::kSign, text_.substr(begin, 2));
    }
    static constexpr std::string_view kSigns = "=,:()<>|+!@$";
    bool known = kSigns.find(c) != kSigns.npos;
    std::size_t length = read_code_point(text_, pos_).length;
    for (std::size_t i = 0; i < (length == 0 ? 1 : length); i++) step();
    if (!known) return bad("this character has no meaning here");
    push(BookTokenKind::kSign, text_.substr(begin, 1));
  }

  std::string_view text_;
  std::size_t pos_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  bool first_ = true;
  BookToken token_;
  std::string problem_;
  BookTokenList list_;
};

std::string hex_escape(char kind, std::uint64_t value) {
  char digits[32];
  const char* form = kind == 'x' ? "\\x%02llx" : "\\u{%llx}";
  std::snprintf(digits, sizeof digits, form,
                static_cast<unsigned long long>(value));
  return digits;
}

std::string escape_code(std::uint64_t code, char quote) {
  switch (code) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    case 0: return "\\0";
    case '\\': return "\\\\";
    default: break;
  }
  if (code == static_cast<unsigned char>(quote)) {
    return std::string("\\") + quote;
  }
  bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < 0x20 || code == 0x7F || surrogate || code > 0x10FFFF) {
    return hex_escape('u', code);
  }
  std::string text;
  append_utf8(text, static_cast<std::uint32_t>(code));
  return text;
}

}  // namespace

BookTokenList scan_book(std::string_view text) { return Scanner(text).run(); }

bool is_book_keyword(std::string_view word) {
  for (std::string_view keyword : kKeywords) {
    if (keyword == word) return true;
  }
  return false;
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || !is_name_start(name[0])) return false;
  for (char c : name) {
    if (!is_name_char(c)) return false;
  }
  return true;
}

std::string quote_name(std::string_view name) {
  if (is_plain_name(name) && !is_book_keyword(name)) return std::string(name);
  return quote_text(name, '`');
}

std::string quote_text(std::string_view text, char quote) {
  std::string made(1, quote);
  for (std::size_t at = 0; at < text.size();) {
    CodePoint point = read_code_point(text, at);
    if (point.length == 0) {
      made += hex_escape('x', static_cast<unsigned char>(text[at]));
      at++;
    } else {
      made += escape_code(point.code, quote);
      at += point.length;
    }
  }
  return made + quote;
}

std::string quote_char(std::uint64_t code) {
  return "'" + escape_code(code, '\'') + "'";
}

CodePoint read_code_point(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) -> std::uint32_t {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {};
  std::uint32_t code = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; i++) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  static constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10FFFF) return {};
  return {code, length};
}

void append_utf8(std::string& text, std::uint32_t code) {
  auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

}  // namespace tine
