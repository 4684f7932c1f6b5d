#include "compiler/book/lower_linear.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tine {

namespace {

using WireSet = std::unordered_set<std::uint32_t>;

template <class Visit>
void for_inputs(const Stmt& stmt, Visit visit) {
  for (Wire in : stmt.ins) visit(in);
  for (const Stmt& call : stmt.calls) {
    for (Wire in : call.ins) visit(in);
  }
}

class Linear {
 public:
  Linear(const RawRule& rule, Book& book, LowerTypes& types, DefRow& row)
      : rule_(rule), book_(book), types_(types), row_(row) {}

  void run() {
    current_.resize(rule_.wires.size(), Wire::kOut);
    left_.resize(rule_.wires.size(), 0);
    row_.wires.clear();
    row_.block.clear();
    row_.params = static_cast<std::uint32_t>(rule_.params.size());
    used(rule_.block);
    for (Wire param : rule_.params) define(param);
    put_block(rule_.block, rule_.params, row_.block);
  }

 private:
  // ---- what the arms of every match use, bottom up --------------------------

  WireSet used(const Block& block) {
    WireSet set;
    if (!block.empty() && block.back().op == Op::kMatch) {
      set = used_by_arms(block.back());
    }
    for (const Stmt& stmt : block) {
      for_inputs(stmt, [&](Wire in) { set.insert(index(in)); });
    }
    for (const Stmt& stmt : block) {
      for (Wire out : stmt.outs) set.erase(index(out));
    }
    return set;
  }

  // Merges the smaller sets into the largest.
  WireSet used_by_arms(const Stmt& match) {
    WireSet all;
    for (const Arm& arm : match.arms) {
      WireSet set = used(arm.block);
      for (Wire bind : arm.binds) set.erase(index(bind));
      if (set.size() > all.size()) set.swap(all);
      all.insert(set.begin(), set.end());
    }
    std::vector<std::uint32_t> through(all.begin(), all.end());
    std::sort(through.begin(), through.end());
    through_.emplace(&match, std::move(through));
    return all;
  }

  // ---- the new rule ---------------------------------------------------------

  Wire add(const WireRow& wire) {
    row_.wires.push_back(wire);
    return static_cast<Wire>(row_.wires.size() - 1);
  }

  Wire define(Wire raw) {
    return current_[index(raw)] = add(rule_.wires[index(raw)]);
  }

  void drop(Wire raw, Block& out) {
    Stmt stmt;
    stmt.op = Op::kDrop;
    stmt.ins = {current_[index(raw)]};
    out.push_back(std::move(stmt));
  }

  // Counts the uses in one block; what the arms of its match use counts once.
  void count(const Block& block) {
    for (const Stmt& stmt : block) {
      for_inputs(stmt, [&](Wire in) { left_[index(in)]++; });
    }
    if (block.empty() || block.back().op != Op::kMatch) return;
    for (std::uint32_t wire : through_.at(&block.back())) left_[wire]++;
  }

  // `given` are the wires that this block must use or drop.
  void put_block(const Block& block, const std::vector<Wire>& given,
                 Block& out) {
    count(block);
    out.reserve(block.size());
    for (Wire wire : given) {
      if (left_[index(wire)] == 0) drop(wire, out);
    }
    for (const Stmt& stmt : block) put(stmt, out);
  }

  // The wire for one use; copies first while more uses are left.
  Wire use(Wire raw, Block& out) {
    std::uint32_t at = index(raw);
    if (--left_[at] == 0) return current_[at];
    WireRow wire = rule_.wires[at];
    bool array = wire.type != TypeId::kNone &&
                 book_.type(wire.type).kind == TypeKind::kArray;
    Wire from = current_[at];
    Wire first = add(wire);
    Wire second = add(wire);
    if (array) {
      put_fork(from, wire.type, {first, second}, out);
    } else {
      Stmt copy;
      copy.op = Op::kCopy;
      copy.ins = {from};
      copy.outs = {first, second};
      out.push_back(std::move(copy));
    }
    current_[at] = second;
    return first;
  }

  void put_fork(Wire from, TypeId array, std::vector<Wire> to, Block& out) {
    TypeId pair = types_.base_type("Sigma", {array, array});
    Stmt fork;
    fork.op = Op::kPrim;
    fork.prim = Prim::kArrayFork;
    fork.type = book_.type(array).args[0];
    fork.ins = {from};
    fork.outs = {add(WireRow{"", pair})};
    Stmt take;
    take.op = Op::kTake;
    take.ctor = book_.find_ctor("Tuple");
    take.ins = fork.outs;
    take.outs = std::move(to);
    out.push_back(std::move(fork));
    out.push_back(std::move(take));
  }

  void put(const Stmt& stmt, Block& out) {
    Stmt made = plain_copy(stmt);
    for (Wire in : stmt.ins) made.ins.push_back(use(in, out));
    for (const Stmt& call : stmt.calls) {
      Stmt branch = plain_copy(call);
      for (Wire in : call.ins) branch.ins.push_back(use(in, out));
      made.calls.push_back(std::move(branch));
    }
    for (Wire o : stmt.outs) {
      made.outs.push_back(o == Wire::kOut ? o : define(o));
    }
    for (std::size_t i = 0; i < made.calls.size(); i++) {
      made.calls[i].outs = {made.outs[i]};
    }
    if (stmt.op == Op::kMatch) put_arms(stmt, made);
    out.push_back(std::move(made));
    for (Wire o : stmt.outs) {
      if (o != Wire::kOut && left_[index(o)] == 0) drop(o, out);
    }
  }

  // All but wires and arms.
  static Stmt plain_copy(const Stmt& stmt) {
    Stmt made;
    made.op = stmt.op;
    made.offload = stmt.offload;
    made.prim = stmt.prim;
    made.effect = stmt.effect;
    made.ctor = stmt.ctor;
    made.def = stmt.def;
    made.type = stmt.type;
    made.num = stmt.num;
    made.text = stmt.text;
    return made;
  }

  void put_arms(const Stmt& match, Stmt& made) {
    std::vector<Wire> given;
    std::vector<Wire> entry;
    for (std::uint32_t wire : through_.at(&match)) {
      left_[wire]--;  // the one use that stands for the arms
      given.push_back(static_cast<Wire>(wire));
      entry.push_back(current_[wire]);
    }
    std::size_t through = given.size();
    for (const Arm& arm : match.arms) {
      for (std::size_t i = 0; i < through; i++) {
        current_[index(given[i])] = entry[i];
      }
      Arm branch;
      branch.kind = arm.kind;
      branch.ctor = arm.ctor;
      branch.value = arm.value;
      given.resize(through);
      for (Wire bind : arm.binds) {
        branch.binds.push_back(define(bind));
        given.push_back(bind);
      }
      put_block(arm.block, given, branch.block);
      made.arms.push_back(std::move(branch));
    }
  }

  const RawRule& rule_;
  Book& book_;
  LowerTypes& types_;
  DefRow& row_;
  std::unordered_map<const Stmt*, std::vector<std::uint32_t>> through_;
  std::vector<Wire> current_;        // by raw wire
  std::vector<std::uint32_t> left_;  // uses left on this path, by raw wire
};

}  // namespace

void make_linear(const RawRule& rule, Book& book, LowerTypes& types,
                 DefRow& row) {
  Linear(rule, book, types, row).run();
}

}  // namespace tine
