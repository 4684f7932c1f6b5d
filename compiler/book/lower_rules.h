// Lowers the bodies of instances to rules.
//
// One walk over a checked body follows the types with the theory and writes
// statements as it goes, in program order: a let's value before its body,
// arguments left to right, then the call. Variables are looked up in a scope
// that says what each is in the code (ScopeEntry); the rule that comes out
// uses wires as often as it likes and is made linear at its end
// (lower_linear.h).
//
// A lambda becomes a definition of its own (`f.fn1`); what it uses from
// outside is captured when it is first met, as a leading parameter. A match
// that is not at the end of its rule becomes one in the same way (`f.m1`).
//
//   def f(+x: U32) -> U32 -> U32:        f (x: U32)
//     y => (x + y : U32)           =>      out = closure f.fn1 x
//                                        f.fn1 (x: U32) (y: U32) -> U32
//                                          out = u32.add x y
//
// Files: lower_rules.cc (scope, functions, terms), lower_lets.cc (lets,
// lambdas), lower_values.cc (literals, constructors), lower_calls.cc,
// lower_matches.cc.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/book/lower.h"
#include "compiler/book/lower_instances.h"
#include "compiler/book/lower_linear.h"
#include "compiler/book/lower_types.h"
#include "compiler/book/lower_uses.h"

namespace tine {

// A definition of the book while its rule is written.
struct Function {
  Function* parent = nullptr;
  DefId id = DefId::kNone;
  RawRule rule;
  Block* block = nullptr;    // where statements go
  std::vector<Wire> params;  // its own, after the captured ones
  std::vector<std::pair<std::uint32_t, Wire>> captures;  // scope position
  std::unordered_map<std::uint32_t, Wire> captured;
};

// A value in the code. `wire` is kOut when it became the rule's result.
struct Lowered {
  Wire wire = Wire::kOut;
  core::Value* type = nullptr;
};

class RuleLowering {
 public:
  RuleLowering(core::Globals& globals, core::Theory& theory,
               const SourceMap& sources, Instances& instances,
               LowerTypes& types, Book& book, Sink& sink, bool closed)
      : globals_(globals),
        theory_(theory),
        sources_(sources),
        instances_(instances),
        types_(types),
        book_(book),
        sink_(sink),
        lets_(globals),
        closed_(closed) {}

  void lower(const Instance& instance);

 private:
  // One argument of a call, as its function's type sees it.
  struct Arg {
    const core::Term* term = nullptr;
    core::Value* type = nullptr;
    core::Value* value = nullptr;
    core::Value* after = nullptr;  // type of the call once this is given
    bool live = true;
  };
  struct Spine {
    const core::Term* head = nullptr;
    core::Value* head_type = nullptr;  // of an annotation or a template
    bool closed_head = false;          // the head has a scope of its own
    std::vector<const core::Term*> args;
    std::vector<Mark> marks;
    bool offload = false;
    Span span;
  };
  enum class Target : std::uint8_t { kDef, kPrim, kValue, kInline };
  struct Plan {
    Target target = Target::kValue;
    Spine spine;
    DefId def = DefId::kNone;
    Prim prim = Prim::kCount;
    TypeId element = TypeId::kNone;
    std::size_t arity = 0;        // live arguments the target takes
    core::Value* type = nullptr;  // of the target without arguments
    std::vector<Arg> args;
    std::size_t live = 0;
    core::Value* result() const {
      return args.empty() ? type : args.back().after;
    }
  };
  // What to restore when a scope is left.
  struct ScopeMark {
    std::size_t entries = 0, trail = 0, solved = 0;
    const core::Env* env = nullptr;
  };

  // ---- scope and functions (lower_rules.cc)
  ScopeMark mark() const;
  void leave(const ScopeMark& mark);
  void push(ScopeEntry entry);
  void push_wire(Wire wire, core::Value* type, core::Value* value,
                 const std::string* name);
  std::uint32_t position(const core::Term* var) const;
  void replace(std::uint32_t at, const ScopeEntry& entry);
  Wire use(std::uint32_t at);
  Wire rebuild(const ScopeEntry& entry);
  Wire capture(Function& function, std::uint32_t at);
  Wire new_wire(TypeId type, std::string name);
  Wire emit(Stmt stmt, TypeId type, bool tail);
  void name_wire(Wire wire, const std::string& name);
  Lowered result(Wire wire, core::Value* type, bool tail);
  void begin(Function& function, DefId id);
  void finish(Function& function, TypeId result);
  std::vector<Wire> use_captures(const Function& function);
  DefId child_def(const char* kind, Span span);
  void lower_native(const Instance& instance);
  core::Value* eval(const core::Term* term);
  TypeId type_of(core::Value* type);
  void report(Msg msg, Span span, std::vector<std::string> args = {});

  // ---- terms (lower_rules.cc, lower_values.cc)
  Lowered lower(const core::Term* term, core::Value* goal, bool tail);
  Lowered lower_leaf(const core::Term* term, core::Value* goal, bool tail);
  void bind_let(const core::Term* term);
  void bind_par(const core::Term* term);
  void bind_value(const core::TermBinder& binder, Lowered value,
                  core::Value* theory_value);
  void bind_dead(const std::string& name, core::Value* type,
                 core::Value* theory_value);
  bool bind_forked(const core::Term* term);
  bool changes_type(core::Value* whole, core::Value* inner);
  Lowered retype(Wire wire, core::Value* type, bool tail);
  DefId helper(const char* name, TypeId param);
  core::Value* rewrite_goal(const core::Term* term, core::Value* goal);
  core::Value* infer(const core::Term* term);
  Lowered lower_lambda(const core::Term* term, core::Value* goal, bool tail);
  DefId lift_lambda(const core::Term* term, core::Value* goal, Function& inner);
  Lowered literal(Op op, std::uint64_t num, TypeId type, core::Data data,
                  bool tail);
  Lowered lower_string(const core::Term* term, bool tail);
  Lowered lower_succ(const core::Term* term, bool tail);
  Lowered add_nat(Wire wire, std::uint64_t k, bool tail);
  Lowered lower_ctor(const core::Term* term, core::Value* goal, bool tail);
  Lowered lower_chain(const core::Term* term, core::Value* goal, bool tail);
  const core::Term* lower_fields(const core::Term* term, core::Value*& type,
                                 std::vector<Wire>& wires, core::Value*& goal);
  Wire lower_field(const core::Term* term, core::Value* wanted, bool known);
  bool is_plain_ctor(const core::Term* term) const;
  Wire make(core::Ctor ctor, std::vector<Wire> fields, core::Value* type,
            bool tail);
  Wire dummy(bool tail);
  core::Value* data_type(core::Data data);
  // Parameters of a data type in `type`'s arguments; variables if unknown.
  const core::Env* data_env(core::Data data, core::Value* type,
                            std::vector<core::Value*>& args);

  // ---- calls (lower_calls.cc)
  Lowered lower_call(const core::Term* term, bool tail);
  Spine flatten(const core::Term* term);
  Plan plan(const core::Term* term);
  void plan_ref(Plan& plan);
  void plan_args(Plan& plan, std::size_t from);
  void plan_target(Plan& plan, InstanceRequest request,
                   const std::vector<ParamRole>& roles);
  bool forks(const Plan& plan) const;
  Lowered lower_head(const Spine& spine, bool tail);
  std::vector<Wire> lower_args(const Plan& plan);
  Stmt prepare(Plan& plan);
  Stmt last_step(const Plan& plan, Wire head, std::vector<Wire> wires);
  core::Value* type_after(const Plan& plan, std::size_t live) const;
  Lowered emit_inline(const Plan& plan, bool tail);
  const core::Term* close(const core::Term* term, std::uint64_t depth);

  // ---- matches (lower_matches.cc)
  const core::Term* open_match(const core::Term* term, core::Value* goal,
                               bool tail, Lowered& made);
  void settle(std::uint32_t at);
  const core::Term* open_known(const core::Term* term, std::uint32_t at);
  const core::Term* open_closed(const core::Term* term, std::uint32_t at);
  void bind_closed(const core::TermArm& arm, const ScopeEntry& entry,
                   const std::vector<core::Value*>& fields);
  const core::Term* open_only(const core::Term* term, std::uint32_t at);
  void bind_fields(const core::TermArm& arm, std::uint32_t at,
                   std::vector<Wire>& wires);
  bool is_word_of(core::Ctor ctor) const;
  Stmt call_bits(const char* name, Wire word);
  Wire convert_word(Prim prim, Wire word, bool tail);
  void bind_bits(const core::TermArm& arm, std::uint32_t at);
  Wire make_word(core::Ctor ctor, Wire bits, bool tail);
  Lowered put_match(const core::Term* term, core::Value* goal,
                    std::uint32_t at);
  std::vector<const core::TermArm*> reachable(const core::Term* term) const;
  bool misses_some(const std::vector<const core::TermArm*>& arms) const;
  void bind_arm(const core::TermArm& arm, std::uint32_t at, Arm& branch);
  void rebind(std::uint32_t at, Arm& branch);
  void bind_literal(const core::TermArm& arm, std::uint32_t at);
  Arm never_arm(std::uint32_t at);
  void call_never();
  DefId never();
  Lowered lift_match(const core::Term* term, core::Value* goal);

  core::Globals& globals_;
  core::Theory& theory_;
  const SourceMap& sources_;
  Instances& instances_;
  LowerTypes& types_;
  Book& book_;
  Sink& sink_;
  LiveLets lets_;
  const bool closed_;  // an open element type is an error
  core::Def self_ = core::Def::kNone;
  Span here_;         // of the term at hand, for messages
  std::string root_;  // name of the instance at hand
  std::uint32_t lambdas_ = 0, joins_ = 0;
  DefId never_ = DefId::kNone, retype_ = DefId::kNone;
  Function* function_ = nullptr;
  std::vector<ScopeEntry> scope_;
  const core::Env* env_ = nullptr;
  std::vector<std::pair<std::uint32_t, ScopeEntry>> trail_;
  std::vector<std::uint32_t> solved_;
  std::unordered_map<std::uint32_t, core::Value*> data_types_;
  std::set<std::tuple<Msg, FileId, std::uint32_t>> reported_;
};

}  // namespace tine
