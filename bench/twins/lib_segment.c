/* Twin of bench/lib_segment.bend: a loop in a loop. */
#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

#ifdef TWIN_TBB
static uint32_t sum(const uint32_t* a, uint32_t from, uint32_t to,
                    uint32_t sum) {
  for (uint32_t i = from; i < to; i++) sum += a[i];
  return sum;
}

static uint32_t segment(const uint32_t* a, uint32_t from, uint32_t to) {
  if (to - from <= 1 << 14) return sum(a, from, to, 0);
  return tbb::parallel_reduce(
      tbb::blocked_range<uint32_t>(from, to, 1 << 14), 0u,
      [=](const tbb::blocked_range<uint32_t>& part, uint32_t s) {
        return sum(a, part.begin(), part.end(), s);
      },
      [](uint32_t left, uint32_t right) { return left + right; });
}

static NOINLINE void reduce(const uint32_t* a, uint32_t count, uint32_t length,
                            uint32_t* sums) {
  uint32_t grain = length >= 1 << 14 ? 1 : (1 << 14) / length;
  tbb::parallel_for(tbb::blocked_range<uint32_t>(0, count, grain),
                    [=](const tbb::blocked_range<uint32_t>& part) {
                      for (uint32_t s = part.begin(); s != part.end(); s++) {
                        sums[s] = segment(a, s * length, (s + 1) * length);
                      }
                    });
}
#else
static NOINLINE void reduce(const uint32_t* a, uint32_t count, uint32_t length,
                            uint32_t* sums) {
  for (uint32_t s = 0; s < count; s++) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < length; i++) sum += a[s * length + i];
    sums[s] = sum;
  }
}
#endif

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
