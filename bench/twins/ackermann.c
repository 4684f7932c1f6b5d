/* Twin of bench/ackermann.bend. */
#include "twin.h"

static NOINLINE uint32_t ack(uint32_t m, uint32_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}

int main(int argc, char** argv) {
  uint32_t m = twin_argument(argc, argv, 1, 2);
  uint32_t n = twin_argument(argc, argv, 2, 9);
  double begin = twin_now();
  printf("%u\n", ack(m, n));
  twin_end(begin);
  (void)twin_make;
  return 0;
}
