// Registers of one activation while its rule is compiled. Wires are used
// once, so a register is free after its use; two wires that hold the same
// immediate word may share one.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/heap/check.h"

namespace tine {

class Registers {
 public:
  // The lowest-numbered `count` are taken.
  explicit Registers(std::uint32_t count = 0) : uses_(count, 1) {}

  std::uint32_t take() {
    if (!free_.empty()) {
      std::uint32_t reg = free_.back();
      free_.pop_back();
      uses_[reg] = 1;
      return reg;
    }
    uses_.push_back(1);
    return static_cast<std::uint32_t>(uses_.size() - 1);
  }
  void share(std::uint32_t reg) { ++uses_[reg]; }
  void release(std::uint32_t reg) {
    TINE_CHECK(uses_[reg] > 0);
    if (--uses_[reg] == 0) free_.push_back(reg);
  }
  bool single(std::uint32_t reg) const { return uses_[reg] == 1; }

  std::vector<std::uint32_t> live() const {
    std::vector<std::uint32_t> regs;
    for (std::uint32_t reg = 0; reg < uses_.size(); ++reg) {
      if (uses_[reg] > 0) regs.push_back(reg);
    }
    return regs;
  }
  // How many were ever in use at once.
  std::uint32_t size() const { return static_cast<std::uint32_t>(uses_.size()); }

 private:
  std::vector<std::uint32_t> uses_;  // wires in each register
  std::vector<std::uint32_t> free_;
};

}  // namespace tine
