// The tables of a book: interning, names, substitution, builtin rows.
#include <doctest/doctest.h>

#include "runtime/book/book.h"

using namespace tine;

namespace {

TypeId array_of(Book& book, TypeId cell) {
  return book.intern(Type{TypeKind::kArray, 0, {cell}});
}

}  // namespace

TEST_CASE("builtin rows have their constant ids") {
  Book book;
  CHECK(book.show(kTypeU32) == "U32");
  CHECK(book.show(kTypeF32) == "F32");
  CHECK(book.show(kTypeNat) == "Nat");
  CHECK(book.show(kTypeChar) == "Char");
  CHECK(book.show(kTypeAny) == "Any");
  CHECK(book.find_data("Array") == kDataArray);
  CHECK(book.find_ctor("ALeaf") == kCtorALeaf);
  CHECK(book.find_ctor("ANode") == kCtorANode);
  CHECK(book.main == DefId::kNone);
}

TEST_CASE("equal types have one id") {
  Book book;
  TypeId a = array_of(book, kTypeU32);
  CHECK(array_of(book, kTypeU32) == a);
  CHECK(array_of(book, kTypeNat) != a);
  CHECK(book.show(array_of(book, a)) == "Array<Array<U32>>");
  CHECK(book.data_of(a) == kDataArray);
  CHECK(book.data_of(kTypeU32) == DataId::kNone);
}

TEST_CASE("field types under type arguments") {
  Book book;
  DataId sigma = book.add_data(DataRow{"Sigma", {"A", "B"}, true, {}});
  TypeId a = book.intern(Type{TypeKind::kParam, 0, {}});
  TypeId b = book.intern(Type{TypeKind::kParam, 1, {}});
  CtorId tuple = book.add_ctor(sigma, "Tuple", {{"fst", a}, {"snd", b}});
  TypeId cells = array_of(book, kTypeU32);
  TypeId at = book.intern(
      Type{TypeKind::kData, index(sigma), {cells, kTypeNat}});
  CHECK(book.show(at) == "Sigma<Array<U32>, Nat>");
  CHECK(book.field_type(at, tuple, 0) == cells);
  CHECK(book.field_type(at, tuple, 1) == kTypeNat);
  CHECK(book.field_type(kTypeAny, tuple, 1) == kTypeAny);
  CHECK(book.field_type(array_of(book, cells), kCtorALeaf, 0) == cells);
  CHECK(book.field_type(cells, kCtorANode, 1) == cells);
  book.link_known();
  CHECK(book.known.tuple == tuple);
  CHECK(book.known.none == CtorId::kNone);
}

TEST_CASE("names find the first row, and a def is declared once") {
  Book book;
  DefId f = book.add_def("f");
  CHECK(book.add_def("f") == f);
  CHECK(book.find_def("f") == f);
  CHECK(book.find_def("g") == DefId::kNone);
  CHECK_FALSE(book.def(f).defined);
  DataId one = book.add_data(DataRow{"One", {}, true, {}});
  CtorId first = book.add_ctor(one, "C", {});
  CtorId second = book.add_ctor(one, "C", {});
  CHECK(book.find_ctor("C") == first);
  CHECK(book.ctor(second).tag == 1);
}

TEST_CASE("primitives and effects are found by name") {
  CHECK(find_prim("u32.add") == Prim::kU32Add);
  CHECK(find_prim("array.atomic.cas") == Prim::kAtomicCas);
  CHECK(find_prim("u32.nope") == Prim::kCount);
  CHECK(find_effect("IO.print") == Effect::kPrint);
  CHECK(find_effect("") == Effect::kCount);
  for (std::size_t i = 0; i < static_cast<std::size_t>(Prim::kCount); i++) {
    CHECK(find_prim(prim_row(static_cast<Prim>(i)).name) ==
          static_cast<Prim>(i));
  }
}

TEST_CASE("a copy without definitions keeps every id") {
  Book book;
  TypeId a = array_of(book, kTypeNat);
  book.add_def("f");
  Book copy = book.without_defs();
  CHECK(array_of(copy, kTypeNat) == a);
  CHECK(copy.find_def("f") == DefId::kNone);
  CHECK(copy.find_ctor("ANode") == kCtorANode);
}

TEST_CASE("known constructors need the known shape of their type") {
  Book book;
  DataId list = book.add_data(DataRow{"List", {"T"}, true, {}});
  TypeId item = book.intern(Type{TypeKind::kParam, 0, {}});
  TypeId rest = book.intern(Type{TypeKind::kData, index(list), {item}});
  book.add_ctor(list, "Nil", {});
  book.link_known();
  CHECK(book.known.nil == CtorId::kNone);
  CtorId con = book.add_ctor(list, "Con", {{"head", item}, {"tail", rest}});
  book.link_known();
  CHECK(book.has_known_shape(list));
  CHECK(book.known.con == con);

  DataId other = book.add_data(DataRow{"Mine", {}, true, {}});
  book.add_ctor(other, "True", {});
  book.link_known();
  CHECK(book.known.true_ == CtorId::kNone);
  CHECK_FALSE(book.has_known_shape(other));
  CHECK(known_shape("Bool")->ctors == "False | True");
  CHECK(known_shape("Mine") == nullptr);
}
