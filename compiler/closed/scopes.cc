#include "compiler/closed/scopes.h"

#include <algorithm>

namespace tine::closed {

using core::Globals;
using core::Term;
using core::TermArm;
using core::TermKind;

Seen resolve(const Bind* scope, std::uint64_t n) {
  const Bind* edge = nullptr;  // the innermost on the way
  const Bind* at = scope;
  for (; at; at = at->up) {
    if (at->sort == BindSort::kEdge) {
      if (!edge) edge = at;
    } else if (n-- == 0) {
      break;
    }
  }
  if (!at) return {};
  if (!edge || at->sort != BindSort::kSlot) return {at, at->slot};
  auto found = std::find(edge->taken.begin(), edge->taken.end(), at);
  if (found == edge->taken.end()) return {};
  return {at, static_cast<std::uint32_t>(found - edge->taken.begin())};
}

Bind& ClosedScopes::make(BindSort sort, const Bind* up) {
  Bind& bind = binds_.emplace_back();
  bind.sort = sort;
  bind.up = up;
  return bind;
}

const Bind* ClosedScopes::slot(const Bind* up, std::uint32_t slot) {
  Bind& bind = make(BindSort::kSlot, up);
  bind.slot = slot;
  return &bind;
}

const Bind* ClosedScopes::dead(const Bind* up) {
  return &make(BindSort::kDead, up);
}

const Bind* ClosedScopes::known(const Bind* up, KnownArg* known) {
  Bind& bind = make(BindSort::kKnown, up);
  bind.known = known;
  return &bind;
}

const Bind* ClosedScopes::edge(const Bind* up, std::vector<const Bind*> taken) {
  Bind& bind = make(BindSort::kEdge, up);
  bind.taken = std::move(taken);
  return &bind;
}

const Term* plain(const Term* term) {
  while (true) {
    if (term->kind == TermKind::kAnn) {
      term = term->kids[0];
    } else if (term->kind == TermKind::kRewrite) {
      term = term->kids[2];
    } else {
      return term;
    }
  }
}

bool dead_argument(const Globals& globals, const Term* app, std::size_t i) {
  const Term* head = app->kids[0];
  if (head->kind == TermKind::kRef) {
    const std::vector<core::ParamInfo>& params = globals.def(head->def).params;
    if (i < params.size()) return params[i].mark == Mark::kErased;
  }
  return i < app->marks.size() && app->marks[i] == Mark::kErased;
}

const Term* let_value(const Term* let) {
  return let->kids.size() == 3 ? let->kids[1] : let->kids[0];
}

bool is_type(TermKind kind) {
  switch (kind) {
    case TermKind::kPi:
    case TermKind::kData:
    case TermKind::kKind:
    case TermKind::kQuant:
    case TermKind::kQty:
    case TermKind::kMeet:
    case TermKind::kEqual:
    case TermKind::kRefl:
      return true;
    default:
      return false;
  }
}

// Goes through what of a term runs; `own` variables are bound in it.
struct ClosedScopes::Walk {
  const Globals& globals;
  const Bind* scope;
  bool templates;  // go into template arguments, too
  std::vector<const Bind*> found;

  void note(const Bind* bind) {
    if (bind && std::find(found.begin(), found.end(), bind) == found.end())
      found.push_back(bind);
  }

  void walk(const Term* t, std::uint64_t own) {
    t = plain(t);
    if (is_type(t->kind)) return;
    switch (t->kind) {
      case TermKind::kVar:
        if (t->num >= own) note(resolve(scope, t->num - own).bind);
        return;
      case TermKind::kLam:
        return walk(t->kids[0], own + 1);
      case TermKind::kLet:
        if (t->mark != Mark::kErased) walk(let_value(t), own);
        return walk(t->kids.back(), own + 1);
      case TermKind::kPar:
        for (std::size_t i = 0; i < t->binders.size(); ++i)
          if (t->binders[i].mark != Mark::kErased) walk(t->kids[i], own);
        return walk(t->kids.back(), own + t->binders.size());
      case TermKind::kMatch:
        walk(t->kids[0], own);
        for (const TermArm& arm : t->arms)
          walk(arm.body, own + arm.binds.size());
        return;
      case TermKind::kApp:
        walk(t->kids[0], own);
        for (std::size_t i = 0; i + 1 < t->kids.size(); ++i)
          if (!skips(t, i)) walk(t->kids[i + 1], own);
        return;
      case TermKind::kCtor: {
        const std::vector<core::FieldInfo>& fields =
            globals.ctor(t->ctor).fields;
        for (std::size_t i = 0; i < t->kids.size(); ++i)
          if (fields[i].mark != Mark::kErased) walk(t->kids[i], own);
        return;
      }
      default:
        for (const Term* kid : t->kids) walk(kid, own);
    }
  }

  // Template arguments are closed but for template arguments.
  bool skips(const Term* app, std::size_t i) const {
    if (dead_argument(globals, app, i)) return true;
    const Term* head = app->kids[0];
    return !templates && head->kind == TermKind::kRef &&
           i < globals.def(head->def).templates;
  }
};

std::vector<const Bind*> ClosedScopes::taken(const Term* term,
                                             const Bind* scope) {
  Walk walk{globals_, scope, false, {}};
  walk.walk(term, 0);
  std::erase_if(walk.found,
                [](const Bind* bind) { return bind->sort != BindSort::kSlot; });
  return std::move(walk.found);
}

std::vector<KnownArg*> ClosedScopes::knowns(const Term* term,
                                            const Bind* scope) {
  Walk walk{globals_, scope, true, {}};
  walk.walk(term, 0);
  std::vector<KnownArg*> known;
  for (const Bind* bind : walk.found)
    if (bind->sort == BindSort::kKnown) known.push_back(bind->known);
  return known;
}

}  // namespace tine::closed
