// Lent values: read by a function while its caller goes on owning them.
//
// A book copies a value before each use but the last. Where one of two copies
// only goes into a call, and the other is still owned when the call returns,
// the call may get the value as it stands: no count is raised, and what the
// callee takes apart is not given back. In the callee the parameter and all
// that is found in it is lent; what must be owned after all (a field of a new
// node, a result) gets an owner of its own at that place, which costs no more
// than the copy would have.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

// Where the wires of a definition end.
class WireUses {
 public:
  explicit WireUses(const DefRow& def);

  // Of a copy in `block`: does its out of that number end in a call of the
  // same block while the other lives on?
  bool lends(const Block& block, const Stmt& copy, std::size_t out) const;
  const Stmt* user(Wire wire) const { return uses_[index(wire)].stmt; }

 private:
  struct Use {
    const Block* block = nullptr;
    const Stmt* stmt = nullptr;
    std::uint32_t at = 0;    // grows along every way through the definition
    std::uint32_t last = 0;  // that of the last of its copies
  };
  void walk(const Block& block);

  std::vector<Use> uses_;  // by wire
  std::uint32_t next_ = UINT32_MAX;
};

// Which parameters are taken apart by a definition or by what it hands them
// to, so that lending them saves counts.
class Readers {
 public:
  explicit Readers(const Book& book) : book_(book) {}
  bool reads(DefId def, std::uint32_t param) { return reads(def, param, 0); }

 private:
  bool reads(DefId def, std::uint32_t param, unsigned depth);
  bool wire_reads(const WireUses& uses, Wire wire, unsigned depth);
  const WireUses& uses_of(DefId def);

  const Book& book_;
  std::map<DefId, WireUses> uses_;
  std::map<std::pair<DefId, std::uint32_t>, bool> known_;
};

}  // namespace tine
