// The lines of a formatted file, and the text they make.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine {

enum class LinePlace : std::uint8_t {
  kImport,
  kDecl,    // the first line of a declaration
  kInside,  // of a declaration
  kTop,     // a comment between declarations
};

struct FormatLine {
  LinePlace place{};
  bool follows_open = false;      // no blank line may stand before it
  std::uint32_t blank = 0;        // blank lines before it in the source
  std::uint32_t width = 0;        // characters of the last line of `text`
  std::string text;               // with its indentation, no newline
  std::string_view comment;       // at its end
  std::uint32_t comment_column = 0;  // in the source
};

// Joins the lines: blank lines between declarations and none at the ends, a
// newline behind each; comments that were aligned stay aligned.
std::string join_lines(std::vector<FormatLine>& lines);

// Characters of a text, and the column of a byte of it, from 1.
std::uint32_t count_chars(std::string_view text);
std::uint32_t column_of(std::string_view text, std::uint32_t offset);
// A text without the blanks at its end.
std::string_view trim_end(std::string_view text);

}  // namespace tine
