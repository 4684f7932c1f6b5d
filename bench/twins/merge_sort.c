/* Twin of bench/merge_sort.bend. */
#include "twin.h"

struct List {
  uint64_t head;
  struct List* tail; /* NULL: Nil */
};

static inline struct List* cons(uint32_t head, struct List* tail) {
  struct List* list = twin_make(sizeof *list);
  list->head = head;
  list->tail = tail;
  return list;
}

/* Taking a cell apart frees it. */
static inline uint32_t take(struct List** list) {
  struct List* cell = *list;
  uint32_t head = (uint32_t)cell->head;
  *list = cell->tail;
  free(cell);
  return head;
}

static NOINLINE struct List* build(uint32_t n) {
  struct List* acc = NULL;
  for (uint32_t i = 0; i < n; i++) acc = cons(twin_mix((i + 1) * 2654435761u), acc);
  return acc;
}

static NOINLINE void deal(struct List* xs, struct List** a, struct List** b) {
  while (xs) {
    struct List* other = *b;
    *b = cons(take(&xs), *a);
    *a = other;
  }
}

static NOINLINE struct List* merge(struct List* xs, struct List* ys) {
  struct List* first = NULL;
  struct List** end = &first;
  while (xs && ys) {
    uint32_t least =
        xs->head <= ys->head ? take(&xs) : take(&ys);
    *end = cons(least, NULL);
    end = &(*end)->tail;
  }
  *end = xs ? xs : ys;
  return first;
}

/* `f` is how many levels below it fork. */
static NOINLINE struct List* sort(uint32_t f, struct List* xs) {
  if (!xs || !xs->tail) return xs;
  struct List* a = cons(take(&xs), NULL);
  struct List* b = cons(take(&xs), NULL);
  deal(xs, &a, &b);
  uint32_t below = f > 0 ? f - 1 : 0;
  PAR(f > 0, a = sort(below, a), b = sort(below, b));
  return merge(a, b);
}

static NOINLINE uint32_t digest(struct List* xs) {
  uint32_t h = 0;
  while (xs) h = h * 2654435761u ^ take(&xs);
  return h;
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 1000);
  double begin = twin_now();
  printf("%u\n", digest(sort(8, build(n))));
  twin_end(begin);
  return 0;
}
