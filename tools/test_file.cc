// Reads headers and tails, compares outputs. See test_file.h.
#include "tools/test_file.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace tine::tool {
namespace {

constexpr std::string_view kTailMark = "#|";
constexpr std::string_view kTheoryMark = "#=";
constexpr std::string_view kUnsafeMark = "#@";
constexpr std::string_view kHeaderMark = "#!";
constexpr std::string_view kGives = " ==> ";

std::string without_mark(std::string_view line) {
  line.remove_prefix(kTailMark.size());  // all marks have one size
  if (line.starts_with(' ')) line.remove_prefix(1);
  return std::string(line);
}

// "7:5" or "lib/x.bend:7:5".
bool read_place(const std::string& word, ExpectedMessage& out) {
  std::size_t last = word.rfind(':');
  if (last == std::string::npos || last == 0) return false;
  std::size_t first = word.rfind(':', last - 1);
  std::size_t line = first == std::string::npos ? 0 : first + 1;
  if (line > 0) out.file = word.substr(0, first);
  int used = 0;
  return std::sscanf(word.c_str() + line, "%u:%u%n", &out.line, &out.column,
                     &used) == 2 &&
         line + static_cast<std::size_t>(used) == word.size();
}

// "#! E23 7:5" or "#! 7:5".
std::optional<ExpectedMessage> read_header_line(const std::string& line) {
  std::istringstream in(line.substr(kHeaderMark.size()));
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  ExpectedMessage out;
  if (words.size() == 2) out.code = words[0];
  if (words.empty() || words.size() > 2) return std::nullopt;
  if (!read_place(words.back(), out)) return std::nullopt;
  return out;
}

// Start of the last line of `text`, which may end in a newline.
std::size_t last_line(std::string_view text) {
  std::size_t end = text.ends_with('\n') ? text.size() - 1 : text.size();
  if (end == 0) return 0;
  std::size_t newline = text.rfind('\n', end - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

void read_header(std::string_view text, TestFile& test) {
  for (const std::string& line : split_lines(text)) {
    if (!line.starts_with(kHeaderMark)) return;
    std::optional<ExpectedMessage> expected = read_header_line(line);
    if (expected) {
      test.header.push_back(*expected);
    } else if (test.bad_header.empty()) {
      test.bad_header = line;
    }
  }
}

TheoryValue read_theory(const std::string& line) {
  std::size_t gives = line.find(kGives);
  if (gives == std::string::npos) return {"", line};
  return {line.substr(0, gives), line.substr(gives + kGives.size())};
}

// Reads from the last line up, so that the tail may stand below any comment.
void read_tail(std::string_view text, TestFile& test) {
  std::vector<std::string> lines;
  bool other = false;  // past the output
  while (!text.empty()) {
    std::size_t start = last_line(text);
    std::string_view line = text.substr(start);
    if (line.ends_with('\n')) line.remove_suffix(1);
    bool blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (line.starts_with(kTailMark) && !other) {
      lines.push_back(without_mark(line));
      test.tail_begin = start;
    } else if (line.starts_with(kTheoryMark)) {
      other = true;
      test.theory.push_back(read_theory(without_mark(line)));
    } else if (line.starts_with(kUnsafeMark)) {
      other = true;
      test.unsafe.push_back(without_mark(line));
    } else if (!blank || !lines.empty() || other) {
      break;
    }
    text = text.substr(0, start);
  }
  std::reverse(test.theory.begin(), test.theory.end());
  std::reverse(test.unsafe.begin(), test.unsafe.end());
  if (lines.empty()) return;
  std::reverse(lines.begin(), lines.end());
  test.tail = std::move(lines);
}

bool same_file(const std::filesystem::path& a,
               const std::filesystem::path& b) {
  return a.lexically_normal() == b.lexically_normal();
}

bool same_code(const std::string& code, const std::string& expected) {
  if (code == expected) return true;
  // "E23" stands for E23a, E23b, ..
  return !expected.empty() && code.starts_with(expected) &&
         std::isalpha(static_cast<unsigned char>(code[expected.size()]));
}

bool is_the(const Message& message, const std::string& path,
            const ExpectedMessage& expected) {
  std::filesystem::path file = path;
  if (!expected.file.empty()) {
    file = (file.parent_path() / expected.file).lexically_normal();
  }
  return message.error != expected.code.starts_with('W') &&
         same_file(message.path, file) && message.line == expected.line &&
         message.column == expected.column &&
         (expected.code.empty() || same_code(message.code, expected.code));
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

TestFile read_test_file(std::string_view text) {
  TestFile test;
  test.tail_begin = text.size();
  read_header(text, test);
  read_tail(text, test);
  return test;
}

std::string with_tail(std::string_view text, const TestFile& test,
                      const std::vector<std::string>& lines) {
  std::string out(text.substr(0, test.tail_begin));
  if (!out.empty() && out.back() != '\n') out += '\n';
  for (const std::string& line : lines) {
    out += std::string(kTailMark) + (line.empty() ? "" : " ") + line + "\n";
  }
  return out;
}

bool meets(const std::vector<Message>& messages, const std::string& path,
           const ExpectedMessage& expected) {
  return std::any_of(messages.begin(), messages.end(),
                     [&](const Message& message) {
                       return is_the(message, path, expected);
                     });
}

const Message* unexpected(const std::vector<Message>& messages,
                          const std::string& path,
                          const std::vector<ExpectedMessage>& expected) {
  for (const Message& message : messages) {
    if (message.error &&
        std::none_of(expected.begin(), expected.end(),
                     [&](const ExpectedMessage& one) {
                       return is_the(message, path, one);
                     })) {
      return &message;
    }
  }
  return nullptr;
}

std::string show(const ExpectedMessage& expected) {
  return (expected.code.empty() ? "an error" : expected.code) + " at " +
         (expected.file.empty() ? "" : expected.file + ":") +
         std::to_string(expected.line) + ":" +
         std::to_string(expected.column);
}

std::string diff_lines(const std::vector<std::string>& expected,
                       const std::vector<std::string>& got) {
  constexpr int kShown = 3;
  std::string text;
  int shown = 0;
  for (std::size_t i = 0; i < std::max(expected.size(), got.size()); ++i) {
    const std::string* want = i < expected.size() ? &expected[i] : nullptr;
    const std::string* have = i < got.size() ? &got[i] : nullptr;
    if (want && have && *want == *have) continue;
    if (++shown > kShown) return text + "    ..\n";
    text += "    line " + std::to_string(i + 1) + ":\n";
    if (want) text += "    - " + *want + "\n";
    if (have) text += "    + " + *have + "\n";
  }
  return text;
}

}  // namespace tine::tool
