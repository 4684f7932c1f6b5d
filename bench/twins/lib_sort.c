/* Twin of bench/lib_sort.bend: least digit first, eight bits at a time. On
   oneTBB its parallel_sort. */
#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

#ifdef TWIN_TBB
static NOINLINE void sort(uint32_t* a, uint32_t n) {
  tbb::parallel_sort(a, a + n);
}
#else
static NOINLINE void pass(const uint32_t* a, uint32_t* b, uint32_t n,
                          unsigned shift) {
  uint32_t places[256] = {0}, sum = 0;
  for (uint32_t i = 0; i < n; i++) places[a[i] >> shift & 255]++;
  for (unsigned d = 0; d < 256; d++) {
    uint32_t count = places[d];
    places[d] = sum;
    sum += count;
  }
  for (uint32_t i = 0; i < n; i++) b[places[a[i] >> shift & 255]++] = a[i];
}

static void sort(uint32_t* a, uint32_t n) {
  uint32_t* b = twin_make(n * sizeof *b);
  for (unsigned shift = 0; shift < 32; shift += 16) {
    pass(a, b, n, shift);
    pass(b, a, n, shift + 8);
  }
  free(b);
}
#endif

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  fill(a, n);
  sort(a, n);
  printf("%u %u %u\n", a[0], a[n / 3], a[n - 1]);
  free(a);
  twin_end(begin);
  return 0;
}
