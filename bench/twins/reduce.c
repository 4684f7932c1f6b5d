/* Twin of bench/reduce.bend. */
#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

static uint32_t part_sum(const uint32_t* a, uint32_t from, uint32_t to,
                         uint32_t sum) {
  for (uint32_t i = from; i < to; i++) sum += a[i];
  return sum;
}

static NOINLINE uint32_t sum(const uint32_t* a, uint32_t n) {
#ifdef TWIN_TBB
  return tbb::parallel_reduce(
      tbb::blocked_range<uint32_t>(0, n, 1 << 14), 0u,
      [=](const tbb::blocked_range<uint32_t>& part, uint32_t sum) {
        return part_sum(a, part.begin(), part.end(), sum);
      },
      [](uint32_t left, uint32_t right) { return left + right; });
#else
  return part_sum(a, 0, n, 0);
#endif
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  uint32_t r = twin_argument(argc, argv, 2, 3), s = 0;
  double begin = twin_now();
  uint32_t* a = (uint32_t*)twin_make(n * sizeof *a);
  fill(a, n);
  while (r-- > 0) {
    s = s * 31 + sum(a, n);
    /* Else one sum serves all rounds. */
    __asm__ volatile("" : : "r"(a) : "memory");
  }
  printf("%u\n", s);
  free(a);
  twin_end(begin);
  return 0;
}
