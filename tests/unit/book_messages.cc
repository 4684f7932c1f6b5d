// Every message of the reader and the verifier, with its place.
//
// tests/net/bad holds one book per message that a text can provoke: its first
// line gives the place, its second the message. What only a broken table can
// provoke is built here.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compiler/book/text.h"

using namespace tine;

namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string shown(const BookError& error) {
  return std::to_string(error.line) + ":" + std::to_string(error.column) +
         " " + error.text;
}

// The first message of a text, "" when it is right.
std::string first_error(std::string_view text) {
  Book book;
  std::vector<BookError> errors = read_book(text, book);
  if (errors.empty()) errors = verify_book(book);
  return errors.empty() ? "" : shown(errors[0]);
}

std::vector<std::string> all_errors(const Book& book) {
  std::vector<std::string> made;
  for (const BookError& error : verify_book(book)) made.push_back(error.text);
  return made;
}

// A right book of one def `f (x: U32) -> U32`, broken by `edit`, must give
// `message` among its errors.
void breaks(const std::string& message,
            const std::function<void(Book&, DefRow&)>& edit) {
  Book book;
  REQUIRE(read_book("type Box = Box (x: U32)\n"
                    "f (x: U32) -> U32\n"
                    "  b   = Box x\n"
                    "  y   = take Box b\n"
                    "  out = u32.inc y\n",
                    book)
              .empty());
  edit(book, book.def(book.find_def("f")));
  std::vector<std::string> errors = all_errors(book);
  CHECK_MESSAGE(std::count(errors.begin(), errors.end(), message) == 1,
                message, " among ", errors.size(), ", first: ",
                errors.empty() ? "" : errors[0]);
}

}  // namespace

TEST_CASE("one book per message") {
  std::size_t files = 0;
  std::string folder = TINE_SOURCE_DIR "/tests/net/bad";
  for (auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".net") continue;
    files++;
    std::string text = file_text(entry.path());
    std::istringstream lines(text);
    std::string place, message;
    std::getline(lines, place);
    do {  // places of later errors
      std::getline(lines, message);
    } while (message.starts_with("#! "));
    REQUIRE(place.starts_with("#! "));
    REQUIRE(message.starts_with("# "));
    CHECK_MESSAGE(first_error(text) == place.substr(3) + " " +
                                           message.substr(2),
                  entry.path().filename().string());
  }
  CHECK(files > 100);
}

TEST_CASE("the books of tests/net verify, and print back to themselves") {
  std::size_t files = 0;
  std::string folder = TINE_SOURCE_DIR "/tests/net";
  for (auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".net") continue;
    files++;
    std::string text = file_text(entry.path());
    CHECK_MESSAGE(first_error(text) == "", entry.path().filename().string());
    Book book, again;
    read_book(text, book);
    std::string printed = print_book(book);
    CHECK(read_book(printed, again).empty());
    CHECK(verify_book(again).empty());
    CHECK_MESSAGE(print_book(again) == printed,
                  entry.path().filename().string());
  }
  CHECK(files > 5);
}

TEST_CASE("reading goes on at the next declaration") {
  Book book;
  std::vector<BookError> errors = read_book(
      "type T = A B\n"
      "f (x U32) -> U32\n"
      "  out = x\n"
      "g -> U32\n"
      "  out = call h\n"
      "k -> U32\n"
      "  out = 'ab'\n",
      book);
  REQUIRE(errors.size() == 4);
  // The scanner's messages come first, the rest by kind of declaration.
  CHECK(shown(errors[0]) == "7:9 a character literal holds one character");
  CHECK(errors[1].line == 1);
  CHECK(errors[2].line == 2);
  CHECK(errors[3].line == 5);
}

TEST_CASE("columns count code points") {
  CHECK(first_error("f -> U32\n  `ä€😀` = 1 2\n") ==
        "2:13 expected the end of the line");
}

TEST_CASE("errors are at most a hundred") {
  std::string text;
  for (int i = 0; i < 1000; i++) text += "f" + std::to_string(i) + " = 5\n";
  Book book;
  CHECK(read_book(text, book).size() == 100);
  std::string twice;
  for (int i = 0; i < 1000; i++) {
    twice += "f" + std::to_string(i) + " (x: U32) -> U32\n  out = 1\n";
  }
  Book other;
  CHECK(read_book(twice, other).empty());
  CHECK(verify_book(other).size() == 100);
}

TEST_CASE("nesting has limits") {
  std::string type;
  for (int i = 0; i < 100000; i++) type += "Array<";
  CHECK(first_error("f (x: " + type + ") -> U32\n  out = 1\n") ==
        "1:1207 types nest at most 200 deep");

  std::string text = "f (n: Nat) -> U32\n";
  std::string pad = "  ";
  for (int i = 0; i < 2501; i++) {
    text += pad + "match n\n" + pad + " 1n+n" + std::to_string(i) + ":\n";
    pad += "  ";
  }
  CHECK(first_error(text) == "5002:5003 matches nest at most 2500 deep");

  std::string params;
  for (int i = 0; i < 256; i++) {
    params += (i == 0 ? "A" : ", A") + std::to_string(i);
  }
  CHECK(first_error("type T<" + params + "> = C\n") ==
        "1:1428 a type takes at most 255 parameters");
}

TEST_CASE("matches as deep as the limit go through") {
  std::string text = "f (x0: U32) -> U32\n";
  std::string pad = "  ";
  for (std::size_t i = 0; i < 2500; i++) {
    text += pad + "match x" + std::to_string(i) + "\n" + pad + " else x" +
            std::to_string(i + 1) + ":\n";
    pad += "  ";
  }
  text += pad + "out = x2500\n";
  CHECK(first_error(text) == "");
  Book book, again;
  REQUIRE(read_book(text, book).empty());
  CHECK(read_book(print_book(book), again).empty());
}

TEST_CASE("a type that grows at every unfolding stops at its limit") {
  std::string text =
      "type P<A, B> = P (a: A) (b: B)\n"
      "type D<A> = D (next: D<P<A, A>>)\n"
      "f (d0: D<U32>) -> U32\n";
  for (int i = 0; i < 300; i++) {
    text += "  d" + std::to_string(i + 1) + " = take D d" + std::to_string(i) +
            "\n";
  }
  CHECK(first_error(text) ==
        "202:3 the type of its result nests deeper than 200");
  std::string arms =
      "type P<A, B> = P (a: A) (b: B)\n"
      "type D<A> = D (next: D<P<A, A>>)\n"
      "f (d0: D<U32>) -> U32\n";
  std::string pad = "  ";
  for (int i = 0; i < 300; i++) {
    arms += pad + "match d" + std::to_string(i) + "\n";
    arms += pad + " D d" + std::to_string(i + 1) + ":\n";
    pad += "  ";
  }
  CHECK(first_error(arms) ==
        "401:400 the type of a field nests deeper than 200");
  // Its values can be copied: nothing in them has one owner.
  CHECK(first_error("type P<A, B> = P (a: A) (b: B)\n"
                    "type D<A> = End | D (next: D<P<A, A>>) (a: A)\n"
                    "f (d: D<U32>) -> D<U32>\n"
                    "  a, b = copy d\n"
                    "  drop a\n"
                    "  out  = b\n") == "");
  CHECK(first_error("type P<A, B> = P (a: A) (b: B)\n"
                    "type D<A> = End | D (next: D<P<A, A>>) (a: A)\n"
                    "f (d: D<Array<U32>>) -> D<Array<U32>>\n"
                    "  a, b = copy d\n"
                    "  drop a\n"
                    "  out  = b\n") ==
        "4:3 in `f`, at `a, b = copy d`: a value of type D<Array<U32>> has "
        "one owner: it cannot be copied");
}

TEST_CASE("copying looks only at what a value can hold") {
  // A phantom parameter, and one behind another type.
  CHECK(first_error("type Tag<A> = Tag (n: U32)\n"
                    "f (t: Tag<Array<U32>>) -> Tag<Array<U32>>\n"
                    "  a, b = copy t\n"
                    "  drop a\n"
                    "  out  = b\n") == "");
  CHECK(first_error("type In<A> = In (a: A)\n"
                    "type Out<A> = Out (a: In<In<A>>)\n"
                    "type Far = Far (a: Out<Fn<U32, U32>>)\n"
                    "f (t: Far) -> U32\n"
                    "  a, b = copy t\n"
                    "  drop a\n"
                    "  drop b\n"
                    "  out  = 1\n") ==
        "5:3 in `f`, at `a, b = copy t`: a value of type Far has one owner: "
        "it cannot be copied");
  CHECK(first_error("f (x: Any) -> Any\n"
                    "  a, b = copy x\n"
                    "  drop a\n"
                    "  out  = b\n") == "");
}

TEST_CASE("a match without arms closes a path") {
  CHECK(first_error("type Empty\n"
                    "f (e: Empty) (a: Array<U32>) -> U32\n"
                    "  match e\n") == "");
}

TEST_CASE("broken tables are refused") {
  breaks("the types of the book are out of order", [](Book& book, DefRow&) {
    book.types.push_back(Type{TypeKind::kArray, 0, {TypeId{9999}}});
  });
  breaks("a type names a declaration that the book does not hold",
         [](Book& book, DefRow&) {
           book.intern(Type{TypeKind::kData, 77, {}});
         });
  breaks("the type `Fn<U32>` has the wrong number of arguments",
         [](Book& book, DefRow&) {
           book.intern(Type{TypeKind::kFn, 0, {kTypeU32}});
         });
  breaks("the type `Box` is declared twice", [](Book& book, DefRow&) {
    book.add_data(DataRow{"Box", {}, true, {}});
  });
  breaks("the constructor `Box` is declared twice", [](Book& book, DefRow&) {
    book.add_ctor(book.add_data(DataRow{"T", {}, true, {}}), "Box", {});
  });
  breaks("the constructors of `Box` are mixed", [](Book& book, DefRow&) {
    book.ctors[index(book.find_ctor("Box"))].tag = 3;
  });
  breaks("the constructor `Box` has no type", [](Book& book, DefRow&) {
    book.ctors[index(book.find_ctor("Box"))].data = DataId::kNone;
  });
  breaks("the field `x` of `Box` has no type", [](Book& book, DefRow&) {
    book.ctors[index(book.find_ctor("Box"))].fields[0].type = TypeId::kNone;
  });
  breaks("the field `x` of `Box` names a type parameter that is not there",
         [](Book& book, DefRow&) {
           TypeId param = book.intern(Type{TypeKind::kParam, 0, {}});
           book.ctors[index(book.find_ctor("Box"))].fields[0].type = param;
         });
  breaks("types nest at most 200 deep", [](Book& book, DefRow&) {
    TypeId id = kTypeU32;
    for (int i = 0; i < 300; i++) {
      id = book.intern(Type{TypeKind::kArray, 0, {id}});
    }
  });
  breaks("`main` names no definition",
         [](Book& book, DefRow&) { book.main = DefId{99}; });
}

TEST_CASE("broken definitions are refused") {
  breaks("in `f`: its result has no type",
         [](Book&, DefRow& def) { def.result = TypeId::kNone; });
  breaks("in `f`: its parameters are missing",
         [](Book&, DefRow& def) { def.params = 99; });
  breaks("in `f`: the wire `y` has no type",
         [](Book&, DefRow& def) { def.wires[2].type = TypeId::kNone; });
  breaks("in `f`: it is defined twice", [](Book& book, DefRow& def) {
    DefRow copy = def;
    book.defs.push_back(copy);
  });
  breaks("in `f`: a block is empty",
         [](Book&, DefRow& def) { def.block.clear(); });
  breaks("in `f`, at `a statement`: its constructor is not known",
         [](Book&, DefRow& def) { def.block[0].ctor = CtorId::kNone; });
  breaks("in `f`, at `a statement`: its primitive is not known",
         [](Book&, DefRow& def) { def.block[2].prim = Prim::kCount; });
  breaks("in `f`, at `a statement`: its element type is not known",
         [](Book&, DefRow& def) { def.block[2].type = TypeId{9999}; });
  breaks("in `f`, at `a statement`: its definition is not known",
         [](Book&, DefRow& def) { def.block[2].op = Op::kCall; });
  breaks("in `f`, at `a statement`: its effect is not known",
         [](Book&, DefRow& def) { def.block[2].op = Op::kEffect; });
  breaks("in `f`, at `out = u32.inc y`: the wire `y` is used before it is "
         "defined",
         [](Book&, DefRow& def) {
           def.block.erase(def.block.begin() + 1);
         });
  breaks("in `f`, at `out = u32.inc ?`: the wire `?` cannot be used",
         [](Book&, DefRow& def) { def.block[2].ins = {Wire{99}}; });
  breaks("in `f`, at `x = Box x`: the wire `x` is defined twice",
         [](Book&, DefRow& def) { def.block[0].outs = {Wire{0}}; });
  breaks("in `f`, at `? = Box x`: a wire is defined that the definition does "
         "not list",
         [](Book&, DefRow& def) { def.block[0].outs = {Wire{99}}; });
  breaks("in `f`, at `y, y = take Box b`: it defines 1 wire, not 2",
         [](Book&, DefRow& def) {
           def.block[1].outs = {Wire{2}, Wire{2}};
         });
  breaks("in `f`, at `out = 4294967296`: the number is too large",
         [](Book&, DefRow& def) {
           def.block[2] = Stmt{};
           def.block[2].op = Op::kU32;
           def.block[2].num = std::uint64_t{1} << 32;
           def.block[2].outs = {Wire::kOut};
         });
}

TEST_CASE("broken matches and parallel lets are refused") {
  auto match = [](DefRow& def) -> Stmt& {
    Stmt stmt;
    stmt.op = Op::kMatch;
    stmt.ins = {Wire{2}};
    def.block[2] = stmt;
    return def.block[2];
  };
  breaks("in `f`, at `match y`: the constructor of an arm is not known",
         [&](Book&, DefRow& def) { match(def).arms.emplace_back(); });
  breaks("in `f`, at `match y`: the arm `Box` does not match U32",
         [&](Book& book, DefRow& def) {
           Arm arm;
           arm.ctor = book.find_ctor("Box");
           match(def).arms = {arm};
         });
  breaks("in `f`, at `match y: else`: it binds 1 wires, not 0",
         [&](Book&, DefRow& def) {
           Arm arm;
           arm.kind = ArmKind::kElse;
           match(def).arms = {arm};
         });
  breaks("in `f`, at `match y: else`: an arm cannot bind `out`",
         [&](Book&, DefRow& def) {
           Arm arm;
           arm.kind = ArmKind::kElse;
           arm.binds = {Wire::kOut};
           match(def).arms = {arm};
         });
  breaks("in `f`, at `out = match y`: it defines 0 wires, not 1",
         [&](Book&, DefRow& def) { match(def).outs = {Wire::kOut}; });
  breaks("in `f`, at `match z: else`: matches nest at most 2500 deep",
         [&](Book&, DefRow& def) {
           def.wires.resize(2700, WireRow{"z", kTypeU32});
           Block inner = {Stmt{}};
           for (std::uint32_t i = 2600; i-- > 0;) {
             Arm arm;
             arm.kind = ArmKind::kElse;
             arm.binds = {Wire{i + 20}};
             arm.block = std::move(inner);
             Stmt stmt;
             stmt.op = Op::kMatch;
             stmt.ins = {Wire{i == 0 ? 0 : i + 19}};
             stmt.arms.push_back(std::move(arm));
             inner = Block{};
             inner.push_back(std::move(stmt));
           }
           def.block = std::move(inner);
         });
  breaks("in `f`, at `par`: `par` defines one wire per call and takes none "
         "itself",
         [](Book&, DefRow& def) {
           def.block[1] = Stmt{};
           def.block[1].op = Op::kPar;
           def.block[1].outs = {Wire{2}};
         });
  breaks("in `f`, at `out = u32.inc y`: `par` holds calls and applications "
         "only",
         [](Book&, DefRow& def) {
           Stmt par;
           par.op = Op::kPar;
           par.outs = {Wire{2}, Wire::kOut};
           par.calls = {def.block[1], def.block[2]};
           def.block = {def.block[0], par};
           def.block[1].calls[0].outs.clear();
         });
  breaks("in `f`, at `call f x`: a call of `par` defines the wire that `par` "
         "lists for it",
         [](Book& book, DefRow& def) {
           Stmt call;
           call.op = Op::kCall;
           call.def = book.find_def("f");
           call.ins = {Wire{0}};
           Stmt par;
           par.op = Op::kPar;
           par.outs = {Wire{1}, Wire{2}};
           par.calls = {call, call};
           par.calls[1].outs = {Wire{2}};
           def.block[0] = par;
         });
}
