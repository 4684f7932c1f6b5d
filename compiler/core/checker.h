// The checker's state. `Checker` owns the tables and the order of work;
// a `DefChecker` elaborates one declaration. Private to core.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/core/check.h"
#include "compiler/core/scope.h"

namespace tine::core {

class DefChecker;

// One declaration of one module, the unit of ordering.
struct Unit {
  const Decl* decl = nullptr;
  std::uint32_t module = 0;
  Def def = Def::kNone;      // kDef, kLaw, kFill (the law's def)
  Data data = Data::kNone;   // kType
};

enum class Progress : std::uint8_t { kNone, kActive, kDone };

// What a name means where it is used.
struct Resolved {
  enum Kind { kNothing, kLocal, kDef, kData } kind = kNothing;
  std::uint32_t level = 0;
  Def def = Def::kNone;
  Data data = Data::kNone;
  bool reported = false;     // an error was already reported
};

class Checker {
 public:
  Checker(const std::vector<Module>& modules, Globals& globals,
          Theory& theory, Sink& sink)
      : modules_(modules), globals_(globals), theory_(theory), sink_(sink) {}

  CheckResult run();
  Typed expression(const Node* node);

  // Called by a DefChecker that needs another declaration first.
  void ensure_data(Data data);    // parameters and kind
  void ensure_fields(Data data);
  void ensure_signature(Def def);
  void ensure_body(Def def);

  Resolved resolve_global(std::uint32_t module, const std::string& name,
                          Span span, bool quiet = false);
  Ctor resolve_ctor(std::uint32_t module, const std::string& name);

 private:
  friend class DefChecker;

  // declare.cc
  void declare_all();
  void declare(Unit unit);
  void declare_type(const Unit& unit);
  void declare_def(const Unit& unit);
  void declare_fill(Unit unit);
  bool free_to_declare(const Unit& unit, const std::string& name, Span span);
  // order.cc
  std::vector<std::uint32_t> order();
  std::vector<std::uint32_t> names_used(const Unit& unit);
  bool leads_to(Def from, Def to);
  std::uint32_t body_unit(Def def) const;
  bool report_limit(const Unit& unit);
  void mark_unsafe(CheckResult& result);
  void report_open(CheckResult& result);

  const std::vector<Module>& modules_;
  Globals& globals_;
  Theory& theory_;
  Sink& sink_;
  std::vector<Unit> units_;
  std::vector<std::vector<std::uint32_t>> edges_;   // unit -> units it names
  std::vector<std::uint32_t> unit_of_def_;   // signature: def or law
  std::vector<std::uint32_t> fill_of_def_;   // the fill of a law, or none
  std::vector<std::uint32_t> unit_of_data_;
  std::vector<Progress> sig_done_, body_done_;      // by def
  std::vector<Progress> data_done_, fields_done_;   // by data
  std::vector<std::vector<Data>> data_uses_of_def_; // for the unsafe list
  std::vector<std::vector<Def>> def_uses_of_data_;
  std::vector<std::vector<Data>> data_uses_of_data_;
  Arena<Node> nodes_;                        // made by desugaring
  std::vector<std::pair<Span, std::string>> todo_holes_;  // and their defs
};

inline constexpr std::uint32_t kNoUnit = ~std::uint32_t{0};

// A variable in scope. Its level is its position in the context.
struct Local {
  std::string name;
  Mark mark = Mark::kPlain;
  Value* type = nullptr;
  Span span;
  bool is_template = false;
  bool is_let = false;
  bool pending = false;        // may be matched, in order
  bool was_pending = false;
  std::uint8_t uses = 0;       // live uses, saturated at 2
  bool mentioned = false;      // used at all
  bool quiet = false;          // no warning when unused
  bool complained = false;
  std::int64_t alias = -1;     // let x = y: the level of y
  bool opened = false;         // matched: constructor and field levels
  Ctor ctor = Ctor::kNone;     // kNone when opened as a literal
  std::int64_t literal = -1;   // opened as this Nat literal
  std::vector<std::uint32_t> fields;
};

class DefChecker {
 public:
  DefChecker(Checker& owner, std::uint32_t module, Def self, Data self_data);
  ~DefChecker();

  void data_signature(const Decl& decl);
  void data_fields(const Decl& decl);
  void def_signature(const Decl& decl);
  void law_signature(const Decl& decl);
  void def_body(const Decl& decl);
  void fill_body(const Decl& decl);
  Typed expression(const Node* node);

 private:
  // ---- context (context.cc)
  std::uint32_t depth() const { return std::uint32_t(ctx_.size()); }
  Local& push(const std::string& name, Mark mark, Value* type, Span span,
              Value* value = nullptr);
  void pop();                          // checks unused, restores the env
  void name_level(const std::string& name, std::uint32_t level);
  std::optional<std::uint32_t> find_local(const std::string& name) const;
  Term* use(std::uint32_t level, Span span);
  void count(std::uint32_t level, Span span);
  std::vector<std::uint8_t> counts() const;
  void set_counts(const std::vector<std::uint8_t>& counts);
  void join_counts(std::vector<std::uint8_t>& into) const;
  std::vector<std::string> names() const;
  std::string show(Value* value);
  std::string show(const Term* term);
  Term* var_term(std::uint32_t level, Span span);

  // ---- messages
  Diag& report(Msg msg, Span span, std::vector<std::string> args = {});
  // Base's own text gets no warnings.
  bool in_base() const {
    return self_ != Def::kNone && g_.def(self_).is_base;
  }
  void mismatch(Msg msg, Span span, Value* expected, Value* observed,
                std::vector<std::string> args = {}, std::string hint = "");
  // Nothing is expected here but what `observed` is not.
  void refuse(Msg msg, Span span, Value* observed,
              std::vector<std::string> args = {});
  // How messages call a variable; made up names are nobody's.
  std::string quoted(std::uint32_t level) const;
  Term* broken(Span span);             // a term for what was reported
  Value* unknown();                    // a type that fits everything
  bool is_unknown(Value* type);

  // ---- what to do about it (hints.cc); "" when there is nothing to say
  Resolved resolve(const std::string& name, Span span);
  template <class Map>
  void spellings(const Map& keys, std::vector<std::string>& out) const;
  std::string name_like(const std::string& name);
  std::string ctor_like(const std::string& name);
  std::string member_like(const std::string& alias, const std::string& name);
  std::string written(Ctor id, const std::string& as);
  std::string cases_of(Value* type);
  bool reusable(Value* type);
  bool is_parameter(std::uint32_t level) const;
  std::string reuse_hint(const std::string& name, Value* type,
                         bool parameter, bool marked);
  std::string field_hint(Value* type);
  std::string conversion(const std::string& text, Value* have, Value* want);
  std::string wrapping(const std::string& text, Value* have, Value* want);
  std::string mismatch_hint(const Term* term, Value* have, Value* want);
  std::string literal_hint(const Node* node, Value* want);
  Diag& wrong_literal(const Node* pattern, Value* type);
  void explain_erased(Diag& diag, std::uint32_t level);
  std::string descent_hint(const Term* arg, std::uint32_t level);
  std::string equation_hint(Value* left, Value* right);

  // ---- terms (infer.cc); goal null = infer. Result type = goal if given.
  Typed elab(const Node* node, Value* goal);
  Typed elab_kind(const Node* node, Value* goal);
  Typed settle(Typed inferred, Value* goal, Span span);
  Term* check(const Node* node, Value* goal) { return elab(node, goal).term; }
  Typed elab_name(const Node* node);
  Typed elab_ref(Def def, const Node* node, bool called);
  Typed elab_call(const Node* node, Value* goal);
  Typed elab_args(Typed head, const std::vector<const Node*>& args,
                  std::size_t tildes, const Node* call);
  Typed elab_type_app(const Node* node);
  Typed elab_data(Data data, const std::vector<const Node*>& args, bool plus,
                  const Node* node);
  Typed elab_ctor(const Node* node, Value* goal);
  Typed ctor_at(Ctor ctor, const std::vector<const Node*>& fields,
                Value* goal, const Node* node);
  Typed infer_ctor(Ctor ctor, const std::vector<const Node*>& fields,
                   bool plus, const Node* node);
  bool fields_known(Data data, Span span);
  bool args_fit(Data data, const std::vector<Value*>& args, Span span);
  Typed elab_lambda(const Node* node, Value* goal);
  Typed elab_let(const Node* node, Value* goal);
  Typed elab_par(const Node* node, Value* goal);
  Typed elab_literal(const Node* node, Value* goal);
  Typed elab_pi(const Node* node);
  Typed elab_exists(const std::string& name, const Node* a, const Node* b,
                    Span span);
  Typed elab_equal(const Node* node);
  Typed elab_refl(const Node* node, Value* goal);
  Term* rewrite_motive(const Node* node, const std::string& name,
                       const Value* equation);
  Typed elab_rewrite(const Node* node, Value* goal);
  Typed elab_hole(const Node* node, Value* goal);
  Term* check_type(const Node* node);
  Term* check_dead(const Node* node, Value* goal);
  Typed let_value(const Node* node, Mark mark);
  void warn_let(Local& local, const Term* value);
  std::string forks_not(const Term* par,
                        const std::vector<bool>& used) const;
  bool saturated_call(const Term* term) const;

  // ---- sugar (sugar.cc)
  Node* make(NodeKind kind, Span span);
  Node* name_node(const std::string& text, Span span);
  Node* call_node(const std::string& head, std::vector<const Node*> args,
                  Span span);
  std::string operand_type(const Node* node);
  std::string operator_repair(const Node* node);
  Typed elab_op(const Node* node, Value* goal);
  Typed elab_array(const Node* node, Value* goal);
  Typed elab_list(const Node* node, Value* goal);
  Node* list_node(const Node* list);
  Typed elab_tuple(const Node* node, Value* goal);
  Typed elab_do(const Node* node, Value* goal);
  const Node* do_type(const Node* node, const std::vector<const Node*>& lead,
                      const Node* result);

  // ---- kinds (kinds.cc)
  Value* kind_of(Value* type);         // its quantity
  Value* neutral_type(Value* value);
  bool quantity_fits(Value* have, Value* need);
  bool is_data(Value* type);
  bool may_reuse(Value* type);
  bool fits(Value* have, Value* need);
  void need_data(const std::string& name, Value* type, Span span,
                 bool parameter = false);
  bool is_type_of_types(Value* type);

  // ---- matches (match.cc)
  struct Row {
    std::vector<const Node*> pats;
    struct Alias {
      std::string name;
      std::uint32_t level;
      Mark mark;
      Span span;
    };
    std::vector<Alias> aliases;
    const Node* body = nullptr;
    bool* reached = nullptr;
  };
  // A pattern seen as a variable, a constructor or a literal.
  struct View {
    enum Kind { kVar, kCtor, kLiteral } kind = kVar;
    Mark mark = Mark::kPlain;
    std::string name = "_";
    Ctor ctor = Ctor::kNone;
    std::vector<const Node*> subs;
    std::uint64_t num = 0;
    NodeKind literal = NodeKind::kU32;
    Span span;
  };
  View view(const Node* pattern, bool expand);
  Typed elab_match(const Node* node, Value* goal);
  Typed elab_destruct(const Node* node, Value* goal);
  Typed match_on(const std::vector<const Node*>& scrutinees,
                 std::vector<Row> rows, Value* goal, const Node* node);
  Term* matrix(std::vector<std::uint32_t> cols, std::vector<Row> rows,
               Value* goal, const Node* node);
  bool count_case(const Node* node);
  void drop_unreachable(std::vector<Row>& rows);
  Term* row_body(Row& row, Value* goal);
  Term* split_ctors(std::vector<std::uint32_t> cols, std::vector<Row> rows,
                    Value* goal, const Node* node, Value* type);
  Term* split_literals(std::vector<std::uint32_t> cols, std::vector<Row> rows,
                       Value* goal, const Node* node);
  std::vector<Row> field_rows(Ctor ctor, std::uint32_t x,
                              const std::vector<const Row*>& rows);
  TermArm ctor_arm(Ctor ctor, std::uint32_t x, Value* type,
                   const std::vector<std::uint32_t>& cols,
                   std::vector<Row> rows, Value* goal, const Node* node);
  Term* missing(const Node* node, Value* goal);
  bool open_column(std::uint32_t level, Span span);
  bool check_pattern(const Node* pattern);
  std::string witness(std::uint32_t level);
  // ---- raw matches (raw_match.cc)
  std::string fresh_name();
  Node* closed_body(const Node* term);
  Node* apply_to(const Node* f, std::vector<std::string> names);
  Node* peel(const Node*& f, std::vector<std::string>& rest);
  Case raw_case(const Node* ctor, const Node* f,
                const std::vector<std::string>& names);
  Node* match_names(const Node* raw, std::vector<std::string> names);
  Typed elab_raw_match(const Node* node, Value* goal);

  // ---- descent (descent.cc)
  enum class Order : std::uint8_t { kSmaller, kEqual, kOther };
  void check_descent(const Term* call, Span span);
  std::string shrinks_late(const Term* call, std::size_t from);
  Order compare(const Term* arg, std::uint32_t level);
  bool below(const Term* arg, std::uint32_t level);
  const Term* look_through(const Term* arg) const;

  // ---- signatures (signature.cc)
  std::vector<ParamInfo> params(const std::vector<Param>& params,
                                bool is_unsafe, bool in_data);
  Term* pi_chain(const std::vector<ParamInfo>& params, Term* result);
  void push_params(const std::vector<ParamInfo>& params,
                   const std::vector<Param>* surface);
  Term* lam_chain(const std::vector<ParamInfo>& params, Term* body);
  Term* law_type(const std::vector<Clause>& clauses, std::size_t at,
                 const Node* claim, std::vector<ParamInfo>& out, bool lead);

  void uses(Def def);
  void uses(Data data);

  Checker& owner_;
  Globals& g_;
  Theory& t_;
  const std::uint32_t module_;
  const Def self_;
  const Data self_data_;
  Theory::Scopes outer_;
  std::vector<Local> ctx_;
  std::vector<const Env*> envs_{nullptr};   // by depth
  const Env* env_ = nullptr;
  ScopeNames names_;
  std::vector<std::size_t> name_marks_;     // names_ size before each push
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint32_t> params_;       // levels of the plain parameters
  bool live_ = true;
  bool match_here_ = true;                  // a match may stand here
  std::int64_t closed_from_ = -1;           // inside a template argument
  bool unsafe_ = false;
  bool type_body_ = false;                  // the def computes a type
  std::uint32_t nesting_ = 0;
  std::uint32_t cases_ = 0;                 // of all matches of the def
  std::uint32_t fresh_ = 0;                 // names made
  std::string place_;                       // where, for messages
  Diag again_;                              // takes what was said before
};

// Sets a variable for a scope.
template <class T>
class Scoped {
 public:
  Scoped(T& slot, T value) : slot_(slot), old_(slot) { slot_ = value; }
  ~Scoped() { slot_ = old_; }
  Scoped(const Scoped&) = delete;

 private:
  T& slot_;
  T old_;
};

// Cases that the matches of one def may be split into.
inline constexpr std::uint32_t kMaxCases = 1u << 16;

// A successor pattern is a match for each successor.
inline constexpr std::uint64_t kMaxSuccessors = 1000;

// Is the pattern a literal of this kind?
inline bool is_literal(const Node* pattern, NodeKind kind) {
  return pattern->kind == NodeKind::kPLit && pattern->kids[0]->kind == kind;
}

// "1 field", "3 fields".
std::string counted(std::size_t n, const std::string& noun);

}  // namespace tine::core
