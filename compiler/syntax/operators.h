// The infix operators: one row each, as data.
//
// `named` operators are methods without a namespace: `a + b` under `: U32` is
// `U32.add(a, b)`. The walk that gives them one is in operators.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compiler/syntax/surface.h"

namespace tine {

struct Operator {
  std::string_view text;
  std::int8_t level;   // higher binds tighter
  bool right;          // associates to the right
  bool named;          // takes its meaning from a namespace
};

inline constexpr Operator kOperators[] = {
    {"->", 0, true, false},   {"&", 1, true, false},
    {"|", 1, true, false},    {"||", 2, false, false},
    {"&&", 3, false, false},  {"<", 4, false, true},
    {"<=", 4, false, true},   {">", 4, false, true},
    {">=", 4, false, true},   {"<>", 5, true, false},
    {"++", 5, true, false},   {"<&>", 5, true, false},
    {".|.", 6, false, true},  {".^.", 7, false, true},
    {".&.", 8, false, true},  {"<<", 9, false, true},
    {">>", 9, false, true},   {"+", 10, false, true},
    {"-", 10, false, true},   {"*", 11, false, true},
    {"/", 11, false, true},   {"%", 11, false, true},
};

inline constexpr int kArrowLevel = 0;
inline constexpr int kWriteLevel = 2;    // the value of `a[i] <- v`
inline constexpr int kCompareLevel = 4;
inline constexpr int kTypeArgLevel = 5;  // the first of `D<a, b>`
inline constexpr int kAtomLevel = 12;    // an atom and what is glued to it

constexpr std::size_t find_operator(std::string_view text) {
  std::size_t i = 0;
  while (i < std::size(kOperators) && kOperators[i].text != text) ++i;
  return i;
}

inline constexpr std::size_t kNoOperator = std::size(kOperators);
inline constexpr std::size_t kOpArrow = find_operator("->");
inline constexpr std::size_t kOpLess = find_operator("<");
inline constexpr std::size_t kOpMeet = find_operator("<&>");
inline constexpr std::size_t kOpCons = find_operator("<>");
inline constexpr std::size_t kOpAmp = find_operator("&");
inline constexpr std::size_t kOpBar = find_operator("|");

// Is this the name of an operator that needs a namespace?
bool is_named_operator(std::string_view text);

// Gives the operators of `term`'s operator tree the namespace `ns`: down
// through groups, lets to their final term, tuples to their last component
// and the operands of operators; it stops at everything else, and at what an
// inner annotation has already named. Iterative.
void annotate_operators(Node* term, Node* ns);

}  // namespace tine
