// Code of matches: a table by constructor, zero or not, or a search among
// numbers.
#include <algorithm>

#include "compiler/closed/coder.h"

namespace tine::closed {

using core::ArmKind;
using core::Ctor;
using core::Term;
using core::TermArm;

void Coder::match(const Term* t, const Bind* scope, Row row) {
  if (t->arms.empty()) {
    add(row, OpSort::kBail);
    return;
  }
  if (t->arms[0].kind == ArmKind::kElse) {  // nothing is looked at
    result(t->arms[0].body, scope, row);
    return;
  }
  ClosedOperand operand = place(lazy(t->kids[0], scope, row), row);
  auto slot = static_cast<std::uint32_t>(operand.slot);
  if (t->arms[0].kind == ArmKind::kLiteral) {
    match_numbers(t, slot, scope, row);
  } else if (t->arms[0].ctor == ids_.zero || t->arms[0].ctor == ids_.succ) {
    match_nat(t, slot, scope, row);
  } else {
    match_ctors(t, slot, scope, row);
  }
}

// The code of an arm, whose live fields take the next places.
void Coder::arm(const TermArm& arm, const Bind* scope, Row row,
                ClosedArm& out) {
  out.dst = row.depth;
  if (arm.kind == ArmKind::kCtor) {
    const std::vector<core::FieldInfo>& fields = globals_.ctor(arm.ctor).fields;
    for (const core::FieldInfo& field : fields) {
      bool live = field.mark != Mark::kErased;
      scope = live ? scopes_.slot(scope, row.depth++) : scopes_.dead(scope);
      if (live) ++out.fields;
    }
  }
  frame_ = std::max(frame_, row.depth);
  row.tail = &out.code;
  result(arm.body, scope, row);
}

void Coder::match_ctors(const Term* t, std::uint32_t slot, const Bind* scope,
                        Row row) {
  ClosedOp& op = add(row, OpSort::kMatchCtor);
  op.dst = slot;
  core::Data data = globals_.ctor(t->arms[0].ctor).data;
  std::vector<ClosedArm>& arms =
      arms_.emplace_back(globals_.data(data).ctors.size());
  op.arms = arms.data();
  op.size = static_cast<std::uint32_t>(arms.size());
  for (const TermArm& arm : t->arms) {
    if (arm.kind == ArmKind::kElse) {
      op.rest = true;
      this->arm(arm, scope, row, op.other);
      break;
    }
    ClosedArm& out = arms[globals_.ctor(arm.ctor).tag];
    if (!out.code) this->arm(arm, scope, row, out);
  }
}

void Coder::match_nat(const Term* t, std::uint32_t slot, const Bind* scope,
                      Row row) {
  ClosedOp& op = add(row, OpSort::kMatchNat);
  op.dst = slot;
  std::vector<ClosedArm>& arms = arms_.emplace_back(2);  // of zero, of more
  op.arms = arms.data();
  for (const TermArm& arm : t->arms) {
    if (arm.kind == ArmKind::kElse) {
      op.rest = true;
      this->arm(arm, scope, row, op.other);
      break;
    }
    ClosedArm& out = arms[arm.ctor == ids_.zero ? 0 : 1];
    if (!out.code) this->arm(arm, scope, row, out);
  }
}

void Coder::match_numbers(const Term* t, std::uint32_t slot, const Bind* scope,
                          Row row) {
  // Successors are counted first: the literals may be naturals.
  ClosedOperand number = natural({static_cast<std::int32_t>(slot), 0}, row);
  ClosedOp& op = add(row, OpSort::kMatchWord);
  op.dst = static_cast<std::uint32_t>(number.slot);
  for (const TermArm& arm : t->arms) {
    ClosedArm out;
    if (arm.kind == ArmKind::kElse) {
      op.rest = true;
      this->arm(arm, scope, row, op.other);
      break;
    }
    auto at = std::lower_bound(
        op.numbers.begin(), op.numbers.end(), arm.num,
        [](const auto& entry, std::uint64_t n) { return entry.first < n; });
    if (at != op.numbers.end() && at->first == arm.num) continue;
    this->arm(arm, scope, row, out);
    op.numbers.insert(at, {arm.num, out.code});
  }
}

}  // namespace tine::closed
