/* Twin of bench/bitonic.bend. */
#include "tree.h"

enum { kBig = 7 }; /* levels of a tree that is worth a task */

static NOINLINE struct Tree* build(uint32_t d, uint32_t i) {
  if (d == 0) return make_leaf(twin_mix((i + 1) * 2654435761u));
  uint32_t j = i * 2;
  struct Tree *l, *r;
  PAR(d > kBig, l = build(d - 1, j), r = build(d - 1, j + 1));
  return make_node(l, r);
}

static NOINLINE struct Tree* pair(int down, uint32_t x, uint32_t y) {
  uint32_t first = down ? y : x, second = down ? x : y;
  struct Tree* l = make_leaf(first);
  return make_node(l, make_leaf(second));
}

static NOINLINE struct Tree* join(struct Tree* l, struct Tree* r) {
  if (is_leaf(l) || is_leaf(r)) return make_node(l, r);
  struct Node a = take_node(l), b = take_node(r);
  struct Tree* low = make_node(a.l, b.l);
  return make_node(low, make_node(a.r, b.r));
}

/* Of depth d each. */
static NOINLINE struct Tree* warp(uint32_t d, struct Tree* a, struct Tree* b,
                                  int down) {
  if (is_leaf(a) && is_leaf(b)) {
    uint32_t x = take_leaf(a), y = take_leaf(b);
    return pair(down, x < y ? x : y, x < y ? y : x);
  }
  if (is_leaf(a) || is_leaf(b)) return make_node(a, b);
  struct Node p = take_node(a), r = take_node(b);
  struct Tree *l, *m;
  PAR(d > kBig, l = warp(d - 1, p.l, r.l, down),
      m = warp(d - 1, p.r, r.r, down));
  return join(l, m);
}

static NOINLINE struct Tree* flow(uint32_t d, int down, struct Tree* t) {
  if (d == 0 || is_leaf(t)) return t;
  struct Node node = take_node(t);
  struct Tree* w = warp(d - 1, node.l, node.r, down);
  if (is_leaf(w)) return w;
  struct Node half = take_node(w);
  struct Tree *l, *r;
  PAR(d > kBig, l = flow(d - 1, down, half.l), r = flow(d - 1, down, half.r));
  return make_node(l, r);
}

static NOINLINE struct Tree* sort(uint32_t d, int down, struct Tree* t) {
  if (d == 0 || is_leaf(t)) return t;
  struct Node node = take_node(t);
  struct Tree *l, *r;
  PAR(d > kBig, l = sort(d - 1, 0, node.l), r = sort(d - 1, 1, node.r));
  return flow(d, down, make_node(l, r));
}

struct Seen {
  uint32_t last;
  int ok;
};

/* Reads a tree that digest still needs. */
static NOINLINE struct Seen sorted(const struct Tree* t, struct Seen seen) {
  if (is_leaf(t)) {
    uint32_t x = (uint32_t)((const struct Leaf*)t)->value;
    return (struct Seen){x, seen.ok && seen.last <= x};
  }
  const struct Node* node = (const struct Node*)t;
  return sorted(node->r, sorted(node->l, seen));
}

static NOINLINE uint32_t digest(struct Tree* t, uint32_t h) {
  if (is_leaf(t)) return (h * 2654435761u) ^ take_leaf(t);
  struct Node node = take_node(t);
  return digest(node.r, digest(node.l, h));
}

int main(int argc, char** argv) {
  uint32_t d = twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  struct Tree* t = sort(d, 0, build(d, 0));
  int ok = sorted(t, (struct Seen){0, 1}).ok;
  printf("digest %u sorted %s\n", digest(t, 0), ok ? "True" : "False");
  twin_end(begin);
  return 0;
}
