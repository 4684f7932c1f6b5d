// Floats as text. The digits come from the standard library, which gives the
// shortest that read back; the layout is ours.
#include <algorithm>
#include <charconv>

#include "runtime/num/f32.h"

namespace tine {
namespace {

// |x| = d.ddd * 10^exponent.
struct Digits {
  std::string digits;
  int exponent = 0;
};

Digits shortest(float number) {
  char text[32];
  auto end = std::to_chars(text, text + sizeof text, number,
                           std::chars_format::scientific).ptr;
  std::string_view shown(text, static_cast<std::size_t>(end - text));
  std::size_t e = shown.find('e');
  Digits made;
  for (char c : shown.substr(0, e)) {
    if (c != '.') made.digits += c;
  }
  const char* from = text + e + (shown[e + 1] == '+' ? 2 : 1);
  std::from_chars(from, end, made.exponent);
  return made;
}

// "1.5e+21"; `point` for one digit is ".0" or nothing.
std::string with_exponent(const Digits& d, std::string_view point) {
  std::string text = d.digits.substr(0, 1);
  if (d.digits.size() > 1) {
    text += "." + d.digits.substr(1);
  } else {
    text += point;
  }
  text += d.exponent < 0 ? "e-" : "e+";
  return text + std::to_string(d.exponent < 0 ? -d.exponent : d.exponent);
}

std::string positional(const Digits& d, std::string_view point) {
  if (d.exponent < 0) {
    auto zeros = static_cast<std::size_t>(-d.exponent - 1);
    return "0." + std::string(zeros, '0') + d.digits;
  }
  auto whole = static_cast<std::size_t>(d.exponent) + 1;
  if (d.digits.size() <= whole) {
    return d.digits + std::string(whole - d.digits.size(), '0') +
           std::string(point);
  }
  return d.digits.substr(0, whole) + "." + d.digits.substr(whole);
}

std::string text_of(std::uint32_t bits, std::string_view point) {
  if (f32_is_nan(bits)) return "nan";
  std::string sign = bits >> 31 ? "-" : "";
  bits &= 0x7FFFFFFF;
  if (bits == 0x7F800000) return sign + "inf";
  if (bits == 0) return sign + "0" + std::string(point);
  Digits d = shortest(f32_of(bits));
  bool wide = d.exponent >= 21 || d.exponent <= -7;
  return sign + (wide ? with_exponent(d, point) : positional(d, point));
}

// ---- reading ----------------------------------------------------------------

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool same_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c != word[i]) return false;
  }
  return true;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// digits[.digits] or .digits, then maybe e[sign]digits, and nothing else.
bool is_decimal(std::string_view text) {
  std::size_t at = skip_digits(text, 0);
  bool whole = at > 0;
  if (at < text.size() && text[at] == '.') {
    std::size_t end = skip_digits(text, at + 1);
    if (end == at + 1) return false;
    at = end;
  } else if (!whole) {
    return false;
  }
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  std::size_t end = skip_digits(text, at);
  return end > at && end == text.size();
}

// Of a decimal too large or too small for a float: is it too large?
bool is_large(std::string_view text) {
  std::size_t e = text.find_first_of("eE");
  std::string_view digits = text.substr(0, e);
  std::size_t point = std::min(digits.find('.'), digits.size());
  std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  auto place = static_cast<std::int64_t>(point) -
               static_cast<std::int64_t>(first);
  if (e == std::string_view::npos) return place > 0;
  std::string_view power = text.substr(e + 1);
  bool minus = power.front() == '-';
  if (minus || power.front() == '+') power.remove_prefix(1);
  std::int64_t exponent = 0;
  auto read = std::from_chars(power.data(), power.data() + power.size(),
                              exponent);
  if (read.ec != std::errc{}) return !minus;
  return (minus ? -exponent : exponent) > -place;
}

}  // namespace

std::string f32_show(std::uint32_t bits) { return text_of(bits, ""); }

std::string f32_value_text(std::uint32_t bits) { return text_of(bits, ".0"); }

bool f32_read(std::string_view text, std::uint32_t& bits) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  std::uint32_t sign = 0;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    sign = text.front() == '-' ? 0x80000000 : 0;
    text.remove_prefix(1);
  }
  if (same_word(text, "nan")) return bits = kNan, true;
  if (same_word(text, "inf") || same_word(text, "infinity")) {
    return bits = sign | 0x7F800000, true;
  }
  if (!is_decimal(text)) return false;
  float number = 0;
  auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc::result_out_of_range) {
    return bits = sign | (is_large(text) ? 0x7F800000 : 0), true;
  }
  bits = sign | std::bit_cast<std::uint32_t>(number);
  return true;
}

}  // namespace tine
