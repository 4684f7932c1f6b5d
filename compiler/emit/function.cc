#include "compiler/emit/function.h"

#include <cctype>

#include "compiler/emit/function_emitter.h"

namespace tine {
namespace {

std::string identifier(std::string_view name, std::size_t number) {
  std::string text;
  for (char c : name.substr(0, 24)) {
    text += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) {
    text = "v" + text;
  }
  return text + "_" + std::to_string(number);
}

}  // namespace

FunctionEmitter::FunctionEmitter(EmitShared& shared, const EmitForm& form)
    : shared_(shared),
      book_(shared.book),
      reps_(shared.reps),
      id_(form.def),
      def_(shared.book.def(form.def)),
      form_(form),
      number_(std::to_string(index(form.def)) + "u"),
      uses_(def_),
      lent_(def_.wires.size()),
      loose_(def_.wires.size()) {
  for (std::size_t i = 0; i < def_.wires.size(); ++i) {
    names_.push_back(identifier(def_.wires[i].name, i));
  }
  for (std::size_t i = 0; i < def_.params && i < 64; ++i) {
    lent_[i] = form.lent >> i & 1;
  }
}

std::string form_name(EmitShared& shared, const EmitForm& form) {
  constexpr unsigned kMostForms = 4;
  if (form.lent == 0) return shared.names[index(form.def)];
  auto known = shared.lent_names.find(form);
  if (known != shared.lent_names.end()) return known->second;
  if (++shared.lent_counts[form.def] > kMostForms) return "";
  std::string name = shared.names[index(form.def)] + "_lent" +
                     std::to_string(form.lent);
  shared.lent_names.emplace(form, name);
  shared.lent_forms.push_back(form);
  return name;
}

std::string function_head(EmitShared& shared, const EmitForm& form) {
  const DefRow& def = shared.book.def(form.def);
  Reps& reps = shared.reps;
  std::string text = "static " + reps.c_type(reps.of(def.result)) + " " +
                     form_name(shared, form) + "(W* w";
  for (std::size_t i = 0; i < def.params; ++i) {
    text += ", " + reps.c_type(reps.of(def.wires[i].type)) + " " +
            identifier(def.wires[i].name, i);
  }
  return text + ")";
}

std::string emit_function(EmitShared& shared, const EmitForm& form,
                          bool check) {
  return FunctionEmitter(shared, form).emit(check);
}

std::string emit_entry(EmitShared& shared, DefId id) {
  const DefRow& def = shared.book.def(id);
  Reps& reps = shared.reps;
  std::string number = std::to_string(index(id));
  std::string loads, args;
  for (std::size_t i = 0; i < def.params; ++i) {
    std::string word = "last";
    if (i + 1 < def.params) {
      word = "v" + std::to_string(i);
      loads += "  u64 " + word + " = node[" + std::to_string(i + 1) + "];\n";
    }
    args += ", " + reps.convert(word, kRepWord, reps.of(def.wires[i].type),
                                number + "u");
  }
  if (def.params > 1) {
    loads += "  give(w, node, " + std::to_string(def.params) + ");\n";
  } else {
    loads += "  (void)node;\n";
  }
  std::string call = shared.names[index(id)] + "(w" + args + ")";
  return "static u64 e" + number + "(W* w, u64* node, u64 last) {\n" + loads +
         "  return " +
         reps.convert(call, reps.of(def.result), kRepWord, number + "u") +
         ";\n}\n";
}

// Does the call at `at` give nothing but a field of the result behind it?
bool FunctionEmitter::fills(const Block& block, std::size_t at) const {
  if (at + 2 != block.size()) return false;
  const Stmt& call = block[at];
  const Stmt& make = block[at + 1];
  if (call.op != Op::kCall || call.def != id_ || make.op != Op::kMake ||
      make.outs[0] != Wire::kOut || make.ctor == kCtorALeaf ||
      make.ctor == kCtorANode) {
    return false;
  }
  bool used = false;
  for (Wire in : make.ins) used = used || in == call.outs[0];
  return used && reps_.of(def_.result) == kRepWord;
}

bool FunctionEmitter::any_fills(const Block& block) const {
  if (block.size() >= 2 && fills(block, block.size() - 2)) return true;
  for (const Arm& arm : block.back().arms) {
    if (any_fills(arm.block)) return true;
  }
  return false;
}

bool FunctionEmitter::any_loop(const Block& block) const {
  const Stmt& last = block.back();
  if (last.op == Op::kCall && last.def == id_) return true;
  for (const Arm& arm : last.arms) {
    if (any_loop(arm.block)) return true;
  }
  return false;
}

std::string FunctionEmitter::emit(bool check) {
  dest_ = any_fills(def_.block);
  bool loop = dest_ || any_loop(def_.block);
  std::string head = "\n/* " + def_.name;
  if (!def_.place.empty()) head += ", " + def_.place;
  for (std::size_t at = 3; (at = head.find("*/", at)) != std::string::npos;) {
    head.replace(at, 2, "* ");
  }
  head += " */\n" + function_head(shared_, form_) + " {\n";
  if (dest_) line("u64 result; u64* dest = &result;");
  if (loop && !dest_ && reps_.trust()) find_counted();
  if (loop) text_ += "again:;\n";
  checks_calls_ = check;
  if (loop) find_loose();
  checked_ = !loop && !check;
  if (loop_) {
    look();
    strips();
  } else {
    block(def_.block);
  }
  return head + text_ + "}\n";
}

// A look at the limits, once on every way through the function.
void FunctionEmitter::look() {
  if (!checked_) line("CHECK(" + number_ + ");");
  checked_ = true;
}

// ---- text -------------------------------------------------------------------

void FunctionEmitter::line(const std::string& text) {
  text_.append(2 * std::min(depth_, 20u), ' ');
  text_ += text;
  text_ += '\n';
}

std::string FunctionEmitter::fresh(std::string_view prefix) {
  return std::string(prefix) + std::to_string(fresh_++);
}

// ---- values -----------------------------------------------------------------

TypeId FunctionEmitter::type(Wire wire) const {
  return wire == Wire::kOut ? def_.result : def_.wires[index(wire)].type;
}

RepId FunctionEmitter::rep(Wire wire) const { return reps_.of(type(wire)); }

std::string FunctionEmitter::as(Wire from, RepId to) const {
  std::string text = wire(from);
  if (loose(from)) text = "f32_canon(" + text + ")";
  return reps_.convert(text, rep(from), to, number_);
}

void FunctionEmitter::value(Wire out, const std::string& text, RepId from) {
  if (out == Wire::kOut) return finish(text, from);
  line(reps_.c_type(rep(out)) + " " + wire(out) + " = " +
       reps_.convert(text, from, rep(out), number_) + ";");
}

void FunctionEmitter::finish(const std::string& text, RepId from) {
  give_holes();
  std::string result = reps_.convert(text, from, rep(Wire::kOut), number_);
  if (result_) {
    *result_ = result;
    return;
  }
  if (!dest_) return line("return " + result + ";");
  line("*dest = " + result + ";");
  line("return result;");
}

// ---- holes ------------------------------------------------------------------

bool FunctionEmitter::is_node_make(const Stmt& stmt) const {
  return stmt.op == Op::kMake && !stmt.ins.empty() &&
         stmt.ctor != kCtorALeaf && stmt.ctor != kCtorANode &&
         !reps_.is_struct(rep(stmt.outs[0]));
}

// How many nodes of a size are made, at most, from here on.
std::size_t FunctionEmitter::makes(const Block& stmts, std::size_t from,
                                   std::size_t words) const {
  std::size_t count = 0;
  for (std::size_t i = from; i < stmts.size(); ++i) {
    const Stmt& stmt = stmts[i];
    if (is_node_make(stmt) && stmt.ins.size() + 1 == words) ++count;
    std::size_t most = 0;
    for (const Arm& arm : stmt.arms) {
      most = std::max(most, makes(arm.block, 0, words));
    }
    count += most;
  }
  return count;
}

std::size_t FunctionEmitter::holes_of(std::size_t words) const {
  std::size_t count = 0;
  for (const Hole& hole : holes_) count += hole.words == words;
  return count;
}

void FunctionEmitter::give(const Hole& hole) {
  line((hole.surely ? "give(w, " : "if (" + hole.name + ") give(w, ") +
       hole.name + ", " + std::to_string(hole.words) + ");");
}

void FunctionEmitter::give_holes() {
  for (const Hole& hole : holes_) give(hole);
  holes_.clear();
}

// Gives back what the block of an arm has no use for.
void FunctionEmitter::trim_holes(const Block& arm) {
  for (std::size_t i = holes_.size(); i-- > 0;) {
    std::size_t words = holes_[i].words;
    if (holes_of(words) <= makes(arm, 0, words)) continue;
    give(holes_[i]);
    holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace tine
