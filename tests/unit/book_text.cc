// The text form: printing, reading back, and what it keeps.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "compiler/book/text.h"

using namespace tine;

namespace {

// The text of the book that `text` stands for; its errors where it has some.
std::string again(std::string_view text) {
  Book book;
  for (const BookError& error : read_book(text, book)) {
    return std::to_string(error.line) + ":" + std::to_string(error.column) +
           ": " + error.text;
  }
  return print_book(book);
}

// A text in the printer's own layout is printed back to itself.
void keeps(std::string_view text) { CHECK(again(text) == std::string(text)); }

}  // namespace

TEST_CASE("types: parameters, fields, kinds") {
  keeps(
      "type Sigma<A, B> = Tuple (fst: A) (snd: B)\n"
      "type Bool = False | True\n"
      "type Two plain = Two (a: Array<U32>) (s: Sigma<Bool, Fn<Nat, Any>>)\n"
      "type File plain\n"
      "type Empty\n"
      "type Rose<T> = Rose (value: T) (kids: List<Rose<T>>)\n"
      "type List<T> = Nil | Con (head: T) (tail: List<T>)\n");
}

TEST_CASE("literals survive") {
  keeps(
      "type String = SNil | SCon (head: Char) (tail: String)\n"
      "\n"
      "f -> String\n"
      "  a   = 4294967295\n"
      "  b   = 281474976710655n\n"
      "  c   = f32 0x7fc00000\n"
      "  d   = '\\''\n"
      "  e   = '\\u{110000}'\n"
      "  g   = 'ä'\n"
      "  out = \"a\\\"b'\\n\\0\\\\\\u{1b}\\xff é\"\n");
}

TEST_CASE("every statement and arm") {
  keeps(
      "type String = SNil | SCon (head: Char) (tail: String)\n"
      "type Unit = Unit\n"
      "type IO.OP<R> plain = Emit (value: R) | Halt (code: U32) "
      "(text: String)\n"
      "type List<T> = Nil | Con (head: T) (tail: List<T>)\n"
      "\n"
      "main io f\n"
      "\n"
      "f (k: Fn<Unit, IO.OP<Unit>>) -> IO.OP<Unit> @ \"a b.bend:7\" as f.src\n"
      "  u   = Unit\n"
      "  drop u\n"
      "  s   = \"x\"\n"
      "  out = effect IO.print s k\n"
      "\n"
      "g (n: Nat) (xs: List<U32>) (c: Char) (b: F32) -> U32\n"
      "  match n\n"
      "    0n:      f = closure g\n"
      "             par\n"
      "               l = call! g n xs c b\n"
      "               r = apply f n\n"
      "             out = u32.add l r\n"
      "    3n:      match xs\n"
      "               Nil:      out = xs\n"
      "               Con h t:  out = h\n"
      "    1n+p:    match c\n"
      "               'c':     match b\n"
      "                          f32 0x3f800000:\n"
      "                            out = b\n"
      "                          else (y: Any):\n"
      "                            out = y\n"
      "               else y:  out = y\n"
      "    else m:  v: Any = m\n"
      "             ys: List<U32> = Nil\n"
      "             out    = call g v ys c b\n");
}

TEST_CASE("names of odd characters stand in backquotes") {
  keeps(
      "type `A B`<`T 1`> = `c d` (`x y`: `T 1`)\n"
      "type `Nat`\n"
      "\n"
      "main `List.map<U32>`\n"
      "\n"
      "`List.map<U32>` (`take`: `Nat`) (`u32.add`: U32) (w: U32) -> U32 as "
      "List.map\n"
      "  `a\\`b` = `c d` `u32.add`\n"
      "  out    = `take`\n");
}

TEST_CASE("a def without a body is declared only") {
  Book book;
  CHECK(read_book("f (a: U32) -> U32\ng -> U32\n  out = 1\n", book).empty());
  CHECK_FALSE(book.def(book.find_def("f")).defined);
  CHECK(book.def(book.find_def("g")).defined);
  keeps("f (a: U32) -> U32\n\ng -> U32\n  out = 1\n");
}

TEST_CASE("wires of one path that share a name get a suffix") {
  Book book;
  DefRow& def = book.def(book.add_def("f"));
  def.origin = "f";
  def.params = 1;
  def.result = kTypeU32;
  def.wires = {{"x", kTypeU32}, {"x", kTypeU32}, {"x", kTypeU32},
               {"", kTypeU32}};
  def.defined = true;
  auto stmt = [](Op op, std::vector<Wire> outs, std::vector<Wire> ins) {
    Stmt made;
    made.op = op;
    made.outs = std::move(outs);
    made.ins = std::move(ins);
    return made;
  };
  Stmt add = stmt(Op::kPrim, {Wire{3}}, {Wire{1}, Wire{2}});
  add.prim = Prim::kU32Add;
  def.block = {stmt(Op::kCopy, {Wire{1}, Wire{2}}, {Wire{0}}), add,
               stmt(Op::kMove, {Wire::kOut}, {Wire{3}})};
  CHECK(print_book(book) ==
        "f (x: U32) -> U32\n"
        "  x_2, x_3 = copy x\n"
        "  w        = u32.add x_2 x_3\n"
        "  out      = w\n");
  CHECK(again(print_book(book)) == print_book(book));
}

TEST_CASE("a book built by hand and one read from text are the same") {
  Book book;
  CHECK(read_book("type Box<T> = Box (x: T)\n"
                  "f (a: Box<U32>) -> U32 @ \"m.bend:3\" as g\n"
                  "  x   = take Box a   # the only field\n"
                  "  out = x\n"
                  "main f\n",
                  book)
            .empty());
  const DefRow& def = book.def(book.main);
  CHECK(def.name == "f");
  CHECK(def.origin == "g");
  CHECK(def.place == "m.bend:3");
  CHECK_FALSE(book.main_is_io);
  REQUIRE(def.wires.size() == 2);
  CHECK(book.show(def.wires[0].type) == "Box<U32>");
  CHECK(def.wires[1].type == kTypeU32);
  REQUIRE(def.block.size() == 2);
  CHECK(def.block[0].op == Op::kTake);
  CHECK(def.block[0].ins == std::vector<Wire>{Wire{0}});
  CHECK(def.block[0].outs == std::vector<Wire>{Wire{1}});
  CHECK(def.block[1].outs == std::vector<Wire>{Wire::kOut});
}
