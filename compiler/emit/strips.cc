// Why an access needs no mask: its index is a sum of words, modulo 2^32, and a
// strip is entered only when the same sum in i64 lies inside of the array in
// its first round and in its last. Since one term grows by one a round and the
// others stay, it does so in every round between; a sum that lies inside of the
// array as i64 is the word that the program computes, and the array's mask
// leaves it as it is. For `x .&. m` likewise: every x up to the lowest bit that
// m lacks stays what it was.
#include "compiler/emit/strips.h"

#include <algorithm>
#include <map>

#include "runtime/heap/check.h"

namespace tine {
namespace {

using Place = CountedLoop::Place;
using Term = CountedLoop::Term;
using Sum = CountedLoop::Sum;
using Masked = CountedLoop::Masked;

// What a wire holds, in terms of the parameters at the start of the round.
struct Origin {
  enum class Kind : std::uint8_t {
    kOther,
    kWord,     // the word `number`
    kParam,    // what is at `place`, an array also after a write
    kIndex,    // indices_[number]
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

// A sum, and one behind a mask that is added to it.
struct Index {
  Sum sum;
  std::optional<Masked> masked;
};

// Sums that are longer, or further away, keep their mask: a strip would hardly
// ever be inside, and i64 holds what remains.
constexpr std::uint32_t kFar = 1 << 20;
constexpr std::size_t kMostTerms = 4;

bool near(const Sum& sum) {
  return sum.plus + kFar <= 2 * kFar && sum.terms.size() <= kMostTerms;
}

// x + y, or x - y.
Sum added(Sum x, const Sum& y, bool minus) {
  for (Term term : y.terms) {
    x.terms.push_back({term.param, term.minus != minus});
  }
  std::ranges::sort(x.terms);
  x.plus += minus ? -y.plus : y.plus;
  return x;
}

class LoopFinder {
 public:
  LoopFinder(const Book& book, DefId id)
      : book_(book), id_(id), def_(book.def(id)), origins_(def_.wires.size()) {}

  std::optional<CountedLoop> find();

 private:
  bool walk(const Block& block);
  void take(const Stmt& stmt);
  void prim(const Stmt& stmt);
  void add(Wire out, const Origin& x, const Origin& y, bool minus);
  void mask(Wire out, const Origin& x, const Origin& y);
  void access(const Stmt& stmt);
  std::optional<Index> index_of(const Origin& origin) const;
  bool steps(const Sum& sum) const;
  void find_steps();
  void find_ahead();
  bool only_handed_on(std::uint32_t number) const;
  bool same(Place place);
  Origin argument(const Stmt& call, Place place) const;

  Origin of(Wire wire) const { return origins_[index(wire)]; }
  Origin field(const Origin& from, std::uint32_t field) const;
  void set(Wire wire, Origin origin) {
    if (wire != Wire::kOut) origins_[index(wire)] = origin;
  }
  void set_index(Wire wire, Index made) {
    set(wire, {Kind::kIndex, {}, static_cast<std::uint32_t>(indices_.size())});
    indices_.push_back(std::move(made));
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
  std::vector<Index> indices_;
  std::vector<const Stmt*> tails_;
  std::map<Place, bool> same_;
  bool known_ = false;   // the second walk: what steps and what stays
  CountedLoop loop_;
};

std::optional<CountedLoop> LoopFinder::find() {
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
  find_steps();
  known_ = true;
  walk(loop_.round->block);
  find_ahead();
  return loop_;
}

void LoopFinder::find_steps() {
  for (std::uint32_t i = 0; i < def_.params; ++i) {
    loop_.steps.push_back(std::ranges::all_of(tails_, [&](const Stmt* tail) {
      std::optional<Index> next = index_of(of(tail->ins[i]));
      return next && !next->masked && next->sum == Sum{{{i}}, 1};
    }));
    loop_.same.push_back(same({i}));
  }
}

// Whether a way through the block leads to the next round: what others read
// and write, they do once.
bool LoopFinder::walk(const Block& block) {
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
      default: break;
    }
  }
  const Stmt& last = block.back();
  if (last.op == Op::kCall && last.outs[0] == Wire::kOut && last.def == id_) {
    if (!known_) tails_.push_back(&last);
    return true;
  }
  bool leads = false;
  for (const Arm& arm : last.arms) {
    std::size_t before = loop_.accesses.size();
    if (walk(arm.block)) {
      leads = true;
    } else {
      loop_.accesses.resize(before);
    }
  }
  return leads;
}

Origin LoopFinder::field(const Origin& from, std::uint32_t field) const {
  if (from.kind == Kind::kStruct) return structs_[from.number][field];
  if (from.kind == Kind::kParam && from.place.field == Place::kWhole) {
    return {Kind::kParam, {from.place.param, field}};
  }
  return {};
}

void LoopFinder::take(const Stmt& stmt) {
  if (stmt.ctor == kCtorALeaf || stmt.ctor == kCtorANode) return;
  Origin from = of(stmt.ins[0]);
  for (std::uint32_t i = 0; i < stmt.outs.size(); ++i) {
    set(stmt.outs[i], field(from, i));
  }
}

void LoopFinder::prim(const Stmt& stmt) {
  Wire out = stmt.outs[0];
  switch (stmt.prim) {
    case Prim::kU32Inc:
      return add(out, of(stmt.ins[0]), {Kind::kWord, {}, 1}, false);
    case Prim::kU32Add:
      return add(out, of(stmt.ins[0]), of(stmt.ins[1]), false);
    case Prim::kU32Sub:
      return add(out, of(stmt.ins[0]), of(stmt.ins[1]), true);
    case Prim::kU32And:
      return mask(out, of(stmt.ins[0]), of(stmt.ins[1]));
    case Prim::kArrayGet:
    case Prim::kArraySet: return access(stmt);
    default: return;
  }
}

std::optional<Index> LoopFinder::index_of(const Origin& origin) const {
  switch (origin.kind) {
    case Kind::kWord: return Index{{{}, origin.number}, {}};
    case Kind::kIndex: return indices_[origin.number];
    case Kind::kParam:
      if (origin.place.field != Place::kWhole) return std::nullopt;
      return Index{{{{origin.place.param}}, 0}, {}};
    default: return std::nullopt;
  }
}

void LoopFinder::add(Wire out, const Origin& x, const Origin& y, bool minus) {
  std::optional<Index> left = index_of(x), right = index_of(y);
  if (!left || !right || (right->masked && (left->masked || minus))) return;
  Sum sum = added(left->sum, right->sum, minus);
  if (sum.terms.size() > kMostTerms) return;
  set_index(out, {sum, left->masked ? left->masked : right->masked});
}

void LoopFinder::mask(Wire out, const Origin& x, const Origin& y) {
  if (!known_) return;
  auto part = [&](const Origin& from, const Origin& by) {
    std::optional<Index> index = index_of(from);
    bool param = by.kind == Kind::kParam && by.place.field == Place::kWhole &&
                 loop_.same[by.place.param];
    bool word = by.kind == Kind::kWord;
    if (!index || index->masked || !steps(index->sum) || !(param || word)) {
      return false;
    }
    Masked masked{index->sum, {}, by.number};
    if (param) masked.param = by.place.param;
    set_index(out, {{}, masked});
    return true;
  };
  if (!part(x, y)) part(y, x);
}

// One term grows by one each round, the others stay.
bool LoopFinder::steps(const Sum& sum) const {
  std::size_t found = 0;
  for (Term term : sum.terms) {
    if (loop_.same[term.param]) continue;
    if (!loop_.steps[term.param] || term.minus) return false;
    ++found;
  }
  return found == 1 && near(sum);
}

void LoopFinder::access(const Stmt& stmt) {
  Origin array = of(stmt.ins[0]);
  if (array.kind != Kind::kParam) return;
  bool narrow = stmt.type == kTypeU32 || stmt.type == kTypeF32 ||
                stmt.type == kTypeChar;
  std::optional<Index> index = index_of(of(stmt.ins[1]));
  Origin read;
  if (known_ && narrow && index && same(array.place)) {
    Sum sum = index->sum;
    if (index->masked) sum = added(sum, index->masked->sum, false);
    if (steps(sum)) {
      read = {Kind::kRead, {},
              static_cast<std::uint32_t>(loop_.accesses.size())};
      loop_.accesses.push_back({&stmt, array.place, sum, index->masked});
    }
  }
  if (stmt.prim == Prim::kArrayGet) {
    set_struct(stmt.outs[0], {array, read});
  } else {
    set(stmt.outs[0], array);
  }
}

// What a call hands on at the place.
Origin LoopFinder::argument(const Stmt& call, Place place) const {
  Origin whole = of(call.ins[place.param]);
  return place.field == Place::kWhole ? whole : field(whole, place.field);
}

// Do all tails hand on what was there? Asked when all are known, of a place
// once: a round may have as many accesses as tails.
bool LoopFinder::same(Place place) {
  auto [known, asked_first] = same_.try_emplace(place);
  if (asked_first) {
    known->second = std::ranges::all_of(tails_, [&](const Stmt* tail) {
      return argument(*tail, place) == Origin{Kind::kParam, place};
    });
  }
  return known->second;
}

// On the one way through the round nothing looks at what access `number` reads,
// and nothing behind it writes: then it may as well be read a round later.
bool LoopFinder::only_handed_on(std::uint32_t number) const {
  auto is_read = [&](const Origin& origin) {
    return origin.kind == Kind::kRead && origin.number == number;
  };
  auto holds_read = [&](Wire wire) {
    Origin from = of(wire);
    return is_read(from) ||
           (from.kind == Kind::kStruct &&
            std::ranges::any_of(structs_[from.number], is_read));
  };
  const Stmt* read = loop_.accesses[number].stmt;
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
        bool array = from.starts_with("Array");
        if ((array && stmt.prim != Prim::kArrayGet) ||
            std::ranges::any_of(stmt.ins, holds_read)) {
          return false;
        }
        break;
      }
      default: return false;
    }
  }
  return behind;  // else it is in an arm
}

void LoopFinder::find_ahead() {
  if (tails_.size() != 1 || &loop_.round->block.back() != tails_[0]) return;
  auto look = [&](Place place) {
    Origin from = argument(*tails_[0], place);
    if (loop_.ahead || from.kind != Kind::kRead) return;
    TINE_CHECK(from.number < loop_.accesses.size());  // no arm was left out
    const CountedLoop::Access& access = loop_.accesses[from.number];
    if (!access.masked && only_handed_on(from.number)) {
      loop_.ahead = {place, access};
    }
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
  return LoopFinder(book, def).find();
}

}  // namespace tine
