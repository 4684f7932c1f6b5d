// The deque of published calls and the sleep of idle workers.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "runtime/sched/deque.h"
#include "runtime/sched/pool.h"

namespace tine {

TEST_CASE("deque: the owner takes the newest, thieves the oldest") {
  Deque<int> deque;
  for (int i = 0; i < 5; ++i) deque.push(i);
  int item = -1;
  std::size_t left = 0;
  REQUIRE(deque.steal_oldest(item, left));
  CHECK(left == 4);
  CHECK(item == 0);
  REQUIRE(deque.pop_newest(item));
  CHECK(item == 4);
  CHECK(deque.size() == 3);
}

TEST_CASE("deque: grows in the middle of its ring") {
  Deque<int> deque;
  int item = -1;
  std::size_t left = 0;
  for (int i = 0; i < 10; ++i) deque.push(i);
  for (int i = 0; i < 8; ++i) REQUIRE(deque.steal_oldest(item, left));
  for (int i = 10; i < 60; ++i) deque.push(i);
  for (int i = 8; i < 60; ++i) {
    REQUIRE(deque.steal_oldest(item, left));
    CHECK(item == i);
  }
  CHECK_FALSE(deque.steal_oldest(item, left));
  CHECK_FALSE(deque.pop_newest(item));
}

TEST_CASE("deque: every item goes to exactly one taker") {
  constexpr int kItems = 20'000;
  Deque<int> deque;
  std::vector<std::atomic<int>> seen(kItems);
  std::atomic<bool> done{false};
  auto thief = [&] {
    int item;
    std::size_t left;
    while (!done.load() || deque.size() > 0) {
      if (deque.steal_oldest(item, left)) ++seen[item];
    }
  };
  std::thread one(thief), two(thief);
  int item;
  for (int i = 0; i < kItems; ++i) {
    deque.push(i);
    if (i % 3 == 0 && deque.pop_newest(item)) ++seen[item];
  }
  done = true;
  one.join();
  two.join();
  int once = 0;
  for (auto& count : seen) once += count == 1;
  CHECK(once == kItems);
}

TEST_CASE("pool: no published work is slept over") {
  Pool pool;
  Deque<int> deque;
  std::atomic<int> taken{0};
  std::atomic<bool> stop{false};
  auto body = [&](unsigned) {
    int item;
    std::size_t left;
    while (pool.look([&] { return stop.load(); },
                     [&] { return deque.steal_oldest(item, left); }, [] {})) {
      ++taken;
    }
  };
  REQUIRE(pool.start(4, body) == 4);
  for (int round = 0; round < 2'000; ++round) {
    deque.push(round);
    if (pool.idle() > 0) pool.wake_one();
    while (taken.load() != round + 1) std::this_thread::yield();
  }
  stop = true;
  pool.wake_all();
  pool.join();
  CHECK(taken == 2'000);
}

}  // namespace tine
