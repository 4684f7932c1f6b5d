// Tells AddressSanitizer which memory of our own free lists is dead, so that
// a use after free is reported although the bytes came from one big chunk.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define TINE_POISON(address, bytes) __asan_poison_memory_region(address, bytes)
#define TINE_UNPOISON(address, bytes) \
  __asan_unpoison_memory_region(address, bytes)
#else
#define TINE_POISON(address, bytes) ((void)0)
#define TINE_UNPOISON(address, bytes) ((void)0)
#endif
