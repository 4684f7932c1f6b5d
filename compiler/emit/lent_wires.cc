// Wires that are lent: marked where copies are not made, owned where they
// must be.
#include "compiler/emit/function_emitter.h"

namespace tine {

// Words of the machine are nobody's.
void FunctionEmitter::lend(Wire wire) {
  RepId is = rep(wire);
  if (wire != Wire::kOut) {
    lent_[index(wire)] = is == kRepWord || reps_.is_struct(is);
  }
}

// A value whose copies are counted.
bool FunctionEmitter::counted(Wire wire) const {
  if (!reps_.trust() || type(wire) == TypeId::kNone ||
      book_.type(type(wire)).kind != TypeKind::kData) {
    return false;
  }
  RepId is = rep(wire);
  return is == kRepWord || reps_.is_struct(is);
}

void FunctionEmitter::own(Wire from) {
  if (!lent(from)) return;
  std::string suffix =
      reps_.is_struct(rep(from)) ? "_" + reps_.c_type(rep(from)) : "";
  line("lend" + suffix + "(w, " + wire(from) + ", " + number_ + ");");
  lent_[index(from)] = false;
  owned_.push_back(from);
}

// Another arm begins with what was lent before this one.
void FunctionEmitter::lend_again(std::size_t mark) {
  for (; owned_.size() > mark; owned_.pop_back()) {
    lent_[index(owned_.back())] = true;
  }
}

// For a statement that consumes its operands.
void FunctionEmitter::own_all(const Stmt& stmt) {
  switch (stmt.op) {
    case Op::kTake:
    case Op::kMatch:
    case Op::kCopy:
    case Op::kDrop:
    case Op::kCall:
    case Op::kPar: return;
    case Op::kMove:
      if (stmt.outs[0] != Wire::kOut) return;
      break;
    default: break;
  }
  for (Wire in : stmt.ins) own(in);
}

// The form of the callee that a call is for; what it does not borrow is owned
// from here on.
EmitForm FunctionEmitter::form_of(const Stmt& call) {
  EmitForm form{call.def};
  const DefRow& callee = book_.def(call.def);
  for (std::size_t i = 0; i < call.ins.size(); ++i) {
    if (!lent(call.ins[i])) continue;
    bool lends = i < 64 && rep(call.ins[i]) == reps_.of(callee.wires[i].type) &&
                 shared_.readers.reads(call.def, static_cast<std::uint32_t>(i));
    if (lends) form.lent |= std::uint64_t{1} << i;
    else own(call.ins[i]);
  }
  if (!form_name(shared_, form).empty()) return form;
  for (Wire in : call.ins) own(in);
  return {call.def};
}

// Takes a lent node apart, which stays whole.
void FunctionEmitter::open_lent(Wire from, const std::vector<Wire>& outs) {
  std::string node = fresh("n");
  line("u64* " + node + " = (u64*)" + wire(from) + ";");
  for (std::size_t i = 0; i < outs.size(); ++i) {
    std::string field = node + "[" + std::to_string(i + 1) + "]";
    value(outs[i], reps_.peek(field, rep(outs[i])), rep(outs[i]));
    lend(outs[i]);
  }
}

void FunctionEmitter::copy(const Block& stmts, const Stmt& stmt) {
  Wire from = stmt.ins[0];
  bool both = lent(from);
  bool first = false, second = false;
  if (!both && counted(from)) {
    first = uses_.lends(stmts, stmt, 0);
    second = !first && uses_.lends(stmts, stmt, 1);
  }
  if (!both && !first && !second) {
    std::string args = "(w, " + wire(from) + ", " + number_ + ");";
    if (rep(from) == kRepWord) line("copy" + args);
    if (reps_.is_struct(rep(from))) {
      line("copy_" + reps_.c_type(rep(from)) + args);
    }
  }
  value(stmt.outs[0], wire(from), rep(from));
  value(stmt.outs[1], wire(from), rep(from));
  if (loose(from)) {
    loosen(stmt.outs[0]);
    loosen(stmt.outs[1]);
  }
  if (both || first) lend(stmt.outs[0]);
  if (both || second) lend(stmt.outs[1]);
}

}  // namespace tine
