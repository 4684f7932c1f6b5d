/* Twin of bench/kmeans.bend. */
#include "twin.h"

enum { kMeans = 8 };

struct Means {
  uint32_t x[kMeans], y[kMeans], sx[kMeans], sy[kMeans], n[kMeans];
};

static NOINLINE void fill(uint32_t n, uint32_t m, uint32_t* a) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * m) >> 22;
}

static uint32_t square(uint32_t a, uint32_t b) {
  uint32_t d = a < b ? b - a : a - b;
  return d * d;
}

static NOINLINE uint32_t nearest(uint32_t px, uint32_t py, const uint32_t* x,
                                 const uint32_t* y) {
  uint32_t best = 0, d = UINT32_MAX;
  for (uint32_t j = 0; j < kMeans; j++) {
    uint32_t e = square(px, x[j]) + square(py, y[j]);
    if (e >= d) continue;
    best = j;
    d = e;
  }
  return best;
}

static NOINLINE void assign(uint32_t n, const uint32_t* x, const uint32_t* y,
                            struct Means* s) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t j = nearest(x[i], y[i], s->x, s->y);
    s->sx[j] += x[i];
    s->sy[j] += y[i];
    s->n[j]++;
  }
}

static NOINLINE void move(struct Means* s) {
  for (uint32_t j = 0; j < kMeans; j++) {
    uint32_t d = s->n[j] > 1 ? s->n[j] : 1;
    s->x[j] = s->sx[j] / d;
    s->y[j] = s->sy[j] / d;
    s->sx[j] = s->sy[j] = s->n[j] = 0;
  }
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 8), sum = 0;
  double begin = twin_now();
  uint32_t* x = twin_make(n * sizeof *x);
  uint32_t* y = twin_make(n * sizeof *y);
  struct Means* s = calloc(1, sizeof *s);
  if (!s) abort();
  fill(n, 2654435761u, x);
  fill(n, 2246822519u, y);
  fill(kMeans, 3266489917u, s->x);
  fill(kMeans, 668265263u, s->y);
  for (int t = 0; t < 10; t++) {
    assign(n, x, y, s);
    move(s);
  }
  for (int j = 0; j < kMeans; j++) sum += s->x[j] * 1024 + s->y[j];
  printf("%u\n", sum);
  free(x);
  free(y);
  free(s);
  twin_end(begin);
  return 0;
}
