/* Twin of bench/count_sort.bend. */
#include "twin.h"

static NOINLINE void fill(uint32_t n, uint32_t* a) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u) >> 24;
}

static NOINLINE void count(uint32_t n, const uint32_t* a, uint32_t* k) {
  for (uint32_t i = 0; i < n; i++) k[a[i]]++;
}

static NOINLINE void begins(uint32_t* k) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = k[i];
    k[i] = s;
    s += c;
  }
}

static NOINLINE void place(uint32_t n, const uint32_t* a, uint32_t* k,
                           uint32_t* out) {
  for (uint32_t i = 0; i < n; i++) out[k[a[i]]++] = a[i];
}

static NOINLINE uint32_t sum(uint32_t n, const uint32_t* a) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i] * i;
  return s;
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  uint32_t* a = twin_make(n * sizeof *a);
  uint32_t* k = calloc(256, sizeof *k);
  uint32_t* out = twin_make(n * sizeof *out);
  if (!k) abort();
  fill(n, a);
  count(n, a, k);
  begins(k);
  place(n, a, k, out);
  printf("%u\n", sum(n, out));
  free(a);
  free(k);
  free(out);
  twin_end(begin);
  return 0;
}
