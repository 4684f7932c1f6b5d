/* Twin of bench/lib_scatter.bend: one loop over the sources, in order. On
   oneTBB the sources in parallel, with atomics; for the last source the greatest
   number of each target first. */
#include <string.h>

#include "twin.h"

static NOINLINE void fill(uint32_t* a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u);
}

#ifdef TWIN_TBB
#include <atomic>

static void raise(uint32_t* slot, uint32_t x) {
  auto* cell = reinterpret_cast<std::atomic<uint32_t>*>(slot);
  uint32_t old = cell->load(std::memory_order_relaxed);
  while (old < x && !cell->compare_exchange_weak(old, x,
                                                 std::memory_order_relaxed)) {
  }
}

static NOINLINE void most(const uint32_t* a, uint32_t n, unsigned shift,
                          uint32_t* target) {
  twin_each(n, [=](uint32_t i) { raise(&target[i * 2654435761u >> shift], a[i]); });
}

static NOINLINE void last(const uint32_t* a, uint32_t n, unsigned shift,
                          uint32_t* target) {
  uint32_t* won = twin_make(n * sizeof *won);
  memset(won, 0, n * sizeof *won);
  twin_each(n, [=](uint32_t i) { raise(&won[i * 2654435761u >> shift], i + 1); });
  twin_each(n, [=](uint32_t j) {
    if (won[j]) target[j] = a[won[j] - 1];
  });
  free(won);
}
#else
static NOINLINE void most(const uint32_t* a, uint32_t n, unsigned shift,
                          uint32_t* target) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = i * 2654435761u >> shift;
    if (target[j] < a[i]) target[j] = a[i];
  }
}

static NOINLINE void last(const uint32_t* a, uint32_t n, unsigned shift,
                          uint32_t* target) {
  for (uint32_t i = 0; i < n; i++) target[i * 2654435761u >> shift] = a[i];
}
#endif

static NOINLINE uint32_t digest(const uint32_t* a, uint32_t n) {
  uint32_t s = 7;
  for (uint32_t i = 0; i < n; i++) s = s * 31 + a[i];
  return s;
}

int main(int argc, char** argv) {
  unsigned d = twin_argument(argc, argv, 1, 10);
  unsigned mode = twin_argument(argc, argv, 3, 0);
  unsigned times = twin_argument(argc, argv, 4, 1);
  uint32_t n = 1u << d, s = 7;
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  fill(a, n);
  while (times--) {
    uint32_t* target = twin_make(n * sizeof *target);
    memset(target, 0, n * sizeof *target);
    (mode == 0 ? most : last)(a, n, 32 - d, target);
    s = s * 31 + digest(target, n);
    free(target);
  }
  printf("%u\n", s);
  free(a);
  twin_end(begin);
  return 0;
}
