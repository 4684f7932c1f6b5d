// The tables of a book: interned types, declarations by name, the rows of
// prims.def and effects.def.
//
// Every list is append-only, so an id stays what it is. Types are hash-consed
// through an ordered map: equal types have equal ids, and a type's arguments
// always have smaller ids than itself.
#include "runtime/book/book.h"

#include <array>
#include <cstddef>
#include <utility>

namespace tine {

namespace {

constexpr std::array kPrims = {
#define TINE_PRIM(id, name, signature, pure) PrimRow{name, signature, pure},
#include "runtime/book/prims.def"
#undef TINE_PRIM
};

constexpr std::array kEffects = {
#define TINE_EFFECT(id, name, signature) EffectRow{name, signature},
#include "runtime/book/effects.def"
#undef TINE_EFFECT
};

constexpr std::array kShapes = {
#define TINE_SHAPE(name, params, counted, ctors) \
  KnownShape{name, params, counted, ctors},
#define TINE_KNOWN(field, name)
#include "runtime/book/known.def"
#undef TINE_KNOWN
#undef TINE_SHAPE
};

using NameIndex = std::map<std::string_view, std::size_t>;

template <class Rows>
NameIndex index_names(const Rows& rows) {
  NameIndex names;
  for (std::size_t i = 0; i < rows.size(); i++) names.emplace(rows[i].name, i);
  return names;
}

// The row number of `name`, the number of rows when there is none.
std::size_t find_row(const NameIndex& names, std::string_view name) {
  auto it = names.find(name);
  return it == names.end() ? names.size() : it->second;
}

template <class Id, class Names>
Id find_id(const Names& names, std::string_view name) {
  auto it = names.find(name);
  return it == names.end() ? Id::kNone : it->second;
}

constexpr std::size_t kMaxShown = 400;

Type word(TypeKind kind) { return Type{kind, 0, {}}; }

}  // namespace

const PrimRow& prim_row(Prim prim) {
  return kPrims[static_cast<std::size_t>(prim)];
}

Prim find_prim(std::string_view name) {
  static const NameIndex names = index_names(kPrims);
  return static_cast<Prim>(find_row(names, name));
}

const EffectRow& effect_row(Effect effect) {
  return kEffects[static_cast<std::size_t>(effect)];
}

Effect find_effect(std::string_view name) {
  static const NameIndex names = index_names(kEffects);
  return static_cast<Effect>(find_row(names, name));
}

const KnownShape* known_shape(std::string_view type) {
  static const NameIndex names = index_names(kShapes);
  std::size_t row = find_row(names, type);
  return row < kShapes.size() ? &kShapes[row] : nullptr;
}

Book::Book() {
  for (TypeKind kind : {TypeKind::kU32, TypeKind::kF32, TypeKind::kNat,
                        TypeKind::kChar, TypeKind::kAny}) {
    intern(word(kind));
  }
  DataId array = add_data(DataRow{"Array", {"T"}, false, {}});
  TypeId cell = intern(Type{TypeKind::kParam, 0, {}});
  TypeId half = intern(Type{TypeKind::kArray, 0, {cell}});
  add_ctor(array, "ALeaf", {Field{"value", cell}});
  add_ctor(array, "ANode", {Field{"left", half}, Field{"right", half}});
}

TypeId Book::intern(const Type& type) {
  auto next = static_cast<TypeId>(types.size());
  auto [it, fresh] = interned_.emplace(type, next);
  if (fresh) types.push_back(type);
  return it->second;
}

DataId Book::add_data(DataRow row) {
  auto id = static_cast<DataId>(datas.size());
  data_names_.emplace(row.name, id);
  datas.push_back(std::move(row));
  return id;
}

CtorId Book::add_ctor(DataId data, std::string name,
                      std::vector<Field> fields) {
  auto id = static_cast<CtorId>(ctors.size());
  ctor_names_.emplace(name, id);
  std::vector<CtorId>& siblings = datas[index(data)].ctors;
  auto tag = static_cast<std::uint32_t>(siblings.size());
  siblings.push_back(id);
  ctors.push_back(CtorRow{std::move(name), data, std::move(fields), tag});
  return id;
}

DefId Book::add_def(std::string name) {
  auto next = static_cast<DefId>(defs.size());
  auto [it, fresh] = def_names_.emplace(name, next);
  if (!fresh) return it->second;
  DefRow row;
  row.name = std::move(name);
  defs.push_back(std::move(row));
  return next;
}

DefId Book::find_def(std::string_view name) const {
  return find_id<DefId>(def_names_, name);
}

DataId Book::find_data(std::string_view name) const {
  return find_id<DataId>(data_names_, name);
}

CtorId Book::find_ctor(std::string_view name) const {
  return find_id<CtorId>(ctor_names_, name);
}

void Book::link_known() {
  auto find = [&](std::string_view name) {
    CtorId id = find_ctor(name);
    bool right = id != CtorId::kNone && has_known_shape(ctor(id).data);
    return right ? id : CtorId::kNone;
  };
#define TINE_SHAPE(name, params, counted, ctors)
#define TINE_KNOWN(field, name) known.field = find(name);
#include "runtime/book/known.def"
#undef TINE_KNOWN
#undef TINE_SHAPE
}

bool Book::has_known_shape(DataId id) const {
  const DataRow& row = data(id);
  const KnownShape* shape = known_shape(row.name);
  if (shape == nullptr || shape->params != row.params.size() ||
      shape->counted != row.counted) {
    return false;
  }
  std::string ctors_text;
  for (CtorId which : row.ctors) {
    if (!ctors_text.empty()) ctors_text += " | ";
    ctors_text += ctor(which).name;
    for (const Field& field : ctor(which).fields) {
      ctors_text += " " + show(field.type);
    }
    if (ctors_text.size() > shape->ctors.size()) return false;
  }
  return ctors_text == shape->ctors;
}

// Appends until `text` is longer than kMaxShown: a shared type may stand for a
// tree far larger than its row.
void Book::show_into(std::string& text, TypeId id) const {
  if (text.size() > kMaxShown) return;
  if (index(id) >= types.size()) {
    text += "?";
    return;
  }
  const Type& shown = type(id);
  switch (shown.kind) {
    case TypeKind::kU32: text += "U32"; break;
    case TypeKind::kF32: text += "F32"; break;
    case TypeKind::kNat: text += "Nat"; break;
    case TypeKind::kChar: text += "Char"; break;
    case TypeKind::kAny: text += "Any"; break;
    case TypeKind::kParam: text += "$" + std::to_string(shown.data); break;
    case TypeKind::kArray: text += "Array"; break;
    case TypeKind::kFn: text += "Fn"; break;
    case TypeKind::kData: text += datas[shown.data].name; break;
  }
  if (shown.args.empty()) return;
  for (std::size_t i = 0; i < shown.args.size(); i++) {
    text += i == 0 ? "<" : ", ";
    show_into(text, shown.args[i]);
  }
  text += ">";
}

std::string Book::show(TypeId id) const {
  std::string text;
  show_into(text, id);
  if (text.size() <= kMaxShown) return text;
  text.resize(kMaxShown);
  return text + "..";
}

TypeId Book::field_type(TypeId at, CtorId ctor, std::uint32_t field) {
  std::vector<TypeId> args = type(at).args;  // `types` may grow below
  return substitute(ctors[index(ctor)].fields[field].type, args);
}

TypeId Book::substitute(TypeId id, const std::vector<TypeId>& args) {
  Type made = type(id);
  if (made.kind == TypeKind::kParam) {
    return made.data < args.size() ? args[made.data] : kTypeAny;
  }
  if (made.args.empty()) return id;
  for (TypeId& arg : made.args) arg = substitute(arg, args);
  return intern(made);
}

DataId Book::data_of(TypeId id) const {
  const Type& asked = type(id);
  if (asked.kind == TypeKind::kArray) return kDataArray;
  if (asked.kind != TypeKind::kData) return DataId::kNone;
  return static_cast<DataId>(asked.data);
}

Book Book::without_defs() const {
  Book made;
  made.types = types;
  made.datas = datas;
  made.ctors = ctors;
  made.known = known;
  made.interned_ = interned_;
  made.data_names_ = data_names_;
  made.ctor_names_ = ctor_names_;
  return made;
}

}  // namespace tine
