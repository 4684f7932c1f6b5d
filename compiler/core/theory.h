// The theory: call-by-need evaluation of core terms, open ones included.
//
// Serves conversion in the checker, types in the lowering, `tine eval`. In it
// `Array.fork(T, a)` is the pair of `a` with itself and `Array.join(T, a, b)`
// is `a`. Natural numbers are exact. Values live in the `Theory`'s arena and
// stay valid as long as it does.
//
// A value is read in weak head normal form: call `whnf` before looking at
// `kind`. Fields and arguments of a value are lazy (kThunk / kCall) until
// forced in turn.
//
// Neutral values: a variable (`level`, counted from the outside), a call that
// is stuck on an argument, an open law, a stuck match, with arguments after
// it in `args`. Inside the arm of a match a neutral variable has a *scoped
// solution* (`solve`/`unsolve`) that `whnf` reads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "compiler/core/base_ids.h"
#include "compiler/core/term.h"
#include "compiler/core/value_store.h"

namespace tine::core {

struct BigBox;  // bignat.h

enum class ValueKind : std::uint8_t {
  kThunk,    // not evaluated: term, env; or args[0] applied to the rest
  kCall,     // not evaluated: def, args (saturated or not)
  kLam,      // mark, text, term = body, env
  kPi,       // mark, text, args = {A}, term = B, env
  kCtor,     // ctor, args = all fields
  kData,     // data, args; removed = constructors taken away
  kKind,     // args = {q}
  kQuant,
  kQty,      // num
  kMeet,     // args = {a, b}, stuck
  kEqual,    // args = {a, b, T}
  kRefl,
  kU32, kF32, kChar,  // num
  kNat,      // num, or big when past 64 bits
  kSucc,     // num = k >= 1, args = {lazy}
  kString,   // text, num = byte offset of the rest
  kVar,      // neutral: level, args = spine
  kStuck,    // neutral: def, args = all arguments; block = what it waits for
  kMatch,    // neutral: args[0] = scrutinee, rest spine; term, env
  kHole,     // neutral: text, args = spine
};

struct Value;
struct Env {
  Value* value;
  const Env* up;
};

// The value of de Bruijn index `n`.
inline Value* lookup(const Env* env, std::uint64_t n) {
  while (n-- > 0) env = env->up;
  return env->value;
}

// The arguments of a value: an address and a count in one word.
class ArgList {
 public:
  ArgList() = default;
  ArgList(Value** data, std::size_t size)
      : bits_(reinterpret_cast<std::uintptr_t>(data) |
              static_cast<std::uint64_t>(size) << kShift) {}
  Value** begin() const {
    return reinterpret_cast<Value**>(bits_ & kAddress);
  }
  Value** end() const { return begin() + size(); }
  std::size_t size() const { return bits_ >> kShift; }
  bool empty() const { return size() == 0; }
  Value*& operator[](std::size_t i) const { return begin()[i]; }
  Value*& back() const { return begin()[size() - 1]; }
  static constexpr std::size_t kMax = 0xFFFF;

 private:
  static constexpr int kShift = 48;
  static constexpr std::uint64_t kAddress =
      (std::uint64_t{1} << kShift) - 1;
  std::uint64_t bits_ = 0;
};

// Constructors that a match has taken from a datatype, bit by tag; the last
// word is not 0. Equal sets of one Theory have one address, and the empty set
// is null.
struct TagSet {
  std::vector<std::uint64_t> words;

  bool has(std::uint32_t tag) const {
    return tag / 64 < words.size() && (words[tag / 64] >> tag % 64 & 1) != 0;
  }
  void add(std::uint32_t tag) {
    if (words.size() <= tag / 64) words.resize(tag / 64 + 1);
    words[tag / 64] |= std::uint64_t{1} << tag % 64;
  }
  bool operator<(const TagSet& other) const { return words < other.words; }
};
bool has_tag(const TagSet* set, std::uint32_t tag);
// Is each constructor of `a` in `b`?
bool subset(const TagSet* a, const TagSet* b);

// Which members a kind uses is said at ValueKind. Numbers and constructors
// are allocated without the members behind those they use.
struct Value {
  ValueKind kind{};
  Mark mark = Mark::kPlain;
  union {
    Def def;
    Data data;
    Ctor ctor;
    std::uint32_t level = 0;
  };
  ArgList args;
  union {
    std::uint64_t num = 0;
    const TagSet* removed;
    std::uint64_t stamp;         // scope in which `forced` was found; 0 = any
  };
  union {
    const Term* term = nullptr;
    const BigBox* big;
  };
  union {
    const Env* env = nullptr;
    Value* block;
  };
  union {
    Value* forced = nullptr;     // result of a kThunk / kCall
    const std::string* text;
  };
};

enum class TheoryFailure : std::uint8_t {
  kNone, kFuel, kDeadline, kMemory, kDepth, kInterrupted
};

// An operation of one or two words of a kind, or a test of two.
struct WordRow {
  ValueKind kind = ValueKind::kU32;
  std::uint32_t (*two)(std::uint32_t, std::uint32_t) = nullptr;
  bool (*test)(std::uint32_t, std::uint32_t) = nullptr;
  std::uint32_t (*one)(std::uint32_t) = nullptr;
};

struct TheoryLimits {
  std::uint64_t fuel = ~std::uint64_t{0};    // beta steps and unfoldings
  std::size_t memory = std::size_t{2} << 30;  // bytes of values
  std::uint32_t depth = 100000;              // nested forcing on the stack
  double seconds = 0;                        // 0 = none
};

class Theory {
 public:
  explicit Theory(Globals& globals);
  ~Theory();
  Theory(const Theory&) = delete;
  Theory& operator=(const Theory&) = delete;

  // Evaluation ------------------------------------------------------------
  Value* eval(const Term* term, const Env* env);   // lazy, cheap
  // The same, in constant time: `eval` walks nested calls and constructors.
  Value* delay(const Term* term, const Env* env);
  Value* whnf(Value* v) {
    switch (v->kind) {
      case ValueKind::kThunk:
      case ValueKind::kCall:
        if (v->forced && v->stamp == 0 && is_head(v->forced->kind))
          return v->forced;
        return whnf_slow(v);
      default:
        return is_head(v->kind) ? v : whnf_slow(v);
    }
  }
  // The number that a Word(32n) of known bits is; false, and what is in the
  // way, when some are not known.
  bool known_bits(Value* word, std::uint32_t& n, Value*& block);
  Value* apply(Value* f, Value* x);                // lazy
  // The body of a kLam / the codomain of a kPi at `x`.
  Value* instantiate(Value* binder, Value* x);
  const Env* push(const Env* env, Value* value);

  Value* var(std::uint32_t level);                 // a fresh neutral
  Value* make(ValueKind kind);
  Value* make(ValueKind kind, std::initializer_list<Value*> args);
  Value* make(ValueKind kind, const std::vector<Value*>& args);
  Value* u32(std::uint32_t n);
  Value* nat(std::uint64_t n) { return word(ValueKind::kNat, n); }
  Value* word(ValueKind kind, std::uint64_t num);  // kU32, kF32, kChar, kQty
  Value* ctor(Ctor id, std::initializer_list<Value*> fields);
  Value* ctor(Ctor id, const std::vector<Value*>& fields);
  Value* call(Def def, const std::vector<Value*>& args);  // lazy
  Value* boolean(bool b);
  const TagSet* keep_tags(TagSet set);
  const BaseIds& ids() const { return ids_; }
  // Of a native on words; empty of another def.
  WordRow word_row(Def def) const;
  // Reads the ids again; call it when Base has been declared.
  void link_base();
  const std::atomic<bool>* stop = nullptr;  // interrupts when it becomes true
  Value* kind(std::uint32_t q);                    // Kind(&q)

  // Constructor view: sees Nat, String and literals as constructors. False
  // when the value (in whnf) is neutral or no constructor.
  bool as_ctor(Value* value, Ctor& ctor, std::vector<Value*>& fields);

  // Successors counted: a literal, or kSucc of something neutral.
  Value* count_nat(Value* value) { return normal_nat(value); }

  // Conversion: `depth` is the number of variables in scope.
  bool convertible(Value* a, Value* b, std::uint32_t depth);

  // Scoped solutions of variables; strictly nested.
  void solve(std::uint32_t level, Value* value);
  void unsolve(std::uint32_t level);
  Value* solution(std::uint32_t level) const;      // null when there is none
  // Sets the open scopes aside while another definition is checked.
  struct Scopes {
    std::vector<std::uint64_t> open;
    std::vector<std::pair<Value*, std::uint64_t>> solutions;
  };
  Scopes suspend();
  void restore(Scopes scopes);

  // Read-back into a term with `depth` variables in scope. `full` gives the
  // normal form, else only what is already evaluated is shown unfolded.
  Term* quote(Value* value, std::uint32_t depth, bool full = true);
  // The same without evaluating anything: what is lazy is read back as it
  // was written. Call `whnf` first to see the head.
  Term* quote_head(Value* value, std::uint32_t depth);
  // The text of a closed value as language.md 4.8 prints it.
  std::string print(Value* value, bool full = true);
  std::string print_head(Value* value);
  // Counts memory that is not the store's, terms read back for one, until the
  // next `set_limits`, and looks at the clock; false once a limit was met.
  bool spend(std::size_t bytes);

  // What `delay` put off, as `eval` gives it; other values as they are.
  Value* undelay(Value* value);

  // Limits ------------------------------------------------------------------
  void set_limits(const TheoryLimits& limits);
  // Not kNone once a limit was met: every result since then is meaningless.
  TheoryFailure failure() const { return failure_; }
  std::uint64_t steps() const { return steps_; }
  const TheoryLimits& limits() const { return limits_; }
  std::uint64_t fuel_left() const {
    return steps_ < limits_.fuel ? limits_.fuel - steps_ : 0;
  }
  // Counts steps that another evaluator took, and looks at the clock; false
  // once a limit was met.
  bool charge(std::uint64_t steps);
  // Takes back the steps past the first `steps`.
  void forget_steps(std::uint64_t steps) { steps_ = steps; }
  // Another evaluator met a limit.
  void fail(TheoryFailure failure) { failure_ = failure; }
  // From now on unreachable values are given back. Only what is reachable
  // from the host stack below `base` stays: no table may hold values.
  void collect_from(const void* base) { store_.collect_from(base); }
  std::uint64_t collections() const { return store_.collections(); }

 private:
  struct Natives;
  friend struct Natives;
  // Keeps a number past 64 bits; defined in bignat.cc.
  friend struct BigStore;

  // Evaluated for good: no solution changes it.
  static bool is_head(ValueKind kind) {
    switch (kind) {
      case ValueKind::kThunk:
      case ValueKind::kCall:
      case ValueKind::kVar:
      case ValueKind::kStuck:
      case ValueKind::kMatch:
      case ValueKind::kMeet:
        return false;
      default:
        return true;
    }
  }
  // values.cc
  Value* make_n(ValueKind kind, std::size_t n);
  Value* new_word(ValueKind kind, std::uint64_t num);
  Value* extend(Value* v, Value* x);
  Value* failed();
  Value* hole(const std::string& name);
  const std::string* keep(std::string text);
  // eval.cc
  Value* whnf_slow(Value* value);
  Value* eval_call(const Term* term, const Env* env);
  static bool is_nested(const Term* term);
  Value* with_kids(ValueKind kind, const Term* term, const Env* env);
  Value* reference(Def def);
  bool valid(const Value* lazy) const;
  void remember(Value* lazy, Value* result);
  Value* meet(Value* a, Value* b);
  bool step();
  void look();
  // machine.cc
  struct Fold;
  Value* run(const Term* term, const Env* env);
  Value* machine(const Term* term, const Env* env, Fold fold);
  Value* run_call(Value* call);
  Value* apply_all(Value* f, Value* const* args, std::size_t n);
  Value* stuck(Def def, Value* const* args, std::size_t n, Value* block);
  Value* resume_match(Value* stuck, Value* scrutinee);
  bool head_ctor(const Value* value, Ctor& ctor) const;
  std::size_t literal_fields(Value* value, Value* (&fields)[2]);
  const TermArm* choose(const Term* match, Value* scrutinee, const Env*& env);
  Value* ready(Value* lazy);
  Value* normal_nat(Value* value);
  // convert.cc
  bool conv(Value* a, Value* b, std::uint32_t depth);
  bool conv_all(ArgList a, ArgList b, std::uint32_t depth);
  bool conv_whnf(Value* a, Value* b, std::uint32_t depth);
  bool known_equal(Value* a, Value* b);

  Globals& globals_;
  TheoryLimits limits_;
  BaseIds ids_;
  TheoryFailure failure_ = TheoryFailure::kNone;
  std::uint64_t steps_ = 0;
  std::uint64_t next_look_ = 0;  // step at which time and stop are looked at
  std::uint32_t nesting_ = 0;
  std::size_t used_ = 0;
  std::size_t spent_ = 0;
  std::uint64_t consulted_ = 0;  // newest scope read since it was cleared
  std::uint64_t next_scope_ = 1;
  std::vector<std::uint64_t> scopes_;  // ids of the open scopes, ascending
  // By level: the solution and the scope it belongs to.
  std::vector<std::pair<Value*, std::uint64_t>> solutions_;
  std::uint32_t speculation_ = 0;
  std::chrono::steady_clock::time_point deadline_{};
  std::unique_ptr<Natives> natives_;
  ValueStore store_;
  Value none_;  // when there is no memory: every loop looks at failure_ first
  // Lazy values whose result is being found; roots of the collector.
  std::vector<Value*> chain_;
  // What only memory that the collector does not see would hold.
  std::vector<Value*> kept_;
  class Keep;
  std::vector<Value*> nullary_;  // by def: the value of a def of no parameters
  // The small words and numbers are made once: kU32, then kNat.
  static constexpr std::uint64_t kSmall = 256;
  std::vector<Value*> smalls_ = std::vector<Value*>(2 * kSmall);
  // Constructors that this comparison found equal, by address; valid for as
  // long as the collector has not run again.
  struct PairHash {
    std::size_t operator()(const std::pair<Value*, Value*>& pair) const {
      auto bits = [](const Value* v) {
        return reinterpret_cast<std::uintptr_t>(v) >> 4;
      };
      return bits(pair.first) * 0x9E3779B97F4A7C15ull ^ bits(pair.second);
    }
  };
  std::unordered_set<std::pair<Value*, Value*>, PairHash> equal_;
  std::uint64_t equal_at_ = 0;
  struct Bigs;
  std::unique_ptr<Bigs> bigs_;
  std::deque<std::string> texts_;
  std::set<TagSet> tag_sets_;
};

// True when `value` (in whnf) is neutral: a variable or something stuck.
bool is_neutral(const Value* value);

}  // namespace tine::core
