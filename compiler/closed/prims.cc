#include "compiler/closed/prims.h"

#include "runtime/num/f32.h"

namespace tine::closed {

using core::Def;
using core::Globals;
using core::Theory;

namespace {

Cell nullary(const Globals& globals, core::Ctor id) {
  if (id == core::Ctor::kNone) return 0;
  return ctor_cell(globals.ctor(id).tag, core::index(id));
}

WordSort sort_of_kind(core::ValueKind kind) {
  return kind == core::ValueKind::kF32    ? WordSort::kF32
         : kind == core::ValueKind::kChar ? WordSort::kChar
                                          : WordSort::kU32;
}

std::uint32_t same(std::uint32_t x) { return x; }

}  // namespace

PrimTable::PrimTable(const Globals& globals, const Theory& theory) {
  const core::BaseIds& ids = theory.ids();
  true_ = nullary(globals, ids.true_);
  false_ = nullary(globals, ids.false_);
  less_ = nullary(globals, ids.lt);
  equal_ = nullary(globals, ids.eq);
  greater_ = nullary(globals, ids.gt);
  add_words(globals, theory);
  add_nats(globals);
}

ClosedPrim& PrimTable::add(const Globals& globals, const char* name) {
  Def def = globals.find_def(name);
  if (def == Def::kNone || !globals.def(def).is_base) return none_;
  if (by_def_.size() <= core::index(def)) by_def_.resize(core::index(def) + 1);
  ClosedPrim*& prim = by_def_[core::index(def)];
  if (!prim) prim = &prims_.emplace_back();
  return *prim;
}

void PrimTable::add_words(const Globals& globals, const Theory& theory) {
  // First everything that the theory has a function for.
  for (std::uint32_t i = 0; i < globals.defs.size(); ++i) {
    core::WordRow row = theory.word_row(Def{i});
    if (!row.one && !row.two && !row.test) continue;
    by_def_.resize(i + 1);
    by_def_[i] = &prims_.emplace_back();
    ClosedPrim& prim = *by_def_[i];
    prim.sort = row.one   ? PrimSort::kWord1
                : row.two ? PrimSort::kWord2
                          : PrimSort::kTest;
    prim.arity = row.one ? 1 : 2;
    prim.words = sort_of_kind(row.kind);
    prim.one = row.one;
    prim.two = row.two;
    prim.test = row.test;
  }
  auto known = [&](const char* name, PrimSort sort) {
    add(globals, name).sort = sort;
  };
  known("U32.add", PrimSort::kAdd);
  known("U32.sub", PrimSort::kSub);
  known("U32.mul", PrimSort::kMul);
  known("U32.and", PrimSort::kAnd);
  known("U32.or", PrimSort::kOr);
  known("U32.xor", PrimSort::kXor);
  known("U32.is_eq", PrimSort::kEqual);
  known("U32.is_lt", PrimSort::kLess);
  known("U32.is_le", PrimSort::kLessEqual);
  known("U32.is_gt", PrimSort::kGreater);
  known("U32.is_ge", PrimSort::kGreaterEqual);
  auto more = [&](const char* name, PrimSort sort, std::uint8_t arity,
                  std::uint8_t nats = 0) {
    ClosedPrim& prim = add(globals, name);
    prim.sort = sort;
    prim.arity = arity;
    prim.nats = nats;
  };
  more("U32.is_zero", PrimSort::kIsZero, 1);
  more("U32.cmp", PrimSort::kCompare, 2);
  more("U32.shln", PrimSort::kShiftLeft, 2, 2);
  more("U32.shrn", PrimSort::kShiftRight, 2, 2);
  more("U32.to_nat", PrimSort::kToNat, 1);
  more("U32.from_nat", PrimSort::kFromNat, 1, 1);
  auto convert = [&](const char* name, WordSort to,
                     std::uint32_t (*f)(std::uint32_t)) {
    ClosedPrim& prim = add(globals, name);
    prim.sort = PrimSort::kConvert;
    prim.arity = 1;
    prim.words = to;
    prim.one = f;
  };
  convert("Char.from_u32", WordSort::kChar, same);
  convert("Char.to_u32", WordSort::kU32, same);
  convert("F32.to_u32", WordSort::kU32, f32_to_u32);
  convert("F32.bits", WordSort::kU32, f32_canonical);
  convert("U32.to_f32", WordSort::kF32, f32_from_u32);
}

void PrimTable::add_nats(const Globals& globals) {
  auto nat = [&](const char* name, PrimSort sort, std::uint8_t arity) {
    ClosedPrim& prim = add(globals, name);
    prim.sort = sort;
    prim.arity = arity;
    prim.nats = arity == 2 ? 3 : 1;
  };
  nat("Nat.add", PrimSort::kNatAdd, 2);
  nat("Nat.sub", PrimSort::kNatSub, 2);
  nat("Nat.mul", PrimSort::kNatMul, 2);
  nat("Nat.is_lt", PrimSort::kNatLess, 2);
  nat("Nat.cmp", PrimSort::kNatCompare, 2);
  nat("Nat.double", PrimSort::kNatDouble, 1);
  nat("Nat.divmod", PrimSort::kNatDivmod, 2);
}

namespace {

// Past 2^60 the theory takes over.
Cell small_nat(bool wrapped, std::uint64_t n) {
  return wrapped || n >= kNatEnd ? 0 : nat_cell(n);
}

std::uint32_t shifted(std::uint32_t x, std::uint64_t n, bool left) {
  return n >= 32 ? 0 : left ? x << n : x >> n;
}

}  // namespace

Cell PrimTable::run(const ClosedPrim& prim, const Cell* args,
                    Cell* pair) const {
  for (std::uint32_t i = 0; i < prim.arity; ++i)
    if (tag_of(args[i]) != (prim.nats >> i & 1 ? kNatTag : kWordTag)) return 0;
  std::uint32_t x = word_of(args[0]);
  std::uint32_t y = prim.arity > 1 ? word_of(args[1]) : 0;
  std::uint64_t n = nat_of(args[0]);
  std::uint64_t m = prim.arity > 1 ? nat_of(args[1]) : 0;
  auto u32 = [](std::uint32_t w) { return word_cell(WordSort::kU32, w); };
  auto boolean = [this](bool b) { return b ? true_ : false_; };
  switch (prim.sort) {
    case PrimSort::kAdd:
      return u32(x + y);
    case PrimSort::kSub:
      return u32(x - y);
    case PrimSort::kMul:
      return u32(x * y);
    case PrimSort::kAnd:
      return u32(x & y);
    case PrimSort::kOr:
      return u32(x | y);
    case PrimSort::kXor:
      return u32(x ^ y);
    case PrimSort::kEqual:
      return boolean(x == y);
    case PrimSort::kLess:
      return boolean(x < y);
    case PrimSort::kLessEqual:
      return boolean(x <= y);
    case PrimSort::kGreater:
      return boolean(x > y);
    case PrimSort::kGreaterEqual:
      return boolean(x >= y);
    case PrimSort::kIsZero:
      return boolean(x == 0);
    case PrimSort::kCompare:
      return compare(x < y ? -1 : x > y);
    case PrimSort::kShiftLeft:
      return u32(shifted(x, m, true));
    case PrimSort::kShiftRight:
      return u32(shifted(x, m, false));
    case PrimSort::kToNat:
      return nat_cell(x);
    case PrimSort::kFromNat:
      return u32(static_cast<std::uint32_t>(n));
    case PrimSort::kWord1:
    case PrimSort::kConvert:
      return word_cell(prim.words, prim.one(x));
    case PrimSort::kWord2:
      return word_cell(prim.words, prim.two(x, y));
    case PrimSort::kTest:
      return boolean(prim.test(x, y));
    case PrimSort::kNatAdd:
      return small_nat(false, n + m);
    case PrimSort::kNatSub:
      return nat_cell(n > m ? n - m : 0);
    case PrimSort::kNatMul: {
      std::uint64_t product = 0;
      bool wrapped = __builtin_mul_overflow(n, m, &product);
      return small_nat(wrapped, product);
    }
    case PrimSort::kNatLess:
      return boolean(n < m);
    case PrimSort::kNatCompare:
      return compare(n < m ? -1 : n > m);
    case PrimSort::kNatDouble:
      return small_nat(false, n * 2);
    case PrimSort::kNatDivmod:
      pair[0] = nat_cell(m == 0 ? 0 : n / m);
      pair[1] = nat_cell(m == 0 ? n : n % m);
      return kPair;
  }
  return 0;
}

}  // namespace tine::closed
