// The plain reducer: the readable reference of the net engine.
//
// It runs the book as it is printed: one statement at a time, one agent per
// call, nothing compiled, nothing fused, one worker. The calls of a parallel
// let run left to right. Values, arrays and effects are those of the heap, so
// that results and the counts of calls, primitives, takes and constructions
// must equal those of the compiled engine; tests compare them.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/net/worker.h"

namespace tine {

class PlainReducer {
 public:
  explicit PlainReducer(Run& run);

  // The value of a call, of an application; 0 after a trap.
  Word call(DefId def, const std::vector<Word>& args);
  Word apply(Word function, Word argument);

  void add_counts(RunStats& stats) const;

 private:
  // An agent: the rule of a call, how far it is, and its wires.
  struct Agent {
    Agent* parent;          // whose current statement waits for our value
    const DefRow* def;
    const Block* block;
    std::uint32_t at;       // statement
    std::uint32_t par;      // of a parallel let: the call that runs
    Word* wires() { return reinterpret_cast<Word*>(this + 1); }
  };

  Word reduce();            // until no agent is left
  bool step();
  bool statement(const Stmt& stmt);
  bool begin(DefId def, const Word* args, std::size_t n, Agent* parent);
  bool begin_call(const Stmt& call, Agent* parent, const Word* args);
  bool begin_apply(Word function, Word argument, Agent* parent);
  bool finish(Word value);
  bool deliver(Word value);
  bool set(Wire wire, Word value);
  bool match(const Stmt& stmt, Word value);
  bool take(CtorId ctor, Word value, const std::vector<Wire>& outs);
  Word make(CtorId ctor, const Word* fields, std::size_t n, TypeId element);
  Word prim(const Stmt& stmt, const Word* args);
  Word u32_prim(Prim prim, std::uint32_t x, std::uint32_t y);
  Word f32_prim(Prim prim, std::uint32_t x, std::uint32_t y);
  Word nat_prim(Prim prim, Word x, Word y);
  Word array_prim(const Stmt& stmt, const Word* args);
  Word pair(Word first, Word second);
  Word boolean(bool value);
  Word order(Word x, Word y);
  void free_agent(Agent* agent);
  bool fail(Fault fault) { return heap_.fail(fault); }

  Run& run_;
  const Book& book_;
  Worker& worker_;
  LocalHeap& heap_;
  Agent* top_ = nullptr;
  Word value_ = 0;          // of the last agent
  std::vector<std::uint64_t> calls_, prims_;  // by def
  std::uint64_t takes_ = 0, makes_ = 0, forks_ = 0;
};

}  // namespace tine
