// Verifies a book: tables first, then each definition by itself.
#include <string>
#include <utility>

#include "compiler/book/token.h"
#include "compiler/book/verifier.h"

namespace tine {

namespace {

std::string quoted(std::string_view name) { return quote_text(name, '`'); }

std::size_t arity_of(const Book& book, const Type& type) {
  switch (type.kind) {
    case TypeKind::kData: return book.datas[type.data].params.size();
    case TypeKind::kArray: return 1;
    case TypeKind::kFn: return 2;
    default: return 0;
  }
}

// Which types hold no parameter of a declaration.
std::vector<bool> closed_types(const Book& book) {
  std::vector<bool> closed;
  for (const Type& type : book.types) {
    bool all = type.kind != TypeKind::kParam;
    for (TypeId arg : type.args) all = all && closed[index(arg)];
    closed.push_back(all);
  }
  return closed;
}

void check_main(const Book& book, PortTypes& ports,
                std::vector<BookError>& errors) {
  if (book.main == DefId::kNone) return;
  if (index(book.main) >= book.defs.size()) {
    errors.push_back({0, 0, "`main` names no definition"});
    return;
  }
  const DefRow& def = book.def(book.main);
  auto fail = [&](std::string text) {
    errors.push_back({def.line, def.column, std::move(text)});
  };
  std::string name = quoted(def.name);
  if (!book.main_is_io) {
    if (def.params > 0) fail("main " + name + ": it takes no parameters");
    return;
  }
  TypeId request = ports.named("IO.OP", {kTypeAny});
  bool takes = def.params == 1 && request != TypeId::kNone &&
               def.result != kTypeAny && ports.fits(def.result, request) &&
               book.type(def.wires[0].type).kind == TypeKind::kFn;
  if (takes) {
    TypeId after = book.type(def.wires[0].type).args[1];
    takes = after != kTypeAny && ports.fits(after, request);
  }
  if (takes) return;
  fail("main io " + name +
       ": it takes one continuation `Fn<A, IO.OP<R>>` and gives `IO.OP<R>`");
}

}  // namespace

// ---- tables -----------------------------------------------------------------

bool TableVerifier::run() {
  std::size_t before = errors_.size();
  check_types();
  if (errors_.size() > before) return false;
  check_datas();
  for (std::size_t i = 0; i < book_.ctors.size(); i++) check_ctor(i);
  return errors_.size() == before;
}

void TableVerifier::check_types() {
  for (std::size_t i = 0; i < book_.types.size(); i++) check_type(i);
}

void TableVerifier::check_type(std::size_t at) {
  const Type& type = book_.types[at];
  bool data = type.kind == TypeKind::kData;
  if (data && (type.data >= book_.datas.size() ||
               type.data == index(kDataArray))) {
    return fail("a type names a declaration that the book does not hold");
  }
  for (TypeId arg : type.args) {
    if (index(arg) >= at) return fail("the types of the book are out of order");
  }
  if (type.args.size() == arity_of(book_, type)) return;
  fail("the type " + quoted(book_.show(static_cast<TypeId>(at))) +
       " has the wrong number of arguments");
}

void TableVerifier::check_datas() {
  for (std::size_t i = 0; i < book_.datas.size(); i++) {
    const DataRow& row = book_.datas[i];
    if (index(book_.find_data(row.name)) != i) {
      fail("the type " + quoted(row.name) + " is declared twice");
    }
    for (std::size_t tag = 0; tag < row.ctors.size(); tag++) {
      std::size_t ctor = index(row.ctors[tag]);
      bool right = ctor < book_.ctors.size() &&
                   index(book_.ctors[ctor].data) == i &&
                   book_.ctors[ctor].tag == tag;
      if (right) continue;
      fail("the constructors of " + quoted(row.name) + " are mixed");
    }
  }
}

void TableVerifier::check_ctor(std::size_t at) {
  const CtorRow& ctor = book_.ctors[at];
  if (index(book_.find_ctor(ctor.name)) != at) {
    fail("the constructor " + quoted(ctor.name) + " is declared twice");
  }
  if (index(ctor.data) >= book_.datas.size()) {
    return fail("the constructor " + quoted(ctor.name) + " has no type");
  }
  for (const Field& field : ctor.fields) check_field(ctor, field);
}

void TableVerifier::check_field(const CtorRow& ctor, const Field& field) {
  std::string where = "the field " + quoted(field.name) + " of " +
                      quoted(ctor.name);
  if (index(field.type) >= book_.types.size()) {
    return fail(where + " has no type");
  }
  std::size_t params = book_.data(ctor.data).params.size();
  std::vector<TypeId> work = {field.type};
  while (!work.empty()) {
    const Type& type = book_.type(work.back());
    work.pop_back();
    if (type.kind == TypeKind::kParam && type.data >= params) {
      return fail(where + " names a type parameter that is not there");
    }
    work.insert(work.end(), type.args.begin(), type.args.end());
  }
}

// ---- the book ---------------------------------------------------------------

std::vector<BookError> verify_book(const Book& book) {
  std::vector<BookError> errors;
  if (!TableVerifier(book, errors).run()) return errors;
  Book scratch = book.without_defs();
  PortTypes ports(scratch, book);
  for (std::size_t i = 0; i < book.types.size(); i++) {
    if (!ports.too_deep(static_cast<TypeId>(i))) continue;
    errors.push_back({0, 0, "types nest at most " +
                                std::to_string(kMaxTypeDepth) + " deep"});
    return errors;
  }
  std::vector<bool> closed = closed_types(book);
  // Heads first: a call reads the head of a def that may stand below it.
  DefVerifier verifier(book, ports, closed, errors);
  for (const DefRow& def : book.defs) verifier.check_head(def);
  if (!errors.empty()) return errors;
  check_main(book, ports, errors);
  for (const DefRow& def : book.defs) {
    verifier.run(def);
    if (errors.size() >= kMaxVerifyErrors) break;
  }
  if (errors.size() > kMaxVerifyErrors) errors.resize(kMaxVerifyErrors);
  return errors;
}

}  // namespace tine
