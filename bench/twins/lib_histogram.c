/* Twin of bench/lib_histogram.bend: one row of counts; on oneTBB one for each
   part of a reduction. */
#include <string.h>

#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

#ifdef TWIN_TBB
struct Counts {
  uint32_t row[256];
  const uint32_t* a;
  explicit Counts(const uint32_t* a) : row(), a(a) {}
  Counts(Counts& other, tbb::split) : row(), a(other.a) {}
  void operator()(const tbb::blocked_range<uint32_t>& part) {
    for (uint32_t i = part.begin(); i != part.end(); i++) row[a[i] >> 24]++;
  }
  void join(const Counts& other) {
    for (unsigned j = 0; j < 256; j++) row[j] += other.row[j];
  }
};

static NOINLINE void count(const uint32_t* a, uint32_t n, uint32_t* counts) {
  Counts all(a);
  tbb::parallel_reduce(tbb::blocked_range<uint32_t>(0, n, 1 << 14), all);
  memcpy(counts, all.row, sizeof all.row);
}
#else
static NOINLINE void count(const uint32_t* a, uint32_t n, uint32_t* counts) {
  for (uint32_t i = 0; i < n; i++) counts[a[i] >> 24]++;
}
#endif

static NOINLINE uint32_t digest(const uint32_t* counts, uint32_t s) {
  for (unsigned i = 0; i < 256; i++) s = s * 31 + counts[i];
  return s;
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  unsigned times = twin_argument(argc, argv, 3, 1);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  fill(a, n);
  uint32_t s = 7;
  while (times--) {
    uint32_t* counts = twin_make(256 * sizeof *counts);
    memset(counts, 0, 256 * sizeof *counts);
    count(a, n, counts);
    s = digest(counts, s);
    free(counts);
  }
  printf("%u\n", s);
  free(a);
  twin_end(begin);
  return 0;
}
