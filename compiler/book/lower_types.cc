#include "compiler/book/lower_types.h"

#include <cctype>
#include <utility>

namespace tine {

using core::Value;
using core::ValueKind;

namespace {

// Types nest at most this deep in a book of ours; below it stands Any. The
// verifier allows more, so that wrapping a type once more does no harm.
constexpr std::uint32_t kMaxDepth = 64;
constexpr std::uint32_t kMaxFamilyArgs = 64;

// A name that the table does not hold yet.
template <class Find>
std::string free_name(const std::string& name, Find taken) {
  std::string made = name;
  for (int i = 2; taken(made); i++) made = name + "~" + std::to_string(i);
  return made;
}

class DepthScope {
 public:
  explicit DepthScope(std::uint32_t& depth) : depth_(depth) { depth_++; }
  ~DepthScope() { depth_--; }
  DepthScope(const DepthScope&) = delete;

 private:
  std::uint32_t& depth_;
};

}  // namespace

LowerTypes::LowerTypes(core::Globals& globals, core::Theory& theory, Book& book)
    : globals_(globals), theory_(theory), book_(book) {}

Value* LowerTypes::fresh() { return theory_.var(next_level_++); }

Value* LowerTypes::stand_for(TypeId type) {
  Value* made = fresh();
  stands_for_[made->level] = type;
  return made;
}

Value* LowerTypes::unknown() { return fresh(); }

Value* LowerTypes::data_value(core::Data data,
                              const std::vector<Value*>& args) {
  core::Term* term = globals_.make(core::TermKind::kData);
  term->data = data;
  const core::Env* env = nullptr;
  for (std::size_t i = 0; i < args.size(); i++) {
    env = theory_.push(env, args[i]);
    term->kids.push_back(globals_.make(core::TermKind::kVar));
    term->kids.back()->num = args.size() - 1 - i;
  }
  return theory_.eval(term, env);
}

bool LowerTypes::is_variable(const Value* v) {
  return v->kind == ValueKind::kVar && v->args.empty();
}

namespace {

bool has_variable(const core::Term* term, std::uint64_t at) {
  if (term->kind == core::TermKind::kVar) return term->num == at;
  bool binds_last = term->kind == core::TermKind::kLam ||
                    term->kind == core::TermKind::kPi ||
                    term->kind == core::TermKind::kLet;
  for (std::size_t i = 0; i < term->kids.size(); i++) {
    bool inside = binds_last && i + 1 == term->kids.size();
    if (has_variable(term->kids[i], at + (inside ? 1 : 0))) return true;
  }
  for (const core::TermArm& arm : term->arms) {
    if (arm.body && has_variable(arm.body, at + arm.binds.size())) return true;
  }
  return false;
}

}  // namespace

bool LowerTypes::mentions(Value* type, const Value* variable) {
  const core::Term* normal = theory_.quote(type, next_level_);
  return has_variable(normal, next_level_ - 1 - variable->level);
}

bool LowerTypes::is_family_kind(Value* type) {
  Value* at = theory_.whnf(type);
  for (std::uint32_t i = 0; i < kMaxFamilyArgs; i++) {
    if (at->kind == ValueKind::kKind) return true;
    if (at->kind != ValueKind::kPi) return false;
    at = theory_.whnf(theory_.instantiate(at, fresh()));
  }
  return false;
}

TypeId LowerTypes::of_family(Value* family, Value* kind) {
  Value* at = theory_.whnf(kind);
  for (std::uint32_t i = 0; i < kMaxFamilyArgs; i++) {
    if (at->kind != ValueKind::kPi) break;
    Value* x = fresh();
    family = theory_.apply(family, x);
    at = theory_.whnf(theory_.instantiate(at, x));
  }
  return of(family);
}

TypeId LowerTypes::of(Value* type) {
  if (depth_ > kMaxDepth) return kTypeAny;
  DepthScope scope(depth_);
  Value* v = theory_.whnf(type);
  switch (v->kind) {
    case ValueKind::kData:
      return of_data(v);
    case ValueKind::kPi:
      return of_function(v);
    case ValueKind::kStuck:
      return of_opaque(v->def);
    case ValueKind::kVar: {
      auto it = stands_for_.find(v->level);
      return it == stands_for_.end() ? kTypeAny : it->second;
    }
    default:
      return kTypeAny;
  }
}

TypeId LowerTypes::of_function(Value* type) {
  // A loop over erased binders, so that they do not count as depth.
  while (type->kind == ValueKind::kPi && type->mark == Mark::kErased) {
    type = theory_.whnf(theory_.instantiate(type, fresh()));
  }
  if (type->kind != ValueKind::kPi) return of(type);
  TypeId from = of(type->args[0]);
  TypeId to = of(theory_.instantiate(type, fresh()));
  return book_.intern(Type{TypeKind::kFn, 0, {from, to}});
}

TypeId LowerTypes::of_data(const Value* type) {
  const core::BaseIds& ids = theory_.ids();
  if (type->data == ids.u32) return kTypeU32;
  if (type->data == ids.f32) return kTypeF32;
  if (type->data == ids.nat) return kTypeNat;
  if (type->data == ids.chr) return kTypeChar;
  const core::DataInfo& info = globals_.data(type->data);
  DataId row = data(type->data);
  std::vector<bool> roles = type_params(type->data);
  std::vector<TypeId> args;
  const core::Env* env = nullptr;
  for (std::size_t i = 0; i < type->args.size(); i++) {
    if (i < roles.size() && roles[i]) {
      args.push_back(
          of_family(type->args[i], theory_.eval(info.params[i].type, env)));
    }
    env = theory_.push(env, type->args[i]);
  }
  if (type->data == ids.array) {
    if (depth_ > kMaxDepth) return kTypeAny;  // its cells were not looked at
    return book_.intern(Type{TypeKind::kArray, 0, std::move(args)});
  }
  return book_.intern(Type{TypeKind::kData, index(row), std::move(args)});
}

// Does an open law of types, as of channels, declare Data?
bool LowerTypes::is_copied(const core::DefInfo& info) {
  Value* type = theory_.whnf(theory_.eval(info.type, nullptr));
  while (type->kind == ValueKind::kPi) {
    type = theory_.whnf(theory_.instantiate(type, fresh()));
  }
  if (type->kind != ValueKind::kKind) return false;
  Value* q = theory_.whnf(type->args[0]);
  return q->kind == ValueKind::kQty && q->num == 2;
}

// A type that an open law declares has values of which nothing is known but
// that they are of that type.
TypeId LowerTypes::of_opaque(core::Def def) {
  const core::DefInfo& info = globals_.def(def);
  if (!info.is_law || info.body) return kTypeAny;
  auto it = opaque_.find(core::index(def));
  if (it == opaque_.end()) {
    std::string name = free_name(info.shown, [&](const std::string& made) {
      return book_.find_data(made) != DataId::kNone;
    });
    DataId row = book_.add_data(DataRow{name, {}, is_copied(info), {}});
    it = opaque_.emplace(core::index(def), row).first;
  }
  return book_.intern(Type{TypeKind::kData, index(it->second), {}});
}

bool LowerTypes::has_open_array(TypeId id) {
  const Type type = book_.type(id);
  if (type.args.empty()) return false;
  if (type.kind == TypeKind::kArray && type.args[0] == kTypeAny) return true;
  auto it = open_arrays_.find(index(id));
  if (it != open_arrays_.end()) return it->second;
  bool open = false;
  for (TypeId arg : type.args) open = open || has_open_array(arg);
  return open_arrays_[index(id)] = open;
}

// ---- declarations -----------------------------------------------------------

const std::vector<bool>& LowerTypes::type_params(core::Data id) {
  auto it = type_params_.find(core::index(id));
  if (it != type_params_.end()) return it->second;
  std::vector<bool> roles;
  const core::Env* env = nullptr;
  for (const core::ParamInfo& param : globals_.data(id).params) {
    roles.push_back(is_family_kind(theory_.eval(param.type, env)));
    env = theory_.push(env, fresh());
  }
  return type_params_.emplace(core::index(id), roles).first->second;
}

DataId LowerTypes::data(core::Data id) {
  auto it = rows_.find(core::index(id));
  return it == rows_.end() ? declare(id) : it->second;
}

CtorId LowerTypes::ctor(core::Ctor id) {
  const core::BaseIds& ids = theory_.ids();
  if (id == ids.aleaf) return kCtorALeaf;
  if (id == ids.anode) return kCtorANode;
  data(globals_.ctor(id).data);
  return ctors_.at(core::index(id));
}

// The environment of a declaration's field types.
const core::Env* LowerTypes::bind_params(const core::DataInfo& info,
                                         bool symbolic) {
  core::Data id = globals_.ctor(info.ctors[0]).data;
  std::vector<bool> roles = type_params(id);
  const core::Env* env = nullptr;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < info.params.size(); i++) {
    Value* v = nullptr;
    if (roles[i] && symbolic) {
      v = stand_for(book_.intern(Type{TypeKind::kParam, at++, {}}));
    } else {
      v = fresh();
    }
    env = theory_.push(env, v);
  }
  return env;
}

// False only where the kind is Type whatever the arguments are.
bool LowerTypes::counted(const core::DataInfo& info, const core::Env* env) {
  Value* kind = theory_.whnf(theory_.eval(info.kind, env));
  if (kind->kind != ValueKind::kKind) return true;
  Value* quantity = theory_.whnf(kind->args[0]);
  return quantity->kind != ValueKind::kQty || quantity->num >= 2;
}

DataId LowerTypes::declare(core::Data id) {
  const core::DataInfo& info = globals_.data(id);
  if (id == theory_.ids().array) {
    rows_[core::index(id)] = kDataArray;
    return kDataArray;
  }
  DataRow row;
  row.name = free_name(info.shown, [&](const std::string& made) {
    return book_.find_data(made) != DataId::kNone;
  });
  const std::vector<bool>& roles = type_params(id);
  const core::Env* env = nullptr;
  for (std::size_t i = 0; i < info.params.size(); i++) {
    if (roles[i]) row.params.push_back(info.params[i].text);
    env = theory_.push(env, fresh());
  }
  row.counted = counted(info, env);
  DataId made = book_.add_data(std::move(row));
  rows_[core::index(id)] = made;
  declare_fields(id, made);
  return made;
}

// Constructors are added before the types of their fields are looked at,
// because those may need this very row.
void LowerTypes::declare_fields(core::Data id, DataId row) {
  const core::DataInfo& info = globals_.data(id);
  if (info.ctors.empty()) return;
  for (core::Ctor c : info.ctors) {
    const core::CtorInfo& ctor = globals_.ctor(c);
    std::vector<Field> fields;
    for (const core::FieldInfo& field : ctor.fields) {
      if (field.mark == Mark::kErased) continue;
      fields.push_back(Field{field.text, kTypeAny});
    }
    std::string name = free_name(ctor.shown, [&](const std::string& made) {
      return book_.find_ctor(made) != CtorId::kNone;
    });
    ctors_[core::index(c)] = book_.add_ctor(row, name, std::move(fields));
  }
  const core::Env* params = bind_params(info, true);
  std::uint32_t depth = std::exchange(depth_, 0);
  for (core::Ctor c : info.ctors) {
    const core::Env* env = params;
    std::size_t at = 0;
    for (const core::FieldInfo& field : globals_.ctor(c).fields) {
      if (field.mark != Mark::kErased) {
        TypeId type = of(theory_.eval(field.type, env));
        book_.ctors[index(ctors_[core::index(c)])].fields[at++].type = type;
        if (has_open_array(type)) open_ctors_.push_back(c);
      }
      env = theory_.push(env, fresh());
    }
  }
  depth_ = depth;
}

TypeId LowerTypes::base_type(std::string_view name, std::vector<TypeId> args) {
  core::Data id = globals_.find_data(name);
  if (id == core::Data::kNone) return kTypeAny;
  DataId row = data(id);
  return book_.intern(Type{TypeKind::kData, index(row), std::move(args)});
}

void LowerTypes::declare_signature(std::string_view signature) {
  auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_';
  };
  const core::BaseIds& ids = theory_.ids();
  for (std::size_t at = 0; at < signature.size();) {
    std::size_t end = at;
    while (end < signature.size() && in_name(signature[end])) end++;
    std::string_view name = signature.substr(at, end - at);
    at = end == at ? at + 1 : end;
    core::Data id = globals_.find_data(name);
    bool word =
        id == ids.u32 || id == ids.f32 || id == ids.nat || id == ids.chr;
    if (id != core::Data::kNone && !word) data(id);
    core::Def def = globals_.find_def(name);
    if (id == core::Data::kNone && def != core::Def::kNone) of_opaque(def);
  }
}

}  // namespace tine
