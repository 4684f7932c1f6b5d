#include "compiler/core/bignat.h"

#include "compiler/core/bigs.h"

namespace tine::core {

struct BigStore {
  static const BigBox* keep(Theory& theory, const BigNat& n) {
    theory.used_ += n.backend().size() * sizeof(std::uint64_t);
    return &theory.bigs_->all.emplace_back(BigBox{n});
  }
};

Value* big_nat(Theory& theory, const BigNat& n) {
  if (n <= BigNat(~std::uint64_t{0}))
    return theory.nat(n.convert_to<std::uint64_t>());
  Value* v = theory.make(ValueKind::kNat);
  v->big = BigStore::keep(theory, n);
  return v;
}

}  // namespace tine::core
