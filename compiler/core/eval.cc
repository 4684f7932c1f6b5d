// Weak head evaluation, call by need.
//
// `eval` is lazy: it allocates a thunk or a call for what needs work. `whnf`
// does the work in a loop: tail calls, lets and matches do not nest on the
// host stack. A def is unfolded only when its case tree reaches a value: when
// a match of the def's own tree is stuck, the call stays folded (kStuck), so
// that messages and normal forms show `f(x)` and not its inside.
//
// Results found while a scoped solution was read are remembered only for as
// long as that scope is open (`stamp`).
#include <algorithm>
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
  link_base();
}
Theory::~Theory() = default;

void Theory::link_base() {
  ids_ = find_base_ids(globals_);
  natives_->link();
}

// ---- making values ----------------------------------------------------------

Value* Theory::make(ValueKind kind) {
  used_ += sizeof(Value);
  if (used_ > limits_.memory && failure_ == TheoryFailure::kNone)
    failure_ = TheoryFailure::kMemory;
  Value& v = values_.emplace_back();
  v.kind = kind;
  return &v;
}

const Env* Theory::push(const Env* env, Value* value) {
  used_ += sizeof(Env);
  return &envs_.emplace_back(Env{value, env});
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
  Value* v = make(kind);
  v->num = num;
  return v;
}

Value* Theory::u32(std::uint32_t n) { return word(ValueKind::kU32, n); }

Value* Theory::kind(std::uint32_t q) {
  Value* v = make(ValueKind::kKind);
  v->args = {word(ValueKind::kQty, q)};
  return v;
}

Value* Theory::ctor(Ctor id, std::vector<Value*> fields) {
  Value* v = make(ValueKind::kCtor);
  v->ctor = id;
  v->args = std::move(fields);
  used_ += v->args.size() * sizeof(Value*);
  return v;
}

Value* Theory::boolean(bool b) {
  return ctor(b ? ids_.true_ : ids_.false_, {});
}

Value* Theory::call(Def def, std::vector<Value*> args) {
  Value* v = make(ValueKind::kCall);
  v->def = def;
  v->args = std::move(args);
  used_ += v->args.size() * sizeof(Value*);
  return v;
}

Value* Theory::hole(const std::string& name) {
  Value* v = make(ValueKind::kHole);
  v->text = keep(name);
  return v;
}

Value* Theory::failed() { return make(ValueKind::kHole); }

// ---- limits -------------------------------------------------------------------

void Theory::set_limits(const TheoryLimits& limits) {
  limits_ = limits;
  failure_ = TheoryFailure::kNone;
  steps_ = 0;
  nesting_ = 0;
  deadline_ = std::chrono::steady_clock::now() +
              std::chrono::microseconds(
                  static_cast<std::int64_t>(limits.seconds * 1e6));
}

// Counts one step; false when a limit is met.
bool Theory::step() {
  if (failure_ != TheoryFailure::kNone) return false;
  ++steps_;
  if (steps_ > limits_.fuel) failure_ = TheoryFailure::kFuel;
  if ((steps_ & 1023) == 0) {
    if (limits_.seconds > 0 && std::chrono::steady_clock::now() > deadline_)
      failure_ = TheoryFailure::kDeadline;
    if (stop && stop->load(std::memory_order_relaxed))
      failure_ = TheoryFailure::kInterrupted;
  }
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

bool Theory::valid(const Value* lazy) const {
  return lazy->stamp == 0 ||
         std::binary_search(scopes_.begin(), scopes_.end(), lazy->stamp);
}

void Theory::remember(Value* lazy, Value* result, std::uint64_t outer) {
  if (failure_ == TheoryFailure::kNone) {
    lazy->forced = result;
    lazy->stamp = consulted_;
  }
  consulted_ = std::max(consulted_, outer);
}

// ---- lazy evaluation --------------------------------------------------------------

namespace {

Value* lookup(const Env* env, std::uint64_t n) {
  while (n-- > 0) env = env->up;
  return env->value;
}

// The value part of a kLet.
const Term* let_value(const Term* let) {
  return let->kids.size() == 3 ? let->kids[1] : let->kids[0];
}

}  // namespace

Value* Theory::eval(const Term* t, const Env* env) {
  switch (t->kind) {
    case TermKind::kVar:
      return lookup(env, t->num);
    case TermKind::kRef:
      return call(t->def, {});
    case TermKind::kLam: {
      Value* v = make(ValueKind::kLam);
      v->mark = t->mark;
      v->text = &t->text;
      v->term = t->kids[0];
      v->env = env;
      return v;
    }
    case TermKind::kApp: {
      if (t->kids[0]->kind != TermKind::kRef) break;
      std::vector<Value*> args;
      args.reserve(t->kids.size() - 1);
      for (std::size_t i = 1; i < t->kids.size(); ++i)
        args.push_back(eval(t->kids[i], env));
      if (Value* now = natives_->at_once(t->kids[0]->def, args)) return now;
      return call(t->kids[0]->def, std::move(args));
    }
    case TermKind::kPi: {
      Value* v = make(ValueKind::kPi);
      v->mark = t->mark;
      v->text = &t->text;
      v->args = {eval(t->kids[0], env)};
      v->term = t->kids[1];
      v->env = env;
      return v;
    }
    case TermKind::kCtor: {
      Value* v = make(ValueKind::kCtor);
      v->ctor = t->ctor;
      v->args.reserve(t->kids.size());
      for (const Term* kid : t->kids) v->args.push_back(eval(kid, env));
      return v;
    }
    case TermKind::kData: {
      Value* v = make(ValueKind::kData);
      v->data = t->data;
      for (const Term* kid : t->kids) v->args.push_back(eval(kid, env));
      return v;
    }
    case TermKind::kKind: {
      Value* v = make(ValueKind::kKind);
      v->args = {eval(t->kids[0], env)};
      return v;
    }
    case TermKind::kQuant:
      return make(ValueKind::kQuant);
    case TermKind::kQty:
      return word(ValueKind::kQty, t->num);
    case TermKind::kEqual: {
      Value* v = make(ValueKind::kEqual);
      for (const Term* kid : t->kids) v->args.push_back(eval(kid, env));
      return v;
    }
    case TermKind::kRefl:
      return make(ValueKind::kRefl);
    case TermKind::kRewrite:
      return eval(t->kids[2], env);
    case TermKind::kU32:
      return word(ValueKind::kU32, t->num);
    case TermKind::kF32:
      return word(ValueKind::kF32, t->num);
    case TermKind::kChar:
      return word(ValueKind::kChar, t->num);
    case TermKind::kNat:
      return word(ValueKind::kNat, t->num);
    case TermKind::kString: {
      Value* v = make(ValueKind::kString);
      v->text = &t->text;
      return v;
    }
    case TermKind::kAnn:
      return eval(t->kids[0], env);
    case TermKind::kHole:
      return hole(t->text);
    default:
      break;
  }
  Value* v = make(ValueKind::kThunk);
  v->term = t;
  v->env = env;
  return v;
}

Value* Theory::apply(Value* f, Value* x) {
  if (f->kind == ValueKind::kCall && !f->forced) {
    std::vector<Value*> args = f->args;
    args.push_back(x);
    return call(f->def, std::move(args));
  }
  Value* v = make(ValueKind::kThunk);
  v->args = {f, x};
  return v;
}

Value* Theory::instantiate(Value* binder, Value* x) {
  return eval(binder->term, push(binder->env, x));
}

// ---- constructor view ---------------------------------------------------------------

namespace {

// Reads one code point of valid UTF-8; gives its length.
std::uint32_t code_point(const std::string& s, std::size_t at,
                         std::size_t& length) {
  auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0x80;
  };
  std::uint32_t b = byte(at);
  length = b < 0x80 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4;
  if (length == 1) return b;
  std::uint32_t c = b & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) c = c << 6 | (byte(at + i) & 0x3F);
  return c;
}

}  // namespace

bool Theory::as_ctor(Value* v, Ctor& id, std::vector<Value*>& fields) {
  fields.clear();
  switch (v->kind) {
    case ValueKind::kCtor:
      id = v->ctor;
      fields = v->args;
      return true;
    case ValueKind::kNat:
      id = v->num == 0 && !v->big ? ids_.zero : ids_.succ;
      if (id == ids_.succ) fields = {big_nat(*this, nat_value(v) - 1)};
      return true;
    case ValueKind::kSucc:
      id = ids_.succ;
      fields = {v->num == 1 ? v->args[0] : add_succ(v->num - 1, v->args[0])};
      return true;
    case ValueKind::kChar:
      id = ids_.chr_of;
      fields = {u32(static_cast<std::uint32_t>(v->num))};
      return true;
    case ValueKind::kString: {
      if (v->num >= v->text->size()) {
        id = ids_.snil;
        return true;
      }
      std::size_t length = 0;
      std::uint32_t c = code_point(*v->text, v->num, length);
      Value* rest = word(ValueKind::kString, v->num + length);
      rest->text = v->text;
      id = ids_.scon;
      fields = {word(ValueKind::kChar, c), rest};
      return true;
    }
    case ValueKind::kU32:
    case ValueKind::kF32: {
      id = v->kind == ValueKind::kU32 ? ids_.u32_of : ids_.f32_of;
      if (id == Ctor::kNone || ids_.wcon == Ctor::kNone) return false;
      Value* bits = ctor(ids_.wnil, {});
      for (int i = 31; i >= 0; --i)
        bits = ctor(ids_.wcon, {boolean(v->num >> i & 1), bits});
      fields = {bits};
      return true;
    }
    default:
      return false;
  }
}

Value* Theory::add_succ(std::uint64_t k, Value* inner) {
  Value* e = whnf(inner);
  if (e->kind == ValueKind::kNat) return big_nat(*this, nat_value(e) + k);
  if (e->kind == ValueKind::kSucc && e->num <= ~std::uint64_t{0} - k) {
    Value* v = word(ValueKind::kSucc, e->num + k);
    v->args = e->args;
    return v;
  }
  if (e->kind == ValueKind::kCtor && e->ctor == ids_.zero)
    return nat(k);
  if (e->kind == ValueKind::kCtor && e->ctor == ids_.succ)
    return add_succ(k + 1, e->args[0]);
  Value* v = word(ValueKind::kSucc, k);
  v->args = {e};
  return v;
}

Value* Theory::meet(Value* a, Value* b) {
  Value* x = whnf(a);
  Value* y = whnf(b);
  bool cx = x->kind == ValueKind::kQty, cy = y->kind == ValueKind::kQty;
  if (cx && cy) return x->num < y->num ? x : y;
  if (cx && x->num == 2) return y;
  if (cy && y->num == 2) return x;
  if (cx && x->num == 0) return x;
  if (cy && y->num == 0) return y;
  Value* v = make(ValueKind::kMeet);
  v->args = {x, y};
  return v;
}

// ---- matches -----------------------------------------------------------------------

// The arm a value in whnf takes, and the fields it binds; null when stuck.
const TermArm* Theory::choose(const Term* match, Value* s,
                              std::vector<Value*>& fields) {
  bool literal = false;
  for (const TermArm& arm : match->arms)
    literal |= arm.kind == ArmKind::kLiteral;
  if (literal) {
    bool word = s->kind == ValueKind::kU32 || s->kind == ValueKind::kF32 ||
                s->kind == ValueKind::kChar || s->kind == ValueKind::kNat;
    if (!word) {
      // Chr{n}, U32{w} spelled as constructors: decided by their literal.
      Ctor id{};
      if (is_neutral(s) || s->kind == ValueKind::kSucc) return nullptr;
      if (!as_ctor(s, id, fields)) return nullptr;
      if (id != ids_.chr_of) return nullptr;
      Value* n = whnf(fields[0]);
      if (n->kind != ValueKind::kU32) return nullptr;
      s = n;
    }
    fields.clear();
    for (const TermArm& arm : match->arms) {
      if (arm.kind == ArmKind::kElse) return &arm;
      if (arm.kind == ArmKind::kLiteral && !s->big && arm.num == s->num)
        return &arm;
    }
    return nullptr;
  }
  Ctor id{};
  if (!as_ctor(s, id, fields)) {
    // Only a default arm: nothing is looked at.
    if (match->arms.size() == 1 && match->arms[0].kind == ArmKind::kElse)
      return &match->arms[0];
    return nullptr;
  }
  for (const TermArm& arm : match->arms) {
    if (arm.kind == ArmKind::kCtor && arm.ctor == id) return &arm;
    if (arm.kind == ArmKind::kElse) {
      fields.clear();
      return &arm;
    }
  }
  return nullptr;
}

Value* Theory::resume_match(Value* stuck, Value* scrutinee) {
  std::vector<Value*> fields;
  const TermArm* arm = choose(stuck->term, scrutinee, fields);
  if (!arm) return nullptr;
  const Env* env = stuck->env;
  for (Value* field : fields) env = push(env, field);
  return run(arm->body, env);
}

// ---- the machine -------------------------------------------------------------------

// Applies a value to arguments from `from` on; result in whnf.
Value* Theory::apply_all(Value* f, const std::vector<Value*>& args,
                         std::size_t from) {
  Value* v = whnf(f);
  for (std::size_t i = from; i < args.size(); ++i) {
    if (failure_ != TheoryFailure::kNone) return failed();
    switch (v->kind) {
      case ValueKind::kLam:
        if (!step()) return failed();
        v = run(v->term, push(v->env, args[i]));
        break;
      case ValueKind::kCall: {
        std::vector<Value*> all = v->args;
        all.push_back(args[i]);
        v = whnf(call(v->def, std::move(all)));
        break;
      }
      case ValueKind::kVar:
      case ValueKind::kStuck:
      case ValueKind::kMatch:
      case ValueKind::kHole: {
        Value* longer = make(v->kind);
        *longer = *v;
        longer->args.push_back(args[i]);
        v = longer;
        break;
      }
      default:
        return hole("applied");  // ill-typed, already reported
    }
  }
  return v;
}

// Evaluates a saturated call; a partial one is a value.
Value* Theory::run_call(Value* c) {
  const DefInfo& def = globals_.def(c->def);
  std::size_t arity = def.params.size();
  if (c->args.size() < arity) return c;
  if (!step()) return failed();
  Value* block = nullptr;
  if (Value* r = natives_->run(c->def, c->args, block))
    return apply_all(r, c->args, arity);
  auto fold = [&](Value* on) {
    Value* v = make(ValueKind::kStuck);
    v->def = c->def;
    v->args = c->args;
    v->block = on;
    return v;
  };
  if (!def.body || def.state != DefState::kChecked) return fold(block);
  const Term* body = def.body;
  const Env* env = nullptr;
  for (std::size_t i = 0; i < arity; ++i) {
    env = push(env, c->args[i]);
    body = body->kids[0];
  }
  // The def's own case tree: lets and matches down to its leaf.
  while (true) {
    if (body->kind == TermKind::kLet) {
      env = push(env, eval(let_value(body), env));
      body = body->kids.back();
    } else if (body->kind == TermKind::kMatch) {
      Value* s = whnf(lookup(env, body->kids[0]->num));
      std::vector<Value*> fields;
      const TermArm* arm = choose(body, s, fields);
      if (failure_ != TheoryFailure::kNone) return failed();
      if (!arm) return fold(s);
      for (Value* field : fields) env = push(env, field);
      body = arm->body;
    } else {
      break;
    }
  }
  Value* leaf = eval(body, env);
  return c->args.size() > arity ? apply_all(leaf, c->args, arity) : leaf;
}

// Evaluates a term that `eval` leaves to a thunk; the result may be lazy.
Value* Theory::run(const Term* t, const Env* env) {
  while (true) {
    switch (t->kind) {
      case TermKind::kLet:
        env = push(env, eval(let_value(t), env));
        t = t->kids.back();
        continue;
      case TermKind::kPar: {
        const Env* outer = env;
        for (std::size_t i = 0; i + 1 < t->kids.size(); ++i)
          env = push(env, eval(t->kids[i], outer));
        t = t->kids.back();
        continue;
      }
      case TermKind::kMatch: {
        Value* s = whnf(lookup(env, t->kids[0]->num));
        if (failure_ != TheoryFailure::kNone) return failed();
        std::vector<Value*> fields;
        const TermArm* arm = choose(t, s, fields);
        if (!arm) {
          Value* v = make(ValueKind::kMatch);
          v->term = t;
          v->env = env;
          v->args = {s};
          return v;
        }
        for (Value* field : fields) env = push(env, field);
        t = arm->body;
        continue;
      }
      case TermKind::kSucc:
        return add_succ(t->num, eval(t->kids[0], env));
      case TermKind::kMeet:
        return meet(eval(t->kids[0], env), eval(t->kids[1], env));
      case TermKind::kApp: {
        if (t->kids[0]->kind == TermKind::kRef) return eval(t, env);
        std::vector<Value*> args;
        for (std::size_t i = 1; i < t->kids.size(); ++i)
          args.push_back(eval(t->kids[i], env));
        Value* f = whnf(eval(t->kids[0], env));
        if (f->kind == ValueKind::kLam && args.size() == 1) {
          if (!step()) return failed();
          env = push(f->env, args[0]);
          t = f->term;
          continue;
        }
        return apply_all(f, args, 0);
      }
      default:
        return eval(t, env);
    }
  }
}

Value* Theory::whnf(Value* v) {
  if (failure_ != TheoryFailure::kNone) return failed();
  if (nesting_ >= limits_.depth) {
    failure_ = TheoryFailure::kDepth;
    return failed();
  }
  ++nesting_;
  // Lazy values on the way: all of them end with the same result.
  std::vector<Value*> chain;
  std::uint64_t outer = consulted_;
  consulted_ = 0;
  bool done = false;
  while (!done && failure_ == TheoryFailure::kNone) {
    switch (v->kind) {
      case ValueKind::kThunk: {
        if (v->forced && valid(v)) {
          consulted_ = std::max(consulted_, v->stamp);
          v = v->forced;
          break;
        }
        chain.push_back(v);
        v = v->term ? run(v->term, v->env) : apply_all(v->args[0], v->args, 1);
        break;
      }
      case ValueKind::kCall: {
        if (v->forced && valid(v)) {
          consulted_ = std::max(consulted_, v->stamp);
          v = v->forced;
          break;
        }
        Value* r = run_call(v);
        if (r == v) {
          done = true;
        } else {
          chain.push_back(v);
          v = r;
        }
        break;
      }
      case ValueKind::kVar: {
        Value* s = solution(v->level);
        if (!s) {
          done = true;
          break;
        }
        consulted_ = std::max(consulted_, solutions_[v->level].second);
        v = v->args.empty() ? s : apply_all(s, v->args, 0);
        break;
      }
      case ValueKind::kStuck: {
        if (!v->block) {
          done = true;
          break;
        }
        Value* b = whnf(v->block);
        if (b == v->block || is_neutral(b)) {
          done = true;
          break;
        }
        v = run_call(call(v->def, v->args));
        break;
      }
      case ValueKind::kMatch: {
        Value* s = whnf(v->args[0]);
        Value* r = s == v->args[0] ? nullptr : resume_match(v, s);
        if (!r) {
          done = true;
          break;
        }
        v = v->args.size() > 1 ? apply_all(r, v->args, 1) : r;
        break;
      }
      case ValueKind::kSucc: {
        Value* e = whnf(v->args[0]);
        if (e == v->args[0] || is_neutral(e)) {
          done = true;
          break;
        }
        v = add_succ(v->num, e);
        done = true;
        break;
      }
      case ValueKind::kMeet: {
        Value* m = meet(v->args[0], v->args[1]);
        done = m->kind == ValueKind::kMeet;
        v = m;
        break;
      }
      default:
        done = true;
    }
  }
  --nesting_;
  if (failure_ != TheoryFailure::kNone) return failed();
  std::uint64_t inner = consulted_;
  for (Value* lazy : chain) {
    consulted_ = inner;
    remember(lazy, v, 0);
  }
  consulted_ = std::max(inner, outer);
  return v;
}

}  // namespace tine::core
