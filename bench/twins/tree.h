/* A tree of words, as two kinds of nodes of different size. */
#ifndef BENCH_TWINS_TREE_H
#define BENCH_TWINS_TREE_H

#include "twin.h"

struct Tree {
  uint64_t tag; /* 0: Leaf, 1: Node */
};

struct Leaf {
  struct Tree head;
  uint64_t value;
};

struct Node {
  struct Tree head;
  struct Tree *l, *r;
};

static inline struct Tree* make_leaf(uint32_t value) {
  struct Leaf* leaf = twin_make(sizeof *leaf);
  leaf->head.tag = 0;
  leaf->value = value;
  return &leaf->head;
}

static inline struct Tree* make_node(struct Tree* l, struct Tree* r) {
  struct Node* node = twin_make(sizeof *node);
  node->head.tag = 1;
  node->l = l;
  node->r = r;
  return &node->head;
}

static inline int is_leaf(const struct Tree* t) { return t->tag == 0; }

/* Taking a value apart frees its node. */
static inline uint32_t take_leaf(struct Tree* t) {
  uint32_t value = (uint32_t)((struct Leaf*)t)->value;
  free(t);
  return value;
}

static inline struct Node take_node(struct Tree* t) {
  struct Node node = *(struct Node*)t;
  free(t);
  return node;
}

#endif
