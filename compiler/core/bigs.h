// Parts of a Theory that its header only names: the store of large numbers,
// and what keeps values alive. Private to core.
#pragma once

#include <deque>

#include "compiler/core/bignat.h"

namespace tine::core {

struct Theory::Bigs {
  std::deque<BigBox> all;
};

// Keeps the values of a vector from the collector.
class Theory::Keep {
 public:
  Keep(Theory& theory, const std::vector<Value*>& values)
      : kept_(theory.kept_), size_(kept_.size()) {
    kept_.insert(kept_.end(), values.begin(), values.end());
  }
  ~Keep() { kept_.resize(size_); }
  Keep(const Keep&) = delete;

 private:
  std::vector<Value*>& kept_;
  const std::size_t size_;
};

}  // namespace tine::core
