#include "runtime/num/f32.h"

#include <cmath>

namespace tine {

std::uint32_t f32_math(F32Math op, std::uint32_t first, std::uint32_t second) {
  const double x = f32_of(first);
  const double y = f32_of(second);
  switch (op) {
#define TINE_F32_MATH(id, name, arity, value) \
  case F32Math::id:                           \
    return f32_bits(static_cast<float>(value));
#include "runtime/num/f32.def"
#undef TINE_F32_MATH
    case F32Math::kCount: break;
  }
  return kNan;
}

}  // namespace tine
