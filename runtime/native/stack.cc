#include "runtime/native/stack.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tine {
namespace {

// Running past the end of the stack is a fault, not a write elsewhere.
constexpr std::size_t kGuard = std::size_t{1} << 16;
constexpr std::size_t kSmallest = std::size_t{1} << 20;

}  // namespace

NativeStack::~NativeStack() {
  if (low_) munmap(low_ - kGuard, bytes_ + kGuard);
}

bool NativeStack::map(std::size_t bytes) {
  for (; bytes >= kSmallest; bytes /= 2) {
    void* at = mmap(nullptr, bytes + kGuard, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK,
                    -1, 0);
    if (at == MAP_FAILED) continue;
    // Huge pages would make a shallow stack cost megabytes.
    madvise(at, bytes + kGuard, MADV_NOHUGEPAGE);
    mprotect(at, kGuard, PROT_NONE);
    low_ = static_cast<char*>(at) + kGuard;
    bytes_ = bytes;
    return true;
  }
  return false;
}

// ---- what sanitizers want to know of a change of stacks ----------------------

void NativeStack::about_to_enter() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&outer_, low_, bytes_);
#elif defined(__SANITIZE_THREAD__)
  outer_ = __tsan_get_current_fiber();
  fiber_ = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber_, 0);
#endif
}

void NativeStack::entered() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &outer_low_, &outer_bytes_);
#endif
}

// What is left of frames that did not return is no longer there.
void NativeStack::about_to_leave() {
#if defined(__SANITIZE_ADDRESS__)
  auto* here = static_cast<char*>(__builtin_frame_address(0));
  __asan_unpoison_memory_region(
      here, static_cast<std::size_t>(high() - here));
  __sanitizer_start_switch_fiber(nullptr, outer_low_, outer_bytes_);
#elif defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(outer_, 0);
#endif
}

void NativeStack::left() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(outer_, nullptr, nullptr);
#elif defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(fiber_);
#endif
}

// ---- changing stacks --------------------------------------------------------

void NativeStack::enter(boost::context::detail::transfer_t from) {
  auto* self = static_cast<NativeStack*>(from.data);
  self->outside_ = from.fctx;
  self->entered();
  self->function_(self->argument_);
  self->leave();
}

void NativeStack::run(void (*function)(void*), void* argument) {
  function_ = function;
  argument_ = argument;
  auto inside = boost::context::detail::make_fcontext(high(), bytes_, enter);
  about_to_enter();
  boost::context::detail::jump_fcontext(inside, this);
  left();
}

void NativeStack::leave() {
  about_to_leave();
  boost::context::detail::jump_fcontext(outside_, nullptr);
  std::abort();
}

void NativeStack::forget() { madvise(low_, bytes_, MADV_DONTNEED); }

}  // namespace tine
