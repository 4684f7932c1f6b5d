// The names of a session: what they are, and which there are.
#include <algorithm>

#include "compiler/driver/session.h"

namespace tine {
namespace {

const core::Module* entry_of(const Program::State& state) {
  return state.modules.modules.empty() ? nullptr
                                       : &state.modules.modules.back();
}

// The key of a name as the entry file writes it.
std::string key_of(const Program::State& state, const std::string& name) {
  const core::Module* entry = entry_of(state);
  std::size_t dot = name.find('.');
  if (!entry || dot == std::string::npos) return name;
  for (const auto& [alias, space] : entry->aliases) {
    if (name.compare(0, dot, alias) == 0 && alias.size() == dot) {
      return space + ":" + name.substr(dot + 1);
    }
  }
  return name;
}

// The name of a key as the entry file writes it; "" when it has none there.
std::string name_of(const Program::State& state, const std::string& key) {
  std::size_t colon = key.rfind(':');
  if (colon == std::string::npos) return key;
  const core::Module* entry = entry_of(state);
  for (const auto& [alias, space] : entry->aliases) {
    if (key.compare(0, colon, space) == 0 && space.size() == colon) {
      return alias + "." + key.substr(colon + 1);
    }
  }
  return "";
}

void set_place(const Program::State& state, Span span, NameInfo& info) {
  if (span.file == kNoFile) return;
  const SourceFile& file = state.sources.file(span.file);
  info.path = file.path;
  info.line = file.place(span.begin).line;
}

std::string trimmed(std::string_view text) {
  std::size_t end = text.find_last_not_of(" \t\r\n");
  return std::string(text.substr(0, end == text.npos ? 0 : end + 1));
}

NameInfo def_info(const Program::State& state, core::Def id) {
  const core::DefInfo& def = state.globals.def(id);
  NameInfo info;
  info.name = def.shown;
  info.kind = !def.is_law ? "def" : def.body ? "law" : "open law";
  if (def.type) info.type = core::show(state.globals, def.type);
  if (def.decl) info.text = trimmed(state.sources.text(def.decl->whole));
  set_place(state, def.span, info);
  const std::vector<std::string>& unsafe = state.checked.unsafe_defs;
  info.unsafe = def.is_unsafe || std::find(unsafe.begin(), unsafe.end(),
                                           def.shown) != unsafe.end();
  info.forks = def.relies_on_fork;
  return info;
}

const Decl* declaration_of(const Program::State& state, Span name) {
  for (const core::Module& module : state.modules.modules) {
    if (module.tree->file != name.file) continue;
    for (const Decl& decl : module.tree->decls) {
      if (decl.span.begin == name.begin) return &decl;
    }
  }
  return nullptr;
}

NameInfo data_info(const Program::State& state, core::Data id) {
  const core::DataInfo& data = state.globals.data(id);
  NameInfo info;
  info.name = data.shown;
  info.kind = "type";
  if (const Decl* decl = declaration_of(state, data.span)) {
    info.text = trimmed(state.sources.text(decl->whole));
  }
  set_place(state, data.span, info);
  return info;
}

NameInfo ctor_info(const Program::State& state, core::Ctor id) {
  const core::CtorInfo& ctor = state.globals.ctor(id);
  NameInfo info = data_info(state, ctor.data);
  info.kind = "constructor";
  info.name = ctor.shown;
  set_place(state, ctor.span, info);
  return info;
}

// Does a key belong to what `:browse SCOPE` shows?
bool in_scope(const Program::State& state, const std::string& scope,
              const std::string& key, Span span) {
  std::string name = name_of(state, key);
  if (name.empty()) return false;
  if (!scope.empty() && scope != "Base") return name.starts_with(scope + ".");
  bool base = false;
  for (const core::Module& module : state.modules.modules) {
    if (module.tree->file == span.file) base = module.is_base;
  }
  if (key.find(':') != std::string::npos) return false;
  return base == (scope == "Base");
}

}  // namespace

std::vector<std::string> Session::names() const {
  const Program::State& state = *state_->current;
  std::vector<std::string> names;
  auto add = [&](const auto& table) {
    for (const auto& [key, id] : table) {
      std::string name = name_of(state, key);
      if (!name.empty()) names.push_back(std::move(name));
    }
  };
  add(state.globals.def_names);
  add(state.globals.data_names);
  add(state.globals.ctor_names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<NameInfo> Session::info(const std::string& name) const {
  const Program::State& state = *state_->current;
  std::string key = key_of(state, name);
  std::vector<NameInfo> infos;
  core::Def def = state.globals.find_def(key);
  core::Data data = state.globals.find_data(key);
  core::Ctor ctor = state.globals.find_ctor(key);
  if (def != core::Def::kNone) infos.push_back(def_info(state, def));
  if (data != core::Data::kNone) infos.push_back(data_info(state, data));
  if (ctor != core::Ctor::kNone && state.globals.ctor(ctor).data != data) {
    infos.push_back(ctor_info(state, ctor));
  }
  return infos;
}

std::vector<NameInfo> Session::browse(const std::string& scope) const {
  const Program::State& state = *state_->current;
  std::vector<NameInfo> infos;
  const core::Globals& globals = state.globals;
  for (std::uint32_t i = 0; i < globals.datas.size(); ++i) {
    const core::DataInfo& data = globals.datas[i];
    if (in_scope(state, scope, data.name, data.span)) {
      infos.push_back(data_info(state, core::Data(i)));
    }
  }
  for (std::uint32_t i = 0; i < globals.defs.size(); ++i) {
    const core::DefInfo& def = globals.defs[i];
    if (in_scope(state, scope, def.name, def.span)) {
      infos.push_back(def_info(state, core::Def(i)));
    }
  }
  return infos;
}

}  // namespace tine
