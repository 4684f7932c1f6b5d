#include "compiler/book/lower_main.h"

namespace tine {

using core::Term;
using core::TermKind;
using core::Value;
using core::ValueKind;

namespace {

// A type may grow at each unfolding; so many different ones are enough.
constexpr std::size_t kMaxSeen = 1000;

}  // namespace

Value* MainType::answer_of_action(Value* type) {
  Value* outer = theory_.whnf(type);
  if (outer->kind != ValueKind::kPi || outer->mark != Mark::kErased) {
    return nullptr;
  }
  Value* inner = theory_.whnf(theory_.instantiate(outer, types_.fresh()));
  if (inner->kind != ValueKind::kPi) return nullptr;
  Value* k = theory_.whnf(inner->args[0]);
  if (k->kind != ValueKind::kPi) return nullptr;
  core::Data op = globals_.find_data("IO.OP");
  Value* request = theory_.whnf(theory_.instantiate(k, types_.fresh()));
  Value* end = theory_.whnf(theory_.instantiate(inner, types_.fresh()));
  bool is_action = request->kind == ValueKind::kData && request->data == op &&
                   end->kind == ValueKind::kData && end->data == op;
  return is_action ? k->args[0] : nullptr;
}

std::string MainType::unprintable(Value* type) {
  seen_.clear();
  return look_at(type);
}

std::string MainType::look_at(Value* type) {
  Value* v = theory_.whnf(type);
  switch (v->kind) {
    case ValueKind::kData:
      return look_at_data(v);
    case ValueKind::kPi:
      return "a function";
    case ValueKind::kKind:
    case ValueKind::kQuant:
      return "a type";
    case ValueKind::kEqual:
      return "an equation";
    case ValueKind::kStuck:
      return "the type `" + globals_.def(v->def).shown + "`";
    default:
      return "a type that is not known";
  }
}

std::string MainType::look_at_data(Value* type) {
  const core::BaseIds& ids = theory_.ids();
  bool word = type->data == ids.u32 || type->data == ids.f32 ||
              type->data == ids.nat || type->data == ids.chr;
  if (word) return "";
  if (seen_.size() >= kMaxSeen || !seen_.insert(types_.of(type)).second) {
    return "";
  }
  const core::Env* env = nullptr;
  for (Value* arg : type->args) env = theory_.push(env, arg);
  for (core::Ctor ctor : globals_.data(type->data).ctors) {
    std::string part = look_at_fields(ctor, env);
    if (!part.empty()) return part;
  }
  return "";
}

std::string MainType::look_at_fields(core::Ctor ctor, const core::Env* env) {
  const core::CtorInfo& info = globals_.ctor(ctor);
  std::vector<Value*> earlier;
  for (const core::FieldInfo& field : info.fields) {
    std::string name = "field `" + field.text + "` of `" + info.shown + "`";
    if (field.mark == Mark::kErased) return "the erased " + name;
    Value* type = theory_.eval(field.type, env);
    for (const Value* variable : earlier) {
      if (types_.mentions(type, variable)) return "the dependent " + name;
    }
    std::string part = look_at(type);
    if (!part.empty()) return part;
    earlier.push_back(types_.fresh());
    env = theory_.push(env, earlier.back());
  }
  return "";
}

// ---- actions ----------------------------------------------------------------

namespace {

// Applies the term, `depth` binders inside k, to R and k.
Term* push_in(core::Globals& globals, const Term* term, std::uint64_t depth) {
  bool binds = term->kind == TermKind::kLet || term->kind == TermKind::kPar ||
               term->kind == TermKind::kMatch;
  if (term->kind == TermKind::kAnn) {
    return push_in(globals, term->kids[0], depth);
  }
  if (term->kind == TermKind::kRewrite) {
    return push_in(globals, term->kids[2], depth);
  }
  Term* made = globals.make(TermKind::kApp, term->span);
  if (!binds) {
    Term* k = globals.make(TermKind::kVar, term->span);
    k->num = depth;
    made->kids = {const_cast<Term*>(term),
                  globals.make(TermKind::kHole, term->span), k};
    made->marks = {Mark::kErased, Mark::kPlain};
    return made;
  }
  *made = *term;
  for (core::TermArm& arm : made->arms) {
    if (arm.body)
      arm.body = push_in(globals, arm.body, depth + arm.binds.size());
  }
  if (term->kind == TermKind::kMatch) return made;
  std::uint64_t binders =
      term->kind == TermKind::kLet ? 1 : term->binders.size();
  made->kids.back() = push_in(globals, term->kids.back(), depth + binders);
  return made;
}

Term* lambda(core::Globals& globals, const char* name, Mark mark, Term* body) {
  Term* made = globals.make(TermKind::kLam, body->span);
  made->text = name;
  made->mark = mark;
  made->kids = {body};
  return made;
}

}  // namespace

const Term* applied_action(core::Globals& globals, const Term* action) {
  bool ready =
      action->kind == TermKind::kLam && action->kids[0]->kind == TermKind::kLam;
  if (ready) return action;
  Term* body = push_in(globals, action, 0);
  body = lambda(globals, "k", Mark::kPlain, body);
  return lambda(globals, "R", Mark::kErased, body);
}

}  // namespace tine
