// Matches. The first arm's code follows the test at once; the others wait in
// `pending_` with the registers as they were, and the jump is patched when
// their turn comes.
#include <algorithm>

#include "runtime/heap/check.h"
#include "runtime/net/rule_compiler.h"

namespace tine {
namespace {

std::size_t find_arm(const Stmt& stmt, ArmKind kind) {
  for (std::size_t i = 0; i < stmt.arms.size(); ++i) {
    if (stmt.arms[i].kind == kind) return i;
  }
  return stmt.arms.size();
}

// The arm that a constructor meets: its own or an earlier default.
std::size_t find_ctor_arm(const Stmt& stmt, CtorId ctor) {
  for (std::size_t i = 0; i < stmt.arms.size(); ++i) {
    const Arm& arm = stmt.arms[i];
    bool fits = arm.kind == ArmKind::kElse ||
                (arm.kind == ArmKind::kCtor && arm.ctor == ctor);
    if (fits) return i;
  }
  return stmt.arms.size();
}

}  // namespace

// Null, or the block that follows.
const Block* RuleCompiler::match(const Stmt& stmt) {
  Operand scrutinee = input(stmt, 0);
  switch (scrutinee.kind) {
    case Operand::Kind::kConst:
    case Operand::Kind::kNode: return match_known(stmt, std::move(scrutinee));
    case Operand::Kind::kCompare:
      return match_compare(stmt, std::move(scrutinee));
    default: return match_reg(stmt, std::move(scrutinee));
  }
}

const Block* RuleCompiler::match_reg(const Stmt& stmt, Operand scrutinee) {
  std::size_t ctor = find_arm(stmt, ArmKind::kCtor);
  if (ctor == stmt.arms.size()) {
    return match_tests(stmt, 0, std::move(scrutinee));
  }
  if (book_.ctor(stmt.arms[ctor].ctor).data == kDataArray) {
    return match_array(stmt, std::move(scrutinee));
  }
  return match_ctors(stmt, std::move(scrutinee));
}

Word RuleCompiler::literal(std::uint64_t value, TypeId type) const {
  TypeKind kind =
      type == TypeId::kNone ? TypeKind::kU32 : book_.type(type).kind;
  auto low = static_cast<std::uint32_t>(value);
  switch (kind) {
    case TypeKind::kNat: return make_nat(value & kMaxNat);
    case TypeKind::kChar: return make_char(low);
    case TypeKind::kF32: return make_f32_bits(low);
    default: return make_u32(low);
  }
}

// ---- a scrutinee that is known ----------------------------------------------

bool RuleCompiler::arm_fits(const Arm& arm, TypeId type,
                            const Operand& scrutinee) const {
  Word word = scrutinee.word;
  bool node = scrutinee.kind == Operand::Kind::kNode;
  switch (arm.kind) {
    case ArmKind::kCtor:
      return node ? arm.ctor == scrutinee.ctor
                  : word == make_ctor(program_.id(arm.ctor));
    case ArmKind::kZero: return !node && word == make_nat(0);
    case ArmKind::kSucc:
      return !node && tag_of(word) == Tag::kNat && nat_of(word) > 0;
    case ArmKind::kLiteral: return !node && word == literal(arm.value, type);
    case ArmKind::kElse: return true;
  }
  return false;
}

void RuleCompiler::bind_known(const Arm& arm, Operand scrutinee) {
  if (arm.kind == ArmKind::kElse) {
    Wire wire = arm.binds[0];
    if (scrutinee.kind == Operand::Kind::kNode && escapes_[index(wire)]) {
      reg(scrutinee);
    }
    bind(wire, std::move(scrutinee));
  } else if (arm.kind == ArmKind::kSucc) {
    bind(arm.binds[0], Operand::of_word(scrutinee.word - 1));
  } else {
    for (std::size_t i = 0; i < arm.binds.size(); ++i) {
      bind(arm.binds[i], std::move(scrutinee.parts[i]));
    }
  }
}

const Block* RuleCompiler::match_known(const Stmt& stmt, Operand scrutinee) {
  TypeId type = wire_type(stmt.ins[0]);
  for (const Arm& arm : stmt.arms) {
    if (!arm_fits(arm, type, scrutinee)) continue;
    block_ = add_block(block_);
    bool takes = arm.kind == ArmKind::kCtor && !arm.binds.empty();
    count().takes += takes;
    bind_known(arm, std::move(scrutinee));
    return &arm.block;
  }
  return no_arm();
}

const Block* RuleCompiler::no_arm() {
  emit(Code::kNoArm);
  return nullptr;
}

// ---- a comparison -----------------------------------------------------------

namespace {

struct Jumps {
  Code both, right_known, left_known;  // taken where the comparison is false
};

Jumps jumps_of(Code compare) {
  switch (compare) {
    case Code::kIsEq: return {Code::kJumpNe, Code::kJumpNeK, Code::kJumpNeK};
    case Code::kIsNe: return {Code::kJumpEq, Code::kJumpEqK, Code::kJumpEqK};
    case Code::kIsLt: return {Code::kJumpGe, Code::kJumpGeK, Code::kJumpLeK};
    default: return {Code::kJumpGt, Code::kJumpGtK, Code::kJumpLtK};
  }
}

}  // namespace

const Block* RuleCompiler::match_compare(const Stmt& stmt, Operand scrutinee) {
  std::size_t yes = find_ctor_arm(stmt, book_.known.true_);
  std::size_t no = find_ctor_arm(stmt, book_.known.false_);
  bool bound = yes == no || yes == stmt.arms.size() ||
               no == stmt.arms.size() ||
               stmt.arms[yes].kind == ArmKind::kElse ||
               stmt.arms[no].kind == ArmKind::kElse;
  if (bound) {  // the value itself is wanted
    reg(scrutinee);
    return match_reg(stmt, std::move(scrutinee));
  }
  Operand& x = scrutinee.parts[0];
  Operand& y = scrutinee.parts[1];
  Jumps jumps = jumps_of(scrutinee.compare);
  bool x_known = x.kind == Operand::Kind::kConst;
  if (x_known && y.kind == Operand::Kind::kConst) {
    reg(x);
    x_known = false;
  }
  std::size_t base, cell;
  if (y.kind == Operand::Kind::kConst) {
    base = emit(jumps.right_known, reg(x));
    cell = word(0);
    word(y.word);
  } else if (x_known) {
    base = emit(jumps.left_known, reg(y));
    cell = word(0);
    word(x.word);
  } else {
    base = emit(jumps.both, reg(x), reg(y));
    cell = word(0);
  }
  wait(stmt, no, false, scrutinee, base, {cell});
  return start_arm(stmt, yes, std::move(scrutinee));
}

// ---- constructors -----------------------------------------------------------

const Block* RuleCompiler::match_array(const Stmt& stmt, Operand scrutinee) {
  std::size_t leaf = find_ctor_arm(stmt, kCtorALeaf);
  std::size_t node = find_ctor_arm(stmt, kCtorANode);
  std::size_t base = emit(Code::kMatchArray, reg(scrutinee));
  std::size_t cell = word(0);
  wait(stmt, leaf, false, scrutinee, base, {cell});
  if (node == stmt.arms.size()) return no_arm();
  return start_arm(stmt, node, std::move(scrutinee));
}

const Block* RuleCompiler::match_ctors(const Stmt& stmt, Operand scrutinee) {
  std::size_t any = find_arm(stmt, ArmKind::kCtor);
  const DataRow& data = book_.data(book_.ctor(stmt.arms[any].ctor).data);
  std::size_t ctors = data.ctors.size();
  std::size_t base = emit(Code::kMatch, reg(scrutinee), ctors);
  word(program_.id(data.ctors[0]));
  std::size_t table = here();
  for (std::size_t i = 0; i <= ctors; ++i) word(0);
  std::size_t otherwise = find_arm(stmt, ArmKind::kElse);
  std::vector<std::vector<std::size_t>> cells(stmt.arms.size() + 1);
  for (std::size_t i = 0; i < ctors; ++i) {
    cells[find_ctor_arm(stmt, data.ctors[i])].push_back(table + i);
  }
  cells[otherwise].push_back(table + ctors);
  for (std::size_t cell : cells[stmt.arms.size()]) patch(cell, base);
  if (!cells[stmt.arms.size()].empty()) no_arm();
  std::size_t first = stmt.arms.size();
  for (std::size_t i = stmt.arms.size(); i-- > 0;) {
    if (cells[i].empty()) continue;
    if (first < stmt.arms.size()) {
      wait(stmt, first, false, scrutinee, base, cells[first]);
    }
    first = i;
  }
  if (first == stmt.arms.size()) return nullptr;
  for (std::size_t cell : cells[first]) patch(cell, base);
  return start_arm(stmt, first, std::move(scrutinee));
}

// ---- numbers ----------------------------------------------------------------

// The tests of a match on numbers from one arm on, in order.
const Block* RuleCompiler::match_tests(const Stmt& stmt, std::size_t arm,
                                       Operand scrutinee) {
  if (arm >= stmt.arms.size()) return no_arm();
  switch (stmt.arms[arm].kind) {
    case ArmKind::kElse: return start_arm(stmt, arm, std::move(scrutinee));
    case ArmKind::kSucc:
      return test_succ(stmt, stmt.arms.size(), arm, std::move(scrutinee));
    case ArmKind::kZero:
      if (arm + 1 < stmt.arms.size() &&
          stmt.arms[arm + 1].kind == ArmKind::kSucc) {
        return test_succ(stmt, arm, arm + 1, std::move(scrutinee));
      }
      break;
    default: break;
  }
  TypeId type = wire_type(stmt.ins[0]);
  bool zero = stmt.arms[arm].kind == ArmKind::kZero;
  std::size_t base = emit(Code::kJumpNotWord, reg(scrutinee));
  word(zero ? make_nat(0) : literal(stmt.arms[arm].value, type));
  std::size_t cell = word(0);
  wait(stmt, arm + 1, true, scrutinee, base, {cell});
  return start_arm(stmt, arm, std::move(scrutinee));
}

// A successor, else the arm `zero`, else the tests that follow.
const Block* RuleCompiler::test_succ(const Stmt& stmt, std::size_t zero,
                                     std::size_t succ, Operand scrutinee) {
  Reg from = reg(scrutinee);
  Registers before = regs_;
  Reg to = from;
  if (!regs_.single(from)) {
    regs_.release(from);
    to = take_reg();
  }
  std::size_t base = emit(Code::kJumpZero, to, from);
  std::size_t cell = word(0);
  std::swap(before, regs_);
  bool tests = zero == stmt.arms.size();
  wait(stmt, tests ? succ + 1 : zero, tests, scrutinee, base, {cell});
  std::swap(before, regs_);
  block_ = add_block(block_);
  bind(stmt.arms[succ].binds[0], Operand::of_reg(to));
  return &stmt.arms[succ].block;
}

// ---- arms -------------------------------------------------------------------

// The code of an arm begins: binds what it binds.
const Block* RuleCompiler::start_arm(const Stmt& stmt, std::size_t arm_index,
                                     Operand scrutinee) {
  const Arm& arm = stmt.arms[arm_index];
  block_ = add_block(block_);
  if (arm.kind == ArmKind::kElse) {
    bind(arm.binds[0], std::move(scrutinee));
  } else if (arm.binds.empty()) {
    release(scrutinee);
  } else {
    ++count().takes;
    emit_take(use(std::move(scrutinee)), arm.ctor, arm.binds);
  }
  return &arm.block;
}

void RuleCompiler::wait(const Stmt& stmt, std::size_t arm, bool tests,
                        const Operand& scrutinee, std::size_t base,
                        std::vector<std::size_t> patches) {
  pending_.push_back({&stmt, arm, tests, scrutinee, regs_, block_, base,
                      std::move(patches)});
}

const Block* RuleCompiler::resume() {
  Pending next = std::move(pending_.back());
  pending_.pop_back();
  most_regs_ = std::max(most_regs_, regs_.size());
  regs_ = std::move(next.regs);
  block_ = next.block;
  for (std::size_t cell : next.patches) patch(cell, next.base);
  if (next.tests) {
    return match_tests(*next.match, next.arm, std::move(next.scrutinee));
  }
  if (next.arm == next.match->arms.size()) return no_arm();
  return start_arm(*next.match, next.arm, std::move(next.scrutinee));
}

}  // namespace tine
