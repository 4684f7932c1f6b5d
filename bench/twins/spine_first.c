/* Twin of bench/spine_first.bend. */
#include "spine.h"

static NOINLINE uint32_t spine(uint32_t n, uint32_t x) {
  if (n == 0) return x;
  uint32_t a, b;
  PAR(1, b = spine(n - 1, x + 1), a = leaf(4000, x));
  return a + b;
}
