// Verifies a match: its arms fit the scrutinee, none stands twice, together
// they cover every value.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compiler/book/statement_text.h"
#include "compiler/book/token.h"
#include "compiler/book/verifier.h"

namespace tine {

namespace {

constexpr std::uint64_t kMaxU32 = 0xFFFFFFFFu;
constexpr std::uint64_t kMaxNat = (std::uint64_t{1} << 48) - 1;

std::string quoted(std::string_view name) { return quote_text(name, '`'); }

bool is_word(TypeId type) {
  return type == kTypeU32 || type == kTypeF32 || type == kTypeChar;
}

std::string label(const Book& book, const Arm& arm, TypeId at) {
  switch (arm.kind) {
    case ArmKind::kCtor: return quote_name(book.ctor(arm.ctor).name);
    case ArmKind::kZero: return "0n";
    case ArmKind::kSucc: return "1n+";
    case ArmKind::kLiteral: return literal_text(arm.value, at);
    case ArmKind::kElse: break;
  }
  return "else";
}

// Two arms of one key stand for the same values.
std::pair<int, std::uint64_t> key(const Arm& arm) {
  std::uint64_t value = 0;
  if (arm.kind == ArmKind::kCtor) value = index(arm.ctor);
  if (arm.kind == ArmKind::kLiteral) value = arm.value;
  return {static_cast<int>(arm.kind), value};
}

bool has_arm(const Stmt& stmt, ArmKind kind) {
  return std::any_of(stmt.arms.begin(), stmt.arms.end(),
                     [&](const Arm& arm) { return arm.kind == kind; });
}

}  // namespace

void DefVerifier::check_match(const Stmt& stmt) {
  if (stmt.ins.size() != 1) return;  // reported with its statement
  for (const Arm& arm : stmt.arms) {
    bool ctor = arm.kind == ArmKind::kCtor;
    if (ctor && index(arm.ctor) >= book_.ctors.size()) {
      return fail("the constructor of an arm is not known");
    }
  }
  check_arm_kinds(stmt, type_of(stmt.ins[0]));
  levels_.push_back({&stmt, 0, changes_.size()});
}

// The next arm of the innermost match, on the path to that match. Behind its
// last arm the match is done.
void DefVerifier::next_arm() {
  Level& level = levels_.back();
  undo(level.mark);
  const Stmt& match = *level.match;
  if (level.next == match.arms.size() || errors_.size() >= kMaxVerifyErrors) {
    levels_.pop_back();
    return;
  }
  const Arm& arm = match.arms[level.next++];
  TypeId at = type_of(match.ins[0]);
  at_stmt(match);
  at_ += ": " + label(book_, arm, at);
  if (check_binds(arm, at)) check_block(arm.block);
}

// The set of arms, as one.
void DefVerifier::check_arm_kinds(const Stmt& stmt, TypeId at) {
  std::set<std::pair<int, std::uint64_t>> seen;
  bool over = false;
  for (const Arm& arm : stmt.arms) {
    std::string name = quoted(label(book_, arm, at));
    if (!check_arm_kind(arm, at)) return;
    if (!seen.insert(key(arm)).second) {
      return fail("the arm " + name + " stands twice");
    }
    bool late = arm.kind == ArmKind::kLiteral && at == kTypeNat &&
                seen.count({static_cast<int>(ArmKind::kSucc), 0}) > 0;
    if (over || late) return fail("the arm " + name + " is never reached");
    over = arm.kind == ArmKind::kElse;
  }
  if (!check_one_kind(stmt)) return;
  std::string missing = missing_arm(stmt, at);
  if (!missing.empty()) fail("it has no arm for " + missing);
}

// A match on Any goes by one type of values, as every other.
bool DefVerifier::check_one_kind(const Stmt& stmt) {
  bool nat = false;
  std::set<DataId> datas;
  for (const Arm& arm : stmt.arms) {
    if (arm.kind == ArmKind::kCtor) datas.insert(book_.ctor(arm.ctor).data);
    nat = nat || arm.kind == ArmKind::kZero || arm.kind == ArmKind::kSucc;
  }
  if (datas.size() + (nat ? 1 : 0) < 2) return true;
  fail("its arms match values of different types");
  return false;
}

bool DefVerifier::check_arm_kind(const Arm& arm, TypeId at) {
  bool any = at == kTypeAny;
  bool fits = true;
  switch (arm.kind) {
    case ArmKind::kElse: break;
    case ArmKind::kCtor:
      fits = any || ports_.data_of(at) == book_.ctor(arm.ctor).data;
      break;
    case ArmKind::kZero:
    case ArmKind::kSucc: fits = any || at == kTypeNat; break;
    case ArmKind::kLiteral: {
      std::uint64_t limit = at == kTypeNat ? kMaxNat : kMaxU32;
      fits = (is_word(at) || at == kTypeNat) && arm.value <= limit &&
             !(at == kTypeNat && arm.value == 0);
      break;
    }
  }
  if (fits) return true;
  fail("the arm " + quoted(label(book_, arm, at)) + " does not match " +
       ports_.show(at));
  return false;
}

// What no arm stands for, "" when all is covered.
std::string DefVerifier::missing_arm(const Stmt& stmt, TypeId at) const {
  if (has_arm(stmt, ArmKind::kElse)) return "";
  bool zero = has_arm(stmt, ArmKind::kZero);
  bool succ = has_arm(stmt, ArmKind::kSucc);
  if (at == kTypeNat || zero || succ) {
    return !zero ? "`0n`" : !succ ? "`1n+p`" : "";
  }
  DataId data = ports_.data_of(at);
  std::set<CtorId> seen;
  for (const Arm& arm : stmt.arms) {
    if (arm.kind != ArmKind::kCtor) continue;
    seen.insert(arm.ctor);
    data = book_.ctor(arm.ctor).data;
  }
  if (data == DataId::kNone) return "all other values: `else`";
  for (CtorId ctor : book_.data(data).ctors) {
    if (seen.count(ctor) == 0) return quoted(book_.ctor(ctor).name);
  }
  return "";
}

bool DefVerifier::check_binds(const Arm& arm, TypeId at) {
  bool ctor = arm.kind == ArmKind::kCtor;
  DataId data = ports_.data_of(at);
  // Reported with the kinds of the arms.
  if (ctor && at != kTypeAny && data != book_.ctor(arm.ctor).data) return false;
  PortTypesOf types = ports_.of_arm(arm, at);
  if (!types.problem.empty()) {
    fail(types.problem);
    return false;
  }
  if (types.gives.size() != arm.binds.size()) {
    fail("it binds " + std::to_string(types.gives.size()) + " wires, not " +
         std::to_string(arm.binds.size()));
    return false;
  }
  for (std::size_t i = 0; i < arm.binds.size(); i++) {
    if (arm.binds[i] == Wire::kOut) fail("an arm cannot bind `out`");
    define(arm.binds[i]);
    TypeId type = type_of(arm.binds[i]);
    if (ports_.fits(type, types.gives[i])) continue;
    fail("it binds " + ports_.show(types.gives[i]) + ", " +
         quoted(name_of(arm.binds[i])) + " is " + ports_.show(type));
  }
  return true;
}

}  // namespace tine
