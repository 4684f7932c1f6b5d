// One run of a book's main, from call to result: compile, reduce, and for an
// IO main perform request after request.
#include "runtime/net/engine.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <new>
#include <stdexcept>

#include "runtime/io/effects.h"
#include "runtime/io/loop.h"
#include "runtime/net/compile.h"
#include "runtime/net/plain.h"
#include "runtime/net/readback.h"
#include "runtime/net/worker.h"

namespace tine {
namespace {

constexpr int kMostCode = 125;

Trap trap_of(TrapKind kind, int status, std::string text) {
  Trap trap;
  trap.kind = kind;
  trap.status = status;
  trap.text = std::move(text);
  return trap;
}

Trap no_memory() {
  return trap_of(TrapKind::kMemory, 71,
                 "out of memory: the system gave no more");
}

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
  std::map<std::string, DefCount> defs;
  auto of = [&](DefId def) -> DefCount& {
    return defs[book.def(def).origin];
  };
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const BlockCount& block = program.blocks[i];
    if (hits[i] == 0 || block.def == DefId::kNone) continue;
    if (block.prims > 0) of(block.def).prims += hits[i] * block.prims;
    for (DefId def : block.calls) of(def).calls += hits[i];
    stats.takes += hits[i] * block.takes;
    stats.makes += hits[i] * block.makes;
    stats.forks += hits[i] * block.forks;
  }
  for (const auto& worker : run.workers) {
    for (std::size_t i = 0; i < book.defs.size(); ++i) {
      if (worker->applied[i] == 0) continue;
      of(static_cast<DefId>(i)).calls += worker->applied[i];
    }
  }
  for (auto& [name, count] : defs) {
    count.def = name;
    stats.calls += count.calls;
    stats.prims += count.prims;
    stats.defs.push_back(std::move(count));
  }
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

// ---- mains ------------------------------------------------------------------

class Session {
 public:
  Session(const Book& book, const NetProgram& program, const RunRequest& request)
      : book_(book),
        program_(program),
        request_(request),
        run_(book, program, request, files_),
        heap_(run_.workers[0]->heap),
        effects_(book, program, request, run_.strings, files_) {
    if (request.plain) plain_ = std::make_unique<PlainReducer>(run_);
  }

  void main(RunOutcome& outcome) {
    const CodeDef& def = program_.defs[index(book_.main)];
    if (def.params != (book_.main_is_io ? 1u : 0u)) {
      outcome.trap = trap_of(TrapKind::kNoArm, 70, "main takes parameters");
      return;
    }
    if (book_.main_is_io) {
      effectful(def.code, outcome);
    } else {
      pure(def.code, outcome);
    }
    run_.finish();
    if (plain_) {
      plain_->add_counts(outcome.stats);
    } else {
      add_defs(book_, program_, run_, outcome.stats);
    }
    add_heaps(run_, outcome.stats);
  }

 private:
  bool trapped(RunOutcome& outcome) {
    if (heap_.fault() != Fault::kNone) {
      run_.trap_fault(*run_.workers[0]);
    }
    if (run_.trapped().kind == TrapKind::kNone) return false;
    outcome.trap = run_.trapped();
    if (outcome.trap.def.empty()) {
      outcome.trap.def = book_.def(book_.main).origin;
    }
    return true;
  }

  void pure(const Cell* code, RunOutcome& outcome) {
    Word value = plain_ ? plain_->call(book_.main, {}) : run_.enter(code);
    if (trapped(outcome)) return;
    if (!print_value(book_, program_, *run_.workers[0], value,
                     outcome.value)) {
      outcome.value.clear();
    } else {
      drop_word(heap_, value);
    }
    if (trapped(outcome)) outcome.value.clear();
  }

  void effectful(const Cell* code, RunOutcome& outcome) {
    Word last = make_fun(static_cast<std::uint32_t>(book_.defs.size()));
    Word op = plain_ ? plain_->call(book_.main, {last})
                     : run_.enter(code, last);
    if (trapped(outcome)) return flush(outcome);
    EventLoop loop(effects_, heap_, book_, program_, last,
                   [this](Word function, Word argument) {
                     return apply(function, argument);
                   });
    Word halt = loop.run(op);
    if (effects_.stream_error() != 0) return stream_trap(outcome);
    if (!trapped(outcome)) {
      if (halt != 0) end(halt, outcome);
      if (loop.deadlock()) {
        outcome.trap = trap_of(TrapKind::kDeadlock, 70,
                               "deadlock: every computation waits on a "
                               "channel");
      }
    }
    flush(outcome);
  }

  void flush(RunOutcome& outcome) {
    bool flushed = effects_.flush();
    if (!flushed && outcome.trap.kind == TrapKind::kNone) {
      stream_trap(outcome);
    }
  }

  Word apply(Word function, Word argument) {
    if (plain_) return plain_->apply(function, argument);
    return run_.enter(program_.code.data() + program_.apply, function,
                      argument);
  }

  // The `Halt` that ended the program.
  void end(Word op, RunOutcome& outcome) {
    Word* fields = node_of(op)->fields();
    auto code = std::min<std::uint32_t>(low32(fields[0]), kMostCode);
    std::string text;
    read_string(run_.strings, fields[1], text);
    outcome.trap = trap_of(TrapKind::kDied, static_cast<int>(code),
                           std::move(text));
    outcome.trap.def = book_.def(book_.main).origin;
    drop_word(heap_, op);
  }

  void stream_trap(RunOutcome& outcome) {
    int error = effects_.stream_error();
    outcome.trap = trap_of(TrapKind::kStream, 70,
                           std::string(effects_.stream()) +
                               " cannot be written: " + std::strerror(error));
    outcome.trap.def = book_.def(book_.main).origin;
  }

  const Book& book_;
  const NetProgram& program_;
  const RunRequest& request_;
  FileTable files_;
  Run run_;
  LocalHeap& heap_;
  Effects effects_;
  std::unique_ptr<PlainReducer> plain_;
};

}  // namespace

RunOutcome run_net(const Book& book, const RunRequest& original) {
  RunOutcome outcome;
  auto begin = std::chrono::steady_clock::now();
  try {
    RunRequest request = original;
    request.limits.workers = std::clamp(request.limits.workers, 1u, 256u);
    NetProgram program = compile_book(book);
    if (program.problem.empty()) {
      Session(book, program, request).main(outcome);
    } else {
      outcome.trap = trap_of(TrapKind::kMemory, 71,
                             "too large for the net engine: " +
                                 program.problem);
    }
  } catch (const std::bad_alloc&) {
    outcome.trap = no_memory();
  } catch (const std::length_error&) {
    outcome.trap = no_memory();
  }
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  outcome.stats.seconds = time.count();
  return outcome;
}

}  // namespace tine
