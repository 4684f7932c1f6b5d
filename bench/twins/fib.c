/* Twin of bench/fib.bend. */
#include "twin.h"

static NOINLINE uint32_t fib(uint32_t n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static NOINLINE uint32_t forked(uint32_t d, uint32_t n) {
  if (d == 0) return fib(n);
  if (n < 2) return n;
  uint32_t a, b;
  PAR(1, a = forked(d - 1, n - 1), b = forked(d - 1, n - 2));
  return a + b;
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 24);
  uint32_t d = twin_argument(argc, argv, 2, 6);
  double begin = twin_now();
  printf("%u\n", forked(d, n));
  twin_end(begin);
  (void)twin_make;
  return 0;
}
