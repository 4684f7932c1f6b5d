// Nodes, drops, arrays and their views, below any engine.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "runtime/heap/array.h"
#include "runtime/heap/node.h"

namespace tine {
namespace {

struct Heap {
  explicit Heap(std::size_t cap = 0) : region(cap), heap(region, owner, true) {}
  bool balanced() const {
    const HeapCounts& c = heap.counts;
    return c.nodes_made == c.nodes_freed && c.blocks_made == c.blocks_freed;
  }
  HeapOwner owner;
  Region region;
  LocalHeap heap;
};

Word pair(LocalHeap& heap, Word a, Word b) {
  HeapNode* node = new_node(heap, 5, 2);
  if (!node) FAIL("no memory");
  node->fields()[0] = a;
  node->fields()[1] = b;
  return node_word(Tag::kNode, node);
}

Word list_of(LocalHeap& heap, unsigned n) {
  Word list = make_ctor(4);
  for (unsigned i = 0; i < n; ++i) list = pair(heap, make_u32(i), list);
  return list;
}

std::uint32_t at(LocalHeap& heap, Word array, std::uint32_t index) {
  Word value = 0;
  REQUIRE(array_get(heap, array, index, value));
  return low32(value);
}

}  // namespace

TEST_CASE("heap: words keep tag and payload") {
  CHECK(make_nat(7) == 0xA000'0000'0000'0007u);
  CHECK(tag_of(make_u32(0xFFFFFFFFu)) == Tag::kU32);
  CHECK(low32(make_u32(0xFFFFFFFFu)) == 0xFFFFFFFFu);
  CHECK(nat_of(make_nat(kMaxNat)) == kMaxNat);
  CHECK(is_owned(make_file(3)));
  CHECK_FALSE(is_owned(make_fun(3)));
  CHECK_FALSE(is_owned(kTakenWord));
}

TEST_CASE("heap: a freed node is the next of its size") {
  Heap h;
  Word a = pair(h.heap, make_u32(1), make_u32(2));
  drop_word(h.heap, a);
  Word b = pair(h.heap, make_u32(3), make_u32(4));
  CHECK(a == b);
  drop_word(h.heap, b);
  CHECK(h.balanced());
}

TEST_CASE("heap: drops of long lists and deep trees need no stack") {
  Heap h;
  drop_word(h.heap, list_of(h.heap, 1'000'000));
  CHECK(h.balanced());
  Word left = make_ctor(0);
  for (int i = 0; i < 1'000'000; ++i) {
    left = pair(h.heap, left, pair(h.heap, make_u32(1), make_u32(2)));
  }
  drop_word(h.heap, left);
  CHECK(h.balanced());
  Word zigzag = make_ctor(0);
  for (int i = 0; i < 100'000; ++i) {
    Word other = list_of(h.heap, 2);
    zigzag = i % 2 ? pair(h.heap, zigzag, other)
                   : pair(h.heap, other, zigzag);
  }
  drop_word(h.heap, zigzag);
  CHECK(h.balanced());
}

TEST_CASE("heap: shared nodes are freed by the last owner") {
  Heap h;
  Word list = list_of(h.heap, 3);
  REQUIRE(copy_word(h.heap, list));
  Word out[2];
  REQUIRE(take_fields(h.heap, node_of(list), out));
  CHECK(low32(out[0]) == 2);
  drop_word(h.heap, out[1]);
  CHECK(h.heap.counts.nodes_freed == 0);
  drop_word(h.heap, list);
  CHECK(h.balanced());
  CHECK(h.heap.counts.nodes_freed == 3);
}

TEST_CASE("heap: arrays and closures have one owner") {
  Heap h;
  Word array = array_new(h.heap, 0, CellKind::kU32, make_u32(1));
  CHECK_FALSE(copy_word(h.heap, array));
  CHECK(h.heap.fault() == Fault::kTakenTwice);
}

TEST_CASE("heap: reads, writes and wrapping at depths") {
  for (unsigned depth : {0u, 1u, 5u, 20u}) {
    Heap h;
    Word a = array_new(h.heap, depth, CellKind::kU32, make_u32(9));
    REQUIRE(a);
    std::uint32_t size = 1u << depth;
    CHECK(array_size(a) == size);
    CHECK(reinterpret_cast<std::uintptr_t>(view_of(a)->cells) % 64 == 0);
    CHECK(at(h.heap, a, size - 1) == 9);
    REQUIRE(array_set(h.heap, a, size, make_u32(7)));
    CHECK(at(h.heap, a, 0) == 7);
    Word old;
    REQUIRE(array_swap(h.heap, a, 2 * size - 1, make_u32(8), old));
    CHECK(low32(old) == (depth == 0 ? 7 : 9));
    Word b = array_clone(h.heap, a);
    REQUIRE(array_set(h.heap, b, 0, make_u32(1)));
    CHECK(at(h.heap, a, size - 1) == 8);
    drop_word(h.heap, a);
    drop_word(h.heap, b);
    CHECK(h.balanced());
  }
}

TEST_CASE("heap: views split and merge in place") {
  Heap h;
  Word a = array_new(h.heap, 4, CellKind::kU32, make_u32(0));
  for (std::uint32_t i = 0; i < 16; ++i) array_set(h.heap, a, i, make_u32(i));
  std::byte* cells = view_of(a)->cells;
  Word low, high, l, r;
  REQUIRE(array_split(h.heap, a, low, high));
  CHECK(at(h.heap, high, 0) == 8);
  REQUIRE(array_split(h.heap, high, l, r));
  CHECK(at(h.heap, r, 3) == 15);
  high = array_node(h.heap, l, r);
  Word whole = array_node(h.heap, low, high);
  CHECK(view_of(whole)->cells == cells);
  CHECK(h.heap.counts.blocks_made == 1);
  CHECK(at(h.heap, whole, 15) == 15);
  drop_word(h.heap, whole);
  CHECK(h.balanced());
}

TEST_CASE("heap: halves in the wrong order are copied") {
  Heap h;
  Word a = array_new(h.heap, 1, CellKind::kU32, make_u32(1));
  array_set(h.heap, a, 1, make_u32(2));
  Word low, high;
  REQUIRE(array_split(h.heap, a, low, high));
  Word swapped = array_node(h.heap, high, low);
  CHECK(at(h.heap, swapped, 0) == 2);
  CHECK(at(h.heap, swapped, 1) == 1);
  CHECK(h.heap.counts.blocks_made == 2);
  CHECK(h.heap.counts.blocks_freed == 1);
  drop_word(h.heap, swapped);
  CHECK(h.balanced());
}

TEST_CASE("heap: inner quarters are not the halves of one view") {
  Heap h;
  Word a = array_new(h.heap, 2, CellKind::kU32, make_u32(3));
  Word low, high, q0, q1, q2, q3;
  REQUIRE(array_split(h.heap, a, low, high));
  REQUIRE(array_split(h.heap, low, q0, q1));
  REQUIRE(array_split(h.heap, high, q2, q3));
  Word middle = array_node(h.heap, q1, q2);
  CHECK(h.heap.counts.blocks_made == 2);
  drop_word(h.heap, q0);
  drop_word(h.heap, q3);
  CHECK(h.heap.counts.blocks_freed == 1);
  drop_word(h.heap, middle);
  CHECK(h.balanced());
}

TEST_CASE("heap: a chain of 2^20 forks borrows weight") {
  Heap h;
  Word a = array_new(h.heap, 0, CellKind::kU32, make_u32(5));
  std::vector<Word> handles;
  for (int i = 0; i < 1 << 20; ++i) {
    Word b;
    array_fork(h.heap, a, b);
    if (weight_of(a) == 0 || weight_of(b) == 0) FAIL("a handle of no weight");
    handles.push_back(b);
  }
  CHECK_FALSE(sole_owner(a));
  for (std::size_t i = 0; i < handles.size(); ++i) {
    if (i % 2) drop_word(h.heap, handles[i]);
    else a = array_join(h.heap, a, handles[i]);
  }
  CHECK(sole_owner(a));
  CHECK(at(h.heap, a, 0) == 5);
  drop_word(h.heap, a);
  CHECK(h.balanced());
}

TEST_CASE("heap: a fork within a view makes no false sole owner") {
  Heap h;
  Word a = array_new(h.heap, 1, CellKind::kU32, make_u32(0));
  Word low, high, other;
  REQUIRE(array_split(h.heap, a, low, high));
  REQUIRE(array_fork(h.heap, low, other));
  CHECK_FALSE(sole_owner(low));
  CHECK(sole_owner(high));
  Word copy = array_node(h.heap, low, high);  // must not merge in place
  CHECK(array_set(h.heap, other, 0, make_u32(4)));
  CHECK(at(h.heap, copy, 0) == 0);
  drop_word(h.heap, copy);
  drop_word(h.heap, other);
  CHECK(h.balanced());
}

TEST_CASE("heap: a match on a forked handle copies Data and traps on the rest") {
  Heap h;
  Word a = array_new(h.heap, 2, CellKind::kWord, list_of(h.heap, 2));
  Word b, low, high;
  REQUIRE(array_fork(h.heap, a, b));
  REQUIRE(array_split(h.heap, a, low, high));
  CHECK(h.heap.counts.blocks_made == 3);
  for (Word w : {b, low, high}) drop_word(h.heap, w);
  CHECK(h.balanced());

  Word inner = array_new(h.heap, 0, CellKind::kU32, make_u32(1));
  Word outer = array_leaf(h.heap, CellKind::kWord, inner);
  Word second, first, value;
  first = outer;
  REQUIRE(array_fork(h.heap, first, second));
  REQUIRE(array_take_leaf(h.heap, first, value));
  CHECK(value == inner);
  CHECK_FALSE(array_take_leaf(h.heap, second, value));
  CHECK(h.heap.fault() == Fault::kTakenTwice);
}

TEST_CASE("heap: arrays of arrays move by swap and die with their owner") {
  Heap h;
  Word outer = array_leaf(h.heap, CellKind::kWord,
                          array_new(h.heap, 3, CellKind::kU32, make_u32(1)));
  Word old;
  REQUIRE(array_swap(h.heap, outer, 0,
                     array_new(h.heap, 2, CellKind::kU32, make_u32(2)), old));
  CHECK(array_size(old) == 8);
  drop_word(h.heap, old);
  drop_word(h.heap, outer);
  CHECK(h.balanced());
}

TEST_CASE("heap: unequal halves and depths past 31 are faults") {
  Heap h;
  Word a = array_new(h.heap, 1, CellKind::kU32, make_u32(0));
  Word b = array_new(h.heap, 2, CellKind::kU32, make_u32(0));
  CHECK(array_node(h.heap, a, b) == 0);
  CHECK(h.heap.fault() == Fault::kHalves);
  Heap h2;
  CHECK(array_new(h2.heap, 32, CellKind::kU32, make_u32(0)) == 0);
  CHECK(h2.heap.fault() == Fault::kArrayDepth);
}

TEST_CASE("heap: the cap holds before memory is touched") {
  Heap h(8 << 20);
  CHECK(array_new(h.heap, 31, CellKind::kWord, make_nat(0)) == 0);
  CHECK(h.heap.fault() == Fault::kMemory);
  CHECK(h.region.held() <= std::size_t{8} << 20);
  Heap n(1 << 20);
  Word list = make_ctor(4);
  while (HeapNode* node = new_node(n.heap, 5, 2)) {
    node->fields()[0] = make_u32(0);
    node->fields()[1] = list;
    list = node_word(Tag::kNode, node);
  }
  CHECK(n.heap.fault() == Fault::kMemory);
  CHECK(n.region.peak() <= std::size_t{1} << 20);
  CHECK(n.heap.counts.nodes_made > 30'000);
}

TEST_CASE("heap: atomics give the old value") {
  Heap h;
  Word a = array_new(h.heap, 1, CellKind::kU32, make_u32(10));
  auto run = [&](AtomicOp op, std::uint32_t x, std::uint32_t y = 0) {
    Word old;
    REQUIRE(array_atomic(h.heap, op, a, 3, x, y, old));
    return std::pair(low32(old), at(h.heap, a, 1));
  };
  CHECK(run(AtomicOp::kAdd, 0xFFFFFFFF) == std::pair(10u, 9u));
  CHECK(run(AtomicOp::kMin, 4) == std::pair(9u, 4u));
  CHECK(run(AtomicOp::kMax, 12) == std::pair(4u, 12u));
  CHECK(run(AtomicOp::kAnd, 6) == std::pair(12u, 4u));
  CHECK(run(AtomicOp::kOr, 3) == std::pair(4u, 7u));
  CHECK(run(AtomicOp::kXor, 1) == std::pair(7u, 6u));
  CHECK(run(AtomicOp::kExch, 20) == std::pair(6u, 20u));
  CHECK(run(AtomicOp::kCas, 5, 1) == std::pair(20u, 20u));
  CHECK(run(AtomicOp::kCas, 20, 1) == std::pair(20u, 1u));
  drop_word(h.heap, a);
  CHECK(h.balanced());
}

TEST_CASE("heap: two handles race on a cell of lists without breaking") {
  HeapOwner owner;
  Region region(0);
  LocalHeap left(region, owner, true), right(region, owner, true);
  Word a = array_new(left, 1, CellKind::kWord, list_of(left, 3));
  Word b;
  REQUIRE(array_fork(left, a, b));
  auto work = [](LocalHeap& heap, Word array) {
    for (unsigned i = 0; i < 5'000; ++i) {
      Word value;
      if (i % 3 == 0) {
        array_set(heap, array, i, list_of(heap, 2));
      } else if (array_get(heap, array, i, value)) {
        drop_word(heap, value);
      }
    }
  };
  std::thread other([&] { work(right, b); });
  work(left, a);
  other.join();
  drop_word(left, array_join(left, a, b));
  CHECK(left.counts.nodes_made + right.counts.nodes_made ==
        left.counts.nodes_freed + right.counts.nodes_freed);
  CHECK(left.fault() == Fault::kNone);
}

TEST_CASE("heap: two workers take one shared list apart at once") {
  HeapOwner owner;
  Region region(0);
  LocalHeap left(region, owner, true), right(region, owner, true);
  auto take_apart = [](LocalHeap& heap, Word list) {
    while (tag_of(list) == Tag::kNode) {
      Word fields[2];
      take_fields(heap, node_of(list), fields);
      list = fields[1];
    }
  };
  for (int round = 0; round < 200; ++round) {
    Word list = list_of(left, 500);
    copy_word(left, list);
    std::thread other([&] { take_apart(right, list); });
    take_apart(left, list);
    other.join();
  }
  CHECK(left.counts.nodes_made ==
        left.counts.nodes_freed + right.counts.nodes_freed);
}

TEST_CASE("heap: freed nodes flow between workers") {
  HeapOwner owner;
  Region region(0);
  LocalHeap maker(region, owner, true), freer(region, owner, true);
  for (int round = 0; round < 200; ++round) {
    drop_word(freer, list_of(maker, 10'000));
  }
  CHECK(region.peak() < std::size_t{4} << 20);
}

}  // namespace tine
