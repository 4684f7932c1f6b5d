/* The exclusive scan of scan.c and passes.c: in place, with the total. */
#ifndef BENCH_TWINS_SCAN_H
#define BENCH_TWINS_SCAN_H

#include "twin.h"

#ifdef TWIN_TBB
static NOINLINE uint32_t twin_scan(uint32_t* a, uint32_t n) {
  return tbb::parallel_scan(
      tbb::blocked_range<uint32_t>(0, n, 1 << 14), 0u,
      [=](const tbb::blocked_range<uint32_t>& part, uint32_t sum, bool last) {
        for (uint32_t i = part.begin(); i != part.end(); i++) {
          uint32_t x = a[i];
          if (last) a[i] = sum;
          sum += x;
        }
        return sum;
      },
      [](uint32_t left, uint32_t right) { return left + right; });
}
#else
static NOINLINE uint32_t twin_scan(uint32_t* a, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = a[i];
    a[i] = sum;
    sum += x;
  }
  return sum;
}
#endif

#endif
