#include "compiler/emit/reps.h"

#include <algorithm>

namespace tine {
namespace {

// A struct of more words costs more to pass than a node to make.
constexpr std::size_t kMostLeaves = 6;
constexpr std::size_t kMostTypes = 4096;  // asked about while making one

std::string number(std::uint64_t n) { return std::to_string(n); }

}  // namespace

Reps::Reps(const Book& book, const NetProgram& numbers, bool trust)
    : book_(book.without_defs()), numbers_(numbers), trust_(trust) {
  for (RepKind kind : {RepKind::kWord, RepKind::kU32, RepKind::kF32,
                       RepKind::kNat, RepKind::kChar}) {
    intern({kind, 0, {}});
  }
}

RepId Reps::intern(Rep rep) {
  auto [at, fresh] =
      ids_.try_emplace(rep, static_cast<RepId>(rows_.size()));
  if (fresh) rows_.push_back(std::move(rep));
  return at->second;
}

RepId Reps::natural(TypeId type) {
  if (type == TypeId::kNone) return kRepWord;
  switch (book_.type(type).kind) {
    case TypeKind::kU32: return kRepU32;
    case TypeKind::kF32: return kRepF32;
    case TypeKind::kNat: return kRepNat;
    case TypeKind::kChar: return kRepChar;
    case TypeKind::kData: break;
    default: return kRepWord;
  }
  auto known = types_.find(type);
  if (known != types_.end()) return known->second;
  bool outermost = open_.empty();
  RepId rep = data(type);
  // What is found inside of a type may depend on what surrounds it.
  if (outermost) types_.emplace(type, rep);
  return rep;
}

RepId Reps::enum_of(CtorId any) {
  const DataRow& row = book_.data(book_.ctor(any).data);
  return intern({RepKind::kEnum, numbers_.id(row.ctors[0]), {}});
}

RepId Reps::struct_of(CtorId ctor, std::vector<RepId> fields) {
  return intern({RepKind::kStruct, numbers_.id(ctor), std::move(fields)});
}

RepId Reps::data(TypeId type) {
  DataId id = book_.data_of(type);
  const DataRow& row = book_.data(id);
  if (numbers_.word_data[index(id)]) return enum_of(row.ctors[0]);
  if (row.ctors.size() != 1) return kRepWord;
  CtorId ctor = row.ctors[0];
  std::size_t count = book_.ctor(ctor).fields.size();
  bool inside = std::find(open_.begin(), open_.end(), id) != open_.end();
  if (count > kMostLeaves || inside || open_.size() > kMostLeaves ||
      types_.size() > kMostTypes) {
    return kRepWord;
  }
  open_.push_back(id);
  std::vector<RepId> fields;
  std::size_t words = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    fields.push_back(natural(book_.field_type(type, ctor, i)));
    words += leaves(fields.back());
  }
  open_.pop_back();
  return words > kMostLeaves ? kRepWord : struct_of(ctor, std::move(fields));
}

std::size_t Reps::leaves(RepId rep) const {
  if (!is_struct(rep)) return 1;
  std::size_t count = 0;
  for (RepId field : at(rep).fields) count += leaves(field);
  return count;
}

// ---- C ----------------------------------------------------------------------

std::string Reps::c_type(RepId rep) const {
  switch (at(rep).kind) {
    case RepKind::kWord:
    case RepKind::kNat: return "u64";
    case RepKind::kU32:
    case RepKind::kChar:
    case RepKind::kEnum: return "u32";
    case RepKind::kF32: return "float";
    case RepKind::kStruct: break;
  }
  return "S" + number(static_cast<unsigned>(rep));
}

std::string Reps::box(const std::string& text, RepId from,
                      const std::string& def) const {
  switch (at(from).kind) {
    case RepKind::kWord: return text;
    case RepKind::kU32: return "box_u32(" + text + ")";
    case RepKind::kF32: return "box_f32(" + text + ")";
    case RepKind::kNat: return "box_nat(" + text + ")";
    case RepKind::kChar: return "box_char(" + text + ")";
    case RepKind::kEnum:
      return "box_ctor(" + number(at(from).id) + " + " + text + ")";
    case RepKind::kStruct: break;
  }
  return "box_" + c_type(from) + "(w, " + text + ", " + def + ")";
}

std::string Reps::unbox(const std::string& text, RepId to,
                        const std::string& def) const {
  switch (at(to).kind) {
    case RepKind::kWord: return text;
    case RepKind::kU32:
    case RepKind::kChar: return "(u32)(" + text + ")";
    case RepKind::kF32: return "unbox_f32(" + text + ")";
    case RepKind::kNat: return "unbox_nat(" + text + ")";
    case RepKind::kEnum:
      return "((u32)(" + text + ") - " + number(at(to).id) + ")";
    case RepKind::kStruct: break;
  }
  return "unbox_" + c_type(to) + "(w, " + text + ", " + def + ")";
}

std::string Reps::peek(const std::string& text, RepId to) const {
  return is_struct(to) ? "peek_" + c_type(to) + "(" + text + ")"
                       : unbox(text, to, "0");
}

std::string Reps::convert(const std::string& text, RepId from, RepId to,
                          const std::string& def) const {
  if (from == to) return text;
  if (from == kRepWord) return unbox(text, to, def);
  std::string boxed = box(text, from, def);
  return to == kRepWord ? boxed : unbox(boxed, to, def);
}

std::string Reps::struct_text(std::uint32_t row) const {
  RepId rep = static_cast<RepId>(row);
  const std::vector<RepId>& fields = at(rep).fields;
  std::string name = c_type(rep);
  std::string members, fill, read, peeks, copies, lends, drops;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string field = "f" + number(i);
    std::string kind = c_type(fields[i]);
    members += " " + kind + " " + field + ";";
    fill += "  u64 b" + number(i) + " = " +
            box("x." + field, fields[i], "def") + ";\n";
    read += "  x." + field + " = " +
            unbox("v" + number(i), fields[i], "def") + ";\n";
    peeks += "  x." + field + " = " +
             peek("n[" + number(i + 1) + "]", fields[i]) + ";\n";
    if (at(fields[i]).kind == RepKind::kWord) {
      copies += "  copy(w, x." + field + ", def);\n";
      lends += "  lend(w, x." + field + ", def);\n";
      drops += "  drop(w, x." + field + ", def);\n";
    } else if (is_struct(fields[i])) {
      copies += "  copy_" + kind + "(w, x." + field + ", def);\n";
      lends += "  lend_" + kind + "(w, x." + field + ", def);\n";
      drops += "  drop_" + kind + "(w, x." + field + ", def);\n";
    }
  }
  std::string words = number(fields.size() + 1);
  std::string text = "typedef struct {" + members + " } " + name + ";\n";
  auto function = [&](const std::string& head, const std::string& body) {
    text += "UNUSED static inline " + head + " {\n" + body + "}\n";
  };
  std::string stores, loads;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    stores += "  n[" + number(i + 1) + "] = b" + number(i) + ";\n";
    loads += "  u64 v" + number(i) + " = n[" + number(i + 1) + "];\n";
  }
  function("u64 box_" + name + "(W* w, " + name + " x, u32 def)",
           fill + "  u64* n = make(w, HEAD(" + number(at(rep).id) + ", " +
               words + "), " + words + ", def);\n" + stores +
               "  return (u64)n;\n");
  function(name + " unbox_" + name + "(W* w, u64 b, u32 def)",
           "  u64* n = (u64*)b;\n  " + name + " x;\n" + loads +
               "  if (LIKELY(sole(n))) give(w, n, " + words +
               ");\n  else unshare(w, n, " + words + ", def);\n" + read +
               "  return x;\n");
  function(name + " peek_" + name + "(u64 b)",
           "  u64* n = (u64*)b;\n  " + name + " x;\n" + peeks +
               "  return x;\n");
  function("void lend_" + name + "(W* w, " + name + " x, u32 def)",
           lends + "  (void)w; (void)x; (void)def;\n");
  function("void copy_" + name + "(W* w, " + name + " x, u32 def)",
           copies + "  (void)w; (void)x; (void)def;\n");
  function("void drop_" + name + "(W* w, " + name + " x, u32 def)",
           drops + "  (void)w; (void)x; (void)def;\n");
  return text;
}

std::string Reps::declarations() const {
  // A struct's fields were interned before it.
  std::string text;
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].kind == RepKind::kStruct) text += struct_text(row);
  }
  return text;
}

}  // namespace tine
