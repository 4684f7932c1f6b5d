// Reads a book: the declarations. Bodies are in read_body.cc.
#include <utility>

#include "compiler/book/reader.h"
#include "compiler/book/text.h"

namespace tine {

namespace {

std::string quoted(std::string_view name) { return quote_text(name, '`'); }

}  // namespace

Reader::Reader(std::string_view text, Book& book)
    : list_(scan_book(text)), book_(book), ports_(book, book) {
  errors_ = std::move(list_.errors);
}

std::vector<BookError> Reader::run() {
  read_names();
  read_types();
  book_.link_known();
  read_heads();
  read_bodies();
  for (std::size_t pos : mains_) {
    pos_ = pos;
    read_main();
  }
  if (errors_.size() > kMaxBookErrors) errors_.resize(kMaxBookErrors);
  return std::move(errors_);
}

// ---- tokens -----------------------------------------------------------------

const BookToken& Reader::peek(std::size_t ahead) const {
  std::size_t last = list_.tokens.size() - 1;
  return list_.tokens[pos_ + ahead < last ? pos_ + ahead : last];
}

const BookToken& Reader::next() {
  const BookToken& token = peek();
  if (token.kind != BookTokenKind::kEnd) pos_++;
  return token;
}

bool Reader::at_sign(std::string_view sign) const {
  return peek().kind == BookTokenKind::kSign && peek().text == sign;
}

bool Reader::at_word(std::string_view word) const {
  return peek().kind == BookTokenKind::kName && peek().text == word;
}

bool Reader::take_sign(std::string_view sign) {
  if (!at_sign(sign)) return false;
  pos_++;
  return true;
}

bool Reader::want_sign(std::string_view sign, std::string_view where) {
  if (take_sign(sign)) return true;
  return fail("expected " + quoted(sign) + " " + std::string(where));
}

bool Reader::want_name(std::string_view what, std::string_view& name) {
  const BookToken& token = peek();
  bool word = token.kind == BookTokenKind::kName;
  if (!word && token.kind != BookTokenKind::kQuoted) {
    return fail("expected " + std::string(what));
  }
  name = token.text;
  pos_++;
  return true;
}

// A token that the scanner refused has its message already.
bool Reader::fail(const BookToken& at, std::string text) {
  if (at.kind == BookTokenKind::kBad) return false;
  if (errors_.size() < kMaxBookErrors) {
    errors_.push_back({at.line, at.column, std::move(text)});
  }
  return false;
}

void Reader::skip_declaration() {
  while (peek().kind != BookTokenKind::kEnd) {
    if (peek().first && peek().column == 1) return;
    pos_++;
  }
}

bool Reader::want_line_end() {
  if (peek().first || peek().kind == BookTokenKind::kEnd) return true;
  return fail("expected the end of the line");
}

// ---- names of declarations --------------------------------------------------

// `main` heads a line of its own before a name, else it is a def's name.
bool Reader::at_main() const {
  const BookToken& after = peek(1);
  bool name =
      after.kind == BookTokenKind::kName || after.kind == BookTokenKind::kQuoted;
  return at_word("main") && name && !after.first;
}

void Reader::read_names() {
  skip_declaration();
  if (pos_ > 0) fail(list_.tokens[0], "a declaration begins in column 1");
  while (peek().kind != BookTokenKind::kEnd) {
    read_name();
    if (peek().first && peek().column == 1) continue;
    skip_declaration();
  }
}

bool Reader::read_name() {
  if (at_main()) {
    mains_.push_back(++pos_);
    return true;
  }
  if (at_type()) {
    pos_++;
    return read_type_name();
  }
  const BookToken& at = peek();
  std::string_view name;
  if (!want_name("`type`, `main` or the name of a definition", name)) {
    pos_++;
    return false;
  }
  if (book_.find_def(name) != DefId::kNone) {
    return fail(at, quoted(name) + " is defined twice");
  }
  DefId def = book_.add_def(std::string(name));
  book_.def(def).line = at.line;
  book_.def(def).column = at.column;
  heads_.push_back({index(def), pos_});
  return true;
}

bool Reader::read_type_name() {
  const BookToken& at = peek();
  std::string_view name;
  if (!want_name("the name of the type", name)) return false;
  Type builtin;
  bool own = at.kind == BookTokenKind::kName && word_type(name, builtin);
  if (own || name == "Array") {
    return fail(at, quoted(name) + " is a type of tine's own");
  }
  if (book_.find_data(name) != DataId::kNone) {
    return fail(at, "the type " + quoted(name) + " is declared twice");
  }
  DataId data = book_.add_data(DataRow{std::string(name), {}, true, {}});
  types_.push_back({index(data), pos_});
  return true;
}

bool Reader::read_main() {
  bool io = at_word("io") && !peek(1).first &&
            (peek(1).kind == BookTokenKind::kName ||
             peek(1).kind == BookTokenKind::kQuoted);
  if (io) pos_++;
  const BookToken& at = peek();
  std::string_view name;
  if (!want_name("the name of a definition", name)) return false;
  DefId def = book_.find_def(name);
  if (def == DefId::kNone) {
    return fail(at, "no definition is named " + quoted(name));
  }
  if (book_.main != DefId::kNone) {
    return fail(at, "a book has one `main`");
  }
  book_.main = def;
  book_.main_is_io = io;
  return want_line_end();
}

// ---- types ------------------------------------------------------------------

void Reader::read_types() {
  // Parameters first: a field may name a type declared below it.
  for (Place& place : types_) {
    pos_ = place.pos;
    DataRow& row = book_.datas[place.id];
    if (!read_type_params(row)) {
      skip_declaration();
    } else if (at_word("plain") && !peek().first) {
      row.counted = false;
      pos_++;
    }
    place.pos = pos_;
  }
  for (const Place& place : types_) {
    pos_ = place.pos;
    read_type_body(static_cast<DataId>(place.id));
  }
}

bool Reader::read_type_params(DataRow& row) {
  if (!take_sign("<")) return true;
  std::unordered_map<std::string_view, bool> seen;
  do {
    const BookToken& at = peek();
    std::string_view name;
    if (!want_name("the name of a type parameter", name)) return false;
    if (!seen.emplace(name, true).second) {
      return fail(at, "the type parameter " + quoted(name) + " stands twice");
    }
    row.params.emplace_back(name);
    if (row.params.size() > kMaxTypeParams) {
      return fail(at, "a type takes at most " +
                          std::to_string(kMaxTypeParams) + " parameters");
    }
  } while (take_sign(","));
  return want_sign(">", "behind the type parameters");
}

bool Reader::read_type_body(DataId data) {
  auto ended = [&] {
    return peek().kind == BookTokenKind::kEnd ||
           (peek().first && peek().column == 1);
  };
  if (ended()) return true;
  if (!want_sign("=", "or the end of the type")) return false;
  do {
    if (!read_ctor(data)) return false;
  } while (take_sign("|"));
  if (ended()) return true;
  return fail("expected `|`, a field in parentheses or the end of the type");
}

bool Reader::read_ctor(DataId data) {
  const BookToken& at = peek();
  std::string_view name;
  if (!want_name("the name of a constructor", name)) return false;
  if (book_.find_ctor(name) != CtorId::kNone) {
    return fail(at, "the constructor " + quoted(name) + " is declared twice");
  }
  std::vector<Field> fields;
  while (at_sign("(")) {
    if (!read_field(book_.data(data), fields)) return false;
  }
  book_.add_ctor(data, std::string(name), std::move(fields));
  return true;
}

bool Reader::read_field(const DataRow& row, std::vector<Field>& fields) {
  std::string_view name;
  Field field;
  if (!want_sign("(", "before a field") ||
      !want_name("the name of a field", name) ||
      !want_sign(":", "behind the name of a field") ||
      !read_type(row.params, 0, field.type) ||
      !want_sign(")", "behind a field")) {
    return false;
  }
  field.name = name;
  fields.push_back(std::move(field));
  return true;
}

// Types that are words of the text form. False where `name` is none.
bool Reader::word_type(std::string_view name, Type& type) {
  static constexpr std::pair<std::string_view, TypeKind> kWords[] = {
      {"U32", TypeKind::kU32},     {"F32", TypeKind::kF32},
      {"Nat", TypeKind::kNat},     {"Char", TypeKind::kChar},
      {"Any", TypeKind::kAny},     {"Array", TypeKind::kArray},
      {"Fn", TypeKind::kFn}};
  for (auto& [word, kind] : kWords) {
    if (word != name) continue;
    type.kind = kind;
    return true;
  }
  return false;
}

bool Reader::read_type_args(const std::vector<std::string>& params, int depth,
                            std::vector<TypeId>& args) {
  if (!take_sign("<")) return true;
  do {
    TypeId arg = TypeId::kNone;
    if (!read_type(params, depth + 1, arg)) return false;
    args.push_back(arg);
  } while (take_sign(","));
  return want_sign(">", "behind type arguments");
}

bool Reader::read_type(const std::vector<std::string>& params, int depth,
                       TypeId& made) {
  const BookToken& at = peek();
  if (depth >= static_cast<int>(kMaxTypeDepth)) {
    return fail("types nest at most " + std::to_string(kMaxTypeDepth) +
                " deep");
  }
  std::string_view name;
  if (!want_name("a type", name)) return false;
  for (std::size_t i = 0; i < params.size(); i++) {
    if (params[i] != name) continue;
    auto which = static_cast<std::uint32_t>(i);
    made = book_.intern(Type{TypeKind::kParam, which, {}});
    return true;
  }
  Type type;
  if (!read_type_args(params, depth, type.args)) return false;
  std::size_t arity = 0;
  if (at.kind == BookTokenKind::kName && word_type(name, type)) {
    arity = type.kind == TypeKind::kFn ? 2 : type.kind == TypeKind::kArray;
  } else {
    DataId data = book_.find_data(name);
    if (data == DataId::kNone || data == kDataArray) {
      return fail(at, "no type is named " + quoted(name));
    }
    type.kind = TypeKind::kData;
    type.data = index(data);
    arity = book_.data(data).params.size();
  }
  if (type.args.size() != arity) {
    return fail(at, "the type " + quoted(name) + " takes " +
                        std::to_string(arity) +
                        (arity == 1 ? " argument, not " : " arguments, not ") +
                        std::to_string(type.args.size()));
  }
  made = book_.intern(type);
  return true;
}

// ---- definitions ------------------------------------------------------------

void Reader::read_heads() {
  for (const Place& place : heads_) {
    pos_ = place.pos;
    if (read_head(static_cast<DefId>(place.id))) {
      bodies_.push_back({place.id, pos_});
    }
  }
}

bool Reader::read_head(DefId def) {
  DefRow& row = book_.def(def);
  row.origin = row.name;
  row.result = kTypeAny;
  std::unordered_map<std::string_view, bool> seen;
  while (take_sign("(")) {
    const BookToken& at = peek();
    std::string_view name;
    TypeId type = kTypeAny;
    if (!want_name("the name of a parameter", name)) return false;
    if (!seen.emplace(name, true).second) {
      return fail(at, "the parameter " + quoted(name) + " stands twice");
    }
    if (!want_sign(":", "behind the name of a parameter") ||
        !read_type({}, 0, type) ||
        !want_sign(")", "behind a parameter")) {
      return false;
    }
    row.wires.push_back({std::string(name), type});
    row.params++;
  }
  return want_sign("->", "or a parameter in parentheses") &&
         read_type({}, 0, row.result) && read_head_tail(row);
}

bool Reader::read_head_tail(DefRow& row) {
  if (!peek().first && take_sign("@")) {
    if (peek().kind != BookTokenKind::kString) {
      return fail("expected a place as text in double quotes");
    }
    row.place = next().text;
  }
  if (!peek().first && at_word("as")) {
    pos_++;
    std::string_view origin;
    if (!want_name("the name of the source definition", origin)) return false;
    row.origin = origin;
  }
  return want_line_end();
}

void Reader::read_bodies() {
  for (const Place& place : bodies_) {
    pos_ = place.pos;
    DefRow& row = book_.def(static_cast<DefId>(place.id));
    if (peek().kind == BookTokenKind::kEnd || peek().column == 1) continue;
    row.defined = true;
    BodyReader(*this, row).run();
    if (errors_.size() >= kMaxBookErrors) return;
  }
}

std::vector<BookError> read_book(std::string_view text, Book& book) {
  return Reader(text, book).run();
}

}  // namespace tine
