#include "compiler/core/natives.h"

#include <algorithm>
#include <string>

#include "compiler/syntax/utf8.h"
#include "runtime/num/f32.h"
#include <limits>

namespace tine::core {

namespace {
constexpr std::size_t kMaxLive = 8;  // live parameters of any native
constexpr std::uint32_t kMaxArrayDepth = 31;
}  // namespace

void Theory::Natives::bind(const char* name, Fn fn) {
  Def def = globals_.find_def(name);
  if (def == Def::kNone || !globals_.def(def).is_base) return;
  if (rows_.size() <= index(def)) rows_.resize(index(def) + 1);
  rows_[index(def)] = std::move(fn);
}

Value* Theory::Natives::at_once(Def def, ArgList args) {
  if (index(def) >= words_.size()) return nullptr;
  const WordRow& row = words_[index(def)];
  auto n = [&](std::size_t i) { return std::uint32_t(args[i]->num); };
  if (args.size() == 2 && args[0]->kind == row.kind &&
      args[1]->kind == row.kind) {
    if (row.two) {
      ++theory_.steps_;
      return theory_.word(row.kind, row.two(n(0), n(1)));
    }
    if (row.test) {
      ++theory_.steps_;
      return theory_.boolean(row.test(n(0), n(1)));
    }
  }
  if (args.size() == 1 && row.one && args[0]->kind == row.kind) {
    ++theory_.steps_;
    return theory_.word(row.kind, row.one(n(0)));
  }
  if (args.size() == 2 && has(def) && args[0]->kind == ValueKind::kNat &&
      args[1]->kind == ValueKind::kNat && !args[0]->big && !args[1]->big) {
    ++theory_.steps_;
    Value* block = nullptr;
    return rows_[index(def)](args.begin(), block);
  }
  return nullptr;
}

WordRow& Theory::Natives::word_row(const char* name) {
  Def def = globals_.find_def(name);
  if (def == Def::kNone || !globals_.def(def).is_base) return unbound_;
  if (words_.size() <= index(def)) words_.resize(index(def) + 1);
  return words_[index(def)];
}

void Theory::Natives::link() {
  rows_.clear();
  words_.clear();
  link_u32();
  link_f32();
  link_nat();
  link_arrays();
  link_atomics();
}

Value* Theory::Natives::run(Def def, ArgList args, Value*& block) {
  if (!has(def)) return nullptr;
  // Signatures are read after the rows are bound: skip what is erased here.
  const std::vector<ParamInfo>& params = globals_.def(def).params;
  Value* live[kMaxLive] = {};
  std::size_t n = 0;
  for (std::size_t i = 0; i < params.size() && n < kMaxLive; ++i)
    if (params[i].mark != Mark::kErased) live[n++] = args[i];
  return rows_[index(def)](live, block);
}

// ---- reading arguments --------------------------------------------------------

Value* Theory::Natives::force(Value* v, ValueKind kind, Value*& block) {
  Value* w = theory_.whnf(v);
  if (w->kind == kind) return w;
  block = w;
  return nullptr;
}

bool Theory::known_bits(Value* word, std::uint32_t& n, Value*& block) {
  n = 0;
  Value* bits = whnf(word);
  for (int i = 0; i < 32; ++i) {
    block = bits;
    if (bits->kind != ValueKind::kCtor || bits->ctor != ids_.wcon) return false;
    Value* head = whnf(bits->args[0]);
    block = head;
    if (head->kind != ValueKind::kCtor) return false;
    if (head->ctor == ids_.true_) n |= std::uint32_t{1} << i;
    bits = whnf(bits->args[1]);
  }
  return true;
}

bool Theory::Natives::word_arg(ValueKind kind, Value* v, std::uint32_t& n,
                               Value*& block) {
  Value* w = theory_.whnf(v);
  if (w->kind == kind) {
    n = static_cast<std::uint32_t>(w->num);
    return true;
  }
  // U32{..} and F32{..} over bits that are all known.
  const BaseIds& ids = theory_.ids_;
  bool built = w->kind == ValueKind::kCtor &&
               w->ctor == (kind == ValueKind::kU32 ? ids.u32_of : ids.f32_of);
  block = w;
  if (!built) return false;
  return theory_.known_bits(w->args[0], n, block);
}

bool Theory::Natives::text_arg(Value* v, std::string& text, Value*& block) {
  while (true) {
    Value* w = theory_.whnf(v);
    if (w->kind == ValueKind::kString) {
      text += w->text->substr(w->num);
      return true;
    }
    block = w;
    if (w->kind != ValueKind::kCtor) return false;
    if (w->ctor == theory_.ids_.snil) return true;
    Value* c = theory_.whnf(w->args[0]);
    std::uint32_t code = 0;
    if (c->kind == ValueKind::kChar) {
      code = static_cast<std::uint32_t>(c->num);
    } else if (c->kind != ValueKind::kCtor) {
      return block = c, false;
    } else if (!u32_arg(c->args[0], code, block)) {
      return false;
    }
    append_utf8(text, code);
    if (!theory_.step()) return false;
    v = w->args[1];
  }
}

bool Theory::Natives::nat_arg(Value* v, BigNat& n, Value*& block) {
  Value* w = theory_.normal_nat(v);
  if (w->kind == ValueKind::kNat) {
    n = nat_value(w);
    return true;
  }
  block = w->kind == ValueKind::kSucc ? w->args[0] : w;
  return false;
}

Value* Theory::Natives::pair(Value* a, Value* b) {
  return theory_.ctor(theory_.ids_.tuple, {a, b});
}

Value* Theory::Natives::cmp(int order) {
  const BaseIds& ids = theory_.ids_;
  return theory_.ctor(order < 0 ? ids.lt : order > 0 ? ids.gt : ids.eq, {});
}

// ---- words ----------------------------------------------------------------------

void Theory::Natives::word2(ValueKind kind, const char* name, U (*f)(U, U)) {
  word_row(name).two = f;
  word_row(name).kind = kind;
  bind(name, [this, kind, f](Value* const* a, Value*& block) -> Value* {
    U x = 0, y = 0;
    if (!word_arg(kind, a[0], x, block) || !word_arg(kind, a[1], y, block))
      return nullptr;
    return theory_.word(kind, f(x, y));
  });
}

void Theory::Natives::word1(ValueKind kind, const char* name, U (*f)(U)) {
  word_row(name).one = f;
  word_row(name).kind = kind;
  bind(name, [this, kind, f](Value* const* a, Value*& block) -> Value* {
    U x = 0;
    return word_arg(kind, a[0], x, block) ? theory_.word(kind, f(x)) : nullptr;
  });
}

void Theory::Natives::test(ValueKind kind, const char* name,
                           bool (*f)(U, U)) {
  word_row(name).test = f;
  word_row(name).kind = kind;
  bind(name, [this, kind, f](Value* const* a, Value*& block) -> Value* {
    U x = 0, y = 0;
    if (!word_arg(kind, a[0], x, block) || !word_arg(kind, a[1], y, block))
      return nullptr;
    return theory_.boolean(f(x, y));
  });
}

void Theory::Natives::link_words() {
  constexpr ValueKind kU32 = ValueKind::kU32;
  word2(kU32, "U32.add", [](U x, U y) { return x + y; });
  word2(kU32, "U32.sub", [](U x, U y) { return x - y; });
  word2(kU32, "U32.mul", [](U x, U y) { return x * y; });
  word2(kU32, "U32.div", [](U x, U y) { return y == 0 ? 0 : x / y; });
  word2(kU32, "U32.mod", [](U x, U y) { return y == 0 ? x : x % y; });
  word2(kU32, "U32.and", [](U x, U y) { return x & y; });
  word2(kU32, "U32.or", [](U x, U y) { return x | y; });
  word2(kU32, "U32.xor", [](U x, U y) { return x ^ y; });
  word1(kU32, "U32.not", [](U x) { return ~x; });
  word1(kU32, "U32.inc", [](U x) { return x + 1; });
  word1(kU32, "U32.shl", [](U x) { return x << 1; });
  word1(kU32, "U32.shr", [](U x) { return x >> 1; });
  test(kU32, "U32.is_eq", [](U x, U y) { return x == y; });
  test(kU32, "U32.is_ne", [](U x, U y) { return x != y; });
  test(kU32, "U32.is_lt", [](U x, U y) { return x < y; });
  test(kU32, "U32.is_le", [](U x, U y) { return x <= y; });
  test(kU32, "U32.is_gt", [](U x, U y) { return x > y; });
  test(kU32, "U32.is_ge", [](U x, U y) { return x >= y; });
}

void Theory::Natives::link_u32() {
  link_words();
  auto shift = [this](const char* name, bool left) {
    bind(name, [this, left](Value* const* a, Value*& block) -> Value* {
      U x = 0;
      BigNat n;
      if (!u32_arg(a[0], x, block) || !nat_arg(a[1], n, block)) return nullptr;
      if (n >= 32) return theory_.u32(0);
      U k = n.convert_to<U>();
      return theory_.u32(left ? x << k : x >> k);
    });
  };
  shift("U32.shln", true);
  shift("U32.shrn", false);
  bind("U32.is_zero", [this](Value* const* a, Value*& block) -> Value* {
    U x = 0;
    return u32_arg(a[0], x, block) ? theory_.boolean(x == 0) : nullptr;
  });
  bind("U32.cmp", [this](Value* const* a, Value*& block) -> Value* {
    U x = 0, y = 0;
    if (!u32_arg(a[0], x, block) || !u32_arg(a[1], y, block)) return nullptr;
    return cmp(x < y ? -1 : x > y);
  });
  bind("U32.to_nat", [this](Value* const* a, Value*& block) -> Value* {
    U x = 0;
    return u32_arg(a[0], x, block) ? big_nat(theory_, BigNat(x)) : nullptr;
  });
  bind("U32.from_nat", [this](Value* const* a, Value*& block) -> Value* {
    BigNat n;
    if (!nat_arg(a[0], n, block)) return nullptr;
    return theory_.u32((n & 0xFFFFFFFFu).convert_to<U>());
  });
  bind("Char.from_u32", [this](Value* const* a, Value*& block) -> Value* {
    U x = 0;
    if (!u32_arg(a[0], x, block)) return nullptr;
    return theory_.word(ValueKind::kChar, x);
  });
  bind("Char.to_u32", [this](Value* const* a, Value*& block) -> Value* {
    Value* c = theory_.whnf(a[0]);
    if (c->kind == ValueKind::kCtor && c->ctor == theory_.ids_.chr_of)
      return c->args[0];
    if (c->kind != ValueKind::kChar) {
      block = c;
      return nullptr;
    }
    return theory_.u32(static_cast<U>(c->num));
  });
}

// ---- floats ---------------------------------------------------------------------

void Theory::Natives::link_f32() {
  constexpr ValueKind kF32 = ValueKind::kF32;
  word2(kF32, "F32.add", f32_add);
  word2(kF32, "F32.sub", f32_sub);
  word2(kF32, "F32.mul", f32_mul);
  word2(kF32, "F32.div", f32_div);
  test(kF32, "F32.is_eq", f32_is_eq);
  test(kF32, "F32.is_ne", [](U x, U y) { return !f32_is_eq(x, y); });
  test(kF32, "F32.is_lt", f32_is_lt);
  test(kF32, "F32.is_le", f32_is_le);
  test(kF32, "F32.is_gt", [](U x, U y) { return f32_is_lt(y, x); });
  test(kF32, "F32.is_ge", [](U x, U y) { return f32_is_le(y, x); });
#define TINE_F32_MATH(id, name, arity, value)                             \
  if (arity == 2)                                                         \
    word2(kF32, "F32." name,                                              \
          [](U x, U y) { return f32_math(F32Math::id, x, y); });          \
  else                                                                    \
    word1(kF32, "F32." name, [](U x) { return f32_math(F32Math::id, x, 0); });
#include "runtime/num/f32.def"
#undef TINE_F32_MATH
  auto convert = [this](const char* name, ValueKind from, ValueKind to,
                        U (*f)(U)) {
    bind(name, [this, from, to, f](Value* const* a, Value*& block) -> Value* {
      U x = 0;
      return word_arg(from, a[0], x, block) ? theory_.word(to, f(x)) : nullptr;
    });
  };
  convert("F32.to_u32", kF32, ValueKind::kU32, f32_to_u32);
  convert("F32.bits", kF32, ValueKind::kU32, f32_canonical);
  convert("U32.to_f32", ValueKind::kU32, kF32, f32_from_u32);
  bind("F32.show", [this](Value* const* a, Value*& block) -> Value* {
    U x = 0;
    if (!word_arg(kF32, a[0], x, block)) return nullptr;
    Value* text = theory_.make(ValueKind::kString);
    text->text = theory_.keep(f32_show(x));
    return text;
  });
  bind("F32.read", [this](Value* const* a, Value*& block) -> Value* {
    std::string text;
    U x = 0;
    if (!text_arg(a[0], text, block)) return nullptr;
    if (!f32_read(text, x)) return theory_.ctor(theory_.ids_.none, {});
    return theory_.ctor(theory_.ids_.some, {theory_.word(kF32, x)});
  });
}

void Theory::Natives::link_nat() {
  auto nat2 = [this](const char* name, Value* (*f)(Theory&, const BigNat&,
                                                   const BigNat&)) {
    bind(name, [this, f](Value* const* a, Value*& block) -> Value* {
      BigNat x, y;
      if (!nat_arg(a[0], x, block) || !nat_arg(a[1], y, block)) return nullptr;
      return f(theory_, x, y);
    });
  };
  using T = Theory;
  using N = BigNat;
  bind("Nat.add", [this](Value* const* a, Value*& block) -> Value* {
    N x, y;
    if (!nat_arg(a[0], x, block)) return nullptr;
    if (nat_arg(a[1], y, block)) return big_nat(theory_, x + y);
    // The successors of something open, all at once.
    if (x == 0) return a[1];
    if (x > std::numeric_limits<std::uint32_t>::max()) return nullptr;
    Value* sum = theory_.make(ValueKind::kSucc, {a[1]});
    sum->num = x.convert_to<std::uint64_t>();
    return sum;
  });
  nat2("Nat.mul", [](T& t, const N& x, const N& y) { return big_nat(t, x * y); });
  nat2("Nat.sub", [](T& t, const N& x, const N& y) {
    return big_nat(t, x > y ? N(x - y) : N(0));
  });
  nat2("Nat.is_lt", [](T& t, const N& x, const N& y) {
    return t.boolean(x < y);
  });
  bind("Nat.cmp", [this](Value* const* a, Value*& block) -> Value* {
    N x, y;
    if (!nat_arg(a[0], x, block) || !nat_arg(a[1], y, block)) return nullptr;
    return cmp(x < y ? -1 : x > y);
  });
  bind("Nat.double", [this](Value* const* a, Value*& block) -> Value* {
    N x;
    return nat_arg(a[0], x, block) ? big_nat(theory_, x * 2) : nullptr;
  });
  bind("Nat.divmod", [this](Value* const* a, Value*& block) -> Value* {
    N x, y;
    if (!nat_arg(a[0], x, block) || !nat_arg(a[1], y, block)) return nullptr;
    if (y == 0) return pair(big_nat(theory_, 0), big_nat(theory_, x));
    return pair(big_nat(theory_, x / y), big_nat(theory_, x % y));
  });
}

// ---- arrays: perfect trees of ALeaf and ANode ---------------------------------------

// A value in whnf that is ANode or ALeaf; false (and block) when stuck.
bool Theory::Natives::leaf(Value* v, Value*& w, Value*& block) {
  w = theory_.whnf(v);
  if (w->kind == ValueKind::kCtor) return true;
  block = w;
  return false;
}

bool Theory::Natives::array_depth(Value* a, std::uint32_t& depth,
                                  Value*& block) {
  depth = 0;
  Value* w = nullptr;
  while (true) {
    if (!leaf(a, w, block)) return false;
    if (w->ctor != theory_.ids_.anode) return true;
    a = w->args[0];
    ++depth;
  }
}

Value* Theory::Natives::array_get(Value* a, std::uint32_t depth,
                                  std::uint32_t i, Value*& block) {
  Value* w = nullptr;
  while (true) {
    if (!leaf(a, w, block)) return nullptr;
    if (w->ctor != theory_.ids_.anode) return w->args[0];
    --depth;
    a = w->args[i >> depth & 1];
  }
}

Value* Theory::Natives::array_set(Value* a, std::uint32_t depth,
                                  std::uint32_t i, Value* x, Value*& block) {
  Value* w = nullptr;
  if (!leaf(a, w, block)) return nullptr;
  if (w->ctor != theory_.ids_.anode)
    return theory_.ctor(theory_.ids_.aleaf, {x});
  std::uint32_t side = i >> (depth - 1) & 1;
  Value* half = array_set(w->args[side], depth - 1, i, x, block);
  if (!half) return nullptr;
  Value* left = side == 0 ? half : w->args[0];
  Value* right = side == 0 ? w->args[1] : half;
  return theory_.ctor(theory_.ids_.anode, {left, right});
}

void Theory::Natives::link_arrays() {
  bind("Array.new", [this](Value* const* a, Value*& block) -> Value* {
    BigNat d;
    if (!nat_arg(a[0], d, block)) return nullptr;
    if (d > kMaxArrayDepth) return nullptr;
    Value* tree = theory_.ctor(theory_.ids_.aleaf, {a[1]});
    for (BigNat k = 0; k < d; ++k)
      tree = theory_.ctor(theory_.ids_.anode, {tree, tree});
    return tree;
  });
  bind("Array.size", [this](Value* const* a, Value*& block) -> Value* {
    std::uint32_t depth = 0;
    if (!array_depth(a[0], depth, block)) return nullptr;
    return pair(a[0], theory_.u32(depth < 32 ? 1u << depth : 0));
  });
  bind("Array.get", [this](Value* const* a, Value*& block) -> Value* {
    std::uint32_t depth = 0, i = 0;
    if (!array_depth(a[0], depth, block) || !u32_arg(a[1], i, block))
      return nullptr;
    Value* x = array_get(a[0], depth, i, block);
    return x ? pair(a[0], x) : nullptr;
  });
  bind("Array.set", [this](Value* const* a, Value*& block) -> Value* {
    std::uint32_t depth = 0, i = 0;
    if (!array_depth(a[0], depth, block) || !u32_arg(a[1], i, block))
      return nullptr;
    return array_set(a[0], depth, i, a[2], block);
  });
  bind("Array.swap", [this](Value* const* a, Value*& block) -> Value* {
    std::uint32_t depth = 0, i = 0;
    if (!array_depth(a[0], depth, block) || !u32_arg(a[1], i, block))
      return nullptr;
    Value* old = array_get(a[0], depth, i, block);
    Value* set = old ? array_set(a[0], depth, i, a[2], block) : nullptr;
    return set ? pair(set, old) : nullptr;
  });
  bind("Array.clone", [this](Value* const* a, Value*&) -> Value* {
    return pair(a[0], a[0]);
  });
}

void Theory::Natives::link_atomics() {
  auto row = [this](const char* name, U (*f)(U, U)) {
    bind(name, [this, f](Value* const* a, Value*& block) -> Value* {
      std::uint32_t depth = 0, i = 0, x = 0, old = 0;
      if (!array_depth(a[0], depth, block) || !u32_arg(a[1], i, block) ||
          !u32_arg(a[2], x, block))
        return nullptr;
      Value* slot = array_get(a[0], depth, i, block);
      if (!slot || !u32_arg(slot, old, block)) return nullptr;
      Value* set = array_set(a[0], depth, i, theory_.u32(f(old, x)), block);
      return set ? pair(set, theory_.u32(old)) : nullptr;
    });
  };
  row("Array.atomic.add", [](U old, U x) { return old + x; });
  row("Array.atomic.min", [](U old, U x) { return std::min(old, x); });
  row("Array.atomic.max", [](U old, U x) { return std::max(old, x); });
  row("Array.atomic.and", [](U old, U x) { return old & x; });
  row("Array.atomic.or", [](U old, U x) { return old | x; });
  row("Array.atomic.xor", [](U old, U x) { return old ^ x; });
  row("Array.atomic.exch", [](U, U x) { return x; });
  bind("Array.atomic.fadd", [this](Value* const* a, Value*& block) -> Value* {
    constexpr ValueKind kF32 = ValueKind::kF32;
    std::uint32_t depth = 0, i = 0, x = 0, old = 0;
    if (!array_depth(a[0], depth, block) || !u32_arg(a[1], i, block) ||
        !word_arg(kF32, a[2], x, block))
      return nullptr;
    Value* slot = array_get(a[0], depth, i, block);
    if (!slot || !word_arg(kF32, slot, old, block)) return nullptr;
    Value* sum = theory_.word(kF32, f32_add(old, x));
    Value* set = array_set(a[0], depth, i, sum, block);
    return set ? pair(set, theory_.word(kF32, old)) : nullptr;
  });
  bind("Array.atomic.cas", [this](Value* const* a, Value*& block) -> Value* {
    std::uint32_t depth = 0, i = 0, x = 0, v = 0, old = 0;
    if (!array_depth(a[0], depth, block) || !u32_arg(a[1], i, block) ||
        !u32_arg(a[2], x, block) || !u32_arg(a[3], v, block))
      return nullptr;
    Value* slot = array_get(a[0], depth, i, block);
    if (!slot || !u32_arg(slot, old, block)) return nullptr;
    Value* set =
        old == x ? array_set(a[0], depth, i, theory_.u32(v), block) : a[0];
    return set ? pair(set, theory_.u32(old)) : nullptr;
  });
}

}  // namespace tine::core
