// The tables of natives agree with Base's text.
#include "compiler/book/lower_natives.h"

#include <doctest/doctest.h>

namespace tine {
namespace {

core::DefInfo base_def(const char* name) {
  core::DefInfo def;
  def.name = name;
  def.is_base = true;
  return def;
}

TEST_CASE("rows of prims.def name definitions of Base") {
  CHECK(base_name("u32.add") == "U32.add");
  CHECK(base_name("array.atomic.add") == "Array.atomic.add");
  CHECK(native_prim(base_def("Nat.is_lt")) == Prim::kNatIsLt);
  CHECK(native_prim(base_def("Char.to_u32")) == Prim::kCharToU32);
  CHECK(native_prim(base_def("Nat.min")) == Prim::kCount);
  CHECK(native_effect(base_def("IO.print")) == Effect::kPrint);
  CHECK(native_effect(base_def("IO.pure")) == Effect::kCount);
}

TEST_CASE("only Base has natives") {
  core::DefInfo def = base_def("U32.add");
  def.is_base = false;
  CHECK(native_prim(def) == Prim::kCount);
  def.name = "IO.print";
  CHECK(native_effect(def) == Effect::kCount);
}

TEST_CASE("arities of signatures") {
  CHECK(signature_arity("U32 U32 -> U32") == 2);
  CHECK(signature_arity("-> Nat") == 0);
  CHECK(signature_arity("Array<$> U32 $ -> Array<$>") == 3);
  CHECK(signature_arity("Sigma<A, B> C -> D") == 2);
  CHECK(is_generic(Prim::kArrayGet));
  CHECK(!is_generic(Prim::kAtomicAdd));
}

}  // namespace
}  // namespace tine
