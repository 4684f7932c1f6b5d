// Tokens: what the lexer makes of a file's text.
//
// A token knows what layout needs: its line and column, whether it touches
// the token before it (`glued`) and whether it is the first on its line.
// Literals are decoded once, here; a literal with a fault keeps its kind and
// an index of the fault, which the parser reports when it takes the token, so
// that text skipped by a recovery stays silent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/diag.h"

namespace tine {

enum class Tok : std::uint8_t {
  kEnd,
  kBad,         // unreadable text; its fault says why
  kName,
  // Literals; `value` holds the number, code point or index of a string.
  kU32,
  kNat,         // 3n
  kSucc,        // 2n+
  kF32,
  kChar,
  kString,
  kQuantity,    // &0 &1 &2
  // Reserved words.
  kDef, kType, kLaw, kMatch, kCase, kDo, kReturn, kFor, kExs, kWhere, kIs,
  kImport, kTypeUniverse, kDataUniverse, kKind, kQuant,
  // Punctuation.
  kLParen, kRParen, kLBracket, kRBracket, kLBrace, kRBrace, kComma, kSemi,
  kColon, kAssign, kFatArrow, kBackArrow, kEqual, kNotEqual, kAt, kRewrite,
  kBackslash, kQuestion, kBang, kTilde, kCaret, kPlusMark, kMinusMark,
  kTightGreater,  // a `>` that touches what precedes it: closes, never operates
  kOp,            // an infix operator: `op` is its row in operators.h
};

inline constexpr std::int32_t kNoFault = -1;

struct Token {
  Tok kind = Tok::kEnd;
  std::uint8_t op = 0;
  bool glued = false;
  bool first = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::int32_t fault = kNoFault;  // index into TokenStream::faults
  std::uint64_t value = 0;
};

// A fault of one token, kept until the token is used.
struct LexFault {
  Msg msg{};
  Span span;
  std::vector<std::string> args;
  std::string repair;
};

struct TokenStream {
  std::vector<Token> tokens;  // ends with one kEnd
  std::vector<std::string> strings;
  std::vector<LexFault> faults;
  std::vector<Span> comments;
};

// The whole file from byte `from` on. Linear; any bytes give a stream.
TokenStream lex(const SourceMap& sources, FileId file, std::uint32_t from);

bool is_name_start(char c);
bool is_name_char(char c);   // dots included
// A word is reserved when it is one of the language's own.
bool is_reserved(std::string_view word);
// Words joined by single dots, each starting with a letter or `_`.
bool is_dotted_name(std::string_view text);

}  // namespace tine
