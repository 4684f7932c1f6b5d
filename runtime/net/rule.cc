// Statements of a rule: constructors, copies and drops, calls.
//
// Example. `out = Con h2 t2` after `t2 = call map f t` becomes
//   kCall     r0, r1 -> map, saving r2 (h2)      the agent that waits
//   kResume   r0                                 its value came
//   kMake2    r0 = Con r2 r0
//   kReturn   r0
#include "runtime/net/rule.h"

#include <algorithm>

#include "runtime/heap/check.h"
#include "runtime/io/utf8.h"
#include "runtime/net/rule_compiler.h"

namespace tine {
namespace {

// Room for the temporaries of one instruction.
constexpr std::size_t kMostRegs = 60'000;
constexpr std::size_t kMostTasks = 20'000;

}  // namespace

RuleCompiler::RuleCompiler(const Book& book, DefId def, bool trust,
                           NetProgram& program)
    : book_(book),
      def_(def),
      trust_(trust),
      program_(program),
      wires_(book.def(def).wires.size()),
      escapes_(book.def(def).wires.size()),
      regs_(std::min<std::uint32_t>(book.def(def).params, kMostRegs)) {}

RuleResult RuleCompiler::run() {
  const DefRow& def = book_.def(def_);
  if (def.params > kMostRegs) {
    too_large("parameters");
    return {};
  }
  find_escapes();
  for (std::uint32_t i = 0; i < def.params; ++i) {
    wires_[i] = Operand::of_reg(static_cast<Reg>(i));
  }
  block_ = add_block(BlockCount::kNoBlock);
  const Block* next = &def.block;
  while (next && program_.problem.empty()) {
    next = run_block(*next);
    while (!next && !pending_.empty()) next = resume();
  }
  most_regs_ = std::max(most_regs_, regs_.size());
  program_.registers = std::max(program_.registers, most_regs_);
  return std::move(result_);
}

// A wire escapes unless every use of it is a take or a match.
void RuleCompiler::find_escapes() {
  std::vector<const Block*> work{&book_.def(def_).block};
  auto mark = [&](const Stmt& stmt) {
    for (Wire wire : stmt.ins) escapes_[index(wire)] = true;
  };
  while (!work.empty()) {
    const Block& block = *work.back();
    work.pop_back();
    for (const Stmt& stmt : block) {
      if (stmt.op != Op::kTake && stmt.op != Op::kMatch) mark(stmt);
      for (const Stmt& call : stmt.calls) mark(call);
      for (const Arm& arm : stmt.arms) work.push_back(&arm.block);
    }
  }
}

// Null when the block has ended, else the block of the arm that follows.
const Block* RuleCompiler::run_block(const Block& block) {
  for (const Stmt& stmt : block) {
    if (stmt.op == Op::kMatch) return match(stmt);
    statement(stmt);
    if (regs_.size() > kMostRegs) too_large("live values");
    if (!program_.problem.empty()) return nullptr;
  }
  return nullptr;
}

void RuleCompiler::statement(const Stmt& stmt) {
  switch (stmt.op) {
    case Op::kU32:
      return give(stmt, Operand::of_word(
                            make_u32(static_cast<std::uint32_t>(stmt.num))));
    case Op::kNat: return give(stmt, Operand::of_word(make_nat(stmt.num)));
    case Op::kF32:
      return give(stmt, Operand::of_word(make_f32_bits(
                            static_cast<std::uint32_t>(stmt.num))));
    case Op::kChar:
      return give(stmt, Operand::of_word(
                            make_char(static_cast<std::uint32_t>(stmt.num))));
    case Op::kString: {
      if (stmt.text.empty()) {
        return give(stmt,
                    Operand::of_word(make_ctor(program_.id(book_.known.snil))));
      }
      Reg to = take_reg();
      emit(Code::kString, to);
      word(program_.texts.size());
      program_.texts.push_back(decode_literal(stmt.text));
      return give(stmt, Operand::of_reg(to));
    }
    case Op::kMove: return give(stmt, input(stmt, 0));
    case Op::kMake: return make(stmt);
    case Op::kTake: return take(stmt);
    case Op::kCopy: return copy(stmt);
    case Op::kDrop: return drop(stmt);
    case Op::kPrim: return prim(stmt);
    case Op::kCall: return call(stmt);
    case Op::kClosure: return closure(stmt);
    case Op::kApply: return apply(stmt);
    case Op::kEffect: return request(stmt);
    case Op::kPar: return par(stmt);
    case Op::kMatch: break;
  }
}

// ---- results ----------------------------------------------------------------

// The value of a statement with one output.
void RuleCompiler::give(const Stmt& stmt, Operand place) {
  Wire out = stmt.outs[0];
  if (out == Wire::kOut) return give_back(std::move(place));
  bool virtual_place = place.kind == Operand::Kind::kNode ||
                       place.kind == Operand::Kind::kCompare;
  if (virtual_place && escapes_[index(out)]) reg(place);
  bind(out, std::move(place));
}

void RuleCompiler::give_back(Operand place) {
  if (place.kind == Operand::Kind::kConst) {
    emit(Code::kReturnWord);
    word(block_);
    word(place.word);
    return;
  }
  emit(Code::kReturn, use(std::move(place)));
  word(block_);
}

// ---- data -------------------------------------------------------------------

void RuleCompiler::make(const Stmt& stmt) {
  ++count().makes;
  if (stmt.ctor == kCtorALeaf) {
    TypeId element = wire_type(stmt.ins[0]);
    Reg value = use(input(stmt, 0));
    Reg to = take_reg();
    emit(Code::kMakeLeaf, to, value,
         static_cast<std::size_t>(cell_kind(element)));
    return give(stmt, Operand::of_reg(to));
  }
  if (stmt.ctor == kCtorANode) {
    std::vector<Reg> halves = use_all(stmt);
    Reg to = take_reg();
    emit(Code::kMakeNode, to, halves[0], halves[1]);
    return give(stmt, Operand::of_reg(to));
  }
  if (stmt.ins.empty()) {
    return give(stmt, Operand::of_word(make_ctor(program_.id(stmt.ctor))));
  }
  std::vector<Operand> fields;
  for (std::size_t i = 0; i < stmt.ins.size(); ++i) {
    fields.push_back(input(stmt, i));
  }
  give(stmt, Operand::of_node(stmt.ctor, std::move(fields)));
}

void RuleCompiler::take(const Stmt& stmt) {
  ++count().takes;
  Operand place = input(stmt, 0);
  if (place.kind == Operand::Kind::kNode && place.ctor == stmt.ctor) {
    for (std::size_t i = 0; i < stmt.outs.size(); ++i) {
      bind(stmt.outs[i], std::move(place.parts[i]));
    }
    return;
  }
  if (stmt.outs.empty() && trust_) return release(place);
  Reg from = use(std::move(place));
  if (stmt.outs.empty()) {
    emit(Code::kDrop, from);
    return;
  }
  emit_take(from, stmt.ctor, stmt.outs);
}

void RuleCompiler::copy(const Stmt& stmt) {
  Operand place = input(stmt, 0);
  if (place.kind == Operand::Kind::kConst) {
    bind(stmt.outs[0], place);
    return bind(stmt.outs[1], place);
  }
  Reg from = reg(place);
  bind(stmt.outs[0], place);
  if (is_word_type(wire_type(stmt.ins[0]))) {
    regs_.share(from);
    return bind(stmt.outs[1], place);
  }
  Reg to = take_reg();
  emit(Code::kCopy, to, from);
  bind(stmt.outs[1], Operand::of_reg(to));
}

void RuleCompiler::drop(const Stmt& stmt) {
  Operand place = input(stmt, 0);
  bool free = place.kind == Operand::Kind::kConst ||
              is_word_type(wire_type(stmt.ins[0]));
  if (free) return release(place);
  emit(Code::kDrop, use(std::move(place)));
}

// ---- calls ------------------------------------------------------------------

void RuleCompiler::call(const Stmt& stmt) {
  count().calls.push_back(stmt.def);
  result_.reached.push_back(stmt.def);
  bool tail = stmt.outs[0] == Wire::kOut;
  if (tail && stmt.def == def_) return loop(stmt);
  std::vector<Reg> args = use_all(stmt);
  if (tail) {
    emit(special(Code::kTailCall, args.size(), 1, 4), args.size());
    def_cell(stmt.def);
    word(block_);
    return list(args);
  }
  std::size_t at =
      emit(Code::kCall, args.size(), 0, list_cells(args.size()));
  def_cell(stmt.def);
  list(args);
  std::vector<Reg> saved = live();
  if (args.size() >= 1 && args.size() <= 3 && saved.size() <= 4) {
    program_.code[at].ins.op = static_cast<std::uint16_t>(
        index(Code::kCall1x0) + 5 * (args.size() - 1) + saved.size());
  }
  Reg to = take_reg();
  emit_resume(to, saved);
  bind(stmt.outs[0], Operand::of_reg(to));
}

// A self call in tail position: only what changes moves.
void RuleCompiler::loop(const Stmt& stmt) {
  std::vector<Reg> args = use_all(stmt);
  std::vector<Reg> moves;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == i) continue;
    moves.push_back(static_cast<Reg>(i));
    moves.push_back(args[i]);
  }
  emit(special(Code::kLoop, moves.size() / 2, 1, 2), moves.size() / 2);
  def_cell(stmt.def);
  word(block_);
  list(moves);
}

void RuleCompiler::apply(const Stmt& stmt) {
  std::vector<Reg> args = use_all(stmt);
  if (stmt.outs[0] == Wire::kOut) {
    emit(Code::kTailApply, args[0], args[1]);
    word(block_);
    return;
  }
  emit(Code::kApply, args[0], args[1]);
  std::vector<Reg> saved = live();
  Reg to = take_reg();
  emit_resume(to, saved);
  bind(stmt.outs[0], Operand::of_reg(to));
}

void RuleCompiler::par(const Stmt& stmt) {
  ++count().forks;
  std::size_t calls = stmt.calls.size();
  if (calls > kMostTasks) return too_large("calls in one parallel let");
  std::vector<std::vector<Reg>> args;
  std::vector<Operand> held;
  for (const Stmt& call : stmt.calls) {
    if (call.op == Op::kCall) {
      count().calls.push_back(call.def);
      result_.reached.push_back(call.def);
    }
    std::vector<Reg> regs;
    for (std::size_t i = 0; i < call.ins.size(); ++i) {
      held.push_back(input(call, i));
      regs.push_back(reg(held.back()));
    }
    args.push_back(std::move(regs));
  }
  for (const Operand& place : held) release(place);
  std::vector<Reg> saved = live();
  std::vector<Reg> stored = saved;
  std::vector<std::size_t> first_slot{0};
  for (std::size_t i = 1; i < calls; ++i) {
    first_slot.push_back(1 + calls + stored.size());
    stored.insert(stored.end(), args[i].begin(), args[i].end());
  }
  std::size_t words = 2 + 1 + calls + stored.size();
  if (words > kMostRegs) return too_large("arguments in one parallel let");
  std::size_t base = emit(Code::kPar, calls, args[0].size());
  word(stored.size());
  std::size_t join = word(0);
  list(args[0]);
  list(stored);
  patch(join, base);
  emit(Code::kJoin, calls, saved.size(), words);
  for (std::size_t i = 0; i < calls; ++i) {
    const Stmt& call = stmt.calls[i];
    bool applies = call.op == Op::kApply;
    Cell cell{};
    cell.ins = {0, static_cast<Reg>(applies), static_cast<Reg>(args[i].size()),
                static_cast<Reg>(first_slot[i])};
    program_.code.push_back(cell);
    if (applies) word(0);
    else def_cell(call.def);
  }
  std::vector<Reg> outs;
  for (const Wire wire : stmt.outs) {
    outs.push_back(take_reg());
    bind(wire, Operand::of_reg(outs.back()));
  }
  list(outs);
  list(saved);
}

void RuleCompiler::closure(const Stmt& stmt) {
  result_.reached.push_back(stmt.def);
  if (stmt.ins.size() > kMaxFields) return too_large("captured values");
  if (stmt.ins.empty()) {
    return give(stmt, Operand::of_word(make_fun(index(stmt.def))));
  }
  std::vector<Reg> args = use_all(stmt);
  Reg to = take_reg();
  emit(Code::kClosure, to, args.size());
  word(index(stmt.def));
  list(args);
  give(stmt, Operand::of_reg(to));
}

void RuleCompiler::request(const Stmt& stmt) {
  std::vector<Reg> args = use_all(stmt);
  Reg to = take_reg();
  emit(Code::kRequest, to, args.size());
  word(static_cast<Word>(stmt.effect));
  list(args);
  give(stmt, Operand::of_reg(to));
}

// ---- places and registers ---------------------------------------------------

bool RuleCompiler::is_word_type(TypeId id) const {
  if (!trust_ || id == TypeId::kNone) return false;
  const Type& type = book_.type(id);
  switch (type.kind) {
    case TypeKind::kU32:
    case TypeKind::kF32:
    case TypeKind::kNat:
    case TypeKind::kChar: return true;
    case TypeKind::kData: return program_.word_data[type.data];
    default: return false;
  }
}

Reg RuleCompiler::take_reg() {
  std::uint32_t reg = regs_.take();
  if (reg > kMostRegs) too_large("live values");
  return static_cast<Reg>(reg);
}

Reg RuleCompiler::reg(Operand& place) {
  switch (place.kind) {
    case Operand::Kind::kReg: return place.reg;
    case Operand::Kind::kConst: {
      Reg to = take_reg();
      emit(Code::kConst, to);
      word(place.word);
      place = Operand::of_reg(to);
      return to;
    }
    case Operand::Kind::kNode: {
      std::vector<Reg> fields;
      for (Operand& part : place.parts) fields.push_back(reg(part));
      for (const Operand& part : place.parts) release(part);
      Reg to = take_reg();
      emit_make(to, place.ctor, fields);
      place = Operand::of_reg(to);
      return to;
    }
    case Operand::Kind::kCompare: {
      Reg x = reg(place.parts[0]);
      Reg y = reg(place.parts[1]);
      for (const Operand& part : place.parts) release(part);
      Reg to = take_reg();
      emit(place.compare, to, x, y);
      place = Operand::of_reg(to);
      return to;
    }
    case Operand::Kind::kNone: break;
  }
  TINE_CHECK(!"a wire is used before it is defined");
}

Reg RuleCompiler::use(Operand place) {
  Reg at = reg(place);
  release(place);
  return at;
}

void RuleCompiler::release(const Operand& place) {
  if (place.kind == Operand::Kind::kReg) regs_.release(place.reg);
  for (const Operand& part : place.parts) release(part);
}

// The inputs in registers, all of them at once, at their last use.
std::vector<Reg> RuleCompiler::use_all(const Stmt& stmt) {
  std::vector<Reg> regs;
  std::vector<Operand> places;
  for (std::size_t i = 0; i < stmt.ins.size(); ++i) {
    places.push_back(input(stmt, i));
    regs.push_back(reg(places.back()));
  }
  for (const Operand& place : places) release(place);
  return regs;
}

std::vector<Reg> RuleCompiler::live() {
  std::vector<Reg> regs;
  for (std::uint32_t reg : regs_.live()) regs.push_back(static_cast<Reg>(reg));
  return regs;
}

// The instruction for exactly `count`: those for `least` to `most` stand
// behind the general one.
Code RuleCompiler::special(Code general, std::size_t count, std::size_t least,
                           std::size_t most) {
  if (count < least || count > most) return general;
  return static_cast<Code>(index(general) + 1 + count - least);
}

// ---- emission ---------------------------------------------------------------

std::size_t RuleCompiler::emit(Code code, std::size_t a, std::size_t b,
                               std::size_t c) {
  Cell cell{};
  cell.ins = {static_cast<std::uint16_t>(code), static_cast<Reg>(a),
              static_cast<Reg>(b), static_cast<Reg>(c)};
  program_.code.push_back(cell);
  return here() - 1;
}

std::size_t RuleCompiler::word(Word value) {
  Cell cell{};
  cell.word = value;
  program_.code.push_back(cell);
  return here() - 1;
}

void RuleCompiler::list(const std::vector<Reg>& regs) {
  for (std::size_t i = 0; i < regs.size(); i += 4) {
    Cell cell{};
    for (std::size_t j = 0; j < 4 && i + j < regs.size(); ++j) {
      cell.regs[j] = regs[i + j];
    }
    program_.code.push_back(cell);
  }
}

void RuleCompiler::def_cell(DefId def) {
  result_.calls.push_back(word(index(def)));
}

void RuleCompiler::patch(std::size_t cell, std::size_t base) {
  program_.code[cell].offset =
      static_cast<std::int64_t>(here()) - static_cast<std::int64_t>(base);
}

void RuleCompiler::emit_make(Reg to, CtorId ctor,
                             const std::vector<Reg>& fields) {
  if (fields.size() <= 2) {
    bool one = fields.size() == 1;
    emit(one ? Code::kMake1 : Code::kMake2, to, fields[0],
         one ? 0 : fields[1]);
    word(program_.id(ctor));
    return;
  }
  emit(Code::kMake, to, fields.size());
  word(program_.id(ctor));
  list(fields);
}

// `from` may be used again: it is read before anything is written.
void RuleCompiler::emit_take(Reg from, CtorId ctor,
                             const std::vector<Wire>& outs) {
  std::vector<Reg> to;
  for (Wire wire : outs) {
    to.push_back(take_reg());
    bind(wire, Operand::of_reg(to.back()));
  }
  if (ctor == kCtorALeaf) {
    emit(Code::kTakeLeaf, from, to[0]);
  } else if (ctor == kCtorANode) {
    emit(Code::kTakeNode, from, to[0], to[1]);
  } else if (to.size() <= 2) {
    bool one = to.size() == 1;
    emit(one ? Code::kTake1 : Code::kTake2, from, to[0], one ? 0 : to[1]);
    word(program_.id(ctor));
  } else {
    emit(Code::kTake, from, to.size());
    word(program_.id(ctor));
    list(to);
  }
}

void RuleCompiler::emit_resume(Reg to, const std::vector<Reg>& saved) {
  emit(special(Code::kResume, saved.size(), 0, 4), to, saved.size(),
       list_cells(saved.size()));
  list(saved);
}

void RuleCompiler::too_large(const char* what) {
  if (!program_.problem.empty()) return;
  program_.problem = book_.def(def_).name + " has too many " + what;
}

std::uint32_t RuleCompiler::add_block(std::uint32_t parent) {
  BlockCount block;
  block.parent = parent;
  block.def = def_;
  program_.blocks.push_back(std::move(block));
  return static_cast<std::uint32_t>(program_.blocks.size() - 1);
}

RuleResult compile_rule(const Book& book, DefId def, bool trust,
                        NetProgram& program) {
  return RuleCompiler(book, def, trust, program).run();
}

}  // namespace tine
