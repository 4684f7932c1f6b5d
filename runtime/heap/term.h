// The word: every value of the net engine, in 64 bits.
//
//   bit  63..60   59 ................ 42   41 ........................ 0
//        tag      weight (arrays)          payload
//
//   tag       payload                                   owned
//   kNode     address of a constructor node             counted
//   kClosure  address of a partial application          affine
//   kRequest  address of an effect request              affine
//   kArray    address >> 6 of a view, weight above it   weighted
//   kFile     index of the run's file table             affine
//   kFun      id of a definition, no argument yet       immediate
//   kCtor     id of a constructor without fields        immediate
//   kU32 kF32 kChar   32 bits                           immediate
//   kNat      48 bits                                   immediate
//   kChan     generation << 28 | index of a channel     immediate
//   kTaken    0: a cell whose affine value was taken    immediate
//
// The tag of a node is 0, so that a node's word is its address. Owned tags
// come first: one compare tells whether copy and drop have anything to do.
// Drop, copy and printing read tags only and need no types.
//
// Worked value: the Nat 7 is 0xA000'0000'0000'0007; an array whose view lies
// at 0x7f00'0000'1240 with weight 3 is 0x3000'0DFC'0000'0049 (0x1240 >> 6 is
// 0x49, 0x7f0000000000 >> 6 is 0x1FC00000000, and 3 << 42 is 0xC0000000000).
#pragma once

#include <bit>
#include <cstdint>

namespace tine {

using Word = std::uint64_t;

enum class Tag : std::uint8_t {
  kNode = 0, kClosure = 1, kRequest = 2, kArray = 3, kFile = 4,
  kFun = 5, kCtor = 6, kU32 = 7, kF32 = 8, kChar = 9, kNat = 10,
  kTaken = 11, kChan = 12,
};

inline constexpr int kTagShift = 60;
inline constexpr Word kFirstImmediate = Word{5} << kTagShift;
inline constexpr Word kMaxNat = (Word{1} << 48) - 1;
inline constexpr Word kAddressMask = (Word{1} << 48) - 1;
inline constexpr int kWeightShift = 42;
inline constexpr Word kMaxWeight = (Word{1} << 18) - 1;
inline constexpr Word kFirstWeight = Word{1} << 17;
inline constexpr Word kViewMask = (Word{1} << kWeightShift) - 1;

constexpr Word tag_bits(Tag tag) {
  return static_cast<Word>(tag) << kTagShift;
}
constexpr Tag tag_of(Word word) { return static_cast<Tag>(word >> kTagShift); }
constexpr bool is_owned(Word word) { return word < kFirstImmediate; }

constexpr Word make_u32(std::uint32_t value) {
  return tag_bits(Tag::kU32) | value;
}
constexpr Word make_f32_bits(std::uint32_t bits) {
  return tag_bits(Tag::kF32) | bits;
}
constexpr Word make_char(std::uint32_t point) {
  return tag_bits(Tag::kChar) | point;
}
constexpr Word make_nat(std::uint64_t value) {
  return tag_bits(Tag::kNat) | value;
}
constexpr Word make_ctor(std::uint32_t id) {
  return tag_bits(Tag::kCtor) | id;
}
constexpr Word make_fun(std::uint32_t id) { return tag_bits(Tag::kFun) | id; }
constexpr Word make_file(std::uint32_t id) {
  return tag_bits(Tag::kFile) | id;
}
inline constexpr int kChanIndexBits = 28;
constexpr Word make_chan(std::uint32_t index, std::uint32_t generation) {
  return tag_bits(Tag::kChan) | Word{generation} << kChanIndexBits | index;
}
inline constexpr Word kTakenWord = tag_bits(Tag::kTaken);

constexpr std::uint32_t low32(Word word) {
  return static_cast<std::uint32_t>(word);
}
// The payload of a Nat; masks, so that a word of another tag stays harmless.
constexpr std::uint64_t nat_of(Word word) { return word & kMaxNat; }

}  // namespace tine
