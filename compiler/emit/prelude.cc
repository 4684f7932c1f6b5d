// The prelude: the structs of runtime/native/abi.h in C, and the operations
// on words and nodes that are too short for a call.
//
// Memory of nodes is read and written as u64 only, so that no compiler may
// take two accesses to be of different types.
#include "compiler/emit/prelude.h"

#include "runtime/heap/array.h"
#include "runtime/heap/node.h"
#include "runtime/native/abi.h"

namespace tine {
namespace {

constexpr const char* kTypes = R"(typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef u32 __attribute__((may_alias)) shared_u32;
typedef struct W W;
typedef struct Fork Fork;
typedef struct Rt Rt;
typedef struct { u64 a, b; } two;
struct Fork { Fork *older, *newer; void (*run)(W*, Fork*); u32 done, thief; };
typedef struct { u64 first, spare; u32 count, limit; } Size;
struct W {
  char* limit;
  Fork *newest, *published;
  Size* sizes;
  u64 made, freed;
  const Rt* rt;
  void* self;
  u64 alone;
  u64* counts;
};
)";

// What differs between a C compiler of the host and one of the device: memory
// that several workers touch, the stack, names of functions.
constexpr const char* kHost = R"(
#define LOAD_RELAXED(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define LOAD_ACQUIRE(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define STORE_RELAXED(p, x) __atomic_store_n(p, x, __ATOMIC_RELAXED)
#define ADD_RELAXED(p, x) __atomic_fetch_add(p, x, __ATOMIC_RELAXED)
#define SUB_ACQ_REL(p, x) __atomic_fetch_sub(p, x, __ATOMIC_ACQ_REL)
#define SWAP_RELAXED(p, x) __atomic_exchange_n(p, x, __ATOMIC_RELAXED)
#define CAS_RELAXED(p, old, x) __atomic_compare_exchange_n( \
    p, old, x, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define MUL_OVERFLOWS(x, y, z) __builtin_mul_overflow(x, y, z)
#define NOINLINE __attribute__((noinline))
#define COLD __attribute__((cold))
#define HOT __attribute__((hot, noinline))
#if defined(__x86_64__)
#define STACK(to) __asm__("mov %%rsp, %0" : "=r"(to))
#elif defined(__aarch64__)
#define STACK(to) __asm__("mov %0, sp" : "=r"(to))
#else
#define STACK(to) (to = (char*)__builtin_frame_address(0))
#endif
/* closures: the def that a closure stands for, once complete */
typedef struct { u32 params; u64 (*enter)(W*, u64*, u64); } Def;
static const Def defs[];
static u64 apply(W* w, u64 f, u64 x, u32 from);
)";

constexpr const char* kDevice = R"(
#define LOAD_RELAXED(p) (*(volatile decltype(+*(p))*)(p))
#define STORE_RELAXED(p, x) (*(volatile decltype(+*(p))*)(p) = (x))
static inline u32 load_acquire(shared_u32* p) {
  u32 x = *(volatile u32*)p;
  __threadfence();
  return x;
}
static inline u32 sub_acq_rel(shared_u32* p, u32 x) {
  __threadfence();
  u32 before = atomicSub(p, x);
  __threadfence();
  return before;
}
#define LOAD_ACQUIRE(p) load_acquire(p)
#define ADD_RELAXED(p, x) atomicAdd(p, x)
#define SUB_ACQ_REL(p, x) sub_acq_rel(p, x)
#define SWAP_RELAXED(p, x) atomicExch(p, x)
static inline int cas_relaxed(shared_u32* p, u32* old, u32 x) {
  u32 wanted = *old;
  *old = atomicCAS(p, wanted, x);
  return *old == wanted;
}
#define CAS_RELAXED(p, old, x) cas_relaxed(p, old, x)
#define MUL_OVERFLOWS(x, y, z) (*(z) = (x) * (y), __umul64hi(x, y) != 0)
#define NOINLINE __noinline__
#define COLD
#define HOT
#define STACK(to) char here_; to = &here_
#define __builtin_sqrtf(x) __fsqrt_rn(x)
#define __builtin_fabsf(x) fabsf(x)
u64 apply(W* w, u64 f, u64 x, u32 from);
)";

constexpr const char* kOperations = R"(
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNUSED __attribute__((unused))
#define HEAD(ctor, words) ((u64)((ctor) << 10 | (words)) << 32 | 1)
#define FIRST_IMMEDIATE (5ull << 60)
#define MAX_NAT ((1ull << 48) - 1)
#define OFFSET(type, field) ((u32)__builtin_offsetof(type, field))

/* words */
UNUSED static inline u64 box_u32(u32 x) { return 7ull << 60 | x; }
UNUSED static inline u64 box_char(u32 x) { return 9ull << 60 | x; }
UNUSED static inline u64 box_nat(u64 x) { return 10ull << 60 | x; }
UNUSED static inline u64 box_ctor(u32 x) { return 6ull << 60 | x; }
UNUSED static inline u64 box_fun(u32 x) { return 5ull << 60 | x; }
UNUSED static inline u32 f32_bits(float x) {
  union { float f; u32 u; } v; v.f = x; return v.u;
}
UNUSED static inline float f32_of(u32 x) {
  union { float f; u32 u; } v; v.u = x; return v.f;
}
UNUSED static inline float f32_canon(float x) {
  return x == x ? x : f32_of(0x7FC00000u);
}
UNUSED static inline u32 f32_to_u32(float x) {
  return x >= 0.0f && x < 4294967296.0f ? (u32)x : 0;
}
UNUSED static inline u64 box_f32(float x) { return 8ull << 60 | f32_bits(x); }
UNUSED static inline float unbox_f32(u64 x) { return f32_of((u32)x); }
UNUSED static inline u64 unbox_nat(u64 x) { return x & MAX_NAT; }
UNUSED static inline int is_node(u64 x) { return x >> 60 == 0; }
UNUSED static inline u32 ctor_of(u64 x) {
  return is_node(x) ? (u32)(((u64*)x)[0] >> 42)
                    : x >> 60 == 6 ? (u32)x : 0xFFFFFFFFu;
}

/* stack and limits: one compare */
#define CHECK(def) do { \
    char* sp_; STACK(sp_); \
    if (!LIKELY(sp_ >= LOAD_RELAXED(&w->limit))) \
      w->rt->poll(w, def); \
  } while (0)

/* nodes; dead ones are shown to the address sanitizer */
#ifdef __SANITIZE_ADDRESS__
void __asan_poison_memory_region(const volatile void*, unsigned long);
void __asan_unpoison_memory_region(const volatile void*, unsigned long);
#define POISON(n, words) __asan_poison_memory_region(n, (words) * 8ul)
#define UNPOISON(n, words) __asan_unpoison_memory_region(n, (words) * 8ul)
#else
#define POISON(n, words) ((void)0)
#define UNPOISON(n, words) ((void)0)
#endif
UNUSED static inline u64* make(W* w, u64 head, u32 words, u32 def) {
  Size* s = w->sizes + words;
  u64* n = (u64*)s->first;
  if (LIKELY(n)) { UNPOISON(n, words); s->first = n[0]; s->count--; }
  else n = (u64*)w->rt->take(w, words, def);
  w->made++;
  n[0] = head;
  return n;
}
UNUSED static inline void give(W* w, u64* n, u32 words) {
  Size* s = w->sizes + words;
  n[0] = s->first;
  s->first = (u64)n;
  POISON(n, words);
  w->freed++;
  if (!LIKELY(++s->count < s->limit)) w->rt->rotate(w, words);
}
/* the node of a match where there is one to use again */
UNUSED static inline u64* remake(W* w, u64* old, u64 head, u32 words,
                                 u32 def) {
  if (!LIKELY(old)) return make(w, head, words, def);
  old[0] = head;
  return old;
}
UNUSED static inline int sole(u64* n) {
  return LOAD_ACQUIRE((shared_u32*)n) == 1;
}
UNUSED static inline u32 count_of(u64 x) {
  return LOAD_ACQUIRE((shared_u32*)x);
}
UNUSED static inline void set_count(u64 x, u32 count) {
  STORE_RELAXED((shared_u32*)x, count);
}
UNUSED static inline void add_count(u64 x) {
  ADD_RELAXED((shared_u32*)x, 1);
}
/* Gives up a share. Whoever is the last gets it back, as the sole owner. */
UNUSED static inline int leaves_others(u64 x) {
  if (SUB_ACQ_REL((shared_u32*)x, 1) != 1) return 1;
  set_count(x, 1);
  return 0;
}
UNUSED static inline void copy(W* w, u64 x, u32 def) {
  if (x >= FIRST_IMMEDIATE) return;
  if (is_node(x)) {
    u32 count = count_of(x);
    if (LIKELY(count == 1 || (w->alone && count < MOST_COUNT))) {
      set_count(x, count + 1);
      return;
    }
    if (count < MOST_COUNT) { add_count(x); return; }
  }
  w->rt->share(w, x, def);
}
/* an owner for a value that somebody else goes on owning */
UNUSED static inline void lend(W* w, u64 x, u32 def) {
  if (x >= FIRST_IMMEDIATE) return;
  if (is_node(x) && count_of(x) < MOST_COUNT) {
    if (LIKELY(w->alone)) set_count(x, count_of(x) + 1);
    else add_count(x);
    return;
  }
  w->rt->share(w, x, def);
}
UNUSED static inline void drop(W* w, u64 x, u32 def) {
  if (x >= FIRST_IMMEDIATE) return;
  if (is_node(x) && count_of(x) > 1) {
    if (w->alone) { set_count(x, count_of(x) - 1); return; }
    if (leaves_others(x)) return;
  }
  w->rt->drop(w, x, def);
}
/* gives up a share of a node that others hold too; its fields have been read
   and get one owner more each */
UNUSED static inline void unshare(W* w, u64* n, u32 words, u32 def) {
  for (u32 i = 1; i < words; i++) lend(w, n[i], def);
  if (LIKELY(w->alone)) set_count((u64)n, count_of((u64)n) - 1);
  else if (!leaves_others((u64)n)) w->rt->drop(w, (u64)n, def);
}

/* traps */
UNUSED static inline void fail(W* w, u32 fault, u32 def) {
  w->rt->fail(w, fault, def);
  __builtin_unreachable();
}
UNUSED static inline u64 nat_checked(W* w, u64 x, u32 def) {
  if (!LIKELY(x <= MAX_NAT)) fail(w, FAULT_NAT_RANGE, def);
  return x;
}
UNUSED static inline u64 nat_mul(W* w, u64 x, u64 y, u32 def) {
  u64 z;
  if (!LIKELY(!MUL_OVERFLOWS(x, y, &z) && z <= MAX_NAT)) {
    fail(w, FAULT_NAT_RANGE, def);
  }
  return z;
}
UNUSED static inline two nat_divmod(u64 x, u64 y) {
  two r = { 0, x };
  if (y != 0) { r.a = x / y; r.b = x % y; }
  return r;
}
UNUSED static inline u32 order_u32(u32 x, u32 y) {
  return x < y ? 0 : x == y ? 1 : 2;
}
UNUSED static inline u32 order_u64(u64 x, u64 y) {
  return x < y ? 0 : x == y ? 1 : 2;
}

/* arrays; lanes of a program that write one slot write whole words, here as
   by the net engine, and where the thread sanitizer looks it is told so */
#ifdef __SANITIZE_THREAD__
#define CELL(p) LOAD_RELAXED((shared_u32*)(p))
#define SET_CELL(p, x) STORE_RELAXED((shared_u32*)(p), x)
#else
#define CELL(p) (*(u32*)(p))
#define SET_CELL(p, x) (*(u32*)(p) = (x))
#endif
UNUSED static inline const View* view_of(u64 a) {
  return (const View*)((a & VIEW_MASK) << 6);
}
UNUSED static inline void need_array(W* w, u64 a, u32 def) {
  if (!LIKELY(a >> 60 == 3)) fail(w, FAULT_NO_ARM, def);
}
UNUSED static inline u32 array_size(u64 a) {
  return (u32)view_of(a)->mask + 1;
}
UNUSED static inline u32 array_last(u64 a) { return (u32)view_of(a)->mask; }
UNUSED static inline u32* cells_u32(u64 a) { return (u32*)view_of(a)->cells; }
UNUSED static inline float* cells_f32(u64 a) {
  return (float*)view_of(a)->cells;
}
/* how many of the rounds stay between 0 and `limit`, when the first goes from
   at + first to at + last and each is one further on; when the first does not,
   `outside` is how many do not either: until they are inside, or all */
UNUSED static inline u64 strip_room(u64 rounds, i64 at, i64 first, i64 last,
                                    u32 limit, u64* outside) {
  i64 begin = at + first, end = at + last;
  if (begin < 0) {
    if ((u64)-begin < *outside) *outside = (u64)-begin;
    return 0;
  }
  if (LIKELY(end + (i64)rounds <= (i64)limit + 1)) return rounds;
  return end <= (i64)limit ? (u64)((i64)limit + 1 - end) : 0;
}
/* the numbers from 0 to here stay as they are under the mask */
UNUSED static inline u32 mask_last(u32 mask) {
  return (mask ^ (mask + 1)) >> 1;
}
UNUSED static inline int is_leaf(u64 a) { return (u32)view_of(a)->mask == 0; }
UNUSED static inline u32 array_get_u32(W* w, u64 a, u32 i, u32 def) {
  const View* v = view_of(a);
  (void)w; (void)def;
  return CELL((u32*)v->cells + (i & (u32)v->mask));
}
UNUSED static inline void array_set_u32(W* w, u64 a, u32 i, u32 x, u32 def) {
  const View* v = view_of(a);
  (void)w; (void)def;
  SET_CELL((u32*)v->cells + (i & (u32)v->mask), x);
}
UNUSED static inline float array_get_f32(W* w, u64 a, u32 i, u32 def) {
  const View* v = view_of(a);
  (void)w; (void)def;
  return ((float*)v->cells)[i & (u32)v->mask];
}
UNUSED static inline void array_set_f32(W* w, u64 a, u32 i, float x, u32 def) {
  const View* v = view_of(a);
  (void)w; (void)def;
  ((float*)v->cells)[i & (u32)v->mask] = x;
}
UNUSED static inline u32 array_swap_u32(W* w, u64 a, u32 i, u32 x, u32 def) {
  const View* v = view_of(a);
  (void)w; (void)def;
  return SWAP_RELAXED((u32*)v->cells + (i & (u32)v->mask), x);
}
UNUSED static inline float array_swap_f32(W* w, u64 a, u32 i, float x,
                                          u32 def) {
  const View* v = view_of(a);
  (void)w; (void)def;
  return f32_of(SWAP_RELAXED(
      (shared_u32*)v->cells + (i & (u32)v->mask), f32_bits(x)));
}
/* one step for all who share the array; a plain one where nobody does */
UNUSED static inline shared_u32* shared_cell(u64 a, u32 i) {
  const View* v = view_of(a);
  return (shared_u32*)v->cells + (i & (u32)v->mask);
}
UNUSED static inline u32 atomic_add(W* w, u64 a, u32 i, u32 x) {
  shared_u32* p = shared_cell(a, i);
  if (!w->alone) return ADD_RELAXED(p, x);
  u32 old = LOAD_RELAXED(p);
  STORE_RELAXED(p, old + x);
  return old;
}
UNUSED static inline u32 atomic_min(W* w, u64 a, u32 i, u32 x) {
  shared_u32* p = shared_cell(a, i);
  u32 old = LOAD_RELAXED(p);
  if (w->alone) STORE_RELAXED(p, x < old ? x : old);
  else while (x < old && !CAS_RELAXED(p, &old, x)) {}
  return old;
}
UNUSED static inline u32 atomic_max(W* w, u64 a, u32 i, u32 x) {
  shared_u32* p = shared_cell(a, i);
  u32 old = LOAD_RELAXED(p);
  if (w->alone) STORE_RELAXED(p, x > old ? x : old);
  else while (x > old && !CAS_RELAXED(p, &old, x)) {}
  return old;
}
UNUSED static inline u64 array_get_word(W* w, u64 a, u32 i, u32 def) {
  return w->rt->array_get(w, a, i, def);
}
UNUSED static inline void array_set_word(W* w, u64 a, u32 i, u64 x, u32 def) {
  w->rt->array_set(w, a, i, x, def);
}
UNUSED static inline u64 array_swap_word(W* w, u64 a, u32 i, u64 x, u32 def) {
  return w->rt->array_swap(w, a, i, x, def);
}
/* half of the handle's weight each; a weight of one borrows */
UNUSED static inline two array_fork(W* w, u64 a, u32 def) {
  u64 half = a >> 1 & HALF_WEIGHT;
  two r = { a - half, (a & ~MAX_WEIGHT) | half };
  if (!LIKELY(half)) return w->rt->array_fork(w, a, def);
  return r;
}
UNUSED static inline u64 array_join(W* w, u64 a, u64 b, u32 def) {
  u64 more = b & MAX_WEIGHT;
  if (!LIKELY(((a ^ b) & VIEW_MASK) == 0 &&
              (a & MAX_WEIGHT) + more <= MAX_WEIGHT)) {
    return w->rt->array_join(w, a, b, def);
  }
  return a + more;
}
)";

constexpr const char* kForks = R"(
/* forks: private until somebody wants work */
UNUSED static inline void push_fork(W* w, Fork* f, void (*run)(W*, Fork*)) {
  Fork* older = w->newest;
  f->older = older;
  f->run = run;
  older->newer = f;
  w->newest = f;
}
UNUSED static inline int pop_fork(W* w, Fork* f) {
  w->newest = f->older;
  return LIKELY(w->published != f);
}
)";

constexpr const char* kApply = R"(
static NOINLINE u64 longer_closure(W* w, u32 def, u64* n, u32 held, u64 x,
                                   u32 from) {
  u64* m = make(w, HEAD(def, held + 2), held + 2, from);
  for (u32 i = 1; i <= held; i++) m[i] = n[i];
  m[held + 1] = x;
  if (n) give(w, n, held + 1);
  return 1ull << 60 | (u64)m;
}
static u64 apply(W* w, u64 f, u64 x, u32 from) {
  u32 def = (u32)f, held = 0;
  u64* n = 0;
  CHECK(from);
  if (f >> 60 == 1) {
    n = (u64*)(f & MAX_NAT);
    def = (u32)(n[0] >> 42);
    held = ((u32)(n[0] >> 32) & 1023) - 1;
  } else if (f >> 60 != 5) {
    fail(w, FAULT_NO_ARM, from);
  }
  if (held + 1 != defs[def].params) {
    if (held + 1 > defs[def].params || held > 1020) {
      fail(w, FAULT_MEMORY, from);
    }
    return longer_closure(w, def, n, held, x, from);
  }
  COUNT(def, 1);
  return defs[def].enter(w, n, x);
}
static u64 apply_main(W* w, u64 f, u64 x) { return apply(w, f, x, MAIN); }
)";

std::string entries() {
  std::string text = "struct Rt {\n";
#define TINE_ENTRY(result, name, params) \
  text += "  " #result " (*" #name ")" #params ";\n";
#include "runtime/native/entries.def"
#undef TINE_ENTRY
  return text + "};\n";
}

std::string define(const char* name, std::uint64_t value) {
  return "#define " + std::string(name) + " " + std::to_string(value) +
         "ull\n";
}

// The header of a view; its mask shares a word with bits that nobody reads
// here, so that no cell of 32 bits can be taken for it.
std::string view() {
  static_assert(offsetof(View, cells) == 8 && offsetof(View, mask) == 24 &&
                std::endian::native == std::endian::little);
  return "typedef struct { u64 total; u8* cells; void* block; u64 mask; } "
         "View;\n";
}

std::string fault(const char* name, Fault value) {
  return define(name, static_cast<std::uint64_t>(value));
}

}  // namespace

namespace {

std::string prelude(const char* machine, bool counts) {
  static_assert(kMaxNat == (Word{1} << 48) - 1 && kWeightShift == 42);
  static_assert(static_cast<int>(Tag::kFun) == 5 &&
                static_cast<int>(Tag::kNat) == 10);
  return std::string(kTypes) + entries() + view() +
         (counts ? "#define COUNT(slot, n) (w->counts[slot] += (n))\n"
                 : "#define COUNT(slot, n) ((void)0)\n") +
         define("VIEW_MASK", kViewMask) +
         define("MAX_WEIGHT", kMaxWeight << kWeightShift) +
         define("HALF_WEIGHT", kMaxWeight >> 1 << kWeightShift) +
         define("MOST_COUNT", kMaxCount) +
         fault("FAULT_NAT_RANGE", Fault::kNatRange) +
         fault("FAULT_NO_ARM", Fault::kNoArm) +
         fault("FAULT_MEMORY", Fault::kMemory) + machine + kOperations;
}

}  // namespace

std::string c_prelude(bool counts) { return prelude(kHost, counts) + kForks; }

std::string device_prelude() { return prelude(kDevice, false); }

std::string c_program_row(std::size_t def_count, bool counts) {
  return std::string(kApply) +
         "__attribute__((visibility(\"default\"))) const struct {\n"
         "  u32 version, def_count;\n  const Def* defs;\n"
         "  u64 (*main)(W*, u64);\n  u64 (*apply)(W*, u64, u64);\n"
         "  u32 layout[10], counted;\n} tine_program = {\n  " +
         std::to_string(kNativeVersion) + ", " + std::to_string(def_count) +
         ", defs, main_entry, apply_main,\n"
         "  { OFFSET(W, newest), OFFSET(W, sizes), OFFSET(W, freed), "
         "OFFSET(W, rt),\n    sizeof(W), OFFSET(Fork, run), sizeof(Fork), "
         "sizeof(Size), sizeof(Rt), sizeof(Def) }, " +
         (counts ? "1" : "0") + "\n};\n";
}

}  // namespace tine
