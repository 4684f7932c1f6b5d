/* Twin of bench/matmul.bend. */
#include "twin.h"

static NOINLINE uint32_t* fill(uint32_t n, uint32_t m) {
  uint32_t* a = twin_make(n * sizeof *a);
  for (uint32_t i = 0; i < n; i++) a[i] = i * m >> 20;
  return a;
}

static NOINLINE uint32_t dot(uint32_t n, const uint32_t* a,
                             const uint32_t* b) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i] * b[i * n];
  return s;
}

static NOINLINE uint32_t sum(uint32_t n, const uint32_t* a) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i] * i;
  return s;
}

int main(int argc, char** argv) {
  uint32_t w = 1u << twin_argument(argc, argv, 1, 4), n = w * w;
  double begin = twin_now();
  uint32_t* a = fill(n, 2654435761u);
  uint32_t* b = fill(n, 2246822519u);
  uint32_t* c = twin_make(n * sizeof *c);
  for (uint32_t i = 0; i < w; i++) {
    for (uint32_t j = 0; j < w; j++) c[i * w + j] = dot(w, a + i * w, b + j);
  }
  printf("%u\n", sum(n, c));
  free(a);
  free(b);
  free(c);
  twin_end(begin);
  return 0;
}
