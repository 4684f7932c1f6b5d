/* Twin of a scan by a module for bench/seed_scan: an array's sum and then its
   scan in place, or oneTBB's parallel_scan, some times over. */
#include "scan.h"

static NOINLINE void fill(uint32_t n, uint32_t* a) {
  for (uint32_t i = 0; i < n; i++) a[i] = (i + 1) * 2654435761u >> 7;
}

#ifndef TWIN_TBB
static NOINLINE uint32_t sum(uint32_t n, const uint32_t* a) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i];
  return s;
}
#endif

static uint32_t scan(uint32_t n, uint32_t* a) {
#ifndef TWIN_TBB
  uint32_t s = sum(n, a);
  __asm__ volatile("" : : "r"(s) : "memory");
#endif
  return twin_scan(a, n);
}

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
