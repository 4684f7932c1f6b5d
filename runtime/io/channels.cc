#include "runtime/io/channels.h"

namespace tine {
namespace {

constexpr std::uint32_t kIndexMask = (1u << kChanIndexBits) - 1;

}  // namespace

Word Channels::make(std::uint32_t room) {
  std::uint32_t index;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(channels_.size());
    if (index > kIndexMask) return 0;
    channels_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Channel& made = channels_[index];
  made.room = room;
  made.closed = false;
  return make_chan(index, made.generation);
}

Channel* Channels::find(Word word) {
  auto index = static_cast<std::uint32_t>(word) & kIndexMask;
  if (tag_of(word) != Tag::kChan || index >= channels_.size()) return nullptr;
  Channel& channel = channels_[index];
  return make_chan(index, channel.generation) == word ? &channel : nullptr;
}

void Channels::tidy(Word word) {
  Channel* channel = find(word);
  if (!channel || !channel->closed || !channel->values.empty()) return;
  ++channel->generation;
  free_.push_back(static_cast<std::uint32_t>(word) & kIndexMask);
}

}  // namespace tine
