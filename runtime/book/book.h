// The book: all rules of a program, in straight-line form.
//
// A book is the waist of tine: the compiler ends in it, every engine begins
// with it, and `compiler/book/text.h` prints it and reads it back. In it every
// variable is a wire: defined once, used once. Copying and dropping are
// statements of their own.
//
// Layout: a `Book` holds type declarations, constructors, definitions and
// interned types, all addressed by index. Builtin rows come first, so that
// their ids are constants.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tine {

// Distinct index types. `None` is "no such thing".
enum class TypeId : std::uint32_t { kNone = 0xFFFFFFFFu };
enum class DataId : std::uint32_t { kNone = 0xFFFFFFFFu };
enum class CtorId : std::uint32_t { kNone = 0xFFFFFFFFu };
enum class DefId : std::uint32_t { kNone = 0xFFFFFFFFu };
// A wire of one definition. Wires 0 .. params-1 are the parameters.
enum class Wire : std::uint32_t { kOut = 0xFFFFFFFFu };

template <class Id>
constexpr std::uint32_t index(Id id) {
  return static_cast<std::uint32_t>(id);
}

// ---- types ----------------------------------------------------------------

enum class TypeKind : std::uint8_t {
  kU32, kF32, kNat, kChar,  // immediate words
  kData,                    // data, args
  kArray,                   // args = {element}
  kFn,                      // args = {parameter, result}; one argument
  kParam,                   // data = index of a parameter of the TypeDecl
  kAny,                     // one word of a type that stayed unknown
};

struct Type {
  TypeKind kind = TypeKind::kAny;
  std::uint32_t data = 0;
  std::vector<TypeId> args;
  auto operator<=>(const Type&) const = default;
};

struct Field {
  std::string name;
  TypeId type = TypeId::kNone;  // kParam allowed
};

struct CtorRow {
  std::string name;
  DataId data = DataId::kNone;
  std::vector<Field> fields;    // live fields only
  std::uint32_t tag = 0;        // position in its declaration
};

struct DataRow {
  std::string name;
  std::vector<std::string> params;  // type parameters only
  bool counted = true;  // the kind can be Data, so its nodes carry a count
  std::vector<CtorId> ctors;
};

// ---- primitives and effects -----------------------------------------------

// One enumerator per row of prims.def / effects.def.
enum class Prim : std::uint16_t {
#define TINE_PRIM(id, name, ...) id,
#include "runtime/book/prims.def"
#undef TINE_PRIM
  kCount
};

enum class Effect : std::uint16_t {
#define TINE_EFFECT(id, name, ...) id,
#include "runtime/book/effects.def"
#undef TINE_EFFECT
  kCount
};

// `signature` is the text of the .def row, for example
// "Array<$> U32 -> Sigma<Array<$>, $>"; `$` is the element type.
struct PrimRow {
  std::string_view name;       // "u32.add"
  std::string_view signature;
  bool pure;                   // may move: cannot trap, no memory
};
const PrimRow& prim_row(Prim prim);
Prim find_prim(std::string_view name);       // kCount when unknown
struct EffectRow {
  std::string_view name;       // "IO.print"
  std::string_view signature;  // "String -> Unit"
};
const EffectRow& effect_row(Effect effect);
Effect find_effect(std::string_view name);   // kCount when unknown

// ---- rules ----------------------------------------------------------------

enum class Op : std::uint8_t {
  // op       outs        ins              other fields
  kU32,     // x          -                num = value
  kNat,     // x          -                num = value (below 2^48)
  kF32,     // x          -                num = bits
  kChar,    // x          -                num = code point
  kString,  // x          -                text
  kMove,    // x          a                only as `out = a`
  kMake,    // x          fields           ctor
  kTake,    // fields     x                ctor; x is known to be that
  kCopy,    // x, y       a
  kDrop,    // -          a
  kPrim,    // x          args             prim, type = element for `$`
  kCall,    // x          args             def, offload
  kClosure, // x          first args       def (fewer than its parameters)
  kApply,   // x          f, a             one argument
  kEffect,  // x          args.., k        effect; makes a request (IO.OP)
  kPar,     // x1..xn     -                calls: n kCall/kApply statements
  kMatch,   // -          scrutinee        arms; last statement of a block
};

struct Stmt;

// A block ends with a statement whose only out is Wire::kOut, or a kMatch.
using Block = std::vector<Stmt>;

enum class ArmKind : std::uint8_t {
  kCtor,     // ctor; binds = its fields
  kZero,     // 0n
  kSucc,     // 1n+p; binds = {p}
  kLiteral,  // value: a U32, Char, F32 bits or Nat, by the scrutinee's type
  kElse,     // binds = {the scrutinee, whole}
};

struct Arm {
  ArmKind kind{};
  CtorId ctor = CtorId::kNone;
  std::uint64_t value = 0;
  std::vector<Wire> binds;
  Block block;
};

struct Stmt {
  Op op{};
  bool offload = false;             // f!(..)
  Prim prim = Prim::kCount;
  Effect effect = Effect::kCount;
  CtorId ctor = CtorId::kNone;
  DefId def = DefId::kNone;
  TypeId type = TypeId::kNone;      // kPrim: element type of `$`
  std::uint64_t num = 0;
  std::string text;
  std::vector<Wire> outs;
  std::vector<Wire> ins;
  std::vector<Stmt> calls;          // kPar; each has its own out as well
  std::vector<Arm> arms;            // kMatch
  // Where it stands in a book's text, 0 when it comes from elsewhere.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct WireRow {
  std::string name;
  TypeId type = TypeId::kNone;
};

struct DefRow {
  std::string name;         // unique, "sum.go", "List.map<U32, U32>"
  std::string origin;       // the source def it counts under
  std::string place;        // "scan.bend:41", "" when unknown
  std::uint32_t params = 0;
  TypeId result = TypeId::kNone;
  std::vector<WireRow> wires;  // parameters first
  Block block;
  bool defined = false;
  std::uint32_t line = 0;   // of its head in a book's text
  std::uint32_t column = 0;
};

// Ids of the rows every book begins with.
inline constexpr TypeId kTypeU32{0}, kTypeF32{1}, kTypeNat{2}, kTypeChar{3},
    kTypeAny{4};
// Array<$> is a data row too, so that matches on it read like any other.
inline constexpr DataId kDataArray{0};
inline constexpr CtorId kCtorALeaf{0}, kCtorANode{1};

// Constructors that primitives, literals and effects produce. Filled by
// `Book::link_known`, kNone where the book does not declare the type.
struct Known {
#define TINE_SHAPE(name, params, counted, ctors)
#define TINE_KNOWN(field, name) CtorId field = CtorId::kNone;
#include "runtime/book/known.def"
#undef TINE_KNOWN
#undef TINE_SHAPE
};

// The shape a type known by name must have, for example "False | True" for
// "Bool"; null for every other name.
struct KnownShape {
  std::string_view name;
  std::size_t params;
  bool counted;
  std::string_view ctors;
};
const KnownShape* known_shape(std::string_view type);

class Book {
 public:
  Book();  // builtin rows only

  std::vector<Type> types;
  std::vector<DataRow> datas;
  std::vector<CtorRow> ctors;
  std::vector<DefRow> defs;
  DefId main = DefId::kNone;
  // When main is an effectful action: `main` takes the final continuation
  // (a closure A -> IO.OP<A>) as its only parameter and gives IO.OP<A>.
  bool main_is_io = false;
  Known known;

  TypeId intern(const Type& type);
  const Type& type(TypeId id) const { return types[index(id)]; }
  const DataRow& data(DataId id) const { return datas[index(id)]; }
  const CtorRow& ctor(CtorId id) const { return ctors[index(id)]; }
  const DefRow& def(DefId id) const { return defs[index(id)]; }
  DefRow& def(DefId id) { return defs[index(id)]; }

  // Names are unique within their table; the first of two equal names is the
  // one that `find_*` gives, and the verifier refuses the second.
  DataId add_data(DataRow row);
  CtorId add_ctor(DataId data, std::string name, std::vector<Field> fields);
  // Declared, not yet defined; a name seen before gives its id again.
  DefId add_def(std::string name);
  DefId find_def(std::string_view name) const;
  DataId find_data(std::string_view name) const;
  CtorId find_ctor(std::string_view name) const;

  // Fills `known` by name; a constructor whose type lacks the known shape
  // stays kNone. Call after all types are declared.
  void link_known();
  // Whether the type is declared as `known_shape` wants it.
  bool has_known_shape(DataId id) const;

  // "Sigma<Array<U32>, U32>", "Fn<U32, Any>". For people: cut where it is
  // very long.
  std::string show(TypeId id) const;
  // The type of a constructor's field at the data type `at`; the parameters
  // of the declaration are Any where `at` is Any.
  TypeId field_type(TypeId at, CtorId ctor, std::uint32_t field);
  // Replaces kParam by `args`, by Any past their end.
  TypeId substitute(TypeId type, const std::vector<TypeId>& args);
  // The row of a data or array type, kNone for the others.
  DataId data_of(TypeId id) const;
  // A copy without definitions, for a pass that interns types of its own.
  Book without_defs() const;

 private:
  void show_into(std::string& text, TypeId id) const;

  std::map<Type, TypeId> interned_;
  std::map<std::string, DefId, std::less<>> def_names_;
  std::map<std::string, DataId, std::less<>> data_names_;
  std::map<std::string, CtorId, std::less<>> ctor_names_;
};

}  // namespace tine
