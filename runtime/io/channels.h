// Channels: queues between the computations of a run.
//
// A program holds a word with an index and a generation. A channel that is
// closed and empty is forgotten, and its place is used again under the next
// generation: words of older ones behave as what they are, closed and empty.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/heap/term.h"

namespace tine {

struct Computation;
using ComputationPtr = std::shared_ptr<Computation>;

// A computation that goes on with `next` once it has an answer.
struct Waiting {
  ComputationPtr who;
  Word next = 0;
  Word value = 0;  // of a sender
};

struct Channel {
  std::uint32_t generation = 0;
  std::uint32_t room = 0;
  bool closed = false;
  std::deque<Word> values;
  std::deque<Waiting> senders, receivers;
};

class Channels {
 public:
  Word make(std::uint32_t room);
  // Null for one that is closed and empty.
  Channel* find(Word channel);
  // Forgets a channel that is closed and empty.
  void tidy(Word channel);
  std::vector<Channel>& all() { return channels_; }

 private:
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> free_;
};

}  // namespace tine
