/* Twin of bench/mandelbrot.bend. */
#include "twin.h"

static NOINLINE uint32_t turns(float a, float b) {
  float x = 0, y = 0;
  uint32_t done = 0;
  for (; done < 256; done++) {
    float xx = x * x, yy = y * y;
    if (4.0f < xx + yy) break;
    float v = x * y;
    x = xx - yy + a;
    y = v + v + b;
  }
  return done;
}

static NOINLINE uint32_t row(uint32_t n, float step, float b) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += turns((float)i * step - 2.0f, b);
  return sum;
}

static NOINLINE uint32_t rows(uint32_t d, uint32_t j, uint32_t n, float step) {
  if (d == 0) return row(n, step, (float)j * step - 1.5f);
  uint32_t l, r;
  PAR(1, l = rows(d - 1, 2 * j, n, step), r = rows(d - 1, 2 * j + 1, n, step));
  return l + r;
}

int main(int argc, char** argv) {
  uint32_t d = twin_argument(argc, argv, 1, 5), n = 1u << d;
  double begin = twin_now();
  printf("%u\n", rows(d, 0, n, 3.0f / (float)n));
  twin_end(begin);
  (void)twin_make;
  return 0;
}
