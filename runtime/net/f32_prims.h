// The primitives `f32.sin` and so on, which are rows of f32.def.
#pragma once

#include "runtime/book/book.h"
#include "runtime/num/f32.h"

namespace tine {

constexpr int f32_math_row(Prim prim) {
  return static_cast<int>(prim) - static_cast<int>(Prim::kF32Mod);
}
constexpr bool is_f32_math(Prim prim) {
  return f32_math_row(prim) >= 0 &&
         f32_math_row(prim) < static_cast<int>(F32Math::kCount);
}
constexpr F32Math f32_math_of(Prim prim) {
  return static_cast<F32Math>(f32_math_row(prim));
}
static_assert(f32_math_of(Prim::kF32Neg) == F32Math::kNeg &&
              f32_math_of(Prim::kF32Trunc) == F32Math::kTrunc &&
              !is_f32_math(Prim::kF32IsEq));

}  // namespace tine
