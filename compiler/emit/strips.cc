#include "compiler/emit/strips.h"

#include <algorithm>

namespace tine {
namespace {

using Place = CountedLoop::Place;

// What a wire holds, in terms of the parameters at the start of the round.
struct Origin {
  enum class Kind : std::uint8_t {
    kOther,
    kWord,     // the word `number`
    kParam,    // what is at `place`, an array also after a write; plus `number`
    kStruct,   // made here; its fields are structs_[number]
    kRead,     // what access `number` read
    kRest,     // the counter minus one
  };
  Kind kind = Kind::kOther;
  Place place = {};
  std::uint32_t number = 0;
  bool operator==(const Origin&) const = default;
};
using Kind = Origin::Kind;

// Indices further away than this keep their mask.
constexpr std::uint32_t kFar = 1 << 20;

class Rounds {
 public:
  Rounds(const Book& book, DefId id)
      : book_(book), id_(id), def_(book.def(id)), origins_(def_.wires.size()) {}

  std::optional<CountedLoop> find();

 private:
  void walk(const Block& block);
  void take(const Stmt& stmt);
  void prim(const Stmt& stmt);
  void plus(const Stmt& stmt, std::uint32_t number);
  void access(const Stmt& stmt);
  void find_ahead();
  bool writes_behind(const Stmt* read) const;
  bool same(Place place) const;
  Origin argument(const Stmt& call, Place place) const;

  Origin of(Wire wire) const { return origins_[index(wire)]; }
  Origin field(const Origin& from, std::uint32_t field) const;
  void set(Wire wire, Origin origin) {
    if (wire != Wire::kOut) origins_[index(wire)] = origin;
  }
  void set_struct(Wire wire, std::vector<Origin> fields) {
    set(wire, {Kind::kStruct, {}, static_cast<std::uint32_t>(structs_.size())});
    structs_.push_back(std::move(fields));
  }

  const Book& book_;
  const DefId id_;
  const DefRow& def_;
  std::vector<Origin> origins_;
  std::vector<std::vector<Origin>> structs_;
  std::vector<const Stmt*> tails_;
  CountedLoop loop_;
};

std::optional<CountedLoop> Rounds::find() {
  if (def_.block.size() != 1) return std::nullopt;
  const Stmt& match = def_.block[0];
  if (match.op != Op::kMatch || index(match.ins[0]) >= def_.params ||
      match.arms.size() != 2) {
    return std::nullopt;
  }
  loop_.count = index(match.ins[0]);
  for (const Arm& arm : match.arms) {
    if (arm.kind == ArmKind::kZero) loop_.done = &arm;
    if (arm.kind == ArmKind::kSucc) loop_.round = &arm;
  }
  if (!loop_.done || !loop_.round || loop_.round->binds.size() != 1) {
    return std::nullopt;
  }
  for (std::uint32_t i = 0; i < def_.params; ++i) {
    origins_[i] = {Kind::kParam, {i}};
  }
  set(loop_.round->binds[0], {Kind::kRest});
  walk(loop_.round->block);
  if (tails_.empty()) return std::nullopt;
  for (const Stmt* tail : tails_) {
    if (of(tail->ins[loop_.count]).kind != Kind::kRest) return std::nullopt;
  }
  for (std::uint32_t i = 0; i < def_.params; ++i) {
    Origin next{Kind::kParam, {i}, 1};
    loop_.steps.push_back(std::ranges::all_of(tails_, [&](const Stmt* tail) {
      return of(tail->ins[i]) == next;
    }));
  }
  find_ahead();
  std::erase_if(loop_.accesses, [&](const CountedLoop::Access& access) {
    return !same(access.array) || !loop_.steps[access.index];
  });
  return loop_;
}

void Rounds::walk(const Block& block) {
  for (const Stmt& stmt : block) {
    switch (stmt.op) {
      case Op::kU32:
        set(stmt.outs[0],
            {Kind::kWord, {}, static_cast<std::uint32_t>(stmt.num)});
        break;
      case Op::kMove: set(stmt.outs[0], of(stmt.ins[0])); break;
      case Op::kCopy:
        set(stmt.outs[0], of(stmt.ins[0]));
        set(stmt.outs[1], of(stmt.ins[0]));
        break;
      case Op::kMake: {
        if (stmt.ctor == kCtorALeaf || stmt.ctor == kCtorANode) break;
        std::vector<Origin> fields;
        for (Wire in : stmt.ins) fields.push_back(of(in));
        set_struct(stmt.outs[0], std::move(fields));
        break;
      }
      case Op::kTake: take(stmt); break;
      case Op::kPrim: prim(stmt); break;
      case Op::kCall:
        if (stmt.outs[0] == Wire::kOut && stmt.def == id_) {
          tails_.push_back(&stmt);
        }
        break;
      default: break;
    }
    for (const Arm& arm : stmt.arms) walk(arm.block);
  }
}

Origin Rounds::field(const Origin& from, std::uint32_t field) const {
  if (from.kind == Kind::kStruct) return structs_[from.number][field];
  if (from.kind == Kind::kParam && from.place.field == Place::kWhole) {
    return {Kind::kParam, {from.place.param, field}};
  }
  return {};
}

void Rounds::take(const Stmt& stmt) {
  if (stmt.ctor == kCtorALeaf || stmt.ctor == kCtorANode) return;
  Origin from = of(stmt.ins[0]);
  for (std::uint32_t i = 0; i < stmt.outs.size(); ++i) {
    set(stmt.outs[i], field(from, i));
  }
}

void Rounds::prim(const Stmt& stmt) {
  switch (stmt.prim) {
    case Prim::kU32Inc: return plus(stmt, 1);
    case Prim::kU32Add:
    case Prim::kU32Sub: {
      bool add = stmt.prim == Prim::kU32Add;
      Origin x = of(stmt.ins[0]), y = of(stmt.ins[1]);
      if (y.kind == Kind::kWord) return plus(stmt, add ? y.number : -y.number);
      if (!add || x.kind != Kind::kWord) return;
      std::uint32_t number = x.number;
      if (y.kind == Kind::kParam) {
        set(stmt.outs[0], {Kind::kParam, y.place, y.number + number});
      }
      return;
    }
    case Prim::kArrayGet:
    case Prim::kArraySet: return access(stmt);
    default: return;
  }
}

void Rounds::plus(const Stmt& stmt, std::uint32_t number) {
  Origin from = of(stmt.ins[0]);
  if (from.kind != Kind::kParam) return;
  from.number += number;
  set(stmt.outs[0], from);
}

void Rounds::access(const Stmt& stmt) {
  Origin array = of(stmt.ins[0]), at = of(stmt.ins[1]);
  if (array.kind != Kind::kParam) return;
  bool narrow = stmt.type == kTypeU32 || stmt.type == kTypeF32 ||
                stmt.type == kTypeChar;
  bool near = at.number + kFar <= 2 * kFar;
  Origin read;
  if (narrow && at.kind == Kind::kParam && at.place.field == Place::kWhole &&
      near) {
    read = {Kind::kRead, {},
            static_cast<std::uint32_t>(loop_.accesses.size())};
    loop_.accesses.push_back({&stmt, array.place, at.place.param,
                              static_cast<std::int32_t>(at.number)});
  }
  if (stmt.prim == Prim::kArrayGet) {
    set_struct(stmt.outs[0], {array, read});
  } else {
    set(stmt.outs[0], array);
  }
}

// What a call hands on at the place.
Origin Rounds::argument(const Stmt& call, Place place) const {
  Origin whole = of(call.ins[place.param]);
  return place.field == Place::kWhole ? whole : field(whole, place.field);
}

bool Rounds::same(Place place) const {
  return std::ranges::all_of(tails_, [&](const Stmt* tail) {
    return argument(*tail, place) == Origin{Kind::kParam, place};
  });
}

// Behind the read there is nothing but what computes the arguments of the
// next round, on the one way through this one.
bool Rounds::writes_behind(const Stmt* read) const {
  bool behind = false;
  for (const Stmt& stmt : loop_.round->block) {
    if (&stmt == read) {
      behind = true;
      continue;
    }
    if (!behind || &stmt == tails_[0]) continue;
    switch (stmt.op) {
      case Op::kU32: case Op::kNat: case Op::kF32: case Op::kChar:
      case Op::kMove: case Op::kMake: case Op::kTake: case Op::kCopy: break;
      case Op::kPrim: {
        std::string_view from = prim_row(stmt.prim).signature;
        if (from.starts_with("Array") && stmt.prim != Prim::kArrayGet) {
          return true;
        }
        break;
      }
      default: return true;
    }
  }
  return !behind;
}

void Rounds::find_ahead() {
  if (tails_.size() != 1 || &loop_.round->block.back() != tails_[0]) return;
  auto look = [&](Place place) {
    Origin from = argument(*tails_[0], place);
    if (loop_.ahead || from.kind != Kind::kRead) return;
    const CountedLoop::Access& access = loop_.accesses[from.number];
    if (!same(access.array) || !loop_.steps[access.index] ||
        writes_behind(access.stmt)) {
      return;
    }
    loop_.ahead = {place, access};
  };
  for (std::uint32_t i = 0; i < def_.params; ++i) {
    look({i});
    Origin whole = of(tails_[0]->ins[i]);
    if (whole.kind != Kind::kStruct) continue;
    for (std::uint32_t k = 0; k < structs_[whole.number].size(); ++k) {
      look({i, k});
    }
  }
}

}  // namespace

std::optional<CountedLoop> counted_loop(const Book& book, DefId def) {
  return Rounds(book, def).find();
}

}  // namespace tine
