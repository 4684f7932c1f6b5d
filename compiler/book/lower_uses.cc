#include "compiler/book/lower_uses.h"

#include <algorithm>

namespace tine {

using core::Term;
using core::TermKind;

void LiveLets::scan(const Term* root) {
  if (!scanned_.insert(root).second) return;
  std::vector<bool> outer;
  outer.swap(used_);
  walk(root);
  used_.swap(outer);
}

bool LiveLets::used(const Term* let, std::size_t i) const {
  auto it = lets_.find(let);
  return it == lets_.end() || i >= it->second.size() || it->second[i];
}

// Loops on the last child, so that long chains do not nest.
void LiveLets::walk(const Term* term) {
  switch (term->kind) {
    case TermKind::kVar:
      if (term->num < used_.size()) used_[used_.size() - 1 - term->num] = true;
      return;
    case TermKind::kLam:
      push(1);
      walk(term->kids[0]);
      pop(1);
      return;
    case TermKind::kApp:
      return walk_app(term);
    case TermKind::kLet:
      return walk_let(term);
    case TermKind::kPar:
      return walk_par(term);
    case TermKind::kMatch:
      return walk_match(term);
    case TermKind::kSucc:
    case TermKind::kAnn:
      return walk(term->kids[0]);
    case TermKind::kRewrite:
      return walk(term->kids[2]);
    case TermKind::kCtor: {
      const core::CtorInfo& ctor = globals_.ctor(term->ctor);
      for (std::size_t i = 0; i < term->kids.size(); i++) {
        if (ctor.fields[i].mark != Mark::kErased) walk(term->kids[i]);
      }
      return;
    }
    default:
      return;  // literals; types, which are never alive
  }
}

void LiveLets::walk_app(const Term* term) {
  walk(term->kids[0]);
  std::size_t templates = 0;
  if (term->kids[0]->kind == TermKind::kRef) {
    templates = globals_.def(term->kids[0]->def).templates;
  }
  for (std::size_t i = 1 + templates; i < term->kids.size(); i++) {
    bool erased =
        i - 1 < term->marks.size() && term->marks[i - 1] == Mark::kErased;
    if (!erased) walk(term->kids[i]);
  }
}

void LiveLets::walk_let(const Term* term) {
  push(1);
  walk(term->kids.back());
  bool used = used_.back() && term->mark != Mark::kErased;
  pop(1);
  lets_[term] = {used};
  if (used) walk(term->kids[term->kids.size() - 2]);
}

void LiveLets::walk_par(const Term* term) {
  std::size_t n = term->binders.size();
  push(n);
  walk(term->kids.back());
  std::vector<bool> used(used_.end() - static_cast<std::ptrdiff_t>(n),
                         used_.end());
  pop(n);
  for (std::size_t i = 0; i < n; i++) {
    if (term->binders[i].mark == Mark::kErased) used[i] = false;
    if (used[i]) walk(term->kids[i]);
  }
  lets_[term] = std::move(used);
}

void LiveLets::walk_match(const Term* term) {
  walk(term->kids[0]);
  for (const core::TermArm& arm : term->arms) {
    push(arm.binds.size());
    if (arm.body) walk(arm.body);
    pop(arm.binds.size());
  }
}

}  // namespace tine
