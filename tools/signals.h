// Ctrl-C and SIGTERM. Only the command handles signals; the library is told
// through a flag.
#pragma once

#include <atomic>

namespace tine::tool {

// From now on either signal ends the process at once with status 130: right
// while compiling, when nothing is held.
void install_signal_handlers();
// From now on the first signal sets the flag that is returned, and only the
// second ends the process: right while a program runs.
const std::atomic<bool>& begin_interruptible();

// For the REPL: from now on SIGINT sets that flag and nothing else.
void interrupts_stop_evaluations_only();
bool interrupted();
// Waits until the file has something to read, or its end; false after an
// interrupt, also one that came before.
bool wait_for_input(int file);
void forget_interrupt();

}  // namespace tine::tool
