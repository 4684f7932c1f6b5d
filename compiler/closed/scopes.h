// Variables of core terms when they are compiled: which of them a piece of
// code takes along, and where it finds them.
#pragma once

#include <deque>

#include "compiler/closed/code.h"

namespace tine::closed {

// A variable as a frame sees it.
struct Seen {
  const Bind* bind = nullptr;
  std::uint32_t slot = 0;  // of a kSlot
};

// De Bruijn index `n`.
Seen resolve(const Bind* scope, std::uint64_t n);

class ClosedScopes {
 public:
  explicit ClosedScopes(const core::Globals& globals) : globals_(globals) {}

  const Bind* slot(const Bind* up, std::uint32_t slot);
  const Bind* dead(const Bind* up);
  const Bind* known(const Bind* up, KnownArg* known);
  const Bind* edge(const Bind* up, std::vector<const Bind*> taken);
  // The variables of a frame that a term reads when it runs.
  std::vector<const Bind*> taken(const core::Term* term, const Bind* scope);
  // The template arguments that a term mentions, in order.
  std::vector<KnownArg*> knowns(const core::Term* term, const Bind* scope);

 private:
  struct Walk;
  Bind& make(BindSort sort, const Bind* up);

  const core::Globals& globals_;
  std::deque<Bind> binds_;
};

// ---- what of a term runs --------------------------------------------------

// Below annotations and rewrites.
const core::Term* plain(const core::Term* term);
// Is the argument at `kids[i + 1]` of a call erased?
bool dead_argument(const core::Globals& globals, const core::Term* app,
                   std::size_t i);
const core::Term* let_value(const core::Term* let);
bool is_type(core::TermKind kind);

}  // namespace tine::closed
