// Look-ups in the tables of a program.
#include "compiler/core/term.h"

namespace tine::core {

namespace {
template <class Id, class Map>
Id find(const Map& names, std::string_view key) {
  auto it = names.find(key);
  return it == names.end() ? Id::kNone : it->second;
}
}  // namespace

Def Globals::find_def(std::string_view key) const {
  return find<Def>(def_names, key);
}
Data Globals::find_data(std::string_view key) const {
  return find<Data>(data_names, key);
}
Ctor Globals::find_ctor(std::string_view key) const {
  return find<Ctor>(ctor_names, key);
}

}  // namespace tine::core
