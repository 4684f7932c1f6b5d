// The net engine's entry: one run of a book's main, from call to result.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

enum class TrapKind : std::uint8_t {
  kNone,
  kNatRange,     // a Nat past 2^48 - 1                                70
  kArrayDepth,   // an array deeper than 31                            70
  kHalves,       // ANode of arrays of unequal size                    70
  kNoArm,        // a match met a constructor it has no arm for        70
  kTakenTwice,   // a cell that is not Data taken through two handles  70
  kDeadline,     //                                                    70
  kDeadlock,     // every computation waits                            70
  kStream,       // a standard stream cannot be written                70
  kMemory,       //                                                    71
  kInterrupted,  //                                                   130
  kDied,         // IO.die: `status` is its code, `text` its text
};

struct Trap {
  TrapKind kind = TrapKind::kNone;
  std::string def;      // the definition it happened in (origin name)
  std::string text;     // one line for people
  int status = 0;       // process exit status
};

// Where effects go. Every function returns 0 or an errno.
class Host {
 public:
  virtual ~Host() = default;
  virtual int write_out(std::string_view bytes) = 0;  // buffered
  virtual int write_err(std::string_view bytes) = 0;  // flushes out first
  virtual int flush() = 0;
  virtual bool allow_effects() const { return true; } // files
};

struct Limits {
  unsigned workers = 1;                 // 1 .. 256
  std::size_t memory = 0;               // bytes; 0 = no cap
  double deadline = 0;                  // seconds of wall time; 0 = none
  const std::atomic<bool>* stop = nullptr;  // set by a signal or the host
};

struct DefCount {
  std::string def;                      // origin
  std::uint64_t calls = 0;
  std::uint64_t prims = 0;
};

struct RunStats {
  std::vector<DefCount> defs;           // sorted by name, zero rows left out
  std::uint64_t calls = 0, prims = 0, takes = 0, makes = 0;
  std::uint64_t copies = 0, drops = 0;  // of boxed values
  std::uint64_t steals = 0, forks = 0;
  std::uint64_t nodes_made = 0, nodes_freed = 0;
  std::uint64_t blocks_made = 0, blocks_freed = 0;
  std::uint64_t frames_made = 0, frames_freed = 0;
  std::size_t peak_bytes = 0;
  double seconds = 0;
  unsigned workers = 0;
};

struct RunRequest {
  Limits limits;
  Host* host = nullptr;                 // needed when main_is_io
  std::vector<std::string> args;        // IO.args
  bool verify = false;                  // heavy internal checks
  bool plain = false;                   // the reference reducer, one worker
};

struct RunOutcome {
  Trap trap;                            // kNone: it ended well
  std::string value;                    // pure main: text of language.md 4.8
  RunStats stats;
};

// Runs book.main. The book must have passed the verifier. Never throws,
// never exits; everything the run allocated is gone when it returns.
RunOutcome run_net(const Book& book, const RunRequest& request);

}  // namespace tine
