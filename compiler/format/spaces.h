// The space between two tokens of one line.
#pragma once

#include "compiler/syntax/shape.h"

namespace tine {

struct RoledToken {
  const Token& token;
  TokenRole role;
};

// Does a space stand between two neighbours that have no comma between?
bool space_between(const RoledToken& left, const RoledToken& right);

}  // namespace tine
