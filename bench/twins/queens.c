/* Twin of bench/queens.bend. A placement is a list that several branches
   share, so its cells are counted, as tine's are. */
#include "twin.h"

struct Cell {
  uint64_t count;
  uint64_t column;
  struct Cell* rest;
};

static inline struct Cell* push(uint32_t column, struct Cell* rest) {
  struct Cell* cell = twin_make(sizeof *cell);
  cell->count = 1;
  cell->column = column;
  cell->rest = rest;
  return cell;
}

#ifdef TWIN_TBB
#define ADD(count, n) __atomic_add_fetch(&(count), n, __ATOMIC_ACQ_REL)
#else
#define ADD(count, n) ((count) += (n))
#endif

static inline struct Cell* share(struct Cell* cell) {
  if (cell) ADD(cell->count, 1);
  return cell;
}

static NOINLINE void drop(struct Cell* cell) {
  while (cell && ADD(cell->count, -1) == 0) {
    struct Cell* rest = cell->rest;
    free(cell);
    cell = rest;
  }
}

/* Consumes its reference to the list. */
static NOINLINE int is_free(struct Cell* qs, uint32_t c, uint32_t d) {
  for (const struct Cell* q = qs; q; q = q->rest, ++d) {
    uint32_t at = (uint32_t)q->column;
    if (at == c || at == c + d || at + d == c) {
      drop(qs);
      return 0;
    }
  }
  drop(qs);
  return 1;
}

static NOINLINE uint32_t go(uint32_t rows, uint32_t c, uint32_t n,
                            struct Cell* qs) {
  for (;; --c) {
    if (rows == 0 || c == 0) {
      drop(qs);
      return rows == 0;
    }
    uint32_t x = c - 1;
    if (is_free(share(qs), x, 1)) {
      uint32_t here = go(rows - 1, n, n, push(x, share(qs)));
      return here + go(rows, x, n, qs);
    }
  }
}

/* The same, the first f rows in parallel. */
static NOINLINE uint32_t forked(uint32_t f, uint32_t rows, uint32_t c,
                                uint32_t n, struct Cell* qs) {
  if (f == 0) return go(rows, c, n, qs);
  for (;; --c) {
    if (rows == 0 || c == 0) {
      drop(qs);
      return rows == 0;
    }
    uint32_t x = c - 1;
    if (is_free(share(qs), x, 1)) {
      struct Cell* longer = push(x, share(qs));
      uint32_t here, rest;
      PAR(1, here = forked(f - 1, rows - 1, n, n, longer),
          rest = forked(f, rows, x, n, qs));
      return here + rest;
    }
  }
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 8);
  double begin = twin_now();
  printf("%u\n", forked(2, n, n, n, NULL));
  twin_end(begin);
  return 0;
}
