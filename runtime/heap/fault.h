// Why a heap operation could not be done. The operation leaves the fault in
// its worker's heap and returns false or the zero word; the run ends then,
// so that nothing it holds need be put back.
#pragma once

#include <cstdint>

namespace tine {

enum class Fault : std::uint8_t {
  kNone,
  kNatRange,
  kArrayDepth,
  kHalves,
  kNoArm,
  kTakenTwice,
  kMemory,
  kStopped,  // the run ends for a reason that somebody else recorded
};

}  // namespace tine
