/* Twin of bench/life.bend. */
#include "twin.h"

static NOINLINE void fill(uint32_t n, uint32_t* a) {
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * 2654435761u) >> 31;
}

static NOINLINE void cells(uint32_t n, uint32_t up, uint32_t here,
                           uint32_t down, const uint32_t* from, uint32_t* to) {
  uint32_t last = n - 1;
  for (uint32_t j = 0; j < n; j++) {
    uint32_t l = (j - 1) & last, r = (j + 1) & last;
    uint32_t around = from[up + l] + from[up + j] + from[up + r] +
                      from[here + l] + from[here + r] + from[down + l] +
                      from[down + j] + from[down + r];
    to[here + j] = around == 3 ? 1 : around == 2 ? from[here + j] : 0;
  }
}

static NOINLINE void rows(uint32_t w, const uint32_t* from, uint32_t* to) {
  uint32_t last = w - 1;
  for (uint32_t i = 0; i < w; i++) {
    cells(w, ((i - 1) & last) * w, i * w, ((i + 1) & last) * w, from, to);
  }
}

static NOINLINE uint32_t sum(uint32_t n, const uint32_t* a) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i];
  return s;
}

int main(int argc, char** argv) {
  uint32_t w = 1u << twin_argument(argc, argv, 1, 5), n = w * w;
  uint32_t turns = twin_argument(argc, argv, 2, 16);
  double begin = twin_now();
  uint32_t* from = twin_make(n * sizeof *from);
  uint32_t* to = twin_make(n * sizeof *to);
  fill(n, from);
  for (; turns > 0; turns--) {
    rows(w, from, to);
    uint32_t* other = from;
    from = to;
    to = other;
  }
  printf("%u\n", sum(n, from));
  free(from);
  free(to);
  twin_end(begin);
  return 0;
}
