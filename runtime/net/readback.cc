// Printing without recursion: a stack of what is still to be written, values
// and texts, so that long lists and deep trees cost no C stack.
#include "runtime/net/readback.h"

#include <charconv>
#include <string_view>
#include <vector>

#include "runtime/heap/array.h"
#include "runtime/io/utf8.h"
#include "runtime/num/f32.h"

namespace tine {
namespace {

constexpr std::uint32_t kPollSteps = 1u << 16;

// One thing still to be written.
struct Item {
  enum class Kind : std::uint8_t {
    kValue,    // any value
    kText,     // `text`
    kFields,   // of node `word` from field `at` on, then "}"
    kList,     // the rest of a list after its head, then "]"
    kTuple,    // the second part of a pair, which may be a pair again
    kCells,    // of array `word` from cell `at` on, then "]"
  };
  Kind kind = Kind::kValue;
  Word word = 0;
  std::uint64_t at = 0;
  std::string_view text;
};

class Printer {
 public:
  Printer(const Book& book, const NetProgram& program, HeapOwner& owner,
          std::string& out)
      : book_(book), program_(program), owner_(owner), out_(out) {}

  bool print(Word value) {
    push({Item::Kind::kValue, value, 0, {}});
    for (std::uint32_t steps = 1; !items_.empty(); ++steps) {
      if (steps % kPollSteps == 0 && owner_.stopping()) return false;
      Item item = items_.back();
      items_.pop_back();
      write(item);
    }
    return true;
  }

 private:
  void push(Item item) { items_.push_back(item); }
  void push_value(Word word) { push({Item::Kind::kValue, word, 0, {}}); }

  CtorId ctor_of(Word word) const {
    std::uint32_t id = UINT32_MAX;
    if (tag_of(word) == Tag::kNode) id = node_of(word)->id();
    if (tag_of(word) == Tag::kCtor) id = low32(word);
    return id < program_.ctor_of.size() ? program_.ctor_of[id]
                                        : CtorId::kNone;
  }
  bool is(Word word, CtorId ctor, unsigned fields) const {
    if (ctor == CtorId::kNone || ctor_of(word) != ctor) return false;
    unsigned has = tag_of(word) == Tag::kNode ? node_of(word)->size() : 0;
    return has == fields;
  }
  static Word field(Word node, unsigned at) {
    return node_of(node)->fields()[at];
  }

  void write(const Item& item);
  void write_value(Word word);
  void write_data(Word word);
  void write_string(Word word);
  void write_list(Word list);
  void write_tuple(Word word);
  void write_fields(const Item& item);
  void write_cells(const Item& item);
  void write_char(std::uint32_t point, char quote);

  const Book& book_;
  const NetProgram& program_;
  HeapOwner& owner_;
  std::string& out_;
  std::vector<Item> items_;
};

void Printer::write(const Item& item) {
  switch (item.kind) {
    case Item::Kind::kValue: return write_value(item.word);
    case Item::Kind::kText: out_ += item.text; return;
    case Item::Kind::kFields: return write_fields(item);
    case Item::Kind::kList: return write_list(item.word);
    case Item::Kind::kTuple: return write_tuple(item.word);
    case Item::Kind::kCells: return write_cells(item);
  }
}

void Printer::write_value(Word word) {
  switch (tag_of(word)) {
    case Tag::kU32: out_ += std::to_string(low32(word)); return;
    case Tag::kNat: out_ += std::to_string(nat_of(word)) + "n"; return;
    case Tag::kF32: out_ += f32_value_text(low32(word)); return;
    case Tag::kChar:
      out_ += '\'';
      write_char(low32(word), '\'');
      out_ += '\'';
      return;
    case Tag::kNode:
    case Tag::kCtor: return write_data(word);
    case Tag::kArray:
      out_ += '[';
      return write_cells({Item::Kind::kCells, word, 0, {}});
    case Tag::kFun:
    case Tag::kClosure: out_ += "<function>"; return;
    case Tag::kRequest: out_ += "<request>"; return;
    case Tag::kFile: out_ += "<file>"; return;
    case Tag::kChan: out_ += "<channel>"; return;
    case Tag::kTaken: out_ += "<taken>"; return;
  }
}

void Printer::write_data(Word word) {
  const Known& known = book_.known;
  if (is(word, known.snil, 0) || is(word, known.scon, 2)) {
    return write_string(word);
  }
  if (is(word, known.nil, 0)) {
    out_ += "[]";
    return;
  }
  if (is(word, known.con, 2)) {
    out_ += '[';
    push({Item::Kind::kList, field(word, 1), 0, {}});
    return push_value(field(word, 0));
  }
  if (is(word, known.tuple, 2)) {
    out_ += '(';
    push({Item::Kind::kTuple, field(word, 1), 0, {}});
    return push_value(field(word, 0));
  }
  CtorId ctor = ctor_of(word);
  if (ctor != CtorId::kNone) out_ += book_.ctor(ctor).name;
  out_ += '{';
  if (tag_of(word) == Tag::kCtor) {
    out_ += '}';
    return;
  }
  write_fields({Item::Kind::kFields, word, 0, {}});
}

void Printer::write_string(Word word) {
  out_ += '"';
  while (is(word, book_.known.scon, 2)) {
    write_char(low32(field(word, 0)), '"');
    word = field(word, 1);
  }
  out_ += '"';
}

void Printer::write_list(Word list) {
  if (is(list, book_.known.con, 2)) {
    out_ += ", ";
    push({Item::Kind::kList, field(list, 1), 0, {}});
    return push_value(field(list, 0));
  }
  out_ += ']';
}

void Printer::write_tuple(Word word) {
  out_ += ", ";
  if (is(word, book_.known.tuple, 2)) {
    push({Item::Kind::kTuple, field(word, 1), 0, {}});
    return push_value(field(word, 0));
  }
  push({Item::Kind::kText, 0, 0, ")"});
  push_value(word);
}

void Printer::write_fields(const Item& item) {
  if (item.at > 0) out_ += item.at < node_of(item.word)->size() ? ", " : "}";
  if (item.at == node_of(item.word)->size()) return;
  push({Item::Kind::kFields, item.word, item.at + 1, {}});
  push_value(field(item.word, static_cast<unsigned>(item.at)));
}

void Printer::write_cells(const Item& item) {
  View* view = view_of(item.word);
  if (item.at == view->size()) {
    out_ += ']';
    return;
  }
  if (item.at > 0) out_ += ", ";
  push({Item::Kind::kCells, item.word, item.at + 1, {}});
  push_value(view->kind == CellKind::kWord
                 ? view->words()[item.at]
                 : narrow_word(view->kind, view->narrow()[item.at]));
}

void Printer::write_char(std::uint32_t point, char quote) {
  switch (point) {
    case '\n': out_ += "\\n"; return;
    case '\t': out_ += "\\t"; return;
    case '\r': out_ += "\\r"; return;
    case 0: out_ += "\\0"; return;
    case '\\': out_ += "\\\\"; return;
    default: break;
  }
  if (point == static_cast<std::uint8_t>(quote)) {
    out_ += '\\';
    out_ += quote;
  } else if (point < 0x20 || point == 0x7F || !is_scalar(point)) {
    char text[16];
    auto end = std::to_chars(text, text + sizeof text, point, 16).ptr;
    out_ += "\\u{";
    out_.append(text, end);
    out_ += '}';
  } else {
    put_utf8(out_, point);
  }
}

}  // namespace

bool print_value(const Book& book, const NetProgram& program, HeapOwner& owner,
                 Word value, std::string& out) {
  return Printer(book, program, owner, out).print(value);
}

}  // namespace tine
