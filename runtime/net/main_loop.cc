#include "runtime/net/main_loop.h"

#include <algorithm>
#include <cstring>

#include "runtime/io/loop.h"
#include "runtime/net/readback.h"
#include "runtime/net/traps.h"

namespace tine {
namespace {

constexpr int kMostCode = 125;

}  // namespace

void MainLoop::run(RunOutcome& outcome) {
  if (book_.def(book_.main).params != (book_.main_is_io ? 1u : 0u)) {
    outcome.trap = make_trap(TrapKind::kNoArm, "main takes parameters");
    return;
  }
  if (book_.main_is_io) effectful(outcome);
  else pure(outcome);
}

bool MainLoop::trapped(RunOutcome& outcome) {
  const Trap& trap = reducer_.trapped();
  if (trap.kind == TrapKind::kNone) return false;
  outcome.trap = trap;
  if (outcome.trap.def.empty()) {
    outcome.trap.def = book_.def(book_.main).origin;
  }
  return true;
}

void MainLoop::pure(RunOutcome& outcome) {
  Word value = reducer_.main(0);
  if (trapped(outcome)) return;
  if (!print_value(book_, program_, reducer_.owner(), value, outcome.value)) {
    outcome.value.clear();
  } else {
    drop_word(heap_, value);
  }
  if (trapped(outcome)) outcome.value.clear();
}

void MainLoop::effectful(RunOutcome& outcome) {
  Word last = make_fun(static_cast<std::uint32_t>(book_.defs.size()));
  Word op = reducer_.main(last);
  if (trapped(outcome)) return flush(outcome);
  EventLoop loop(effects_, heap_, book_, program_, last,
                 [this](Word function, Word argument) {
                   return reducer_.apply(function, argument);
                 });
  Word halt = loop.run(op);
  if (effects_.stream_error() != 0) return stream_trap(outcome);
  if (!trapped(outcome)) {
    if (halt != 0) end(halt, outcome);
    if (loop.deadlock()) {
      outcome.trap = make_trap(TrapKind::kDeadlock,
                               "deadlock: every computation waits on a "
                               "channel");
    }
  }
  flush(outcome);
}

void MainLoop::flush(RunOutcome& outcome) {
  bool flushed = effects_.flush();
  if (!flushed && outcome.trap.kind == TrapKind::kNone) {
    stream_trap(outcome);
  }
}

// The `Halt` that ended the program.
void MainLoop::end(Word op, RunOutcome& outcome) {
  Word* fields = node_of(op)->fields();
  auto code = std::min<std::uint32_t>(low32(fields[0]), kMostCode);
  std::string text;
  read_string(strings_, fields[1], text);
  outcome.trap = make_trap(TrapKind::kDied, std::move(text));
  outcome.trap.status = static_cast<int>(code);
  outcome.trap.def = book_.def(book_.main).origin;
  drop_word(heap_, op);
}

void MainLoop::stream_trap(RunOutcome& outcome) {
  int error = effects_.stream_error();
  outcome.trap = make_trap(TrapKind::kStream,
                           std::string(effects_.stream()) +
                               " cannot be written: " + std::strerror(error));
  outcome.trap.def = book_.def(book_.main).origin;
}

}  // namespace tine
