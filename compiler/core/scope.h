// The names in scope, innermost last, with the levels they stand for.
//
// Most scopes are short, and a search from the end is quickest. In a long one
// (thousands of statements in a row) every name of a def would be looked for
// in all of it: what is more than a few names away is found by a table, which
// follows the list lazily.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tine::core {

class ScopeNames {
 public:
  using Row = std::pair<std::string, std::uint32_t>;

  std::size_t size() const { return rows_.size(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

  void push(const std::string& name, std::uint32_t level) {
    rows_.emplace_back(name, level);
  }

  void shrink(std::size_t size) {
    while (indexed_ > size) {
      auto found = levels_.find(rows_[--indexed_].first);
      found->second.pop_back();
      if (found->second.empty()) levels_.erase(found);
    }
    rows_.resize(size);
  }

  // The level of the innermost row of that name.
  std::optional<std::uint32_t> find(const std::string& name) const {
    if (rows_.size() - indexed_ > kFew) extend();
    for (std::size_t i = rows_.size(); i-- > indexed_;) {
      if (rows_[i].first == name) return rows_[i].second;
    }
    if (indexed_ == 0) return std::nullopt;
    auto found = levels_.find(name);
    if (found == levels_.end()) return std::nullopt;
    return found->second.back();
  }

 private:
  static constexpr std::size_t kFew = 32;

  void extend() const {
    for (; indexed_ < rows_.size(); ++indexed_) {
      const auto& [name, level] = rows_[indexed_];
      levels_[name].push_back(level);
    }
  }

  std::vector<Row> rows_;
  mutable std::size_t indexed_ = 0;  // the rows that the table has
  mutable std::unordered_map<std::string, std::vector<std::uint32_t>> levels_;
};

}  // namespace tine::core
