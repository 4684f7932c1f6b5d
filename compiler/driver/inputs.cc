// See inputs.h.
#include "compiler/driver/inputs.h"

#include <vector>

#include "compiler/syntax/imports.h"
#include "compiler/syntax/surface.h"
#include "compiler/syntax/token.h"

namespace tine {
namespace {

// A text with its tokens.
struct Scanned {
  SourceMap sources;
  FileId file;
  TokenStream stream;

  explicit Scanned(std::string_view text, bool imports = true) {
    file = sources.add("", std::string(text));
    FileTree tree;
    Sink sink;
    std::uint32_t from = 0;
    if (imports) from = parse_imports(sources, file, tree, sink);
    stream = lex(sources, file, from);
  }
  std::string_view word(const Token& token) const {
    return sources.text({file, token.begin, token.end});
  }
};

bool opens(Tok kind) {
  return kind == Tok::kLParen || kind == Tok::kLBracket ||
         kind == Tok::kLBrace;
}

bool closes(Tok kind) {
  return kind == Tok::kRParen || kind == Tok::kRBracket ||
         kind == Tok::kRBrace;
}

bool is_open(const Scanned& scan) {
  int depth = 0;
  for (const Token& token : scan.stream.tokens) {
    if (opens(token.kind)) ++depth;
    if (closes(token.kind)) --depth;
  }
  return depth > 0;
}

// Does a line end in `:` or `=>`, so that a block follows it?
bool has_block(const Scanned& scan) {
  const std::vector<Token>& tokens = scan.stream.tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    bool heads = tokens[i].kind == Tok::kColon ||
                 tokens[i].kind == Tok::kFatArrow;
    bool last = tokens[i + 1].kind == Tok::kEnd || tokens[i + 1].first;
    if (heads && last) return true;
  }
  return false;
}

bool last_line_is_blank(std::string_view text) {
  std::size_t line = text.rfind('\n');
  if (line == std::string_view::npos) return false;
  return text.find_first_not_of(" \t\r", line + 1) == std::string_view::npos;
}

bool is_declaration(const Scanned& scan) {
  switch (scan.stream.tokens.front().kind) {
    case Tok::kDef:
    case Tok::kType:
    case Tok::kLaw:
    case Tok::kImport:
      return true;
    case Tok::kAt:  // @unsafe def, not @x: A -> B
      return scan.word(scan.stream.tokens[1]) == "unsafe";
    default:
      return false;
  }
}

// Is the first error that the text ends too early?
bool ends_early(std::string_view text, bool declaration) {
  SourceMap sources;
  FileId file = sources.add("", std::string(text));
  FileTree tree;
  Sink sink;
  if (declaration) {
    parse_file(sources, file, tree, sink);
  } else {
    parse_expression(sources, file, tree, sink);
  }
  if (!sink.has_errors()) return false;
  const Diag& first = sink.diags().front();
  if (first.msg == Msg::kUnterminatedString) return true;
  std::size_t end = text.find_last_not_of(" \t\r\n");
  return first.msg == Msg::kUnclosed || first.msg == Msg::kBodyNoValue ||
         first.span.begin > end;
}

}  // namespace

InputKind classify_input(std::string_view text) {
  // `import` is a word of the header only, so the header is scanned too.
  Scanned scan(text, false);
  if (scan.stream.tokens.front().kind == Tok::kEnd) return InputKind::kEmpty;
  bool declaration = is_declaration(scan);
  InputKind complete =
      declaration ? InputKind::kDeclaration : InputKind::kExpression;
  if (is_open(scan)) return InputKind::kIncomplete;
  if (last_line_is_blank(text)) return complete;
  if (has_block(scan) || ends_early(text, declaration)) {
    return InputKind::kIncomplete;
  }
  return complete;
}

std::map<std::string, std::size_t> words_of(std::string_view text) {
  std::map<std::string, std::size_t> words;
  Scanned scan(text);
  for (const Token& token : scan.stream.tokens) {
    if (token.kind == Tok::kName) ++words[std::string(scan.word(token))];
  }
  return words;
}

std::string rename_words(std::string_view text, const Renaming& renaming) {
  Scanned scan(text);
  std::string out;
  std::size_t done = 0;
  for (const Token& token : scan.stream.tokens) {
    if (token.kind != Tok::kName) continue;
    std::string word(scan.word(token));
    std::string head = word.substr(0, word.find('.'));
    std::string rest = word.substr(head.size());
    auto found = renaming.words.find(word);
    if (found != renaming.words.end()) {
      rest.clear();
    } else if (!rest.empty() && renaming.types.contains(head)) {
      found = renaming.words.find(head);
    }
    if (found == renaming.words.end()) continue;
    out += text.substr(done, token.begin - done);
    out += found->second + rest;
    done = token.end;
  }
  out += text.substr(done);
  return out;
}

std::optional<std::pair<std::string, std::string>> split_equation(
    std::string_view text) {
  Scanned scan(text, false);
  int depth = 0;
  for (const Token& token : scan.stream.tokens) {
    if (opens(token.kind)) ++depth;
    if (closes(token.kind)) --depth;
    if (depth != 0 || token.kind != Tok::kEqual) continue;
    return std::pair(std::string(text.substr(0, token.begin)),
                     std::string(text.substr(token.end)));
  }
  return std::nullopt;
}

}  // namespace tine
