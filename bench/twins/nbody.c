/* Twin of bench/nbody.bend. Compile it without contracted products. */
#include <math.h>

#include "twin.h"

struct Bodies {
  float *x, *y, *u, *v, *m;
};

static NOINLINE float* fill(uint32_t n, uint32_t k) {
  float* a = twin_make(n * sizeof *a);
  for (uint32_t i = 0; i < n; i++) a[i] = (float)((i + 1) * k % 1009) / 1009.0f;
  return a;
}

struct Pull {
  float a, b;
};

static NOINLINE struct Pull pull(uint32_t n, float px, float py,
                                 const float* x, const float* y,
                                 const float* m) {
  struct Pull s = {0, 0};
  for (uint32_t j = 0; j < n; j++) {
    float dx = x[j] - px, dy = y[j] - py;
    float r = dx * dx + dy * dy + 0.01f;
    float f = m[j] / (r * sqrtf(r));
    s.a += dx * f;
    s.b += dy * f;
  }
  return s;
}

static NOINLINE void kicks(uint32_t n, struct Bodies* s) {
  for (uint32_t i = 0; i < n; i++) {
    struct Pull q = pull(n, s->x[i], s->y[i], s->x, s->y, s->m);
    s->u[i] += q.a * 0.001f;
    s->v[i] += q.b * 0.001f;
  }
}

static NOINLINE void drift(uint32_t n, float* x, const float* u) {
  for (uint32_t i = 0; i < n; i++) x[i] += u[i] * 0.001f;
}

static NOINLINE float sum(uint32_t n, const float* x) {
  float s = 0;
  for (uint32_t i = 0; i < n; i++) s += x[i];
  return s;
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 16);
  uint32_t t = twin_argument(argc, argv, 2, 4);
  double begin = twin_now();
  float* speeds = calloc(2 * n, sizeof *speeds);
  if (!speeds) abort();
  struct Bodies s = {fill(n, 17), fill(n, 31), speeds, speeds + n, fill(n, 47)};
  for (; t > 0; t--) {
    kicks(n, &s);
    drift(n, s.x, s.u);
    drift(n, s.y, s.v);
  }
  printf("%u\n", (uint32_t)((sum(n, s.x) + sum(n, s.y)) * 1000.0f));
  free(s.x);
  free(s.y);
  free(s.m);
  free(speeds);
  twin_end(begin);
  return 0;
}
