// What main reaches, and what follows from the graph of calls: which functions
// look at the stack, which fork, and which run so seldom that the C compiler
// need not work on them.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

class Reach {
 public:
  explicit Reach(const Book& book);

  // Callees before callers where there is no cycle.
  const std::vector<DefId>& order() const { return order_; }
  // Does the function look at the stack when it is entered?
  bool checks(DefId def) const { return height_[index(def)] == 0; }
  // Does it fork, or call what does?
  bool forks(DefId def) const { return forks_[index(def)]; }
  // Is it entered a few times in a run at most? Only what no cycle reaches.
  bool runs_seldom(DefId def) const { return entries_[index(def)] <= kFew; }
  // Does it run often, though every other function that calls it runs seldom?
  // The C compiler would take it for seldom, or make it a part of its caller.
  bool heads_work(DefId def) const {
    return !runs_seldom(def) && !within_work_[index(def)];
  }

 private:
  enum class Walk : std::uint8_t { kNew, kOpen, kDone };
  struct Step {
    DefId def;
    std::vector<DefId> next;
    std::size_t at = 0;
    unsigned height = 1;
    bool cycle = false;
  };
  Step begin(DefId def);
  void end(const Step& step);
  void walk(DefId root);
  void find_forks();
  void count_entries();
  void begin_entries(bool closures_often);
  void spread_entries();
  void find_heads();
  bool applies_often() const;

  static constexpr std::uint32_t kFew = 64;
  static constexpr std::uint32_t kOften = kFew + 1;

  const Book& book_;
  std::vector<DefId> order_;
  // By DefId.
  std::vector<Walk> state_;
  std::vector<unsigned> height_;  // 0: checks
  std::vector<bool> forks_;
  std::vector<bool> loops_;       // a call closes a cycle here
  std::vector<std::uint32_t> entries_;  // no more than kOften
  std::vector<bool> within_work_;  // another that runs often calls it
  std::vector<Step> steps_;
};

}  // namespace tine
