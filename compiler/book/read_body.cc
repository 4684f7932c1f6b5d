// Reads the block of a definition.
//
// A block's column is that of its first statement; a line further left ends
// it. A name is looked up on the path from the head: what an arm defined is
// forgotten behind the arm.
#include <string>
#include <utility>

#include "compiler/book/reader.h"

namespace tine {

namespace {

constexpr std::uint64_t kMaxU32 = 0xFFFFFFFFu;
constexpr std::uint64_t kMaxNat = (std::uint64_t{1} << 48) - 1;

std::string quoted(std::string_view name) { return quote_text(name, '`'); }

bool is_name(const BookToken& token) {
  return token.kind == BookTokenKind::kName || token.kind == BookTokenKind::kQuoted;
}

bool is_word(const BookToken& token, std::string_view word) {
  return token.kind == BookTokenKind::kName && token.text == word;
}

std::string count(std::size_t number, std::string_view thing) {
  return std::to_string(number) + " " + std::string(thing) +
         (number == 1 ? "" : "s");
}

}  // namespace

bool BodyReader::run() {
  for (std::uint32_t i = 0; i < def_.params; i++) {
    std::string_view name = def_.wires[i].name;
    scope_.emplace(params_.emplace_back(name), static_cast<Wire>(i));
  }
  if (!read_blocks()) return false;
  const BookToken& at = peek();
  if (at.kind == BookTokenKind::kEnd || at.column == 1) return true;
  return fail("this line stands left of the block that it follows");
}

// ---- blocks -----------------------------------------------------------------

// Blocks nest by an explicit stack: a level is a block being read and, while
// its match has arms to come, that match.
bool BodyReader::read_blocks() {
  if (!open_block(1, def_.block)) return false;
  while (!levels_.empty()) {
    bool more = true;
    if (levels_.back().match != nullptr) {
      if (!next_arm(more)) return false;
      if (more) continue;
    } else {
      Block& block = *levels_.back().block;
      block.emplace_back();
      if (!read_statement(block.back())) return false;
      if (block.back().op == Op::kMatch) continue;
    }
    if (!next_line(levels_.back().column, more)) return false;
    if (!more) levels_.pop_back();
  }
  return true;
}

bool BodyReader::open_block(std::uint32_t outside, Block& block) {
  const BookToken& at = peek();
  if (at.kind == BookTokenKind::kEnd || at.column <= outside) {
    return fail("expected a block right of column " + std::to_string(outside));
  }
  Level level;
  level.block = &block;
  level.column = at.column;
  levels_.push_back(level);
  return true;
}

bool BodyReader::next_line(std::uint32_t column, bool& more) {
  const BookToken& at = peek();
  more = false;
  if (at.kind == BookTokenKind::kEnd) return true;
  if (!at.first) return fail("expected the end of the line");
  if (at.column > column) {
    return fail("this line stands at column " + std::to_string(at.column) +
                ", its block at column " + std::to_string(column));
  }
  more = at.column == column;
  return true;
}

void BodyReader::set_place(const BookToken& at, Stmt& stmt) {
  stmt.line = at.line;
  stmt.column = at.column;
}

bool BodyReader::read_statement(Stmt& stmt) {
  const BookToken at = peek();
  set_place(at, stmt);
  if (is_word(at, "match")) return read_match(at.column, stmt);
  if (is_word(at, "par")) return read_par(at.column, stmt);
  Outs outs;
  std::vector<TypeId> given;
  bool bare = is_word(at, "drop") || is_word(at, "take");
  if (bare ? !read_word(stmt) : !read_assignment(outs, stmt)) return false;
  return infer(at, outs, stmt, given) && define_all(outs, given, stmt.outs);
}

bool BodyReader::read_assignment(Outs& outs, Stmt& stmt) {
  return read_outs(outs) &&
         reader_.want_sign("=", "behind the names a statement defines") &&
         read_right(stmt);
}

bool BodyReader::read_par(std::uint32_t column, Stmt& stmt) {
  stmt.op = Op::kPar;
  reader_.next();
  std::uint32_t inner = peek().column;
  if (!peek().first || inner <= column) {
    return fail("expected the calls of `par` on lines of their own, right of "
                "it");
  }
  Outs outs;
  std::vector<TypeId> types;
  for (bool more = true; more;) {
    const BookToken at = peek();
    stmt.calls.emplace_back();
    set_place(at, stmt.calls.back());
    Outs own;
    std::vector<TypeId> given;
    if (!read_call_line(own, stmt.calls.back()) ||
        !infer(at, own, stmt.calls.back(), given) || !next_line(inner, more)) {
      return false;
    }
    outs.push_back(own[0]);
    types.push_back(given[0]);
  }
  if (!define_all(outs, types, stmt.outs)) return false;
  for (std::size_t i = 0; i < stmt.calls.size(); i++) {
    stmt.calls[i].outs = {stmt.outs[i]};
  }
  return true;
}

// The wires of a `par` come into being together, behind its last call.
bool BodyReader::read_call_line(Outs& outs, Stmt& call) {
  const BookToken at = peek();
  if (!read_assignment(outs, call)) return false;
  if (call.op == Op::kCall || call.op == Op::kApply) return true;
  return fail(at, "`par` holds calls and applications only");
}

// ---- matches ----------------------------------------------------------------

bool BodyReader::read_match(std::uint32_t column, Stmt& stmt) {
  stmt.op = Op::kMatch;
  if (levels_.size() > kMaxBlockDepth) {
    return fail("matches nest at most " + std::to_string(kMaxBlockDepth) +
                " deep");
  }
  reader_.next();
  Wire on{};
  if (!read_wire(on) || !reader_.want_line_end()) return false;
  stmt.ins = {on};
  Level& level = levels_.back();
  level.match = &stmt;
  level.match_column = column;
  level.arm_column = peek().column;
  level.mark = log_.size();
  return true;
}

// Behind the head of a match or one of its arms: begins the next arm, or ends
// the match.
bool BodyReader::next_arm(bool& more) {
  Level& level = levels_.back();
  leave(level.mark);
  const BookToken& at = peek();
  more = at.kind != BookTokenKind::kEnd && at.column > level.match_column;
  if (!more) {
    level.match = nullptr;
    return true;
  }
  if (at.column != level.arm_column) {
    return fail("this line stands at column " + std::to_string(at.column) +
                ", the arms of its match at column " +
                std::to_string(level.arm_column));
  }
  Stmt& match = *level.match;
  match.arms.emplace_back();
  return read_arm(type_of(match.ins[0]), match.arms.back());
}

bool BodyReader::read_arm(TypeId at, Arm& arm) {
  const BookToken begin = peek();
  Outs binds;
  if (!read_label(at, arm, binds) ||
      !reader_.want_sign(":", "behind the label of an arm")) {
    return false;
  }
  PortTypesOf types = reader_.ports_.of_arm(arm, at);
  if (!types.problem.empty()) return fail(begin, types.problem);
  if (types.gives.size() != binds.size()) {
    return fail(begin, "this arm binds " + count(types.gives.size(), "wire") +
                           ", not " + std::to_string(binds.size()));
  }
  return define_all(binds, types.gives, arm.binds) &&
         open_block(begin.column, arm.block);
}

bool BodyReader::read_label(TypeId at, Arm& arm, Outs& binds) {
  const BookToken& begin = peek();
  if (begin.kind == BookTokenKind::kNat) return read_nat_label(arm, binds);
  bool f32 = is_word(begin, "f32");
  if (f32 || begin.kind == BookTokenKind::kNumber ||
      begin.kind == BookTokenKind::kChar) {
    return read_literal_label(at, arm);
  }
  if (is_word(begin, "else")) {
    reader_.next();
    arm.kind = ArmKind::kElse;
  } else {
    arm.kind = ArmKind::kCtor;
    if (!read_ctor(arm.ctor)) return false;
  }
  while (!reader_.at_sign(":")) {
    if (!read_bind(binds)) return false;
  }
  return true;
}

bool BodyReader::read_nat_label(Arm& arm, Outs& binds) {
  const BookToken& begin = reader_.next();
  arm.kind = begin.value == 0 ? ArmKind::kZero : ArmKind::kLiteral;
  arm.value = begin.value;
  if (begin.value > kMaxNat) return fail(begin, "a Nat is below 2^48");
  if (!reader_.at_sign("+")) return true;
  if (begin.value != 1) {
    return fail(begin, "the arm of a successor is written `1n+p`");
  }
  reader_.next();
  arm.kind = ArmKind::kSucc;
  arm.value = 0;
  return read_bind(binds);
}

bool BodyReader::read_literal_label(TypeId at, Arm& arm) {
  const BookToken& begin = peek();
  arm.kind = ArmKind::kLiteral;
  TypeId type = kTypeU32;
  if (begin.kind == BookTokenKind::kName) {
    type = kTypeF32;
    if (!read_f32(arm.value)) return false;
  } else {
    if (begin.kind == BookTokenKind::kChar) type = kTypeChar;
    arm.value = reader_.next().value;
    if (arm.value > kMaxU32) return fail(begin, "a U32 is below 2^32");
  }
  if (type == at) return true;
  return fail(begin, "this arm matches " + book_.show(type) + ", not " +
                         book_.show(at));
}

bool BodyReader::read_bind(Outs& binds) {
  const BookToken& name = reader_.peek(reader_.at_sign("(") ? 1 : 0);
  if (is_word(name, "out")) {
    return fail("`out` is the result and cannot be bound by an arm");
  }
  if (!reader_.take_sign("(")) {
    if (!is_name(peek())) return fail("expected a name, `(` or `:`");
    return read_out(binds);
  }
  return read_out(binds) && reader_.want_sign(":", "behind the name") &&
         reader_.read_type({}, 0, binds.back().type) &&
         reader_.want_sign(")", "behind the type");
}

// ---- names ------------------------------------------------------------------

bool BodyReader::read_out(Outs& outs) {
  Out out;
  out.at = peek();
  out.is_out = is_word(out.at, "out");
  std::string_view name;
  if (!reader_.want_name("the name of a wire", name)) return false;
  bool keyword = out.at.kind == BookTokenKind::kName && is_book_keyword(name);
  if (keyword && !out.is_out) {
    return fail(out.at, quoted(name) + " is a word of the text form: as a "
                                       "name it stands in backquotes");
  }
  outs.push_back(out);
  return true;
}

bool BodyReader::read_outs(Outs& outs) {
  do {
    if (!read_out(outs)) return false;
    if (reader_.take_sign(":") &&
        !reader_.read_type({}, 0, outs.back().type)) {
      return false;
    }
  } while (reader_.take_sign(","));
  for (const Out& out : outs) {
    bool alone = outs.size() == 1 && out.type == TypeId::kNone;
    if (out.is_out && !alone) {
      return fail(out.at, "`out` stands alone and without a type");
    }
  }
  return true;
}

bool BodyReader::read_wire(Wire& wire) {
  const BookToken& at = peek();
  std::string_view name;
  if (!reader_.want_name("the name of a wire", name)) return false;
  auto it = scope_.find(name);
  bool word = at.kind == BookTokenKind::kName && is_book_keyword(name);
  if (word || it == scope_.end()) {
    return fail(at, "no wire is named " + quoted(name) + " here");
  }
  wire = it->second;
  return true;
}

bool BodyReader::read_ctor(CtorId& ctor) {
  const BookToken& at = peek();
  std::string_view name;
  if (!reader_.want_name("the name of a constructor", name)) return false;
  ctor = book_.find_ctor(name);
  if (ctor != CtorId::kNone) return true;
  return fail(at, "no constructor is named " + quoted(name));
}

TypeId BodyReader::type_of(Wire wire) const {
  return def_.wires[index(wire)].type;
}

void BodyReader::leave(std::size_t mark) {
  for (; log_.size() > mark; log_.pop_back()) scope_.erase(log_.back());
}

// ---- right sides ------------------------------------------------------------

bool BodyReader::read_right(Stmt& stmt) {
  const BookToken& at = peek();
  bool word = at.kind == BookTokenKind::kName && is_book_keyword(at.text);
  if (word && at.text != "f32") return read_word(stmt);
  if (is_name(at) && !word) return read_head(stmt);
  return read_literal(stmt) && reader_.want_line_end();
}

bool BodyReader::read_literal(Stmt& stmt) {
  const BookToken& at = peek();
  stmt.num = at.value;
  switch (at.kind) {
    case BookTokenKind::kNumber:
      stmt.op = Op::kU32;
      if (at.value > kMaxU32) return fail("a U32 is below 2^32");
      break;
    case BookTokenKind::kNat:
      stmt.op = Op::kNat;
      if (at.value > kMaxNat) return fail("a Nat is below 2^48");
      break;
    case BookTokenKind::kChar: stmt.op = Op::kChar; break;
    case BookTokenKind::kString:
      stmt.op = Op::kString;
      stmt.text = at.text;
      break;
    case BookTokenKind::kName:
      stmt.op = Op::kF32;
      return read_f32(stmt.num);
    default: return fail("expected a value behind `=`");
  }
  reader_.next();
  return true;
}

bool BodyReader::read_f32(std::uint64_t& bits) {
  reader_.next();
  const BookToken& at = peek();
  if (at.kind != BookTokenKind::kNumber || !at.hex || at.value > kMaxU32) {
    return fail("expected the bits of the F32, as in `f32 0x3f800000`");
  }
  bits = reader_.next().value;
  return true;
}

bool BodyReader::read_word(Stmt& stmt) {
  static constexpr std::pair<std::string_view, Op> kWords[] = {
      {"drop", Op::kDrop},       {"take", Op::kTake},
      {"copy", Op::kCopy},       {"call", Op::kCall},
      {"closure", Op::kClosure}, {"apply", Op::kApply},
      {"effect", Op::kEffect}};
  const BookToken at = reader_.next();
  bool known = false;
  for (auto& [word, op] : kWords) {
    if (word != at.text) continue;
    stmt.op = op;
    known = true;
  }
  if (!known) {
    return fail(at, quoted(at.text) + " cannot stand behind `=`");
  }
  if (!read_target(stmt) || !read_ins(stmt)) return false;
  bool one = stmt.op == Op::kDrop || stmt.op == Op::kTake ||
             stmt.op == Op::kCopy;
  std::size_t wanted = one ? 1 : 2;
  if ((!one && stmt.op != Op::kApply) || stmt.ins.size() == wanted) return true;
  return fail(at, quoted(at.text) + " takes " + count(wanted, "wire") +
                      ", not " + std::to_string(stmt.ins.size()));
}

// What a word is about: a constructor, a definition, an effect.
bool BodyReader::read_target(Stmt& stmt) {
  if (stmt.op == Op::kTake) return read_ctor(stmt.ctor);
  bool def = stmt.op == Op::kCall || stmt.op == Op::kClosure;
  if (!def && stmt.op != Op::kEffect) return true;
  stmt.offload = stmt.op == Op::kCall && reader_.take_sign("!");
  const BookToken& at = peek();
  std::string_view name;
  std::string what = def ? "definition" : "effect";
  if (!reader_.want_name("the name of the " + what, name)) return false;
  if (def) stmt.def = book_.find_def(name);
  if (!def) stmt.effect = find_effect(name);
  if (def ? stmt.def == DefId::kNone : stmt.effect == Effect::kCount) {
    return fail(at, "no " + what + " is named " + quoted(name));
  }
  return def || read_element(stmt);
}

// A name behind `=`: a primitive, else a constructor, else a wire to move.
bool BodyReader::read_head(Stmt& stmt) {
  const BookToken at = reader_.next();
  if (at.kind == BookTokenKind::kName) stmt.prim = find_prim(at.text);
  if (stmt.prim != Prim::kCount) {
    stmt.op = Op::kPrim;
    return read_element(stmt) && read_ins(stmt);
  }
  stmt.ctor = book_.find_ctor(at.text);
  if (stmt.ctor != CtorId::kNone) {
    stmt.op = Op::kMake;
    return read_ins(stmt);
  }
  auto it = scope_.find(at.text);
  if (it == scope_.end()) {
    return fail(at, "no primitive, constructor or wire is named " +
                        quoted(at.text));
  }
  stmt.op = Op::kMove;
  stmt.ins = {it->second};
  return reader_.want_line_end();
}

bool BodyReader::read_element(Stmt& stmt) {
  if (!reader_.take_sign("<")) return true;
  return reader_.read_type({}, 0, stmt.type) &&
         reader_.want_sign(">", "behind the element type");
}

bool BodyReader::read_ins(Stmt& stmt) {
  while (!peek().first && peek().kind != BookTokenKind::kEnd) {
    Wire wire{};
    if (!read_wire(wire)) return false;
    stmt.ins.push_back(wire);
  }
  return true;
}

// ---- definitions of wires ---------------------------------------------------

bool BodyReader::infer(const BookToken& at, const Outs& outs, const Stmt& stmt,
                       std::vector<TypeId>& given) {
  std::vector<TypeId> ins;
  for (Wire wire : stmt.ins) ins.push_back(type_of(wire));
  PortTypesOf types = reader_.ports_.of(stmt, ins);
  if (!types.problem.empty()) return fail(at, types.problem);
  if (types.gives.size() != outs.size()) {
    return fail(at, "this statement defines " +
                        count(types.gives.size(), "wire") + ", not " +
                        std::to_string(outs.size()));
  }
  given = std::move(types.gives);
  return true;
}

bool BodyReader::define_all(const Outs& outs, const std::vector<TypeId>& given,
                            std::vector<Wire>& wires) {
  for (std::size_t i = 0; i < outs.size(); i++) {
    Wire wire = Wire::kOut;
    if (!outs[i].is_out && !define(outs[i], given[i], wire)) return false;
    wires.push_back(wire);
  }
  return true;
}

bool BodyReader::define(const Out& out, TypeId given, Wire& wire) {
  std::string_view name = out.at.text;
  TypeId type = out.type == TypeId::kNone ? given : out.type;
  if (type == TypeId::kNone) {
    return fail(out.at, "the type of " + quoted(name) + " does not follow "
                        "from its fields: write it behind the name and `:`");
  }
  wire = static_cast<Wire>(def_.wires.size());
  if (!scope_.emplace(name, wire).second) {
    return fail(out.at, "the wire " + quoted(name) + " is defined twice");
  }
  log_.push_back(name);
  def_.wires.push_back({std::string(name), type});
  return true;
}

}  // namespace tine
