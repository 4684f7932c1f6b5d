// The shape of a file: what the parser understood of its layout, token by
// token, for the formatter.
//
// The tree does not keep which token ends a header, where a body begins or
// whether a `<` compares or opens type arguments; finding that again from the
// text would be a second parser. So the parser writes it down as it goes,
// when it is asked to. A shape means something only for a file without errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/syntax/token.h"

namespace tine {

// What a token is to the space around it.
enum class TokenRole : std::uint8_t {
  kPlain,
  kGlued,        // touches what precedes it: `(` of a call, `{` of fields
  kTight,        // touches both neighbours: `*` of [v : T*4n]
  kPrefix,       // touches what follows: `&` of &x: A -> B, a mark
  kAsWritten,    // `+` that stands before an operand
  kSpacedColon,  // the `:` of (e : T) and x : T = v, not that of x: T
  kTypeOpen,     // `<` and, in <-A: T>, `<-`
  kTypeClose,    // `>`
};

// Bits of one token.
enum TokenMark : std::uint8_t {
  kMarkItem = 1,       // opens an item of a list that is not the first
  kMarkComma = 2,      // a comma may stand before it
  kMarkStatement = 4,  // opens a statement or step that is not the first
  kMarkMember = 8,     // opens a constructor, a clause, a claim, an import
};

enum class StretchKind : std::uint8_t {
  kDecl,       // middle: what follows the `:`
  kMatch,      // middle: what follows the `:`
  kCase,       // middle: its body
  kDo,         // middle: its first step
  kBody,       // several statements, or a match
  kPlainBody,  // one term
  kValue,      // of a let with several names
};

// The tokens from `begin` to before `end`.
struct Stretch {
  StretchKind kind{};
  std::uint32_t begin = 0;
  std::uint32_t middle = 0;
  std::uint32_t end = 0;
};

struct Shape {
  std::uint32_t body = 0;           // offset where the declarations begin
  TokenStream stream;
  std::vector<TokenRole> roles;     // one per token
  std::vector<std::uint8_t> marks;  // TokenMark bits, one per token
  std::vector<Stretch> stretches;   // by begin, outer ones first
};

}  // namespace tine
