// The machine: runs a term to a value in a loop. Tail calls of defs and
// closures, lets and matches do not nest on the host stack.
//
// A call remembers where its def was entered (`Fold`): when a match of the
// def's own case tree is stuck, the value is the call itself, folded.
#include <algorithm>

#include "compiler/core/bignat.h"
#include "compiler/core/natives.h"
#include "compiler/core/theory.h"

namespace tine::core {

// The def whose case tree runs, and the environment of its arguments.
struct Theory::Fold {
  Def def = Def::kNone;
  const Env* env = nullptr;
  std::size_t arity = 0;
};

namespace {

// How much may be spent on the argument of a loop before it is known that
// anybody needs it.
constexpr std::uint64_t kAhead = 200;
constexpr std::uint32_t kAheadDepth = 100;

const Term* let_value(const Term* let) {
  return let->kids.size() == 3 ? let->kids[1] : let->kids[0];
}

// The body of a def below the lambdas of its parameters.
const Term* inner_body(const DefInfo& def) {
  const Term* body = def.body;
  for (std::size_t i = 0; i < def.params.size(); ++i) body = body->kids[0];
  return body;
}

}  // namespace

Value* Theory::stuck(Def def, Value* const* args, std::size_t n,
                     Value* block) {
  Value* v = make_n(ValueKind::kStuck, n);
  v->def = def;
  if (v->args.size() == n) std::copy(args, args + n, v->args.begin());
  v->block = block;
  return v;
}

// The arm a value in whnf takes; its fields are pushed. Null when stuck.
const TermArm* Theory::choose(const Term* match, Value* s, const Env*& env) {
  const Rare<TermArm>& arms = match->arms;
  if (!arms.empty() && arms[0].kind == ArmKind::kLiteral) {
    if (s->kind == ValueKind::kCtor && s->ctor == ids_.chr_of)
      s = whnf(s->args[0]);
    if (s->kind == ValueKind::kCtor && s->ctor == ids_.zero) s = nat(0);
    if (s->kind == ValueKind::kSucc ||
        (s->kind == ValueKind::kCtor && s->ctor == ids_.succ))
      s = normal_nat(s);
    bool word = s->kind == ValueKind::kU32 || s->kind == ValueKind::kF32 ||
                s->kind == ValueKind::kChar || s->kind == ValueKind::kNat;
    if (!word) return nullptr;
    bool big = s->kind == ValueKind::kNat && s->big;
    for (const TermArm& arm : arms)
      if (arm.kind == ArmKind::kElse || (!big && arm.num == s->num))
        return &arm;
    return nullptr;
  }
  Ctor id = Ctor::kNone;
  if (!head_ctor(s, id))  // only a default arm: nothing is looked at
    return arms.size() == 1 && arms[0].kind == ArmKind::kElse ? &arms[0]
                                                              : nullptr;
  for (const TermArm& arm : arms) {
    if (arm.kind == ArmKind::kElse) return &arm;
    if (arm.ctor != id) continue;
    if (s->kind == ValueKind::kCtor) {
      for (Value* field : s->args) env = push(env, field);
    } else {
      Value* fields[2] = {};
      std::size_t n = literal_fields(s, fields);
      for (std::size_t i = 0; i < n; ++i) env = push(env, fields[i]);
    }
    return &arm;
  }
  return nullptr;
}

Value* Theory::resume_match(Value* stuck, Value* scrutinee) {
  const Env* env = stuck->env;
  const TermArm* arm = choose(stuck->term, scrutinee, env);
  return arm ? run(arm->body, env) : nullptr;
}

// Applies a value to arguments; the result may be lazy.
Value* Theory::apply_all(Value* f, Value* const* args, std::size_t n) {
  Value* v = f;
  for (std::size_t i = 0; i < n; ++i) {
    v = whnf(v);
    if (failure_ != TheoryFailure::kNone) return failed();
    switch (v->kind) {
      case ValueKind::kLam:
        if (!step()) return failed();
        v = run(v->term, push(v->env, args[i]));
        break;
      case ValueKind::kCall:
        v = apply(v, args[i]);
        break;
      case ValueKind::kVar:
      case ValueKind::kStuck:
      case ValueKind::kMatch:
      case ValueKind::kHole:
        v = extend(v, args[i]);
        break;
      default:
        return hole("applied");  // ill-typed, already reported
    }
  }
  return v;
}

// Runs a call; a partial one is a value.
Value* Theory::run_call(Value* c) {
  const DefInfo& def = globals_.def(c->def);
  std::size_t arity = def.params.size();
  if (c->args.size() < arity) return c;
  if (!step()) return failed();
  Value* block = nullptr;
  if (Value* r = natives_->run(c->def, c->args, block))
    return apply_all(r, c->args.begin() + arity, c->args.size() - arity);
  if (!def.body || def.state != DefState::kChecked)
    return stuck(c->def, c->args.begin(), c->args.size(), block);
  const Env* env = nullptr;
  for (std::size_t i = 0; i < arity; ++i) env = push(env, c->args[i]);
  if (c->args.size() > arity) {
    Value* f = machine(inner_body(def), env, {c->def, env, arity});
    return apply_all(f, c->args.begin() + arity, c->args.size() - arity);
  }
  return machine(inner_body(def), env, {c->def, env, arity});
}

Value* Theory::run(const Term* t, const Env* env) {
  return machine(t, env, {});
}

// Arguments of a loop are computed ahead when that is cheap: an accumulator
// that nobody reads before the end would grow into a chain of waiting calls.
Value* Theory::ready(Value* lazy) {
  if ((lazy->kind != ValueKind::kThunk && lazy->kind != ValueKind::kCall) ||
      lazy->forced || !scopes_.empty())
    return lazy;
  TheoryLimits limits = limits_;
  limits_.fuel = std::min(limits_.fuel, steps_ + kAhead);
  limits_.depth = std::min(limits_.depth, nesting_ + kAheadDepth);
  Value* value = whnf(lazy);
  bool ours = limits_.fuel < limits.fuel || limits_.depth < limits.depth;
  limits_ = limits;
  if (failure_ == TheoryFailure::kNone) return value;
  bool budget = failure_ == TheoryFailure::kFuel ||
                failure_ == TheoryFailure::kDepth;
  if (ours && budget && steps_ <= limits_.fuel)
    failure_ = TheoryFailure::kNone;
  return lazy;
}

Value* Theory::machine(const Term* t, const Env* env, Fold fold) {
  while (failure_ == TheoryFailure::kNone) {
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
        const Env* inside = env;
        if (const TermArm* arm = choose(t, s, inside)) {
          env = inside;
          t = arm->body;
          continue;
        }
        if (fold.def != Def::kNone) {
          Value* v = make_n(ValueKind::kStuck, fold.arity);
          v->def = fold.def;
          v->block = s;
          const Env* at = fold.env;
          for (std::size_t i = v->args.size(); i-- > 0; at = at->up)
            v->args[i] = at->value;
          return v;
        }
        Value* v = make_n(ValueKind::kMatch, 1);
        v->term = t;
        v->env = env;
        if (!v->args.empty()) v->args[0] = s;
        return v;
      }
      case TermKind::kMeet:
        return meet(eval(t->kids[0], env), eval(t->kids[1], env));
      case TermKind::kApp: {
        const Term* head = t->kids[0];
        std::size_t n = t->kids.size() - 1;
        if (head->kind != TermKind::kRef) {
          Value* f = whnf(eval(head, env));
          if (f->kind == ValueKind::kLam && n == 1) {
            if (!step()) return failed();
            env = push(f->env, eval(t->kids[1], env));
            t = f->term;
            fold = {};
            continue;
          }
          Value* args = make_n(ValueKind::kThunk, n);  // keeps them alive
          if (args->args.size() != n) return failed();
          for (std::size_t i = 0; i < n; ++i)
            args->args[i] = eval(t->kids[i + 1], env);
          return apply_all(f, args->args.begin(), n);
        }
        const DefInfo& def = globals_.def(head->def);
        if (n != def.params.size() || natives_->has(head->def) || !def.body ||
            def.state != DefState::kChecked)
          return eval(t, env);
        if (!step()) return failed();
        bool loop = head->def == fold.def;
        const Env* inside = nullptr;
        for (std::size_t i = 1; i <= n; ++i) {
          Value* arg = eval(t->kids[i], env);
          inside = push(inside, loop ? ready(arg) : arg);
        }
        env = inside;
        fold = {head->def, env, n};
        t = inner_body(def);
        continue;
      }
      default:
        return eval(t, env);
    }
  }
  return failed();
}

// A natural number with its successors counted, in a loop: a literal, or
// successors of something neutral.
Value* Theory::normal_nat(Value* v) {
  std::uint64_t k = 0;
  Value* at = whnf(v);
  while (failure_ == TheoryFailure::kNone) {
    if (at->kind == ValueKind::kSucc) {
      k += at->num;
      at = whnf(at->args[0]);
    } else if (at->kind == ValueKind::kCtor && at->ctor == ids_.succ) {
      ++k;
      at = whnf(at->args[0]);
    } else {
      break;
    }
  }
  if (at->kind == ValueKind::kNat)
    return k == 0 ? at : big_nat(*this, nat_value(at) + k);
  if (at->kind == ValueKind::kCtor && at->ctor == ids_.zero) return nat(k);
  if (k == 0) return at;
  Value* succ = make(ValueKind::kSucc, {at});
  succ->num = k;
  return succ;
}

}  // namespace tine::core
