#include "runtime/net/traps.h"

#include <cstdio>

namespace tine {

TrapKind trap_kind(Fault fault) {
  switch (fault) {
    case Fault::kNatRange: return TrapKind::kNatRange;
    case Fault::kArrayDepth: return TrapKind::kArrayDepth;
    case Fault::kHalves: return TrapKind::kHalves;
    case Fault::kNoArm: return TrapKind::kNoArm;
    case Fault::kTakenTwice: return TrapKind::kTakenTwice;
    default: return TrapKind::kMemory;
  }
}

std::string memory_text(const Region& region) {
  std::string text = "out of memory: the run held " +
                     std::to_string(region.held());
  if (region.cap() != 0) text += " of " + std::to_string(region.cap());
  return text + " bytes";
}

std::string fault_text(Fault fault, const Region& region) {
  switch (fault) {
    case Fault::kNatRange:
      return "a Nat past the largest immediate 2^48-1";
    case Fault::kArrayDepth:
      return "an array past the deepest block class 31";
    case Fault::kHalves: return "an array node of two unequal halves";
    case Fault::kNoArm: return "a match met a value that it has no arm for";
    case Fault::kTakenTwice:
      return "a value that has one owner was taken a second time";
    default: return memory_text(region);
  }
}

int trap_status(TrapKind kind) {
  if (kind == TrapKind::kMemory) return 71;
  if (kind == TrapKind::kInterrupted) return 130;
  return 70;
}

Trap make_trap(TrapKind kind, std::string text) {
  Trap trap;
  trap.kind = kind;
  trap.status = trap_status(kind);
  trap.text = std::move(text);
  return trap;
}

Trap system_memory_trap() {
  return make_trap(TrapKind::kMemory,
                   "out of memory: the system gave no more");
}

std::chrono::steady_clock::time_point deadline_of(double seconds) {
  auto now = std::chrono::steady_clock::now();
  // About thirty years; more would overflow the clock.
  if (!(seconds > 0) || seconds > 1e9) {
    return std::chrono::steady_clock::time_point::max();
  }
  return now + std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::duration<double>(seconds));
}

std::string deadline_text(double seconds) {
  char text[80];
  std::snprintf(text, sizeof text, "the deadline of %g seconds has passed",
                seconds);
  return text;
}

}  // namespace tine
