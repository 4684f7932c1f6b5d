/* Twin of bench/tree_sum.bend. */
#include "tree.h"

static NOINLINE struct Tree* build(uint32_t d, uint32_t i) {
  if (d == 0) return make_leaf(i);
  uint32_t j = i * 2;
  struct Tree* l = build(d - 1, j);
  return make_node(l, build(d - 1, j + 1));
}

static NOINLINE uint32_t sum(struct Tree* t) {
  if (is_leaf(t)) return take_leaf(t);
  struct Node node = take_node(t);
  uint32_t l = sum(node.l);
  return l + sum(node.r);
}

/* The same, the first f levels in parallel. */
static NOINLINE struct Tree* build_forked(uint32_t f, uint32_t d, uint32_t i) {
  if (f == 0 || d == 0) return build(d, i);
  uint32_t j = i * 2;
  struct Tree *l, *r;
  PAR(1, l = build_forked(f - 1, d - 1, j),
      r = build_forked(f - 1, d - 1, j + 1));
  return make_node(l, r);
}

static NOINLINE uint32_t sum_forked(uint32_t f, struct Tree* t) {
  if (f == 0 || is_leaf(t)) return sum(t);
  struct Node node = take_node(t);
  uint32_t l, r;
  PAR(1, l = sum_forked(f - 1, node.l), r = sum_forked(f - 1, node.r));
  return l + r;
}

int main(int argc, char** argv) {
  uint32_t d = twin_argument(argc, argv, 1, 16);
  double begin = twin_now();
  printf("%u\n", sum_forked(8, build_forked(8, d, 0)));
  twin_end(begin);
  return 0;
}
