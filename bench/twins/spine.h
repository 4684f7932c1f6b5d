/* What the twins of the two spines share. */
#include "twin.h"

static NOINLINE uint32_t leaf(uint32_t n, uint32_t h) {
  while (n-- > 0) h = (h * 2654435761u + 97) ^ h >> 15;
  return h;
}

static uint32_t spine(uint32_t n, uint32_t x);

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 100);
  double begin = twin_now();
  printf("%u\n", spine(n, 0));
  twin_end(begin);
  (void)twin_make;
  return 0;
}
