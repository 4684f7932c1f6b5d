// The functions of a closed program: one for each def and choice of template
// arguments, one for each lambda and lazy argument, and which of their
// parameters a call surely evaluates.
#pragma once

#include <map>
#include <unordered_set>

#include "compiler/closed/prims.h"
#include "compiler/closed/scopes.h"

namespace tine::closed {

// What a call calls, and with what: the live arguments behind the template
// arguments.
struct Callee {
  ClosedFn* fn = nullptr;            // known,
  const ClosedPrim* prim = nullptr;  // known to be an operation,
  bool lost = false;                 // known to be beyond this machine,
  const core::Term* head = nullptr;  // or to be found by evaluation
  std::vector<const core::Term*> args;
  std::size_t params() const { return prim ? prim->arity : fn->params; }
  bool known() const { return fn || prim; }
  bool full() const { return known() && args.size() >= params(); }
};

// Something that a let binds and the rest surely evaluates: the let, or a
// value of a parallel let.
using StrictLets = std::unordered_set<const void*>;

class Functions {
 public:
  Functions(const core::Globals& globals, const core::Theory& theory);

  Callee callee(const core::Term* term, const Bind* scope);
  // Null when the def has no body that was checked.
  ClosedFn* def(core::Def def, const std::vector<KnownArg*>& templates);
  // A lambda, or several at once; `params` is 0 when they are all erased.
  ClosedFn* lambda(const core::Term* term, const Bind* scope,
                   std::vector<const Bind*> taken);
  // A term that is evaluated later, or whose value is asked for.
  ClosedFn* body(const core::Term* term, const Bind* scope,
                 std::vector<const Bind*> taken);
  ClosedFn* lost() { return lost_; }
  // Gives a natural with all its successors counted.
  ClosedFn* counter() { return counter_; }
  KnownArg* known(const core::Term* term, const Bind* scope);

  // Which parameters a call surely evaluates.
  const std::vector<bool>& needs(ClosedFn* fn);
  StrictLets strict_lets(ClosedFn* fn);

  ClosedScopes& scopes() { return scopes_; }
  PrimTable& prims() { return prims_; }
  const core::Globals& globals() const { return globals_; }
  const core::BaseIds& ids() const { return ids_; }

 private:
  class NeedsFinder;
  ClosedFn* make(const core::Term* term, const Bind* scope);
  void add_param(ClosedFn* fn, bool live);
  void find_known(KnownArg* known);

  const core::Globals& globals_;
  const core::BaseIds ids_;
  ClosedScopes scopes_;
  PrimTable prims_;
  std::deque<ClosedFn> fns_;
  std::deque<KnownArg> knowns_;
  KnownArg type_;  // stands for every type
  std::map<std::pair<core::Def, std::vector<KnownArg*>>, ClosedFn*> by_def_;
  std::map<std::pair<const core::Term*, std::vector<KnownArg*>>, KnownArg*>
      by_term_;
  ClosedFn* lost_ = nullptr;
  ClosedFn* counter_ = nullptr;
  ClosedFn* current_ = nullptr;  // whose needs are being found
  std::uint32_t running_ = 0;    // how many are
};

}  // namespace tine::closed
