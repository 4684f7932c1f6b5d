// What a message advises where that depends on the program: names that are
// spelt like an unknown one, what a type that is not Data can do instead, how
// a value of one type becomes one of another.
//
// Nothing here decides anything: a hint may be missing, but never wrong. It is
// made only when a message is.
#include <algorithm>
#include <cctype>

#include "compiler/core/checker.h"

namespace tine::core {

namespace {

constexpr std::size_t kMaxShown = 40;    // characters of a term in a hint
constexpr std::size_t kMaxOffered = 3;   // names that are offered at once

std::string lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

// Letters to add, drop, change or swap with their neighbour.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(
      a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Edits that a misspelling of a name of this length may have; a name of one
// or two letters is another name.
std::size_t slips(const std::string& name) {
  return name.size() < 3 ? 0 : name.size() < 5 ? 1 : 2;
}

std::string ask(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty() || names.size() > kMaxOffered) return "";
  std::string out = "did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += "`" + names[i] + "`";
  }
  return out + "?";
}

// The candidates nearest to `name`; else those that are `name` in a namespace.
std::string nearest(const std::string& name,
                    const std::vector<std::string>& candidates) {
  std::string low = lower(name);
  std::size_t least = slips(name);
  std::vector<std::string> near, inside;
  for (const std::string& other : candidates) {
    std::size_t gap = other.size() > name.size() ? other.size() - name.size()
                                                 : name.size() - other.size();
    if (gap <= least) {
      std::size_t distance = edits(low, lower(other));
      if (distance < least) near.clear();
      if (distance <= least) {
        least = distance;
        near.push_back(other);
      }
    }
    std::size_t dot = other.find('.');
    if (dot != std::string::npos && other.compare(dot + 1, std::string::npos,
                                                  name) == 0)
      inside.push_back(other);
  }
  return ask(near.empty() ? inside : near);
}

}  // namespace

// ---- names ---------------------------------------------------------------------

// The spellings under which this module may name what `keys` holds.
template <class Map>
void DefChecker::spellings(const Map& keys,
                           std::vector<std::string>& out) const {
  const Module& module = owner_.modules_[module_];
  for (const auto& [key, id] : keys) {
    (void)id;
    std::size_t colon = key.rfind(':');
    bool bare = colon == std::string::npos;
    std::string space = bare ? "" : key.substr(0, colon);
    std::string name = bare ? key : key.substr(colon + 1);
    if (space == module.space || space.empty()) out.push_back(name);
    for (const auto& [alias, of] : module.aliases)
      if (of == space) out.push_back(alias + "." + name);
  }
}

std::string DefChecker::name_like(const std::string& name) {
  std::vector<std::string> all;
  for (const auto& [local, level] : names_) all.push_back(local);
  std::vector<std::string> global;
  spellings(g_.def_names, global);
  spellings(g_.data_names, global);
  for (std::string& other : global)
    if (owner_.resolve_global(module_, other, {}, true).kind !=
        Resolved::kNothing)
      all.push_back(std::move(other));
  return nearest(name, all);
}

std::string DefChecker::ctor_like(const std::string& name) {
  std::vector<std::string> all, known;
  spellings(g_.ctor_names, all);
  for (std::string& other : all)
    if (owner_.resolve_ctor(module_, other) != Ctor::kNone)
      known.push_back(std::move(other));
  return nearest(name, known);
}

Resolved DefChecker::resolve(const std::string& name, Span span) {
  std::size_t before = owner_.sink_.diags().size();
  Resolved r = owner_.resolve_global(module_, name, span);
  std::vector<Diag>& diags = owner_.sink_.diags();
  for (std::size_t i = before; i < diags.size(); ++i) {
    diags[i].where = place_;
    std::size_t dot = name.find('.');
    if (diags[i].msg == Msg::kUnknownMember)
      diags[i].repair = member_like(name.substr(0, dot), name);
  }
  return r;
}

// A member of the import `alias` that is spelt like `name`.
std::string DefChecker::member_like(const std::string& alias,
                                    const std::string& name) {
  std::vector<std::string> all, own;
  spellings(g_.def_names, all);
  spellings(g_.data_names, all);
  for (std::string& other : all)
    if (other.starts_with(alias + ".")) own.push_back(std::move(other));
  return nearest(name, own);
}

// `K{a, b}`, with the names of the fields.
std::string DefChecker::written(Ctor id, const std::string& as) {
  std::string out = as + "{";
  const std::vector<FieldInfo>& fields = g_.ctor(id).fields;
  for (std::size_t i = 0; i < fields.size(); ++i)
    out += (i ? ", " : "") + fields[i].text;
  return "`" + out + "}`";
}

// The constructors that a type has left, for a case of another type.
std::string DefChecker::cases_of(Value* type) {
  std::string out;
  std::size_t count = 0;
  for (Ctor id : g_.data(type->data).ctors) {
    if (has_tag(type->removed, g_.ctor(id).tag)) continue;
    if (++count > 2 * kMaxOffered) return "";
    out += (out.empty() ? "" : ", ") + written(id, g_.ctor(id).shown);
  }
  return count == 0 ? "" : "its cases are " + out;
}

// ---- what is not Data ------------------------------------------------------------

// May a `+` stand in front of the type: are its arguments Data?
bool DefChecker::reusable(Value* type) {
  std::size_t quants = g_.data(type->data).leading_quants;
  for (std::size_t i = quants; i < type->args.size(); ++i)
    if (!is_data(type->args[i])) return false;
  return quants > 0;
}

bool DefChecker::is_parameter(std::uint32_t level) const {
  return std::find(params_.begin(), params_.end(), level) != params_.end();
}

// What to do in place of a second use of a value of this type, "" if unknown.
// `name` has the mark already where `marked`.
std::string DefChecker::reuse_hint(const std::string& name, Value* type,
                                   bool parameter, bool marked) {
  Value* v = t_.whnf(type);
  if (v->kind == ValueKind::kPi)
    return parameter
               ? "a function is never Data; a template parameter, `~" + name +
                     "`, may be used any number of times"
               : "a function is never Data; a def may be used any number of "
                 "times";
  if (v->kind == ValueKind::kVar && v->args.empty())
    return "ask for a type that is Data: `" + show(v) + ": Data`";
  if (v->kind != ValueKind::kData) return "";
  const DataInfo& data = g_.data(v->data);
  if (v->data == t_.ids().sigma)
    return "`A & B` is never Data; take the pair apart and mark its parts `+`";
  if (v->data == t_.ids().array)
    return "an array has one owner: use what the first use gives back";
  if (reusable(v))
    return "write its type with a `+` in front, as in `+" + data.shown +
           "<..>`" + (marked ? "" : ", and bind it as `+" + name + "`");
  const Unit& unit = owner_.units_[owner_.unit_of_data_[index(v->data)]];
  bool own = unit.decl && !owner_.modules_[unit.module].is_base;
  return own ? "declare `" + data.shown + "` with `is Data`, if its fields are"
             : "";
}

// A field whose type does not fit the kind of its datatype.
std::string DefChecker::field_hint(Value* type) {
  Value* v = t_.whnf(type);
  bool data = v->kind == ValueKind::kData;
  if (data && v->data == t_.ids().sigma)
    return "give it two fields, or declare the datatype with `is Type`";
  if (data && reusable(v))
    return "write `+" + g_.data(v->data).shown +
           "<..>`, or declare the datatype with `is Type`";
  return "declare the datatype with `is Type`";
}

// ---- types that do not agree -------------------------------------------------------

namespace {

struct Conversion {
  const char* from;
  const char* to;
  const char* def;
};

constexpr Conversion kConversions[] = {
    {"U32", "Nat", "U32.to_nat"},    {"Nat", "U32", "U32.from_nat"},
    {"U32", "F32", "U32.to_f32"},    {"F32", "U32", "F32.to_u32"},
    {"U32", "String", "U32.show"},   {"Nat", "String", "Nat.show"},
    {"F32", "String", "F32.show"},   {"Bool", "String", "Bool.show"},
    {"Char", "U32", "Char.to_u32"},
};

}  // namespace

std::string DefChecker::conversion(const std::string& text, Value* have,
                                   Value* want) {
  if (have->kind != ValueKind::kData || want->kind != ValueKind::kData)
    return "";
  for (const Conversion& row : kConversions) {
    if (g_.data(have->data).name != row.from) continue;
    if (g_.data(want->data).name != row.to) continue;
    if (owner_.resolve_global(module_, row.def, {}, true).kind !=
        Resolved::kDef)
      return "";
    return "convert it: `" + std::string(row.def) + "(" + text + ")`";
  }
  return "";
}

// A def with marked parameters where a function without the marks is needed:
// a lambda takes the argument and passes it on.
std::string DefChecker::wrapping(const std::string& text, Value* have,
                                 Value* want) {
  std::string binders, args;
  bool marks = false;
  std::uint32_t level = depth();
  for (std::size_t n = 0; n < 8; ++n) {
    have = t_.whnf(have);
    want = t_.whnf(want);
    if (have->kind != ValueKind::kPi || want->kind != ValueKind::kPi) break;
    if (have->mark == Mark::kErased || want->mark == Mark::kErased) return "";
    marks |= have->mark != want->mark;
    std::string name(1, static_cast<char>(n < 3 ? 'x' + n : 'a' + n - 3));
    if (want->mark == Mark::kReuse) name = "+" + name;
    binders += name + " => ";
    args += (args.empty() ? "" : ", ") + name.substr(name.size() - 1);
    have = t_.instantiate(have, t_.var(level));
    want = t_.instantiate(want, t_.var(level++));
  }
  if (!marks) return "";
  return "a parameter marked `+` is another type; wrap it: `" + binders +
         text + "(" + args + ")`";
}

std::string DefChecker::mismatch_hint(const Term* term, Value* have,
                                      Value* want) {
  have = t_.whnf(have);
  want = t_.whnf(want);
  std::string text = show(term);
  if (text.size() > kMaxShown) text = "..";
  if (have->kind == ValueKind::kPi) {
    std::string wrapped = wrapping(text, have, want);
    if (!wrapped.empty()) return wrapped;
    const Term* head = term->kind == TermKind::kApp ? term->kids[0] : term;
    if (head->kind != TermKind::kRef || want->kind == ValueKind::kPi)
      return "";
    const DefInfo& def = g_.def(head->def);
    std::size_t given = term->kind == TermKind::kApp ? term->kids.size() - 1
                                                     : 0;
    if (given >= def.params.size()) return "";
    return "`" + def.shown + "` takes " +
           counted(def.params.size(), "argument") + ", but this gives " +
           std::to_string(given);
  }
  if (have->kind != ValueKind::kData) return "";
  bool pair = have->data == t_.ids().sigma;
  if (pair && want->kind == ValueKind::kData && want->data != have->data) {
    Value* first = t_.whnf(have->args[2]);
    bool read = first->kind == ValueKind::kData &&
                first->data == t_.ids().array;
    return read ? "a read gives the array back, too: `(a, x) = a[i]`"
                : "it is a pair: take it apart, `(a, b) = ..`";
  }
  if (want->kind == ValueKind::kData && want->data == have->data &&
      g_.data(have->data).leading_quants > 0 && !pair) {
    const std::string& name = g_.data(have->data).shown;
    return "`" + name + "<..>` and `+" + name +
           "<..>` are different types: mark both `+`, or neither";
  }
  return conversion(text, have, want);
}

// A literal pattern in a column of another type.
Diag& DefChecker::wrong_literal(const Node* pattern, Value* type) {
  const Node* literal = pattern->kids[0];
  std::string expected = show(type), hint = literal_hint(literal, type);
  Diag& diag =
      report(Msg::kLiteralMismatch, pattern->span, {tine::show(literal)});
  diag.expected = expected;
  diag.repair = hint;
  return diag;
}

// A literal of one type where another is needed.
std::string DefChecker::literal_hint(const Node* node, Value* want) {
  if (want->kind != ValueKind::kData) return "";
  const BaseIds& ids = t_.ids();
  Data data = want->data;
  bool word = node->kind == NodeKind::kU32;
  std::string number = std::to_string(node->num);
  if (word || node->kind == NodeKind::kNat) {
    if (data == ids.u32) return "write `" + number + "`";
    if (data == ids.nat) return "write `" + number + "n`";
    if (data == ids.f32) return "write `" + number + ".0`";
    if (data == ids.string) return "write `\"" + number + "\"`";
    return "";
  }
  std::string text = tine::show(node);
  if (text.size() > kMaxShown || text.size() < 3) return "";
  std::string inner = text.substr(1, text.size() - 2);
  if (node->kind == NodeKind::kString && data == ids.chr &&
      (inner.size() == 1 || (inner.size() == 2 && inner[0] == '\\')))
    return "write `'" + inner + "'`";
  if (node->kind == NodeKind::kChar && data == ids.string)
    return "write `\"" + inner + "\"`";
  return "";
}

// ---- what is erased, and what does not descend --------------------------------------

// Says how a value came to be erased, and what would make it live.
void DefChecker::explain_erased(Diag& diag, std::uint32_t level) {
  const Local& local = ctx_[level];
  bool made = local.name.find(' ') != std::string::npos;
  if (local.span.file != kNoFile && !made)
    diag.notes.push_back({local.span, "it is bound here"});
  Value* type = t_.whnf(local.type);
  if (type->kind == ValueKind::kQuant)
    diag.repair = "a parameter without a type is an erased quantity: give `" +
                  local.name + "` a type";
  else if (local.was_pending && !is_parameter(level))
    diag.repair = "it is a part of what is erased, or an erased field of its "
                  "constructor: drop the `-` there";
  else
    diag.repair = "bind it without the `-`";
}

// Why an argument of a recursive call is no part of its parameter.
std::string DefChecker::descent_hint(const Term* arg, std::uint32_t level) {
  std::string otherwise = ", or mark the def `@unsafe`";
  Value* type = t_.whnf(ctx_[level].type);
  bool word = type->kind == ValueKind::kData && type->data == t_.ids().u32;
  if (word)
    return "a U32 never shrinks: count a Nat down in a parameter before it" +
           otherwise;
  arg = look_through(arg);
  if (arg->kind != TermKind::kApp)
    return "pass a part of it that a pattern names, as `p` in `case 1n+p`" +
           otherwise;
  return "what a call gives is never a part: pass one that a pattern names, "
         "as `p` in `case 1n+p`" +
         otherwise;
}

// What the sides of an equation wait for.
std::string DefChecker::equation_hint(Value* left, Value* right) {
  for (Value* side : {left, right}) {
    Value* v = t_.whnf(side);
    std::string waiting;
    while (v->kind == ValueKind::kStuck && v->block) {
      waiting = g_.def(v->def).shown;
      v = t_.whnf(v->block);
    }
    if (waiting.empty() || v->kind != ValueKind::kVar || !v->args.empty())
      continue;
    if (v->level >= ctx_.size() || ctx_[v->level].mark == Mark::kErased)
      continue;
    return "`" + waiting + "` waits for `" + ctx_[v->level].name +
           "`: match it, and prove each case";
  }
  return "";
}

}  // namespace tine::core
