// The tables of natives agree with Base's text.
#include "compiler/book/lower_natives.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>

#include "compiler/driver/embedded.h"

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

// A law of Base without a body is a type, a proof, or has a row.
TEST_CASE("every native of Base has a row") {
  std::istringstream base{std::string(*find_embedded("base.bend"))};
  std::size_t rows = 0;
  std::string name;
  for (std::string line; std::getline(base, line);) {
    bool begins = line.starts_with("law ");
    if (begins) {
      std::size_t colon = line.find(':');
      name = line.substr(4, colon - 4);
      line.erase(0, colon + 1);
    }
    std::string_view claim = std::string_view(line).substr(
        std::min(line.size(), line.find_first_not_of(' ')));
    if (name.empty() || claim.empty() || claim.starts_with("for ")) continue;
    CAPTURE(name);
    bool needs_none =
        claim.starts_with("{") || claim == "Data" || claim == "Type";
    bool row = native_prim(base_def(name.c_str())) != Prim::kCount ||
               native_effect(base_def(name.c_str())) != Effect::kCount;
    CHECK(row != needs_none);
    rows += row;
    name.clear();
  }
  CHECK(rows > 90);
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
