// Maps a stack, runs one function on it, unmaps it. See big_stack.h.
#include "compiler/driver/big_stack.h"

#include <pthread.h>
#include <sys/mman.h>

#include <new>

namespace tine {
namespace {

constexpr std::size_t kGuard = std::size_t{1} << 16;
constexpr std::size_t kSmallestStack = std::size_t{16} << 20;
// What is assumed of the caller's stack when no thread can be made.
constexpr std::size_t kCallerStack = std::size_t{512} << 10;

struct Job {
  const std::function<void(std::size_t)>* work;
  std::size_t stack;
  StackResult result;
};

void perform(Job& job) {
  try {
    (*job.work)(job.stack);
    job.result = StackResult::kDone;
  } catch (const std::bad_alloc&) {
    job.result = StackResult::kNoMemory;
  }
}

void* enter(void* job) {
  perform(*static_cast<Job*>(job));
  return nullptr;
}

// False when no thread with that stack could be made; `job` has not run then.
bool run_on_thread(Job& job) {
  void* low = mmap(nullptr, job.stack, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1,
                   0);
  if (low == MAP_FAILED) return false;
  pthread_attr_t attributes;
  pthread_t thread;
  // The lowest pages stay unmapped for use: running into them is a fault, not
  // a write into somebody else's memory.
  bool made = mprotect(low, kGuard, PROT_NONE) == 0 &&
              pthread_attr_init(&attributes) == 0;
  if (made) {
    made = pthread_attr_setstack(&attributes, low, job.stack) == 0 &&
           pthread_create(&thread, &attributes, enter, &job) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (made) pthread_join(thread, nullptr);
  munmap(low, job.stack);
  return made;
}

}  // namespace

StackResult on_big_stack(const std::function<void(std::size_t)>& work) {
  Job job{&work, kBigStack, StackResult::kDone};
  while (job.stack >= kSmallestStack) {
    if (run_on_thread(job)) return job.result;
    job.stack /= 4;
  }
  job.stack = kCallerStack;
  perform(job);
  return job.result;
}

}  // namespace tine
