/* Twin of bench/hash.bend. */
#include "twin.h"

static NOINLINE void put(uint32_t size, uint32_t at, uint32_t key,
                         uint32_t value, uint32_t* keys, uint32_t* values) {
  for (uint32_t k = 0; k < size; k++, at++) {
    uint32_t slot = at & (size - 1);
    if (keys[slot] != 0 && keys[slot] != key) continue;
    keys[slot] = key;
    values[slot] = value;
    return;
  }
}

static NOINLINE uint32_t get(uint32_t size, uint32_t at, uint32_t key,
                             const uint32_t* keys, const uint32_t* values) {
  for (uint32_t k = 0; k < size; k++, at++) {
    uint32_t slot = at & (size - 1);
    if (keys[slot] == key) return values[slot];
    if (keys[slot] == 0) return 0;
  }
  return 0;
}

static uint32_t place(uint32_t key) { return key * 2654435761u >> 8; }

int main(int argc, char** argv) {
  uint32_t n = 1u << twin_argument(argc, argv, 1, 8), size = 2 * n, sum = 0;
  double begin = twin_now();
  uint32_t* keys = calloc(size, sizeof *keys);
  uint32_t* values = calloc(size, sizeof *values);
  if (!keys || !values) abort();
  for (uint32_t i = 0; i < n; i++) {
    uint32_t key = twin_mix(i + 1);
    put(size, place(key), key, i + 1, keys, values);
  }
  for (uint32_t i = 0; i < 2 * n; i += 2) {
    uint32_t key = twin_mix(i + 1);
    sum += get(size, place(key), key, keys, values);
  }
  printf("%u\n", sum);
  free(keys);
  free(values);
  twin_end(begin);
  return 0;
}
