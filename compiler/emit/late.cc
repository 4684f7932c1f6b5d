// Statements that only compute what a parameter is in the next round, while
// others behind them still look at what it is in this one. They come last, so
// that both may stay in one register: a scan stores its sum, then adds to it.
#include "compiler/emit/function_emitter.h"

namespace tine {
namespace {

// Where in the block something other than a copy last looks at a wire; at a
// copy of a parameter, at the parameter.
std::map<Wire, std::size_t> last_looks(const Block& stmts,
                                       std::uint32_t params) {
  std::map<Wire, Wire> copied;
  std::map<Wire, std::size_t> looks;
  auto whole = [&](Wire wire) {
    auto from = copied.find(wire);
    return from == copied.end() ? wire : from->second;
  };
  for (std::size_t at = 0; at + 1 < stmts.size(); ++at) {
    const Stmt& stmt = stmts[at];
    bool copies = stmt.op == Op::kCopy || stmt.op == Op::kMove;
    for (Wire in : stmt.ins) {
      if (copies && index(whole(in)) < params) {
        for (Wire out : stmt.outs) copied[out] = whole(in);
      } else {
        looks[whole(in)] = at;
      }
    }
    for (const Stmt& call : stmt.calls) {
      for (Wire in : call.ins) looks[whole(in)] = at;
    }
  }
  return looks;
}

}  // namespace

std::vector<bool> FunctionEmitter::late_statements(const Block& stmts) const {
  std::vector<bool> late(stmts.size());
  const Stmt& last = stmts.back();
  if (last.op != Op::kCall || last.def != id_ || last.outs[0] != Wire::kOut ||
      !reps_.trust()) {
    return late;
  }
  std::map<Wire, std::size_t> looks = last_looks(stmts, def_.params);
  for (std::size_t at = 0; at + 1 < stmts.size(); ++at) {
    const Stmt& stmt = stmts[at];
    unsigned budget = 1;
    if (stmt.op != Op::kPrim || !harmless(stmt, budget) ||
        looks.count(stmt.outs[0]) > 0) {
      continue;
    }
    for (std::size_t i = 0; i < last.ins.size(); ++i) {
      auto look = looks.find(static_cast<Wire>(i));
      if (last.ins[i] == stmt.outs[0] && look != looks.end() &&
          look->second > at) {
        late[at] = true;
      }
    }
  }
  return late;
}

}  // namespace tine
