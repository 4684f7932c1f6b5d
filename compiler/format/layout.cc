// See layout.h.
//
// One pass over the words with a stack of frames: one for each stretch and
// bracket that is open. `unit` of a frame is the indentation of the statement
// or item being laid out in it.
#include "compiler/format/layout.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "compiler/format/spaces.h"

namespace tine {
namespace {

constexpr std::uint32_t kStep = 2;
constexpr std::string_view kOutputMark = "#|";
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

struct Frame {
  enum class Kind : std::uint8_t {
    kDecl, kMatch, kCase, kDo, kBody, kValue, kBracket
  };
  Kind kind{};
  std::uint32_t end = kNever;  // token
  std::uint32_t middle = 0;    // token
  std::uint32_t indent = 0;    // of its statements, steps or items
  std::uint32_t unit = 0;
  std::uint32_t first_unit = 0;  // of items on the line of the bracket
  std::uint32_t hang = kStep;  // what continues a unit stands so far right
  bool aligned = false;        // a bracket whose items stand under the first
  std::uint32_t close = 0;     // of the closing bracket at a line's start
  std::size_t opener = 0;      // word
  std::uint32_t row = 0;       // where the bracket opens
  std::uint32_t close_row = 0;
  std::uint32_t column = 0;    // in the source; 0 when inside a line
};

// Where a comment of its own line may stand.
struct Place {
  std::uint32_t column = 1;  // of the lines there, in the source
  std::uint32_t indent = 0;
};

class Layouter {
 public:
  Layouter(std::string_view text, const Shape& shape,
           const SourceWords& words, std::uint32_t& last,
           std::vector<FormatLine>& lines)
      : text_(text), shape_(shape), tokens_(shape.stream.tokens),
        words_(words.words), comments_(words.comments), last_(last),
        lines_(lines) {
    match_brackets();
  }

  void run() {
    for (at_ = 0; at_ < words_.size(); ++at_) lay_word();
  }

 private:
  const SourceWord& word() const { return words_[at_]; }
  std::uint32_t token_at() const { return word().token; }
  const Token& token() const { return tokens_[token_at()]; }
  unsigned marks() const { return shape_.marks[token_at()]; }
  bool is_closer() const {
    return closes_bracket(token(), shape_.roles[token_at()]);
  }
  RoledToken roled(const SourceWord& word) const {
    return {tokens_[word.token], shape_.roles[word.token]};
  }

  void match_brackets();
  void lay_word();
  bool is_spaced() const;
  void pop_frames();
  bool is_item() const;
  std::uint32_t indent_of() const;
  std::uint32_t comment_indent(const Span& comment, std::uint32_t next) const;
  void put_comments(std::uint32_t next);
  void put_comment(std::uint32_t begin, std::string_view text,
                   std::uint32_t indent);
  void start_line(std::uint32_t indent);
  void put_text(std::string_view text);
  void start_item();
  void push_stretches();
  void push_stretch(const Stretch& stretch);
  void push_bracket();
  bool is_aligned() const;
  bool in_head(const Frame& frame) const;

  std::string_view text_;
  const Shape& shape_;
  const std::vector<Token>& tokens_;
  const std::vector<SourceWord>& words_;
  const std::vector<Span>& comments_;
  std::uint32_t& last_;
  std::vector<FormatLine>& lines_;
  struct Bracket {
    std::size_t close = 0;   // word
    bool many = false;       // it has more than one item
    bool stacked = false;    // one that is not the first starts a line
  };
  std::vector<Bracket> brackets_;  // of the words that open one
  std::vector<Frame> frames_;
  std::vector<Place> left_;    // what ended before the word, by column
  std::size_t at_ = 0;
  std::size_t stretch_ = 0;    // the next to begin
  std::uint32_t indent_ = 0;   // of the current line
  bool glued_ = false;         // the last word touches the one before it
  bool opened_ = false;        // the line so far ends with an opener
};

void Layouter::match_brackets() {
  brackets_.resize(words_.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const RoledToken here = roled(words_[i]);
    const bool item = (shape_.marks[words_[i].token] & kMarkItem) != 0;
    if (item && !open.empty()) {
      brackets_[open.back()].many = true;
      if (words_[i].starts_line) brackets_[open.back()].stacked = true;
    }
    if (closes_bracket(here.token, here.role)) {
      brackets_[open.back()].close = i;
      open.pop_back();
    } else if (opens_bracket(here.token, here.role)) {
      open.push_back(i);
    }
  }
}

void Layouter::lay_word() {
  pop_frames();
  if (token().kind == Tok::kEnd) return put_comments(0);
  if (word().starts_line) {
    const std::uint32_t indent = indent_of();
    put_comments(is_closer() ? frames_.back().indent : indent);
    start_line(indent);
  }
  glued_ = !word().starts_line && !is_spaced();
  if (!glued_ && !word().starts_line) put_text(" ");
  start_item();
  push_stretches();
  put_text(text_.substr(token().begin, token().end - token().begin));
  put_text(word().tail);
  last_ = word().end;
  if (is_closer()) {
    frames_.pop_back();
  } else if (opens_bracket(token(), shape_.roles[token_at()])) {
    push_bracket();
  }
  opened_ = opens_bracket(token(), shape_.roles[token_at()]) ||
            (token().kind == Tok::kColon &&
             shape_.roles[token_at()] == TokenRole::kPlain);
}

// Does a space stand before this word, which goes on a line?
bool Layouter::is_spaced() const {
  const SourceWord& before = words_[at_ - 1];
  const RoledToken left = roled(before), right = roled(word());
  // A `>` that touches nothing would be read as one operator with the next.
  const bool loose = left.role == TokenRole::kTypeClose &&
                     right.role == TokenRole::kTypeClose && !glued_;
  return loose || !before.tail.empty() || space_between(left, right);
}

// Ends what ends before this word; remembers where comments there may stand.
void Layouter::pop_frames() {
  left_.clear();
  while (!frames_.empty() && frames_.back().end <= token_at()) {
    const Frame& frame = frames_.back();
    if (frame.column > 0) left_.push_back({frame.column, frame.indent});
    frames_.pop_back();
  }
  std::stable_sort(left_.begin(), left_.end(),
                   [](const Place& a, const Place& b) {
                     return a.column < b.column;
                   });
}

bool Layouter::in_head(const Frame& frame) const {
  switch (frame.kind) {
    case Frame::Kind::kDecl:
    case Frame::Kind::kMatch:
    case Frame::Kind::kCase:
      return token_at() < frame.middle;
    default:
      return false;
  }
}

bool Layouter::is_item() const {
  return (marks() & kMarkItem) != 0 || frames_.back().opener + 1 == at_;
}

// The indentation of a line that starts with this word.
std::uint32_t Layouter::indent_of() const {
  const bool begins = stretch_ < shape_.stretches.size() &&
                      shape_.stretches[stretch_].begin == token_at();
  const StretchKind kind =
      begins ? shape_.stretches[stretch_].kind : StretchKind::kPlainBody;
  if (begins && kind == StretchKind::kDecl) return 0;
  const Frame& top = frames_.back();
  switch (top.kind) {
    case Frame::Kind::kMatch:
      if (kind == StretchKind::kCase) return top.indent + kStep;
      break;
    case Frame::Kind::kDecl:
      if (token().kind == Tok::kDef) return 0;  // below its @unsafe
      if ((marks() & kMarkMember) != 0) return top.indent + kStep;
      [[fallthrough]];
    case Frame::Kind::kCase:
      if (token_at() == top.middle) return top.indent + kStep;
      break;
    case Frame::Kind::kDo:
      if (token_at() == top.middle) return top.indent;
      [[fallthrough]];
    case Frame::Kind::kBody:
      if ((marks() & kMarkStatement) != 0) return top.indent;
      break;
    case Frame::Kind::kBracket:
      if (is_closer()) return top.close;
      if (is_item()) return top.indent;
      break;
    case Frame::Kind::kValue:
      break;
  }
  const bool lambda = begins && kind == StretchKind::kBody;
  return lambda ? std::max(top.unit, indent_) + kStep : top.unit + top.hang;
}

// Comments
// --------

// Where a comment stands in the source tells what it belongs to: the place
// that is the farthest right but not right of it.
std::uint32_t Layouter::comment_indent(const Span& comment,
                                       std::uint32_t next) const {
  const std::uint32_t column = column_of(text_, comment.begin);
  const auto right = std::upper_bound(
      left_.begin(), left_.end(), column,
      [](std::uint32_t at, const Place& place) { return at < place.column; });
  const std::uint32_t own = token().kind == Tok::kEnd ? 1 : token().column;
  if (right == left_.begin()) return next;
  const Place& place = *std::prev(right);
  return own <= column && own >= place.column ? next : place.indent;
}

void Layouter::put_comments(std::uint32_t next) {
  const std::uint32_t end = at_ + 1 < words_.size()
                                ? words_[at_ + 1].comments
                                : static_cast<std::uint32_t>(comments_.size());
  for (std::uint32_t i = word().comments; i < end; ++i) {
    const Span& comment = comments_[i];
    const std::string_view text =
        trim_end(text_.substr(comment.begin, comment.end - comment.begin));
    if (i == word().comments && word().trailing) {
      lines_.back().comment = text;
      lines_.back().comment_column = column_of(text_, comment.begin);
    } else {
      put_comment(comment.begin, text, comment_indent(comment, next));
    }
    last_ = comment.end;
  }
}

void Layouter::put_comment(std::uint32_t begin, std::string_view text,
                           std::uint32_t indent) {
  // Without its indentation it would be read as expected output.
  if (text.starts_with(kOutputMark) && column_of(text_, begin) > 1) {
    indent = std::max(indent, kStep);
  }
  FormatLine line;
  line.place = indent == 0 ? LinePlace::kTop : LinePlace::kInside;
  line.follows_open = std::exchange(opened_, false);
  line.blank = blank_lines(text_, last_, begin);
  line.text = std::string(indent, ' ') + std::string(text);
  lines_.push_back(std::move(line));
}

// Lines
// -----

void Layouter::start_line(std::uint32_t indent) {
  const bool decl = stretch_ < shape_.stretches.size() &&
                    shape_.stretches[stretch_].begin == token_at() &&
                    shape_.stretches[stretch_].kind == StretchKind::kDecl;
  FormatLine line;
  line.place = decl ? LinePlace::kDecl : LinePlace::kInside;
  line.follows_open = std::exchange(opened_, false) || is_closer();
  line.blank = blank_lines(text_, last_, token().begin);
  line.text = std::string(indent, ' ');
  line.width = indent;
  lines_.push_back(std::move(line));
  indent_ = indent;
}

void Layouter::put_text(std::string_view text) {
  FormatLine& line = lines_.back();
  line.text += text;
  const std::size_t newline = text.rfind('\n');  // in a string
  if (newline != std::string_view::npos) {
    line.width = 0;
    text.remove_prefix(newline + 1);
  }
  line.width += count_chars(text);
}

// Frames
// ------

void Layouter::start_item() {
  if (frames_.empty() || frames_.back().kind != Frame::Kind::kBracket) return;
  if (!is_item()) return;
  Frame& top = frames_.back();
  top.unit = word().row == top.row ? top.first_unit : top.indent;
}

void Layouter::push_stretches() {
  const std::vector<Stretch>& all = shape_.stretches;
  for (; stretch_ < all.size() && all[stretch_].begin == token_at();
       ++stretch_) {
    push_stretch(all[stretch_]);
  }
}

void Layouter::push_stretch(const Stretch& stretch) {
  const std::uint32_t place =
      word().starts_line ? indent_ : lines_.back().width;
  Frame frame;
  frame.end = stretch.end;
  frame.middle = stretch.middle;
  std::uint32_t first = stretch.begin;  // on a line of its own?
  switch (stretch.kind) {
    case StretchKind::kPlainBody:
      if (!word().starts_line) return;
      frame.kind = Frame::Kind::kValue;
      frame.unit = place;
      first = kNever;
      break;
    case StretchKind::kDecl:
      frame.kind = Frame::Kind::kDecl;
      frame.unit = kStep;
      break;
    case StretchKind::kMatch:
      frame.kind = Frame::Kind::kMatch;
      frame.indent = frames_.back().indent;
      frame.unit = frame.indent + kStep;
      break;
    case StretchKind::kCase:
      frame.kind = Frame::Kind::kCase;
      frame.indent = place;
      frame.unit = place + kStep;
      break;
    case StretchKind::kDo:
      frame.kind = Frame::Kind::kDo;
      frame.indent = std::max(frames_.back().unit, indent_) + kStep;
      frame.unit = frame.indent;
      first = stretch.middle;
      break;
    case StretchKind::kBody:
      frame.kind = Frame::Kind::kBody;
      frame.indent = frame.unit = place;
      break;
    case StretchKind::kValue:
      frame.kind = Frame::Kind::kValue;
      frame.unit = frames_.back().unit + kStep;
      first = kNever;
      break;
  }
  if (first != kNever && tokens_[first].first) {
    frame.column = tokens_[first].column;
  }
  frames_.push_back(frame);
}

void Layouter::push_bracket() {
  const Frame& top = frames_.back();
  Frame frame;
  frame.kind = Frame::Kind::kBracket;
  frame.opener = at_;
  frame.row = word().row;
  const SourceWord& close = words_[brackets_[at_].close];
  frame.close_row = close.row;
  if (is_aligned()) {
    frame.aligned = true;
    frame.indent = lines_.back().width;
    frame.close = frame.indent - 1;
    frame.hang = brackets_[at_].many ? kStep : 0;
  } else if (top.kind == Frame::Kind::kBracket && top.row == frame.row) {
    const bool together =
        top.close_row == frame.close_row && !top.aligned;
    frame.indent = together ? top.indent : top.indent + kStep;
    frame.close = together ? top.close : top.indent;
  } else {
    frame.close = std::max(in_head(top) ? top.indent : top.unit, indent_);
    frame.indent =
        (close.starts_line ? frame.close : std::max(top.unit, indent_)) +
        kStep;
  }
  const bool deep = frame.aligned || brackets_[at_].stacked;
  frame.first_unit = frame.unit = frame.indent - (deep ? 0 : kStep);
  frames_.push_back(frame);
}

// Do the items of the bracket that opens here stand under its first? So it is
// for tuples, lists and groups that open a line, or open right in such a one.
bool Layouter::is_aligned() const {
  if (shape_.roles[token_at()] != TokenRole::kPlain) return false;
  if (words_[at_ + 1].starts_line) return false;
  if (word().starts_line) return true;
  const Frame& top = frames_.back();
  return top.kind == Frame::Kind::kBracket && top.aligned &&
         top.opener + 1 == at_;
}

}  // namespace

void lay_out(std::string_view text, const Shape& shape,
             const SourceWords& words, std::uint32_t& last,
             std::vector<FormatLine>& lines) {
  Layouter(text, shape, words, last, lines).run();
}

std::uint32_t blank_lines(std::string_view text, std::uint32_t from,
                          std::uint32_t to) {
  const std::string_view gap = text.substr(from, to - from);
  const auto count = std::count(gap.begin(), gap.end(), '\n');
  return count > 0 ? static_cast<std::uint32_t>(count - 1) : 0;
}

}  // namespace tine
