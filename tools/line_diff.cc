// Compares lines and prints hunks. See line_diff.h.
#include "tools/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tine::tool {
namespace {

constexpr std::size_t kContext = 3;       // lines around a change
constexpr std::size_t kMostWork = 1u << 24;  // pairs of lines compared

using Lines = std::vector<std::string_view>;

// With their newlines, so that a missing last one is a difference.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct Edit {
  char sign;              // ' ', '-' or '+'
  std::string_view line;
};

// The edits of what is between the ends.
void compare(const Lines& a, const Lines& b, std::vector<Edit>& edits) {
  const std::size_t n = a.size(), m = b.size();
  std::size_t i = 0, j = 0;
  if (n > 0 && m > 0 && n <= kMostWork / m) {
    // common[i][j]: of the lines from i and from j on
    std::vector<std::uint32_t> common((n + 1) * (m + 1), 0);
    const auto at = [&](std::size_t x, std::size_t y) -> std::uint32_t& {
      return common[x * (m + 1) + y];
    };
    for (std::size_t x = n; x-- > 0;) {
      for (std::size_t y = m; y-- > 0;) {
        at(x, y) = a[x] == b[y] ? at(x + 1, y + 1) + 1
                                : std::max(at(x + 1, y), at(x, y + 1));
      }
    }
    while (i < n && j < m) {
      if (a[i] == b[j]) {
        edits.push_back({' ', a[i]});
        ++i, ++j;
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        edits.push_back({'-', a[i++]});
      } else {
        edits.push_back({'+', b[j++]});
      }
    }
  }
  while (i < n) edits.push_back({'-', a[i++]});
  while (j < m) edits.push_back({'+', b[j++]});
}

std::vector<Edit> edits_of(const Lines& a, const Lines& b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t head = 0, tail = 0;
  while (head < most && a[head] == b[head]) ++head;
  while (tail < most - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < head; ++i) edits.push_back({' ', a[i]});
  const auto middle = [&](const Lines& lines) {
    return Lines(lines.begin() + static_cast<std::ptrdiff_t>(head),
                 lines.end() - static_cast<std::ptrdiff_t>(tail));
  };
  compare(middle(a), middle(b), edits);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) {
    edits.push_back({' ', a[i]});
  }
  return edits;
}

// "12,3": where and how many; the line before where there are none.
std::string range(std::size_t first, std::size_t count) {
  return std::to_string(count == 0 ? first : first + 1) + "," +
         std::to_string(count);
}

}  // namespace

std::string unified_diff(const std::string& name, std::string_view before,
                         std::string_view after) {
  if (before == after) return "";
  const std::vector<Edit> edits = edits_of(lines_of(before), lines_of(after));
  std::string out = "--- " + name + "\n+++ " + name + " (formatted)\n";
  std::size_t old_line = 0, new_line = 0;  // lines before `at`
  std::size_t at = 0;
  while (at < edits.size()) {
    // The next change, and how far its hunk goes.
    std::size_t first = at;
    while (first < edits.size() && edits[first].sign == ' ') ++first;
    if (first == edits.size()) break;
    std::size_t last = first;
    for (std::size_t i = first; i < edits.size(); ++i) {
      if (edits[i].sign != ' ') last = i;
      if (i > last + 2 * kContext) break;
    }
    const std::size_t begin = std::max(at, first - std::min(first, kContext));
    const std::size_t end = std::min(edits.size(), last + 1 + kContext);
    old_line += begin - at;
    new_line += begin - at;
    std::size_t removed = 0, added = 0;
    std::string body;
    for (std::size_t i = begin; i < end; ++i) {
      removed += edits[i].sign != '+';
      added += edits[i].sign != '-';
      body += edits[i].sign;
      body += edits[i].line;
      if (!body.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    out += "@@ -" + range(old_line, removed) + " +" + range(new_line, added) +
           " @@\n" + body;
    old_line += removed;
    new_line += added;
    at = end;
  }
  return out;
}

}  // namespace tine::tool
