// See lines.h.
#include "compiler/format/lines.h"

#include <algorithm>

namespace tine {
namespace {

constexpr std::uint32_t kMaxInside = 1;  // blank lines in a declaration
constexpr std::uint32_t kMaxBetween = 2;
constexpr std::uint32_t kCommentGap = 2;

bool is_inside(const FormatLine& line) {
  return line.place == LinePlace::kInside;
}

void cap_blanks(std::vector<FormatLine>& lines) {
  for (FormatLine& line : lines) {
    const std::uint32_t most = line.follows_open ? 0
                               : is_inside(line) ? kMaxInside
                                                 : kMaxBetween;
    line.blank = std::min(line.blank, most);
  }
  if (!lines.empty()) lines[0].blank = 0;
}

// One blank line before the declaration at `decl`, whose comments begin at
// `from`, when there is none.
void part(std::vector<FormatLine>& lines, std::size_t from,
          std::size_t decl) {
  for (std::size_t i = from; i <= decl; ++i) {
    if (lines[i].blank > 0) return;
  }
  lines[from].blank = 1;
}

// Imports, and declarations of more than one line, stand apart.
void part_declarations(std::vector<FormatLine>& lines) {
  std::size_t from = 0;     // behind the last line of code
  bool wide = false;        // what ends there needs a blank line
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const LinePlace place = lines[i].place;
    if (place == LinePlace::kTop) continue;
    if (place == LinePlace::kDecl) {
      const bool grows = i + 1 < lines.size() && is_inside(lines[i + 1]);
      if (from > 0 && (wide || grows)) part(lines, from, i);
      wide = grows;
    } else {
      wide = true;
    }
    from = i + 1;
  }
}

// A run of lines whose comments stood in one column.
void align_run(std::vector<FormatLine>& lines, std::size_t from,
               std::size_t to) {
  std::uint32_t width = 0;
  for (std::size_t i = from; i < to; ++i) {
    width = std::max(width, lines[i].width);
  }
  for (std::size_t i = from; i < to; ++i) {
    lines[i].text.append(width - lines[i].width + kCommentGap, ' ');
    lines[i].text += lines[i].comment;
  }
}

void add_comments(std::vector<FormatLine>& lines) {
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i + 1;
    if (!lines[i].comment.empty()) {
      while (end < lines.size() && !lines[end].comment.empty() &&
             lines[end].blank == 0 &&
             lines[end].comment_column == lines[i].comment_column) {
        ++end;
      }
      align_run(lines, i, end);
    }
    i = end;
  }
}

}  // namespace

std::string join_lines(std::vector<FormatLine>& lines) {
  cap_blanks(lines);
  part_declarations(lines);
  add_comments(lines);
  std::string text;
  for (const FormatLine& line : lines) {
    text.append(line.blank, '\n');
    text += line.text;
    text += '\n';
  }
  return text;
}

std::uint32_t count_chars(std::string_view text) {
  return static_cast<std::uint32_t>(
      std::count_if(text.begin(), text.end(),
                    [](char c) { return (c & 0xC0) != 0x80; }));
}

std::uint32_t column_of(std::string_view text, std::uint32_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t start =
      newline == std::string_view::npos ? 0 : newline + 1;
  return count_chars(before.substr(start)) + 1;
}

std::string_view trim_end(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace tine
