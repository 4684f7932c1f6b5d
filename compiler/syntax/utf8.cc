#include "compiler/syntax/utf8.h"

#include <cstdint>
#include <cstring>

namespace tine {

namespace {

struct Lead {
  std::uint32_t length;
  char32_t bits;
  char32_t least;  // below it the sequence is overlong
};

Lead read_lead(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xC2 && byte < 0xE0) return {2, byte & 0x1Fu, 0x80};
  if (byte >= 0xE0 && byte < 0xF0) return {3, byte & 0x0Fu, 0x800};
  if (byte >= 0xF0 && byte < 0xF5) return {4, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

// Bytes of ASCII that the text starts with, in steps of eight: what is left of
// the last step is for the caller.
std::size_t ascii_run(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= text.size();
       at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHigh) != 0) break;
  }
  return at;
}

}  // namespace

Decoded decode_utf8(std::string_view text, std::size_t at) {
  const Lead lead = read_lead(static_cast<unsigned char>(text[at]));
  if (lead.length == 0 || text.size() - at < lead.length) return {};
  char32_t code = lead.bits;
  for (std::uint32_t i = 1; i < lead.length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte & 0x3Fu);
  }
  if (code < lead.least || !is_scalar_value(code)) return {};
  return {code, lead.length, true};
}

void append_utf8(std::string& out, char32_t code) {
  if (!is_scalar_value(code)) code = kReplacement;
  const auto put = [&out](char32_t byte) {
    out.push_back(static_cast<char>(byte));
  };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    at += ascii_run(text.substr(at));
    if (at == text.size()) break;
    const Decoded decoded = decode_utf8(text, at);
    if (!decoded.valid) return at;
    at += decoded.length;
  }
  return std::string_view::npos;
}

std::size_t count_code_points(std::string_view text) {
  std::size_t at = ascii_run(text);
  std::size_t count = at;
  for (; at < text.size(); ++count) {
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
    at += ascii ? 1 : decode_utf8(text, at).length;
  }
  return count;
}

}  // namespace tine
