// See signals.h. The handler uses async-signal-safe calls and lock-free
// atomics only.
#include "tools/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "runtime/tine.hpp"

namespace tine::tool {
namespace {

std::atomic<bool> running{false};
std::atomic<bool> stop{false};
std::atomic<bool> prompting{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int number) {
  if (number == SIGINT && prompting.load(std::memory_order_relaxed)) {
    stop.store(true, std::memory_order_relaxed);
    return;
  }
  // Relaxed: the flags carry no other data.
  if (running.load(std::memory_order_relaxed) &&
      !stop.exchange(true, std::memory_order_relaxed)) {
    return;
  }
  constexpr char kText[] = "tine: error: interrupted\n";
  [[maybe_unused]] ssize_t done =
      write(STDERR_FILENO, kText, sizeof kText - 1);
  _exit(kStopped);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closed pipe is a value, EPIPE.
  signal(SIGPIPE, SIG_IGN);
}

const std::atomic<bool>& begin_interruptible() {
  running.store(true, std::memory_order_relaxed);
  return stop;
}

void interrupts_stop_evaluations_only() {
  prompting.store(true, std::memory_order_relaxed);
}

bool wait_for_input(int file) {
  sigset_t interrupt, before;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  // Held back from the look at the flag until ppoll waits, or a Ctrl-C in
  // between would be forgotten.
  sigprocmask(SIG_BLOCK, &interrupt, &before);
  pollfd input{file, POLLIN, 0};
  int ready = 0;
  while (!interrupted() && ready <= 0) {
    ready = ppoll(&input, 1, nullptr, &before);
    if (ready < 0 && errno != EINTR) break;
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return !interrupted();
}

bool interrupted() { return stop.load(std::memory_order_relaxed); }

void forget_interrupt() { stop.store(false, std::memory_order_relaxed); }

}  // namespace tine::tool
