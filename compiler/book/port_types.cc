// Inference and comparison of port types. Types are hash-consed, so a type may
// stand for a tree that is exponentially larger than its row: comparisons keep
// their answers by pair of ids, and no walk unfolds a type without a memo.
#include "compiler/book/port_types.h"

#include <algorithm>
#include <utility>

namespace tine {

namespace {

std::string quoted(std::string_view name) {
  return "`" + std::string(name) + "`";
}

}  // namespace

// ---- signatures -------------------------------------------------------------

TypeId PortTypes::named(std::string_view name, std::vector<TypeId> args) {
  DataId data = book_.find_data(name);
  if (data == DataId::kNone || data == kDataArray) return TypeId::kNone;
  if (book_.data(data).params.size() != args.size()) return TypeId::kNone;
  return book_.intern(Type{TypeKind::kData, index(data), std::move(args)});
}

// Reads one type of a .def row and moves `text` behind it.
TypeId PortTypes::parse_type(std::string_view& text, Signature& made) {
  std::size_t end = text.find_first_of(" <>,");
  std::string_view name = text.substr(0, end);
  text.remove_prefix(name.size());
  std::vector<TypeId> args;
  if (!text.empty() && text[0] == '<') {
    while (text[0] != '>') {
      text.remove_prefix(text[0] == ',' ? 2 : 1);
      args.push_back(parse_type(text, made));
    }
    text.remove_prefix(1);
  }
  if (name == "$") {
    made.generic = true;
    return book_.intern(Type{TypeKind::kParam, 0, {}});
  }
  if (name == "U32") return kTypeU32;
  if (name == "F32") return kTypeF32;
  if (name == "Nat") return kTypeNat;
  if (name == "Char") return kTypeChar;
  if (name == "Any") return kTypeAny;
  if (name == "Array") {
    return book_.intern(Type{TypeKind::kArray, 0, std::move(args)});
  }
  TypeId id = named(name, std::move(args));
  if (id == TypeId::kNone) {
    made.missing = name;
    return kTypeAny;
  }
  return id;
}

const PortTypes::Signature& PortTypes::signature(std::string_view text) {
  auto [it, fresh] = signatures_.try_emplace(text);
  Signature& made = it->second;
  if (!fresh) return made;
  while (text.substr(0, 2) != "->") {
    made.params.push_back(parse_type(text, made));
    text.remove_prefix(1);
  }
  text.remove_prefix(3);
  made.result = parse_type(text, made);
  return made;
}

// The signature at an element type; null with a problem where it has none.
const PortTypes::Signature* PortTypes::instance(std::string_view name,
                                                std::string_view text,
                                                TypeId element,
                                                PortTypesOf& made) {
  const Signature& open = signature(text);
  if (!open.missing.empty()) {
    made.problem = quoted(name) + " needs the type " + quoted(open.missing) +
                   ", which the book does not declare";
    return nullptr;
  }
  bool given = element != TypeId::kNone;
  if (given != open.generic) {
    made.problem = quoted(name) + (given ? " takes no element type"
                                         : " needs its element type in <>");
    return nullptr;
  }
  if (!given) return &open;
  instance_ = Signature{};
  for (TypeId param : open.params) {
    instance_.params.push_back(book_.substitute(param, {element}));
  }
  instance_.result = book_.substitute(open.result, {element});
  return &instance_;
}

// ---- statements -------------------------------------------------------------

bool PortTypes::belongs(CtorId ctor, TypeId at, PortTypesOf& made) {
  if (at == kTypeAny) return true;
  const CtorRow& row = book_.ctor(ctor);
  if (book_.data_of(at) == row.data) return true;
  made.problem = quoted(row.name) + " is a constructor of " +
                 quoted(book_.data(row.data).name) + ", not of " +
                 book_.show(at);
  return false;
}

// Fills `args` where `pattern`, a field's declared type, shows a parameter.
void PortTypes::learn(TypeId pattern, TypeId actual,
                      std::vector<TypeId>& args) {
  if (pattern == TypeId::kNone || actual == TypeId::kNone) return;
  Type want = book_.type(pattern);
  if (want.kind == TypeKind::kParam) {
    if (want.data >= args.size()) return;
    TypeId& arg = args[want.data];
    if (arg == TypeId::kNone) arg = actual;
    return;
  }
  const Type& have = book_.type(actual);
  if (have.kind != want.kind || have.data != want.data) return;
  std::size_t shared = std::min(want.args.size(), have.args.size());
  for (std::size_t i = 0; i < shared; i++) {
    learn(want.args[i], book_.type(actual).args[i], args);
  }
}

void PortTypes::of_make(const Stmt& stmt, const std::vector<TypeId>& ins,
                        TypeId declared, PortTypesOf& made) {
  const CtorRow& row = book_.ctor(stmt.ctor);
  std::vector<TypeId> args(book_.data(row.data).params.size(), TypeId::kNone);
  for (std::size_t i = 0; i < row.fields.size() && i < ins.size(); i++) {
    learn(row.fields[i].type, ins[i], args);
  }
  bool known = std::find(args.begin(), args.end(), TypeId::kNone) == args.end();
  bool array = row.data == kDataArray;
  TypeId given = TypeId::kNone;
  if (known) {
    given = book_.intern(Type{array ? TypeKind::kArray : TypeKind::kData,
                              index(row.data), args});
  }
  made.gives = {given};
  bool told = declared != TypeId::kNone && declared != kTypeAny;
  if (told && !belongs(stmt.ctor, declared, made)) return;
  TypeId at = told ? declared : known ? given : kTypeAny;
  for (std::uint32_t i = 0; i < row.fields.size(); i++) {
    made.wants.push_back(book_.field_type(at, stmt.ctor, i));
  }
}

void PortTypes::of_take(CtorId ctor, TypeId at, PortTypesOf& made) {
  if (!belongs(ctor, at, made)) return;
  auto fields = static_cast<std::uint32_t>(book_.ctor(ctor).fields.size());
  for (std::uint32_t i = 0; i < fields; i++) {
    made.gives.push_back(book_.field_type(at, ctor, i));
  }
}

void PortTypes::of_call(const Stmt& stmt, PortTypesOf& made) {
  const DefRow& def = defs_.def(stmt.def);
  for (std::uint32_t i = 0; i < def.params; i++) {
    made.wants.push_back(def.wires[i].type);
  }
  made.gives = {def.result};
}

void PortTypes::of_closure(const Stmt& stmt, PortTypesOf& made) {
  const DefRow& def = defs_.def(stmt.def);
  std::size_t held = stmt.ins.size();
  if (held >= def.params) {
    made.problem = "a closure holds fewer arguments than the " +
                   std::to_string(def.params) + " of " + quoted(def.name);
    return;
  }
  TypeId type = def.result;
  for (std::size_t i = def.params; i-- > held;) {
    type = book_.intern(Type{TypeKind::kFn, 0, {def.wires[i].type, type}});
  }
  for (std::size_t i = 0; i < held; i++) {
    made.wants.push_back(def.wires[i].type);
  }
  made.gives = {type};
}

void PortTypes::of_apply(const std::vector<TypeId>& ins, PortTypesOf& made) {
  if (ins.empty() || ins[0] == TypeId::kNone || ins[0] == kTypeAny) {
    made.wants = {kTypeAny, kTypeAny};
    made.gives = {kTypeAny};
    return;
  }
  const Type& type = book_.type(ins[0]);
  if (type.kind != TypeKind::kFn) {
    made.problem = "only a function is applied, this is " + book_.show(ins[0]);
    return;
  }
  made.wants = {ins[0], type.args[0]};
  made.gives = {type.args[1]};
}

void PortTypes::of_prim(const Stmt& stmt, PortTypesOf& made) {
  const PrimRow& row = prim_row(stmt.prim);
  const Signature* at = instance(row.name, row.signature, stmt.type, made);
  if (at == nullptr) return;
  made.wants = at->params;
  made.gives = {at->result};
}

// The last input is the continuation, a function from the answer to a
// request; the effect gives what it gives.
void PortTypes::of_effect(const Stmt& stmt, const std::vector<TypeId>& ins,
                          PortTypesOf& made) {
  const EffectRow& row = effect_row(stmt.effect);
  const Signature* at = instance(row.name, row.signature, stmt.type, made);
  if (at == nullptr) return;
  TypeId request = named("IO.OP", {kTypeAny});
  if (request == TypeId::kNone) {
    made.problem = quoted(row.name) +
                   " needs the type `IO.OP`, which the book does not declare";
    return;
  }
  made.wants = at->params;
  made.wants.push_back(
      book_.intern(Type{TypeKind::kFn, 0, {at->result, request}}));
  bool fits_k = !ins.empty() && ins.back() != TypeId::kNone &&
                book_.type(ins.back()).kind == TypeKind::kFn;
  made.gives = {fits_k ? book_.type(ins.back()).args[1] : request};
}

void PortTypes::of_literal(std::string_view type, PortTypesOf& made) {
  TypeId id = named(type, {});
  made.gives = {id};
  if (id == TypeId::kNone) {
    made.problem = "a text needs the type " + quoted(type) +
                   ", which the book does not declare";
  }
}

PortTypesOf PortTypes::of(const Stmt& stmt, const std::vector<TypeId>& ins,
                          TypeId declared) {
  PortTypesOf made;
  switch (stmt.op) {
    case Op::kU32: made.gives = {kTypeU32}; break;
    case Op::kNat: made.gives = {kTypeNat}; break;
    case Op::kF32: made.gives = {kTypeF32}; break;
    case Op::kChar: made.gives = {kTypeChar}; break;
    case Op::kString: of_literal("String", made); break;
    case Op::kMove: made.gives = ins; break;
    case Op::kMake: of_make(stmt, ins, declared, made); break;
    case Op::kTake:
      of_take(stmt.ctor, ins.empty() ? kTypeAny : ins[0], made);
      break;
    case Op::kCopy:
      if (!ins.empty()) made.gives = {ins[0], ins[0]};
      break;
    case Op::kDrop: break;
    case Op::kPrim: of_prim(stmt, made); break;
    case Op::kCall: of_call(stmt, made); break;
    case Op::kClosure: of_closure(stmt, made); break;
    case Op::kApply: of_apply(ins, made); break;
    case Op::kEffect: of_effect(stmt, ins, made); break;
    case Op::kPar: break;
    case Op::kMatch: break;
  }
  for (TypeId id : made.gives) {
    if (id == TypeId::kNone || !too_deep(id) || !made.problem.empty()) continue;
    made.problem = "the type of its result nests deeper than " +
                   std::to_string(kMaxTypeDepth);
  }
  return made;
}

PortTypesOf PortTypes::of_arm(const Arm& arm, TypeId at) {
  PortTypesOf made;
  bool nat = at == kTypeNat || at == kTypeAny;
  switch (arm.kind) {
    case ArmKind::kCtor: of_take(arm.ctor, at, made); break;
    case ArmKind::kElse: made.gives = {at}; break;
    case ArmKind::kSucc: made.gives = {kTypeNat}; [[fallthrough]];
    case ArmKind::kZero:
      if (!nat) made.problem = "this arm matches a Nat, not " + book_.show(at);
      break;
    case ArmKind::kLiteral: break;
  }
  for (TypeId id : made.gives) {
    if (id == TypeId::kNone || !too_deep(id)) continue;
    made.problem = "the type of a field nests deeper than " +
                   std::to_string(kMaxTypeDepth);
  }
  return made;
}

// ---- comparisons ------------------------------------------------------------

bool PortTypes::too_deep(TypeId id) {
  // A type's arguments have smaller ids than itself.
  while (depths_.size() <= index(id)) {
    std::uint32_t below = 0;
    for (TypeId arg : book_.types[depths_.size()].args) {
      below = std::max(below, depths_[index(arg)]);
    }
    depths_.push_back(below + 1);
  }
  return depths_[index(id)] > kMaxTypeDepth;
}

bool PortTypes::wide_cell(TypeId id) const {
  return id != kTypeU32 && id != kTypeF32 && id != kTypeChar;
}

bool PortTypes::fits(TypeId a, TypeId b) {
  if (a == b || a == TypeId::kNone || b == TypeId::kNone) return true;
  if (a == kTypeAny || b == kTypeAny) return true;
  const Type& left = book_.type(a);
  const Type& right = book_.type(b);
  if (left.kind != right.kind || left.data != right.data ||
      left.args.size() != right.args.size()) {
    return false;
  }
  if (left.kind == TypeKind::kArray &&
      wide_cell(left.args[0]) != wide_cell(right.args[0])) {
    return false;
  }
  auto [low, high] = std::minmax({index(a), index(b)});
  std::uint64_t pair = std::uint64_t{low} << 32 | high;
  if (auto it = fits_.find(pair); it != fits_.end()) return it->second;
  bool all = true;
  for (std::size_t i = 0; i < left.args.size() && all; i++) {
    all = fits(left.args[i], right.args[i]);
  }
  fits_[pair] = all;
  return all;
}

// ---- copyable ---------------------------------------------------------------
//
// A type of data may grow at every unfolding (`type D<A> = C (x: D<P<A, A>>)`),
// so the question is settled per declaration: the least fixpoint of "a value
// of this row can hold something with one owner" and "a value of this row can
// hold a value of parameter i". A type is copyable when its row is and the
// arguments its values can hold are.

// Adds what one field says about its row; true when something is new.
bool PortTypes::scan_field(TypeId field, DataId of) {
  if (field == TypeId::kNone) return false;
  const Type type = book_.type(field);
  auto mark = [&](std::vector<bool>& bits, std::size_t at) {
    if (at >= bits.size() || bits[at]) return false;
    bits[at] = true;
    return true;
  };
  switch (type.kind) {
    case TypeKind::kParam: return mark(holds_[index(of)], type.data);
    case TypeKind::kArray:
    case TypeKind::kFn: return mark(single_, index(of));
    case TypeKind::kData: break;
    default: return false;
  }
  bool fresh = false;
  if (single_[type.data]) fresh = mark(single_, index(of));
  for (std::size_t i = 0; i < type.args.size(); i++) {
    bool held = i < holds_[type.data].size() && holds_[type.data][i];
    if (held) fresh = scan_field(type.args[i], of) || fresh;
  }
  return fresh;
}

void PortTypes::solve_copyable() {
  std::vector<std::vector<DataId>> users(book_.datas.size());
  for (const DataRow& row : book_.datas) {
    single_.push_back(!row.counted);
    holds_.emplace_back(row.params.size(), false);
  }
  // Which rows read the answer of a row.
  auto note = [&](auto& self, TypeId field, DataId of) -> void {
    if (field == TypeId::kNone) return;
    const Type& type = book_.type(field);
    if (type.kind == TypeKind::kData) users[type.data].push_back(of);
    for (TypeId arg : type.args) self(self, arg, of);
  };
  std::vector<DataId> work;
  for (std::size_t i = 0; i < book_.datas.size(); i++) {
    auto of = static_cast<DataId>(i);
    work.push_back(of);
    for (CtorId ctor : book_.datas[i].ctors) {
      for (const Field& field : book_.ctor(ctor).fields) {
        note(note, field.type, of);
      }
    }
  }
  std::vector<bool> waiting(book_.datas.size(), true);
  while (!work.empty()) {
    DataId of = work.back();
    work.pop_back();
    waiting[index(of)] = false;
    bool fresh = false;
    for (CtorId ctor : book_.data(of).ctors) {
      for (const Field& field : book_.ctor(ctor).fields) {
        fresh = scan_field(field.type, of) || fresh;
      }
    }
    if (!fresh) continue;
    for (DataId user : users[index(of)]) {
      if (!waiting[index(user)]) work.push_back(user);
      waiting[index(user)] = true;
    }
  }
}

bool PortTypes::copyable(TypeId id) {
  if (single_.empty()) solve_copyable();
  if (id == TypeId::kNone) return true;
  const Type& type = book_.type(id);
  if (type.kind == TypeKind::kArray || type.kind == TypeKind::kFn) return false;
  if (type.kind != TypeKind::kData) return true;
  if (single_[type.data]) return false;
  if (auto it = copyable_.find(id); it != copyable_.end()) return it->second;
  bool all = true;
  for (std::size_t i = 0; i < type.args.size() && all; i++) {
    bool held = i < holds_[type.data].size() && holds_[type.data][i];
    if (held) all = copyable(type.args[i]);
  }
  copyable_[id] = all;
  return all;
}

}  // namespace tine
