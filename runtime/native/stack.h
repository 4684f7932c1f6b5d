// A stack of its own for emitted code, large and reserved only: pages that
// are never touched cost nothing.
//
// `run` switches to it and comes back when the function returns or when
// somebody below it calls `leave`; what is on the stack then is forgotten, no
// destructor runs.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

namespace tine {

class NativeStack {
 public:
  NativeStack() = default;
  NativeStack(const NativeStack&) = delete;
  NativeStack& operator=(const NativeStack&) = delete;
  ~NativeStack();

  // Reserves at most `bytes`, less where the system refuses; false when it
  // has not even a little.
  bool map(std::size_t bytes);
  char* high() const { return low_ + bytes_; }
  std::size_t bytes() const { return bytes_; }

  void run(void (*function)(void*), void* argument);
  [[noreturn]] void leave();
  // Gives the pages back to the system; nothing may run on them.
  void forget();

 private:
  static void enter(boost::context::detail::transfer_t from);
  void about_to_enter();
  void entered();
  void about_to_leave();
  void left();

  char* low_ = nullptr;  // the lowest byte in use, above the guard
  std::size_t bytes_ = 0;
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  boost::context::detail::fcontext_t outside_ = nullptr;
  // Of sanitizers: the stack that `run` was called on, the fiber of this one.
  void* outer_ = nullptr;
  void* fiber_ = nullptr;
  const void* outer_low_ = nullptr;
  std::size_t outer_bytes_ = 0;
};

}  // namespace tine
