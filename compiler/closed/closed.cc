#include "compiler/closed/closed.h"

#include "compiler/closed/machine.h"

namespace tine::closed {

using core::Globals;
using core::Term;
using core::TermKind;
using core::Theory;

namespace {

// Evaluates and reads back, first fields first. What is left to do is a row
// of cells, which the collector sees, and where their terms go.
class ClosedReader {
 public:
  ClosedReader(Globals& globals, Theory& theory)
      : globals_(globals), theory_(theory), machine_(globals, theory) {}

  Term* read(const Term* term) {
    Term* result = nullptr;
    Cell first = 0;
    if (machine_.run(term, first) != ClosedMachine::Outcome::kValue)
      return nullptr;
    put(first, &result);
    while (!places_.empty()) {
      Cell cell = cells().back();
      Term** place = places_.back();
      cells().pop_back();
      places_.pop_back();
      if (!theory_.spend(sizeof(Term)) || !evaluate(cell)) return nullptr;
      *place = made(cell);
      if (!*place) return nullptr;
    }
    bool good = machine_.finish() == ClosedMachine::Outcome::kValue;
    return good ? result : nullptr;
  }

 private:
  std::vector<Cell>& cells() { return machine_.roots(); }

  void put(Cell cell, Term** place) {
    cells().push_back(cell);
    places_.push_back(place);
  }

  bool evaluate(Cell& cell) {
    return machine_.run(cell) == ClosedMachine::Outcome::kValue;
  }

  Term* number(TermKind kind, std::uint64_t n) {
    Term* t = globals_.make(kind);
    t->num = n;
    return t;
  }

  // The term of a value; null when it is none of this room.
  Term* made(Cell cell) {
    switch (tag_of(cell)) {
      case kWordTag: {
        WordSort sort = sort_of(cell);
        return number(sort == WordSort::kU32   ? TermKind::kU32
                      : sort == WordSort::kF32 ? TermKind::kF32
                                               : TermKind::kChar,
                      word_of(cell));
      }
      case kNatTag:
        return number(TermKind::kNat, nat_of(cell));
      case kCtorTag:
        return ctor(static_cast<std::uint32_t>(cell) >> 3, nullptr);
      case kAddressTag:
        return object(object_of(cell));
      default:
        return nullptr;
    }
  }

  Term* object(const Cell* object) {
    switch (shape_of(object[0])) {
      case CellShape::kCtor:
        return ctor(id_of(object[0]), object + 1);
      case CellShape::kSucc:
        return natural(cell_of(object));
      case CellShape::kText: {
        Term* t = globals_.make(TermKind::kString);
        t->text = reinterpret_cast<const std::string*>(object[1])->substr(
            nat_of(object[2]));
        return t;
      }
      default:
        return nullptr;
    }
  }

  Term* natural(Cell cell) {
    if (machine_.count(cell) != ClosedMachine::Outcome::kValue) return nullptr;
    return number(TermKind::kNat, nat_of(cell));
  }

  Term* ctor(std::uint32_t id, const Cell* fields) {
    core::Ctor ctor{id};
    std::size_t n = globals_.ctor(ctor).fields.size();
    for (const core::FieldInfo& field : globals_.ctor(ctor).fields)
      if (field.mark == Mark::kErased) return nullptr;
    if (!theory_.spend(n * sizeof(Term*))) return nullptr;
    Term* t = globals_.make(TermKind::kCtor);
    t->ctor = ctor;
    t->kids.assign(n, nullptr);
    for (std::size_t i = n; i-- > 0;) put(fields[i], &t->kids[i]);
    return t;
  }

  Globals& globals_;
  Theory& theory_;
  ClosedMachine machine_;
  std::vector<Term**> places_;
};

}  // namespace

Term* normal_form(Globals& globals, Theory& theory, const Term* term) {
  return ClosedReader(globals, theory).read(term);
}

}  // namespace tine::closed
