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

int main(int argc, char** argv) {
  uint32_t d = twin_argument(argc, argv, 1, 16);
  double begin = twin_now();
  printf("%u\n", sum(build(d, 0)));
  twin_end(begin);
  return 0;
}
