/* Twin of bench/handles.bend. */
#include "twin.h"

static NOINLINE uint32_t fib(uint32_t n, const uint32_t* first) {
  if (n < 2) return first[n];
  uint32_t a, b;
  PAR(1, a = fib(n - 1, first), b = fib(n - 2, first));
  return a + b;
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 20);
  double begin = twin_now();
  uint32_t* first = (uint32_t*)twin_make(2 * sizeof *first);
  first[0] = 0;
  first[1] = 1;
  printf("%u\n", fib(n, first));
  free(first);
  twin_end(begin);
  return 0;
}
