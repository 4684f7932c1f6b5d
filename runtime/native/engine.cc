#include "runtime/native/engine.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>
#include <system_error>

#include "runtime/native/hand.h"
#include "runtime/net/traps.h"

namespace tine {

RunOutcome run_native(const Book& book, const NetProgram& numbers,
                      const NativeProgram& program,
                      const RunRequest& original) {
  RunOutcome outcome;
  auto begin = std::chrono::steady_clock::now();
  try {
    RunRequest request = original;
    request.limits.workers = std::clamp(request.limits.workers, 1u, 256u);
    FileTable files;
    NativeRun run(book, numbers, program, request, files);
    MainLoop(book, numbers, request, run.strings, files, run).run(outcome);
    run.finish();
    run.add_stats(outcome.stats);
  } catch (const std::bad_alloc&) {
    outcome.trap = system_memory_trap();
  } catch (const std::length_error&) {
    outcome.trap = system_memory_trap();
  } catch (const std::system_error&) {  // no thread for the watcher
    outcome.trap = system_memory_trap();
  }
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  outcome.stats.seconds = time.count();
  return outcome;
}

}  // namespace tine
