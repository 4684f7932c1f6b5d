#include "runtime/native/stack.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

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

void NativeStack::enter(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<NativeStack*>(std::uintptr_t{high} << 32 |
                                              low);
  self->function_(self->argument_);
  setcontext(&self->outside_);
}

void NativeStack::run(void (*function)(void*), void* argument) {
  function_ = function;
  argument_ = argument;
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = low_;
  inside_.uc_stack.ss_size = bytes_;
  inside_.uc_link = nullptr;
  auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&inside_, reinterpret_cast<void (*)()>(&NativeStack::enter), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  swapcontext(&outside_, &inside_);
}

void NativeStack::leave() {
  setcontext(&outside_);
  std::abort();
}

void NativeStack::forget() { madvise(low_, bytes_, MADV_DONTNEED); }

}  // namespace tine
