// The words of a file: its tokens with the line breaks they get.
//
// A comma or semicolon belongs to the word before it, so that a line never
// starts with one. Optional commas are added, those before a closing bracket
// on the same line are dropped, and so are semicolons at the end of a line.
//
// Line breaks: the author's stay. A declaration starts a line. What follows
// the `:` of a declaration, case or do block starts one unless all of it
// stands on the line of the `:`. Where a match, a body or a list of members
// takes more than one line, each case, statement or member starts a line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/syntax/shape.h"

namespace tine {

struct SourceWord {
  std::uint32_t token = 0;       // its number; the last word is the kEnd
  bool starts_line = false;
  std::string_view tail;         // "", "," or ";"
  std::uint32_t end = 0;         // offset behind the token and its tail
  std::uint32_t row = 0;         // line of the output, comments not counted
  std::uint32_t comments = 0;    // its first comment in Words::comments
  bool trailing = false;         // that one ends the line before
};

struct SourceWords {
  std::vector<SourceWord> words;
  std::vector<Span> comments;    // before a word: up to those of the next one
};

// Comments from offset `stop` on are left out.
SourceWords split_words(std::string_view text, const Shape& shape,
                        const std::vector<Span>& comments,
                        std::uint32_t stop);

bool opens_bracket(const Token& token, TokenRole role);
bool closes_bracket(const Token& token, TokenRole role);

}  // namespace tine
