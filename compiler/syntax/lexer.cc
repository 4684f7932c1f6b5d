// Text to tokens.
//
// One pass over the bytes. Operators are matched longest first (3, 2, then 1
// characters); these rules make an operator depend on its neighbours:
//   - `+` or `-` that touches a name starts a binder (`+x`), never an operator;
//   - `>` that touches what precedes it only closes type arguments;
//   - `%` that touches what follows starts a rewrite.
// Columns count the bytes that start a code point. Literals are read by
// literals.cc. Nothing is reported here but malformed UTF-8: a fault travels
// with its token.
#include "compiler/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compiler/syntax/operators.h"
#include "compiler/syntax/utf8.h"

namespace tine {

namespace {

constexpr std::pair<std::string_view, Tok> kReserved[] = {
    {"def", Tok::kDef},          {"type", Tok::kType},
    {"law", Tok::kLaw},          {"match", Tok::kMatch},
    {"case", Tok::kCase},        {"do", Tok::kDo},
    {"return", Tok::kReturn},    {"for", Tok::kFor},
    {"exs", Tok::kExs},          {"where", Tok::kWhere},
    {"is", Tok::kIs},            {"import", Tok::kImport},
    {"Type", Tok::kTypeUniverse}, {"Data", Tok::kDataUniverse},
    {"Kind", Tok::kKind},        {"Quant", Tok::kQuant},
};

// Most names are told from the reserved words by length and first letter.
bool may_be_reserved(std::string_view word) {
  return word.size() >= 2 && word.size() <= 6 &&
         std::string_view("tdlmcrfewiTDKQ").find(word[0]) !=
             std::string_view::npos;
}

Tok word_kind(std::string_view word) {
  if (!may_be_reserved(word)) return Tok::kName;
  for (const auto& [text, kind] : kReserved) {
    if (text == word) return kind;
  }
  return Tok::kName;
}

constexpr std::pair<std::string_view, Tok> kPunctuation[] = {
    {"=>", Tok::kFatArrow}, {"<-", Tok::kBackArrow}, {"==", Tok::kEqual},
    {"!=", Tok::kNotEqual}, {"(", Tok::kLParen},     {")", Tok::kRParen},
    {"[", Tok::kLBracket},  {"]", Tok::kRBracket},   {"{", Tok::kLBrace},
    {"}", Tok::kRBrace},    {",", Tok::kComma},      {";", Tok::kSemi},
    {":", Tok::kColon},     {"=", Tok::kAssign},     {"@", Tok::kAt},
    {"\\", Tok::kBackslash}, {"?", Tok::kQuestion},  {"!", Tok::kBang},
    {"~", Tok::kTilde},     {"^", Tok::kCaret},
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_operator_char(char c) {
  switch (c) {
    case '-': case '+': case '*': case '/': case '%':
    case '<': case '>': case '&': case '|': case '.':
      return true;
    default:
      return false;
  }
}

// What may follow that character in an operator.
bool is_part_of_operator(char c) {
  return is_operator_char(c) || c == '^' || c == '=';
}

// What a character is by itself where it is punctuation and no longer one
// starts with it; else kEnd.
constexpr std::array<Tok, 128> kSingles = [] {
  std::array<Tok, 128> singles{};
  for (const auto& [text, kind] : kPunctuation) {
    if (text.size() == 1) singles[static_cast<std::size_t>(text[0])] = kind;
  }
  for (const auto& [text, kind] : kPunctuation) {
    if (text.size() > 1) {
      singles[static_cast<std::size_t>(text[0])] = Tok::kEnd;
    }
  }
  return singles;
}();

// Bytes that no token starts with: they join into one stray token.
bool is_stray(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x7F || (byte < 0x20 && !is_space(c));
}

}  // namespace

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c) || c == '.';
}

bool is_reserved(std::string_view word) {
  return word_kind(word) != Tok::kName;
}

bool is_dotted_name(std::string_view text) {
  bool at_start = true;
  for (const char c : text) {
    if (at_start ? !is_name_start(c) : !is_name_char(c)) return false;
    at_start = c == '.';
  }
  return !at_start;
}

Lexer::Lexer(const SourceMap& sources, FileId file, std::uint32_t from)
    : file_(file), text_(sources.file(file).text), at_(from), counted_(from) {
  const Place place = sources.file(file).place(from);
  line_ = place.line;
  column_ = place.column;
  // Untouched memory is free, and growing touches it twice: a token for every
  // two bytes is more than most texts have.
  constexpr std::size_t kMost = 1u << 20;
  out_.tokens.reserve(std::min(kMost, (text_.size() - from) / 2 + 1));
}

TokenStream Lexer::run() {
  while (skip_blanks(), at_ < text_.size()) read_token();
  Token end;
  const bool any = !out_.tokens.empty();
  end.begin = end.end = any ? out_.tokens.back().end : at_;
  end.line = line_;
  end.first = true;
  out_.tokens.push_back(end);
  return std::move(out_);
}

void Lexer::count_to(std::size_t offset) {
  for (; counted_ < offset; ++counted_) {
    if (text_[counted_] == '\n') {
      ++line_;
      column_ = 1;
      fresh_line_ = true;
    } else if ((text_[counted_] & 0xC0) != 0x80) {
      ++column_;
    }
  }
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_space(text_[at_])) {
      ++at_;
    } else if (text_[at_] == '#') {
      const std::size_t stop = std::min(text_.find('\n', at_), text_.size());
      out_.comments.push_back(span(at_, stop));
      at_ = stop;
    } else {
      return;
    }
  }
}

Token Lexer::start_token(std::size_t end, Tok kind) {
  count_to(at_);
  Token token;
  token.kind = kind;
  token.begin = static_cast<std::uint32_t>(at_);
  token.end = static_cast<std::uint32_t>(end);
  token.line = line_;
  token.column = column_;
  token.first = std::exchange(fresh_line_, false);
  token.glued = !out_.tokens.empty() && out_.tokens.back().end == token.begin;
  return token;
}

void Lexer::put(Token token) {
  at_ = token.end;
  count_to(at_);        // a string may hold newlines,
  fresh_line_ = false;  // yet what follows it is not first on its line
  out_.tokens.push_back(token);
}

void Lexer::put_faulty(Token token, Msg msg, std::vector<std::string> args,
                       std::string repair) {
  put_faulty(token, msg, span(token.begin, token.end), std::move(args),
             std::move(repair));
}

void Lexer::put_faulty(Token token, Msg msg, Span where,
                       std::vector<std::string> args, std::string repair) {
  token.fault = static_cast<std::int32_t>(out_.faults.size());
  out_.faults.push_back({msg, where, std::move(args), std::move(repair)});
  put(token);
}

Span Lexer::span(std::size_t begin, std::size_t end) const {
  return {file_, static_cast<std::uint32_t>(begin),
          static_cast<std::uint32_t>(end)};
}

char Lexer::peek(std::size_t offset) const {
  return offset < text_.size() ? text_[offset] : '\0';
}

std::size_t Lexer::name_end(std::size_t from) const {
  while (from < text_.size() && is_name_char(text_[from])) ++from;
  return from;
}

void Lexer::read_token() {
  const char c = text_[at_];
  if (is_name_start(c)) return read_name();
  if (is_digit(c)) return read_number();
  if (c == '"') return read_string();
  if (c == '\'') return read_char();
  if (c == '&' && read_quantity()) return;
  if (read_operator() || read_punctuation()) return;
  read_stray();
}

void Lexer::read_name() {
  const std::size_t end = name_end(at_);
  const std::string_view word = text_.substr(at_, end - at_);
  const Token token = start_token(end, word_kind(word));
  if (is_dotted_name(word)) return put(token);
  put_faulty(token, Msg::kMalformedName, {std::string(word)});
}

bool Lexer::read_quantity() {
  const char digit = peek(at_ + 1);
  if (digit < '0' || digit > '2' || is_name_char(peek(at_ + 2))) return false;
  Token token = start_token(at_ + 2, Tok::kQuantity);
  token.value = static_cast<std::uint64_t>(digit - '0');
  put(token);
  return true;
}

bool Lexer::read_operator() {
  if (!is_operator_char(text_[at_])) return false;
  // As many operator characters as follow, three at most: `->` ends before
  // the name, and a longer row of them is cut.
  std::size_t most = 1;
  while (most < 3 && is_part_of_operator(peek(at_ + most))) ++most;
  for (std::size_t length = most; length > 0; --length) {
    const std::string_view text = text_.substr(at_, length);
    const std::size_t op = find_operator(text);
    if (text.size() != length) continue;
    if (op == kNoOperator) {
      if (length == 2 && is_longer_punctuation(text)) return false;
      continue;
    }
    put(operator_token(op, length));
    return true;
  }
  return false;
}

bool Lexer::is_longer_punctuation(std::string_view text) {
  return std::any_of(std::begin(kPunctuation), std::end(kPunctuation),
                     [&](const auto& row) { return row.first == text; });
}

Token Lexer::operator_token(std::size_t op, std::size_t length) {
  Token token = start_token(at_ + length, Tok::kOp);
  token.op = static_cast<std::uint8_t>(op);
  const char c = text_[at_];
  const char next = peek(at_ + length);
  if (c == '>' && token.glued) {
    token.kind = Tok::kTightGreater;
    token.end = token.begin + 1;
  } else if (length == 1 && (c == '+' || c == '-')) {
    if (is_name_start(next)) {
      token.kind = c == '+' ? Tok::kPlusMark : Tok::kMinusMark;
    }
  } else if (c == '%' && at_ + 1 < text_.size() && !is_space(next)) {
    token.kind = Tok::kRewrite;
  }
  return token;
}

bool Lexer::read_punctuation() {
  const auto byte = static_cast<unsigned char>(text_[at_]);
  if (byte < kSingles.size() && kSingles[byte] != Tok::kEnd) {
    put(start_token(at_ + 1, kSingles[byte]));
    return true;
  }
  for (const auto& [text, kind] : kPunctuation) {
    if (!text_.substr(at_).starts_with(text)) continue;
    put(start_token(at_ + text.size(), kind));
    return true;
  }
  return false;
}

// A run of stray bytes is one token, so that garbage is one message.
void Lexer::read_stray() {
  const Decoded decoded = decode_utf8(text_, at_);
  std::size_t end = at_ + decoded.length;
  while (end < text_.size() && is_stray(text_[end])) ++end;
  const Token token = start_token(end, Tok::kBad);
  std::string shown = "`" + std::string(text_.substr(at_, decoded.length)) +
                      "`";
  const auto code = static_cast<unsigned>(decoded.code);
  if (!decoded.valid) return put_faulty(token, Msg::kInvalidUtf8, {});
  if (code < 0x20 || code == 0x7F) shown = "number " + std::to_string(code);
  put_faulty(token, Msg::kStrayByte, {shown});
}

TokenStream lex(const SourceMap& sources, FileId file, std::uint32_t from) {
  return Lexer(sources, file, from).run();
}

}  // namespace tine
