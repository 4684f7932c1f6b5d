// Matches. Every arm leaves the function or goes round its loop, so that no
// `else` is needed and the last arm stands behind the others.
#include "compiler/emit/function_emitter.h"
#include "runtime/native/abi.h"

namespace tine {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }

}  // namespace

// True where the scrutinee is of the arm's constructor.
std::string FunctionEmitter::test_ctor(const Stmt& stmt, const Arm& arm) {
  Wire in = stmt.ins[0];
  std::string x = wire(in);
  const Rep& row = reps_.at(rep(in));
  if (arm.ctor == kCtorALeaf || arm.ctor == kCtorANode) {
    std::string leaf = "is_leaf(" + x + ")";
    if (arm.ctor == kCtorANode) leaf = "!" + leaf;
    return reps_.trust() ? leaf : x + " >> 60 == 3 && " + leaf;
  }
  std::uint32_t id = shared_.numbers.id(arm.ctor);
  if (row.kind == RepKind::kStruct) return "1";
  if (row.kind == RepKind::kEnum) return x + " == " + number(id - row.id);
  const CtorRow& ctor = book_.ctor(arm.ctor);
  if (!reps_.trust()) return "ctor_of(" + x + ") == " + number(id);
  if (ctor.fields.empty()) return x + " == box_ctor(" + number(id) + ")";
  std::size_t with_fields = 0;
  for (CtorId other : book_.data(ctor.data).ctors) {
    with_fields += !book_.ctor(other).fields.empty();
  }
  if (with_fields == 1) return "is_node(" + x + ")";
  return "ctor_of(" + x + ") == " + number(id);
}

std::string FunctionEmitter::test(const Stmt& stmt, const Arm& arm) {
  Wire in = stmt.ins[0];
  RepId natural = reps_.natural(type(in));
  switch (arm.kind) {
    case ArmKind::kCtor: return test_ctor(stmt, arm);
    case ArmKind::kZero: return as(in, kRepNat) + " == 0";
    case ArmKind::kSucc: return as(in, kRepNat) + " != 0";
    case ArmKind::kElse: return "1";
    case ArmKind::kLiteral: break;
  }
  if (natural == kRepF32) {
    return "f32_bits(" + as(in, kRepF32) + ") == " + number(arm.value) + "u";
  }
  if (natural == kRepNat) {
    return as(in, kRepNat) + " == " + number(arm.value) + "ull";
  }
  return as(in, kRepU32) + " == " + number(arm.value) + "u";
}

void FunctionEmitter::match(const Stmt& stmt) {
  if (select(stmt)) return;
  for (std::size_t i = 0; i < stmt.arms.size(); ++i) {
    const Arm& next = stmt.arms[i];
    // The verifier saw to it that the arms cover everything.
    bool last = i + 1 == stmt.arms.size();
    if (next.kind == ArmKind::kElse || (last && reps_.trust())) {
      return arm(stmt, next);
    }
    line("if (" + test(stmt, next) + ") {");
    ++depth_;
    Holes before = holes_;
    bool checked = checked_;
    std::size_t owned = owned_.size();
    arm(stmt, next);
    holes_ = std::move(before);
    lend_again(owned);
    checked_ = checked;
    --depth_;
    line("}");
  }
  line("fail(w, FAULT_NO_ARM, " + number_ + ");");
  line("__builtin_unreachable();");
}

void FunctionEmitter::arm(const Stmt& stmt, const Arm& arm) {
  trim_holes(arm.block);
  if (arm.kind == ArmKind::kCtor) {
    if (shared_.counts && !arm.binds.empty()) {
      line("COUNT(" + number(NativeSlots{book_.defs.size()}.takes()) +
           ", 1);");
    }
    take_fields(arm.ctor, stmt.ins[0], arm.binds, arm.block, 0);
  } else {
    bind(stmt, arm);
  }
  block(arm.block);
}

// What an arm binds that takes no constructor apart.
void FunctionEmitter::bind(const Stmt& stmt, const Arm& arm) {
  if (arm.binds.empty()) return;
  Wire in = stmt.ins[0];
  if (arm.kind == ArmKind::kSucc) {
    value(arm.binds[0], "(" + as(in, kRepNat) + " - 1)", kRepNat);
  } else if (arm.kind == ArmKind::kElse) {
    value(arm.binds[0], wire(in), rep(in));
    if (lent(in)) lend(arm.binds[0]);
    if (loose(in)) loosen(arm.binds[0]);
  }
}

}  // namespace tine
