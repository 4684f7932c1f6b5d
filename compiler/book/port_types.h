// The types of a statement's ports, from the book's declarations.
//
// One place knows what every statement wants of its inputs and gives to its
// outputs; the printer leaves out a type that follows from it, the reader
// fills it in, and the verifier holds the book to it.
//
// Example: with `a: Array<U32>` and `i: U32`, `x = array.get<U32> a i` wants
// Array<U32> and U32 and gives Sigma<Array<U32>, U32>.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

// Types nest at most this deep, written or computed.
inline constexpr std::uint32_t kMaxTypeDepth = 200;
// Matches nest at most this deep: above what source text may nest.
inline constexpr std::size_t kMaxBlockDepth = 2500;

struct PortTypesOf {
  std::vector<TypeId> wants;  // one per input, kNone: anything
  std::vector<TypeId> gives;  // one per output, kNone: not known from inputs
  std::string problem;        // "" when the statement fits its inputs
};

class PortTypes {
 public:
  // Interns into `types`; reads the signatures of defs from `defs`. Both may
  // be the same book.
  PortTypes(Book& types, const Book& defs) : book_(types), defs_(defs) {}

  // `ins` are the types of the inputs, as many as the statement has. For a
  // make, `declared` is the type its output is to have, kNone when unknown.
  PortTypesOf of(const Stmt& stmt, const std::vector<TypeId>& ins,
                 TypeId declared = TypeId::kNone);
  // The types of an arm's binds under a scrutinee of type `at`.
  PortTypesOf of_arm(const Arm& arm, TypeId at);

  // Equal up to Any, which fits every type. The cells of two arrays must be
  // equally wide besides: Any is a whole word there.
  bool fits(TypeId a, TypeId b);
  // Whether a value of this type may have two owners.
  bool copyable(TypeId id);
  bool too_deep(TypeId id);
  std::string show(TypeId id) const { return book_.show(id); }
  DataId data_of(TypeId id) const { return book_.data_of(id); }
  // The type of the data row `name` with these arguments, kNone when the book
  // has no such row of that arity.
  TypeId named(std::string_view name, std::vector<TypeId> args);

 private:
  struct Signature {
    std::vector<TypeId> params;
    TypeId result = TypeId::kNone;
    bool generic = false;   // `$` occurs
    std::string missing;    // a type that the book does not declare
  };

  const Signature& signature(std::string_view text);
  TypeId parse_type(std::string_view& text, Signature& made);
  const Signature* instance(std::string_view name, std::string_view text,
                            TypeId element, PortTypesOf& made);
  void of_make(const Stmt& stmt, const std::vector<TypeId>& ins,
               TypeId declared, PortTypesOf& made);
  void of_take(CtorId ctor, TypeId at, PortTypesOf& made);
  void of_closure(const Stmt& stmt, PortTypesOf& made);
  void of_call(const Stmt& stmt, PortTypesOf& made);
  void of_apply(const std::vector<TypeId>& ins, PortTypesOf& made);
  void of_prim(const Stmt& stmt, PortTypesOf& made);
  void of_effect(const Stmt& stmt, const std::vector<TypeId>& ins,
                 PortTypesOf& made);
  void of_literal(std::string_view type, PortTypesOf& made);
  bool belongs(CtorId ctor, TypeId at, PortTypesOf& made);
  void learn(TypeId pattern, TypeId actual, std::vector<TypeId>& args);
  bool wide_cell(TypeId id) const;
  void solve_copyable();
  bool scan_field(TypeId field, DataId of);

  Book& book_;
  const Book& defs_;
  std::map<std::string_view, Signature> signatures_;
  Signature instance_;
  std::unordered_map<std::uint64_t, bool> fits_;
  std::vector<std::uint32_t> depths_;
  // Per data row: values of it never have two owners; and which parameters
  // a value of it may hold.
  std::vector<bool> single_;
  std::vector<std::vector<bool>> holds_;
  std::map<TypeId, bool> copyable_;
};

}  // namespace tine
