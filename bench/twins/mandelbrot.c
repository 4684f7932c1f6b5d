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

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 5);
  double begin = twin_now();
  float step = 3.0f / (float)n;
  uint32_t sum = 0;
  for (uint32_t j = 0; j < n; j++) sum += row(n, step, (float)j * step - 1.5f);
  printf("%u\n", sum);
  twin_end(begin);
  (void)twin_make;
  return 0;
}
