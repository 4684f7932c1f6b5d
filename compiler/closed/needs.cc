// Which variables the evaluation of a term to a value surely evaluates.
//
// A parameter that a def passes on to itself is first taken to be evaluated;
// what turns out not to be is taken back until nothing changes. Of a def that
// is being looked at already, none is taken to be evaluated.
#include <algorithm>

#include "compiler/closed/functions.h"

namespace tine::closed {

using core::ArmKind;
using core::Term;
using core::TermArm;
using core::TermKind;

namespace {

constexpr std::uint32_t kMostRunning = 64;  // of host stack
constexpr int kMostNested = 2000;

// Ascending.
using Needed = std::vector<const Bind*>;

void add(Needed& to, const Needed& more) {
  if (more.empty()) return;
  Needed both;
  std::set_union(to.begin(), to.end(), more.begin(), more.end(),
                 std::back_inserter(both));
  to = std::move(both);
}

bool has(const Needed& needed, const Bind* bind) {
  return std::binary_search(needed.begin(), needed.end(), bind);
}

}  // namespace

class Functions::NeedsFinder {
 public:
  NeedsFinder(Functions& functions, StrictLets* lets)
      : functions_(functions), lets_(lets) {}

  Needed find(const Term* t, const Bind* scope) {
    if (nested_ > kMostNested) return {};
    ++nested_;
    Needed needed = look(plain(t), scope);
    --nested_;
    return needed;
  }

 private:
  Needed look(const Term* t, const Bind* scope) {
    switch (t->kind) {
      case TermKind::kVar: {
        Seen seen = resolve(scope, t->num);
        if (!seen.bind || seen.bind->sort != BindSort::kSlot) return {};
        return {seen.bind};
      }
      case TermKind::kRef:
      case TermKind::kApp:
        return call(t, scope);
      case TermKind::kMatch:
        return match(t, scope);
      case TermKind::kLet:
        return let(t, scope);
      case TermKind::kPar:
        return par(t, scope);
      default:
        return {};
    }
  }

  Needed call(const Term* t, const Bind* scope) {
    Callee callee = functions_.callee(t, scope);
    Needed needed;
    if (callee.head && !callee.lost && callee.head != t)
      return find(callee.head, scope);
    if (!callee.full()) return needed;
    const std::vector<bool>& needs =
        callee.prim ? callee.prim->fn->needs : functions_.needs(callee.fn);
    for (std::size_t i = 0; i < needs.size(); ++i)
      if (needs[i]) add(needed, find(callee.args[i], scope));
    return needed;
  }

  Needed match(const Term* t, const Bind* scope) {
    if (t->arms.empty()) return {};
    if (t->arms[0].kind == ArmKind::kElse) return find(t->arms[0].body, scope);
    Needed all;
    for (std::size_t i = 0; i < t->arms.size(); ++i) {
      const TermArm& arm = t->arms[i];
      const Bind* inside = scope;
      for (std::size_t k = 0; k < arm.binds.size(); ++k)
        inside = functions_.scopes().slot(inside, 0);
      Needed here = find(arm.body, inside);
      if (i == 0) {
        all = std::move(here);
        continue;
      }
      Needed both;
      std::set_intersection(all.begin(), all.end(), here.begin(), here.end(),
                            std::back_inserter(both));
      all = std::move(both);
    }
    add(all, find(t->kids[0], scope));
    return all;
  }

  Needed let(const Term* t, const Bind* scope) {
    if (t->mark == Mark::kErased)
      return find(t->kids.back(), functions_.scopes().dead(scope));
    const Bind* inside = functions_.scopes().slot(scope, 0);
    Needed needed = find(t->kids.back(), inside);
    if (!has(needed, inside)) return needed;
    if (lets_) lets_->insert(t);
    add(needed, find(let_value(t), scope));
    return needed;
  }

  Needed par(const Term* t, const Bind* scope) {
    std::vector<const Bind*> binds;
    const Bind* inside = scope;
    for (const core::TermBinder& binder : t->binders) {
      inside = binder.mark == Mark::kErased
                   ? functions_.scopes().dead(inside)
                   : functions_.scopes().slot(inside, 0);
      binds.push_back(inside);
    }
    Needed needed = find(t->kids.back(), inside);
    Needed all = needed;
    for (std::size_t i = 0; i < binds.size(); ++i) {
      if (!has(needed, binds[i])) continue;
      if (lets_) lets_->insert(&t->kids[i]);
      add(all, find(t->kids[i], scope));
    }
    return all;
  }

  Functions& functions_;
  StrictLets* lets_;
  int nested_ = 0;
};

const std::vector<bool>& Functions::needs(ClosedFn* fn) {
  static const std::vector<bool> kNone;
  if (fn->state == ClosedFn::Needs::kKnown) return fn->needs;
  if (fn->state == ClosedFn::Needs::kRunning)
    return fn == current_ ? fn->needs : kNone;
  if (running_ > kMostRunning) return kNone;
  ClosedFn* outer = current_;
  current_ = fn;
  ++running_;
  fn->state = ClosedFn::Needs::kRunning;
  fn->needs.assign(fn->params, true);
  bool again = fn->params > 0 && fn->term;
  while (again) {
    Needed needed = NeedsFinder(*this, nullptr).find(fn->term, fn->scope);
    again = false;
    for (std::size_t i = 0; i < fn->params; ++i) {
      if (!fn->needs[i] || has(needed, fn->binds[i])) continue;
      fn->needs[i] = false;
      again = true;
    }
  }
  fn->state = ClosedFn::Needs::kKnown;
  --running_;
  current_ = outer;
  return fn->needs;
}

StrictLets Functions::strict_lets(ClosedFn* fn) {
  StrictLets lets;
  if (fn->term) NeedsFinder(*this, &lets).find(fn->term, fn->scope);
  return lets;
}

}  // namespace tine::closed
