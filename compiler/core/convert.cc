// Conversion: equality of values up to unfolding, eta for functions, and
// literals as constructor trees. Calls are compared folded first; both sides
// are unfolded only when that fails.
#include "compiler/core/bignat.h"
#include "compiler/core/bigs.h"

namespace tine::core {

namespace {

// How deep folded comparisons may nest before they are skipped: each level
// may compare the same arguments once more after it failed.
constexpr std::uint32_t kMaxSpeculation = 4;

bool is_function_value(const Value* v) {
  return v->kind == ValueKind::kLam || v->kind == ValueKind::kCall;
}

}  // namespace

bool Theory::convertible(Value* a, Value* b, std::uint32_t depth) {
  equal_.clear();
  return conv(a, b, depth) && failure_ == TheoryFailure::kNone;
}

// Two graphs whose parts are shared are compared as graphs, not as the trees
// they stand for: what was found equal is not compared again. A value that
// the collector took may have left its address to another.
bool Theory::known_equal(Value* a, Value* b) {
  if (equal_at_ != store_.collections()) {
    equal_at_ = store_.collections();
    equal_.clear();
  }
  return equal_.count({a, b}) > 0;
}

bool Theory::conv_all(ArgList a, ArgList b, std::uint32_t depth) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!conv(a[i], b[i], depth)) return false;
  return true;
}

bool Theory::conv(Value* a, Value* b, std::uint32_t depth) {
  if (a == b) return true;
  if (failure_ != TheoryFailure::kNone || !step()) return false;
  bool folded = a->kind == ValueKind::kCall && b->kind == ValueKind::kCall &&
                a->def == b->def && a->args.size() == b->args.size();
  if (folded && speculation_ < kMaxSpeculation) {
    ++speculation_;
    bool same = conv_all(a->args, b->args, depth);
    --speculation_;
    if (same) return true;
  }
  return conv_whnf(whnf(a), whnf(b), depth);
}

bool Theory::conv_whnf(Value* a, Value* b, std::uint32_t depth) {
  if (a == b) return true;
  if (failure_ != TheoryFailure::kNone) return false;
  if (nesting_ >= limits_.depth) {
    failure_ = TheoryFailure::kDepth;
    return false;
  }
  struct Nest {
    std::uint32_t& n;
    explicit Nest(std::uint32_t& m) : n(m) { ++n; }
    ~Nest() { --n; }
  } nest(nesting_);
  // Eta: a function equals what gives the same at a fresh variable.
  if (is_function_value(a) || is_function_value(b)) {
    if (a->kind == ValueKind::kCall && b->kind == ValueKind::kCall &&
        a->def == b->def && conv_all(a->args, b->args, depth))
      return true;
    if (!is_function_value(a) && !is_neutral(a)) return false;
    if (!is_function_value(b) && !is_neutral(b)) return false;
    Value* x = var(depth);
    return conv(apply(a, x), apply(b, x), depth + 1);
  }
  if (a->kind == ValueKind::kSucc || b->kind == ValueKind::kSucc) {
    // Strip the successors that both sides have.
    a = normal_nat(a);
    b = normal_nat(b);
    auto count = [](const Value* v) {
      return v->kind == ValueKind::kSucc  ? BigNat(v->num)
             : v->kind == ValueKind::kNat ? nat_value(v)
                                          : BigNat(0);
    };
    BigNat k = std::min(count(a), count(b));
    if (k == 0) {
      if (a->kind == ValueKind::kSucc || b->kind == ValueKind::kSucc)
        return false;
      return conv(a, b, depth);
    }
    auto rest = [&](Value* v) -> Value* {
      if (v->kind == ValueKind::kNat) return big_nat(*this, nat_value(v) - k);
      std::uint64_t left = v->num - k.convert_to<std::uint64_t>();
      if (left == 0) return v->args[0];
      Value* succ = make(ValueKind::kSucc, {v->args[0]});
      succ->num = left;
      return succ;
    };
    return conv(rest(a), rest(b), depth);
  }
  if (a->kind != b->kind) {
    Ctor ca{}, cb{};
    std::vector<Value*> fa, fb;
    if (!as_ctor(a, ca, fa)) return false;
    Keep keep_a(*this, fa);
    if (!as_ctor(b, cb, fb) || ca != cb) return false;
    Keep keep_b(*this, fb);
    return conv_all({fa.data(), fa.size()}, {fb.data(), fb.size()}, depth);
  }
  switch (a->kind) {
    case ValueKind::kPi: {
      if (a->mark != b->mark || !conv(a->args[0], b->args[0], depth))
        return false;
      Value* x = var(depth);
      return conv(instantiate(a, x), instantiate(b, x), depth + 1);
    }
    case ValueKind::kCtor:
      if (a->ctor != b->ctor) return false;
      if (known_equal(a, b)) return true;
      if (!conv_all(a->args, b->args, depth)) return false;
      if (!a->args.empty()) equal_.insert({a, b});
      return true;
    case ValueKind::kData:
      return a->data == b->data && a->removed == b->removed &&
             conv_all(a->args, b->args, depth);
    case ValueKind::kKind:
    case ValueKind::kEqual:
      return conv_all(a->args, b->args, depth);
    case ValueKind::kMeet:
      return conv_all(a->args, b->args, depth) ||
             (conv(a->args[0], b->args[1], depth) &&
              conv(a->args[1], b->args[0], depth));
    case ValueKind::kQuant:
    case ValueKind::kRefl:
      return true;
    case ValueKind::kQty:
    case ValueKind::kU32:
    case ValueKind::kF32:
    case ValueKind::kChar:
      return a->num == b->num;
    case ValueKind::kNat:
      return nat_value(a) == nat_value(b);
    case ValueKind::kString:
      return std::string_view(*a->text).substr(a->num) ==
             std::string_view(*b->text).substr(b->num);
    case ValueKind::kVar:
      return a->level == b->level && conv_all(a->args, b->args, depth);
    case ValueKind::kStuck:
      return a->def == b->def && conv_all(a->args, b->args, depth);
    case ValueKind::kMatch: {
      if (a->term != b->term || !conv_all(a->args, b->args, depth))
        return false;
      const Env* ea = a->env;
      const Env* eb = b->env;
      for (; ea && eb && ea != eb; ea = ea->up, eb = eb->up)
        if (!conv(ea->value, eb->value, depth)) return false;
      return ea == eb;
    }
    default:
      return false;  // a hole equals only itself
  }
}

}  // namespace tine::core
