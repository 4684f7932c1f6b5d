// The order of checking: a definition after those it names, as far as that is
// possible, so that types compute and the checker need not nest.
#include <algorithm>
#include <deque>
#include <set>
#include <string_view>

#include "compiler/core/checker.h"
#include "compiler/core/operators.h"

namespace tine::core {

namespace {

// Names and constructors a surface tree mentions, and the names it binds: as
// often as they stand there, until `settle`.
struct Mentions {
  std::vector<std::string_view> names, ctors, bound;
  std::deque<std::string> made;  // texts that stand in no node

  static void settle(std::vector<std::string_view>& words) {
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }
  bool binds(std::string_view name) const {
    return std::binary_search(bound.begin(), bound.end(), name);
  }
  void make_name(std::string name) {
    names.push_back(made.emplace_back(std::move(name)));
  }

  void walk(const Node* n) {
    if (!n) return;
    switch (n->kind) {
      case NodeKind::kName:
        names.push_back(n->text);
        break;
      case NodeKind::kCtor:
      case NodeKind::kPCtor:
        ctors.push_back(n->text);
        break;
      case NodeKind::kPVar:
      case NodeKind::kLambda:
      case NodeKind::kPi:
      case NodeKind::kExists:
        bound.push_back(n->text);
        break;
      case NodeKind::kOp:
        make_name(operator_def(n));
        break;
      case NodeKind::kDo:
        names.push_back(n->text);
        make_name(n->text + ".bind");
        make_name(n->text + ".pure");
        break;
      default:
        break;
    }
    for (const Binder& b : n->binders) bound.push_back(b.text);
    for (const Node* kid : n->kids) walk(kid);
    for (const Case& c : n->cases) {
      for (const Node* p : c.patterns) walk(p);
      walk(c.body);
    }
    for (const Step& s : n->steps) {
      bound.push_back(s.binder.text);
      walk(s.type);
      walk(s.value);
    }
  }

  void walk(const std::vector<Param>& params) {
    for (const Param& p : params) {
      bound.push_back(p.text);
      walk(p.type);
    }
  }
};

}  // namespace

std::vector<std::uint32_t> Checker::names_used(const Unit& unit) {
  Mentions m;
  const Decl& decl = *unit.decl;
  m.walk(decl.params);
  m.walk(decl.result);
  m.walk(decl.body);
  for (const CtorDecl& ctor : decl.ctors) m.walk(ctor.fields);
  for (const Clause& clause : decl.clauses) {
    m.bound.push_back(clause.param.text);
    m.walk(clause.param.type);
    m.walk(clause.where);
  }
  m.settle(m.names);
  m.settle(m.ctors);
  m.settle(m.bound);
  std::vector<std::uint32_t> out;
  for (std::string_view name : m.names) {
    if (m.binds(name)) continue;
    Resolved r = resolve_global(unit.module, std::string(name), {}, true);
    if (r.kind == Resolved::kData)
      out.push_back(unit_of_data_[index(r.data)]);
    if (r.kind != Resolved::kDef) continue;
    out.push_back(unit_of_def_[index(r.def)]);
    if (fill_of_def_[index(r.def)] != kNoUnit)
      out.push_back(fill_of_def_[index(r.def)]);
  }
  for (std::string_view name : m.ctors) {
    Ctor id = resolve_ctor(unit.module, std::string(name));
    if (id != Ctor::kNone)
      out.push_back(unit_of_data_[index(globals_.ctor(id).data)]);
  }
  return out;
}

std::vector<std::uint32_t> Checker::order() {
  std::size_t n = units_.size();
  edges_.resize(n);
  for (std::size_t i = 0; i < n; ++i) edges_[i] = names_used(units_[i]);
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> seen(n, 0);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  for (std::uint32_t root = 0; root < n; ++root) {
    if (seen[root]) continue;
    seen[root] = 1;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [unit, next] = stack.back();
      if (next < edges_[unit].size()) {
        std::uint32_t to = edges_[unit][next++];
        if (!seen[to]) {
          seen[to] = 1;
          stack.emplace_back(to, 0);
        }
        continue;
      }
      order.push_back(unit);
      stack.pop_back();
    }
  }
  return order;
}

// Does `from` lead to `to` through the bodies of safe defs?
bool Checker::leads_to(Def from, Def to) {
  std::vector<std::uint32_t> work{body_unit(from)};
  std::set<std::uint32_t> seen(work.begin(), work.end());
  std::uint32_t goal = body_unit(to);
  while (!work.empty()) {
    std::uint32_t unit = work.back();
    work.pop_back();
    if (units_[unit].def != Def::kNone &&
        globals_.def(units_[unit].def).is_unsafe)
      continue;
    for (std::uint32_t next : edges_[unit]) {
      if (next == goal) return true;
      if (units_[next].def != Def::kNone && seen.insert(next).second)
        work.push_back(next);
    }
  }
  return false;
}

std::uint32_t Checker::body_unit(Def def) const {
  std::uint32_t fill = fill_of_def_[index(def)];
  return fill != kNoUnit ? fill : unit_of_def_[index(def)];
}

// ---- unsafe code -----------------------------------------------------------------

namespace {

// Spreads a mark from the seeds to everything that names a marked thing.
// Nodes are defs first, then datatypes.
std::vector<bool> spread(const std::vector<std::vector<std::uint32_t>>& users,
                         const std::vector<std::uint32_t>& seeds) {
  std::vector<bool> marked(users.size(), false);
  std::vector<std::uint32_t> work = seeds;
  for (std::uint32_t s : seeds) marked[s] = true;
  while (!work.empty()) {
    std::uint32_t at = work.back();
    work.pop_back();
    for (std::uint32_t user : users[at])
      if (!marked[user]) {
        marked[user] = true;
        work.push_back(user);
      }
  }
  return marked;
}

}  // namespace

void Checker::mark_unsafe(CheckResult& result) {
  std::uint32_t defs = std::uint32_t(globals_.defs.size());
  std::vector<std::vector<std::uint32_t>> users(defs + globals_.datas.size());
  for (std::uint32_t d = 0; d < defs; ++d) {
    for (Def used : globals_.defs[d].uses) users[index(used)].push_back(d);
    for (Data used : data_uses_of_def_[d])
      users[defs + index(used)].push_back(d);
  }
  for (std::uint32_t d = 0; d < globals_.datas.size(); ++d) {
    for (Def used : def_uses_of_data_[d])
      users[index(used)].push_back(defs + d);
    for (Data used : data_uses_of_data_[d])
      users[defs + index(used)].push_back(defs + d);
  }
  std::vector<std::uint32_t> unsafe, forks;
  for (std::uint32_t d = 0; d < defs; ++d) {
    const DefInfo& def = globals_.defs[d];
    if (def.is_unsafe) unsafe.push_back(d);
    if (def.is_base && (def.name == "Array.fork" || def.name == "Array.join"))
      forks.push_back(d);
  }
  std::vector<bool> listed = spread(users, unsafe);
  std::vector<bool> forking = spread(users, forks);
  for (std::uint32_t d = 0; d < defs; ++d)
    globals_.defs[d].relies_on_fork = forking[d];
  for (const Unit& unit : units_) {
    if (unit.def == Def::kNone || unit.decl->kind == DeclKind::kFill) continue;
    if (modules_[unit.module].is_base || !listed[index(unit.def)]) continue;
    result.unsafe_defs.push_back(globals_.def(unit.def).shown);
  }
}

// Open laws and holes that are left make the program incomplete.
void Checker::report_open(CheckResult& result) {
  // What is open is told when nothing is wrong; other holes are open, too.
  const std::vector<Diag>& said = sink_.diags();
  bool clean = std::all_of(said.begin(), said.end(), [](const Diag& diag) {
    return diag.severity != Severity::kError || diag.msg == Msg::kHole;
  });
  result.todos = todo_holes_.size();
  for (const auto& [span, where] : todo_holes_)
    if (clean) sink_.report(Msg::kTodoHole, span).where = where;
  for (const Unit& unit : units_) {
    if (unit.decl->kind != DeclKind::kLaw) continue;
    if (modules_[unit.module].is_base) continue;
    if (fill_of_def_[index(unit.def)] != kNoUnit) continue;
    ++result.todos;
    if (clean) sink_.report(Msg::kOpenLaw, unit.decl->span, {unit.decl->text});
  }
}

}  // namespace tine::core
