// Book types of theory values, and the data rows they need.
//
// The lowering follows types with the theory, so that a type that a def
// computes is seen as what it is. A type parameter of the def at hand is a
// neutral variable that *stands for* a book type; what is stuck on any other
// variable is `Any`.
//
// Example: with A standing for U32, the value `Maybe<&1, A & A>` gives the
// book type `Maybe<Sigma<U32, U32>>`; quantities and other arguments that are
// no types are left out.
//
// A data row is declared once, when the first type needs it, with symbolic
// parameters: its field types are evaluated with every parameter standing for
// a kParam.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compiler/core/term.h"
#include "compiler/core/theory.h"
#include "runtime/book/book.h"

namespace tine {

class LowerTypes {
 public:
  LowerTypes(core::Globals& globals, core::Theory& theory, Book& book);

  // The book type of values of this type.
  TypeId of(core::Value* type);
  // The type a family gives: `family`, of type `kind`, at fresh arguments.
  TypeId of_family(core::Value* family, core::Value* kind);
  // True for a kind and for functions into one: Data, @-x: A -> Type.
  bool is_family_kind(core::Value* type);

  // A new neutral variable.
  core::Value* fresh();
  // A new neutral variable that stands for `type` however it is applied.
  core::Value* stand_for(TypeId type);
  // The data type at these arguments.
  core::Value* data_value(core::Data data,
                          const std::vector<core::Value*>& args);
  // A type of which nothing is known.
  core::Value* unknown();
  static bool is_variable(const core::Value* v);
  // Whether the normal form of `type` contains the variable.
  bool mentions(core::Value* type, const core::Value* variable);

  // The rows of a declaration, made at the first use. Not for U32, F32, Nat
  // and Char, which have none.
  DataId data(core::Data id);
  CtorId ctor(core::Ctor id);
  // Declares every type that a signature of the .def files names.
  void declare_signature(std::string_view signature);
  // Base's type of that name, Any where there is none.
  TypeId base_type(std::string_view name, std::vector<TypeId> args);
  // True when an array in the type has elements of which nothing is known:
  // such an array has no layout.
  bool has_open_array(TypeId type);
  // Constructors whose declaration holds such an array.
  const std::vector<core::Ctor>& open_ctors() const { return open_ctors_; }
  // Which parameters of a data type are types.
  const std::vector<bool>& type_params(core::Data id);

 private:
  TypeId of_data(const core::Value* type);
  TypeId of_function(core::Value* type);
  TypeId of_opaque(core::Def def);
  bool is_copied(const core::DefInfo& info);
  DataId declare(core::Data id);
  void declare_fields(core::Data id, DataId row);
  const core::Env* bind_params(const core::DataInfo& info, bool symbolic);
  bool counted(const core::DataInfo& info, const core::Env* env);

  core::Globals& globals_;
  core::Theory& theory_;
  Book& book_;
  std::uint32_t next_level_ = 0;
  std::uint32_t depth_ = 0;
  std::unordered_map<std::uint32_t, TypeId> stands_for_;  // by level
  std::unordered_map<std::uint32_t, DataId> rows_;        // by core data
  std::unordered_map<std::uint32_t, CtorId> ctors_;       // by core ctor
  std::unordered_map<std::uint32_t, DataId> opaque_;      // by core def
  std::unordered_map<std::uint32_t, std::vector<bool>> type_params_;
  std::unordered_map<std::uint32_t, bool> open_arrays_;  // by book type
  std::vector<core::Ctor> open_ctors_;
};

}  // namespace tine
