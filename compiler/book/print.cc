// Prints a book in its text form.
//
// What the reader can find out is left out: the type of a wire is printed only
// where it does not follow from its statement. Wires of one path that share a
// name get a suffix, so that the text means what the book says; such a text,
// read and printed again, is the same text.
#include <algorithm>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "compiler/book/port_types.h"
#include "compiler/book/statement_text.h"
#include "compiler/book/text.h"
#include "compiler/book/token.h"

namespace tine {

namespace {

// Statements start at this column at most; deeper ones step by one.
constexpr std::size_t kWideColumn = 60;
constexpr std::size_t kWideLabel = 14;
constexpr std::size_t kWideOuts = 12;

bool is_type_word(std::string_view name) {
  return name == "U32" || name == "F32" || name == "Nat" || name == "Char" ||
         name == "Any" || name == "Array" || name == "Fn";
}

std::string data_name(const std::string& name) {
  return is_type_word(name) ? quote_text(name, '`') : quote_name(name);
}

// Type parameters as they are written: distinct and no words of their own.
std::vector<std::string> param_names(const DataRow& row) {
  std::vector<std::string> names;
  for (const std::string& name : row.params) {
    std::string made = name;
    while (std::count(names.begin(), names.end(), made) > 0) made += "_2";
    names.push_back(made);
  }
  return names;
}

void print_type(const Book& book, TypeId id,
                const std::vector<std::string>& params, std::string& text) {
  const Type& type = book.type(id);
  if (type.kind == TypeKind::kParam && type.data < params.size()) {
    text += quote_name(params[type.data]);
    return;
  }
  if (type.kind == TypeKind::kData) {
    text += data_name(book.datas[type.data].name);
  } else {
    text += type.kind == TypeKind::kArray ? "Array"
            : type.kind == TypeKind::kFn  ? "Fn"
                                          : book.show(id);
  }
  for (std::size_t i = 0; i < type.args.size(); i++) {
    text += i == 0 ? "<" : ", ";
    print_type(book, type.args[i], params, text);
  }
  if (!type.args.empty()) text += ">";
}

std::string type_text(const Book& book, TypeId id) {
  if (id == TypeId::kNone) return "Any";
  std::string text;
  print_type(book, id, {}, text);
  return text;
}

void print_data(const Book& book, const DataRow& row, std::string& text) {
  std::vector<std::string> params = param_names(row);
  text += "type " + data_name(row.name);
  for (std::size_t i = 0; i < params.size(); i++) {
    text += (i == 0 ? "<" : ", ") + quote_name(params[i]);
  }
  if (!params.empty()) text += ">";
  if (!row.counted) text += " plain";
  for (std::size_t i = 0; i < row.ctors.size(); i++) {
    const CtorRow& ctor = book.ctor(row.ctors[i]);
    text += (i == 0 ? " = " : " | ") + quote_name(ctor.name);
    for (const Field& field : ctor.fields) {
      text += " (" + quote_name(field.name) + ": ";
      print_type(book, field.type, params, text);
      text += ")";
    }
  }
  text += "\n";
}

// Names of the wires on the path from a def's head to a statement.
class Namer {
 public:
  Namer(const Book& book, const DefRow& def) : book_(book), def_(def) {
    names_.resize(def.wires.size());
  }

  void define(Wire wire) {
    if (index(wire) >= names_.size()) return;
    std::string base = def_.wires[index(wire)].name;
    if (base.empty()) base = "w";
    std::string name = base;
    while (taken(name)) {
      name = base + "_" + std::to_string(++suffix_.try_emplace(base, 1)
                                                .first->second);
    }
    on_path_.emplace(name, true);
    log_.push_back(name);
    names_[index(wire)] = quote_wire(name);
  }

  std::string name(Wire wire) const {
    if (wire == Wire::kOut) return "out";
    if (index(wire) >= names_.size()) return "`?`";
    const std::string& known = names_[index(wire)];
    return known.empty() ? quote_wire(def_.wires[index(wire)].name) : known;
  }

  std::size_t mark() const { return log_.size(); }
  // Forgets the names since `mark` and hands them out, for `enter`.
  std::vector<std::string> leave(std::size_t mark) {
    std::vector<std::string> names(log_.begin() + mark, log_.end());
    log_.resize(mark);
    for (const std::string& name : names) on_path_.erase(name);
    return names;
  }
  void enter(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      on_path_.emplace(name, true);
      log_.push_back(name);
    }
  }

 private:
  // A lone name behind `=` is a constructor before it is a wire.
  bool taken(const std::string& name) const {
    return on_path_.count(name) > 0 ||
           book_.find_ctor(name) != CtorId::kNone;
  }
  static std::string quote_wire(const std::string& name) {
    return find_prim(name) == Prim::kCount ? quote_name(name)
                                           : quote_text(name, '`');
  }

  const Book& book_;
  const DefRow& def_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, bool> on_path_;
  std::unordered_map<std::string, std::uint32_t> suffix_;
  std::vector<std::string> log_;
};

class DefPrinter {
 public:
  DefPrinter(const Book& book, PortTypes& ports, const DefRow& def,
             std::string& text)
      : book_(book), ports_(ports), def_(def), namer_(book, def), text_(text) {}

  void run() {
    text_ += quote_name(def_.name);
    std::size_t params = std::min<std::size_t>(def_.params, def_.wires.size());
    for (std::size_t i = 0; i < params; i++) {
      namer_.define(static_cast<Wire>(i));
      text_ += " (" + typed(static_cast<Wire>(i)) + ")";
    }
    text_ += " -> " + type_text(book_, def_.result);
    if (!def_.place.empty()) text_ += " @ " + quote_text(def_.place, '"');
    if (def_.origin != def_.name) text_ += " as " + quote_name(def_.origin);
    if (!def_.block.empty()) {
      new_line(3);
      print_blocks(def_.block, 3);
    }
    text_ += "\n";
  }

 private:
  void new_line(std::size_t column) {
    text_ += '\n';
    text_.append(column - 1, ' ');
  }

  TypeId type_of(Wire wire) const {
    if (wire == Wire::kOut) return def_.result;
    if (index(wire) >= def_.wires.size()) return TypeId::kNone;
    return def_.wires[index(wire)].type;
  }

  std::string typed(Wire wire) {
    return namer_.name(wire) + ": " + type_text(book_, type_of(wire));
  }

  // The name of a wire being defined, with its type where that is news.
  std::string out_text(Wire wire, TypeId given) {
    if (wire == Wire::kOut) return "out";
    namer_.define(wire);
    TypeId type = type_of(wire);
    bool follows = type == TypeId::kNone || type == given;
    return follows ? namer_.name(wire) : typed(wire);
  }

  std::string outs_text(const Stmt& stmt, const std::vector<Wire>& outs) {
    std::vector<TypeId> ins;
    for (Wire wire : stmt.ins) ins.push_back(type_of(wire));
    PortTypesOf types = ports_.of(stmt, ins);
    types.gives.resize(outs.size(), TypeId::kNone);
    std::string text;
    for (std::size_t i = 0; i < outs.size(); i++) {
      text += (i == 0 ? "" : ", ") + out_text(outs[i], types.gives[i]);
    }
    return text;
  }

  // A statement that is one line: what stands before `=`, and behind it.
  struct Line {
    std::string left, right;
  };

  Line line(const Stmt& stmt, const std::vector<Wire>& outs) {
    auto name = [&](Wire wire) { return namer_.name(wire); };
    std::string right = right_side(book_, stmt, name);
    return {outs_text(stmt, outs), std::move(right)};
  }

  void put(const Line& line, std::size_t wide) {
    text_ += line.left;
    if (line.left.empty()) {
      text_ += line.right;
      return;
    }
    if (line.left.size() < wide) text_.append(wide - line.left.size(), ' ');
    text_ += " = " + line.right;
  }

  static std::size_t widest(const std::vector<Line>& lines) {
    std::size_t wide = 0;
    for (const Line& line : lines) {
      std::size_t size = line.left.size();
      if (size <= kWideOuts) wide = std::max(wide, size);
    }
    return wide;
  }

  void put_all(std::vector<Line>& lines, std::size_t column, bool& fresh) {
    std::size_t wide = widest(lines);
    for (const Line& line : lines) {
      if (!fresh) new_line(column);
      fresh = false;
      put(line, wide);
    }
    lines.clear();
  }

  // A block being printed, with the match whose arms are being printed. Blocks
  // nest by an explicit stack: a book of the compiler may nest deep.
  struct Level {
    const Block* block;
    std::size_t column;
    std::size_t next = 0;  // statement
    bool fresh = true;     // the text stands where the next one begins
    const Stmt* match = nullptr;
    std::size_t arm = 0;   // next arm
    std::size_t mark = 0;  // of namer_, before the arms
    std::vector<std::string> labels = {};
    std::vector<std::vector<std::string>> binds = {};  // names, by arm
    std::size_t wide = 0;  // the widest label
  };

  void print_blocks(const Block& block, std::size_t column) {
    levels_.push_back({&block, column});
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.match != nullptr) {
        print_arm(level);
      } else if (level.next < level.block->size()) {
        print_statements(level);
      } else {
        levels_.pop_back();
      }
    }
  }

  // The statements up to the next match, whose head is the last of them.
  void print_statements(Level& level) {
    std::vector<Line> lines;
    while (level.next < level.block->size() && level.match == nullptr) {
      const Stmt& stmt = (*level.block)[level.next++];
      if (stmt.op != Op::kPar && stmt.op != Op::kMatch) {
        lines.push_back(line(stmt, stmt.outs));
        continue;
      }
      put_all(lines, level.column, level.fresh);
      if (!level.fresh) new_line(level.column);
      level.fresh = false;
      if (stmt.op == Op::kPar) print_par(stmt, level.column);
      if (stmt.op == Op::kMatch) begin_match(stmt, level);
    }
    put_all(lines, level.column, level.fresh);
  }

  void print_par(const Stmt& stmt, std::size_t column) {
    text_ += "par";
    std::vector<Line> lines;
    for (std::size_t i = 0; i < stmt.calls.size(); i++) {
      std::vector<Wire> outs = stmt.calls[i].outs;
      if (outs.empty() && i < stmt.outs.size()) outs = {stmt.outs[i]};
      lines.push_back(line(stmt.calls[i], outs));
    }
    bool fresh = false;
    put_all(lines, step(column), fresh);
  }

  static std::size_t step(std::size_t column) {
    return column + (column < kWideColumn ? 2 : 1);
  }

  std::string bind_text(Wire wire, TypeId given) {
    std::string text = out_text(wire, given);
    TypeId type = type_of(wire);
    bool follows = type == TypeId::kNone || type == given;
    return follows ? text : "(" + text + ")";
  }

  std::string label(const Arm& arm, TypeId at) {
    PortTypesOf types = ports_.of_arm(arm, at);
    types.gives.resize(arm.binds.size(), TypeId::kNone);
    std::string text;
    bool ctor = arm.kind == ArmKind::kCtor;
    if (ctor) text = quote_name(book_.ctor(arm.ctor).name);
    if (arm.kind == ArmKind::kZero) text = "0n";
    if (arm.kind == ArmKind::kSucc) text = "1n+";
    if (arm.kind == ArmKind::kElse) text = "else";
    if (arm.kind == ArmKind::kLiteral) text = literal_text(arm.value, at);
    bool space = arm.kind != ArmKind::kSucc;
    for (std::size_t i = 0; i < arm.binds.size(); i++) {
      text += (space ? " " : "") + bind_text(arm.binds[i], types.gives[i]);
    }
    return text + ":";
  }

  void begin_match(const Stmt& stmt, Level& level) {
    Wire on = stmt.ins.empty() ? Wire::kOut : stmt.ins[0];
    text_ += "match " + namer_.name(on);
    level.match = &stmt;
    level.arm = 0;
    level.mark = namer_.mark();
    level.labels.clear();
    level.binds.clear();
    level.wide = 0;
    for (const Arm& arm : stmt.arms) {
      level.labels.push_back(label(arm, type_of(on)));
      level.binds.push_back(namer_.leave(level.mark));
      level.wide = std::max(level.wide, level.labels.back().size());
    }
  }

  // The next arm of a match, or its end. Narrow labels have their blocks
  // beside them.
  void print_arm(Level& level) {
    namer_.leave(level.mark);
    if (level.arm == level.match->arms.size()) {
      level.match = nullptr;
      return;
    }
    std::size_t which = level.arm++;
    std::size_t inner = step(level.column);
    bool beside = inner < kWideColumn && level.wide <= kWideLabel;
    std::size_t body = beside ? inner + level.wide + 2 : step(inner);
    const std::string& label = level.labels[which];
    namer_.enter(level.binds[which]);
    new_line(inner);
    text_ += label;
    const Block& block = level.match->arms[which].block;
    if (block.empty()) return;
    if (beside) text_.append(level.wide + 2 - label.size(), ' ');
    if (!beside) new_line(body);
    levels_.push_back({&block, body});
  }

  const Book& book_;
  PortTypes& ports_;
  const DefRow& def_;
  Namer namer_;
  std::vector<Level> levels_;
  std::string& text_;
};

std::string f32_text(std::uint64_t bits) {
  char text[32];
  std::snprintf(text, sizeof text, "f32 0x%08llx",
                static_cast<unsigned long long>(bits));
  return text;
}

}  // namespace

std::string literal_text(std::uint64_t value, TypeId type) {
  if (type == kTypeNat) return std::to_string(value) + "n";
  if (type == kTypeChar) return quote_char(value);
  if (type == kTypeF32) return f32_text(value);
  return std::to_string(value);
}

std::string right_side(const Book& book, const Stmt& stmt,
                       const std::function<std::string(Wire)>& name) {
  std::string text;
  auto ctor_name = [&] {
    const std::string& raw = book.ctor(stmt.ctor).name;
    return find_prim(raw) == Prim::kCount ? quote_name(raw)
                                          : quote_text(raw, '`');
  };
  switch (stmt.op) {
    case Op::kU32: return literal_text(stmt.num, kTypeU32);
    case Op::kNat: return literal_text(stmt.num, kTypeNat);
    case Op::kF32: return literal_text(stmt.num, kTypeF32);
    case Op::kChar: return literal_text(stmt.num, kTypeChar);
    case Op::kString: return quote_text(stmt.text, '"');
    case Op::kMove: break;
    case Op::kMake: text = ctor_name(); break;
    case Op::kTake: text = "take " + ctor_name(); break;
    case Op::kCopy: text = "copy"; break;
    case Op::kDrop: text = "drop"; break;
    case Op::kPrim:
      text = prim_row(stmt.prim).name;
      break;
    case Op::kCall:
      text = stmt.offload ? "call! " : "call ";
      text += quote_name(book.def(stmt.def).name);
      break;
    case Op::kClosure:
      text = "closure " + quote_name(book.def(stmt.def).name);
      break;
    case Op::kApply: text = "apply"; break;
    case Op::kEffect:
      text = "effect " + std::string(effect_row(stmt.effect).name);
      break;
    case Op::kPar: return "par";
    case Op::kMatch: text = "match"; break;
  }
  bool typed = stmt.op == Op::kPrim || stmt.op == Op::kEffect;
  if (typed && stmt.type != TypeId::kNone) {
    text += "<" + type_text(book, stmt.type) + ">";
  }
  for (Wire wire : stmt.ins) text += (text.empty() ? "" : " ") + name(wire);
  return text;
}

std::string statement_text(const Book& book, const DefRow& def,
                           const Stmt& stmt, std::size_t limit) {
  auto name = [&](Wire wire) -> std::string {
    if (wire == Wire::kOut) return "out";
    if (index(wire) >= def.wires.size()) return "?";
    return def.wires[index(wire)].name;
  };
  std::string text;
  for (Wire wire : stmt.outs) {
    text += (text.empty() ? "" : ", ") + name(wire);
    if (text.size() > limit) break;
  }
  if (!text.empty()) text += " = ";
  if (stmt.op == Op::kPar) text.clear();
  text += right_side(book, stmt, name);
  if (text.size() <= limit) return text;
  while ((static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) limit--;
  text.resize(limit);
  return text + " ..";
}

std::string print_book(const Book& book) {
  Book scratch = book.without_defs();
  PortTypes ports(scratch, book);
  std::string text;
  for (std::size_t i = 1; i < book.datas.size(); i++) {
    print_data(book, book.datas[i], text);
  }
  if (book.main != DefId::kNone) {
    if (!text.empty()) text += "\n";
    const std::string& name = book.def(book.main).name;
    text += book.main_is_io ? "main io " : "main ";
    text += name == "io" ? "`io`" : quote_name(name);
    text += "\n";
  }
  for (const DefRow& def : book.defs) {
    if (!text.empty()) text += "\n";
    DefPrinter(book, ports, def, text).run();
  }
  return text;
}

}  // namespace tine
