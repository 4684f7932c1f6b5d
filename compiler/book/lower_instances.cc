#include "compiler/book/lower_instances.h"

#include <algorithm>
#include <utility>

#include "compiler/book/lower_natives.h"

namespace tine {

using core::Term;
using core::TermKind;
using core::Value;
using core::ValueKind;

namespace {

using EntryKind = ScopeEntry::Kind;

void put_number(std::string& text, std::uint64_t n) {
  text += std::to_string(n);
  text += ';';
}

void put_term(std::string& text, const Term* term) {
  text += static_cast<char>('A' + static_cast<int>(term->kind));
  put_number(text, term->num);
  if (term->kind == TermKind::kRef) put_number(text, index(term->def));
  if (term->kind == TermKind::kCtor) put_number(text, index(term->ctor));
  if (term->kind == TermKind::kData) put_number(text, index(term->data));
  if (term->kind == TermKind::kString || term->kind == TermKind::kHole) {
    put_number(text, term->text.size());
    text += term->text;
  }
  if (term->bang) text += '!';
  put_number(text, term->kids.size());
  for (const Term* kid : term->kids) put_term(text, kid);
  for (const core::TermArm& arm : term->arms) {
    text += static_cast<char>('0' + static_cast<int>(arm.kind));
    put_number(text, index(arm.ctor));
    put_number(text, arm.num);
    if (arm.body) put_term(text, arm.body);
  }
}

std::string file_name(const std::string& path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string term_key(const Term* term) {
  std::string text;
  put_term(text, term);
  return text;
}

std::string place_text(const SourceMap& sources, Span span) {
  if (span.file == kNoFile || span.file >= sources.size()) return "";
  const SourceFile& file = sources.file(span.file);
  return file_name(file.path) + ":" +
         std::to_string(file.place(span.begin).line);
}

const std::vector<ParamRole>& Instances::roles(core::Def def) {
  auto it = roles_.find(core::index(def));
  if (it != roles_.end()) return it->second;
  std::vector<ParamRole> roles;
  const core::Env* env = nullptr;
  for (const core::ParamInfo& param : globals_.def(def).params) {
    Value* type = theory_.eval(param.type, env);
    ParamRole role;
    role.is_template = param.is_template;
    role.live = !param.is_template && param.mark != Mark::kErased;
    role.family = types_.is_family_kind(type);
    role.quantity = theory_.whnf(type)->kind == ValueKind::kQuant;
    roles.push_back(role);
    env = theory_.push(env, types_.fresh());
  }
  return roles_.emplace(core::index(def), std::move(roles)).first->second;
}

// ---- keys, limits, names ----------------------------------------------------

std::uint32_t Instances::type_depth(TypeId type) {
  auto it = depths_.find(index(type));
  if (it != depths_.end()) return it->second;
  std::uint32_t below = 0;
  std::vector<TypeId> args = book_.type(type).args;
  for (TypeId arg : args) below = std::max(below, type_depth(arg));
  return depths_[index(type)] = below + 1;
}

std::string Instances::type_key(const InstanceRequest& request) const {
  std::string key;
  for (TypeId type : request.types) put_number(key, index(type));
  return key;
}

void Instances::limit(InstanceRequest& request) {
  for (TypeId& type : request.types) {
    if (type_depth(type) > kMaxTypeArgDepth) type = kTypeAny;
  }
  auto& seen = tuples_[core::index(request.def)];
  std::string key = type_key(request);
  if (seen.count(key) > 0) return;
  if (seen.size() >= kMaxInstances) {
    std::fill(request.types.begin(), request.types.end(), kTypeAny);
    key = type_key(request);
  }
  seen.insert(key);
}

bool Instances::too_nested(const InstanceRequest& request) {
  if (request.templates.empty()) return false;
  auto large = [&](const Term* term) {
    return size_of(term) > kMaxTemplateSize;
  };
  return nesting_ >= kMaxNesting || std::any_of(request.templates.begin(),
                                                request.templates.end(), large);
}

// The nodes of a term, those that are shared as often as they stand there:
// what its key and its code grow with. Past the bound any number does.
std::uint64_t Instances::size_of(const Term* term) {
  if (term->kids.empty() && term->arms.empty()) return 1;
  auto it = sizes_.find(term);
  if (it != sizes_.end()) return it->second;
  std::uint64_t size = 1;
  auto add = [&](const Term* part) {
    if (part && size <= kMaxTemplateSize) size += size_of(part);
  };
  for (const Term* kid : term->kids) add(kid);
  for (const core::TermArm& arm : term->arms) add(arm.body);
  return sizes_[term] = size;
}

std::string Instances::name_of(const InstanceRequest& request) {
  std::string name = globals_.def(request.def).shown;
  for (std::size_t i = 0; i < request.types.size(); i++) {
    name += (i == 0 ? "<" : ", ") + book_.show(request.types[i]);
  }
  if (!request.types.empty()) name += ">";
  const std::vector<ParamRole>& all = roles(request.def);
  bool values = std::any_of(all.begin(), all.end(), [](const ParamRole& role) {
    return role.is_template && !role.family && !role.quantity;
  });
  if (values) name += "~" + std::to_string(++numbered_[name]);
  return name;
}

DefId Instances::add_row(const std::string& name, core::Def origin,
                         Span place) {
  std::string made = name;
  for (int i = 2; book_.find_def(made) != DefId::kNone; i++) {
    made = name + "'" + std::to_string(i);
  }
  DefId id = book_.add_def(made);
  book_.def(id).origin = globals_.def(origin).shown;
  book_.def(id).place = place_text(sources_, place);
  return id;
}

// ---- signatures -------------------------------------------------------------

void Instances::push(Instance& made, ScopeEntry entry) {
  if (entry.kind == EntryKind::kWire) made.arity++;
  made.env = theory_.push(made.env, entry.value);
  made.scope.push_back(entry);
}

void Instances::sign(Instance& made, const InstanceRequest& request) {
  const core::DefInfo& def = globals_.def(request.def);
  const std::vector<ParamRole>& all = roles(request.def);
  std::size_t family = 0;
  for (std::size_t i = 0; i < def.params.size(); i++) {
    ScopeEntry entry;
    entry.type = theory_.eval(def.params[i].type, made.env);
    entry.name = &def.params[i].text;
    entry.kind = all[i].live ? EntryKind::kWire : EntryKind::kErased;
    TypeId type = all[i].family ? request.types[family++] : TypeId::kNone;
    if (all[i].is_template) {
      entry.kind = EntryKind::kClosed;
      entry.term = request.templates[i];
      entry.value = theory_.eval(entry.term, nullptr);
      if (type == kTypeAny) entry.value = types_.stand_for(type);
    } else {
      entry.value = all[i].family ? types_.stand_for(type) : types_.fresh();
    }
    push(made, entry);
  }
  made.result = theory_.eval(def.result, made.env);
  made.body = def.body;
  for (std::size_t i = 0; made.body && i < def.params.size(); i++) {
    made.body = made.body->kids[0];
  }
}

// Adds the lambdas at the head of the body as parameters; for an effect, the
// continuation that its type asks for.
void Instances::sign_head(Instance& made, Value* entry_answer) {
  const core::DefInfo& def = globals_.def(made.def);
  bool effect = native_effect(def) != Effect::kCount;
  bool prim = native_prim(def) != Prim::kCount;
  if (prim || effect) made.body = nullptr;
  if (prim) return;
  while (effect || (made.body && made.body->kind == TermKind::kLam)) {
    Value* type = theory_.whnf(made.result);
    if (type->kind != ValueKind::kPi) return;
    ScopeEntry entry;
    bool erased = type->mark == Mark::kErased;
    entry.kind = erased ? EntryKind::kErased : EntryKind::kWire;
    entry.type = type->args[0];
    entry.name = made.body ? &made.body->text : type->text;
    bool answer = erased && entry_answer != nullptr;
    entry.value =
        answer ? types_.stand_for(types_.of(entry_answer)) : types_.fresh();
    push(made, entry);
    made.result = theory_.instantiate(type, entry.value);
    if (made.body) made.body = made.body->kids[0];
    if (effect && !erased) return;
  }
}

const Instance& Instances::get(InstanceRequest request) {
  limit(request);
  std::string key =
      std::to_string(core::index(request.def)) + ":" + type_key(request);
  const std::vector<ParamRole>& all = roles(request.def);
  for (std::size_t i = 0; i < request.templates.size(); i++) {
    if (all[i].family || all[i].quantity) continue;
    key += '|';
    put_term(key, request.templates[i]);
  }
  auto it = by_key_.find(key);
  if (it != by_key_.end()) return *it->second;
  Instance& made = instances_.emplace_back();
  by_key_.emplace(std::move(key), &made);
  made.def = request.def;
  made.types = request.types;
  made.nesting = nesting_ + (request.templates.empty() ? 0 : 1);
  made.id =
      add_row(name_of(request), request.def, globals_.def(request.def).span);
  sign(made, request);
  sign_head(made, nullptr);
  return made;
}

const Instance& Instances::entry(core::Def main, Value* answer,
                                 const Term* body) {
  Instance& made = instances_.emplace_back();
  made.def = main;
  made.id = add_row(globals_.def(main).shown, main, globals_.def(main).span);
  InstanceRequest request;
  request.def = main;
  sign(made, request);
  made.body = body;
  sign_head(made, answer);
  return made;
}

const Instance* Instances::next() {
  if (done_ == instances_.size()) return nullptr;
  nesting_ = instances_[done_].nesting;
  return &instances_[done_++];
}

}  // namespace tine
