// Small matches without branches. Where every arm is a few operations on
// machine words and ends alike, with a result or with the next round of the
// loop, all arms are computed and the results chosen: C compilers turn the
// choice into a conditional move, while they leave a branch where an arm
// holds a multiplication or writes several variables. A branch that goes
// either way costs 15 to 20 cycles each time it is guessed wrong, the
// operations of an arm a few.
//
// Nothing in an arm may fail, be counted or touch memory. Where both arms end
// in the same operation its operands are chosen and it is done once.
#include "compiler/emit/function_emitter.h"

namespace tine {
namespace {

constexpr unsigned kMostOperations = 8;
constexpr std::size_t kMostArms = 4;

// Operations that are cheap, cannot fail and need no worker.
bool cheap(Prim prim) {
  switch (prim) {
    case Prim::kU32Div:
    case Prim::kU32Mod:
    case Prim::kF32Div:
    case Prim::kF32Sqrt: return false;
    default: break;
  }
  const EmitRow& row = emit_row(prim);
  if (row.kind != EmitKind::kValue) return false;
  for (const char* needs : {"$w", "$d", "$B", "$k", "$n", "/"}) {
    if (row.text.find(needs) != std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

// A word of the machine, that nobody owns.
bool FunctionEmitter::plain(Wire wire) const {
  RepId is = rep(wire);
  return is != kRepWord && !reps_.is_struct(is);
}

bool FunctionEmitter::all_plain(const Stmt& stmt) const {
  for (Wire in : stmt.ins) {
    if (!plain(in)) return false;
  }
  for (Wire out : stmt.outs) {
    if (!plain(out)) return false;
  }
  return true;
}

// May the statement be done whichever arm it is in? Takes it off the budget.
bool FunctionEmitter::harmless(const Stmt& stmt, unsigned& budget) const {
  switch (stmt.op) {
    case Op::kU32:
    case Op::kNat:
    case Op::kF32:
    case Op::kChar:
    case Op::kMove:
    case Op::kCopy: return all_plain(stmt);
    case Op::kDrop: return plain(stmt.ins[0]) || lent(stmt.ins[0]);
    case Op::kMake:
      return stmt.ins.empty() && all_plain(stmt);
    case Op::kPrim:
      if (budget == 0 || !cheap(stmt.prim)) return false;
      --budget;
      return all_plain(stmt);
    default: return false;
  }
}

// `again`: the ways end with the next round, else with a result.
bool FunctionEmitter::selectable(const Block& block, bool again,
                                 unsigned& budget) const {
  for (std::size_t i = 0; i + 1 < block.size(); ++i) {
    if (!harmless(block[i], budget)) return false;
  }
  const Stmt& last = block.back();
  if (last.op == Op::kMatch) return selectable(last, again, budget);
  if (!again) return plain(Wire::kOut) && harmless(last, budget);
  if (last.op != Op::kCall || last.def != id_ || last.outs[0] != Wire::kOut) {
    return false;
  }
  for (std::size_t i = 0; i < last.ins.size(); ++i) {
    bool lends = i < 64 && (form_.lent >> i & 1);
    if (lent(last.ins[i]) != lends) return false;
  }
  return true;
}

bool FunctionEmitter::selectable(const Stmt& match, bool again,
                                 unsigned& budget) const {
  if (match.arms.size() < 2 || match.arms.size() > kMostArms ||
      !plain(match.ins[0])) {
    return false;
  }
  for (const Arm& arm : match.arms) {
    if (arm.kind == ArmKind::kCtor && !arm.binds.empty()) return false;
    for (Wire bound : arm.binds) {
      if (!plain(bound)) return false;
    }
    if (!selectable(arm.block, again, budget)) return false;
  }
  return true;
}

// The last statement on the first way.
const Stmt& FunctionEmitter::first_end(const Stmt& match) {
  const Stmt* last = &match;
  while (last->op == Op::kMatch) last = &last->arms[0].block.back();
  return *last;
}

// Structs are not chosen: both ways must hand on the same one.
bool FunctionEmitter::same_structs(const Stmt& match, const Stmt& end) const {
  for (const Arm& arm : match.arms) {
    const Stmt& last = arm.block.back();
    if (last.op == Op::kMatch) {
      if (!same_structs(last, end)) return false;
      continue;
    }
    for (std::size_t i = 0; i < last.ins.size(); ++i) {
      if (reps_.is_struct(rep(static_cast<Wire>(i))) &&
          last.ins[i] != end.ins[i]) {
        return false;
      }
    }
  }
  return true;
}

bool FunctionEmitter::select(const Stmt& match) {
  if (!reps_.trust() || shared_.counts || dest_ || !holes_.empty()) {
    return false;
  }
  const Stmt& end = first_end(match);
  bool again = end.op == Op::kCall;
  unsigned budget = kMostOperations;
  if (!selectable(match, again, budget)) return false;
  if (again && !same_structs(match, end)) return false;
  std::vector<std::string> texts = chosen(match);
  if (again) {
    go_round(texts);
  } else {
    line("return " + texts[0] + ";");
  }
  return true;
}

// What the match ends with, by parameter or the one result.
std::vector<std::string> FunctionEmitter::chosen(const Stmt& match) {
  std::size_t last = match.arms.size() - 1;
  std::vector<std::string> tests;
  for (std::size_t i = 0; i < last; ++i) {
    tests.push_back(fresh("is"));
    line("u32 " + tests[i] + " = " + test(match, match.arms[i]) + ";");
  }
  bool merged = match.arms.size() == 2 && one_operation(match);
  std::vector<std::vector<std::string>> ends;
  for (std::size_t i = 0; i <= last; ++i) {
    const Arm& arm = match.arms[i];
    bind(match, arm);
    const Block& block = arm.block;
    for (std::size_t at = 0; at + 1 < block.size(); ++at) statement(block, at);
    if (!merged) ends.push_back(ending(block.back()));
  }
  if (merged) {
    const Stmt& first = match.arms[0].block.back();
    const Stmt& second = match.arms[1].block.back();
    return merged_ending(tests[0], first, second);
  }
  std::vector<std::string> result = ends[last];
  bool again = first_end(match).op == Op::kCall;
  for (std::size_t i = last; i-- > 0;) {
    for (std::size_t k = 0; k < result.size(); ++k) {
      if (again && steps(k)) continue;
      RepId is = rep(again ? static_cast<Wire>(k) : Wire::kOut);
      result[k] = choice(tests[i], ends[i][k], result[k], is);
    }
  }
  return result;
}

// The one operation that both arms end in, on chosen operands. Only while it is
// written do they go by other names: they may be parameters, which others read.
std::vector<std::string> FunctionEmitter::merged_ending(
    const std::string& test, const Stmt& first, const Stmt& second) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < first.ins.size(); ++i) {
    RepId is = rep(first.ins[i]);
    names.push_back(
        choice(test, as(first.ins[i], is), as(second.ins[i], is), is));
  }
  std::vector<std::pair<std::string, bool>> before;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t wire = index(first.ins[i]);
    before.emplace_back(names_[wire], loose_[wire]);
    names_[wire] = names[i];
    loose_[wire] = false;
  }
  std::vector<std::string> texts = ending(first);
  for (std::size_t i = names.size(); i-- > 0;) {
    std::size_t wire = index(first.ins[i]);
    names_[wire] = before[i].first;
    loose_[wire] = before[i].second;
  }
  return texts;
}

// Do both arms end in the same operation?
bool FunctionEmitter::one_operation(const Stmt& match) const {
  const Stmt& first = match.arms[0].block.back();
  const Stmt& second = match.arms[1].block.back();
  if (first.op != Op::kPrim || second.op != Op::kPrim ||
      first.prim != second.prim || first.type != second.type) {
    return false;
  }
  for (std::size_t i = 0; i < first.ins.size(); ++i) {
    if (rep(first.ins[i]) != rep(second.ins[i])) return false;
  }
  return true;
}

std::vector<std::string> FunctionEmitter::ending(const Stmt& last) {
  if (last.op == Op::kMatch) return chosen(last);
  if (last.op == Op::kCall) return arguments(last);
  std::string text;
  result_ = &text;
  Block alone{last};
  statement(alone, 0);
  result_ = nullptr;
  return {text};
}

std::string FunctionEmitter::choice(const std::string& test,
                                    const std::string& yes,
                                    const std::string& no, RepId is) {
  if (yes == no) return yes;
  std::string name = fresh("s");
  line(reps_.c_type(is) + " " + name + " = " + test + " ? " + yes + " : " +
       no + ";");
  return name;
}

}  // namespace tine
