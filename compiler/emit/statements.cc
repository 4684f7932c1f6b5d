// Statements of straight-line code.
#include <algorithm>

#include "compiler/emit/function_emitter.h"
#include "runtime/heap/array.h"
#include "runtime/native/abi.h"
#include "runtime/io/utf8.h"

namespace tine {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }

CellKind cell_kind_of(TypeId element) {
  if (element == kTypeU32) return CellKind::kU32;
  if (element == kTypeF32) return CellKind::kF32;
  if (element == kTypeChar) return CellKind::kChar;
  return CellKind::kWord;
}

std::string kind_number(TypeId element) {
  return number(static_cast<std::uint64_t>(cell_kind_of(element)));
}

}  // namespace

// What every way through the statements does, before it is done.
void FunctionEmitter::count(const Block& stmts) {
  NativeSlots slots{book_.defs.size()};
  std::map<std::size_t, unsigned> counts;
  auto call = [&](const Stmt& stmt) {
    if (stmt.op == Op::kCall) ++counts[slots.calls(index(stmt.def))];
  };
  for (const Stmt& stmt : stmts) {
    call(stmt);
    if (stmt.op == Op::kPrim) ++counts[slots.prims(index(id_))];
    if (stmt.op == Op::kTake) ++counts[slots.takes()];
    if (stmt.op == Op::kMake) ++counts[slots.makes()];
    if (stmt.op == Op::kPar) ++counts[slots.forks()];
    for (const Stmt& part : stmt.calls) call(part);
  }
  for (auto [slot, n] : counts) {
    line("COUNT(" + number(slot) + ", " + number(n) + ");");
  }
}

void FunctionEmitter::block(const Block& stmts) {
  if (shared_.counts) count(stmts);
  std::vector<bool> late = late_statements(stmts);
  for (std::size_t at = 0; at < stmts.size(); ++at) {
    if (late[at]) continue;
    if (at + 1 == stmts.size()) {
      for (std::size_t i = 0; i < at; ++i) {
        if (late[i]) statement(stmts, i);
      }
    }
    if (dest_ && fills(stmts, at) && form_of(stmts[at]) == form_) {
      return fill(stmts, at);
    }
    if (checks_calls_ && calls(stmts[at])) look();
    statement(stmts, at);
  }
}

void FunctionEmitter::statement(const Block& stmts, std::size_t at) {
  const Stmt& stmt = stmts[at];
  own_all(stmt);
  switch (stmt.op) {
    case Op::kU32:
    case Op::kNat:
    case Op::kF32:
    case Op::kChar: return literal(stmt);
    case Op::kString: return string(stmt);
    case Op::kMove:
      if (stmt.outs[0] == Wire::kOut) {
        return finish(as(stmt.ins[0], rep(stmt.ins[0])), rep(stmt.ins[0]));
      }
      value(stmt.outs[0], wire(stmt.ins[0]), rep(stmt.ins[0]));
      if (lent(stmt.ins[0])) lend(stmt.outs[0]);
      if (loose(stmt.ins[0])) loosen(stmt.outs[0]);
      return;
    case Op::kMake: return make(stmt);
    case Op::kTake: return take(stmts, at);
    case Op::kCopy: return copy(stmts, stmt);
    case Op::kDrop: return drop(stmt);
    case Op::kPrim: return prim(stmt);
    case Op::kCall: return call(stmt);
    case Op::kClosure: return closure(stmt);
    case Op::kApply:
      return value(stmt.outs[0], call_text(stmt), kRepWord);
    case Op::kEffect: return effect(stmt);
    case Op::kPar: return par(stmt);
    case Op::kMatch: return match(stmt);
  }
}

void FunctionEmitter::literal(const Stmt& stmt) {
  std::string num = number(stmt.num);
  switch (stmt.op) {
    case Op::kU32: return value(stmt.outs[0], num + "u", kRepU32);
    case Op::kNat: return value(stmt.outs[0], num + "ull", kRepNat);
    case Op::kF32:
      return value(stmt.outs[0], "f32_of(" + num + "u)", kRepF32);
    default: return value(stmt.outs[0], num + "u", kRepChar);
  }
}

void FunctionEmitter::string(const Stmt& stmt) {
  std::u32string chars = decode_literal(stmt.text);
  std::string name = "0";
  if (!chars.empty()) {
    name = "text" + number(shared_.text_count++);
    std::string& text = shared_.texts;
    text += "static const u32 " + name + "[] = {";
    for (std::size_t i = 0; i < chars.size(); ++i) {
      text += (i % 12 == 0 ? "\n  " : " ") + number(chars[i]) + ",";
    }
    text += "\n};\n";
  }
  value(stmt.outs[0],
        "w->rt->text(w, " + name + ", " + number(chars.size()) + ", " +
            number_ + ")",
        kRepWord);
}

// ---- constructors -----------------------------------------------------------

void FunctionEmitter::make(const Stmt& stmt) {
  Wire out = stmt.outs[0];
  if (stmt.ctor == kCtorALeaf || stmt.ctor == kCtorANode) {
    return make_array(stmt);
  }
  std::uint32_t id = shared_.numbers.id(stmt.ctor);
  if (stmt.ins.empty()) {
    RepId to = rep(out);
    if (reps_.at(to).kind == RepKind::kEnum) {
      return value(out, number(id - reps_.at(to).id) + "u", to);
    }
    return value(out, "box_ctor(" + number(id) + ")", kRepWord);
  }
  if (!reps_.is_struct(rep(out))) {
    std::string node = make_node(stmt.ctor, stmt.ins, stmt.ins.size());
    return value(out, "(u64)" + node, kRepWord);
  }
  const Rep& row = reps_.at(rep(out));
  std::string fields;
  for (std::size_t i = 0; i < stmt.ins.size(); ++i) {
    fields += (i == 0 ? "" : ", ") + as(stmt.ins[i], row.fields[i]);
  }
  std::string name = out == Wire::kOut ? fresh("out") : wire(out);
  line(reps_.c_type(rep(out)) + " " + name + " = { " + fields + " };");
  if (out == Wire::kOut) finish(name, rep(out));
}

void FunctionEmitter::make_array(const Stmt& stmt) {
  std::string args;
  if (stmt.ctor == kCtorALeaf) {
    args = "array_leaf(w, " + kind_number(type(stmt.ins[0])) + ", " +
           as(stmt.ins[0], kRepWord);
  } else {
    args = "array_node(w, " + as(stmt.ins[0], kRepWord) + ", " +
           as(stmt.ins[1], kRepWord);
    if (!reps_.trust()) {
      for (Wire in : stmt.ins) {
        line("need_array(w, " + wire(in) + ", " + number_ + ");");
      }
    }
  }
  value(stmt.outs[0], "w->rt->" + args + ", " + number_ + ")", kRepWord);
}

// A node with its fields, but for field `skip`; the name of its pointer.
std::string FunctionEmitter::make_node(CtorId ctor,
                                       const std::vector<Wire>& ins,
                                       std::size_t skip) {
  std::string words = number(ins.size() + 1);
  std::vector<std::string> fields(ins.size());
  for (std::size_t i = 0; i < ins.size(); ++i) {
    if (i == skip) continue;
    fields[i] = as(ins[i], kRepWord);
    // Boxing a struct makes a node: before this one.
    if (!reps_.is_struct(rep(ins[i]))) continue;
    std::string boxed = fresh("b");
    line("u64 " + boxed + " = " + fields[i] + ";");
    fields[i] = boxed;
  }
  std::string node = fresh("n");
  std::string head =
      "HEAD(" + number(shared_.numbers.id(ctor)) + ", " + words + ")";
  std::size_t hole = holes_.size();
  while (hole > 0 && holes_[hole - 1].words != ins.size() + 1) --hole;
  if (hole > 0) {
    line("u64* " + node + " = remake(w, " + holes_[hole - 1].name + ", " +
         head + ", " + words + ", " + number_ + ");");
    holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(hole) - 1);
  } else {
    line("u64* " + node + " = make(w, " + head + ", " + words + ", " +
         number_ + ");");
  }
  for (std::size_t i = 0; i < ins.size(); ++i) {
    if (i != skip) {
      line(node + "[" + number(i + 1) + "] = " + fields[i] + ";");
    }
  }
  return node;
}

// `w = call self ..; out = Con x w`: the node first, then round the loop.
void FunctionEmitter::fill(const Block& stmts, std::size_t at) {
  const Stmt& make = stmts[at + 1];
  own_all(make);
  std::size_t hole = 0;
  while (make.ins[hole] != stmts[at].outs[0]) ++hole;
  std::string node = make_node(make.ctor, make.ins, hole);
  line("*dest = (u64)" + node + ";");
  line("dest = " + node + " + " + number(hole + 1) + ";");
  again(stmts[at]);
}

void FunctionEmitter::take(const Block& stmts, std::size_t at) {
  const Stmt& stmt = stmts[at];
  take_fields(stmt.ctor, stmt.ins[0], stmt.outs, stmts, at + 1);
}

void FunctionEmitter::take_fields(CtorId ctor, Wire from,
                                  const std::vector<Wire>& outs,
                                  const Block& rest, std::size_t at) {
  if (ctor == kCtorALeaf || ctor == kCtorANode) {
    if (!reps_.trust()) {
      line("need_array(w, " + wire(from) + ", " + number_ + ");");
    }
    std::string args = "(w, " + wire(from) + ", " + number_ + ")";
    if (ctor == kCtorALeaf) {
      return value(outs[0], "w->rt->array_take" + args, kRepWord);
    }
    std::string halves = fresh("t");
    line("two " + halves + " = w->rt->array_split" + args + ";");
    value(outs[0], halves + ".a", kRepWord);
    return value(outs[1], halves + ".b", kRepWord);
  }
  if (outs.empty()) {
    if (!reps_.trust()) {
      line("if (" + wire(from) + " != box_ctor(" +
           number(shared_.numbers.id(ctor)) + ")) fail(w, FAULT_NO_ARM, " +
           number_ + ");");
    }
    return;
  }
  if (!reps_.is_struct(rep(from))) {
    return open_node(ctor, from, outs, rest, at);
  }
  const std::vector<RepId> fields = reps_.at(rep(from)).fields;
  for (std::size_t i = 0; i < outs.size(); ++i) {
    value(outs[i], wire(from) + ".f" + number(i), fields[i]);
    if (lent(from)) lend(outs[i]);
  }
}

// Takes a node apart: fields first as words, since a shared node's fields
// must be counted before a boxed struct among them may be opened.
void FunctionEmitter::open_node(CtorId ctor, Wire from,
                                const std::vector<Wire>& outs,
                                const Block& rest, std::size_t at) {
  std::size_t words = outs.size() + 1;
  std::string size = number(words);
  if (lent(from)) return open_lent(from, outs);
  std::string node = fresh("n");
  line("u64* " + node + " = (u64*)" + wire(from) + ";");
  if (!reps_.trust()) {
    line("if (!is_node(" + wire(from) + ") || " + node +
         "[0] >> 32 != HEAD(" + number(shared_.numbers.id(ctor)) + ", " +
         size + ") >> 32) fail(w, FAULT_NO_ARM, " + number_ + ");");
  }
  std::vector<std::string> later(outs.size());
  for (std::size_t i = 0; i < outs.size(); ++i) {
    std::string field = node + "[" + number(i + 1) + "]";
    if (!reps_.is_struct(rep(outs[i]))) {
      value(outs[i], field, kRepWord);
      continue;
    }
    later[i] = fresh("b");
    line("u64 " + later[i] + " = " + field + ";");
  }
  bool counted =
      !reps_.trust() || book_.data(book_.ctor(ctor).data).counted;
  std::string unshare =
      "unshare(w, " + node + ", " + size + ", " + number_ + ");";
  if (makes(rest, at, words) > holes_of(words)) {
    if (counted) {
      line("if (!LIKELY(sole(" + node + "))) { " + unshare + " " + node +
           " = 0; }");
    }
    holes_.push_back({node, words, !counted});
  } else if (counted) {
    line("if (LIKELY(sole(" + node + "))) give(w, " + node + ", " + size +
         ");");
    line("else " + unshare);
  } else {
    line("give(w, " + node + ", " + size + ");");
  }
  for (std::size_t i = 0; i < outs.size(); ++i) {
    if (!later[i].empty()) value(outs[i], later[i], kRepWord);
  }
}

void FunctionEmitter::drop(const Stmt& stmt) {
  Wire from = stmt.ins[0];
  if (lent(from)) return;
  std::string args = "(w, " + wire(from) + ", " + number_ + ");";
  if (rep(from) == kRepWord) line("drop" + args);
  if (reps_.is_struct(rep(from))) {
    line("drop_" + reps_.c_type(rep(from)) + args);
  }
}

// ---- primitives -------------------------------------------------------------

RepId FunctionEmitter::element_rep(const Stmt& stmt) {
  bool narrow = cell_kind_of(stmt.type) != CellKind::kWord;
  return narrow && reps_.trust() ? reps_.natural(stmt.type) : kRepWord;
}

// What the row's text takes, by the name of the type in the signature.
RepId FunctionEmitter::operand_rep(const Stmt& stmt, std::size_t operand) {
  std::string_view text = prim_row(stmt.prim).signature;
  for (std::size_t i = 0; i < operand; ++i) text.remove_prefix(text.find(' ') + 1);
  text = text.substr(0, text.find(' '));
  if (text == "U32") return kRepU32;
  if (text == "F32") return kRepF32;
  if (text == "Nat") return kRepNat;
  if (text == "Char") return kRepChar;
  if (text == "Bool") return reps_.enum_of(book_.known.true_);
  if (text == "Cmp") return reps_.enum_of(book_.known.lt);
  return text == "$" ? element_rep(stmt) : kRepWord;
}

// A part of the pair that the primitive gives: Sigma<FIRST, SECOND>.
RepId FunctionEmitter::part_rep(const Stmt& stmt, std::size_t part) {
  std::string_view text = prim_row(stmt.prim).signature;
  text.remove_prefix(text.find("-> Sigma<") + 9);
  if (part == 1) text.remove_prefix(text.find(", ") + 2);
  if (text.starts_with("Array")) return kRepWord;
  if (text.starts_with("Nat")) return kRepNat;
  if (text.starts_with("F32")) return kRepF32;
  return text.starts_with("U32") ? kRepU32 : element_rep(stmt);
}

std::string FunctionEmitter::prim_text(const Stmt& stmt, const EmitRow& row) {
  auto cell = cells_.find(&stmt);
  if (cell != cells_.end()) {
    return stmt.prim == Prim::kArrayGet
               ? cell->second
               : cell->second + " = " + as(stmt.ins[2], element_rep(stmt));
  }
  std::string text;
  for (std::size_t i = 0; i < row.text.size(); ++i) {
    if (row.text[i] != '$') {
      text += row.text[i];
      continue;
    }
    switch (char c = row.text[++i]) {
      case 'w': text += "w"; break;
      case 'd': text += number_; break;
      case 'n': text += kind_number(stmt.type); break;
      case 'k': {
        RepId cell = element_rep(stmt);
        text += cell == kRepWord ? "word" : cell == kRepF32 ? "f32" : "u32";
        break;
      }
      case 'B':
        text += as(stmt.ins[static_cast<std::size_t>(row.text[++i] - '0')],
                   kRepWord);
        break;
      default: {
        auto operand = static_cast<std::size_t>(c - '0');
        Wire in = stmt.ins[operand];
        text += loose(in) && takes_loose(stmt.prim)
                    ? wire(in)
                    : as(in, operand_rep(stmt, operand));
      }
    }
  }
  return text;
}

void FunctionEmitter::pair(const Stmt& stmt, const std::string& first,
                           RepId first_rep, const std::string& second,
                           RepId second_rep) {
  Wire out = stmt.outs[0];
  RepId natural = reps_.struct_of(book_.known.tuple, {first_rep, second_rep});
  std::string name = fresh("p");
  RepId to = rep(out);
  if (reps_.is_struct(to) && reps_.at(to).fields.size() == 2) {
    const std::vector<RepId> fields = reps_.at(to).fields;
    line(reps_.c_type(to) + " " + name + " = { " +
         reps_.convert(first, first_rep, fields[0], number_) + ", " +
         reps_.convert(second, second_rep, fields[1], number_) + " };");
    return value(out, name, to);
  }
  line(reps_.c_type(natural) + " " + name + " = { " + first + ", " + second +
       " };");
  value(out, name, natural);
}

void FunctionEmitter::prim(const Stmt& stmt) {
  const EmitRow& row = emit_row(stmt.prim);
  std::string_view signature = prim_row(stmt.prim).signature;
  if (!reps_.trust() && signature.starts_with("Array")) {
    line("need_array(w, " + wire(stmt.ins[0]) + ", " + number_ + ");");
    if (stmt.prim == Prim::kArrayJoin) {
      line("need_array(w, " + wire(stmt.ins[1]) + ", " + number_ + ");");
    }
  }
  std::string text = prim_text(stmt, row);
  switch (row.kind) {
    case EmitKind::kMissing:
      shared_.missing = prim_row(stmt.prim).name;
      return;
    case EmitKind::kValue: {
      std::string_view result = signature.substr(signature.find("-> ") + 3);
      RepId from = kRepWord;
      if (result == "U32") from = kRepU32;
      else if (result == "F32") from = kRepF32;
      else if (result == "Nat") from = kRepNat;
      else if (result == "Char") from = kRepChar;
      else if (result == "Bool") from = reps_.enum_of(book_.known.true_);
      else if (result == "Cmp") from = reps_.enum_of(book_.known.lt);
      if (!gives_loose(stmt.prim)) {
        return value(stmt.outs[0], "(" + text + ")", from);
      }
      if (stmt.outs[0] == Wire::kOut || rep(stmt.outs[0]) != kRepF32) {
        return value(stmt.outs[0], "f32_canon(" + text + ")", from);
      }
      value(stmt.outs[0], "(" + text + ")", from);
      return loosen(stmt.outs[0]);
    }
    case EmitKind::kDo:
      line(text + ";");
      return value(stmt.outs[0], wire(stmt.ins[0]), rep(stmt.ins[0]));
    case EmitKind::kWith: {
      RepId part = part_rep(stmt, 1);
      std::string name = fresh("x");
      line(reps_.c_type(part) + " " + name + " = " + text + ";");
      return pair(stmt, wire(stmt.ins[0]), rep(stmt.ins[0]), name, part);
    }
    case EmitKind::kSplit: {
      std::string name = fresh("t");
      line("two " + name + " = " + text + ";");
      return pair(stmt, name + ".a", part_rep(stmt, 0), name + ".b",
                  part_rep(stmt, 1));
    }
  }
}

}  // namespace tine
