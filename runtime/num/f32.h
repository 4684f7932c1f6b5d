// F32: single-precision floats, by their bits.
//
// An operation rounds once and is never fused with another. A result that is
// not a number is `kNan`, whatever the machine made of it.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace tine {

inline constexpr std::uint32_t kNan = 0x7FC00000;

constexpr float f32_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
constexpr bool f32_is_nan(std::uint32_t bits) {
  return (bits & 0x7FFFFFFF) > 0x7F800000;
}
// The bits a program sees.
constexpr std::uint32_t f32_canonical(std::uint32_t bits) {
  return f32_is_nan(bits) ? kNan : bits;
}
constexpr std::uint32_t f32_bits(float number) {
  return f32_canonical(std::bit_cast<std::uint32_t>(number));
}

constexpr std::uint32_t f32_add(std::uint32_t x, std::uint32_t y) {
  return f32_bits(f32_of(x) + f32_of(y));
}
constexpr std::uint32_t f32_sub(std::uint32_t x, std::uint32_t y) {
  return f32_bits(f32_of(x) - f32_of(y));
}
constexpr std::uint32_t f32_mul(std::uint32_t x, std::uint32_t y) {
  return f32_bits(f32_of(x) * f32_of(y));
}
constexpr std::uint32_t f32_div(std::uint32_t x, std::uint32_t y) {
  return f32_bits(f32_of(x) / f32_of(y));
}
// Nothing is equal to, below or above a NaN.
constexpr bool f32_is_eq(std::uint32_t x, std::uint32_t y) {
  return f32_of(x) == f32_of(y);
}
constexpr bool f32_is_lt(std::uint32_t x, std::uint32_t y) {
  return f32_of(x) < f32_of(y);
}
constexpr bool f32_is_le(std::uint32_t x, std::uint32_t y) {
  return f32_of(x) <= f32_of(y);
}

// Nearest, ties to even.
constexpr std::uint32_t f32_from_u32(std::uint32_t number) {
  return f32_bits(static_cast<float>(number));
}
// Without the fraction; 0 for NaN, negatives and 2^32 or more.
constexpr std::uint32_t f32_to_u32(std::uint32_t bits) {
  float number = f32_of(bits);
  bool fits = number >= 0.0f && number < 4294967296.0f;
  return fits ? static_cast<std::uint32_t>(number) : 0;
}

enum class F32Math : std::uint8_t {
#define TINE_F32_MATH(id, name, arity, value) id,
#include "runtime/num/f32.def"
#undef TINE_F32_MATH
  kCount
};

// `y` is read by functions of two arguments only.
std::uint32_t f32_math(F32Math op, std::uint32_t x, std::uint32_t y);

// The shortest decimal that reads back: "1.5", "100", "1e+21", "-0", "nan".
std::string f32_show(std::uint32_t bits);
// As a printed value, which has a point: "100.0", "1.0e+21", "-0.0", "nan".
std::string f32_value_text(std::uint32_t bits);
// False unless all of `text` is a number.
bool f32_read(std::string_view text, std::uint32_t& bits);

}  // namespace tine
