/* Twin of bench/lib_fused.bend: one loop, or two with an array between. */
#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

static inline uint32_t f(uint32_t i, uint32_t x) { return (x >> 3) ^ (i * 5); }

#ifdef TWIN_TBB
template <class F>
static uint32_t total(uint32_t n, F f) {
  return tbb::parallel_reduce(
      tbb::blocked_range<uint32_t>(0, n, 1 << 14), 0u,
      [=](const tbb::blocked_range<uint32_t>& part, uint32_t s) {
        for (uint32_t i = part.begin(); i != part.end(); i++) s += f(i);
        return s;
      },
      [](uint32_t left, uint32_t right) { return left + right; });
}

static NOINLINE uint32_t fused(const uint32_t* a, uint32_t n) {
  return total(n, [=](uint32_t i) { return f(i, a[i]); });
}

static NOINLINE void map(const uint32_t* a, uint32_t n, uint32_t* to) {
  tbb::parallel_for(tbb::blocked_range<uint32_t>(0, n, 1 << 14),
                    [=](const tbb::blocked_range<uint32_t>& part) {
                      for (uint32_t i = part.begin(); i != part.end(); i++) {
                        to[i] = f(i, a[i]);
                      }
                    });
}

static NOINLINE uint32_t sum(const uint32_t* a, uint32_t n) {
  return total(n, [=](uint32_t i) { return a[i]; });
}
#else
static NOINLINE uint32_t fused(const uint32_t* a, uint32_t n) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += f(i, a[i]);
  return s;
}

static NOINLINE void map(const uint32_t* a, uint32_t n, uint32_t* to) {
  for (uint32_t i = 0; i < n; i++) to[i] = f(i, a[i]);
}

static NOINLINE uint32_t sum(const uint32_t* a, uint32_t n) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i];
  return s;
}
#endif

static NOINLINE uint32_t mapped(const uint32_t* a, uint32_t n) {
  uint32_t* to = twin_make(n * sizeof *to);
  map(a, n, to);
  uint32_t s = sum(to, n);
  free(to);
  return s;
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10), s = 7;
  unsigned mode = twin_argument(argc, argv, 3, 0);
  unsigned times = twin_argument(argc, argv, 4, 1);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  fill(a, n);
  while (times--) {
    s = s * 31 + (mode == 0 ? fused : mapped)(a, n);
    /* Else one round may serve all. */
    __asm__ volatile("" : : "r"(a) : "memory");
  }
  printf("%u\n", s);
  free(a);
  twin_end(begin);
  return 0;
}
