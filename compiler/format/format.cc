// See format.h. The import lines are laid out here, the declarations by
// layout.cc; what a test file expects, the `#|` lines at its end, is copied.
#include "compiler/format/format.h"

#include <algorithm>
#include <utility>

#include "compiler/format/layout.h"

namespace tine {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";

// The comments `#| ..` that end the file, each the whole line before the next.
Span output_tail(std::string_view text, const std::vector<Span>& comments) {
  const auto size = static_cast<std::uint32_t>(text.size());
  Span tail{kNoFile, size, size};
  for (std::size_t i = comments.size(); i-- > 0;) {
    const Span& comment = comments[i];
    const bool own_line =
        comment.begin == 0 || text[comment.begin - 1] == '\n';
    if (!own_line || !text.substr(comment.begin).starts_with("#|")) break;
    const bool last = tail.begin == size;
    const std::string_view gap =
        text.substr(comment.end, tail.begin - comment.end);
    if (last ? gap.find_first_not_of(" \t\r\n") != std::string_view::npos
             : gap != "\n") {
      break;
    }
    if (last) tail.end = comment.end;
    tail.begin = comment.begin;
  }
  return tail;
}

// Words with one space between.
std::string join_words(std::string_view line) {
  std::string out;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return out;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    if (!out.empty()) out += ' ';
    out += line.substr(0, end);
    line.remove_prefix(end);
  }
}

// A line of the header, which is not blank.
FormatLine header_line(std::string_view text, std::uint32_t begin,
                       std::uint32_t end) {
  const std::string_view whole = text.substr(begin, end - begin);
  const std::size_t hash = whole.find('#');
  FormatLine line;
  line.text = join_words(whole.substr(0, hash));
  line.width = count_chars(line.text);
  line.place = LinePlace::kImport;
  if (hash == std::string_view::npos) return line;
  const std::string_view comment = trim_end(whole.substr(hash));
  line.comment_column =
      column_of(text, begin + static_cast<std::uint32_t>(hash));
  if (!line.text.empty()) {
    line.comment = comment;
    return line;
  }
  line.place = LinePlace::kTop;
  // Without its indentation it would be read as expected output.
  const bool guard = comment.starts_with("#|") && line.comment_column > 1;
  line.text = (guard ? "  " : "") + std::string(comment);
  return line;
}

void lay_out_header(std::string_view text, std::uint32_t from,
                    std::uint32_t stop, std::uint32_t& last,
                    std::vector<FormatLine>& lines) {
  for (std::uint32_t at = from; at < stop;) {
    const auto end = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.find('\n', at), stop));
    const std::string_view line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first != std::string_view::npos) {
      lines.push_back(header_line(text, at, end));
      lines.back().blank =
          blank_lines(text, last, at + static_cast<std::uint32_t>(first));
      last = end;
    }
    at = end + 1;
  }
}

// The tail, and the blank lines that part it from the rest.
std::string tail_text(std::string_view text, const Span& tail,
                      std::uint32_t last, bool alone) {
  if (tail.begin == tail.end) return "";
  std::string out;
  if (!alone && blank_lines(text, last, tail.begin) > 0) out = "\n";
  out += text.substr(tail.begin, tail.end - tail.begin);
  return out + "\n";
}

}  // namespace

std::string format_source(const SourceFile& source, const FileTree& tree,
                          const Shape& shape) {
  const std::string_view text = source.text;
  const Span tail = output_tail(text, tree.comments);
  const auto start = static_cast<std::uint32_t>(
      text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  std::uint32_t last = start;
  std::vector<FormatLine> lines;
  lay_out_header(text, start, std::min(shape.body, tail.begin), last, lines);
  const SourceWords words =
      split_words(text, shape, tree.comments, tail.begin);
  lay_out(text, shape, words, last, lines);
  std::string out = join_lines(lines);
  out += tail_text(text, tail, last, lines.empty());
  return out;
}

}  // namespace tine
