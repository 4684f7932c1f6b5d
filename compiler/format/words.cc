// See words.h.
#include "compiler/format/words.h"

#include <algorithm>

namespace tine {

bool opens_bracket(const Token& token, TokenRole role) {
  return token.kind == Tok::kLParen || token.kind == Tok::kLBracket ||
         token.kind == Tok::kLBrace || role == TokenRole::kTypeOpen;
}

bool closes_bracket(const Token& token, TokenRole role) {
  return token.kind == Tok::kRParen || token.kind == Tok::kRBracket ||
         token.kind == Tok::kRBrace || role == TokenRole::kTypeClose;
}

namespace {

// Decides which tokens must start a line.
class Breaker {
 public:
  explicit Breaker(const Shape& shape)
      : shape_(shape), tokens_(shape.stream.tokens),
        breaks_(tokens_.size(), false) {
    rows_.reserve(tokens_.size());
    for (const Token& token : tokens_) {
      rows_.push_back((rows_.empty() ? 0 : rows_.back()) +
                      (token.first ? 1 : 0));
    }
  }

  std::vector<bool> run() {
    std::size_t next = 0;
    const std::vector<Stretch>& all = shape_.stretches;
    for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
      while (!open_.empty() && open_.back().end <= i) open_.pop_back();
      const unsigned own = kMarkStatement | kMarkMember;
      if ((shape_.marks[i] & own) != 0 && !open_.empty() &&
          open_.back().spread) {
        breaks_[i] = true;
      }
      for (; next < all.size() && all[next].begin == i; ++next) {
        enter(all[next]);
      }
    }
    return std::move(breaks_);
  }

 private:
  struct Open {
    StretchKind kind;
    std::uint32_t end;
    std::uint32_t middle;
    bool spread;  // its parts get a line each
  };

  bool is_spread(std::uint32_t from, std::uint32_t end) const {
    return end > from && rows_[end - 1] != rows_[from];
  }

  void enter(const Stretch& stretch) {
    switch (stretch.kind) {
      case StretchKind::kPlainBody:
      case StretchKind::kValue:
        return;
      case StretchKind::kBody:
        return enter_body(stretch);
      case StretchKind::kDecl:
        breaks_[stretch.begin] = true;
        break;
      case StretchKind::kCase:
        if (open_.back().spread) breaks_[stretch.begin] = true;
        break;
      default:
        break;
    }
    const bool spread = is_spread(stretch.middle - 1, stretch.end);
    if (spread && stretch.kind != StretchKind::kMatch) {
      breaks_[stretch.middle] = true;
    }
    open_.push_back({stretch.kind, stretch.end, stretch.middle, spread});
  }

  void enter_body(const Stretch& body) {
    const Open& outer = open_.back();
    const bool owned = outer.middle == body.begin && outer.spread;
    const bool spread = owned || is_spread(body.begin, body.end);
    if (spread && tokens_[body.begin - 1].kind == Tok::kFatArrow) {
      breaks_[body.begin] = true;
    }
    open_.push_back({body.kind, body.end, body.begin, spread});
  }

  const Shape& shape_;
  const std::vector<Token>& tokens_;
  std::vector<std::uint32_t> rows_;
  std::vector<bool> breaks_;
  std::vector<Open> open_;
};

// Puts the words together.
class Splitter {
 public:
  Splitter(std::string_view text, const Shape& shape,
           const std::vector<Span>& comments, std::uint32_t stop)
      : text_(text), shape_(shape), tokens_(shape.stream.tokens),
        breaks_(Breaker(shape).run()) {
    for (const Span& comment : comments) {
      if (comment.begin >= shape.body && comment.begin < stop) {
        out_.comments.push_back(comment);
      }
    }
  }

  SourceWords run() {
    for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
      const Tok kind = tokens_[i].kind;
      if (kind == Tok::kComma || kind == Tok::kSemi) {
        take_tail(i);
      } else {
        take_word(i);
      }
    }
    return std::move(out_);
  }

 private:
  // A break before a comma moves behind it.
  void take_tail(std::uint32_t i) {
    pending_break_ = pending_break_ || tokens_[i].first;
    SourceWord& before = out_.words.back();
    before.tail = tokens_[i].kind == Tok::kComma ? "," : ";";
    take_comments(tokens_[i].begin);
    before.end = tokens_[i].end;
  }

  void take_word(std::uint32_t i) {
    const Token& token = tokens_[i];
    SourceWord word;
    word.token = i;
    word.starts_line = token.first || breaks_[i] || pending_break_ ||
                       out_.words.empty();
    pending_break_ = false;
    take_comments(token.kind == Tok::kEnd ? text_.size() : token.begin);
    word.comments = first_;
    word.trailing = trailing_;
    word.end = token.end;
    word.row = (out_.words.empty() ? 0 : out_.words.back().row) +
               (word.starts_line ? 1 : 0);
    first_ = taken_;
    trailing_ = false;
    if (!out_.words.empty()) finish_tail(out_.words.back(), word);
    out_.words.push_back(word);
  }

  // Comments up to `offset` stand before the next word.
  void take_comments(std::size_t offset) {
    while (taken_ < out_.comments.size() &&
           out_.comments[taken_].begin < offset) {
      if (taken_ == first_ && !out_.words.empty()) {
        const std::uint32_t from = out_.words.back().end;
        const std::uint32_t to = out_.comments[taken_].begin;
        trailing_ = text_.substr(from, to - from).find('\n') ==
                    std::string_view::npos;
      }
      ++taken_;
    }
  }

  // The tail of a word, given the next one.
  void finish_tail(SourceWord& word, const SourceWord& next) const {
    const Token& token = tokens_[next.token];
    const unsigned marks = shape_.marks[next.token];
    if (word.tail.empty()) {
      if ((marks & kMarkComma) != 0) word.tail = ",";
    } else if (word.tail == ",") {
      const bool closes = closes_bracket(token, shape_.roles[next.token]);
      if (token.kind == Tok::kColon || (closes && !next.starts_line)) {
        word.tail = "";
      }
    } else if ((marks & kMarkStatement) != 0 && next.starts_line &&
               token.kind != Tok::kOp) {
      word.tail = "";
    }
  }

  std::string_view text_;
  const Shape& shape_;
  const std::vector<Token>& tokens_;
  std::vector<bool> breaks_;
  SourceWords out_;
  std::uint32_t first_ = 0;   // first comment since the last word
  std::uint32_t taken_ = 0;
  bool trailing_ = false;
  bool pending_break_ = false;
};

}  // namespace

SourceWords split_words(std::string_view text, const Shape& shape,
                        const std::vector<Span>& comments,
                        std::uint32_t stop) {
  return Splitter(text, shape, comments, stop).run();
}

}  // namespace tine
