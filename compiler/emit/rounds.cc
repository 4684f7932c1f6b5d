// Counted loops in strips, see strips.h.
//
//   u64 strip = n < 16384 ? n : 16384;
//   u64 room = strip, outside = strip;    neighbours, so there are edges
//   if ((room = strip_room(room, (i64)j, 0, 1, array_last(a), &outside))) {
//     u64 left = n - (strip = room);      rounds whose j and j + 1 are inside
//     u32* c1 = cells_u32(a) + ((i64)j);
//     for (u64 i = 0; i < strip; i++) ..  c1[i], c1[i + 1]
//     n = left; goto again;
//   }
//   strip = outside;
//   for (u64 i = 0; i < strip; i++) ..    array_get_u32(w, a, j, def)
//   n = left; goto again;
//
// A strip has a round at least. One that begins in front of its arrays, as at
// the first entry of a row, goes with masks until it is inside; one that begins
// behind them has masks for all its rounds. Between two strips is a look at the
// limits.
#include <algorithm>

#include "compiler/emit/function_emitter.h"
#include "runtime/heap/check.h"

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
  loop_ = counted_loop(book_, id_);
  if (!loop_) return;
  auto named = [&](const CountedLoop::Place& place) {
    return place.field == CountedLoop::Place::kWhole ||
           reps_.is_struct(rep(static_cast<Wire>(place.param)));
  };
  std::erase_if(loop_->accesses, [&](const CountedLoop::Access& access) {
    return !named(access.array);
  });
  auto& ahead = loop_->ahead;
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
  std::string count = names_[loop_->count];
  line("if (" + count + " == 0) {");
  ++depth_;
  std::size_t owned = owned_.size();
  block(loop_->done->block);
  lend_again(owned);
  --depth_;
  line("}");
  line("u64 strip = " + count + " < 16384 ? " + count + " : 16384;");
  find_ranges();
  strip_loose_ = strip_loose();
  if (!ranges_.empty()) {
    bool edges = has_edges();
    if (edges) line("u64 room = strip, outside = strip;");
    line("if (" + inside(edges) + ") {");
    ++depth_;
    line("u64 left = " + count + (edges ? " - (strip = room);" : " - strip;"));
    direct_strip();
    --depth_;
    line("}");
    if (edges) line("strip = outside;");
  }
  line("u64 left = " + count + " - strip;");
  rounds("0", "strip", "");
  line(count + " = left;");
  line("goto again;");
}

// Are the first or last rounds of a loop over a whole array outside, since it
// looks at neighbours?
bool FunctionEmitter::has_edges() const {
  return std::ranges::any_of(ranges_, [](const Range& range) {
    return range.first != 0 || range.last != 0 || !range.is_array() ||
           std::ranges::any_of(range.terms, &CountedLoop::Term::minus);
  });
}

// Is the strip inside of all ranges? Where there are edges it is cut to what
// is. (Elsewhere it is not: the search of a hash table, a few rounds from
// anywhere, would pay for it.)
std::string FunctionEmitter::inside(bool edges) const {
  std::string text;
  for (const Range& range : ranges_) {
    if (!text.empty()) text += " && ";
    std::string at = "(i64)" + sum_text(range);
    text += edges ? "(room = strip_room(room, " + at + ", " +
                        number(range.first) + ", " + number(range.last) +
                        ", " + range.limit + ", &outside))"
                  : at + " + (i64)strip <= (i64)" + range.limit + " + 1";
  }
  return text;
}

// The range with this limit and these terms, widened by the sum.
FunctionEmitter::Range& FunctionEmitter::range(const std::string& limit,
                                               const CountedLoop::Sum& sum) {
  auto plus = static_cast<std::int32_t>(sum.plus);
  for (Range& range : ranges_) {
    if (range.limit != limit || range.terms != sum.terms) continue;
    range.first = std::min<std::int64_t>(range.first, plus);
    range.last = std::max<std::int64_t>(range.last, plus);
    return range;
  }
  ranges_.push_back({limit, sum.terms, plus, plus, {}, false, ""});
  return ranges_.back();
}

void FunctionEmitter::find_ranges() {
  std::int64_t arrays = 0;
  for (const CountedLoop::Access& access : loop_->accesses) {
    Range& row = range("array_last(" + place_text(access.array) + ")",
                       access.index);
    row.array = access.array;
    row.real = access.stmt->type == kTypeF32;
    if (row.cells.empty()) row.cells = "c" + number(++arrays);
    if (!access.masked) continue;
    const CountedLoop::Masked& masked = *access.masked;
    std::string mask = masked.param ? names_[*masked.param]
                                    : number(masked.word) + "u";
    range("mask_last(" + mask + ")", masked.sum);
  }
}

// The terms of a range; one of them is added.
std::string FunctionEmitter::sum_text(const Range& range) const {
  std::string text, less;
  for (CountedLoop::Term term : range.terms) {
    if (term.minus) {
      less += " - " + names_[term.param];
    } else {
      text += (text.empty() ? "" : " + ") + names_[term.param];
    }
  }
  return text + less;
}

void FunctionEmitter::direct_strip() {
  direct_ = true;
  for (std::size_t i = 0; i < def_.params; ++i) {
    if (loop_->steps[i]) {
      line("u32 first" + number(i) + " = " + names_[i] + ";");
    }
  }
  for (const Range& range : ranges_) {
    if (!range.is_array()) continue;
    std::string kind = range.real ? "f32" : "u32";
    line((range.real ? "float* " : "u32* ") + range.cells + " = cells_" +
         kind + "(" + place_text(range.array) + ") + ((i64)" +
         sum_text(range) + plus(range.first) + ");");
  }
  for (const CountedLoop::Access& access : loop_->accesses) {
    cells_[access.stmt] = cell(access, "i", 0);
  }
  if (loop_->ahead) {
    rounds("0", "1", "");
    rounds("1", "strip", read_ahead("i"));
    line(read_ahead("strip"));
  } else {
    rounds("0", "strip", "");
  }
  for (std::size_t i = 0; i < def_.params; ++i) {
    if (loop_->steps[i]) {
      line(names_[i] + " = first" + number(i) + " + (u32)strip;");
    }
  }
  cells_.clear();
  direct_ = false;
  line(names_[loop_->count] + " = left;");
  line("goto again;");
}

// The cell of an access in round `i`, or so many rounds later.
std::string FunctionEmitter::cell(const CountedLoop::Access& access,
                                  const std::string& i, int later) const {
  auto row = std::ranges::find_if(ranges_, [&](const Range& range) {
    return range.is_array() && range.array == access.array &&
           range.terms == access.index.terms;
  });
  TINE_CHECK(row != ranges_.end());
  auto at = static_cast<std::int32_t>(access.index.plus);
  return row->cells + "[" + i + plus(at - row->first + later) + "]";
}

// Round `i` reads what the one before it read last.
std::string FunctionEmitter::read_ahead(const std::string& i) const {
  const CountedLoop::Ahead& ahead = *loop_->ahead;
  return place_text(ahead.place) + " = " +
         reps_.convert(cell(ahead.read, i, -1),
                       reps_.natural(ahead.read.stmt->type),
                       place_rep(ahead.place), number_) +
         ";";
}

// The rounds from `first` to before `end`; each begins with the line `begin`.
void FunctionEmitter::rounds(const std::string& first, const std::string& end,
                             const std::string& begin) {
  line("for (u64 i = " + first + "; i < " + end + "; i++) {");
  ++depth_;
  for (std::size_t i = 0; direct_ && i < def_.params; ++i) {
    if (!loop_->steps[i]) continue;
    line(names_[i] + " = first" + number(i) + " + (u32)i;");
  }
  if (!begin.empty()) line(begin);
  in_strip_ = true;
  for (Wire wire : strip_loose_) loosen(wire);
  value(loop_->round->binds[0], "(left + (strip - 1 - i))", kRepNat);
  std::size_t owned = owned_.size();
  block(loop_->round->block);
  lend_again(owned);
  in_strip_ = false;
  --depth_;
  line("}");
  for (Wire wire : strip_loose_) {
    line(names_[index(wire)] + " = " + as(wire, kRepF32) + ";");
    loose_[index(wire)] = false;
  }
}

}  // namespace tine
