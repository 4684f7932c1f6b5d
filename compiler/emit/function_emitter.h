// The walk over one definition: statements in order, matches as ifs whose
// arms all leave the function or go round its loop.
//
// * A self call in tail position assigns the parameters and goes to `again`.
// * Where a self call's value is only a field of the constructor that is the
//   result (`out = Con x w`), the constructor is made first, with a hole, and
//   the loop goes on to fill the hole: `dest` is where the value goes.
// * The function looks at the limits where a way through it makes its first
//   call or goes round the loop, so that leaves of a recursion do not look.
// * A match keeps the node that it takes apart as a `hole` when a constructor
//   of the same size follows on the way; what no arm uses is given back.
// * Wires may be lent (see lent.h): nothing is counted until they must be
//   owned.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/emit/function.h"
#include "compiler/emit/prims.h"
#include "compiler/emit/strips.h"

namespace tine {

class FunctionEmitter {
 public:
  FunctionEmitter(EmitShared& shared, const EmitForm& form);
  std::string emit(bool check);

 private:
  // A dead node that waits for a constructor of its size.
  struct Hole {
    std::string name;
    std::size_t words;
    bool surely;  // never null
  };
  using Holes = std::vector<Hole>;

  // functions
  bool fills(const Block& block, std::size_t at) const;
  bool any_fills(const Block& block) const;
  bool any_loop(const Block& block) const;
  void look();
  bool calls(const Stmt& stmt) const;

  // strips
  // What a strip goes through entry by entry: the cells of an array, or the
  // numbers that a mask leaves as they are.
  struct Range {
    std::string limit;            // the C of its last entry
    std::vector<CountedLoop::Term> terms;
    std::int64_t first, last;     // what is added to the terms, least and most
    CountedLoop::Place array;
    bool real;
    std::string cells;            // of the pointer to the first one, or ""
    bool is_array() const { return !cells.empty(); }
  };
  void find_counted();
  void strips();
  void direct_strip();
  void rounds(const std::string& first, const std::string& end,
              const std::string& begin);
  void find_ranges();
  bool has_edges() const;
  std::string inside(bool edges) const;
  Range& range(const std::string& limit, const CountedLoop::Sum& sum);
  std::string sum_text(const Range& range) const;
  std::string cell(const CountedLoop::Access& access, const std::string& i,
                   int later) const;
  std::string read_ahead(const std::string& i) const;
  std::string place_text(const CountedLoop::Place& place) const;
  RepId place_rep(const CountedLoop::Place& place) const;

  // statements
  void block(const Block& stmts);
  void count(const Block& stmts);
  void statement(const Block& stmts, std::size_t at);
  std::vector<bool> late_statements(const Block& stmts) const;
  void literal(const Stmt& stmt);
  void string(const Stmt& stmt);
  void make(const Stmt& stmt);
  void make_array(const Stmt& stmt);
  std::string make_node(CtorId ctor, const std::vector<Wire>& ins,
                        std::size_t skip);
  void fill(const Block& stmts, std::size_t at);
  void take(const Block& stmts, std::size_t at);
  void take_fields(CtorId ctor, Wire from, const std::vector<Wire>& outs,
                   const Block& rest, std::size_t at);
  void open_node(CtorId ctor, Wire from, const std::vector<Wire>& outs,
                 const Block& rest, std::size_t at);
  void copy(const Block& stmts, const Stmt& stmt);
  void drop(const Stmt& stmt);
  void prim(const Stmt& stmt);
  std::string prim_text(const Stmt& stmt, const EmitRow& row);
  RepId operand_rep(const Stmt& stmt, std::size_t operand);
  void pair(const Stmt& stmt, const std::string& first, RepId first_rep,
            const std::string& second, RepId second_rep);
  RepId element_rep(const Stmt& stmt);
  RepId part_rep(const Stmt& stmt, std::size_t part);
  void call(const Stmt& stmt);
  void again(const Stmt& stmt);
  std::vector<std::string> arguments(const Stmt& call) const;
  bool steps(std::size_t param) const;
  void go_round(const std::vector<std::string>& arguments);
  void closure(const Stmt& stmt);
  void effect(const Stmt& stmt);
  std::string packed(const Stmt& stmt, std::uint32_t id, std::string_view tag);
  std::size_t kept_call(const Stmt& stmt) const;
  void par(const Stmt& stmt);
  std::string fork_type(const Stmt& call, std::string_view number);

  // lent wires
  bool lent(Wire wire) const { return lent_[index(wire)]; }
  void lend(Wire wire);
  bool counted(Wire wire) const;
  void own(Wire wire);
  void own_all(const Stmt& stmt);
  void lend_again(std::size_t mark);
  EmitForm form_of(const Stmt& call);
  void open_lent(Wire from, const std::vector<Wire>& outs);

  // floats
  void find_loose();
  std::vector<Wire> strip_loose() const;
  bool loose(Wire wire) const {
    return wire != Wire::kOut && loose_[index(wire)];
  }
  void loosen(Wire wire) { if (wire != Wire::kOut) loose_[index(wire)] = true; }

  // matches
  void match(const Stmt& stmt);
  void arm(const Stmt& stmt, const Arm& arm);
  void bind(const Stmt& stmt, const Arm& arm);
  std::string test(const Stmt& stmt, const Arm& arm);
  std::string test_ctor(const Stmt& stmt, const Arm& arm);

  // matches without branches
  bool select(const Stmt& match);
  bool plain(Wire wire) const;
  bool all_plain(const Stmt& stmt) const;
  bool harmless(const Stmt& stmt, unsigned& budget) const;
  bool selectable(const Block& block, bool again, unsigned& budget) const;
  bool selectable(const Stmt& match, bool again, unsigned& budget) const;
  bool same_structs(const Stmt& match, const Stmt& end) const;
  bool one_operation(const Stmt& match) const;
  static const Stmt& first_end(const Stmt& match);
  std::vector<std::string> chosen(const Stmt& match);
  std::vector<std::string> merged_ending(const std::string& test,
                                         const Stmt& first,
                                         const Stmt& second);
  std::vector<std::string> ending(const Stmt& last);
  std::string choice(const std::string& test, const std::string& yes,
                     const std::string& no, RepId is);

  // values
  std::string wire(Wire wire) const { return names_[index(wire)]; }
  std::string as(Wire wire, RepId rep) const;
  RepId rep(Wire wire) const;
  TypeId type(Wire wire) const;
  std::string call_text(const Stmt& call);
  RepId result_rep(const Stmt& call);
  void value(Wire out, const std::string& text, RepId from);
  void finish(const std::string& text, RepId from);

  // holes
  std::size_t makes(const Block& stmts, std::size_t from,
                    std::size_t words) const;
  std::size_t holes_of(std::size_t words) const;
  bool is_node_make(const Stmt& stmt) const;
  void give_holes();
  void give(const Hole& hole);
  void trim_holes(const Block& arm);

  // text
  void line(const std::string& text);
  std::string fresh(std::string_view prefix);

  EmitShared& shared_;
  const Book& book_;
  Reps& reps_;
  const DefId id_;
  const DefRow& def_;
  const EmitForm form_;
  const std::string number_;     // of the definition, for traps
  const WireUses uses_;
  std::vector<bool> lent_;       // by wire
  std::vector<bool> loose_;      // by wire, see floats.cc
  std::vector<Wire> owned_;      // no longer lent on the way to here
  std::vector<std::string> names_;
  std::string text_;
  unsigned depth_ = 1;
  unsigned fresh_ = 0;
  bool dest_ = false;
  std::string* result_ = nullptr;  // where the result's text goes, else `return`
  bool checks_calls_ = false;
  bool checked_ = false;         // on the way to here
  std::optional<CountedLoop> loop_;
  std::vector<Range> ranges_;
  std::vector<Wire> strip_loose_;  // in its rounds, see floats.cc
  bool in_strip_ = false;
  bool direct_ = false;          // parameters that step come from the round
  std::map<const Stmt*, std::string> cells_;  // of accesses without a mask
  Holes holes_;
};

}  // namespace tine
