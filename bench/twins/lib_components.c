/* Twin of bench/lib_components.bend: union by the least node, with halving of
   the paths; then every node's root, and the edges between two roots. */
#include "twin.h"

static uint32_t mask;

static uint32_t node(uint32_t i) {
  return ((i > mask ? mask : i) * 2654435761u) & mask;
}

static uint32_t root(uint32_t* up, uint32_t i) {
  while (up[i] != i) {
    up[i] = up[up[i]];
    i = up[i];
  }
  return i;
}

static NOINLINE void join(uint32_t* up, const uint32_t* us, const uint32_t* vs,
                          uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = root(up, us[i]), y = root(up, vs[i]);
    if (x < y) up[y] = x;
    if (y < x) up[x] = y;
  }
}

static NOINLINE uint32_t apart(const uint32_t* up, const uint32_t* us,
                               const uint32_t* vs, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++) count += up[us[i]] != up[vs[i]];
  return count;
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 8), total = 0;
  mask = n - 1;
  double begin = twin_now();
  uint32_t* us = twin_make(n * sizeof *us);
  uint32_t* vs = twin_make(n * sizeof *vs);
  uint32_t* up = twin_make(n * sizeof *up);
  for (uint32_t i = 0; i < n; i++) {
    us[i] = node(i);
    vs[i] = node(i + 1);
    up[i] = i;
  }
  join(up, us, vs, n);
  for (uint32_t i = 0; i < n; i++) up[i] = root(up, i);
  for (uint32_t i = 0; i < n; i++) total += up[i];
  printf("%u %u\n", apart(up, us, vs, n), total);
  free(us);
  free(vs);
  free(up);
  twin_end(begin);
  return 0;
}
