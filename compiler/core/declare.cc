// Declaring names, and finding them again.
#include "compiler/core/checker.h"
#include "compiler/core/reserved.h"

namespace tine::core {

namespace {

std::string key_of(const std::string& space, const std::string& name) {
  return space.empty() ? name : space + ":" + name;
}

std::string shown_of(const std::string& space, const std::string& name) {
  return space.empty() ? name : space + "." + name;
}

}  // namespace

void Checker::declare_all() {
  for (std::uint32_t m = 0; m < modules_.size(); ++m)
    for (const Decl& decl : modules_[m].tree->decls) {
      Unit unit;
      unit.decl = &decl;
      unit.module = m;
      declare(unit);
    }
}

// False (and a message) when the name is taken.
bool Checker::free_to_declare(const Unit& unit, const std::string& name,
                              Span span) {
  const Module& module = modules_[unit.module];
  std::size_t dot = name.find('.');
  if (dot != std::string::npos)
    for (const auto& [alias, space] : module.aliases)
      if (name.compare(0, dot, alias) == 0) {
        sink_.report(Msg::kDeclaredUnderAlias, span, {name, alias});
        return false;
      }
  if (!module.is_base && is_kept_name(name)) {
    sink_.report(Msg::kKeptName, span, {name});
    return false;
  }
  std::string key = key_of(module.space, name);
  Def def = globals_.find_def(key);
  Data data = globals_.find_data(key);
  if (def == Def::kNone && data == Data::kNone && !module.space.empty()) {
    def = globals_.find_def(name);
    data = globals_.find_data(name);
    bool base = (def != Def::kNone && globals_.def(def).is_base) ||
                (data != Data::kNone &&
                 modules_[units_[unit_of_data_[index(data)]].module].is_base);
    if (!base) return true;
  }
  if (def == Def::kNone && data == Data::kNone) return true;
  std::uint32_t other = def != Def::kNone ? unit_of_def_[index(def)]
                                          : unit_of_data_[index(data)];
  bool base = modules_[units_[other].module].is_base && !module.is_base;
  Diag& diag = sink_.report(base ? Msg::kRedeclaredBase : Msg::kRedeclared,
                            span, {name});
  if (!base)
    diag.notes.push_back({units_[other].decl->span, "it is declared here"});
  return false;
}

void Checker::declare(Unit unit) {
  switch (unit.decl->kind) {
    case DeclKind::kType:
      return declare_type(unit);
    case DeclKind::kDef:
    case DeclKind::kLaw:
      return declare_def(unit);
    case DeclKind::kFill:
      return declare_fill(unit);
  }
}

void Checker::declare_type(const Unit& given) {
  Unit unit = given;
  const Decl& decl = *unit.decl;
  const std::string& space = modules_[unit.module].space;
  if (!free_to_declare(unit, decl.text, decl.span)) return;
  unit.data = Data(globals_.datas.size());
  DataInfo info;
  info.name = key_of(space, decl.text);
  info.shown = shown_of(space, decl.text);
  info.file = decl.span.file;
  info.span = decl.span;
  for (const CtorDecl& ctor : decl.ctors) {
    std::string key = key_of(space, ctor.text);
    Ctor taken = globals_.find_ctor(key);
    if (taken != Ctor::kNone) {
      sink_.report(Msg::kRedeclaredCtor, ctor.span, {ctor.text})
          .notes.push_back({globals_.ctor(taken).span, "it is declared here"});
      continue;
    }
    CtorInfo row;
    row.name = key;
    row.shown = ctor.text;
    row.data = unit.data;
    row.tag = std::uint32_t(info.ctors.size());
    row.span = ctor.span;
    Ctor id = Ctor(globals_.ctors.size());
    globals_.ctors.push_back(std::move(row));
    globals_.ctor_names[key] = id;
    info.ctors.push_back(id);
  }
  globals_.data_names[info.name] = unit.data;
  globals_.datas.push_back(std::move(info));
  unit_of_data_.push_back(std::uint32_t(units_.size()));
  data_done_.push_back(Progress::kNone);
  fields_done_.push_back(Progress::kNone);
  def_uses_of_data_.emplace_back();
  data_uses_of_data_.emplace_back();
  units_.push_back(unit);
}

void Checker::declare_def(const Unit& given) {
  Unit unit = given;
  const Decl& decl = *unit.decl;
  const Module& module = modules_[unit.module];
  if (!free_to_declare(unit, decl.text, decl.span)) return;
  unit.def = Def(globals_.defs.size());
  DefInfo info;
  info.name = key_of(module.space, decl.text);
  info.shown = shown_of(module.space, decl.text);
  info.is_unsafe = decl.is_unsafe;
  info.is_law = decl.kind == DeclKind::kLaw;
  info.is_base = module.is_base;
  info.decl = &decl;
  info.file = decl.span.file;
  info.span = decl.span;
  globals_.def_names[info.name] = unit.def;
  if (module.is_entry && decl.text == "main") globals_.main = unit.def;
  globals_.defs.push_back(std::move(info));
  unit_of_def_.push_back(std::uint32_t(units_.size()));
  fill_of_def_.push_back(kNoUnit);
  sig_done_.push_back(Progress::kNone);
  body_done_.push_back(Progress::kNone);
  data_uses_of_def_.emplace_back();
  units_.push_back(unit);
}

void Checker::declare_fill(Unit unit) {
  const Decl& decl = *unit.decl;
  const Module& module = modules_[unit.module];
  Def law = globals_.find_def(key_of(module.space, decl.text));
  std::size_t dot = decl.text.find('.');
  if (law == Def::kNone && dot != std::string::npos)
    for (const auto& [alias, space] : module.aliases)
      if (decl.text.compare(0, dot, alias) == 0 && alias.size() == dot)
        law = globals_.find_def(key_of(space, decl.text.substr(dot + 1)));
  if (law == Def::kNone || !globals_.def(law).is_law ||
      fill_of_def_[index(law)] != kNoUnit) {
    sink_.report(Msg::kFillNoLaw, decl.span, {decl.text}).repair =
        "give the result type: `def " + decl.text + "(..) -> T:`";
    return;
  }
  unit.def = law;
  fill_of_def_[index(law)] = std::uint32_t(units_.size());
  units_.push_back(unit);
}

// ---- finding -------------------------------------------------------------------

// `quiet`: without a message.
Resolved Checker::resolve_global(std::uint32_t m, const std::string& name,
                                 Span span, bool quiet) {
  const Module& module = modules_[m];
  Resolved r;
  auto found = [&](std::string_view key) {
    r.def = globals_.find_def(key);
    r.data = r.def == Def::kNone ? globals_.find_data(key) : Data::kNone;
    r.kind = r.def != Def::kNone    ? Resolved::kDef
             : r.data != Data::kNone ? Resolved::kData
                                     : Resolved::kNothing;
    return r.kind != Resolved::kNothing;
  };
  std::size_t dot = name.find('.');
  if (dot != std::string::npos) {
    for (const auto& [alias, space] : module.aliases) {
      if (alias.size() != dot || name.compare(0, dot, alias) != 0) continue;
      bool literal = found(name) || found(key_of(module.space, name));
      bool member = found(key_of(space, name.substr(dot + 1)));
      if (literal && member) {
        if (!quiet) sink_.report(Msg::kAmbiguousAlias, span, {name, alias});
        r.kind = Resolved::kNothing;
        r.reported = true;
      } else if (!member && !literal) {
        if (!quiet)
          sink_.report(Msg::kUnknownMember, span,
                       {alias, name.substr(dot + 1)});
        r.reported = true;
      } else if (!member) {
        found(name) || found(key_of(module.space, name));
      }
      return r;
    }
  }
  if (module.space.empty()) {
    found(name);
    return r;
  }
  if (found(key_of(module.space, name))) return r;
  if (!found(name)) return r;
  // The empty namespace seen from a module: Base only.
  std::uint32_t unit = r.def != Def::kNone ? unit_of_def_[index(r.def)]
                                           : unit_of_data_[index(r.data)];
  if (!modules_[units_[unit].module].is_base) r = Resolved{};
  return r;
}

Ctor Checker::resolve_ctor(std::uint32_t m, const std::string& name) {
  const Module& module = modules_[m];
  std::size_t dot = name.find('.');
  if (dot != std::string::npos)
    for (const auto& [alias, space] : module.aliases)
      if (alias.size() == dot && name.compare(0, dot, alias) == 0) {
        Ctor id = globals_.find_ctor(key_of(space, name.substr(dot + 1)));
        if (id != Ctor::kNone) return id;
      }
  if (module.space.empty()) return globals_.find_ctor(name);
  Ctor own = globals_.find_ctor(key_of(module.space, name));
  if (own != Ctor::kNone) return own;
  Ctor bare = globals_.find_ctor(name);
  if (bare == Ctor::kNone) return bare;
  std::uint32_t unit = unit_of_data_[index(globals_.ctor(bare).data)];
  return modules_[units_[unit].module].is_base ? bare : Ctor::kNone;
}

}  // namespace tine::core
