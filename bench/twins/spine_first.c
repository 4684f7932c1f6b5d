/* Twin of bench/spine_first.bend. */
#include "spine.h"

static NOINLINE uint32_t spine(uint32_t n, uint32_t x) {
  if (n == 0) return x;
  uint32_t b = spine(n - 1, x + 1);
  return leaf(4000, x) + b;
}
