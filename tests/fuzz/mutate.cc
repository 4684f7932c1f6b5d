// A list of small edits; `mutate` picks among them. See mutate.h.
#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace tine::fuzz {
namespace {

// Past this size an input says nothing new and only takes time.
constexpr std::size_t kMaxInput = 64 << 10;

std::size_t below(Rng& rng, std::size_t bound) {
  return bound == 0 ? 0 : rng() % bound;
}

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// Pieces of the text: words and numbers, single signs.
std::vector<Range> tokens_of(const std::string& text) {
  auto word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  };
  std::vector<Range> out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (word(text[i])) {
      while (end < text.size() && word(text[end])) ++end;
    }
    if (!std::isspace(static_cast<unsigned char>(text[i]))) {
      out.push_back({i, end});
    }
    i = end;
  }
  return out;
}

std::vector<Range> lines_of(const std::string& text) {
  std::vector<Range> out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = text.find('\n', i);
    end = end == std::string::npos ? text.size() : end + 1;
    out.push_back({i, end});
    i = end;
  }
  return out;
}

std::string piece(const std::string& text, Range range) {
  return text.substr(range.begin, range.size());
}

Range pick(const std::vector<Range>& ranges, Rng& rng) {
  return ranges.empty() ? Range{} : ranges[below(rng, ranges.size())];
}

void flip_byte(std::string& text, const std::string&, Rng& rng) {
  if (!text.empty()) text[below(rng, text.size())] ^= char(1 << below(rng, 8));
}

void set_byte(std::string& text, const std::string&, Rng& rng) {
  if (!text.empty()) text[below(rng, text.size())] = char(rng());
}

void cut_end(std::string& text, const std::string&, Rng& rng) {
  text.resize(below(rng, text.size() + 1));
}

void delete_bytes(std::string& text, const std::string&, Rng& rng) {
  std::size_t at = below(rng, text.size() + 1);
  text.erase(at, 1 + below(rng, 12));
}

void swap_tokens(std::string& text, const std::string&, Rng& rng) {
  std::vector<Range> tokens = tokens_of(text);
  Range a = pick(tokens, rng), b = pick(tokens, rng);
  if (a.begin > b.begin) std::swap(a, b);
  if (a.end > b.begin) return;
  std::string first = piece(text, a), second = piece(text, b);
  text.replace(b.begin, b.size(), first);
  text.replace(a.begin, a.size(), second);
}

void replace_token(std::string& text, const std::string& other, Rng& rng) {
  Range to = pick(tokens_of(text), rng);
  text.replace(to.begin, to.size(), piece(other, pick(tokens_of(other), rng)));
}

void insert_sign(std::string& text, const std::string&, Rng& rng) {
  static constexpr const char* kSigns[] = {
      "(", ")", "[", "]", "{",   "}",     "<",    ">",  ":",   ",",  "+",
      "-", "=", "&", "|", "<-",  "->",    "=>",   "~",  "!",   "?x", "@",
      "%", "^", "*", "<>", "1n+", "match ", "case ", ";", "\n  ", "_", "#"};
  text.insert(below(rng, text.size() + 1),
              kSigns[below(rng, std::size(kSigns))]);
}

void change_number(std::string& text, const std::string&, Rng& rng) {
  static constexpr const char* kNumbers[] = {
      "0",  "1",  "2",          "31",          "4294967295", "4294967296",
      "0n", "1n", "4294967295n", "4294967296n", "30n",        "1.5"};
  std::vector<Range> numbers;
  for (Range token : tokens_of(text)) {
    if (std::isdigit(static_cast<unsigned char>(text[token.begin]))) {
      numbers.push_back(token);
    }
  }
  if (numbers.empty()) return;
  Range to = pick(numbers, rng);
  text.replace(to.begin, to.size(),
               kNumbers[below(rng, std::size(kNumbers))]);
}

void delete_line(std::string& text, const std::string&, Rng& rng) {
  Range line = pick(lines_of(text), rng);
  text.erase(line.begin, line.size());
}

void double_line(std::string& text, const std::string&, Rng& rng) {
  Range line = pick(lines_of(text), rng);
  text.insert(line.end, piece(text, line));
}

void move_line(std::string& text, const std::string&, Rng& rng) {
  Range line = pick(lines_of(text), rng);
  std::string moved = piece(text, line);
  text.erase(line.begin, line.size());
  text.insert(pick(lines_of(text), rng).begin, moved);
}

void indent_line(std::string& text, const std::string&, Rng& rng) {
  Range line = pick(lines_of(text), rng);
  if (below(rng, 2) == 0) {
    text.insert(line.begin, 1 + below(rng, 4), ' ');
  } else if (text.substr(line.begin, 1) == " ") {
    text.erase(line.begin, 1 + below(rng, 2));
  }
}

void splice(std::string& text, const std::string& other, Rng& rng) {
  std::vector<Range> lines = lines_of(other);
  Range from = pick(lines, rng), to = pick(lines, rng);
  if (from.begin > to.begin) std::swap(from, to);
  std::size_t at = pick(lines_of(text), rng).begin;
  text.insert(at, other.substr(from.begin, to.end - from.begin));
}

using Edit = void (*)(std::string&, const std::string&, Rng&);
constexpr Edit kEdits[] = {
    flip_byte,     set_byte,    cut_end,       delete_bytes, swap_tokens,
    replace_token, insert_sign, change_number, delete_line,  double_line,
    move_line,     indent_line, splice,        swap_tokens,  replace_token,
    replace_token, change_number};

}  // namespace

std::string mutate(const std::string& text, const std::string& other,
                   Rng& rng) {
  std::string out = text;
  // Mostly a single edit: it leaves most of the program to run.
  std::size_t edits = 1 + below(rng, 2) * below(rng, 2) * below(rng, 7);
  for (std::size_t i = 0; i < edits; ++i) {
    kEdits[below(rng, std::size(kEdits))](out, other, rng);
  }
  if (out.size() > kMaxInput) out.resize(kMaxInput);
  return out;
}

}  // namespace tine::fuzz
