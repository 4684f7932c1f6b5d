/* Twin of bench/lib_segment.bend: a loop in a loop. */
#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

static NOINLINE void reduce(const uint32_t* a, uint32_t count, uint32_t length,
                            uint32_t* sums) {
  for (uint32_t s = 0; s < count; s++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < length; i++) sum += a[s * length + i];
    sums[s] = sum;
  }
}

static NOINLINE uint32_t digest(const uint32_t* sums, uint32_t n, uint32_t s) {
  for (uint32_t i = 0; i < n; i++) s = s * 31 + sums[i];
  return s;
}

int main(int argc, char** argv) {
  uint32_t count = 1u << twin_argument(argc, argv, 1, 5);
  uint32_t length = 1u << twin_argument(argc, argv, 2, 4);
  unsigned times = twin_argument(argc, argv, 4, 1);
  double begin = twin_now();
  uint32_t* a = twin_make((size_t)count * length * sizeof *a);
  fill(a, count * length);
  uint32_t s = 7;
  while (times--) {
    uint32_t* sums = twin_make(count * sizeof *sums);
    reduce(a, count, length, sums);
    s = digest(sums, count, s);
    free(sums);
  }
  printf("%u\n", s);
  free(a);
  twin_end(begin);
  return 0;
}
