// UTF-8, decoded without trust: every malformed byte is one U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tine {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code = kReplacement;
  std::uint32_t length = 1;  // bytes read, at least 1
  bool valid = false;
};

// Decodes the code point at `at`, which must lie inside of `text`.
Decoded decode_utf8(std::string_view text, std::size_t at);

// Appends a code point; what is no scalar value becomes U+FFFD.
void append_utf8(std::string& out, char32_t code);

// Offset of the first malformed byte, npos when there is none.
std::size_t find_invalid_utf8(std::string_view text);

// How many code points the text holds.
std::size_t count_code_points(std::string_view text);

inline bool is_scalar_value(std::uint64_t code) {
  return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
}

}  // namespace tine
