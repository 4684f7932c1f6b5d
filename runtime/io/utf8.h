// UTF-8 between host bytes and chars.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tine {

// Decodes as the WHATWG decoder does: each maximal part of a sequence that
// cannot be completed is one U+FFFD. A sequence that a chunk cuts is carried
// to the next.
class Utf8Decoder {
 public:
  // `surrogates`: let encoded surrogates through (literals may hold them).
  explicit Utf8Decoder(bool surrogates = false) : surrogates_(surrogates) {}

  void feed(std::string_view bytes, std::u32string& out);
  // The end: what is still open is one U+FFFD.
  void finish(std::u32string& out);

 private:
  void start(std::uint8_t byte, std::u32string& out);

  bool surrogates_;
  std::uint32_t point_ = 0;
  int needed_ = 0;                          // bytes still to come
  std::uint8_t lower_ = 0x80, upper_ = 0xBF;  // of the next byte
};

// All at once; the text of a literal.
std::u32string decode_literal(std::string_view bytes);
// Appends a char; one that is no scalar value becomes U+FFFD.
void put_utf8(std::string& out, std::uint32_t point);
bool is_scalar(std::uint32_t point);

}  // namespace tine
