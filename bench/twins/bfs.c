/* Twin of bench/bfs.bend. */
#include "twin.h"

static NOINLINE uint32_t* fill(uint32_t n) {
  uint32_t* a = twin_make(4 * (size_t)n * sizeof *a);
  for (uint32_t e = 0; e < 4 * n; e++) a[e] = twin_mix((e + 1) * 2654435761u) % n;
  return a;
}

static NOINLINE uint32_t follow(uint32_t node, uint32_t d,
                                const uint32_t* edges, uint32_t* far,
                                uint32_t* queue, uint32_t tail) {
  for (uint32_t e = 4 * node; e < 4 * node + 4; e++) {
    uint32_t to = edges[e];
    if (far[to] != UINT32_MAX) continue;
    far[to] = d;
    queue[tail++] = to;
  }
  return tail;
}

static NOINLINE uint32_t sum(uint32_t n, const uint32_t* a) {
  uint32_t s = 0;
  for (uint32_t i = 0; i < n; i++) s += a[i];
  return s;
}

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  uint32_t* edges = fill(n);
  uint32_t* far = twin_make(n * sizeof *far);
  uint32_t* queue = twin_make(n * sizeof *queue);
  for (uint32_t i = 0; i < n; i++) far[i] = UINT32_MAX;
  far[0] = 0;
  queue[0] = 0;
  uint32_t tail = 1;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t node = queue[head];
    tail = follow(node, far[node] + 1, edges, far, queue, tail);
  }
  printf("%u\n", sum(n, far));
  free(edges);
  free(far);
  free(queue);
  twin_end(begin);
  return 0;
}
