#include "tests/fuzz/random_book.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tine::fuzz {
namespace {

// Statements of a whole run stay below this, by an upper estimate.
constexpr double kMostCost = 20000;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545F4914F6CDD1Dull;
  }
  std::size_t below(std::size_t n) { return (next() >> 20) % n; }
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

struct Types {
  TypeId boolean, pair, list, tree, array, fn;
  CtorId false_, true_, tuple, nil, con, leaf, node;
};

Types declare_types(Book& book) {
  Types t{};
  auto data = [&](const char* name, std::vector<std::string> params) {
    DataRow row;
    row.name = name;
    row.params = std::move(params);
    return book.add_data(row);
  };
  auto of = [&](DataId id, std::vector<TypeId> args) {
    return book.intern({TypeKind::kData, index(id), std::move(args)});
  };
  auto param = [&](std::uint32_t i) {
    return book.intern({TypeKind::kParam, i, {}});
  };
  DataId boolean = data("Bool", {});
  t.false_ = book.add_ctor(boolean, "False", {});
  t.true_ = book.add_ctor(boolean, "True", {});
  t.boolean = of(boolean, {});
  DataId sigma = data("Sigma", {"A", "B"});
  t.tuple = book.add_ctor(sigma, "Tuple",
                          {{"fst", param(0)}, {"snd", param(1)}});
  t.pair = of(sigma, {kTypeU32, kTypeU32});
  DataId list = data("List", {"A"});
  t.nil = book.add_ctor(list, "Nil", {});
  t.con = book.add_ctor(list, "Con",
                        {{"head", param(0)}, {"tail", of(list, {param(0)})}});
  t.list = of(list, {kTypeU32});
  DataId tree = data("Tree", {});
  t.tree = of(tree, {});
  t.leaf = book.add_ctor(tree, "Leaf", {{"value", kTypeU32}});
  t.node = book.add_ctor(tree, "Node", {{"left", t.tree}, {"right", t.tree}});
  t.array = book.intern({TypeKind::kArray, 0, {kTypeU32}});
  t.fn = book.intern({TypeKind::kFn, 0, {kTypeU32, kTypeU32}});
  book.link_known();
  return t;
}

// A definition's cost when its Nat is `n`: at most base * (branches ^ n ..).
struct Cost {
  double own = 1;          // without the calls to itself
  unsigned self = 0;       // calls to itself on one way
  double at(unsigned n) const {
    double sum = 0, width = 1;
    for (unsigned i = 0; i <= n; ++i, width *= self) sum += width * own;
    return sum;
  }
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {
    types_ = declare_types(book_);
  }

  Book make() {
    std::size_t n = 2 + random_.below(7);
    for (std::size_t i = 0; i < n; ++i) definition(i);
    main();
    return std::move(book_);
  }

 private:
  // ---- wires ----------------------------------------------------------------

  Wire wire(TypeId type) {
    auto id = static_cast<Wire>(row_.wires.size());
    row_.wires.push_back({"w" + std::to_string(row_.wires.size()), type});
    return id;
  }
  TypeId type_of(Wire w) const { return row_.wires[index(w)].type; }
  bool copyable(TypeId type) const {
    return type != types_.array && type != types_.fn;
  }

  Stmt& emit(Block& block, Op op, std::vector<Wire> outs,
             std::vector<Wire> ins) {
    Stmt stmt;
    stmt.op = op;
    stmt.outs = std::move(outs);
    stmt.ins = std::move(ins);
    block.push_back(std::move(stmt));
    ++cost_.own;
    return block.back();
  }

  // Takes a wire of the type out of the pool, or makes one.
  Wire need(Block& block, TypeId type) {
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      if (type_of(pool_[i]) == type) fit.push_back(i);
    }
    if (fit.empty() || random_.chance(10)) return fresh(block, type);
    std::size_t at = fit[random_.below(fit.size())];
    Wire found = pool_[at];
    pool_.erase(pool_.begin() + static_cast<std::ptrdiff_t>(at));
    if (!copyable(type) || !random_.chance(50)) return found;
    Wire one = wire(type), two = wire(type);
    emit(block, Op::kCopy, {one, two}, {found});
    pool_.push_back(two);
    return one;
  }

  Wire fresh(Block& block, TypeId type) {
    Wire out = wire(type);
    fresh_into(block, type, out);
    return out;
  }

  void fresh_into(Block& block, TypeId type, Wire out) {
    auto word = [&](std::uint64_t n) {
      return random_.chance(20) ? 0xFFFFFFFFu - n : n;
    };
    if (type == kTypeU32) {
      emit(block, Op::kU32, {out}, {}).num = word(random_.below(50));
    } else if (type == kTypeNat) {
      emit(block, Op::kNat, {out}, {}).num = random_.below(4);
    } else if (type == types_.boolean) {
      emit(block, Op::kMake, {out}, {}).ctor =
          random_.chance(50) ? types_.true_ : types_.false_;
    } else if (type == types_.pair) {
      Wire a = need_u32(block), b = need_u32(block);
      emit(block, Op::kMake, {out}, {a, b}).ctor = types_.tuple;
    } else if (type == types_.list) {
      bool end = random_.chance(50);
      if (end) {
        emit(block, Op::kMake, {out}, {}).ctor = types_.nil;
      } else {
        Wire head = need_u32(block), tail = fresh(block, types_.list);
        emit(block, Op::kMake, {out}, {head, tail}).ctor = types_.con;
      }
    } else if (type == types_.tree) {
      Wire value = need_u32(block);
      emit(block, Op::kMake, {out}, {value}).ctor = types_.leaf;
    } else if (type == types_.array) {
      Wire depth = wire(kTypeNat);
      emit(block, Op::kNat, {depth}, {}).num = random_.below(4);
      Wire fill = need_u32(block);
      Stmt& stmt = emit(block, Op::kPrim, {out}, {depth, fill});
      stmt.prim = Prim::kArrayNew;
      stmt.type = kTypeU32;
    } else {
      function(block, out);
    }
  }

  Wire need_u32(Block& block) {
    return random_.chance(70) ? need(block, kTypeU32)
                              : fresh(block, kTypeU32);
  }

  // A closure of some earlier def that takes words only and gives a word.
  void function(Block& block, Wire out) {
    std::vector<DefId> fit;
    for (DefId def : earlier_) {
      const DefRow& row = book_.def(def);
      bool words = row.result == kTypeU32 && row.params > 0 &&
                   costs_[index(def)].at(0) * scale_ < kMostCost / 50;
      for (std::uint32_t i = 0; i < row.params; ++i) {
        words &= row.wires[i].type == kTypeU32;
      }
      if (words) fit.push_back(def);
    }
    if (fit.empty()) fit.push_back(increment());
    DefId def = fit[random_.below(fit.size())];
    std::vector<Wire> held;
    for (std::uint32_t i = 1; i < book_.def(def).params; ++i) {
      held.push_back(need_u32(block));
    }
    emit(block, Op::kClosure, {out}, held).def = def;
  }

  DefId increment() {
    DefId known = book_.find_def("inc");
    if (known != DefId::kNone) return known;
    DefId id = book_.add_def("inc");
    DefRow& row = book_.def(id);
    row.origin = "inc";
    row.params = 1;
    row.result = kTypeU32;
    row.wires = {{"x", kTypeU32}, {"one", kTypeU32}};
    Stmt one;
    one.op = Op::kU32;
    one.num = 1;
    one.outs = {Wire{1}};
    Stmt add;
    add.op = Op::kPrim;
    add.prim = Prim::kU32Add;
    add.ins = {Wire{0}, Wire{1}};
    add.outs = {Wire::kOut};
    row.block = {one, add};
    row.defined = true;
    costs_.resize(book_.defs.size());
    return id;
  }

  // ---- statements -----------------------------------------------------------

  void random_statement(Block& block) {
    switch (random_.below(9)) {
      case 0: case 1: case 2: return arithmetic(block);
      case 3: return call(block);
      case 4: return parallel(block);
      case 5: return array(block);
      case 6: return build(block);
      case 7: return apply(block);
      default: return compare(block);
    }
  }

  void arithmetic(Block& block) {
    static constexpr Prim kPrims[] = {
        Prim::kU32Add, Prim::kU32Sub, Prim::kU32Mul, Prim::kU32Div,
        Prim::kU32Mod, Prim::kU32And, Prim::kU32Or, Prim::kU32Xor};
    Wire a = need(block, kTypeU32), b = need_u32(block);
    Wire out = wire(kTypeU32);
    emit(block, Op::kPrim, {out}, {a, b}).prim =
        kPrims[random_.below(std::size(kPrims))];
    pool_.push_back(out);
  }

  void compare(Block& block) {
    static constexpr Prim kPrims[] = {Prim::kU32IsEq, Prim::kU32IsLt,
                                      Prim::kU32IsLe, Prim::kU32IsGt};
    Wire a = need(block, kTypeU32), b = need_u32(block);
    Wire out = wire(types_.boolean);
    emit(block, Op::kPrim, {out}, {a, b}).prim =
        kPrims[random_.below(std::size(kPrims))];
    pool_.push_back(out);
  }

  void build(Block& block) {
    if (random_.chance(50)) {
      Wire head = need_u32(block), tail = need(block, types_.list);
      Wire out = wire(types_.list);
      emit(block, Op::kMake, {out}, {head, tail}).ctor = types_.con;
      pool_.push_back(out);
    } else {
      Wire left = need(block, types_.tree), right = need(block, types_.tree);
      Wire out = wire(types_.tree);
      emit(block, Op::kMake, {out}, {left, right}).ctor = types_.node;
      pool_.push_back(out);
    }
  }

  // A pair from a primitive, taken apart at once.
  std::vector<Wire> take_pair(Block& block, TypeId first, TypeId second,
                              Wire whole) {
    Wire a = wire(first), b = wire(second);
    emit(block, Op::kTake, {a, b}, {whole}).ctor = types_.tuple;
    return {a, b};
  }

  std::vector<Wire> array_pair(Block& block, Prim prim, TypeId second,
                               std::vector<Wire> ins) {
    DataId sigma = book_.find_data("Sigma");
    TypeId type = book_.intern(
        {TypeKind::kData, index(sigma), {types_.array, second}});
    Wire whole = wire(type);
    Stmt& stmt = emit(block, Op::kPrim, {whole}, std::move(ins));
    stmt.prim = prim;
    stmt.type = kTypeU32;
    return take_pair(block, types_.array, second, whole);
  }

  Wire array_set(Block& block, Wire array) {
    Wire i = need_u32(block), x = need_u32(block), out = wire(types_.array);
    Stmt& stmt = emit(block, Op::kPrim, {out}, {array, i, x});
    stmt.prim = Prim::kArraySet;
    stmt.type = kTypeU32;
    return out;
  }

  void array(Block& block) {
    Wire array = need(block, types_.array);
    std::vector<Wire> got;
    switch (random_.below(6)) {
      case 0:
        pool_.push_back(array_set(block, array));
        return;
      case 1:
        got = array_pair(block, Prim::kArrayGet, kTypeU32,
                         {array, need_u32(block)});
        break;
      case 2: {
        Wire i = need_u32(block), x = need_u32(block);
        got = array_pair(block, Prim::kArraySwap, kTypeU32, {array, i, x});
        break;
      }
      case 3:
        got = array_pair(block, Prim::kArraySize, kTypeU32, {array});
        break;
      case 4:
        got = array_pair(block, Prim::kArrayClone, types_.array, {array});
        break;
      default: {
        // A write through one handle, seen through the other.
        auto handles =
            array_pair(block, Prim::kArrayFork, types_.array, {array});
        Wire written = array_set(block, handles[0]);
        auto read = array_pair(block, Prim::kArrayGet, kTypeU32,
                               {handles[1], need_u32(block)});
        Wire out = wire(types_.array);
        Stmt& stmt = emit(block, Op::kPrim, {out}, {written, read[0]});
        stmt.prim = Prim::kArrayJoin;
        stmt.type = kTypeU32;
        got = {out, read[1]};
      }
    }
    pool_.insert(pool_.end(), got.begin(), got.end());
  }

  void apply(Block& block) {
    Wire f = need(block, types_.fn), x = need_u32(block);
    Wire out = wire(kTypeU32);
    emit(block, Op::kApply, {out}, {f, x});
    cost_.own += kMostCost / 50 / scale_;
    pool_.push_back(out);
  }

  // An earlier def that may still be called; kNone when all cost too much.
  DefId callee(double* cost, unsigned* n) {
    if (earlier_.empty()) return DefId::kNone;
    DefId def = earlier_[random_.below(earlier_.size())];
    *n = static_cast<unsigned>(random_.below(4));
    *cost = costs_[index(def)].at(*n);
    return (cost_.own + *cost) * scale_ > kMostCost ? DefId::kNone : def;
  }

  std::vector<Wire> arguments(Block& block, DefId def, unsigned n) {
    std::vector<Wire> args;
    std::vector<TypeId> types;
    for (std::uint32_t i = 0; i < book_.def(def).params; ++i) {
      types.push_back(book_.def(def).wires[i].type);
    }
    for (TypeId type : types) {
      if (type == kTypeNat) {
        Wire nat = wire(kTypeNat);
        emit(block, Op::kNat, {nat}, {}).num = n;
        args.push_back(nat);
      } else {
        args.push_back(need(block, type));
      }
    }
    return args;
  }

  void call(Block& block) {
    double cost = 0;
    unsigned n = 0;
    DefId def = callee(&cost, &n);
    if (def == DefId::kNone) return;
    cost_.own += cost;
    std::vector<Wire> args = arguments(block, def, n);
    Wire out = wire(book_.def(def).result);
    emit(block, Op::kCall, {out}, args).def = def;
    pool_.push_back(out);
  }

  void parallel(Block& block) {
    std::vector<Stmt> calls;
    std::vector<Wire> outs;
    std::size_t want = 2 + random_.below(2);
    while (calls.size() < want) {
      double cost = 0;
      unsigned n = 0;
      DefId def = callee(&cost, &n);
      if (def == DefId::kNone) break;
      cost_.own += cost;
      Stmt stmt;
      stmt.op = Op::kCall;
      stmt.def = def;
      stmt.ins = arguments(block, def, n);
      outs.push_back(wire(book_.def(def).result));
      stmt.outs = {outs.back()};
      calls.push_back(std::move(stmt));
    }
    if (calls.empty()) return;
    if (calls.size() == 1) {
      block.push_back(calls[0]);
    } else {
      emit(block, Op::kPar, outs, {}).calls = calls;
    }
    pool_.insert(pool_.end(), outs.begin(), outs.end());
  }

  // ---- definitions ----------------------------------------------------------

  TypeId random_type(bool result) {
    const TypeId all[] = {kTypeU32, kTypeU32, types_.boolean, types_.pair,
                          types_.list, types_.tree, types_.array, types_.fn};
    return all[random_.below(result ? 7 : 8)];
  }

  void straight(Block& block) {
    std::size_t n = 1 + random_.below(6);
    for (std::size_t i = 0; i < n; ++i) random_statement(block);
  }

  // Drops what is left and gives a result.
  void end(Block& block) {
    std::vector<Wire> fit;
    for (Wire w : pool_) {
      if (type_of(w) == row_.result) fit.push_back(w);
    }
    Wire result = fit.empty() ? fresh(block, row_.result)
                              : fit[random_.below(fit.size())];
    for (Wire w : pool_) {
      if (w != result) emit(block, Op::kDrop, {}, {w});
    }
    emit(block, Op::kMove, {Wire::kOut}, {result});
  }

  // Statements, then a match on something at hand or the end.
  void body(Block& block, unsigned depth) {
    straight(block);
    if (depth == 0 || random_.chance(40)) return end(block);
    match(block, depth);
  }

  void match(Block& block, unsigned depth) {
    std::vector<Wire> fit;
    for (Wire w : pool_) {
      TypeId t = type_of(w);
      if (t != types_.fn && t != types_.array) fit.push_back(w);
    }
    if (fit.empty()) return end(block);
    Wire on = fit[random_.below(fit.size())];
    std::erase(pool_, on);
    TypeId type = type_of(on);
    std::vector<Wire> pool = pool_;
    double before = cost_.own, most = before;
    std::vector<Arm> arms;
    auto arm = [&](ArmKind kind, CtorId ctor, std::uint64_t value,
                   std::vector<TypeId> binds) {
      pool_ = pool;
      cost_.own = before;
      Arm made;
      made.kind = kind;
      made.ctor = ctor;
      made.value = value;
      for (TypeId bound : binds) {
        made.binds.push_back(wire(bound));
        pool_.push_back(made.binds.back());
      }
      body(made.block, depth - 1);
      most = std::max(most, cost_.own);
      arms.push_back(std::move(made));
    };
    CtorId none = CtorId::kNone;
    if (type == kTypeU32) {
      arm(ArmKind::kLiteral, none, random_.below(4), {});
      if (random_.chance(50)) arm(ArmKind::kLiteral, none, 7, {});
      arm(ArmKind::kElse, none, 0, {type});
    } else if (type == kTypeNat) {
      arm(ArmKind::kZero, none, 0, {});
      arm(ArmKind::kSucc, none, 0, {kTypeNat});
    } else if (type == types_.boolean) {
      arm(ArmKind::kCtor, types_.true_, 0, {});
      if (random_.chance(30)) arm(ArmKind::kElse, none, 0, {type});
      else arm(ArmKind::kCtor, types_.false_, 0, {});
    } else if (type == types_.pair) {
      arm(ArmKind::kCtor, types_.tuple, 0, {kTypeU32, kTypeU32});
    } else if (type == types_.list) {
      arm(ArmKind::kCtor, types_.nil, 0, {});
      arm(ArmKind::kCtor, types_.con, 0, {kTypeU32, types_.list});
    } else {
      arm(ArmKind::kCtor, types_.leaf, 0, {kTypeU32});
      arm(ArmKind::kCtor, types_.node, 0, {types_.tree, types_.tree});
    }
    cost_.own = most;
    emit(block, Op::kMatch, {}, {on}).arms = std::move(arms);
  }

  // A def that recurses on its first parameter: calls to itself one after
  // another or in a parallel let, then the rest of the arm.
  void recursive(DefId self) {
    Wire n{0};
    std::vector<Wire> pool = pool_;
    std::erase(pool, n);
    pool_ = pool;
    Arm zero;
    zero.kind = ArmKind::kZero;
    body(zero.block, 1);
    double base = cost_.own;
    cost_.own = 1;
    pool_ = pool;
    Arm succ;
    succ.kind = ArmKind::kSucc;
    Wire p = wire(kTypeNat);
    succ.binds = {p};
    unsigned times = 1 + static_cast<unsigned>(random_.below(3));
    std::vector<Wire> nats{p};
    while (nats.size() < times) {
      Wire a = wire(kTypeNat), b = wire(kTypeNat);
      emit(succ.block, Op::kCopy, {a, b}, {nats.back()});
      nats.back() = a;
      nats.push_back(b);
    }
    std::vector<Stmt> calls;
    std::vector<Wire> outs;
    for (Wire nat : nats) {
      Stmt stmt;
      stmt.op = Op::kCall;
      stmt.def = self;
      stmt.ins = {nat};
      for (std::uint32_t i = 1; i < row_.params; ++i) {
        stmt.ins.push_back(need(succ.block, row_.wires[i].type));
      }
      outs.push_back(wire(row_.result));
      stmt.outs = {outs.back()};
      calls.push_back(std::move(stmt));
    }
    if (times > 1 && random_.chance(60)) {
      emit(succ.block, Op::kPar, outs, {}).calls = calls;
    } else {
      for (Stmt& stmt : calls) succ.block.push_back(stmt);
    }
    pool_.insert(pool_.end(), outs.begin(), outs.end());
    cost_.self = times;
    body(succ.block, 1);
    cost_.own = std::max(cost_.own, base);
    Block block;
    emit(block, Op::kMatch, {}, {n}).arms = {zero, succ};
    row_.block = std::move(block);
  }

  void definition(std::size_t i) {
    std::string name = "f" + std::to_string(i);
    DefId id = book_.add_def(name);
    costs_.resize(book_.defs.size());
    row_ = DefRow{};
    row_.name = row_.origin = name;
    row_.result = random_type(true);
    cost_ = Cost{};
    pool_.clear();
    bool recurses = random_.chance(50);
    scale_ = recurses ? 100 : 10;
    std::size_t params = random_.below(4);
    if (recurses) pool_.push_back(wire(kTypeNat));
    for (std::size_t p = 0; p < params; ++p) {
      pool_.push_back(wire(random_type(false)));
    }
    row_.params = static_cast<std::uint32_t>(row_.wires.size());
    // The header must be known before the body calls it.
    book_.def(id) = row_;
    if (recurses) recursive(id);
    else body(row_.block, 2);
    row_.defined = true;
    book_.def(id) = row_;
    costs_.resize(book_.defs.size());
    costs_[index(id)] = cost_;
    earlier_.push_back(id);
  }

  void main() {
    DefId id = book_.add_def("main");
    costs_.resize(book_.defs.size());
    row_ = DefRow{};
    row_.name = row_.origin = "main";
    row_.result = random_type(true);
    pool_.clear();
    cost_ = Cost{};
    scale_ = 1;
    for (int i = 0; i < 3; ++i) straight(row_.block);
    call(row_.block);
    parallel(row_.block);
    end(row_.block);
    row_.defined = true;
    book_.def(id) = row_;
    book_.main = id;
  }

  Random random_;
  Book book_;
  Types types_;
  DefRow row_;
  std::vector<Wire> pool_;        // wires not used yet
  std::vector<DefId> earlier_;
  std::vector<Cost> costs_;       // by def
  Cost cost_;
  double scale_ = 1;
};

}  // namespace

Book random_book(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace tine::fuzz
