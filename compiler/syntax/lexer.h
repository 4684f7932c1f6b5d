// The lexer's state. Only lexer.cc and literals.cc need it; everyone else
// calls lex() of token.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/token.h"

namespace tine {

class Lexer {
 public:
  Lexer(const SourceMap& sources, FileId file, std::uint32_t from);
  TokenStream run();

 private:
  // Cursor.
  char peek(std::size_t offset) const;
  Span span(std::size_t begin, std::size_t end) const;
  void count_to(std::size_t offset);
  void skip_blanks();
  std::size_t name_end(std::size_t from) const;

  // Output.
  Token start_token(std::size_t end, Tok kind);
  void put(Token token);
  void put_faulty(Token token, Msg msg, std::vector<std::string> args,
                  std::string repair = "");
  void put_faulty(Token token, Msg msg, Span where,
                  std::vector<std::string> args, std::string repair);

  void read_token();
  void read_name();
  bool read_quantity();
  bool read_operator();
  bool read_punctuation();
  void read_stray();
  static bool is_longer_punctuation(std::string_view text);
  Token operator_token(std::size_t op, std::size_t length);

  // Literals (literals.cc).
  void read_number();
  void read_natural(std::size_t digits_end);
  void read_float(std::size_t digits_end);
  void read_bad_number(std::size_t digits_end);
  void read_string();
  void read_char();
  void read_open_char(std::size_t body);
  struct Escape {
    std::uint64_t code = 0;
    std::size_t end = 0;
    bool valid = false;
    Msg fault{};
  };
  void read_bad_escape(std::size_t body, const Escape& escape);
  Escape read_escape(std::size_t at) const;
  Escape read_unicode_escape(std::size_t at) const;
  std::size_t line_end(std::size_t from) const;
  std::size_t find_quote(std::size_t from);
  LexFault decode_string(std::size_t begin, std::size_t end, std::string& out);

  FileId file_;
  std::string_view text_;
  std::size_t at_ = 0;        // next byte to read
  std::size_t counted_ = 0;   // bytes the line and column stand for
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  bool fresh_line_ = true;    // no token yet on this line
  bool quotes_ended_ = false; // no closing `"` stands in the rest of the file
  TokenStream out_;
};

}  // namespace tine
