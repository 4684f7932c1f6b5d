#include "compiler/emit/strips.h"

namespace tine {
namespace {

// What a wire holds, in terms of the parameters at the start of the round.
struct Origin {
  enum class Kind : std::uint8_t {
    kOther,
    kOne,      // the word 1
    kSame,     // parameter `param`, of an array also after a write
    kNext,     // it plus one
    kWith,     // a pair whose first part is array `param`
    kRest,     // the counter minus one
  };
  Kind kind = Kind::kOther;
  std::uint32_t param = 0;
  bool operator==(const Origin&) const = default;
};
using Kind = Origin::Kind;

class Rounds {
 public:
  Rounds(const Book& book, DefId id)
      : book_(book), id_(id), def_(book.def(id)), origins_(def_.wires.size()) {}

  std::optional<CountedLoop> find();

 private:
  void walk(const Block& block);
  void prim(const Stmt& stmt);
  void access(const Stmt& stmt);
  void tail(const Stmt& call);
  Origin of(Wire wire) const { return origins_[index(wire)]; }
  void set(Wire wire, Origin origin) {
    if (wire != Wire::kOut) origins_[index(wire)] = origin;
  }

  const Book& book_;
  const DefId id_;
  const DefRow& def_;
  std::vector<Origin> origins_;
  CountedLoop loop_;
  std::vector<bool> same_;   // by parameter: handed on unchanged
  std::size_t tails_ = 0;
  bool good_ = true;
};

std::optional<CountedLoop> Rounds::find() {
  if (def_.block.size() != 1) return std::nullopt;
  const Stmt& match = def_.block[0];
  if (match.op != Op::kMatch || index(match.ins[0]) >= def_.params ||
      match.arms.size() != 2) {
    return std::nullopt;
  }
  loop_.count = index(match.ins[0]);
  for (const Arm& arm : match.arms) {
    if (arm.kind == ArmKind::kZero) loop_.done = &arm;
    if (arm.kind == ArmKind::kSucc) loop_.round = &arm;
  }
  if (!loop_.done || !loop_.round || loop_.round->binds.size() != 1) {
    return std::nullopt;
  }
  for (std::uint32_t i = 0; i < def_.params; ++i) {
    origins_[i] = {Kind::kSame, i};
  }
  loop_.steps.assign(def_.params, true);
  same_.assign(def_.params, true);
  set(loop_.round->binds[0], {Kind::kRest, 0});
  walk(loop_.round->block);
  if (!good_ || tails_ == 0) return std::nullopt;
  std::erase_if(loop_.accesses, [&](const CountedLoop::Access& access) {
    return !same_[access.array] || !loop_.steps[access.index];
  });
  return loop_;
}

void Rounds::walk(const Block& block) {
  for (const Stmt& stmt : block) {
    switch (stmt.op) {
      case Op::kU32:
        if (stmt.num == 1) set(stmt.outs[0], {Kind::kOne, 0});
        break;
      case Op::kCopy:
        set(stmt.outs[0], of(stmt.ins[0]));
        set(stmt.outs[1], of(stmt.ins[0]));
        break;
      case Op::kTake:
        if (of(stmt.ins[0]).kind == Kind::kWith) {
          set(stmt.outs[0], {Kind::kSame, of(stmt.ins[0]).param});
        }
        break;
      case Op::kPrim: prim(stmt); break;
      case Op::kCall:
        if (stmt.outs[0] == Wire::kOut && stmt.def == id_) tail(stmt);
        break;
      default: break;
    }
    for (const Arm& arm : stmt.arms) walk(arm.block);
  }
}

void Rounds::prim(const Stmt& stmt) {
  switch (stmt.prim) {
    case Prim::kU32Inc:
      if (of(stmt.ins[0]).kind == Kind::kSame) {
        set(stmt.outs[0], {Kind::kNext, of(stmt.ins[0]).param});
      }
      return;
    case Prim::kU32Add: {
      Origin x = of(stmt.ins[0]), y = of(stmt.ins[1]);
      if (x.kind == Kind::kOne) std::swap(x, y);
      if (x.kind == Kind::kSame && y.kind == Kind::kOne) {
        set(stmt.outs[0], {Kind::kNext, x.param});
      }
      return;
    }
    case Prim::kArrayGet:
    case Prim::kArraySet: return access(stmt);
    default: return;
  }
}

void Rounds::access(const Stmt& stmt) {
  Origin array = of(stmt.ins[0]), at = of(stmt.ins[1]);
  if (array.kind != Kind::kSame) return;
  bool narrow = stmt.type == kTypeU32 || stmt.type == kTypeF32 ||
                stmt.type == kTypeChar;
  if (narrow && at.kind == Kind::kSame) {
    loop_.accesses.push_back({&stmt, array.param, at.param});
  }
  bool gets = stmt.prim == Prim::kArrayGet;
  set(stmt.outs[0], {gets ? Kind::kWith : Kind::kSame, array.param});
}

void Rounds::tail(const Stmt& call) {
  ++tails_;
  good_ = good_ && of(call.ins[loop_.count]).kind == Kind::kRest;
  for (std::uint32_t i = 0; i < call.ins.size(); ++i) {
    loop_.steps[i] =
        loop_.steps[i] && of(call.ins[i]) == Origin{Kind::kNext, i};
    same_[i] = same_[i] && of(call.ins[i]) == Origin{Kind::kSame, i};
  }
}

}  // namespace

std::optional<CountedLoop> counted_loop(const Book& book, DefId def) {
  return Rounds(book, def).find();
}

}  // namespace tine
