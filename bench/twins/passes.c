/* Twin of a scan by a module for bench/seed_scan: an array's sum and then its
   scan in place, or oneTBB's parallel_scan, some times over. */
#include "twin.h"

static NOINLINE void fill(uint32_t n, uint32_t* a) {
  for (uint32_t i = 0; i < n; i++) a[i] = (i + 1) * 2654435761u >> 7;
}

#ifdef TWIN_TBB
static NOINLINE uint32_t scan(uint32_t n, uint32_t* a) {
  return tbb::parallel_scan(
      tbb::blocked_range<uint32_t>(0, n, 1 << 14), 0u,
      [=](const tbb::blocked_range<uint32_t>& part, uint32_t s, bool last) {
        for (uint32_t i = part.begin(); i != part.end(); i++) {
          uint32_t x = a[i];
          if (last) a[i] = s;
          s += x;
        }
        return s;
      },
      [](uint32_t x, uint32_t y) { return x + y; });
}
#else
static NOINLINE uint32_t sum(uint32_t n, const uint32_t* a) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i];
  return s;
}

static NOINLINE uint32_t exclusive(uint32_t n, uint32_t* a) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = a[i];
    a[i] = s;
    s += x;
  }
  return s;
}

static NOINLINE uint32_t scan(uint32_t n, uint32_t* a) {
  uint32_t s = sum(n, a);
  __asm__ volatile("" : : "r"(s) : "memory");
  return exclusive(n, a);
}
#endif

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  uint32_t times = twin_argument(argc, argv, 2, 2), s = 7;
  double begin = twin_now();
  uint32_t* a = (uint32_t*)twin_make(n * sizeof *a);
  fill(n, a);
  for (; times > 0; times--) s = s * 31 + scan(n, a);
  printf("%u\n", s);
  free(a);
  twin_end(begin);
  return 0;
}
