#include "tests/fuzz/random_program.h"

#include <array>
#include <random>
#include <utility>

namespace tine::fuzz {
namespace {

enum class Ty : std::uint8_t {
  kU32, kNat, kBool, kMaybe, kList, kTree,  // used as often as one likes
  kPair, kArray, kFun,                      // once
};
constexpr int kDataTypes = 6, kTypes = 9;

const char* text_of(Ty type) {
  constexpr std::array<const char*, kTypes> kText = {
      "U32", "Nat", "Bool", "Maybe<&2, U32>", "List<&2, U32>", "Tree",
      "Array<U32> & U32", "Array<U32>", "U32 -> U32"};
  return kText[static_cast<std::size_t>(type)];
}

bool is_data(Ty type) { return static_cast<int>(type) < kDataTypes; }

// What every file has: a datatype, how values are shown, helpers.
constexpr const char* kPrelude = R"bend(import Base

type Tree is Data:
  Leaf{word: U32, flag: Bool}
  Fork{left: Tree, right: Tree}

def show.u32(x: U32) -> String:
  U32.show(x)

def show.nat(x: Nat) -> String:
  Nat.show(x)

def show.bool(x: Bool) -> String:
  Bool.show(x)

def show.maybe(x: Maybe<&2, U32>) -> String:
  match x:
    case None{}:
      "None"
    case Some{y}:
      "Some " ++ U32.show(y)

def show.list(x: List<&2, U32>) -> String:
  match x:
    case Nil{}:
      "."
    case Con{h, t}:
      U32.show(h) ++ " " ++ show.list(t)

def show.tree(x: Tree) -> String:
  match x:
    case Leaf{w, f}:
      U32.show(w) ++ Bool.show(f)
    case Fork{l, r}:
      "(" ++ show.tree(l) ++ " " ++ show.tree(r) ++ ")"

def show.words(x: List<U32>) -> String:
  match x:
    case Nil{}:
      "."
    case Con{h, t}:
      U32.show(h) ++ " " ++ show.words(t)

def show.array(x: Array<U32>) -> String:
  show.words(Array.to_list(U32, x))

def show.pair(x: Array<U32> & U32) -> String:
  (a, w) = x
  show.array(a) ++ "& " ++ U32.show(w)

def show.fun(f: U32 -> U32) -> String:
  U32.show(f(7))

def apply(f: U32 -> U32, x: U32) -> U32:
  f(x)

def twice(~f: U32 -> U32, x: U32) -> U32:
  f(f(x))

def sum(x: List<&2, U32>) -> U32:
  match x:
    case Nil{}:
      0
    case Con{h, t}:
      (h + sum(t) : U32)

def size(x: Tree) -> Nat:
  match x:
    case Leaf{_, _}:
      1n
    case Fork{l, r}:
      Nat.add(size(l), size(r))

def put(a: Array<U32>, i: U32, x: U32) -> Array<U32>:
  a[i] <- x

def same.u32(x: U32) -> U32:
  x

def same.nat(x: Nat) -> Nat:
  x

def same.bool(x: Bool) -> Bool:
  x

def same.maybe(x: Maybe<&2, U32>) -> Maybe<&2, U32>:
  x

def same.list(x: List<&2, U32>) -> List<&2, U32>:
  x

def same.tree(x: Tree) -> Tree:
  x

def same.pair(x: Array<U32> & U32) -> Array<U32> & U32:
  x
)bend";

// Each lane writes half of the slots, so the joined array is the same bits
// whatever runs first.
constexpr const char* kForkPrelude = R"(
def lanes(+x: U32, +y: U32, whole: Array<U32>) -> Array<U32>:
  (a, b) = Array.fork(U32, whole)
  l r = put(put(a, 0, x), 1, y)
    put(put(b, 2, (x + y : U32)), 3, x)
  Array.join(U32, l, r)
)";

const char* name_of(Ty type) {
  constexpr std::array<const char*, kTypes> kName = {
      "u32", "nat", "bool", "maybe", "list", "tree", "pair", "array", "fun"};
  return kName[static_cast<std::size_t>(type)];
}

struct Variable {
  std::string name;
  Ty type;
};

// What may still be used. Values of types that are no Data leave it when
// they are used.
using Scope = std::vector<Variable>;

struct Signature {
  std::string name;
  std::vector<Ty> params;  // the first is the Nat that descends
  Ty result;
};

class Generator {
 public:
  Generator(std::uint64_t number, Forks forks)
      : random_(number * 0x9E3779B97F4A7C15ull + 0x7F4A7C15ull),
        prefix_("p" + std::to_string(number)), forks_(forks) {}

  std::string program() {
    std::string text;
    unsigned defs = 1 + below(4);
    for (unsigned i = 0; i < defs; ++i) text += def(i);
    Ty type = any_type();
    text += "\ndef " + entry() + "() -> String:\n";
    Scope scope;
    lets(text, scope, 2, 2 + below(3));
    text += "  show." + std::string(name_of(type)) + "(" +
            expression(type, scope, 3) + ")\n";
    return text;
  }
  std::string entry() const { return prefix_ + ".main"; }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  Ty any_type() { return static_cast<Ty>(below(kTypes)); }
  Ty data_type() { return static_cast<Ty>(below(kDataTypes)); }
  std::string fresh(const char* stem) {
    return stem + std::to_string(counter_++);
  }
  static std::string indent(unsigned columns) {
    return std::string(columns, ' ');
  }

  // ---- defs

  std::string def(unsigned number) {
    Signature sign;
    sign.name = prefix_ + ".f" + std::to_string(number);
    sign.params = {Ty::kNat};
    for (unsigned i = below(3); i > 0; --i) sign.params.push_back(any_type());
    sign.result = any_type();
    Scope scope;
    std::string text = "\ndef " + sign.name + "(n: Nat";
    for (std::size_t i = 1; i < sign.params.size(); ++i) {
      std::string name = fresh("a");
      bool data = is_data(sign.params[i]);
      text += std::string(", ") + (data ? "+" : "") + name + ": " +
              text_of(sign.params[i]);
      scope.push_back({name, sign.params[i]});
    }
    text += std::string(") -> ") + text_of(sign.result) + ":\n";
    text += "  match n:\n    case 0n:\n";
    body(text, sign.result, scope, 6, 2);
    text += "    case 1n+ +p:\n";
    scope.push_back({"p", Ty::kNat});
    self_ = &sign;
    calls_ = 2;
    body(text, sign.result, scope, 6, 3);
    self_ = nullptr;
    known_.push_back(sign);
    return text;
  }

  // Statements, then a value or a match.
  void body(std::string& text, Ty type, Scope scope, unsigned columns,
            unsigned depth) {
    lets(text, scope, columns, below(3));
    if (type == Ty::kU32 && chance(25)) {
      return choice(text, scope, columns, depth);
    }
    if (depth > 0 && chance(40)) return match(text, type, scope, columns,
                                              depth - 1);
    text += indent(columns) + expression(type, scope, depth) + "\n";
  }

  void lets(std::string& text, Scope& scope, unsigned columns,
            unsigned count) {
    for (unsigned i = 0; i < count; ++i) let(text, scope, columns);
  }

  void let(std::string& text, Scope& scope, unsigned columns) {
    if (take_pair(text, scope, columns)) return;
    if (fork_let(text, scope, columns)) return;
    Ty type = any_type();
    std::string name = fresh("x");
    std::string value = expression(type, scope, 2);
    text += indent(columns) + (is_data(type) ? "+" : "") + name + " = {" +
            value + " : " + text_of(type) + "}\n";
    scope.push_back({name, type});
  }

  bool take_pair(std::string& text, Scope& scope, unsigned columns) {
    std::string pair;
    if (!chance(40) || !variable(Ty::kPair, scope, pair)) return false;
    std::string array = fresh("x"), word = fresh("x");
    text += indent(columns) + "(" + array + ", +" + word + ") = same.pair(" +
            pair + ")\n";
    scope.push_back({array, Ty::kArray});
    scope.push_back({word, Ty::kU32});
    return true;
  }

  // Two calls that run beside one another.
  bool fork_let(std::string& text, Scope& scope, unsigned columns) {
    if (known_.empty() || !chance(30)) return false;
    const Signature first = known_[below(count(known_))];
    const Signature second = known_[below(count(known_))];
    std::string left = fresh("x"), right = fresh("x");
    std::string one = call(first, scope, 1), two = call(second, scope, 1);
    text += indent(columns) + mark(first.result) + left + " " +
            mark(second.result) + right + " = " + one + "\n" +
            indent(columns + 2) + two + "\n";
    scope.push_back({left, first.result});
    scope.push_back({right, second.result});
    return true;
  }

  static const char* mark(Ty type) { return is_data(type) ? "+" : ""; }
  template <class T>
  static unsigned count(const std::vector<T>& items) {
    return static_cast<unsigned>(items.size());
  }

  void match(std::string& text, Ty type, Scope& scope, unsigned columns,
             unsigned depth) {
    Ty on = data_type();
    if (on == Ty::kU32 || on == Ty::kNat) {
      return match_literals(text, type, on, scope, columns, depth);
    }
    text += indent(columns) + "match same." + name_of(on) + "(" +
            expression(on, scope, 2) + "):\n";
    std::string one = fresh("m"), two = fresh("m");
    auto arm = [&](const std::string& pattern, Scope bound) {
      text += indent(columns + 2) + "case " + pattern + ":\n";
      Scope inside = scope;
      inside.insert(inside.end(), bound.begin(), bound.end());
      body(text, type, inside, columns + 4, depth);
    };
    unsigned left = calls_;
    if (on == Ty::kBool) {
      arm("True{}", {});
      calls_ = left;
      arm("False{}", {});
    } else if (on == Ty::kMaybe) {
      arm("None{}", {});
      calls_ = left;
      arm("Some{+" + one + "}", {{one, Ty::kU32}});
    } else if (on == Ty::kList) {
      arm("Con{+" + one + ", +" + two + "}",
          {{one, Ty::kU32}, {two, Ty::kList}});
      calls_ = left;
      arm("Nil{}", {});
    } else {
      arm("Fork{+" + one + ", +" + two + "}",
          {{one, Ty::kTree}, {two, Ty::kTree}});
      calls_ = left;
      arm("Leaf{+" + one + ", +" + two + "}",
          {{one, Ty::kU32}, {two, Ty::kBool}});
    }
  }

  // A comparison whose arms, most often, end in one operation.
  void choice(std::string& text, Scope& scope, unsigned columns,
              unsigned depth) {
    auto word = [&] { return expression(Ty::kU32, scope, 0); };
    std::string left = word();
    text += indent(columns) + "match (" + left + " < " + word() + " : U32):\n";
    const char* op = chance(70) ? "-" : "*";
    unsigned calls = calls_;
    for (const char* arm : {"True{}", "False{}"}) {
      text += indent(columns + 2) + "case " + arm + ":\n";
      calls_ = calls;
      if (depth > 0 && chance(30)) {
        choice(text, scope, columns + 4, depth - 1);
        continue;
      }
      std::string first = word();
      text += indent(columns + 4) + "(" + first + " " + op + " " + word() +
              " : U32)\n";
    }
  }

  void match_literals(std::string& text, Ty type, Ty on, Scope& scope,
                      unsigned columns, unsigned depth) {
    text += indent(columns) + "match same." + name_of(on) + "(" +
            expression(on, scope, 2) + "):\n";
    unsigned left = calls_;
    unsigned literal = below(3);
    for (unsigned i = 1 + below(2); i > 0; --i, ++literal) {
      text += indent(columns + 2) + "case " + std::to_string(literal) +
              (on == Ty::kNat ? "n" : "") + ":\n";
      body(text, type, scope, columns + 4, depth);
      calls_ = left;
    }
    std::string rest = fresh("m");
    text += indent(columns + 2) + "case +" + rest + ":\n";
    Scope inside = scope;
    inside.push_back({rest, on});
    body(text, type, inside, columns + 4, depth);
  }

  // ---- expressions

  // A variable of the type; an affine one leaves the scope.
  bool variable(Ty type, Scope& scope, std::string& name) {
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < scope.size(); ++i) {
      if (scope[i].type == type) fit.push_back(i);
    }
    if (fit.empty()) return false;
    std::size_t at = fit[below(count(fit))];
    name = scope[at].name;
    if (!is_data(type)) {
      scope.erase(scope.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return true;
  }

  std::string call(const Signature& sign, Scope& scope, unsigned depth) {
    bool self = self_ && self_->name == sign.name;
    std::string text = sign.name + "(" +
                       (self ? "p" : std::to_string(below(4)) + "n");
    for (std::size_t i = 1; i < sign.params.size(); ++i) {
      text += ", " + expression(sign.params[i], scope, depth);
    }
    return text + ")";
  }

  bool call_of(Ty type, Scope& scope, unsigned depth, std::string& text) {
    std::vector<const Signature*> fit;
    for (const Signature& sign : known_) {
      if (sign.result == type) fit.push_back(&sign);
    }
    if (self_ && self_->result == type && calls_ > 0 && chance(70)) {
      --calls_;
      text = call(*self_, scope, depth);
      return true;
    }
    if (fit.empty()) return false;
    const Signature sign = *fit[below(count(fit))];
    text = call(sign, scope, depth);
    return true;
  }

  std::string expression(Ty type, Scope& scope, unsigned depth) {
    std::string text;
    if (chance(depth == 0 ? 80 : 25) && variable(type, scope, text)) {
      return text;
    }
    if (depth > 0 && chance(35) && call_of(type, scope, depth - 1, text)) {
      return text;
    }
    if (is_data(type) && depth > 0 && chance(10)) {
      std::string test = expression(Ty::kBool, scope, depth - 1);
      std::string yes = expression(type, scope, depth - 1);
      return std::string("Bool.pick(") + text_of(type) + ", " + test + ", " +
             yes + ", " + expression(type, scope, depth - 1) + ")";
    }
    unsigned less = depth > 0 ? depth - 1 : 0;
    switch (type) {
      case Ty::kU32: return word(scope, depth, less);
      case Ty::kNat: return number(scope, depth, less);
      case Ty::kBool: return truth(scope, depth, less);
      case Ty::kMaybe:
        return chance(30) ? "None{}"
                          : "Some{" + expression(Ty::kU32, scope, less) + "}";
      case Ty::kList: return list(scope, depth, less);
      case Ty::kTree: return tree(scope, depth, less);
      case Ty::kPair: {
        std::string array = expression(Ty::kArray, scope, less);
        return "(" + array + ", " + expression(Ty::kU32, scope, less) + ")";
      }
      case Ty::kArray: return array(scope, depth, less);
      case Ty::kFun: return function(scope, less);
    }
    return text;
  }

  std::string word(Scope& scope, unsigned depth, unsigned less) {
    constexpr std::array<const char*, 9> kOps = {
        "+", "-", "*", "/", "%", ".&.", ".|.", ".^.", "+"};
    if (depth == 0 || chance(20)) {
      constexpr std::array<const char*, 8> kEdges = {
          "0", "1", "2", "3", "31", "2147483648", "4294967295", "65537"};
      return kEdges[below(count_of(kEdges))];
    }
    switch (below(8)) {
      case 0:
        return "U32.from_nat(" + expression(Ty::kNat, scope, less) + ")";
      case 1: return "sum(" + expression(Ty::kList, scope, less) + ")";
      case 2: {
        std::string f = expression(Ty::kFun, scope, less);
        return "apply(" + f + ", " + expression(Ty::kU32, scope, less) + ")";
      }
      case 3: {
        Scope none;
        std::string x = fresh("v");
        none.push_back({x, Ty::kU32});
        std::string inside = closed_word(none, less);
        return "twice(~(+" + x + " => " + inside + "), " +
               expression(Ty::kU32, scope, less) + ")";
      }
      case 4: {
        std::string x = expression(Ty::kU32, scope, less);
        return "(" + x + (chance(50) ? " << " : " >> ") +
               std::to_string(below(40)) + "n : U32)";
      }
      default: break;
    }
    std::string left = expression(Ty::kU32, scope, less);
    std::string op = kOps[below(count_of(kOps))];
    return "(" + left + " " + op + " " + expression(Ty::kU32, scope, less) +
           " : U32)";
  }

  // An expression of the variables of `scope` alone: no call of self.
  std::string closed_word(Scope& scope, unsigned depth) {
    const Signature* self = std::exchange(self_, nullptr);
    std::string text = expression(Ty::kU32, scope, depth);
    self_ = self;
    return text;
  }

  template <class T, std::size_t N>
  static constexpr unsigned count_of(const std::array<T, N>&) {
    return static_cast<unsigned>(N);
  }

  std::string number(Scope& scope, unsigned depth, unsigned less) {
    if (depth == 0 || chance(25)) return std::to_string(below(6)) + "n";
    switch (below(7)) {
      case 0: return "1n+" + atom(expression(Ty::kNat, scope, 0));
      case 1: return "size(" + expression(Ty::kTree, scope, less) + ")";
      case 2:
        return "Nat.mod(U32.to_nat(" + expression(Ty::kU32, scope, less) +
               "), 9n)";
      case 3: return binary("Nat.sub", Ty::kNat, scope, less);
      case 4: return binary("Nat.div", Ty::kNat, scope, less);
      case 5:
        return "Nat.mod(" + binary("Nat.mul", Ty::kNat, scope, less) +
               ", 100n)";
      default:
        return "Nat.mod(" + binary("Nat.add", Ty::kNat, scope, less) +
               ", 50n)";
    }
  }

  static std::string atom(const std::string& text) {
    return text.find(' ') == text.npos && text.find('+') == text.npos
               ? text
               : "(" + text + ")";
  }

  std::string binary(const char* def, Ty type, Scope& scope, unsigned depth) {
    std::string left = expression(type, scope, depth);
    return std::string(def) + "(" + left + ", " +
           expression(type, scope, depth) + ")";
  }

  std::string truth(Scope& scope, unsigned depth, unsigned less) {
    if (depth == 0 || chance(20)) return chance(50) ? "True{}" : "False{}";
    constexpr std::array<const char*, 4> kTests = {"<", "<=", ">", ">="};
    switch (below(7)) {
      case 0: return "Bool.not(" + expression(Ty::kBool, scope, less) + ")";
      case 1: return binary("Bool.and", Ty::kBool, scope, less);
      case 2: return binary("Bool.xor", Ty::kBool, scope, less);
      case 3: return binary("Nat.is_le", Ty::kNat, scope, less);
      case 4: return binary("U32.is_eq", Ty::kU32, scope, less);
      case 5: return binary("U32.is_ne", Ty::kU32, scope, less);
      default: break;
    }
    std::string left = expression(Ty::kU32, scope, less);
    std::string op = kTests[below(count_of(kTests))];
    return "(" + left + " " + op + " " + expression(Ty::kU32, scope, less) +
           " : U32)";
  }

  std::string list(Scope& scope, unsigned depth, unsigned less) {
    if (depth > 0 && chance(30)) {
      std::string head = expression(Ty::kU32, scope, less);
      return "Con{" + head + ", " + expression(Ty::kList, scope, less) + "}";
    }
    if (depth > 0 && chance(30)) {
      std::string left = expression(Ty::kList, scope, less);
      return "List.append(&2, U32, " + left + ", " +
             expression(Ty::kList, scope, less) + ")";
    }
    std::string text = "[";
    for (unsigned i = below(4), n = i; i > 0; --i) {
      text += (i == n ? "" : ", ") + expression(Ty::kU32, scope, less);
    }
    return text + "]";
  }

  std::string tree(Scope& scope, unsigned depth, unsigned less) {
    if (depth > 0 && chance(55)) {
      std::string left = expression(Ty::kTree, scope, less);
      return "Fork{" + left + ", " + expression(Ty::kTree, scope, less) + "}";
    }
    std::string first = expression(Ty::kU32, scope, less);
    return "Leaf{" + first + ", " + expression(Ty::kBool, scope, less) + "}";
  }

  std::string array(Scope& scope, unsigned depth, unsigned less) {
    if (depth == 0 || chance(30)) {
      return "[" + expression(Ty::kU32, scope, 0) + " : U32^2n]";
    }
    std::string inner = expression(Ty::kArray, scope, less);
    std::string index = expression(Ty::kU32, scope, less);
    bool lanes = forks_ == Forks::kSome && chance(40);
    std::string value = expression(Ty::kU32, scope, less);
    if (lanes) return "lanes(" + index + ", " + value + ", " + inner + ")";
    return "put(" + inner + ", " + index + ", " + value + ")";
  }

  // A function takes what it captures with it.
  std::string function(Scope& scope, unsigned less) {
    std::string x = fresh("v");
    scope.push_back({x, Ty::kU32});
    std::string inside = expression(Ty::kU32, scope, less);
    for (std::size_t i = scope.size(); i-- > 0;) {
      if (scope[i].name == x) {
        scope.erase(scope.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    }
    return "(+" + x + " => " + inside + ")";
  }

  std::mt19937_64 random_;
  const std::string prefix_;
  const Forks forks_;
  unsigned counter_ = 0;
  unsigned calls_ = 0;                 // of self that may still be made
  const Signature* self_ = nullptr;
  std::vector<Signature> known_;
};

}  // namespace

std::string program_file(const std::vector<std::uint64_t>& numbers,
                         Forks forks) {
  std::string text = kPrelude, list;
  if (forks == Forks::kSome) text += kForkPrelude;
  for (std::uint64_t number : numbers) {
    Generator one(number, forks);
    text += one.program();
    list += (list.empty() ? "" : ",\n   ") + one.entry() + "()";
  }
  return text + "\ndef main() -> List<String>:\n  [" + list + "]\n";
}

}  // namespace tine::fuzz
