#include "runtime/io/loop.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tine {
namespace {

// The longest sleep between two looks at the limits of the run.
constexpr std::chrono::milliseconds kSlice{20};
constexpr std::chrono::milliseconds kChildSlice{2};

}  // namespace

// ---- computations -----------------------------------------------------------

bool EventLoop::is_over(const ComputationPtr& computation) {
  for (const Computation* at = computation.get(); at; at = at->owner.get()) {
    if (at->over) return true;
  }
  return false;
}

bool EventLoop::is_late(const ComputationPtr& computation) const {
  if (!computation->owner) return false;
  LoopClock::time_point now = LoopClock::now();
  for (const Computation* at = computation.get(); at->owner;
       at = at->owner.get()) {
    if (now >= at->deadline) return true;
  }
  return false;
}

bool EventLoop::failed() {
  return heap_.fault() != Fault::kNone || effects_.stream_error() != 0;
}

void EventLoop::ready(Waiting who, Word answer) {
  who.value = answer;
  ready_.push_back(std::move(who));
}

void EventLoop::forget(Waiting& who) {
  drop_word(heap_, who.next);
  if (who.value != 0) drop_word(heap_, who.value);
}

Word EventLoop::some(Word value) {
  return effects_.make(heap_, book_.known.some, value);
}

// `Emit`: the value goes to who waits for it.
void EventLoop::end(const ComputationPtr& computation, Word op) {
  if (!computation->owner || is_over(computation)) {
    drop_word(heap_, op);
    return;
  }
  computation->over = true;
  Word value = 0;
  if (tag_of(op) != Tag::kNode || !take_fields(heap_, node_of(op), &value)) {
    return;
  }
  auto [first, last] = timers_.equal_range(computation->deadline);
  for (auto it = first; it != last; ++it) {
    if (it->second.limited != computation) continue;
    timers_.erase(it);
    break;
  }
  ready({computation->owner, std::exchange(computation->next, 0), 0},
        some(value));
}

// The time of a computation is over.
void EventLoop::give_up(const ComputationPtr& computation) {
  if (computation->over) return;
  computation->over = true;
  ready({computation->owner, std::exchange(computation->next, 0), 0},
        effects_.word(book_.known.none));
  forget_over();
}

// Takes out everything that belongs to a computation that is over.
void EventLoop::forget_over() {
  auto sweep = [this](std::deque<Waiting>& queue) {
    std::deque<Waiting> kept;
    for (Waiting& who : queue) {
      if (is_over(who.who)) forget(who);
      else kept.push_back(std::move(who));
    }
    queue.swap(kept);
  };
  sweep(ready_);
  for (Channel& channel : channels_.all()) {
    sweep(channel.senders);
    sweep(channel.receivers);
  }
  for (auto it = timers_.begin(); it != timers_.end();) {
    Timer& timer = it->second;
    bool gone = timer.limited ? is_over(timer.limited)
                              : is_over(timer.sleeper.who);
    if (gone && timer.limited && timer.limited->next != 0) {
      drop_word(heap_, std::exchange(timer.limited->next, 0));
    }
    if (gone && !timer.limited) forget(timer.sleeper);
    it = gone ? timers_.erase(it) : std::next(it);
  }
  std::erase_if(children_, [this](Child& child) {
    bool gone = is_over(child.who.who);
    if (gone) forget(child.who);
    return gone;
  });
}

// ---- the loop ---------------------------------------------------------------

Word EventLoop::run(Word op) {
  current_ = std::make_shared<Computation>();
  while (op != 0 && !failed()) {
    if (tag_of(op) == Tag::kRequest) {
      bool waits = false;
      op = step(op, waits);
      if (waits && !failed()) op = next_op();
      continue;
    }
    bool halts = tag_of(op) == Tag::kNode && book_.known.halt != CtorId::kNone &&
                 node_of(op)->id() == program_.id(book_.known.halt);
    if (halts) {
      clear();
      return op;
    }
    end(current_, op);
    op = failed() ? 0 : next_op();
  }
  if (!failed() && !cut_) clear();
  return 0;
}

// Performs a request and goes on with its answer.
Word EventLoop::step(Word op, bool& waits) {
  HeapNode* node = node_of(op);
  if (is_late(current_)) {
    drop_word(heap_, op);
    // The outermost whose time is over takes the others with it.
    ComputationPtr late;
    LoopClock::time_point now = LoopClock::now();
    for (ComputationPtr at = current_; at->owner; at = at->owner) {
      if (now >= at->deadline) late = at;
    }
    give_up(late);
    waits = true;
    return 0;
  }
  auto effect = static_cast<Effect>(node->id());
  std::vector<Word> args(node->fields(), node->fields() + node->size());
  free_node(heap_, node);
  Word next = args.back();
  Word answer = perform(effect, args.data(), next);
  if (failed()) return 0;
  waits = answer == 0;
  return waits ? 0 : go_on(next, answer);
}

Word EventLoop::go_on(Word next, Word answer) {
  Word op = apply_(next, answer);
  cut_ = op == 0;
  return op;
}

// What the next computation does first; 0 where none is left.
Word EventLoop::next_op() {
  while (!failed()) {
    fire_timers();
    if (!children_.empty()) pump_children();
    if (ready_.empty()) {
      if (!wait()) return 0;
      continue;
    }
    Waiting who = std::move(ready_.front());
    ready_.pop_front();
    if (is_over(who.who)) {
      forget(who);
      continue;
    }
    current_ = std::move(who.who);
    return go_on(who.next, who.value);
  }
  return 0;
}

void EventLoop::fire_timers() {
  if (timers_.empty()) return;
  LoopClock::time_point now = LoopClock::now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    Timer timer = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    if (timer.limited) give_up(timer.limited);
    else ready(std::move(timer.sleeper), effects_.word(book_.known.unit));
  }
}

bool EventLoop::waits_for_channels() {
  return std::any_of(channels_.all().begin(), channels_.all().end(),
                     [](const Channel& channel) {
                       return !channel.senders.empty() ||
                              !channel.receivers.empty();
                     });
}

// Waits for a clock or a program; false where there is neither.
bool EventLoop::wait() {
  if (timers_.empty() && children_.empty()) {
    deadlock_ = waits_for_channels();
    return false;
  }
  if (!effects_.flush()) return false;
  std::chrono::milliseconds slice = children_.empty() ? kSlice : kChildSlice;
  if (!timers_.empty()) {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(
        timers_.begin()->first - LoopClock::now());
    slice = std::clamp(left, std::chrono::milliseconds(0), slice);
  }
  std::vector<pollfd> wanted;
  for (const Child& child : children_) child.process->add_polls(wanted);
  ::poll(wanted.data(), wanted.size(), static_cast<int>(slice.count()));
  return !heap_.interrupted();
}

// Gives up all that still waits.
void EventLoop::clear() {
  for (Waiting& who : ready_) forget(who);
  ready_.clear();
  for (auto& [time, timer] : timers_) {
    if (!timer.limited) forget(timer.sleeper);
    else if (timer.limited->next != 0) drop_word(heap_, timer.limited->next);
  }
  timers_.clear();
  for (Channel& channel : channels_.all()) {
    for (Word value : channel.values) drop_word(heap_, value);
    for (Waiting& who : channel.senders) forget(who);
    for (Waiting& who : channel.receivers) forget(who);
  }
  for (Child& child : children_) forget(child.who);
  children_.clear();
}

// ---- its effects ------------------------------------------------------------

Word EventLoop::perform(Effect effect, Word* args, Word next) {
  switch (effect) {
    case Effect::kSpawn:
      ready({std::make_shared<Computation>(), args[0], 0}, last_);
      return effects_.word(book_.known.unit);
    case Effect::kWithin: return within(args, next);
    case Effect::kSleep: {
      auto until = LoopClock::now() + std::chrono::milliseconds(low32(args[0]));
      timers_.emplace(until, Timer{{current_, next, 0}, nullptr});
      return 0;
    }
    case Effect::kChanNew: {
      Word made = channels_.make(low32(args[0]));
      if (made == 0) heap_.fail(Fault::kMemory);
      return made;
    }
    case Effect::kChanSend: return send(args, next);
    case Effect::kChanRecv: return receive(args[0], next);
    case Effect::kChanClose: return close(args[0]);
    case Effect::kProcessRun: return start_process(args, next);
    default: return effects_.perform(heap_, effect, args);
  }
}

Word EventLoop::send(Word* args, Word next) {
  Channel* channel = channels_.find(args[0]);
  Word sent = effects_.word(book_.known.true_);
  if (!channel || channel->closed) {
    drop_word(heap_, args[1]);
    return effects_.word(book_.known.false_);
  }
  if (!channel->receivers.empty()) {
    Waiting who = std::move(channel->receivers.front());
    channel->receivers.pop_front();
    ready(std::move(who), some(args[1]));
    return sent;
  }
  if (channel->values.size() < channel->room) {
    channel->values.push_back(args[1]);
    return sent;
  }
  channel->senders.push_back({current_, next, args[1]});
  return 0;
}

Word EventLoop::receive(Word word, Word next) {
  Channel* channel = channels_.find(word);
  if (!channel) return effects_.word(book_.known.none);
  bool from_sender = channel->values.empty() && !channel->senders.empty();
  if (!channel->senders.empty()) {
    Waiting who = std::move(channel->senders.front());
    channel->senders.pop_front();
    channel->values.push_back(who.value);
    ready(std::move(who), effects_.word(book_.known.true_));
  }
  if (from_sender || !channel->values.empty()) {
    Word value = channel->values.front();
    channel->values.pop_front();
    channels_.tidy(word);
    return some(value);
  }
  channel->receivers.push_back({current_, next, 0});
  return 0;
}

Word EventLoop::close(Word word) {
  Channel* channel = channels_.find(word);
  if (channel && !channel->closed) {
    channel->closed = true;
    for (Waiting& who : channel->receivers) {
      ready(std::move(who), effects_.word(book_.known.none));
    }
    for (Waiting& who : channel->senders) {
      drop_word(heap_, std::exchange(who.value, 0));
      ready(std::move(who), effects_.word(book_.known.false_));
    }
    channel->receivers.clear();
    channel->senders.clear();
    channels_.tidy(word);
  }
  return effects_.word(book_.known.unit);
}

Word EventLoop::within(Word* args, Word next) {
  auto child = std::make_shared<Computation>();
  child->owner = current_;
  child->next = next;
  child->deadline =
      LoopClock::now() + std::chrono::milliseconds(low32(args[0]));
  timers_.emplace(child->deadline, Timer{{}, child});
  // Before everybody else, as its time runs; a time of 0 is over by then.
  ready_.push_front({child, args[1], last_});
  return 0;
}

Word EventLoop::start_process(Word* args, Word next) {
  Process::Plan plan;
  effects_.take_text(heap_, args[0], plan.program);
  effects_.take_texts(heap_, args[1], plan.args);
  effects_.take_text(heap_, args[2], plan.input);
  plan.most = low32(args[3]);
  plan.ms = low32(args[4]);
  auto process = std::make_unique<Process>();
  int error = EPERM;
  if (effects_.allowed()) {
    if (!effects_.flush()) return 0;
    error = process->start(plan);
  }
  if (error != 0) return effects_.failure(heap_, error);
  children_.push_back({{current_, next, 0}, std::move(process)});
  return 0;
}

void EventLoop::pump_children() {
  for (std::size_t i = 0; i < children_.size();) {
    if (!children_[i].process->pump()) {
      ++i;
      continue;
    }
    finish_child(children_[i]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void EventLoop::finish_child(Child& child) {
  const Process& process = *child.process;
  CtorId tuple = book_.known.tuple;
  Word answer;
  if (process.error() != 0) {
    answer = effects_.failure(heap_, process.error());
  } else {
    Word out = effects_.text(heap_, process.output());
    Word err = out == 0 ? 0 : effects_.text(heap_, process.errors());
    Word texts = err == 0 ? 0 : effects_.make(heap_, tuple, out, err);
    Word all = texts == 0 ? 0
                          : effects_.make(heap_, tuple,
                                          make_u32(process.status()), texts);
    answer = effects_.make(heap_, book_.known.done, all);
  }
  if (answer != 0) ready(std::move(child.who), answer);
}

}  // namespace tine
