// CHECK: an assertion for errors of tine itself. Prints file, line and
// condition, then aborts; it is never the answer to a user's mistake.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace tine {

[[noreturn]] inline void check_failed(const char* file, int line,
                                      const char* condition) {
  std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", file, line, condition);
  std::abort();
}

}  // namespace tine

#define TINE_CHECK(condition)                                     \
  do {                                                            \
    if (!(condition)) [[unlikely]]                                \
      ::tine::check_failed(__FILE__, __LINE__, #condition);       \
  } while (false)
