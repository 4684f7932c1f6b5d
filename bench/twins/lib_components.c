/* Twin of bench/lib_components.bend: union by the least node, with halving of
   the paths; then every node's root, and the edges between two roots. On oneTBB
   the edges in parallel, with compare and swap. */
#include "twin.h"

#ifdef TWIN_TBB
#include <atomic>
#endif

static uint32_t mask;

static uint32_t node(uint32_t i) {
  return ((i > mask ? mask : i) * 2654435761u) & mask;
}

#ifdef TWIN_TBB
static std::atomic<uint32_t>* cell(uint32_t* up, uint32_t i) {
  return reinterpret_cast<std::atomic<uint32_t>*>(up + i);
}

static uint32_t root(uint32_t* up, uint32_t i) {
  for (;;) {
    uint32_t x = *cell(up, i);
    if (x == i) return i;
    uint32_t y = *cell(up, x);
    if (x != y) cell(up, i)->compare_exchange_weak(x, y);
    i = y;
  }
}

static NOINLINE void join(uint32_t* up, const uint32_t* us, const uint32_t* vs,
                          uint32_t n) {
  twin_each(n, [=](uint32_t i) {
    for (;;) {
      uint32_t x = root(up, us[i]), y = root(up, vs[i]);
      if (x == y) return;
      uint32_t most = x < y ? y : x, least = x < y ? x : y;
      if (cell(up, most)->compare_exchange_strong(most, least)) return;
    }
  });
}

static NOINLINE void flatten(uint32_t* up, uint32_t n) {
  twin_each(n, [=](uint32_t i) { *cell(up, i) = root(up, i); });
}
#else
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

static NOINLINE void flatten(uint32_t* up, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) up[i] = root(up, i);
}
#endif

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
  flatten(up, n);
  for (uint32_t i = 0; i < n; i++) total += up[i];
  printf("%u %u\n", apart(up, us, vs, n), total);
  free(us);
  free(vs);
  free(up);
  twin_end(begin);
  return 0;
}
