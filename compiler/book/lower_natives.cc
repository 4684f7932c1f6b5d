#include "compiler/book/lower_natives.h"

#include <cctype>
#include <unordered_map>

namespace tine {

namespace {

std::unordered_map<std::string, Prim> index_prims() {
  std::unordered_map<std::string, Prim> names;
  for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(Prim::kCount); i++) {
    auto prim = static_cast<Prim>(i);
    names.emplace(base_name(prim_row(prim).name), prim);
  }
  return names;
}

}  // namespace

std::string base_name(std::string_view prim) {
  std::string name(prim);
  if (!name.empty()) {
    name[0] =
        static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  }
  return name;
}

Prim native_prim(const core::DefInfo& def) {
  static const std::unordered_map<std::string, Prim> names = index_prims();
  if (!def.is_base) return Prim::kCount;
  auto it = names.find(def.name);
  return it == names.end() ? Prim::kCount : it->second;
}

Effect native_effect(const core::DefInfo& def) {
  return def.is_base ? find_effect(def.name) : Effect::kCount;
}

std::size_t signature_arity(std::string_view signature) {
  std::size_t arity = 0;
  int depth = 0;
  bool in_type = false;
  for (std::size_t i = 0; i < signature.size(); i++) {
    if (depth == 0 && signature.substr(i, 2) == "->") break;
    if (signature[i] == '<') depth++;
    if (signature[i] == '>') depth--;
    bool space = signature[i] == ' ' && depth == 0;
    if (!space && !in_type) arity++;
    in_type = !space;
  }
  return arity;
}

bool is_generic(Prim prim) {
  return prim_row(prim).signature.find('$') != std::string_view::npos;
}

}  // namespace tine
