// The parser's state: a cursor over the tokens and the rules of the grammar,
// one group of them per source file.
//
//   parser.cc     cursor, messages, recovery, entry points
//   terms.cc      precedence, suffixes, type arguments, lambdas
//   atoms.cc      what a term can start with
//   bodies.cc     chains of statements, lets, match and case
//   do_blocks.cc  do M<..>: steps
//   patterns.cc   terms turned into patterns
//   decls.cc      def, type, law
//
// Errors. The first error of a declaration is reported; then `panic_` is set
// and peek() shows the end of the file, so every loop ends by itself, and
// parsing goes on at the next declaration. Faults that leave the structure
// intact (a bad literal, a bad pattern) are reported without panic.
//
// Bounds. Nesting costs one level of `depth_` per term or match and ends in a
// message at kMaxNesting; the functions that recurse keep their messages in
// functions of their own, so that a level needs little of the stack. What can
// be long but not deep (statements, operator chains, lists, arguments) is
// parsed by loops. Nothing is parsed twice: the one place that must look ahead
// over a type (is `x : T` a typed let or the end of an annotated group?) hands
// the parsed type on in `carried_`.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "compiler/syntax/operators.h"
#include "compiler/syntax/shape.h"
#include "compiler/syntax/surface.h"
#include "compiler/syntax/token.h"

namespace tine {

class Parser {
 public:
  Parser(const SourceMap& sources, FileId file, FileTree& tree, Sink& sink,
         std::uint32_t from, Shape* shape = nullptr);
  void parse_declarations();
  // Moves the tokens to the shape, when there is one.
  void finish_shape();
  // One body that fills the file; null on error.
  Node* parse_whole();

 private:
  // What a `:` or a spaced `>` means to the terms being parsed.
  struct Context {
    bool colon_ends = false;      // `:` ends the term: never a typed let
    bool in_group = false;        // `: T` may follow a body: `(e : T)`
    bool greater_closes = false;  // `>` closes type arguments
  };
  struct Scope {  // sets the context and restores it
    Scope(Parser& parser, Context context)
        : parser(parser), saved(std::exchange(parser.context_, context)) {}
    ~Scope() { parser.context_ = saved; }
    Parser& parser;
    Context saved;
  };
  struct Deeper {  // one level of nesting
    explicit Deeper(Parser& parser) : parser(parser) { ++parser.depth_; }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };
  struct Pending {  // a left operand and its operator, waiting for the right
    Node* left;
    Token op;
  };
  struct Statement {
    Node* node;
    bool open;  // waits for a body
  };

  // parser.cc
  const Token& peek(std::size_t ahead = 0) const;
  bool at(Tok kind) const { return peek().kind == kind; }
  bool at_op(std::size_t op) const;
  bool at_declaration(std::size_t ahead = 0) const;
  bool at_term_start() const;
  bool closes_type_args() const;
  Token take();
  bool accept(Tok kind);
  bool expect(Tok kind, std::string_view what);
  bool expect_close(const Token& open, Tok kind, std::string_view what);
  bool enter_nesting();
  std::string_view text_of(const Token& token) const;
  std::string describe(const Token& token) const;
  Span span_of(const Token& token) const;
  Span span_from(std::uint32_t begin) const { return {file_, begin, last_end_}; }
  Span after_last() const { return {file_, last_end_, last_end_}; }
  Diag& report(Msg msg, Span span);
  Diag& report(Msg msg, Span span, std::vector<std::string> args);
  Diag* panic(Msg msg, Span span, std::vector<std::string> args);
  Node* fail(Msg msg, Span span);
  Node* fail(Msg msg, Span span, std::vector<std::string> args,
             std::string repair = "");
  Diag* unexpected(std::string_view what);
  bool report_special();
  bool is_spaced_brace(std::size_t brace) const;
  void report_spaced_brace(std::size_t brace);
  void report_fault(const Token& token);
  void recover();
  void report_junk();
  bool report_foreign_word();
  Node* make(NodeKind kind, Span span) { return tree_.make(kind, span); }
  Node* make(NodeKind kind, Span span, std::initializer_list<Node*> kids);
  Node* error_node() { return make(NodeKind::kError, after_last()); }

  // The shape: of the next token, or of one that is named.
  void set_mark(unsigned bits);
  // An item of a list whose items may have commas between.
  void set_item(bool later) { if (later) set_mark(kMarkItem | kMarkComma); }
  void set_role(TokenRole role, std::size_t token);
  void set_role(TokenRole role) { set_role(role, pos_); }
  std::size_t open_stretch(StretchKind kind);
  void set_middle(std::size_t stretch);
  void close_stretch(std::size_t stretch);

  // terms.cc
  Node* parse_term(int min);
  Node* parse_operand();
  Node* parse_suffixes(Node* head);
  Node* parse_call(Node* head, bool bang);
  void parse_arguments(const Token& open, Node* call);
  Node* parse_index(Node* head);
  Node* parse_lambda(Node* binder);
  bool take_infix(int min, std::size_t base, Node*& right);
  void parse_less(int min, std::size_t base, Node*& right);
  Node* finish_type_args(Node* head, const Token& less, Node* first);
  Node* reduce(std::size_t base, int level, bool right_assoc, Node* right);
  Node* make_operation(const Token& op, Node* left, Node* right);
  void type_arg_error(const Token& less, std::string_view why,
                      std::string_view repair);

  // atoms.cc
  Node* parse_atom();
  Node* parse_literal();
  Node* parse_name_or_ctor();
  Node* parse_paren();
  Node* parse_tuple(const Token& open, Node* first);
  Node* parse_annotation();
  Node* parse_bracket();
  Node* parse_array(const Token& open, Node* value);
  void check_array_count(const Node* count);
  Node* parse_brace();
  Node* parse_kind();
  Node* binder_and_body(Node* node);
  Node* parse_pi();
  Node* parse_exists();
  Node* parse_plus();
  Node* parse_minus();
  Node* parse_hole();
  Node* parse_raw_match();
  void parse_raw_arm(Node* match);
  void parse_items(Tok close, std::vector<Node*>& items);
  Node* fail_atom();
  static bool is_plain_term(const Node* node);

  // bodies.cc
  Node* parse_body(std::uint32_t bound);
  Node* parse_body_here();
  Node* fail_open_body(Node* first, Node* last);
  bool can_start_body() const;
  Statement parse_statement(std::uint32_t& bound);
  Statement parse_let(Node* target);
  Statement parse_typed_let(Node* target, Node* type);
  Statement parse_parallel_let(bool erased);
  void parse_rewritten(Node* node);
  Statement parse_rewrite();
  Statement parse_write(Node* write, const Token& start);
  bool read_let_type(Node*& type);
  bool is_carried() const {
    return carried_.type != nullptr && carried_.colon == pos_;
  }
  std::size_t binder_run() const;
  Binder parse_binder();
  void parse_let_binders(Node* let, bool erased);
  void fail_let_values(const Node* let, std::size_t values);
  void parse_let_values(Node* let);
  bool starts_statement(std::uint32_t column) const;
  bool parallel_pattern(const Node* term) const;
  Node* parse_match(std::uint32_t bound);
  void parse_case(Node* match);
  void parse_patterns(Node* match, Case& arm);
  bool check_pattern_count(const Node* match, const Case& arm);

  // do_blocks.cc
  Node* parse_do();
  bool parse_do_head(Node* block);
  void parse_steps(Node* block);
  bool parse_step(Node* block, std::uint32_t column);
  bool parse_last_step(Node* block, const Token& start, Node* term,
                       std::uint32_t column);
  bool parse_return(Node* block, const Token& start, std::uint32_t column);
  bool parse_bind_step(Node* block, const Token& start, Node* target);
  Node* parse_bind_type();
  bool finish_step(Node* block, const Token& start, Step step,
                   std::uint32_t column);
  void refuse_step(const Node* term);
  bool parallel_step() const;

  // patterns.cc
  Node* to_pattern(Node* term);
  void convert_pattern(Node* node, std::vector<Node*>& work);
  void convert_binder(Node* node, const Node* name, Mark mark);
  void convert_tuple(Node* node, std::vector<Node*>& work);
  void convert_list(Node* node, std::vector<Node*>& work);
  void refuse_pattern(Node* node);
  Binder binder_of(const Node* pattern) const;

  // decls.cc
  void parse_declaration();
  void parse_def();
  void parse_def_rest(Decl& decl, const Token& start, const Token& open);
  void parse_foreign(Decl& decl);
  void check_fill(const Decl& decl);
  void parse_type();
  void parse_type_params(Decl& decl);
  void parse_ctor(Decl& decl);
  void check_fields(const CtorDecl& ctor);
  void parse_law();
  void parse_clause(Decl& decl);
  void parse_params(std::vector<Param>& params, Tok close, bool templates);
  bool at_param() const;
  Param parse_param(bool templates);
  Mark parse_mark(bool& is_template);
  bool take_name(std::string_view what, std::string& text, Span& span);

  FileId file_;
  FileTree& tree_;
  Sink& sink_;
  std::string_view source_;
  TokenStream stream_;
  Token end_;                      // what peek() shows in panic
  std::size_t pos_ = 0;
  std::uint32_t last_end_ = 0;     // end of the token taken last
  bool panic_ = false;
  int depth_ = 0;
  Context context_;
  std::vector<Pending> pending_;   // operator stacks of all open terms
  std::string where_;              // the declaration being parsed
  Node* index_ns_ = nullptr;       // the name `U32` of index operators
  Shape* shape_ = nullptr;
  std::size_t decl_ = 0;           // the stretch of the declaration
  struct {
    std::size_t colon = 0;         // token index of the `:`
    std::size_t next = 0;          // token index behind the type
    Node* type = nullptr;
  } carried_;
};

}  // namespace tine
