#include "compiler/emit/lent.h"

#include <algorithm>

namespace tine {
namespace {

constexpr unsigned kDeepest = 16;  // calls that a value is followed through
constexpr unsigned kMostCopies = 64;

}  // namespace

WireUses::WireUses(const DefRow& def) : uses_(def.wires.size()) {
  walk(def.block);
}

// Backwards, so that the ends of a copy's outs are known at the copy.
void WireUses::walk(const Block& block) {
  for (std::size_t i = block.size(); i-- > 0;) {
    const Stmt& stmt = block[i];
    for (const Arm& arm : stmt.arms) walk(arm.block);
    std::uint32_t at = --next_, last = at;
    if (stmt.op == Op::kCopy || stmt.op == Op::kMove) {
      for (Wire out : stmt.outs) {
        if (out != Wire::kOut) last = std::max(last, uses_[index(out)].last);
      }
    }
    auto use = [&](Wire in) { uses_[index(in)] = {&block, &stmt, at, last}; };
    for (Wire in : stmt.ins) use(in);
    for (const Stmt& call : stmt.calls) {
      for (Wire in : call.ins) use(in);
    }
  }
}

bool WireUses::lends(const Block& block, const Stmt& copy,
                     std::size_t out) const {
  const Use& use = uses_[index(copy.outs[out])];
  const Use& other = uses_[index(copy.outs[1 - out])];
  bool calls = use.stmt &&
               (use.stmt->op == Op::kCall || use.stmt->op == Op::kPar);
  return calls && use.block == &block && other.last > use.at;
}

const WireUses& Readers::uses_of(DefId def) {
  auto known = uses_.find(def);
  if (known == uses_.end()) {
    known = uses_.emplace(def, WireUses(book_.def(def))).first;
  }
  return known->second;
}

bool Readers::reads(DefId def, std::uint32_t param, unsigned depth) {
  if (depth > kDeepest) return false;
  auto [known, fresh] = known_.try_emplace({def, param}, false);
  if (!fresh) return known->second;
  bool answer = wire_reads(uses_of(def), static_cast<Wire>(param), depth);
  known_[{def, param}] = answer;
  return answer;
}

bool Readers::wire_reads(const WireUses& uses, Wire wire, unsigned depth) {
  std::vector<Wire> work{wire};
  auto hands_on = [&](const Stmt& call, Wire in) {
    if (call.op != Op::kCall) return false;
    auto at = std::find(call.ins.begin(), call.ins.end(), in);
    return at != call.ins.end() &&
           reads(call.def, static_cast<std::uint32_t>(at - call.ins.begin()),
                 depth + 1);
  };
  for (std::size_t i = 0; i < work.size() && i < kMostCopies; ++i) {
    const Stmt* user = uses.user(work[i]);
    if (!user) continue;
    switch (user->op) {
      case Op::kTake:
      case Op::kMatch: return true;
      case Op::kCopy:
      case Op::kMove:
        for (Wire out : user->outs) {
          if (out != Wire::kOut) work.push_back(out);
        }
        break;
      case Op::kCall:
        if (hands_on(*user, work[i])) return true;
        break;
      case Op::kPar:
        for (const Stmt& call : user->calls) {
          if (hands_on(call, work[i])) return true;
        }
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace tine
