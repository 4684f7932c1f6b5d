/* Twin of bench/forks.bend. */
#include "twin.h"

static NOINLINE uint32_t fib(uint32_t n) {
  if (n < 2) return n;
  uint32_t a, b;
  PAR(1, a = fib(n - 1), b = fib(n - 2));
  return a + b;
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 20);
  double begin = twin_now();
  printf("%u\n", fib(n));
  twin_end(begin);
  (void)twin_make;
  return 0;
}
