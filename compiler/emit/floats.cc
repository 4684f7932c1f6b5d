// NaNs. The language has one NaN for all results; the machine has many. To
// make each result that one costs a comparison and a choice, more than the
// operation. Here a result stays as it is, *loose*, while only operations look
// at it that take every NaN alike, and is made the one NaN where it leaves
// them: in a node, an array, a call, a result, a match.
//
// A parameter of a loop is loose when no way through the loop looks at its
// bits. (Others must be left alone: `F32{..}` makes NaNs that keep their bits.)
// One that is looked at only behind a counted loop, and that every round
// computes anew, is loose inside of a strip and made the one NaN at its end.
#include "compiler/emit/function_emitter.h"

namespace tine {

bool gives_loose(Prim prim) {
  switch (prim) {
    case Prim::kF32Add:
    case Prim::kF32Sub:
    case Prim::kF32Mul:
    case Prim::kF32Div:
    case Prim::kF32Neg:
    case Prim::kF32Abs:
    case Prim::kF32Sqrt: return true;
    default: return false;
  }
}

bool takes_loose(Prim prim) {
  if (gives_loose(prim)) return true;
  switch (prim) {
    case Prim::kF32IsEq:
    case Prim::kF32IsNe:
    case Prim::kF32IsLt:
    case Prim::kF32IsLe:
    case Prim::kF32IsGt:
    case Prim::kF32IsGe:
    case Prim::kF32ToU32:
    case Prim::kF32Bits: return true;
    default: return false;
  }
}

namespace {

// Which wires have their bits looked at, when the parameters in `loose` are.
class Looks {
 public:
  Looks(const DefRow& def, const Block& block, DefId id,
        const std::vector<bool>& loose)
      : id_(id), loose_(loose), looked_(def.wires.size()) {
    walk(block);
  }
  bool at(std::size_t wire) const { return looked_[wire]; }

 private:
  bool at(Wire wire) const {
    return wire == Wire::kOut || looked_[index(wire)];
  }

  // Backwards: what becomes of a copy is known at the copy.
  void walk(const Block& block) {
    for (std::size_t i = block.size(); i-- > 0;) {
      const Stmt& stmt = block[i];
      for (const Arm& arm : stmt.arms) walk(arm.block);
      for (std::size_t k = 0; k < stmt.ins.size(); ++k) {
        if (looks(stmt, k)) looked_[index(stmt.ins[k])] = true;
      }
      for (const Stmt& call : stmt.calls) {
        for (Wire in : call.ins) looked_[index(in)] = true;
      }
    }
  }

  bool looks(const Stmt& stmt, std::size_t k) const {
    switch (stmt.op) {
      case Op::kDrop: return false;
      case Op::kCopy: return at(stmt.outs[0]) || at(stmt.outs[1]);
      case Op::kMove: return at(stmt.outs[0]);
      case Op::kPrim: return !takes_loose(stmt.prim);
      case Op::kCall:
        return stmt.def != id_ || stmt.outs[0] != Wire::kOut || !loose_[k];
      default: return true;
    }
  }

  const DefId id_;
  const std::vector<bool>& loose_;
  std::vector<bool> looked_;
};

// Which parameters every next round gets from an operation.
class Computed {
 public:
  Computed(const DefRow& def, const Block& block, DefId id)
      : id_(id), results_(def.wires.size()), always_(def.params, true) {
    walk(block);
  }
  const std::vector<bool>& always() const { return always_; }

 private:
  void walk(const Block& block) {
    for (const Stmt& stmt : block) {
      if (stmt.op == Op::kPrim && gives_loose(stmt.prim)) set(stmt.outs[0]);
      if ((stmt.op == Op::kCopy || stmt.op == Op::kMove) &&
          results_[index(stmt.ins[0])]) {
        for (Wire out : stmt.outs) set(out);
      }
      if (stmt.op == Op::kCall && stmt.def == id_ &&
          stmt.outs[0] == Wire::kOut) {
        for (std::size_t i = 0; i < stmt.ins.size(); ++i) {
          always_[i] = always_[i] && results_[index(stmt.ins[i])];
        }
      }
      for (const Arm& arm : stmt.arms) walk(arm.block);
    }
  }
  void set(Wire wire) {
    if (wire != Wire::kOut) results_[index(wire)] = true;
  }

  const DefId id_;
  std::vector<bool> results_;
  std::vector<bool> always_;
};

// Takes away parameters whose bits a way through the block looks at; each
// round may take some on which others relied.
void take_looked_at(const DefRow& def, const Block& block, DefId id,
                    std::vector<bool>& found) {
  for (bool again = true; again;) {
    Looks looks(def, block, id, found);
    again = false;
    for (std::size_t i = 0; i < def.params; ++i) {
      if (!found[i] || !looks.at(i)) continue;
      found[i] = false;
      again = true;
    }
  }
}

}  // namespace

void FunctionEmitter::find_loose() {
  std::vector<bool> found(def_.params);
  bool any = false;
  for (std::size_t i = 0; i < def_.params; ++i) {
    found[i] = rep(static_cast<Wire>(i)) == kRepF32;
    any = any || found[i];
  }
  if (any) take_looked_at(def_, def_.block, id_, found);
  for (std::size_t i = 0; i < def_.params; ++i) loose_[i] = found[i];
}

// Those that are loose in the rounds of a strip and not everywhere.
std::vector<Wire> FunctionEmitter::strip_loose() const {
  const Block& round = loop_->round->block;
  Computed computed(def_, round, id_);
  std::vector<bool> found(def_.params);
  for (std::size_t i = 0; i < def_.params; ++i) {
    found[i] = loose_[i] || (rep(static_cast<Wire>(i)) == kRepF32 &&
                             computed.always()[i]);
  }
  take_looked_at(def_, round, id_, found);
  std::vector<Wire> result;
  for (std::size_t i = 0; i < def_.params; ++i) {
    if (found[i] && !loose_[i]) result.push_back(static_cast<Wire>(i));
  }
  return result;
}

}  // namespace tine
