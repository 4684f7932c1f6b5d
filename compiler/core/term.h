// Core terms: what the checker makes of the surface tree, and what the theory
// evaluates and the lowering reads.
//
// Variables are de Bruijn indices (0 = innermost). A closed term needs no
// shifting wherever it is put. Terms are immutable once checked and live in
// the arena of the `Globals` they belong to.
//
// Template arguments (the first `DefInfo::templates` arguments of a kApp on a
// kRef) are closed but for the template parameters of the def they stand in.
// Inside an arm the scrutinee variable stands for the whole matched value: a
// constructor of the arm's fields, the literal of a kLiteral arm.
//
// Binders, in the order they are pushed:
//   kLam 1 (the parameter)        kPi 1 (in kids[1] only)
//   kLet 1 (in kids.back())       kPar n = binders.size() (names left to
//   kMatch arm: one per field,      right, the last is index 0; in kids.back())
//     erased fields too, left to right; the default arm pushes nothing: the
//     scrutinee is always a variable (kids[0] is kVar)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/diag.h"
#include "compiler/syntax/surface.h"

namespace tine::core {

// Index types of the checker's tables (not those of the book).
enum class Def : std::uint32_t { kNone = 0xFFFFFFFFu };
enum class Data : std::uint32_t { kNone = 0xFFFFFFFFu };
enum class Ctor : std::uint32_t { kNone = 0xFFFFFFFFu };
constexpr std::uint32_t index(Def d) { return std::uint32_t(d); }
constexpr std::uint32_t index(Data d) { return std::uint32_t(d); }
constexpr std::uint32_t index(Ctor c) { return std::uint32_t(c); }

enum class TermKind : std::uint8_t {
  kVar,      // num = de Bruijn index
  kRef,      // def
  kLam,      // mark, text; kids = {body}
  kApp,      // kids = {f, args..}; marks[i] belongs to kids[i + 1]; bang
  kPi,       // mark, text; kids = {A, B}
  kLet,      // mark, text; kids = {value, body} or {type, value, body}
  kPar,      // binders; kids = {v1..vn, body}; a parallel let
  kMatch,    // kids = {kVar}; arms
  kCtor,     // ctor; kids = all fields, erased ones too
  kData,     // data; kids = all arguments
  kKind,     // kids = {q}; Type is Kind(&1), Data is Kind(&2)
  kQuant,    //
  kQty,      // num = 0, 1, 2
  kMeet,     // kids = {a, b}
  kEqual,    // kids = {a, b, T}
  kRefl,     //
  kRewrite,  // kids = {e, P (a kLam over `_`; where num = 1 of a kLam over
             //   the equation), body}; value is the body
  kU32, kF32, kChar,  // num
  kNat,      // num
  kSucc,     // num = k >= 1; kids = {e}
  kString,   // text (UTF-8)
  kAnn,      // kids = {e, T}
  kHole,     // text
};

struct Term;

struct TermBinder {
  Mark mark = Mark::kPlain;
  std::string text;
};

enum class ArmKind : std::uint8_t {
  kCtor,     // ctor (Zero and Succ for Nat, too); binds its fields
  kLiteral,  // num, by the scrutinee's type: U32, F32 bits, Char, Nat
  kElse,     // everything else; the scrutinee variable is the whole value
};

struct TermArm {
  ArmKind kind{};
  Ctor ctor = Ctor::kNone;
  std::uint64_t num = 0;
  std::vector<TermBinder> binds;  // kCtor: one per field
  Term* body = nullptr;
};

struct Term {
  TermKind kind{};
  Mark mark = Mark::kPlain;
  bool bang = false;
  Def def = Def::kNone;
  Data data = Data::kNone;
  Ctor ctor = Ctor::kNone;
  std::uint64_t num = 0;
  std::string text;
  std::vector<Term*> kids;
  Rare<Mark> marks;               // kApp
  Rare<TermBinder> binders;       // kPar
  Rare<TermArm> arms;             // kMatch
  Span span;
};

struct FieldInfo {
  Mark mark = Mark::kPlain;
  std::string text;
  Term* type = nullptr;  // under the data's parameters, then earlier fields
};

struct CtorInfo {
  std::string name;      // key, "ns:Name" outside the empty namespace
  std::string shown;     // as printed
  Data data = Data::kNone;
  std::uint32_t tag = 0;
  std::vector<FieldInfo> fields;
  Span span;
};

struct ParamInfo {
  Mark mark = Mark::kPlain;
  bool is_template = false;
  std::string text;
  Term* type = nullptr;  // under the earlier parameters
};

struct DataInfo {
  std::string name;
  std::string shown;
  std::vector<ParamInfo> params;
  std::uint32_t leading_quants = 0;  // quantity parameters at the front
  Term* kind = nullptr;              // under the parameters
  std::vector<Ctor> ctors;
  FileId file = kNoFile;
  Span span;
};

enum class DefState : std::uint8_t { kDeclared, kChecking, kChecked, kFailed };

struct DefInfo {
  std::string name;      // key
  std::string shown;     // "Scan.go" prints as "scan.go": namespace.name
  DefState state = DefState::kDeclared;
  bool is_unsafe = false;
  bool is_law = false;   // declared by `law`; open while body is null
  bool is_base = false;
  std::vector<ParamInfo> params;   // of the declaration, templates first
  std::uint32_t templates = 0;     // how many of params are templates
  Term* result = nullptr;          // under the parameters
  Term* type = nullptr;            // closed: the kPi chain
  Term* body = nullptr;            // closed: params.size() kLams, then body;
                                   // null for open laws and natives
  const Decl* decl = nullptr;
  FileId file = kNoFile;
  Span span;                       // of the name
  std::vector<Def> uses;           // defs named live or dead, in order
  bool relies_on_fork = false;     // transitively names Array.fork/join
};

// All tables of one program. Ids are positions.
class Globals {
 public:
  std::vector<DefInfo> defs;
  std::vector<DataInfo> datas;
  std::vector<CtorInfo> ctors;
  std::map<std::string, Def, std::less<>> def_names;    // by key
  std::map<std::string, Data, std::less<>> data_names;
  std::map<std::string, Ctor, std::less<>> ctor_names;
  Arena<Term> arena;
  Def main = Def::kNone;

  Term* make(TermKind kind, Span span = {}) {
    Term& term = arena.emplace_back();
    term.kind = kind;
    term.span = span;
    return &term;
  }
  DefInfo& def(Def id) { return defs[index(id)]; }
  const DefInfo& def(Def id) const { return defs[index(id)]; }
  DataInfo& data(Data id) { return datas[index(id)]; }
  const DataInfo& data(Data id) const { return datas[index(id)]; }
  CtorInfo& ctor(Ctor id) { return ctors[index(id)]; }
  const CtorInfo& ctor(Ctor id) const { return ctors[index(id)]; }
  Def find_def(std::string_view key) const;     // kNone when unknown
  Data find_data(std::string_view key) const;
  Ctor find_ctor(std::string_view key) const;
};

// Source-level text of a term; `names` are the free variables, outermost
// first.
std::string show(const Globals& globals, const Term* term,
                 std::vector<std::string> names = {});

}  // namespace tine::core
