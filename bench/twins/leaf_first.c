/* Twin of bench/leaf_first.bend. */
#include "spine.h"

static NOINLINE uint32_t spine(uint32_t n, uint32_t x) {
  if (n == 0) return x;
  uint32_t a, b;
  PAR(1, a = leaf(4000, x), b = spine(n - 1, x + 1));
  return a + b;
}
