/* What every twin shares: the clock. A twin is the same program as
   bench/NAME.bend in C: the same types, calls, allocations and frees, with
   malloc and free of the C library, and no def inlined into another. It prints
   the program's output, and its seconds on standard error.

   Compiled as C++ with TWIN_TBB, the same text is the twin on oneTBB: PAR runs
   its two statements as tasks where `big` holds, which keeps a task above a
   few microseconds, as a C++ programmer would. TWIN_THREADS is how many
   threads there are (1). */
#ifndef BENCH_TWINS_TWIN_H
#define BENCH_TWINS_TWIN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

#ifdef TWIN_TBB
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#define PAR(big, first, second)                       \
  do {                                                \
    if (big) {                                        \
      tbb::parallel_invoke([&] { first; }, [&] { second; }); \
    } else {                                          \
      first;                                          \
      second;                                         \
    }                                                 \
  } while (0)

static size_t twin_threads(void) {
  const char* text = getenv("TWIN_THREADS");
  return text ? strtoul(text, NULL, 10) : 1;
}

/* f(i) for every i below n, in parallel. */
template <class F>
static void twin_each(uint32_t n, F f) {
  tbb::parallel_for(tbb::blocked_range<uint32_t>(0, n, 1 << 12),
                    [=](const tbb::blocked_range<uint32_t>& part) {
                      for (uint32_t i = part.begin(); i != part.end(); i++) {
                        f(i);
                      }
                    });
}

static tbb::global_control twin_control(
    tbb::global_control::max_allowed_parallelism, twin_threads());
#else
#define PAR(big, first, second) \
  do {                          \
    (void)sizeof(big);          \
    first;                      \
    second;                     \
  } while (0)
#endif

static double twin_now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void twin_end(double begin) {
  fprintf(stderr, "seconds %.6f\n", twin_now() - begin);
}

static unsigned twin_argument(int argc, char** argv, int at, unsigned usual) {
  return argc > at ? (unsigned)strtoul(argv[at], NULL, 10) : usual;
}

/* The words that the programs work on. */
static inline uint32_t twin_mix(uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

static void* twin_make(size_t bytes) {
  void* node = malloc(bytes);
  if (!node) abort();
  return node;
}

#endif
