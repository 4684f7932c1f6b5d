// Numbers, characters and strings.
//
//   42  3n  2n+  1.5  2.0e3  'c'  '\u{3bb}'  "text"
//
// Every way to get one wrong has its own message, most with the repair. A
// faulty literal stays a literal, so that parsing goes on behind it.
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "compiler/syntax/lexer.h"
#include "compiler/syntax/utf8.h"
#include "runtime/num/f32.h"

namespace tine {

namespace {

constexpr std::uint32_t kInfinity = 0x7F800000;
constexpr std::uint64_t kMaxWord = std::numeric_limits<std::uint32_t>::max();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Value of decimal digits, or anything above kMaxWord when it is too big.
std::uint64_t read_decimal(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
    if (value > kMaxWord) return value;
  }
  return value;
}

std::string quoted_head(std::string_view text) {
  constexpr std::size_t kShown = 40;
  if (text.size() <= kShown) return std::string(text);
  return std::string(text.substr(0, kShown)) + "...";
}

std::string hex_repair(std::string_view text) {
  std::uint64_t value = 0;
  const int base = text[1] == 'x' || text[1] == 'X'   ? 16
                   : text[1] == 'b' || text[1] == 'B' ? 2
                                                      : 8;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + 2, end, value, base);
  if (read.ec != std::errc{} || read.ptr != end || value > kMaxWord) return "";
  return "write `" + std::to_string(value) + "`";
}

std::string plain_repair(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (is_digit(c)) digits += c;
    else if (c != '_') return "";
  }
  return "write `" + digits + "`";
}

// The repair of `1e5`: `1.0e5`.
std::string exponent_repair(std::string_view text) {
  const std::size_t mark = text.find_first_of("eE");
  const std::string_view power = text.substr(mark + 1);
  const std::size_t sign = power.find_first_not_of("+-");
  if (sign == std::string_view::npos || sign > 1) return "";
  if (!std::all_of(power.begin() + static_cast<std::ptrdiff_t>(sign),
                   power.end(), is_digit)) {
    return "";
  }
  return "write `" + std::string(text.substr(0, mark)) + ".0e" +
         std::string(power) + "`";
}

}  // namespace

void Lexer::read_number() {
  std::size_t end = at_;
  while (is_digit(peek(end))) ++end;
  if (peek(end) == '.' && is_digit(peek(end + 1))) return read_float(end);
  if (peek(end) == 'n' && !is_name_char(peek(end + 1))) {
    return read_natural(end);
  }
  if (is_name_char(peek(end))) return read_bad_number(end);
  Token token = start_token(end, Tok::kU32);
  const std::string_view digits = text_.substr(at_, end - at_);
  token.value = read_decimal(digits);
  if (token.value <= kMaxWord) return put(token);
  put_faulty(token, Msg::kNumberTooBig,
             {quoted_head(digits), "U32", std::to_string(kMaxWord)});
}

void Lexer::read_natural(std::size_t digits_end) {
  const bool successor = peek(digits_end + 1) == '+';
  const std::string_view digits = text_.substr(at_, digits_end - at_);
  Token token = start_token(digits_end + (successor ? 2 : 1),
                            successor ? Tok::kSucc : Tok::kNat);
  token.value = read_decimal(digits);
  if (token.value <= kMaxWord) return put(token);
  put_faulty(token, Msg::kNumberTooBig,
             {quoted_head(digits) + "n", "Nat literal",
              std::to_string(kMaxWord) + "n"});
}

void Lexer::read_float(std::size_t digits_end) {
  std::size_t end = digits_end + 1;
  while (is_digit(peek(end))) ++end;
  if (peek(end) == 'e' || peek(end) == 'E') {
    const bool sign = peek(end + 1) == '+' || peek(end + 1) == '-';
    std::size_t power = end + (sign ? 2 : 1);
    if (is_digit(peek(power))) {
      while (is_digit(peek(power))) ++power;
      end = power;
    }
  }
  const std::string text(text_.substr(at_, end - at_));
  if (is_name_char(peek(end))) {
    const std::size_t stop = name_end(end);
    const Token token = start_token(stop, Tok::kF32);
    return put_faulty(token, Msg::kNumberSuffix,
                      {quoted_head(text),
                       quoted_head(text_.substr(end, stop - end))});
  }
  Token token = start_token(end, Tok::kF32);
  std::uint32_t bits = 0;
  f32_read(text, bits);
  if (bits == kInfinity) {
    return put_faulty(token, Msg::kFloatNotFinite, {quoted_head(text)});
  }
  token.value = bits;
  put(token);
}

// Digits that a name character or a point follows.
void Lexer::read_bad_number(std::size_t digits_end) {
  std::size_t end = name_end(digits_end);
  const char c = peek(digits_end);
  const bool exponent = c == 'e' || c == 'E';
  if (exponent && end == digits_end + 1 &&
      (peek(end) == '+' || peek(end) == '-')) {
    end = name_end(end + 1);
  }
  const Token token = start_token(end, Tok::kU32);
  const std::string_view text = text_.substr(at_, end - at_);
  const std::string shown = quoted_head(text);
  const std::string digits = quoted_head(text.substr(0, digits_end - at_));
  const bool zero = digits_end == at_ + 1 && text_[at_] == '0';
  if (zero && std::string_view("xXbBoO").find(c) != std::string_view::npos) {
    return put_faulty(token, Msg::kNumberHex, {shown}, hex_repair(text));
  }
  if (exponent && exponent_repair(text) != "") {
    return put_faulty(token, Msg::kNumberExponent, {shown},
                      exponent_repair(text));
  }
  if (c == '_') {
    return put_faulty(token, Msg::kNumberSeparator, {shown},
                      plain_repair(text));
  }
  if (c == '.') {
    return put_faulty(token, Msg::kNumberPoint, {shown},
                      "write `" + digits + ".0`");
  }
  put_faulty(token, Msg::kNumberSuffix,
             {digits, quoted_head(text.substr(digits_end - at_))});
}

std::size_t Lexer::line_end(std::size_t from) const {
  return std::min(text_.find('\n', from), text_.size());
}

// Offset of the closing quote of a string whose text starts at `from`, npos
// when there is none. A scan to the end of the file happens once: later
// strings are then looked for on their own line only, which keeps this linear.
std::size_t Lexer::find_quote(std::size_t from) {
  const std::size_t stop = quotes_ended_ ? line_end(from) : text_.size();
  for (std::size_t i = from; i < stop; ++i) {
    if (text_[i] == '"') return i;
    if (text_[i] == '\\') ++i;
  }
  quotes_ended_ = true;
  return std::string_view::npos;
}

void Lexer::read_string() {
  const std::size_t close = find_quote(at_ + 1);
  const std::size_t begin = at_ + 1;
  if (close == std::string_view::npos) {
    const Token token = start_token(line_end(at_), Tok::kBad);
    return put_faulty(token, Msg::kUnterminatedString, {});
  }
  Token token = start_token(close + 1, Tok::kString);
  token.value = out_.strings.size();
  LexFault fault = decode_string(begin, close, out_.strings.emplace_back());
  if (fault.span.file == kNoFile) return put(token);
  put_faulty(token, fault.msg, fault.span, std::move(fault.args),
             std::move(fault.repair));
}

// Decodes the text between the quotes; returns the first fault, whose span
// has no file when there is none.
LexFault Lexer::decode_string(std::size_t begin, std::size_t end,
                           std::string& out) {
  LexFault fault;
  for (std::size_t i = begin; i < end;) {
    if (text_[i] != '\\') {
      const Decoded decoded = decode_utf8(text_, i);
      append_utf8(out, decoded.code);
      i += decoded.length;
      continue;
    }
    const Escape escape = read_escape(i);
    const std::size_t stop = std::min(std::max(escape.end, i + 1), end);
    Msg msg = escape.fault;
    bool valid = escape.valid;
    if (valid && !is_scalar_value(escape.code)) {
      msg = Msg::kNotScalarValue;
      valid = false;
    }
    if (valid) {
      append_utf8(out, static_cast<char32_t>(escape.code));
    } else if (fault.span.file == kNoFile) {
      fault = {msg, span(i, stop),
               {quoted_head(text_.substr(i, stop - i))}, ""};
    }
    i = stop;
  }
  return fault;
}

Lexer::Escape Lexer::read_escape(std::size_t at) const {
  constexpr std::string_view kLetters = "ntr0\\'\"";
  constexpr std::string_view kValues("\n\t\r\0\\'\"", 7);
  const char letter = peek(at + 1);
  if (letter == 'u') return read_unicode_escape(at);
  const std::size_t index = kLetters.find(letter);
  if (index != std::string_view::npos) {
    return {static_cast<unsigned char>(kValues[index]), at + 2, true, {}};
  }
  const std::size_t length =
      at + 1 < text_.size() ? decode_utf8(text_, at + 1).length : 0;
  return {0, at + 1 + length, false, Msg::kUnknownEscape};
}

Lexer::Escape Lexer::read_unicode_escape(std::size_t at) const {
  constexpr std::size_t kMaxDigits = 8;
  const std::size_t begin = at + 3;
  if (peek(at + 2) != '{') return {0, at + 2, false, Msg::kBadUnicodeEscape};
  std::uint64_t code = 0;
  const std::string_view digits = text_.substr(begin, kMaxDigits);
  const auto read = std::from_chars(
      digits.data(), digits.data() + digits.size(), code, 16);
  const auto end = begin + static_cast<std::size_t>(read.ptr - digits.data());
  if (end == begin || peek(end) != '}' || digits[0] == '-') {
    return {0, end, false, Msg::kBadUnicodeEscape};
  }
  return {code, end + 1, true, {}};
}

void Lexer::read_char() {
  const std::size_t body = at_ + 1;
  const auto put_char = [this](std::size_t end, std::uint64_t code) {
    Token token = start_token(end, Tok::kChar);
    token.value = code;
    put(token);
  };
  if (peek(body) == '\'') {
    if (peek(body + 1) == '\'') return put_char(body + 2, '\'');
    return put_faulty(start_token(body + 1, Tok::kChar), Msg::kEmptyChar, {});
  }
  if (body >= text_.size()) return read_open_char(body);
  if (peek(body) != '\\') {
    const Decoded decoded = decode_utf8(text_, body);
    const std::size_t end = body + decoded.length;
    if (peek(end) != '\'') return read_open_char(end);
    return put_char(end + 1, decoded.code);
  }
  const Escape escape = read_escape(body);
  if (!escape.valid) return read_bad_escape(body, escape);
  if (peek(escape.end) != '\'') return read_open_char(escape.end);
  put_char(escape.end + 1, escape.code);
}

// The literal ends at the next quote of its line, or behind the escape.
void Lexer::read_bad_escape(std::size_t body, const Escape& escape) {
  const std::size_t end = std::min(escape.end, text_.size());
  const std::size_t stop = line_end(end);
  const std::size_t close = text_.substr(0, stop).find('\'', end);
  const Token token = start_token(
      close == std::string_view::npos ? end : close + 1, Tok::kChar);
  put_faulty(token, escape.fault, span(body, end),
             {std::string(text_.substr(body, end - body))}, "");
}

// What looks for its quote behind the first character: on this line only.
void Lexer::read_open_char(std::size_t body) {
  const std::size_t stop = line_end(at_);
  const std::size_t close =
      text_.substr(0, stop).find('\'', std::min(body, stop));
  if (close == std::string_view::npos) {
    return put_faulty(start_token(std::max(stop, at_ + 1), Tok::kBad),
                      Msg::kUnterminatedChar, {});
  }
  const std::string text(text_.substr(at_, close + 1 - at_));
  const Token token = start_token(close + 1, Tok::kChar);
  put_faulty(token, Msg::kLongChar, {quoted_head(text)},
             "write a string: `\"" + quoted_head(text.substr(
                 1, text.size() - 2)) + "\"`");
}

}  // namespace tine
