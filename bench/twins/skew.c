/* Twin of bench/skew.bend. */
#include "twin.h"

static NOINLINE uint32_t leaf(uint32_t n, uint32_t h) {
  while (n-- > 0) h = (h * 2654435761u + 97) ^ h >> 15;
  return h;
}

static NOINLINE uint32_t grow(uint32_t n, uint32_t x) {
  if (n < 3) return leaf(50, x);
  uint32_t a, b;
  PAR(n > 18, a = grow(n - 1, x + 1), b = grow(n - 3, x + 2));
  return a + b;
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 20);
  double begin = twin_now();
  printf("%u\n", grow(n, 0));
  twin_end(begin);
  (void)twin_make;
  return 0;
}
