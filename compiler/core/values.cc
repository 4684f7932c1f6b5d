// Making values.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/core/bigs.h"
#include "compiler/core/natives.h"
#include "compiler/core/theory.h"

namespace tine::core {

bool is_neutral(const Value* v) {
  switch (v->kind) {
    case ValueKind::kVar:
    case ValueKind::kStuck:
    case ValueKind::kMatch:
    case ValueKind::kHole:
      return true;
    default:
      return false;
  }
}

Theory::Theory(Globals& globals)
    : globals_(globals), natives_(std::make_unique<Natives>(*this, globals)),
      bigs_(std::make_unique<Bigs>()) {
  store_.add_roots(&chain_);
  store_.add_roots(&nullary_);
  store_.add_roots(&smalls_);
  store_.add_roots(&kept_);
  link_base();
}
Theory::~Theory() = default;

void Theory::link_base() {
  ids_ = find_base_ids(globals_);
  natives_->link();
}

namespace {

// Bytes of a value before its arguments: members behind those that a kind
// uses are left out.
std::size_t head_bytes(ValueKind kind) {
  switch (kind) {
    case ValueKind::kCtor:
      return offsetof(Value, num);
    case ValueKind::kU32:
    case ValueKind::kF32:
    case ValueKind::kChar:
    case ValueKind::kQty:
    case ValueKind::kData:
    case ValueKind::kSucc:
      return offsetof(Value, term);
    case ValueKind::kNat:
      return offsetof(Value, env);
    default:
      return sizeof(Value);
  }
}

}  // namespace

// A value with room for `n` arguments, all null.
Value* Theory::make_n(ValueKind kind, std::size_t n) {
  std::size_t head = head_bytes(kind);
  std::size_t bytes = head + n * sizeof(Value*);
  void* memory = n <= ArgList::kMax ? store_.allocate(bytes, ValueStore::kValue)
                                    : nullptr;
  if (!memory || store_.held() + used_ + spent_ > limits_.memory) {
    if (failure_ == TheoryFailure::kNone) failure_ = TheoryFailure::kMemory;
    if (!memory) return none_.kind = ValueKind::kHole, &none_;
  }
  Value* v = static_cast<Value*>(memory);
  v->kind = kind;
  v->args = ArgList(
      reinterpret_cast<Value**>(static_cast<char*>(memory) + head), n);
  return v;
}

Value* Theory::make(ValueKind kind) { return make_n(kind, 0); }

// The arguments lie on the stack, where the collector finds them.
Value* Theory::make(ValueKind kind, std::initializer_list<Value*> args) {
  Value* v = make_n(kind, args.size());
  if (v->args.size() == args.size())
    std::copy(args.begin(), args.end(), v->args.begin());
  return v;
}

Value* Theory::make(ValueKind kind, const std::vector<Value*>& args) {
  Keep keep(*this, args);
  Value* v = make_n(kind, args.size());
  if (v->args.size() == args.size())
    std::copy(args.begin(), args.end(), v->args.begin());
  return v;
}

// The neutral value `v` applied to one more argument.
Value* Theory::extend(Value* v, Value* x) {
  Value* longer = make_n(v->kind, v->args.size() + 1);
  if (failure_ != TheoryFailure::kNone) return longer;
  ArgList args = longer->args;
  *longer = *v;
  longer->args = args;
  std::copy(v->args.begin(), v->args.end(), args.begin());
  args.back() = x;
  return longer;
}

const Env* Theory::push(const Env* env, Value* value) {
  void* memory = store_.allocate(sizeof(Env), ValueStore::kEnv);
  if (!memory) {
    failure_ = TheoryFailure::kMemory;
    return env;
  }
  return new (memory) Env{value, env};
}

const std::string* Theory::keep(std::string text) {
  used_ += text.size();
  return &texts_.emplace_back(std::move(text));
}

Value* Theory::var(std::uint32_t level) {
  Value* v = make(ValueKind::kVar);
  v->level = level;
  return v;
}

Value* Theory::word(ValueKind kind, std::uint64_t num) {
  bool kept = num < kSmall &&
              (kind == ValueKind::kU32 || kind == ValueKind::kNat);
  if (!kept) return new_word(kind, num);
  Value*& small = smalls_[num + (kind == ValueKind::kNat ? kSmall : 0)];
  if (small) return small;
  Value* v = new_word(kind, num);
  if (failure_ == TheoryFailure::kNone) small = v;
  return v;
}

Value* Theory::new_word(ValueKind kind, std::uint64_t num) {
  Value* v = make(kind);
  v->num = num;
  return v;
}

Value* Theory::u32(std::uint32_t n) { return word(ValueKind::kU32, n); }

Value* Theory::kind(std::uint32_t q) {
  return make(ValueKind::kKind, {word(ValueKind::kQty, q)});
}

Value* Theory::ctor(Ctor id, std::initializer_list<Value*> fields) {
  Value* v = make(ValueKind::kCtor, fields);
  v->ctor = id;
  return v;
}

Value* Theory::ctor(Ctor id, const std::vector<Value*>& fields) {
  Value* v = make(ValueKind::kCtor, fields);
  v->ctor = id;
  return v;
}

Value* Theory::boolean(bool b) {
  Value* v = make_n(ValueKind::kCtor, 0);
  v->ctor = b ? ids_.true_ : ids_.false_;
  return v;
}

bool has_tag(const TagSet* set, std::uint32_t tag) {
  return set && set->has(tag);
}

bool subset(const TagSet* a, const TagSet* b) {
  if (!a || a == b) return true;
  if (!b || a->words.size() > b->words.size()) return false;
  for (std::size_t i = 0; i < a->words.size(); ++i)
    if ((a->words[i] & ~b->words[i]) != 0) return false;
  return true;
}

const TagSet* Theory::keep_tags(TagSet set) {
  if (set.words.empty()) return nullptr;
  return &*tag_sets_.insert(std::move(set)).first;
}

Value* Theory::call(Def def, const std::vector<Value*>& args) {
  Value* v = make(ValueKind::kCall, args);
  v->def = def;
  return v;
}

Value* Theory::hole(const std::string& name) {
  Value* v = make(ValueKind::kHole);
  v->text = keep(name);
  return v;
}

Value* Theory::failed() {
  Value* v = make(ValueKind::kHole);
  return v;
}

// ---- limits -------------------------------------------------------------------

void Theory::set_limits(const TheoryLimits& limits) {
  limits_ = limits;
  failure_ = TheoryFailure::kNone;
  steps_ = 0;
  next_look_ = 0;
  nesting_ = 0;
  spent_ = 0;
  deadline_ = std::chrono::steady_clock::now() +
              std::chrono::microseconds(
                  static_cast<std::int64_t>(limits.seconds * 1e6));
}

// Counts one step; false when a limit is met.
bool Theory::step() {
  if (failure_ != TheoryFailure::kNone) return false;
  ++steps_;
  if (steps_ > limits_.fuel) failure_ = TheoryFailure::kFuel;
  // Natives count steps of their own, so no fixed multiple need be met.
  if (steps_ >= next_look_) {
    next_look_ = steps_ + 1024;
    look();
  }
  return failure_ == TheoryFailure::kNone;
}

bool Theory::charge(std::uint64_t steps) {
  if (failure_ != TheoryFailure::kNone) return false;
  steps_ += steps;
  if (steps_ > limits_.fuel) failure_ = TheoryFailure::kFuel;
  look();
  return failure_ == TheoryFailure::kNone;
}

WordRow Theory::word_row(Def def) const { return natives_->row(def); }

void Theory::look() {
  if (limits_.seconds > 0 && std::chrono::steady_clock::now() > deadline_)
    failure_ = TheoryFailure::kDeadline;
  if (stop && stop->load(std::memory_order_relaxed))
    failure_ = TheoryFailure::kInterrupted;
}

bool Theory::spend(std::size_t bytes) {
  constexpr std::size_t kLook = std::size_t{1} << 18;
  if (failure_ != TheoryFailure::kNone) return false;
  if (spent_ / kLook != (spent_ + bytes) / kLook) look();
  spent_ += bytes;
  if (store_.held() + used_ + spent_ > limits_.memory)
    failure_ = TheoryFailure::kMemory;
  return failure_ == TheoryFailure::kNone;
}

// ---- scoped solutions -----------------------------------------------------------

void Theory::solve(std::uint32_t level, Value* value) {
  if (solutions_.size() <= level) solutions_.resize(level + 1, {nullptr, 0});
  std::uint64_t scope = next_scope_++;
  solutions_[level] = {value, scope};
  scopes_.push_back(scope);
}

void Theory::unsolve(std::uint32_t level) {
  solutions_[level] = {nullptr, 0};
  scopes_.pop_back();
}

Theory::Scopes Theory::suspend() {
  return {std::exchange(scopes_, {}), std::exchange(solutions_, {})};
}

void Theory::restore(Scopes scopes) {
  scopes_ = std::move(scopes.open);
  solutions_ = std::move(scopes.solutions);
}

Value* Theory::solution(std::uint32_t level) const {
  return level < solutions_.size() ? solutions_[level].first : nullptr;
}

}  // namespace tine::core
