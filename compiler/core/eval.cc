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

#include "compiler/core/bignat.h"
#include "compiler/core/natives.h"
#include "compiler/core/theory.h"
#include "compiler/syntax/utf8.h"

namespace tine::core {

bool Theory::valid(const Value* lazy) const {
  return lazy->stamp == 0 ||
         std::binary_search(scopes_.begin(), scopes_.end(), lazy->stamp);
}

void Theory::remember(Value* lazy, Value* result) {
  lazy->forced = result;
  lazy->stamp = consulted_;
}

// ---- lazy evaluation --------------------------------------------------------------

Value* Theory::eval(const Term* t, const Env* env) {
  switch (t->kind) {
    case TermKind::kVar: {
      Value* v = lookup(env, t->num);
      // Past what is evaluated for good, so that chains do not grow.
      while ((v->kind == ValueKind::kThunk || v->kind == ValueKind::kCall) &&
             v->forced && v->stamp == 0)
        v = v->forced;
      return v;
    }
    case TermKind::kRef:
      return reference(t->def);
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
      return eval_call(t, env);
    }
    case TermKind::kPi: {
      Value* v = make_n(ValueKind::kPi, 1);
      v->mark = t->mark;
      v->text = &t->text;
      v->term = t->kids[1];
      v->env = env;
      if (!v->args.empty()) v->args[0] = eval(t->kids[0], env);
      return v;
    }
    case TermKind::kCtor: {
      Value* v = with_kids(ValueKind::kCtor, t, env);
      v->ctor = t->ctor;
      return v;
    }
    case TermKind::kData: {
      Value* v = with_kids(ValueKind::kData, t, env);
      v->data = t->data;
      return v;
    }
    case TermKind::kKind:
      return with_kids(ValueKind::kKind, t, env);
    case TermKind::kEqual:
      return with_kids(ValueKind::kEqual, t, env);
    case TermKind::kSucc: {
      Value* v = with_kids(ValueKind::kSucc, t, env);
      v->num = t->num;
      return v;
    }
    case TermKind::kQuant:
      return make(ValueKind::kQuant);
    case TermKind::kQty:
      return word(ValueKind::kQty, t->num);
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

// A call of a def by name. One of a native on words is worked out without
// making the call first.
Value* Theory::eval_call(const Term* t, const Env* env) {
  Def def = t->kids[0]->def;
  std::size_t n = t->kids.size() - 1;
  Value* few[2] = {};
  if (n <= 2 && natives_->has(def)) {
    for (std::size_t i = 0; i < n; ++i) few[i] = eval(t->kids[i + 1], env);
    if (Value* now = natives_->at_once(def, {few, n})) return now;
  }
  Value* v = make_n(ValueKind::kCall, n);
  if (v->args.empty()) return v;  // no memory
  v->def = def;
  for (std::size_t i = 0; i < n; ++i)
    v->args[i] = n <= 2 && few[i] ? few[i] : eval(t->kids[i + 1], env);
  return v;
}

// Does `eval` build a value as large as the term?
bool Theory::is_nested(const Term* t) {
  switch (t->kind) {
    case TermKind::kApp:
      return t->kids[0]->kind == TermKind::kRef;
    case TermKind::kCtor:
    case TermKind::kData:
    case TermKind::kKind:
    case TermKind::kEqual:
    case TermKind::kSucc:
    case TermKind::kPi:
    case TermKind::kRewrite:
    case TermKind::kAnn:
      return true;
    default:
      return false;
  }
}

// A checker that asks for the value of every argument of nested calls would
// take the square of their number, and it reads few of these values.
Value* Theory::delay(const Term* t, const Env* env) {
  if (!is_nested(t) || t->kids.empty()) return eval(t, env);
  Value* v = make(ValueKind::kThunk);
  v->term = t;
  v->env = env;
  return v;
}

// What a delayed value would have been, calls still folded.
Value* Theory::undelay(Value* v) {
  bool delayed = v->kind == ValueKind::kThunk && v->args.empty() && v->term &&
                 is_nested(v->term);
  return delayed ? eval(v->term, v->env) : v;
}

Value* Theory::with_kids(ValueKind kind, const Term* t, const Env* env) {
  Value* v = make_n(kind, t->kids.size());
  for (std::size_t i = 0; i < v->args.size(); ++i)
    v->args[i] = eval(t->kids[i], env);
  return v;
}

// A def by itself. A def without parameters is evaluated once.
Value* Theory::reference(Def def) {
  const DefInfo& info = globals_.def(def);
  bool once = info.params.empty() && info.body &&
              info.state == DefState::kChecked;
  if (!once) return call(def, {});
  if (nullary_.size() <= index(def)) nullary_.resize(index(def) + 1, nullptr);
  Value*& known = nullary_[index(def)];
  if (!known) known = call(def, {});
  return known;
}

Value* Theory::apply(Value* f, Value* x) {
  if (f->kind == ValueKind::kCall && !f->forced) {
    Value* v = make_n(ValueKind::kCall, f->args.size() + 1);
    if (v->args.empty()) return v;
    v->def = f->def;
    std::copy(f->args.begin(), f->args.end(), v->args.begin());
    v->args.back() = x;
    return v;
  }
  return make(ValueKind::kThunk, {f, x});
}

Value* Theory::instantiate(Value* binder, Value* x) {
  return eval(binder->term, push(binder->env, x));
}

// ---- constructor view ---------------------------------------------------------------

// The constructor a value in whnf is seen as.
bool Theory::head_ctor(const Value* v, Ctor& id) const {
  switch (v->kind) {
    case ValueKind::kCtor:
      id = v->ctor;
      return true;
    case ValueKind::kNat:
      id = v->num == 0 && !v->big ? ids_.zero : ids_.succ;
      return true;
    case ValueKind::kSucc:
      id = ids_.succ;
      return true;
    case ValueKind::kChar:
      id = ids_.chr_of;
      return true;
    case ValueKind::kString:
      id = v->num >= v->text->size() ? ids_.snil : ids_.scon;
      return true;
    case ValueKind::kU32:
    case ValueKind::kF32:
      id = v->kind == ValueKind::kU32 ? ids_.u32_of : ids_.f32_of;
      return id != Ctor::kNone && ids_.wcon != Ctor::kNone;
    default:
      return false;
  }
}

// The fields of a value that `head_ctor` sees as a constructor but that is
// kept as a literal; gives their number.
std::size_t Theory::literal_fields(Value* v, Value* (&fields)[2]) {
  switch (v->kind) {
    case ValueKind::kNat:
      if (v->num == 0 && !v->big) return 0;
      fields[0] =
          v->big ? big_nat(*this, nat_value(v) - 1) : nat(v->num - 1);
      return 1;
    case ValueKind::kSucc:
      fields[0] = v->args[0];
      if (v->num > 1) {
        fields[0] = make(ValueKind::kSucc, {v->args[0]});
        fields[0]->num = v->num - 1;
      }
      return 1;
    case ValueKind::kChar:
      fields[0] = u32(static_cast<std::uint32_t>(v->num));
      return 1;
    case ValueKind::kString: {
      if (v->num >= v->text->size()) return 0;
      Decoded c = decode_utf8(*v->text, v->num);
      fields[0] = word(ValueKind::kChar, c.code);
      fields[1] = make(ValueKind::kString);
      fields[1]->num = v->num + c.length;
      fields[1]->text = v->text;
      return 2;
    }
    case ValueKind::kU32:
    case ValueKind::kF32: {
      Value* bits = ctor(ids_.wnil, {});
      for (int i = 31; i >= 0; --i)
        bits = ctor(ids_.wcon, {boolean(v->num >> i & 1), bits});
      fields[0] = bits;
      return 1;
    }
    default:
      return 0;
  }
}

bool Theory::as_ctor(Value* v, Ctor& id, std::vector<Value*>& fields) {
  fields.clear();
  if (!head_ctor(v, id)) return false;
  if (v->kind == ValueKind::kCtor) {
    fields.assign(v->args.begin(), v->args.end());
    return true;
  }
  Value* parts[2] = {};
  std::size_t n = literal_fields(v, parts);
  fields.assign(parts, parts + n);
  return true;
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
  return make(ValueKind::kMeet, {x, y});
}

// ---- whnf --------------------------------------------------------------------

Value* Theory::whnf_slow(Value* v) {
  if (failure_ != TheoryFailure::kNone) return failed();
  if (nesting_ >= limits_.depth) {
    failure_ = TheoryFailure::kDepth;
    return failed();
  }
  ++nesting_;
  // Lazy values on the way: all of them end with the same result.
  std::size_t chain = chain_.size();
  std::uint64_t outer = consulted_;
  consulted_ = 0;
  bool done = false;
  while (!done && failure_ == TheoryFailure::kNone) {
    switch (v->kind) {
      case ValueKind::kThunk:
        if (v->forced && valid(v)) {
          consulted_ = std::max(consulted_, v->stamp);
          v = v->forced;
          break;
        }
        chain_.push_back(v);
        v = v->term ? run(v->term, v->env)
                    : apply_all(v->args[0], v->args.begin() + 1,
                                v->args.size() - 1);
        break;
      case ValueKind::kCall: {
        if (v->forced && valid(v)) {
          consulted_ = std::max(consulted_, v->stamp);
          v = v->forced;
          break;
        }
        chain_.push_back(v);
        Value* r = run_call(v);
        done = r == v;
        if (done) chain_.pop_back();
        v = r;
        break;
      }
      case ValueKind::kVar: {
        Value* s = solution(v->level);
        done = s == nullptr;
        if (done) break;
        consulted_ = std::max(consulted_, solutions_[v->level].second);
        v = v->args.empty() ? s
                            : apply_all(s, v->args.begin(), v->args.size());
        break;
      }
      case ValueKind::kStuck: {
        Value* b = v->block ? whnf(v->block) : nullptr;
        done = !b || b == v->block || is_neutral(b);
        if (!done) v = run_call(call(v->def, {v->args.begin(), v->args.end()}));
        break;
      }
      case ValueKind::kMatch: {
        Value* s = whnf(v->args[0]);
        Value* r = s == v->args[0] ? nullptr : resume_match(v, s);
        done = r == nullptr;
        if (!done)
          v = v->args.size() > 1
                  ? apply_all(r, v->args.begin() + 1, v->args.size() - 1)
                  : r;
        break;
      }
      case ValueKind::kMeet: {
        v = meet(v->args[0], v->args[1]);
        done = v->kind == ValueKind::kMeet;
        break;
      }
      default:
        done = true;
    }
  }
  --nesting_;
  bool ok = failure_ == TheoryFailure::kNone;
  while (chain_.size() > chain) {
    if (ok) remember(chain_.back(), v);
    chain_.pop_back();
  }
  consulted_ = std::max(consulted_, outer);
  return ok ? v : failed();
}

}  // namespace tine::core
