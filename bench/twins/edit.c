/* Twin of bench/edit.bend. */
#include "twin.h"

static NOINLINE uint32_t* fill(uint32_t n, uint32_t m) {
  uint32_t* a = twin_make(n * sizeof *a);
  for (uint32_t i = 0; i < n; i++) a[i] = twin_mix((i + 1) * m) >> 30;
  return a;
}

static uint32_t least(uint32_t x, uint32_t y) { return x < y ? x : y; }

static NOINLINE void cells(uint32_t n, uint32_t x, uint32_t left,
                           uint32_t corner, const uint32_t* ys,
                           uint32_t* row) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t above = row[i + 1];
    left = least(corner + (x != ys[i]), least(left, above) + 1);
    corner = above;
    row[i + 1] = left;
  }
}

int main(int argc, char** argv) {
  uint32_t n = twin_argument(argc, argv, 1, 200);
  double begin = twin_now();
  uint32_t* xs = fill(n, 2654435761u);
  uint32_t* ys = fill(n, 2246822519u);
  uint32_t* row = twin_make((n + 1) * sizeof *row);
  for (uint32_t i = 0; i <= n; i++) row[i] = i;
  for (uint32_t j = 0; j < n; j++) {
    uint32_t corner = row[0];
    row[0] = j + 1;
    cells(n, xs[j], j + 1, corner, ys, row);
  }
  printf("%u\n", row[n]);
  free(xs);
  free(ys);
  free(row);
  twin_end(begin);
  return 0;
}
