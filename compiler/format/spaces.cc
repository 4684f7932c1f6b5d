// See spaces.h. Where no rule says otherwise there is a space; a rule that
// takes one away must not make the lexer read the two tokens as one.
#include "compiler/format/spaces.h"

#include "compiler/format/words.h"

namespace tine {
namespace {

// Tokens that touch what follows them.
bool hugs_right(const RoledToken& left, const RoledToken& right) {
  switch (left.token.kind) {
    case Tok::kAt:
    case Tok::kTilde:
    case Tok::kBackslash:
    case Tok::kBang:
    case Tok::kPlusMark:
    case Tok::kMinusMark:
    case Tok::kRewrite:
    case Tok::kQuestion:
      return true;
    case Tok::kSucc:  // 1n+p, but 1n+ +p
      return right.token.kind != Tok::kPlusMark &&
             right.token.kind != Tok::kMinusMark &&
             right.token.kind != Tok::kOp;
    default:
      return left.role == TokenRole::kPrefix ||
             left.role == TokenRole::kTight;
  }
}

// Tokens that touch what precedes them.
bool hugs_left(const RoledToken& right) {
  switch (right.role) {
    case TokenRole::kGlued:
    case TokenRole::kTight:
    case TokenRole::kTypeOpen:
      return true;
    case TokenRole::kSpacedColon:
      return false;
    default:
      return right.token.kind == Tok::kColon ||
             right.token.kind == Tok::kBang;
  }
}

}  // namespace

bool space_between(const RoledToken& left, const RoledToken& right) {
  if (left.role == TokenRole::kAsWritten) return !right.token.glued;
  if (opens_bracket(left.token, left.role)) return false;
  if (closes_bracket(right.token, right.role)) return false;
  return !hugs_right(left, right) && !hugs_left(right);
}

}  // namespace tine
