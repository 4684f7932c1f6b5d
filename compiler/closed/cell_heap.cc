#include "compiler/closed/cell_heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace tine::closed {

namespace {
constexpr std::size_t kLeastOld = std::size_t{1} << 21;  // cells
}  // namespace

CellSpace::CellSpace(std::size_t cells) {
  void* memory = mmap(nullptr, cells * sizeof(Cell), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  begin_ = static_cast<Cell*>(memory);
  cells_ = cells;
}

CellSpace::~CellSpace() {
  if (begin_) munmap(begin_, bytes());
}

void CellSpace::swap(CellSpace& other) {
  std::swap(begin_, other.begin_);
  std::swap(cells_, other.cells_);
}

CellHeap::CellHeap(std::size_t limit)
    : limit_(limit / sizeof(Cell) / 2), young_(3 * kNursery), old_(kLeastOld) {
  next_ = young_.begin();
  end_ = next_ + kNursery;
  kept_ = end_;
  kept_next_ = kept_ + kNursery;
  top_ = old_.begin();
  full_ = old_.end();
}

Cell* CellHeap::make_static(std::size_t cells) {
  return statics_.emplace_back(cells).data();
}

void CellHeap::note(Cell* place) { noted_.push_back(place); }

std::size_t CellHeap::bytes() const {
  return static_cast<std::size_t>(top_ - old_.begin()) * sizeof(Cell) +
         young_.bytes();
}

bool CellHeap::begin() {
  // Everything young might live and be moved to the old space.
  whole_ = static_cast<std::size_t>(full_ - top_) < 2 * kNursery;
  if (whole_) {
    auto used = static_cast<std::size_t>(top_ - old_.begin());
    // Room for all of it, whatever of it lives, and for twice as much again.
    CellSpace next(std::max(2 * kLeastOld, 3 * (used + 2 * kNursery)));
    if (!next.begin()) return false;
    from_ = std::move(old_);
    old_ = std::move(next);
    top_ = old_.begin();
  }
  scan_ = top_;
  kept_top_ = kept_scan_ = kept_next_;
  std::vector<Cell*> noted;
  noted.swap(noted_);
  if (whole_) {
    for (std::vector<Cell>& object : statics_)
      for (Cell& cell : object) visit(cell);
    return true;
  }
  for (Cell* place : noted) {
    visit(*place);
    if (young(*place)) noted_.push_back(place);
  }
  return true;
}

// What was kept before, and everything in a collection of the whole, becomes
// old. The payload of a thunk at work stays behind: the frame has what of it
// is still needed.
Cell* CellHeap::copy(Cell* object) {
  Cell head = object[0];
  std::size_t size = size_of(head);
  bool busy = shape_of(head) == CellShape::kBusy;
  if (busy) size = 1;
  Cell*& top = !whole_ && fresh(cell_of(object)) ? kept_top_ : top_;
  Cell* to = top;
  top += size + 1;
  to[0] = busy ? header(CellShape::kBusy, 1) : head;
  if (busy) {
    to[1] = kOpaque;
  } else {
    for (std::size_t i = 1; i <= size; ++i) to[i] = object[i];
  }
  object[0] = cell_of(to);
  return to;
}

void CellHeap::visit(Cell& cell) {
  Cell at = cell;
  while (is_address(at) && moves(at)) {
    Cell* object = object_of(at);
    if (is_address(object[0])) {  // has moved
      at = object[0];
      break;
    }
    if (shape_of(object[0]) != CellShape::kLink) {
      at = cell_of(copy(object));
      break;
    }
    at = object[1];
  }
  cell = at;
}

void CellHeap::scan_kept() {
  while (kept_scan_ < kept_top_) {
    std::size_t size = size_of(*kept_scan_++);
    for (Cell* end = kept_scan_ + size; kept_scan_ < end; ++kept_scan_)
      visit(*kept_scan_);
  }
}

void CellHeap::scan_old() {
  while (scan_ < top_) {
    std::size_t size = size_of(*scan_++);
    for (Cell* end = scan_ + size; scan_ < end; ++scan_) {
      visit(*scan_);
      if (is_address(*scan_) && young(*scan_)) noted_.push_back(scan_);
    }
  }
}

bool CellHeap::finish() {
  while (kept_scan_ < kept_top_ || scan_ < top_) {
    scan_kept();
    scan_old();
  }
  next_ = young_.begin();
  std::swap(kept_, kept_next_);
  if (!whole_) return true;
  whole_ = false;
  from_ = CellSpace();
  // The space was mapped for all that might live; it is full when there is
  // twice as much as what does.
  auto live = static_cast<std::size_t>(top_ - old_.begin());
  std::size_t most = std::min(std::max(kLeastOld, 3 * live), limit_);
  full_ = std::min(old_.end(), old_.begin() + most);
  return live + 2 * kNursery <= most;
}

}  // namespace tine::closed
