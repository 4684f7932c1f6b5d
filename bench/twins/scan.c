/* Twin of bench/scan.bend: the same words, one loop for the sums. */
#include "scan.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  fill(a, n);
  uint32_t total = twin_scan(a, n);
  printf("%u %u\n", total, a[n - 1]);
  free(a);
  twin_end(begin);
  return 0;
}
