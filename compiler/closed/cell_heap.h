// The heap of the machine for closed programs.
//
// Two generations. Objects are made in a nursery; what lives when it is full
// is kept beside it once, and moves to the old space the next time. (A list
// that is made and read at the same time hangs from the thunk where it goes
// on. Were that thunk old at once, so would be everything read since, which
// hangs from it too.) The old space is copied when it is full. Where an old
// object points to a young one is noted: after the update of a thunk, the
// only write there is, and when an object moves. The machine visits its roots
// between `begin` and `finish`.
#pragma once

#include <vector>

#include "compiler/closed/cell.h"

namespace tine::closed {

// Mapped memory that the system fills when it is touched.
class CellSpace {
 public:
  CellSpace() = default;
  explicit CellSpace(std::size_t cells);
  ~CellSpace();
  CellSpace(CellSpace&& other) noexcept { swap(other); }
  CellSpace& operator=(CellSpace&& other) noexcept {
    swap(other);
    return *this;
  }
  Cell* begin() const { return begin_; }  // null when there is no memory
  Cell* end() const { return begin_ + cells_; }
  std::size_t bytes() const { return cells_ * sizeof(Cell); }

 private:
  void swap(CellSpace& other);
  Cell* begin_ = nullptr;
  std::size_t cells_ = 0;
};

class CellHeap {
 public:
  explicit CellHeap(std::size_t limit);  // bytes

  bool good() const { return young_.begin() && old_.begin(); }
  // An object of `cells` words, its header included; null when the nursery
  // is full.
  Cell* make(std::size_t cells) {
    if (static_cast<std::size_t>(end_ - next_) < cells) return nullptr;
    Cell* object = next_;
    next_ += cells;
    return object;
  }
  // An object that never moves; its payload is a root.
  Cell* make_static(std::size_t cells);
  // Makes a thunk, wherever it is, a link to its value.
  void update(Cell* thunk, Cell value) {
    thunk[0] = header(CellShape::kLink, size_of(thunk[0]));
    thunk[1] = value;
    if (!young(cell_of(thunk)) && young(value)) note(thunk + 1);
  }

  // A collection. `begin` is false when the system has no memory, the heap is
  // then as it was; `finish` when the memory that is allowed is used up.
  bool begin();
  bool whole() const { return whole_; }  // of the old space, too
  void visit(Cell& cell);
  bool finish();
  std::size_t bytes() const;  // in use

 private:
  bool young(Cell cell) const {
    return cell - cell_of(young_.begin()) < young_.bytes();
  }
  bool fresh(Cell cell) const { return cell - cell_of(young_.begin()) < kPart; }
  bool moves(Cell cell) const {
    return fresh(cell) || cell - cell_of(kept_) < kPart ||
           (whole_ && cell - cell_of(from_.begin()) < from_.bytes());
  }
  Cell* copy(Cell* object);
  void note(Cell* place);
  void scan_kept();
  void scan_old();

  static constexpr std::size_t kNursery = std::size_t{1} << 17;  // cells
  static constexpr std::size_t kPart = kNursery * sizeof(Cell);
  static_assert(kMaxSize < kNursery, "an object fits into the nursery");

  const std::size_t limit_;  // cells of the old space
  CellSpace young_;          // the nursery, and two parts for what is kept
  Cell* next_ = nullptr;
  Cell* end_ = nullptr;
  Cell* kept_ = nullptr;       // the part that is in use
  Cell* kept_next_ = nullptr;  // the part that is filled: its beginning,
  Cell* kept_top_ = nullptr;   // the next object,
  Cell* kept_scan_ = nullptr;  // and what was not looked at yet
  CellSpace old_;
  CellSpace from_;        // the old space that is being copied
  Cell* top_ = nullptr;   // of the old space: the next object,
  Cell* full_ = nullptr;  // where it counts as full,
  Cell* scan_ = nullptr;  // and what was not looked at yet
  bool whole_ = false;
  std::vector<Cell*> noted_;  // where something old points to something young
  std::vector<std::vector<Cell>> statics_;
};

}  // namespace tine::closed
