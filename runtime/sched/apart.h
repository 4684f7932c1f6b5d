// Memory that one worker writes all the time: on cache lines that no other
// worker's memory shares. Two counters on one line cost each increment the
// line's way between the cores, 30 times the increment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace tine {

// Two lines: the neighbour of a line is fetched with it.
inline constexpr std::size_t kApart = 128;

template <class T>
struct ApartAllocator {
  using value_type = T;

  ApartAllocator() = default;
  template <class U>
  ApartAllocator(const ApartAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(
        ::operator new(bytes(count), std::align_val_t{kApart}));
  }
  void deallocate(T* at, std::size_t count) {
    ::operator delete(at, bytes(count), std::align_val_t{kApart});
  }
  friend bool operator==(ApartAllocator, ApartAllocator) { return true; }

 private:
  // Nobody else's memory begins on the last line.
  static std::size_t bytes(std::size_t count) {
    if (count > (SIZE_MAX - kApart) / sizeof(T)) throw std::bad_alloc();
    return (count * sizeof(T) + kApart - 1) / kApart * kApart;
  }
};

template <class T>
using ApartVector = std::vector<T, ApartAllocator<T>>;

}  // namespace tine
