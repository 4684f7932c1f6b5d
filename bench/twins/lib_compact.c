/* Twin of bench/lib_compact.bend: one loop; on oneTBB a scan of the counts. */
#include <string.h>

#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

#ifdef TWIN_TBB
static NOINLINE uint32_t keep(const uint32_t* a, uint32_t n, uint32_t* out) {
  return tbb::parallel_scan(
      tbb::blocked_range<uint32_t>(0, n, 1 << 14), 0u,
      [=](const tbb::blocked_range<uint32_t>& part, uint32_t count, bool last) {
        for (uint32_t i = part.begin(); i != part.end(); i++) {
          if (a[i] % 3 != 0) continue;
          if (last) out[count] = a[i];
          count++;
        }
        return count;
      },
      [](uint32_t left, uint32_t right) { return left + right; });
}
#else
static NOINLINE uint32_t keep(const uint32_t* a, uint32_t n, uint32_t* out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (a[i] % 3 == 0) out[count++] = a[i];
  }
  return count;
}
#endif

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  uint32_t* out = twin_make(n * sizeof *out);
  fill(a, n);
  memset(out, 0, n * sizeof *out);
  uint32_t count = keep(a, n, out);
  printf("%u %u\n", count, out[count - 1]);
  free(a);
  free(out);
  twin_end(begin);
  return 0;
}
