// How often is a function entered? Main once, and what a function calls, or
// makes a closure of, once for each place and entry of it; what lies on a cycle
// or behind one, any number of times. A closure may be applied more often than
// it was made, if what is entered often applies closures.
#include "compiler/emit/reach.h"

#include <algorithm>

namespace tine {
namespace {

// A function that cannot recurse does without a look at the stack when the
// chain of calls below it is short and its frame small.
constexpr unsigned kMostUnchecked = 16;
constexpr std::size_t kSmallFrame = 200;  // wires

void each_stmt(const Block& block, const auto& visit) {
  std::vector<const Block*> work{&block};
  while (!work.empty()) {
    const Block& next = *work.back();
    work.pop_back();
    for (const Stmt& stmt : next) {
      visit(stmt);
      for (const Stmt& call : stmt.calls) visit(call);
      for (const Arm& arm : stmt.arms) work.push_back(&arm.block);
    }
  }
}

}  // namespace

Reach::Reach(const Book& book)
    : book_(book),
      state_(book.defs.size()),
      height_(book.defs.size()),
      forks_(book.defs.size()),
      loops_(book.defs.size()),
      entries_(book.defs.size()),
      within_work_(book.defs.size()) {
  walk(book.main);
  find_forks();
  count_entries();
  find_heads();
}

Reach::Step Reach::begin(DefId def) {
  state_[index(def)] = Walk::kOpen;
  Step step{.def = def, .next = {}};
  each_stmt(book_.def(def).block, [&](const Stmt& stmt) {
    if (stmt.def != DefId::kNone) step.next.push_back(stmt.def);
  });
  return step;
}

void Reach::end(const Step& step) {
  std::size_t def = index(step.def);
  state_[def] = Walk::kDone;
  bool small = book_.defs[def].wires.size() <= kSmallFrame;
  height_[def] = !step.cycle && small && step.height <= kMostUnchecked
                     ? step.height
                     : 0;
  order_.push_back(step.def);
}

void Reach::walk(DefId root) {
  steps_.push_back(begin(root));
  while (!steps_.empty()) {
    Step& step = steps_.back();
    if (step.at == step.next.size()) {
      end(step);
      steps_.pop_back();
      continue;
    }
    DefId next = step.next[step.at];
    Walk state = state_[index(next)];
    if (state == Walk::kNew) {
      steps_.push_back(begin(next));
      continue;
    }
    ++step.at;
    if (state == Walk::kDone) {
      step.height = std::max(step.height, height_[index(next)] + 1);
      continue;
    }
    // A call of a def that is open closes a cycle; every cycle has one, and
    // the function that makes it looks at the stack.
    step.cycle = true;
    loops_[index(next)] = true;
  }
}

void Reach::find_forks() {
  std::vector<std::vector<DefId>> callers(book_.defs.size());
  std::vector<DefId> work;
  for (std::size_t i = 0; i < book_.defs.size(); ++i) {
    auto def = static_cast<DefId>(i);
    each_stmt(book_.def(def).block, [&](const Stmt& stmt) {
      if (stmt.def != DefId::kNone) callers[index(stmt.def)].push_back(def);
      if (stmt.op != Op::kPar || forks_[i]) return;
      forks_[i] = true;
      work.push_back(def);
    });
  }
  while (!work.empty()) {
    DefId next = work.back();
    work.pop_back();
    for (DefId caller : callers[index(next)]) {
      if (forks_[index(caller)]) continue;
      forks_[index(caller)] = true;
      work.push_back(caller);
    }
  }
}

void Reach::count_entries() {
  begin_entries(false);
  spread_entries();
  if (!applies_often()) return;
  begin_entries(true);
  spread_entries();
}

// What is known before the calls are followed.
void Reach::begin_entries(bool closures_often) {
  std::fill(entries_.begin(), entries_.end(), 0);
  entries_[index(book_.main)] = 1;
  for (DefId def : order_) {
    if (loops_[index(def)]) entries_[index(def)] = kOften;
    if (!closures_often) continue;
    each_stmt(book_.def(def).block, [&](const Stmt& stmt) {
      if (stmt.op == Op::kClosure) entries_[index(stmt.def)] = kOften;
    });
  }
}

// Callers first. The calls that close a cycle lead to what is at kOften.
void Reach::spread_entries() {
  for (std::size_t i = order_.size(); i-- > 0;) {
    std::uint32_t times = entries_[index(order_[i])];
    each_stmt(book_.def(order_[i]).block, [&](const Stmt& stmt) {
      if (stmt.def == DefId::kNone) return;
      std::uint32_t& count = entries_[index(stmt.def)];
      count = std::min(kOften, count + times);
    });
  }
}

void Reach::find_heads() {
  for (DefId def : order_) {
    if (runs_seldom(def)) continue;
    each_stmt(book_.def(def).block, [&](const Stmt& stmt) {
      if (stmt.def == DefId::kNone || stmt.def == def) return;
      within_work_[index(stmt.def)] = true;
    });
  }
}

bool Reach::applies_often() const {
  bool found = false;
  for (DefId def : order_) {
    if (runs_seldom(def)) continue;
    each_stmt(book_.def(def).block, [&](const Stmt& stmt) {
      if (stmt.op == Op::kApply) found = true;
    });
  }
  return found;
}

}  // namespace tine
