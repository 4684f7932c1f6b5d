// One run of a book's main on the net engine: compile, reduce, count.
#include "runtime/net/engine.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>

#include "runtime/net/compile.h"
#include "runtime/net/counts.h"
#include "runtime/net/main_loop.h"
#include "runtime/net/plain.h"
#include "runtime/net/traps.h"
#include "runtime/net/worker.h"

namespace tine {
namespace {

// ---- counts -----------------------------------------------------------------

// Blocks from the leaves up: a block ran as often as its parts together.
std::vector<std::uint64_t> sum_hits(const NetProgram& program, const Run& run) {
  std::vector<std::uint64_t> hits(program.blocks.size());
  for (const auto& worker : run.workers) {
    for (std::size_t i = 0; i < hits.size(); ++i) hits[i] += worker->hits[i];
  }
  for (std::size_t i = hits.size(); i-- > 0;) {
    std::uint32_t parent = program.blocks[i].parent;
    if (parent != BlockCount::kNoBlock) hits[parent] += hits[i];
  }
  return hits;
}

void add_defs(const Book& book, const NetProgram& program, const Run& run,
              RunStats& stats) {
  std::vector<std::uint64_t> hits = sum_hits(program, run);
  std::vector<std::uint64_t> calls(book.defs.size()), prims(calls);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const BlockCount& block = program.blocks[i];
    if (hits[i] == 0 || block.def == DefId::kNone) continue;
    prims[index(block.def)] += hits[i] * block.prims;
    for (DefId def : block.calls) calls[index(def)] += hits[i];
    stats.takes += hits[i] * block.takes;
    stats.makes += hits[i] * block.makes;
    stats.forks += hits[i] * block.forks;
  }
  for (const auto& worker : run.workers) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      calls[i] += worker->applied[i];
    }
  }
  add_def_counts(book, calls.data(), prims.data(), stats);
}

void add_heaps(const Run& run, RunStats& stats) {
  for (const auto& worker : run.workers) {
    const HeapCounts& counts = worker->heap.counts;
    stats.copies += counts.copies;
    stats.drops += counts.drops;
    stats.nodes_made += counts.nodes_made;
    stats.nodes_freed += counts.nodes_freed;
    stats.blocks_made += counts.blocks_made;
    stats.blocks_freed += counts.blocks_freed;
    stats.frames_made += counts.frames_made;
    stats.frames_freed += counts.frames_freed;
    stats.steals += worker->steals;
  }
  stats.peak_bytes = run.region.peak();
  stats.workers = run.request.limits.workers;
}

// ---- reducers ---------------------------------------------------------------

// A run of the net engine, as the main loop sees it.
class NetReducer : public Reducer {
 public:
  explicit NetReducer(Run& run) : run_(run) {}

  Word main(Word last) override {
    return run_.enter(run_.program.defs[index(run_.book.main)].code, last);
  }
  Word apply(Word function, Word argument) override {
    return run_.enter(run_.program.code.data() + run_.program.apply, function,
                      argument);
  }
  LocalHeap& heap() override { return run_.workers[0]->heap; }
  HeapOwner& owner() override { return *run_.workers[0]; }
  const Trap& trapped() override {
    if (heap().fault() != Fault::kNone) run_.trap_fault(*run_.workers[0]);
    return run_.trapped();
  }
  virtual void add_counts(RunStats& stats) {
    add_defs(run_.book, run_.program, run_, stats);
  }

 protected:
  Run& run_;
};

class PlainRun final : public NetReducer {
 public:
  explicit PlainRun(Run& run) : NetReducer(run), plain_(run) {}

  Word main(Word last) override {
    std::vector<Word> args;
    if (last != 0) args.push_back(last);
    return plain_.call(run_.book.main, args);
  }
  Word apply(Word function, Word argument) override {
    return plain_.apply(function, argument);
  }
  void add_counts(RunStats& stats) override { plain_.add_counts(stats); }

 private:
  PlainReducer plain_;
};

void run_program(const Book& book, const NetProgram& program,
                 const RunRequest& request, RunOutcome& outcome) {
  FileTable files;
  Run run(book, program, request, files);
  std::unique_ptr<NetReducer> reducer;
  if (request.plain) reducer = std::make_unique<PlainRun>(run);
  else reducer = std::make_unique<NetReducer>(run);
  MainLoop(book, program, request, run.strings, files, *reducer).run(outcome);
  run.finish();
  reducer->add_counts(outcome.stats);
  add_heaps(run, outcome.stats);
}

}  // namespace

RunOutcome run_net(const Book& book, const RunRequest& original) {
  RunOutcome outcome;
  auto begin = std::chrono::steady_clock::now();
  try {
    RunRequest request = original;
    request.limits.workers = std::clamp(request.limits.workers, 1u, 256u);
    NetProgram program = compile_book(book);
    if (program.problem.empty()) {
      run_program(book, program, request, outcome);
    } else {
      outcome.trap = make_trap(TrapKind::kMemory,
                               "too large for the net engine: " +
                                   program.problem);
    }
  } catch (const std::bad_alloc&) {
    outcome.trap = system_memory_trap();
  } catch (const std::length_error&) {
    outcome.trap = system_memory_trap();
  }
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  outcome.stats.seconds = time.count();
  return outcome;
}

}  // namespace tine
