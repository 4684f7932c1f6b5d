/* Beside bench/lib_radix.bend: heapsort, which needs no second array. */
#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

/* Puts x into the heap below slot i, of n words, the greatest on top. */
static inline void sift(uint32_t* a, uint32_t n, uint32_t i, uint32_t x) {
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= n) break;
    if (child + 1 < n && a[child] < a[child + 1]) child++;
    if (a[child] <= x) break;
    a[i] = a[child];
    i = child;
  }
  a[i] = x;
}

static NOINLINE void sort(uint32_t* a, uint32_t n) {
  for (uint32_t i = n / 2; i-- > 0;) sift(a, n, i, a[i]);
  for (uint32_t left = n; left-- > 1;) {
    uint32_t x = a[left];
    a[left] = a[0];
    sift(a, left, 0, x);
  }
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 1000);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  fill(a, n);
  sort(a, n);
  printf("%u %u %u\n", a[0], a[n / 3], a[n - 1]);
  free(a);
  twin_end(begin);
  return 0;
}
