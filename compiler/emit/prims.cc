#include "compiler/emit/prims.h"

#include <array>

namespace tine {
namespace {

constexpr auto kRows = [] {
  std::array<EmitRow, static_cast<std::size_t>(Prim::kCount)> rows{};
#define TINE_EMIT(id, kind, text) \
  rows[static_cast<std::size_t>(Prim::id)] = {EmitKind::kind, text};
#include "compiler/emit/prims.def"
#undef TINE_EMIT
  return rows;
}();

}  // namespace

const EmitRow& emit_row(Prim prim) {
  return kRows[static_cast<std::size_t>(prim)];
}

}  // namespace tine
