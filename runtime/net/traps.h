// What a trap says, and with which status it ends the process.
#pragma once

#include <chrono>
#include <string>

#include "runtime/heap/fault.h"
#include "runtime/heap/region.h"
#include "runtime/net/engine.h"

namespace tine {

TrapKind trap_kind(Fault fault);
std::string fault_text(Fault fault, const Region& region);
std::string memory_text(const Region& region);
int trap_status(TrapKind kind);
Trap make_trap(TrapKind kind, std::string text);
Trap system_memory_trap();

std::chrono::steady_clock::time_point deadline_of(double seconds);
std::string deadline_text(double seconds);

}  // namespace tine
