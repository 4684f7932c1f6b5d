// Counted loops in strips, see strips.h.
//
//   u64 strip = n < 16384 ? n : 16384;
//   u64 room = strip;
//   if ((room = strip_room(room, j, 0, 0, a))) {   rounds that stay in the array
//     u64 left = n - (strip = room);
//     u32* c1 = cells_u32(a) + j;
//     for (u64 i = 0; i < strip; i++) ..           c1[i]
//     n = left; goto again;
//   }
//   strip = strip < 64 ? strip : 64;
//   for (u64 i = 0; i < strip; i++) ..           array_get_u32(w, a, j, def)
//   n = left; goto again;
//
// A strip that begins outside of its arrays goes a few rounds with masks and
// looks again. Between two strips is a look at the limits.
#include <algorithm>

#include "compiler/emit/function_emitter.h"

namespace tine {
namespace {

std::string number(std::int64_t n) { return std::to_string(n); }

std::string plus(std::int64_t n) {
  if (n == 0) return "";
  return (n < 0 ? " - " : " + ") + number(n < 0 ? -n : n);
}

}  // namespace

// The loop, as far as places can be named: a field of a struct can be, one of
// a node cannot.
void FunctionEmitter::find_counted() {
  counted_ = counted_loop(book_, id_);
  if (!counted_) return;
  auto named = [&](const CountedLoop::Place& place) {
    return place.field == CountedLoop::Place::kWhole ||
           reps_.is_struct(rep(static_cast<Wire>(place.param)));
  };
  std::erase_if(counted_->accesses, [&](const CountedLoop::Access& access) {
    return !named(access.array);
  });
  auto& ahead = counted_->ahead;
  if (ahead && !(named(ahead->place) && named(ahead->read.array))) {
    ahead.reset();
  }
}

std::string FunctionEmitter::place_text(
    const CountedLoop::Place& place) const {
  const std::string& param = names_[place.param];
  if (place.field == CountedLoop::Place::kWhole) return param;
  return param + ".f" + number(place.field);
}

RepId FunctionEmitter::place_rep(const CountedLoop::Place& place) const {
  RepId param = rep(static_cast<Wire>(place.param));
  if (place.field == CountedLoop::Place::kWhole) return param;
  return reps_.at(param).fields[place.field];
}

void FunctionEmitter::strips() {
  std::string count = names_[counted_->count];
  line("if (" + count + " == 0) {");
  ++depth_;
  std::size_t owned = owned_.size();
  block(counted_->done->block);
  lend_again(owned);
  --depth_;
  line("}");
  line("u64 strip = " + count + " < 16384 ? " + count + " : 16384;");
  std::vector<Cells> cells = strip_cells();
  if (!cells.empty()) {
    line("u64 room = strip;");
    std::string fits;
    for (const Cells& row : cells) {
      fits += (fits.empty() ? "" : " && ") + std::string("(room = strip_room(") +
              "room, " + names_[row.index] + ", " + number(row.first) + ", " +
              number(row.last) + ", " + place_text(row.array) + "))";
    }
    line("if (" + fits + ") {");
    ++depth_;
    line("u64 left = " + count + " - (strip = room);");
    direct_strip(cells);
    --depth_;
    line("}");
    line("strip = strip < 64 ? strip : 64;");
  }
  line("u64 left = " + count + " - strip;");
  rounds("0", "strip", "");
  line(count + " = left;");
  line("goto again;");
}

// What the accesses without a mask go through, a row for each array and index.
std::vector<FunctionEmitter::Cells> FunctionEmitter::strip_cells() const {
  std::vector<Cells> cells;
  for (const CountedLoop::Access& access : counted_->accesses) {
    auto row = std::ranges::find_if(cells, [&](const Cells& known) {
      return known.holds(access);
    });
    if (row == cells.end()) {
      std::string name = "c" + number(static_cast<std::int64_t>(cells.size()) + 1);
      cells.push_back({access.array, access.index, access.plus, access.plus,
                       access.stmt->type == kTypeF32, name});
      continue;
    }
    row->first = std::min(row->first, access.plus);
    row->last = std::max(row->last, access.plus);
  }
  return cells;
}

void FunctionEmitter::direct_strip(const std::vector<Cells>& cells) {
  direct_ = true;
  for (std::size_t i = 0; i < def_.params; ++i) {
    if (counted_->steps[i]) {
      line("u32 first" + number(i) + " = " + names_[i] + ";");
    }
  }
  for (const Cells& row : cells) {
    std::string kind = row.real ? "f32" : "u32";
    line((row.real ? "float* " : "u32* ") + row.name + " = cells_" + kind +
         "(" + place_text(row.array) + ") + " + names_[row.index] +
         plus(row.first) + ";");
  }
  for (const CountedLoop::Access& access : counted_->accesses) {
    cells_[access.stmt] = cell(cells, access, "i", 0);
  }
  if (counted_->ahead) {
    rounds("0", "1", "");
    rounds("1", "strip", read_ahead(cells, "i"));
    line(read_ahead(cells, "strip"));
  } else {
    rounds("0", "strip", "");
  }
  for (std::size_t i = 0; i < def_.params; ++i) {
    if (counted_->steps[i]) {
      line(names_[i] + " = first" + number(i) + " + (u32)strip;");
    }
  }
  cells_.clear();
  direct_ = false;
  line(names_[counted_->count] + " = left;");
  line("goto again;");
}

// The cell of an access in round `i`, or so many rounds later.
std::string FunctionEmitter::cell(const std::vector<Cells>& cells,
                                  const CountedLoop::Access& access,
                                  const std::string& i, int later) const {
  const Cells& row = *std::ranges::find_if(cells, [&](const Cells& known) {
    return known.holds(access);
  });
  return row.name + "[" + i + plus(access.plus - row.first + later) + "]";
}

// Round `i` reads what the one before it read last.
std::string FunctionEmitter::read_ahead(const std::vector<Cells>& cells,
                                        const std::string& i) const {
  const CountedLoop::Ahead& ahead = *counted_->ahead;
  return place_text(ahead.place) + " = " +
         reps_.convert(cell(cells, ahead.read, i, -1),
                       reps_.natural(ahead.read.stmt->type),
                       place_rep(ahead.place), number_) +
         ";";
}

// The rounds from `first` to before `end`; each begins with `line`.
void FunctionEmitter::rounds(const std::string& first, const std::string& end,
                             const std::string& begin) {
  line("for (u64 i = " + first + "; i < " + end + "; i++) {");
  ++depth_;
  for (std::size_t i = 0; direct_ && i < def_.params; ++i) {
    if (!counted_->steps[i]) continue;
    line(names_[i] + " = first" + number(i) + " + (u32)i;");
  }
  if (!begin.empty()) line(begin);
  in_strip_ = true;
  std::vector<Wire> floats = strip_loose();
  for (Wire wire : floats) loosen(wire);
  value(counted_->round->binds[0], "(left + (strip - 1 - i))", kRepNat);
  std::size_t owned = owned_.size();
  block(counted_->round->block);
  lend_again(owned);
  in_strip_ = false;
  --depth_;
  line("}");
  for (Wire wire : floats) {
    line(names_[index(wire)] + " = " + as(wire, kRepF32) + ";");
    loose_[index(wire)] = false;
  }
}

}  // namespace tine
