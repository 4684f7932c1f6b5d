#include "compiler/core/reserved.h"

#include <unordered_map>

namespace tine::core {

namespace {

const std::unordered_map<std::string_view, std::string_view>& kept() {
  static const std::unordered_map<std::string_view, std::string_view> names = {
#define TINE_RESERVED(name) {name, ""},
#define TINE_LACKED(name, part) {name, part},
#include "compiler/core/reserved.def"
#undef TINE_LACKED
#undef TINE_RESERVED
  };
  return names;
}

}  // namespace

bool is_kept_name(std::string_view name) { return kept().contains(name); }

std::string_view lacked_part(std::string_view name) {
  auto it = kept().find(name);
  return it == kept().end() ? std::string_view() : it->second;
}

}  // namespace tine::core
