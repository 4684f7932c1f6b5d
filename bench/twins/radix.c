/* Twin of bench/radix.bend. */
#include "tree.h"

/* Free is NULL. */
struct Trie {
  uint64_t tag; /* 0: Count, 1: Split */
  union {
    uint64_t n;
    struct Trie* half[2];
  };
};

static struct Trie* make_trie(uint64_t tag) {
  struct Trie* t = twin_make(tag ? sizeof *t : 2 * sizeof(uint64_t));
  t->tag = tag;
  return t;
}

enum { kBig = 7 }; /* levels of a tree that is worth a task */

static NOINLINE struct Tree* build(uint32_t d, uint32_t i) {
  if (d == 0) return make_leaf(twin_mix((i + 1) * 2654435761u) >> 8);
  struct Tree *l, *r;
  PAR(d > kBig, l = build(d - 1, 2 * i), r = build(d - 1, 2 * i + 1));
  return make_node(l, r);
}

static NOINLINE struct Trie* path(uint32_t b, uint32_t x) {
  if (b == 0) {
    struct Trie* t = make_trie(0);
    t->n = 1;
    return t;
  }
  struct Trie* below = path(b - 1, x);
  struct Trie* t = make_trie(1);
  uint32_t bit = x >> (b - 1) & 1;
  t->half[bit] = below;
  t->half[!bit] = NULL;
  return t;
}

/* `f` is how many levels below it fork. */
static NOINLINE struct Trie* merge(uint32_t f, struct Trie* a, struct Trie* b) {
  if (!a) return b;
  if (!b) return a;
  struct Trie x = *a, y = *b;
  free(a);
  free(b);
  struct Trie* t = make_trie(x.tag);
  if (x.tag == 0) {
    t->n = x.n + y.n;
  } else {
    uint32_t below = f > 0 ? f - 1 : 0;
    PAR(f > 0, t->half[0] = merge(below, x.half[0], y.half[0]),
        t->half[1] = merge(below, x.half[1], y.half[1]));
  }
  return t;
}

static NOINLINE struct Trie* tries(uint32_t d, struct Tree* t) {
  if (is_leaf(t)) return path(24, take_leaf(t));
  struct Node node = take_node(t);
  struct Trie *a, *b;
  PAR(d > kBig, a = tries(d - 1, node.l), b = tries(d - 1, node.r));
  return merge(d > kBig ? d - kBig : 0, a, b);
}

// What a stretch of words in order does to a digest h: h * m + c.
struct Digest {
  uint32_t m, c;
};

static NOINLINE struct Digest after(struct Digest a, struct Digest b) {
  return (struct Digest){a.m * b.m, a.c * b.m + b.c};
}

static NOINLINE struct Digest times(uint64_t n, uint32_t x) {
  struct Digest r = {1, 0};
  while (n-- > 0) {
    r.m *= 2654435761u;
    r.c = r.c * 2654435761u + x;
  }
  return r;
}

static NOINLINE struct Digest read_trie(uint32_t f, struct Trie* t, uint32_t x) {
  if (!t) return (struct Digest){1, 0};
  struct Trie it = *t;
  free(t);
  if (it.tag == 0) return times(it.n, x);
  struct Digest a, b;
  uint32_t below = f > 0 ? f - 1 : 0;
  PAR(f > 0, a = read_trie(below, it.half[0], 2 * x),
      b = read_trie(below, it.half[1], 2 * x + 1));
  return after(a, b);
}

int main(int argc, char** argv) {
  uint32_t d = twin_argument(argc, argv, 1, 10);
  double begin = twin_now();
  printf("%u\n", read_trie(8, tries(d, build(d, 0)), 0).c);
  twin_end(begin);
  return 0;
}
