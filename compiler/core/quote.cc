// Read-back: from values to terms.
//
// Three ways, which differ in what happens to a lazy value on the way:
//   full    evaluated: the normal form
//   shown   shown as evaluated so far; what never was is evaluated (messages)
//   head    nothing is evaluated: a lazy value is its term, with the values
//           of its variables read back into it
// A shared value is read back once for each use, so the term may be far
// larger than the value; it counts against the limits of the theory.
#include "compiler/core/bignat.h"

namespace tine::core {

namespace {

enum class ReadBack : std::uint8_t { kFull, kShown, kHead };

class Quoter {
 public:
  Quoter(Theory& theory, Globals& globals, ReadBack way)
      : theory_(theory), globals_(globals), way_(way),
        full_(way == ReadBack::kFull) {}

  Term* quote(Value* v, std::uint32_t depth) {
    if (!theory_.spend(sizeof(Term) + sizeof(Term*)))
      return globals_.make(TermKind::kHole);
    v = seen(v);
    switch (v->kind) {
      case ValueKind::kThunk:
        if (way_ == ReadBack::kHead) return lazy(v, depth);
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
        t->kids = {under(v, depth)};
        return t;
      }
      case ValueKind::kPi: {
        Term* t = globals_.make(TermKind::kPi);
        t->mark = v->mark;
        t->text = *v->text;
        t->kids = {quote(v->args[0], depth), under(v, depth)};
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
  Value* seen(Value* v) {
    if (full_) return theory_.whnf(v);
    if (way_ == ReadBack::kHead) return v;
    // What has been evaluated already.
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

  // The body of a binder.
  Term* under(Value* binder, std::uint32_t depth) {
    if (way_ == ReadBack::kHead)
      return written(binder->term, binder->env, 1, depth);
    Value* x = theory_.var(depth);
    return quote(theory_.instantiate(binder, x), depth + 1);
  }

  // A thunk as it was written.
  Term* lazy(Value* thunk, std::uint32_t depth) {
    if (thunk->term) return written(thunk->term, thunk->env, 0, depth);
    return spine(quote(thunk->args[0], depth), thunk->args, 1, depth);
  }

  // A copy of `term`, whose `own` innermost variables stay, with the values
  // of the others read back.
  Term* written(const Term* term, const Env* env, std::uint32_t own,
                std::uint32_t depth) {
    if (!theory_.spend(sizeof(Term) + sizeof(Term*)))
      return globals_.make(TermKind::kHole);
    if (term->kind == TermKind::kVar && term->num >= own)
      return quote(lookup(env, term->num - own), depth + own);
    Term* copy = globals_.make(term->kind);
    *copy = *term;
    for (std::size_t i = 0; i < copy->kids.size(); ++i)
      copy->kids[i] = written(copy->kids[i], env, own + bound(*copy, i), depth);
    for (TermArm& arm : copy->arms) {
      auto fields = static_cast<std::uint32_t>(arm.binds.size());
      arm.body = written(arm.body, env, own + fields, depth);
    }
    return copy;
  }

  // How many variables a term binds in its kid number `i`.
  static std::uint32_t bound(const Term& term, std::size_t i) {
    bool last = i + 1 == term.kids.size();
    switch (term.kind) {
      case TermKind::kLam: return 1;
      case TermKind::kPi:
      case TermKind::kLet: return last ? 1 : 0;
      case TermKind::kPar:
        return last ? static_cast<std::uint32_t>(term.binders.size()) : 0;
      default: return 0;
    }
  }

  // Along the last field in a loop, so that long lists do not nest.
  // U32{..} or F32{..} over 32 known bits as a number, else null.
  Term* known_word(Value* v) {
    const BaseIds& ids = theory_.ids();
    bool whole = v->ctor == ids.u32_of;
    if (!full_ || v->args.size() != 1 || (!whole && v->ctor != ids.f32_of)) {
      return nullptr;
    }
    std::uint32_t n = 0;
    Value* block = nullptr;
    if (!theory_.known_bits(v->args[0], n, block)) return nullptr;
    Term* t = globals_.make(whole ? TermKind::kU32 : TermKind::kF32);
    t->num = n;
    return t;
  }

  Term* ctor(Value* v, std::uint32_t depth) {
    Term* first = nullptr;
    Term* last = nullptr;
    while (true) {
      if (Term* word = known_word(v)) {
        if (!first) return word;
        last->kids.back() = word;
        return first;
      }
      if (!theory_.spend(sizeof(Term) + 2 * sizeof(Term*)))
        return first ? first : globals_.make(TermKind::kHole);
      Term* t = globals_.make(TermKind::kCtor);
      t->ctor = v->ctor;
      (first ? last->kids.back() : first) = t;
      last = t;
      if (v->args.empty()) return first;
      for (std::size_t i = 0; i + 1 < v->args.size(); ++i)
        t->kids.push_back(quote(v->args[i], depth));
      Value* rest = v->args.back();
      Value* next = seen(rest);
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
  const ReadBack way_;
  const bool full_;
};

}  // namespace

Term* Theory::quote(Value* value, std::uint32_t depth, bool full) {
  ReadBack way = full ? ReadBack::kFull : ReadBack::kShown;
  return Quoter(*this, globals_, way).quote(value, depth);
}

Term* Theory::quote_head(Value* value, std::uint32_t depth) {
  return Quoter(*this, globals_, ReadBack::kHead).quote(value, depth);
}

std::string Theory::print(Value* value, bool full) {
  Term* term = quote(whnf(value), 0, full);
  return failure_ == TheoryFailure::kNone ? show(globals_, term) : "";
}

std::string Theory::print_head(Value* value) {
  Term* term = quote_head(value, 0);
  return failure_ == TheoryFailure::kNone ? show(globals_, term) : "";
}

}  // namespace tine::core
