// Cursor, messages, recovery and the entry points.
#include "compiler/syntax/parser.h"

#include <algorithm>
#include <limits>

#include "compiler/syntax/imports.h"
#include "compiler/syntax/utf8.h"

namespace tine {

namespace {

constexpr std::size_t kMaxFileBytes = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kShownChars = 40;  // of a token in a message

std::string clip(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t n = 0; at < text.size() && n < kShownChars; ++n) {
    const Decoded decoded = decode_utf8(text, at);
    append_utf8(out, decoded.code < 0x20 ? U' ' : decoded.code);
    at += decoded.length;
  }
  return at < text.size() ? out + "..." : out;
}

}  // namespace

Parser::Parser(const SourceMap& sources, FileId file, FileTree& tree,
               Sink& sink, std::uint32_t from, Shape* shape)
    : file_(file), tree_(tree), sink_(sink), source_(sources.file(file).text),
      stream_(lex(sources, file, from)), end_(stream_.tokens.back()),
      last_end_(from), shape_(shape) {
  tree_.comments.insert(tree_.comments.end(), stream_.comments.begin(),
                        stream_.comments.end());
  if (shape_ == nullptr) return;
  shape_->body = from;
  shape_->roles.assign(stream_.tokens.size(), TokenRole::kPlain);
  shape_->marks.assign(stream_.tokens.size(), 0);
}

// Cursor
// ------

const Token& Parser::peek(std::size_t ahead) const {
  const std::size_t index = pos_ + ahead;
  if (panic_ || index >= stream_.tokens.size()) return end_;
  return stream_.tokens[index];
}

bool Parser::at_op(std::size_t op) const {
  return at(Tok::kOp) && peek().op == op;
}

// `def`, `type`, `law` or `@unsafe` at the start of a line.
bool Parser::at_declaration(std::size_t ahead) const {
  const Token& token = peek(ahead);
  switch (token.kind) {
    case Tok::kDef:
    case Tok::kType:
    case Tok::kLaw:
      return token.first;
    case Tok::kAt:
      return token.first && peek(ahead + 1).kind == Tok::kName &&
             peek(ahead + 2).kind == Tok::kDef;
    default:
      return false;
  }
}

bool Parser::closes_type_args() const {
  return at(Tok::kTightGreater) ||
         (at(Tok::kOp) && kOperators[peek().op].text == ">");
}

bool Parser::at_term_start() const {
  switch (peek().kind) {
    case Tok::kName:
    case Tok::kU32:
    case Tok::kNat:
    case Tok::kSucc:
    case Tok::kF32:
    case Tok::kChar:
    case Tok::kString:
    case Tok::kQuantity:
    case Tok::kDo:
    case Tok::kTypeUniverse:
    case Tok::kDataUniverse:
    case Tok::kKind:
    case Tok::kQuant:
    case Tok::kLParen:
    case Tok::kLBracket:
    case Tok::kLBrace:
    case Tok::kRewrite:
    case Tok::kBackslash:
    case Tok::kQuestion:
    case Tok::kPlusMark:
      return true;
    case Tok::kAt:
      return !at_declaration();
    default:
      return at_op(kOpAmp);
  }
}

Token Parser::take() {
  const Token token = peek();
  if (panic_ || token.kind == Tok::kEnd) return token;
  ++pos_;
  last_end_ = token.end;
  if (token.fault != kNoFault) report_fault(token);
  return token;
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool Parser::expect(Tok kind, std::string_view what) {
  if (accept(kind)) return true;
  unexpected(what);
  return false;
}

// Expects what closes `open`; at the end of the file or at a declaration the
// opener is to blame.
bool Parser::expect_close(const Token& open, Tok kind, std::string_view what) {
  if (accept(kind)) return true;
  if (panic_) return false;
  if (at(Tok::kEnd) || at_declaration()) {
    panic(Msg::kUnclosed, span_of(open), {std::string(text_of(open))});
    return false;
  }
  Diag* diag = unexpected(what);
  if (diag == nullptr) return false;
  diag->notes.push_back(
      {span_of(open), "to close this `" + std::string(text_of(open)) + "`"});
  return false;
}

bool Parser::enter_nesting() {
  if (depth_ <= kMaxNesting) return true;
  panic(Msg::kNestingTooDeep, span_of(peek()), {std::to_string(kMaxNesting)});
  return false;
}

std::string_view Parser::text_of(const Token& token) const {
  return source_.substr(token.begin, token.end - token.begin);
}

std::string Parser::describe(const Token& token) const {
  switch (token.kind) {
    case Tok::kEnd:
      return "the end of the file";
    case Tok::kString:
      return "a string";
    case Tok::kU32:
    case Tok::kNat:
    case Tok::kSucc:
    case Tok::kF32:
      return "the number `" + clip(text_of(token)) + "`";
    default:
      break;
  }
  const bool reserved = token.kind >= Tok::kDef && token.kind <= Tok::kQuant;
  return (reserved ? "the reserved word `" : "`") + clip(text_of(token)) + "`";
}

Span Parser::span_of(const Token& token) const {
  return {file_, token.begin, token.end};
}

Node* Parser::make(NodeKind kind, Span span,
                   std::initializer_list<Node*> kids) {
  Node* node = tree_.make(kind, span);
  node->kids = kids;
  return node;
}

// Messages
// --------

Diag& Parser::report(Msg msg, Span span) { return report(msg, span, {}); }

Diag& Parser::report(Msg msg, Span span, std::vector<std::string> args) {
  Diag& diag = sink_.report(msg, span, std::move(args));
  diag.where = where_;
  return diag;
}

// Reports and gives the declaration up. Null when it is already given up.
Diag* Parser::panic(Msg msg, Span span, std::vector<std::string> args) {
  if (panic_) return nullptr;
  Diag& diag = report(msg, span, std::move(args));
  panic_ = true;
  end_.begin = end_.end = last_end_;
  return &diag;
}

Node* Parser::fail(Msg msg, Span span) { return fail(msg, span, {}); }

Node* Parser::fail(Msg msg, Span span, std::vector<std::string> args,
                   std::string repair) {
  Diag* diag = panic(msg, span, std::move(args));
  if (diag != nullptr && !repair.empty()) diag->repair = std::move(repair);
  return error_node();
}

// The next token is not `what`: says so, or what is likely meant. Null when
// the message is not the plain one.
Diag* Parser::unexpected(std::string_view what) {
  if (panic_ || report_special()) return nullptr;
  const Token token = peek();
  // What is missing at the end of a line is missed there.
  const bool below = pos_ > 0 && (token.first || token.kind == Tok::kEnd);
  return panic(Msg::kExpectedToken, below ? after_last() : span_of(token),
               {std::string(what), describe(token)});
}

// Tokens that have a message of their own wherever they are unexpected.
bool Parser::report_special() {
  const Token token = peek();
  const std::string text(text_of(token));
  switch (token.kind) {
    case Tok::kBad:
      take();
      panic_ = true;
      return true;
    case Tok::kEqual:
    case Tok::kNotEqual:
      fail(Msg::kEqualityOperator, span_of(token), {text},
           token.kind == Tok::kEqual
               ? "call an equality test such as `U32.is_eq(a, b)`"
               : "call an inequality test such as `U32.is_ne(a, b)`");
      return true;
    case Tok::kTightGreater:
      fail(Msg::kTightGreater, span_of(token), {},
           "put a space before the `>`");
      return true;
    case Tok::kLBrace:
      if (!is_spaced_brace(pos_)) return false;
      report_spaced_brace(pos_);
      return true;
    default:
      return false;
  }
}

// `K {`: a brace on the line of the name before it that does not touch it.
bool Parser::is_spaced_brace(std::size_t brace) const {
  if (brace == 0 || brace >= stream_.tokens.size()) return false;
  const Token& token = stream_.tokens[brace];
  const Token& name = stream_.tokens[brace - 1];
  return name.kind == Tok::kName && !token.glued && !token.first;
}

void Parser::report_spaced_brace(std::size_t brace) {
  const Token& name = stream_.tokens[brace - 1];
  const Token& token = stream_.tokens[brace];
  fail(Msg::kSpacedBrace, {file_, name.begin, token.end}, {},
       "write `" + std::string(text_of(name)) + "{` without the space");
}

void Parser::report_fault(const Token& token) {
  const LexFault& fault = stream_.faults[static_cast<std::size_t>(token.fault)];
  if (fault.msg == Msg::kInvalidUtf8) return;  // parse_file has reported it
  Diag& diag = report(fault.msg, fault.span, fault.args);
  if (!fault.repair.empty()) diag.repair = fault.repair;
}

void Parser::recover() {
  if (!panic_) return;
  panic_ = false;
  while (!at(Tok::kEnd) && !at_declaration()) ++pos_;
}

// Words of other languages are plain names here: `if x: y` reads as the body
// `if` and junk behind it.
bool Parser::report_foreign_word() {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"if", "match on the Bool: `match b:`, `case True{}: ..`"},
      {"else", "match on the Bool: `match b:`, `case True{}: ..`"},
      {"elif", "match on the Bool: `match b:`, `case True{}: ..`"},
      {"let", "drop the `let`: `x = v` is a let"},
      {"fun", "write `x => body`"},
      {"lambda", "write `x => body`"},
      {"while", "recurse on a Nat"},
  };
  for (std::size_t i = pos_ > 0 ? pos_ - 1 : 0; i <= pos_; ++i) {
    const Token& token = stream_.tokens[i];
    if (token.kind != Tok::kName || token.line != peek().line) continue;
    for (const auto& [word, repair] : kWords) {
      if (text_of(token) != word) continue;
      fail(Msg::kForeignWord, span_of(token), {std::string(word)},
           std::string(repair));
      return true;
    }
  }
  return false;
}

// What follows a finished declaration is none.
void Parser::report_junk() {
  if (report_special()) return;
  const Token token = peek();
  if (report_foreign_word()) return;
  if (token.kind == Tok::kImport) {
    fail(Msg::kImportLate, span_of(token));
  } else if (token.kind == Tok::kCase) {
    fail(Msg::kCaseOutsideMatch, span_of(token), {},
         "align it with the first `case` of its match");
  } else if (token.kind == Tok::kReturn) {
    fail(Msg::kReturnOutsideDo, span_of(token));
  } else {
    fail(Msg::kTopLevelJunk, span_of(token), {describe(token)});
  }
}

// The shape
// ---------

void Parser::set_mark(unsigned bits) {
  if (shape_ != nullptr) shape_->marks[pos_] |= static_cast<std::uint8_t>(bits);
}

void Parser::set_role(TokenRole role, std::size_t token) {
  if (shape_ != nullptr) shape_->roles[token] = role;
}

std::size_t Parser::open_stretch(StretchKind kind) {
  if (shape_ == nullptr) return 0;
  const auto begin = static_cast<std::uint32_t>(pos_);
  shape_->stretches.push_back({kind, begin, begin, begin});
  return shape_->stretches.size() - 1;
}

void Parser::set_middle(std::size_t stretch) {
  if (shape_ == nullptr) return;
  shape_->stretches[stretch].middle = static_cast<std::uint32_t>(pos_);
}

void Parser::close_stretch(std::size_t stretch) {
  if (shape_ == nullptr) return;
  shape_->stretches[stretch].end = static_cast<std::uint32_t>(pos_);
}

void Parser::finish_shape() {
  if (shape_ != nullptr) shape_->stream = std::move(stream_);
}

// Entry points
// ------------

void Parser::parse_declarations() {
  while (!at(Tok::kEnd)) {
    decl_ = open_stretch(StretchKind::kDecl);
    parse_declaration();
    close_stretch(decl_);
    recover();
  }
}

Node* Parser::parse_whole() {
  Node* body = parse_body_here();
  if (!panic_ && !at(Tok::kEnd)) unexpected("the end of the expression");
  return panic_ ? nullptr : body;
}

namespace {

// Reports what makes a text unfit to be read at all, or malformed bytes.
bool check_text(const SourceMap& sources, FileId file, Sink& sink) {
  const SourceFile& source = sources.file(file);
  if (source.text.size() > kMaxFileBytes) {
    sink.report(Msg::kFileTooLarge, {file, 0, 0}, {source.path});
    return false;
  }
  const std::size_t bad = find_invalid_utf8(source.text);
  if (bad != std::string_view::npos) {
    const auto at = static_cast<std::uint32_t>(bad);
    sink.report(Msg::kInvalidUtf8, {file, at, at + 1});
  }
  return true;
}

}  // namespace

void parse_file(const SourceMap& sources, FileId file, FileTree& tree,
                Sink& sink, Shape* shape) {
  tree.file = file;
  if (!check_text(sources, file, sink)) return;
  const std::uint32_t body = parse_imports(sources, file, tree, sink);
  Parser parser(sources, file, tree, sink, body, shape);
  parser.parse_declarations();
  parser.finish_shape();
}

Node* parse_expression(const SourceMap& sources, FileId file, FileTree& tree,
                       Sink& sink) {
  const std::size_t errors = sink.errors();
  tree.file = file;
  if (!check_text(sources, file, sink)) return nullptr;
  Node* body = Parser(sources, file, tree, sink, 0).parse_whole();
  return sink.errors() == errors ? body : nullptr;
}

}  // namespace tine
