// Any fits every type both ways, so a value may pass through it and come out
// on a wire of another type; then only its tag tells what it is. A book
// without Any has no such wire. Every IO main has one kind of Any, the answer
// of `IO.OP<Any>`, that it does not know: two types that differ only there
// hold the same values until somebody takes the answer out of its `Emit`.
//
// So types hold when Any stands nowhere but directly in IO.OP, and no rule
// takes an `Emit` apart.
#include "runtime/net/trust.h"

#include <vector>

namespace tine {
namespace {

class AnyFinder {
 public:
  explicit AnyFinder(const Book& book)
      : book_(book), seen_(book.types.size()) {
    if (book.known.emit != CtorId::kNone) {
      request_ = book.ctor(book.known.emit).data;
    }
  }

  // Does Any stand in this type, but for IO.OP<Any>?
  bool in(TypeId id) {
    std::vector<TypeId> work{id};
    while (!work.empty()) {
      TypeId next = work.back();
      work.pop_back();
      if (next == TypeId::kNone || seen_[index(next)]) continue;
      const Type& type = book_.type(next);
      if (type.kind == TypeKind::kAny) return true;
      seen_[index(next)] = true;
      for (TypeId arg : type.args) {
        if (!is_answer(type, arg)) work.push_back(arg);
      }
    }
    return false;
  }

 private:
  bool is_answer(const Type& type, TypeId arg) const {
    return type.kind == TypeKind::kData &&
           static_cast<DataId>(type.data) == request_ &&
           book_.type(arg).kind == TypeKind::kAny;
  }

  const Book& book_;
  DataId request_ = DataId::kNone;
  std::vector<bool> seen_;  // types without such an Any
};

bool takes_emit(const Book& book, const DefRow& def) {
  CtorId emit = book.known.emit;
  std::vector<const Block*> work{&def.block};
  while (!work.empty()) {
    const Block& block = *work.back();
    work.pop_back();
    for (const Stmt& stmt : block) {
      if (stmt.op == Op::kTake && stmt.ctor == emit) return true;
      for (const Arm& arm : stmt.arms) {
        if (arm.kind == ArmKind::kCtor && arm.ctor == emit) return true;
        work.push_back(&arm.block);
      }
    }
  }
  return false;
}

}  // namespace

bool types_hold(const Book& book) {
  AnyFinder any(book);
  for (const CtorRow& ctor : book.ctors) {
    for (const Field& field : ctor.fields) {
      if (any.in(field.type)) return false;
    }
  }
  for (const DefRow& def : book.defs) {
    if (any.in(def.result)) return false;
    for (const WireRow& wire : def.wires) {
      if (any.in(wire.type)) return false;
    }
    if (book.known.emit != CtorId::kNone && takes_emit(book, def)) {
      return false;
    }
  }
  return true;
}

}  // namespace tine
