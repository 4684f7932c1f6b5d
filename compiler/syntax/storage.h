// Storage for trees of many small nodes.
//
// A program's trees have ten thousands of nodes, nearly all of which have no
// binders, no cases and no statements: memory that is touched costs more than
// what is done with it. `Rare` is a vector that is one pointer while it is
// empty. `Arena` keeps objects at fixed addresses, 64 to an allocation.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace tine {

template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(std::initializer_list<T> items) {
    if (items.size() > 0) items_ = std::make_unique<std::vector<T>>(items);
  }
  Rare(const Rare& other) : items_(copy(other)) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) items_ = copy(other);
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return items_ ? items_->size() : 0; }
  T* begin() { return items_ ? items_->data() : nullptr; }
  T* end() { return begin() + size(); }
  const T* begin() const { return items_ ? items_->data() : nullptr; }
  const T* end() const { return begin() + size(); }
  T& operator[](std::size_t i) { return (*items_)[i]; }
  const T& operator[](std::size_t i) const { return (*items_)[i]; }
  T& back() { return items_->back(); }
  const T& back() const { return items_->back(); }
  void push_back(T item) { made().push_back(std::move(item)); }

 private:
  static std::unique_ptr<std::vector<T>> copy(const Rare& other) {
    if (other.empty()) return nullptr;
    return std::make_unique<std::vector<T>>(*other.items_);
  }
  std::vector<T>& made() {
    if (!items_) items_ = std::make_unique<std::vector<T>>();
    return *items_;
  }

  std::unique_ptr<std::vector<T>> items_;
};

template <class T>
class Arena {
 public:
  Arena() = default;
  Arena(Arena&& other) noexcept
      : chunks_(std::move(other.chunks_)),
        size_(std::exchange(other.size_, 0)) {}
  Arena& operator=(Arena&& other) noexcept {
    shrink(0);
    chunks_ = std::move(other.chunks_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~Arena() { shrink(0); }

  std::size_t size() const { return size_; }
  T& emplace_back() {
    if (size_ == chunks_.size() * kChunk) {
      chunks_.push_back(std::make_unique_for_overwrite<Chunk>());
    }
    return *::new (at(size_++)) T();
  }
  // Drops what was made after the first `size`.
  void shrink(std::size_t size) {
    while (size_ > size) std::launder(static_cast<T*>(at(--size_)))->~T();
    chunks_.resize((size + kChunk - 1) / kChunk);
  }

 private:
  static constexpr std::size_t kChunk = 64;
  struct Chunk {
    alignas(T) unsigned char bytes[kChunk * sizeof(T)];
  };
  void* at(std::size_t i) {
    return chunks_[i / kChunk]->bytes + (i % kChunk) * sizeof(T);
  }

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace tine
