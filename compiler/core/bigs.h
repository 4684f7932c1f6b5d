// The store of large numbers of a Theory. Private to core.
#pragma once

#include <deque>

#include "compiler/core/bignat.h"

namespace tine::core {

struct Theory::Bigs {
  std::deque<BigBox> all;
};

}  // namespace tine::core
