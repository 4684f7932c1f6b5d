// Verifies one definition: blocks, statements, matches, wires.
//
// One walk along every path. The state of each wire is kept for the path at
// hand; what an arm changed is taken back behind it, so the work is linear in
// the definition. A path may end only when no wire is live.
#include <algorithm>
#include <string>
#include <utility>

#include "compiler/book/statement_text.h"
#include "compiler/book/token.h"
#include "compiler/book/verifier.h"

namespace tine {

namespace {

constexpr std::size_t kMaxShownStatement = 120;
constexpr std::uint64_t kMaxU32 = 0xFFFFFFFFu;
constexpr std::uint64_t kMaxNat = (std::uint64_t{1} << 48) - 1;

std::string quoted(std::string_view name) { return quote_text(name, '`'); }

std::string count(std::size_t number, std::string_view thing) {
  return std::to_string(number) + " " + std::string(thing) +
         (number == 1 ? "" : "s");
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    CodePoint point = read_code_point(text, at);
    if (point.length == 0) return false;
    at += point.length;
  }
  return true;
}

bool is_literal(Op op) { return op <= Op::kString; }

bool gives_out(const Stmt& stmt) {
  return stmt.outs.size() == 1 && stmt.outs[0] == Wire::kOut;
}

bool ends_block(const Stmt& stmt) {
  return stmt.op == Op::kMatch || gives_out(stmt);
}

std::size_t outs_of(const Book& book, const Stmt& stmt) {
  switch (stmt.op) {
    case Op::kTake: return book.ctor(stmt.ctor).fields.size();
    case Op::kCopy: return 2;
    case Op::kDrop:
    case Op::kMatch: return 0;
    case Op::kPar: return stmt.calls.size();
    default: return 1;
  }
}

}  // namespace

// ---- the definition ---------------------------------------------------------

void DefVerifier::fail(std::string text) {
  if (errors_.size() >= kMaxVerifyErrors) return;
  std::string where = "in " + quoted(def_->name);
  if (!at_.empty()) where += ", at `" + at_ + "`";
  errors_.push_back({line_, column_, where + ": " + text});
}

bool DefVerifier::is_closed(TypeId id) const {
  return index(id) < closed_.size() && closed_[index(id)];
}

void DefVerifier::begin(const DefRow& def) {
  def_ = &def;
  at_.clear();
  line_ = def.line;
  column_ = def.column;
}

void DefVerifier::at_stmt(const Stmt& stmt) {
  at_ = statement_text(book_, *def_, stmt, kMaxShownStatement);
  if (stmt.line == 0) return;
  line_ = stmt.line;
  column_ = stmt.column;
}

void DefVerifier::check_head(const DefRow& def) {
  begin(def);
  auto id = static_cast<std::size_t>(&def - book_.defs.data());
  if (index(book_.find_def(def.name)) != id) fail("it is defined twice");
  if (!def.defined) fail("it has a head but no block");
  if (!is_closed(def.result)) fail("its result has no type");
  if (def.params > def.wires.size()) fail("its parameters are missing");
  for (const WireRow& row : def.wires) {
    if (!is_closed(row.type)) fail("the wire " + quoted(row.name) +
                                   " has no type");
  }
}

void DefVerifier::run(const DefRow& def) {
  begin(def);
  states_.assign(def.wires.size(), State::kNone);
  defined_.assign(def.wires.size(), false);
  changes_.clear();
  live_ = 0;
  for (std::uint32_t i = 0; i < def.params; i++) define(static_cast<Wire>(i));
  levels_.clear();
  check_block(def.block);
  while (!levels_.empty()) next_arm();
}

// ---- wires ------------------------------------------------------------------

TypeId DefVerifier::type_of(Wire wire) const {
  if (wire == Wire::kOut) return def_->result;
  if (index(wire) >= def_->wires.size()) return TypeId::kNone;
  return def_->wires[index(wire)].type;
}

std::string DefVerifier::name_of(Wire wire) const {
  if (wire == Wire::kOut) return "out";
  if (index(wire) >= def_->wires.size()) return "?";
  return def_->wires[index(wire)].name;
}

void DefVerifier::use(Wire wire) {
  if (index(wire) >= states_.size()) {
    return fail("the wire " + quoted(name_of(wire)) + " cannot be used");
  }
  State& state = states_[index(wire)];
  if (state == State::kNone) {
    fail("the wire " + quoted(name_of(wire)) + " is used before it is defined");
  } else if (state == State::kUsed) {
    fail("the wire " + quoted(name_of(wire)) + " is used a second time");
  } else {
    live_--;
  }
  changes_.push_back({wire, state});
  state = State::kUsed;
}

void DefVerifier::define(Wire wire) {
  if (wire == Wire::kOut) return;
  if (index(wire) >= states_.size()) {
    return fail("a wire is defined that the definition does not list");
  }
  if (defined_[index(wire)]) {
    return fail("the wire " + quoted(name_of(wire)) + " is defined twice");
  }
  defined_[index(wire)] = true;
  changes_.push_back({wire, State::kNone});
  states_[index(wire)] = State::kLive;
  live_++;
}

void DefVerifier::undo(std::size_t mark) {
  for (; changes_.size() > mark; changes_.pop_back()) {
    auto [wire, before] = changes_.back();
    State& state = states_[index(wire)];
    if (state == State::kLive) live_--;
    state = before;
    if (state == State::kLive) live_++;
  }
}

// ---- blocks -----------------------------------------------------------------

// The arms of the match that ends a block are left on levels_, for `run`.
void DefVerifier::check_block(const Block& block) {
  if (levels_.size() > kMaxBlockDepth) {
    return fail("matches nest at most " + std::to_string(kMaxBlockDepth) +
                " deep");
  }
  if (block.empty()) return fail("a block is empty");
  for (const Stmt& stmt : block) {
    bool last = &stmt == &block.back();
    check_stmt(stmt, last);
    if (errors_.size() >= kMaxVerifyErrors) return;
    if (last && stmt.op == Op::kMatch) return check_match(stmt);
  }
  check_end();
}

void DefVerifier::check_end() {
  if (live_ == 0) return;
  for (std::size_t i = 0; i < states_.size(); i++) {
    if (states_[i] != State::kLive) continue;
    fail("the wire " + quoted(def_->wires[i].name) +
         " is not used on the path that ends here");
    return;
  }
}

void DefVerifier::check_stmt(const Stmt& stmt, bool last) {
  at_ = "a statement";
  if (!check_ids(stmt)) return;
  at_stmt(stmt);
  if (!last && ends_block(stmt)) fail("nothing may follow it in its block");
  if (last && !ends_block(stmt)) {
    fail("a block ends with a statement that gives `out`, or with a match");
  }
  for (Wire wire : stmt.ins) use(wire);
  if (stmt.op == Op::kPar) {
    check_par(stmt);
  } else if (check_shape(stmt)) {
    check_value(stmt);
    check_copy(stmt);
    if (check_known(stmt)) check_ports(stmt);
  }
  for (Wire wire : stmt.outs) define(wire);
}

// Every index the statement holds is one of the book.
bool DefVerifier::check_ids(const Stmt& stmt) {
  bool ctor = stmt.op == Op::kMake || stmt.op == Op::kTake;
  bool def = stmt.op == Op::kCall || stmt.op == Op::kClosure;
  bool typed = stmt.op == Op::kPrim || stmt.op == Op::kEffect;
  const char* wrong = nullptr;
  if (ctor && index(stmt.ctor) >= book_.ctors.size()) wrong = "constructor";
  if (def && index(stmt.def) >= book_.defs.size()) wrong = "definition";
  if (stmt.op == Op::kPrim && stmt.prim >= Prim::kCount) wrong = "primitive";
  if (stmt.op == Op::kEffect && stmt.effect >= Effect::kCount) wrong = "effect";
  if (typed && stmt.type != TypeId::kNone && !is_closed(stmt.type)) {
    wrong = "element type";
  }
  if (wrong != nullptr) fail("its " + std::string(wrong) + " is not known");
  return wrong == nullptr;
}

// The numbers of its inputs and outputs, and who may give `out`.
bool DefVerifier::check_shape(const Stmt& stmt) {
  std::size_t outs = outs_of(book_, stmt);
  if (stmt.outs.size() != outs) {
    fail("it defines " + count(outs, "wire") + ", not " +
         std::to_string(stmt.outs.size()));
    return false;
  }
  bool named = stmt.op == Op::kTake || stmt.op == Op::kCopy;
  bool to_out = std::count(stmt.outs.begin(), stmt.outs.end(), Wire::kOut) > 0;
  if (named && to_out) fail("its results are wires, not `out`");
  if (stmt.op == Op::kMove && !to_out) fail("a move gives `out`");
  if (is_literal(stmt.op)) return check_ins(0, stmt);
  if (stmt.op == Op::kMake) {
    return check_ins(book_.ctor(stmt.ctor).fields.size(), stmt);
  }
  bool two = stmt.op == Op::kApply;
  bool one = stmt.op == Op::kMove || stmt.op == Op::kTake ||
             stmt.op == Op::kCopy || stmt.op == Op::kDrop ||
             stmt.op == Op::kMatch;
  return one || two ? check_ins(two ? 2 : 1, stmt) : true;
}

bool DefVerifier::check_ins(std::size_t wanted, const Stmt& stmt) {
  if (stmt.ins.size() == wanted) return true;
  fail("it takes " + count(wanted, "wire") + ", not " +
       std::to_string(stmt.ins.size()));
  return false;
}

void DefVerifier::check_value(const Stmt& stmt) {
  std::uint64_t limit = stmt.op == Op::kNat ? kMaxNat : kMaxU32;
  bool number = is_literal(stmt.op) && stmt.op != Op::kString;
  if (number && stmt.num > limit) fail("the number is too large");
  if (stmt.op == Op::kString && !is_utf8(stmt.text)) {
    fail("the text is not UTF-8");
  }
  if (stmt.op != Op::kTake) return;
  const CtorRow& ctor = book_.ctor(stmt.ctor);
  if (book_.data(ctor.data).ctors.size() == 1) return;
  fail("only a match tells the constructors of " +
       quoted(book_.data(ctor.data).name) + " apart");
}

// A value of one owner stays one: neither `copy` nor a primitive that copies
// cells takes it.
void DefVerifier::check_copy(const Stmt& stmt) {
  bool cells = stmt.op == Op::kPrim &&
               (stmt.prim == Prim::kArrayGet || stmt.prim == Prim::kArrayNew ||
                stmt.prim == Prim::kArrayClone);
  TypeId type = TypeId::kNone;
  if (stmt.op == Op::kCopy) type = type_of(stmt.ins[0]);
  if (cells) type = stmt.type;
  if (ports_.copyable(type)) return;
  fail("a value of type " + book_.show(type) + " has one owner: it cannot be "
       "copied");
}

// ---- types that primitives know ---------------------------------------------

bool DefVerifier::check_known(const Stmt& stmt) {
  if (stmt.op == Op::kString) return check_known_type("String", "a text");
  bool effect = stmt.op == Op::kEffect;
  if (!effect && stmt.op != Op::kPrim) return true;
  std::string_view text = effect ? effect_row(stmt.effect).signature
                                 : prim_row(stmt.prim).signature;
  std::string_view name =
      effect ? effect_row(stmt.effect).name : prim_row(stmt.prim).name;
  bool right = !effect || check_known_type("IO.OP", quoted(name));
  while (!text.empty()) {
    std::size_t end = text.find_first_of(" <>,");
    right = check_known_type(text.substr(0, end), quoted(name)) && right;
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return right;
}

bool DefVerifier::check_known_type(std::string_view name,
                                   std::string_view user) {
  const KnownShape* shape = known_shape(name);
  if (shape == nullptr || known_right_.count(shape->name) > 0) return true;
  // A request that ends a program holds a String.
  if (name == "IO.OP" && !check_known_type("String", user)) return false;
  DataId data = book_.find_data(name);
  if (data == DataId::kNone) {
    fail(std::string(user) + " needs the type " + quoted(name) +
         ", which the book does not declare");
    return false;
  }
  if (book_.has_known_shape(data)) {
    known_right_.insert(shape->name);
    return true;
  }
  std::string ctors = " = " + std::string(shape->ctors);
  fail(std::string(user) + " needs the type `" + std::string(name) +
       (shape->counted ? "" : " plain") +
       (shape->ctors.empty() ? std::string() : ctors) + "`");
  return false;
}

// ---- ports ------------------------------------------------------------------

void DefVerifier::check_ports(const Stmt& stmt) {
  std::vector<TypeId> ins;
  for (Wire wire : stmt.ins) ins.push_back(type_of(wire));
  TypeId declared = TypeId::kNone;
  if (stmt.op == Op::kMake) declared = type_of(stmt.outs[0]);
  PortTypesOf types = ports_.of(stmt, ins, declared);
  if (!types.problem.empty()) return fail(types.problem);
  bool fixed = stmt.op == Op::kPrim || stmt.op == Op::kCall ||
               stmt.op == Op::kClosure || stmt.op == Op::kEffect;
  if (fixed && !check_ins(types.wants.size(), stmt)) return;
  for (std::size_t i = 0; i < types.wants.size(); i++) {
    if (ports_.fits(ins[i], types.wants[i])) continue;
    fail("the wire " + quoted(name_of(stmt.ins[i])) + " is " +
         ports_.show(ins[i]) + ", it takes " + ports_.show(types.wants[i]));
  }
  if (stmt.op == Op::kMake) return;  // its fields are held to its type
  for (std::size_t i = 0; i < types.gives.size(); i++) {
    TypeId type = type_of(stmt.outs[i]);
    if (ports_.fits(type, types.gives[i])) continue;
    fail("it gives " + ports_.show(types.gives[i]) + ", " +
         quoted(name_of(stmt.outs[i])) + " is " + ports_.show(type));
  }
}

// The results of a `par` come into being together, behind its last call.
void DefVerifier::check_par(const Stmt& stmt) {
  std::string at = at_;
  if (stmt.calls.size() < 2) fail("`par` holds two calls or more");
  if (stmt.outs.size() != stmt.calls.size() || !stmt.ins.empty()) {
    return fail("`par` defines one wire per call and takes none itself");
  }
  for (std::size_t i = 0; i < stmt.calls.size(); i++) {
    const Stmt& call = stmt.calls[i];
    at_ = at;
    if (!check_ids(call)) continue;
    at_stmt(call);
    if (call.op != Op::kCall && call.op != Op::kApply) {
      fail("`par` holds calls and applications only");
      continue;
    }
    if (call.outs != std::vector<Wire>{stmt.outs[i]}) {
      fail("a call of `par` defines the wire that `par` lists for it");
      continue;
    }
    if (gives_out(call)) fail("a result of `par` is a wire, not `out`");
    for (Wire wire : call.ins) use(wire);
    if (check_shape(call)) check_ports(call);
  }
  at_ = at;
}

}  // namespace tine
