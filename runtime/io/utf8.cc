#include "runtime/io/utf8.h"

namespace tine {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

}  // namespace

void Utf8Decoder::start(std::uint8_t byte, std::u32string& out) {
  lower_ = 0x80;
  upper_ = 0xBF;
  if (byte < 0x80) {
    out.push_back(byte);
  } else if (byte >= 0xC2 && byte <= 0xDF) {
    needed_ = 1;
    point_ = byte & 0x1Fu;
  } else if (byte >= 0xE0 && byte <= 0xEF) {
    needed_ = 2;
    point_ = byte & 0xFu;
    if (byte == 0xE0) lower_ = 0xA0;
    if (byte == 0xED && !surrogates_) upper_ = 0x9F;
  } else if (byte >= 0xF0 && byte <= 0xF4) {
    needed_ = 3;
    point_ = byte & 0x7u;
    if (byte == 0xF0) lower_ = 0x90;
    if (byte == 0xF4) upper_ = 0x8F;
  } else {
    out.push_back(kReplacement);
  }
}

void Utf8Decoder::feed(std::string_view bytes, std::u32string& out) {
  for (char c : bytes) {
    auto byte = static_cast<std::uint8_t>(c);
    if (needed_ == 0) {
      start(byte, out);
      continue;
    }
    if (byte < lower_ || byte > upper_) {
      // The part so far is malformed; this byte begins anew.
      needed_ = 0;
      out.push_back(kReplacement);
      start(byte, out);
      continue;
    }
    lower_ = 0x80;
    upper_ = 0xBF;
    point_ = point_ << 6 | (byte & 0x3Fu);
    if (--needed_ == 0) out.push_back(point_);
  }
}

void Utf8Decoder::finish(std::u32string& out) {
  if (needed_ != 0) out.push_back(kReplacement);
  needed_ = 0;
}

std::u32string decode_literal(std::string_view bytes) {
  std::u32string out;
  Utf8Decoder decoder(true);
  decoder.feed(bytes, out);
  decoder.finish(out);
  return out;
}

bool is_scalar(std::uint32_t point) {
  return point < 0xD800 || (point > 0xDFFF && point <= 0x10FFFF);
}

void put_utf8(std::string& out, std::uint32_t point) {
  auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (!is_scalar(point)) point = kReplacement;
  if (point < 0x80) return add(point);
  if (point < 0x800) {
    add(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xE0 | point >> 12);
    } else {
      add(0xF0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3F));
    }
    add(0x80 | (point >> 6 & 0x3F));
  }
  add(0x80 | (point & 0x3F));
}

}  // namespace tine
