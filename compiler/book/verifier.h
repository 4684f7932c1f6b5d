// The verifier of books: state and steps. Internal to this folder.
//
// A book may come from text, which no source checker has seen, so everything
// an engine relies on is checked here: every id is in range, every wire is
// defined once and used once on each path, every port has the type its
// statement wants.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/book/port_types.h"
#include "compiler/book/text.h"

namespace tine {

inline constexpr std::size_t kMaxVerifyErrors = 100;

// Declarations and types: what every definition builds on. False when the
// tables are too broken to look at definitions.
class TableVerifier {
 public:
  TableVerifier(const Book& book, std::vector<BookError>& errors)
      : book_(book), errors_(errors) {}
  bool run();

 private:
  void fail(std::string text) { errors_.push_back({0, 0, std::move(text)}); }
  void check_types();
  void check_type(std::size_t at);
  void check_datas();
  void check_ctor(std::size_t at);
  void check_field(const CtorRow& ctor, const Field& field);

  const Book& book_;
  std::vector<BookError>& errors_;
};

// One definition.
class DefVerifier {
 public:
  DefVerifier(const Book& book, PortTypes& ports,
              const std::vector<bool>& closed, std::vector<BookError>& errors)
      : book_(book), ports_(ports), closed_(closed), errors_(errors) {}
  // The head alone; `run` needs the heads of all defs to be right.
  void check_head(const DefRow& def);
  void run(const DefRow& def);

 private:
  void begin(const DefRow& def);
  void fail(std::string text);
  bool is_closed(TypeId id) const;

  // ---- blocks
  void check_block(const Block& block);
  void check_end();
  void check_stmt(const Stmt& stmt, bool last);
  bool check_ids(const Stmt& stmt);
  bool check_shape(const Stmt& stmt);
  bool check_ins(std::size_t wanted, const Stmt& stmt);
  void check_ports(const Stmt& stmt);
  void check_value(const Stmt& stmt);
  bool check_known(const Stmt& stmt);
  bool check_known_type(std::string_view name, std::string_view user);
  void check_copy(const Stmt& stmt);
  void check_par(const Stmt& stmt);

  // ---- matches
  void at_stmt(const Stmt& stmt);
  void check_match(const Stmt& stmt);
  void next_arm();
  void check_arm_kinds(const Stmt& stmt, TypeId at);
  bool check_arm_kind(const Arm& arm, TypeId at);
  bool check_binds(const Arm& arm, TypeId at);
  bool check_one_kind(const Stmt& stmt);
  std::string missing_arm(const Stmt& stmt, TypeId at) const;

  // ---- wires
  TypeId type_of(Wire wire) const;
  std::string name_of(Wire wire) const;
  void use(Wire wire);
  void define(Wire wire);
  void undo(std::size_t mark);

  enum class State : std::uint8_t { kNone, kLive, kUsed };
  struct Change {
    Wire wire;
    State before;
  };
  // A match on the path whose arms are being checked: matches nest by this
  // explicit stack, not by recursion.
  struct Level {
    const Stmt* match;
    std::size_t next;  // arm
    std::size_t mark;  // of changes_, before the arms
  };

  const Book& book_;
  PortTypes& ports_;
  const std::vector<bool>& closed_;
  std::vector<BookError>& errors_;
  const DefRow* def_ = nullptr;
  std::string at_;               // the statement, for messages
  std::uint32_t line_ = 0, column_ = 0;
  std::vector<State> states_;    // on the path to the statement
  std::vector<bool> defined_;    // anywhere
  std::vector<Change> changes_;
  std::vector<Level> levels_;
  std::size_t live_ = 0;
  std::set<std::string_view> known_right_;  // known types that were checked
};

}  // namespace tine
