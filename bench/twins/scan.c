/* Twin of bench/scan.bend: the same words, one loop for the sums. */
#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

#ifdef TWIN_TBB
static NOINLINE uint32_t scan(uint32_t* a, uint32_t n) {
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
static NOINLINE uint32_t scan(uint32_t* a, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = a[i];
    a[i] = sum;
    sum += x;
  }
  return sum;
}
#endif

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  fill(a, n);
  uint32_t total = scan(a, n);
  printf("%u %u\n", total, a[n - 1]);
  free(a);
  twin_end(begin);
  return 0;
}
