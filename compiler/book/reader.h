// The reader of the text form: state and steps. Internal to this folder.
//
// Names come before their use or after it, so a book is read in passes over
// its tokens: names of types and defs, constructors, heads of defs, bodies.
// A step that fails has reported one error and gives false; reading goes on at
// the next token that begins a line in column 1.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/book/port_types.h"
#include "compiler/book/token.h"

namespace tine {

inline constexpr std::size_t kMaxBookErrors = 100;
inline constexpr std::size_t kMaxTypeParams = 255;

class Reader {
 public:
  Reader(std::string_view text, Book& book);
  std::vector<BookError> run();

 private:
  friend class BodyReader;

  // ---- tokens
  const BookToken& peek(std::size_t ahead = 0) const;
  const BookToken& next();
  bool at_sign(std::string_view sign) const;
  bool at_word(std::string_view word) const;
  bool take_sign(std::string_view sign);
  bool want_sign(std::string_view sign, std::string_view where);
  bool want_name(std::string_view what, std::string_view& name);
  bool fail(const BookToken& at, std::string text);
  bool fail(std::string text) { return fail(peek(), std::move(text)); }
  void skip_declaration();
  bool want_line_end();

  // ---- declarations
  bool at_type() const { return at_word("type"); }
  bool at_main() const;
  void read_names();
  bool read_name();
  bool read_type_name();
  void read_types();
  bool read_type_params(DataRow& row);
  bool read_type_body(DataId data);
  bool read_ctor(DataId data);
  bool read_field(const DataRow& row, std::vector<Field>& fields);
  void read_heads();
  bool read_head(DefId def);
  bool read_head_tail(DefRow& row);
  void read_bodies();
  bool read_main();
  bool read_type(const std::vector<std::string>& params, int depth,
                 TypeId& type);
  bool read_type_args(const std::vector<std::string>& params, int depth,
                      std::vector<TypeId>& args);
  static bool word_type(std::string_view name, Type& type);

  BookTokenList list_;
  Book& book_;
  PortTypes ports_;
  std::size_t pos_ = 0;
  std::vector<BookError> errors_;
  // Where the declarations of each pass go on: token behind the name.
  struct Place {
    std::uint32_t id;
    std::size_t pos;
  };
  std::vector<Place> types_, heads_, bodies_;
  std::vector<std::size_t> mains_;
};

// Reads the block of one def behind its head.
class BodyReader {
 public:
  BodyReader(Reader& reader, DefRow& def)
      : reader_(reader), book_(reader.book_), def_(def) {}
  bool run();

 private:
  const BookToken& peek() const { return reader_.peek(); }
  bool fail(std::string text) { return reader_.fail(std::move(text)); }
  bool fail(const BookToken& at, std::string text) {
    return reader_.fail(at, std::move(text));
  }

  // An out or bind that was read: its name and the type written beside it.
  struct Out {
    BookToken at;
    TypeId type = TypeId::kNone;
    bool is_out = false;
  };
  using Outs = std::vector<Out>;

  // A block being read. What it points to stays where it is: only the
  // deepest block grows.
  struct Level {
    Block* block = nullptr;
    std::uint32_t column = 0;
    Stmt* match = nullptr;  // whose arms are being read
    std::uint32_t match_column = 0;
    std::uint32_t arm_column = 0;
    std::size_t mark = 0;   // of log_, before the arms
  };

  bool read_blocks();
  bool open_block(std::uint32_t outside, Block& block);
  bool next_line(std::uint32_t column, bool& more);
  bool read_statement(Stmt& stmt);
  static void set_place(const BookToken& at, Stmt& stmt);
  bool read_assignment(Outs& outs, Stmt& stmt);
  bool read_par(std::uint32_t column, Stmt& stmt);
  bool read_call_line(Outs& outs, Stmt& call);
  bool read_match(std::uint32_t column, Stmt& stmt);
  bool next_arm(bool& more);
  bool read_arm(TypeId at, Arm& arm);
  bool read_label(TypeId at, Arm& arm, Outs& binds);
  bool read_literal_label(TypeId at, Arm& arm);
  bool read_nat_label(Arm& arm, Outs& binds);
  bool read_bind(Outs& binds);
  bool read_out(Outs& outs);
  bool read_outs(Outs& outs);
  bool read_right(Stmt& stmt);
  bool read_literal(Stmt& stmt);
  bool read_f32(std::uint64_t& bits);
  bool read_word(Stmt& stmt);
  bool read_target(Stmt& stmt);
  bool read_head(Stmt& stmt);
  bool read_element(Stmt& stmt);
  bool read_ins(Stmt& stmt);
  bool read_wire(Wire& wire);
  bool read_ctor(CtorId& ctor);
  bool infer(const BookToken& at, const Outs& outs, const Stmt& stmt,
             std::vector<TypeId>& given);
  bool define_all(const Outs& outs, const std::vector<TypeId>& given,
                  std::vector<Wire>& wires);
  bool define(const Out& out, TypeId given, Wire& wire);
  void leave(std::size_t mark);
  TypeId type_of(Wire wire) const;

  Reader& reader_;
  Book& book_;
  DefRow& def_;
  std::deque<std::string> params_;  // owns the names of the parameters
  std::unordered_map<std::string_view, Wire> scope_;
  std::vector<std::string_view> log_;  // names in scope_, oldest first
  std::vector<Level> levels_;
};

}  // namespace tine
