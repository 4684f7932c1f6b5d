// Read-back: from values to terms.
#include "compiler/core/bignat.h"

namespace tine::core {

namespace {

class Quoter {
 public:
  Quoter(Theory& theory, Globals& globals, bool full)
      : theory_(theory), globals_(globals), full_(full) {}

  Term* quote(Value* v, std::uint32_t depth) {
    if (theory_.failure() != TheoryFailure::kNone)
      return globals_.make(TermKind::kHole);
    if (full_)
      v = theory_.whnf(v);
    else
      v = shown(v);
    switch (v->kind) {
      case ValueKind::kThunk:
        v = theory_.whnf(v);
        return v->kind == ValueKind::kThunk ? globals_.make(TermKind::kHole)
                                            : quote(v, depth);
      case ValueKind::kCall:
      case ValueKind::kStuck:
        return spine(ref(v->def), v->args, 0, depth, v->def);
      case ValueKind::kVar:
        return spine(variable(v->level, depth), v->args, 0, depth);
      case ValueKind::kMatch:
        return spine(match(v, depth), v->args, 1, depth);
      case ValueKind::kHole: {
        Term* t = globals_.make(TermKind::kHole);
        if (v->text) t->text = *v->text;
        return spine(t, v->args, 0, depth);
      }
      case ValueKind::kLam: {
        Term* t = globals_.make(TermKind::kLam);
        t->mark = v->mark;
        t->text = *v->text;
        Value* x = theory_.var(depth);
        t->kids = {quote(theory_.instantiate(v, x), depth + 1)};
        return t;
      }
      case ValueKind::kPi: {
        Term* t = globals_.make(TermKind::kPi);
        t->mark = v->mark;
        t->text = *v->text;
        Value* x = theory_.var(depth);
        t->kids = {quote(v->args[0], depth),
                   quote(theory_.instantiate(v, x), depth + 1)};
        return t;
      }
      case ValueKind::kCtor:
        return ctor(v, depth);
      case ValueKind::kData: {
        Term* t = globals_.make(TermKind::kData);
        t->data = v->data;
        return with_kids(t, v->args, depth);
      }
      case ValueKind::kKind:
        return with_kids(globals_.make(TermKind::kKind), v->args, depth);
      case ValueKind::kMeet:
        return with_kids(globals_.make(TermKind::kMeet), v->args, depth);
      case ValueKind::kEqual:
        return with_kids(globals_.make(TermKind::kEqual), v->args, depth);
      case ValueKind::kQuant:
        return globals_.make(TermKind::kQuant);
      case ValueKind::kRefl:
        return globals_.make(TermKind::kRefl);
      case ValueKind::kQty:
        return number(TermKind::kQty, v);
      case ValueKind::kU32:
        return number(TermKind::kU32, v);
      case ValueKind::kF32:
        return number(TermKind::kF32, v);
      case ValueKind::kChar:
        return number(TermKind::kChar, v);
      case ValueKind::kNat: {
        Term* t = number(TermKind::kNat, v);
        if (v->big) t->text = v->big->n.str();
        return t;
      }
      case ValueKind::kSucc: {
        Value* n = full_ ? theory_.count_nat(v) : v;
        if (n->kind != ValueKind::kSucc) return quote(n, depth);
        Term* t = number(TermKind::kSucc, n);
        return with_kids(t, n->args, depth);
      }
      case ValueKind::kString: {
        Term* t = globals_.make(TermKind::kString);
        t->text = v->text->substr(v->num);
        return t;
      }
    }
    return globals_.make(TermKind::kHole);
  }

 private:
  // Without full normalisation: what has been evaluated already.
  Value* shown(Value* v) {
    v = theory_.undelay(v);
    while (v->kind == ValueKind::kThunk && v->forced && v->stamp == 0)
      v = v->forced;
    return v;
  }

  Term* number(TermKind kind, const Value* v) {
    Term* t = globals_.make(kind);
    t->num = v->num;
    return t;
  }

  Term* with_kids(Term* t, ArgList args,
                  std::uint32_t depth) {
    for (Value* arg : args) t->kids.push_back(quote(arg, depth));
    return t;
  }

  // Along the last field in a loop, so that long lists do not nest.
  Term* ctor(Value* v, std::uint32_t depth) {
    Term* first = nullptr;
    Term* last = nullptr;
    while (true) {
      Term* t = globals_.make(TermKind::kCtor);
      t->ctor = v->ctor;
      (first ? last->kids.back() : first) = t;
      last = t;
      if (v->args.empty()) return first;
      for (std::size_t i = 0; i + 1 < v->args.size(); ++i)
        t->kids.push_back(quote(v->args[i], depth));
      Value* rest = v->args.back();
      Value* next = full_ ? theory_.whnf(rest) : shown(rest);
      t->kids.push_back(nullptr);
      if (next->kind != ValueKind::kCtor ||
          theory_.failure() != TheoryFailure::kNone) {
        t->kids.back() = quote(next, depth);
        return first;
      }
      v = next;
    }
  }

  Term* ref(Def def) {
    Term* t = globals_.make(TermKind::kRef);
    t->def = def;
    return t;
  }

  Term* variable(std::uint32_t level, std::uint32_t depth) {
    Term* t = globals_.make(TermKind::kVar);
    t->num = level < depth ? depth - 1 - level : 0;
    return t;
  }

  Term* spine(Term* head, ArgList args, std::size_t from,
              std::uint32_t depth, Def def = Def::kNone) {
    if (args.size() <= from) return head;
    Term* t = globals_.make(TermKind::kApp);
    t->kids = {head};
    for (std::size_t i = from; i < args.size(); ++i) {
      t->kids.push_back(quote(args[i], depth));
      Mark mark = Mark::kPlain;
      if (def != Def::kNone && i < globals_.def(def).params.size())
        mark = globals_.def(def).params[i].mark;
      t->marks.push_back(mark);
    }
    return t;
  }

  // A stuck match in the middle of a term: shown by its scrutinee only.
  Term* match(Value* v, std::uint32_t depth) {
    Term* t = globals_.make(TermKind::kMatch);
    t->kids = {quote(v->args[0], depth)};
    return t;
  }

  Theory& theory_;
  Globals& globals_;
  bool full_;
};

}  // namespace

Term* Theory::quote(Value* value, std::uint32_t depth, bool full) {
  return Quoter(*this, globals_, full).quote(value, depth);
}

std::string Theory::print(Value* value, bool full) {
  return show(globals_, quote(whnf(value), 0, full));
}

}  // namespace tine::core
