// Runs work on a thread with a stack deep enough for the recursion of the
// front end.
//
// The parser, the checker and the theory recurse on the program's nesting;
// their limits assume a known stack. The caller's own stack may be anything
// (an embedding host's thread, 8 MiB, less), so the work goes to a thread
// whose stack is mapped for it: 1 GiB of address space, of which only touched
// pages cost memory. Where so much cannot be mapped, a smaller one is tried.
#pragma once

#include <cstddef>
#include <functional>

namespace tine {

inline constexpr std::size_t kBigStack = std::size_t{1} << 30;

enum class StackResult { kDone, kNoMemory };

// Calls `work(stack bytes)` and waits for it. A std::bad_alloc that leaves
// `work` becomes kNoMemory; nothing else may leave it.
StackResult on_big_stack(const std::function<void(std::size_t)>& work);

}  // namespace tine
