// The context of a DefChecker: variables, their use counts, messages.
#include <algorithm>

#include "compiler/core/checker.h"

namespace tine::core {

namespace {
const std::string kUnknownName = "!unknown";
}

std::string counted(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

DefChecker::DefChecker(Checker& owner, std::uint32_t module, Def self,
                       Data self_data)
    : owner_(owner), g_(owner.globals_), t_(owner.theory_), module_(module),
      self_(self), self_data_(self_data), outer_(t_.suspend()) {
  if (self != Def::kNone) {
    unsafe_ = g_.def(self).is_unsafe;
    place_ = g_.def(self).shown;
  }
  if (self_data != Data::kNone) place_ = g_.data(self_data).shown;
}

DefChecker::~DefChecker() { t_.restore(std::move(outer_)); }

Local& DefChecker::push(const std::string& name, Mark mark, Value* type,
                        Span span, Value* value) {
  name_marks_.push_back(names_.size());
  std::uint32_t level = depth();
  Local local;
  local.name = name;
  local.mark = mark;
  local.type = type;
  local.span = span;
  local.is_let = value != nullptr;
  local.quiet = name.empty() || name[0] == '_';
  ctx_.push_back(std::move(local));
  if (!name.empty() && name != "_") names_.push(name, level);
  env_ = t_.push(env_, value ? value : t_.var(level));
  envs_.push_back(env_);
  return ctx_.back();
}

void DefChecker::pop() {
  const Local& local = ctx_.back();
  if (!local.mentioned && !local.quiet && !in_base() && live_ &&
      local.span.file != kNoFile && !local.opened)
    report(Msg::kUnusedBinder, local.span, {local.name});
  names_.shrink(name_marks_.back());
  name_marks_.pop_back();
  ctx_.pop_back();
  envs_.pop_back();
  env_ = envs_.back();
}

void DefChecker::name_level(const std::string& name, std::uint32_t level) {
  if (!name.empty() && name != "_") names_.push(name, level);
}

std::optional<std::uint32_t> DefChecker::find_local(
    const std::string& name) const {
  return names_.find(name);
}

Term* DefChecker::var_term(std::uint32_t level, Span span) {
  Term* t = g_.make(TermKind::kVar, span);
  t->num = depth() - 1 - level;
  return t;
}

// Counts a live use. Using a matched variable uses its fields.
void DefChecker::count(std::uint32_t level, Span span) {
  Local& local = ctx_[level];
  local.mentioned = true;
  if (local.opened) {
    for (std::uint32_t field : local.fields)
      if (ctx_[field].mark != Mark::kErased) count(field, span);
    return;
  }
  if (!live_ || local.is_template) return;
  if (local.mark == Mark::kErased) {
    if (type_body_) return;
    if (!local.complained)
      explain_erased(report(Msg::kErasedUsed, span, {local.name}), level);
    local.complained = true;
    return;
  }
  if (local.uses < 2) ++local.uses;
  if (local.uses == 2 && local.mark == Mark::kPlain && !local.complained) {
    local.complained = true;
    Diag& diag = report(Msg::kUsedTwice, span, {local.name});
    if (is_data(local.type))
      diag.repair = "bind it as `+" + local.name + "` to use it again";
    else
      diag.repair =
          reuse_hint(local.name, local.type, is_parameter(level), false);
    if (diag.repair.empty())
      diag.repair = "its type is not Data, so it moves: use what the first "
                    "use gives back";
    diag.notes.push_back({local.span, "it is bound here"});
  }
}

Term* DefChecker::use(std::uint32_t level, Span span) {
  if (closed_from_ >= 0 && level < closed_from_ && !ctx_[level].is_template) {
    report(Msg::kTemplateOpen, span, {ctx_[level].name}).repair =
        "pass it at run time, as an ordinary argument";
    return broken(span);
  }
  count(level, span);
  return var_term(level, span);
}

std::vector<std::uint8_t> DefChecker::counts() const {
  std::vector<std::uint8_t> all;
  all.reserve(ctx_.size());
  for (const Local& local : ctx_) all.push_back(local.uses);
  return all;
}

void DefChecker::set_counts(const std::vector<std::uint8_t>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) ctx_[i].uses = counts[i];
}

void DefChecker::join_counts(std::vector<std::uint8_t>& into) const {
  for (std::size_t i = 0; i < into.size(); ++i)
    into[i] = std::max(into[i], ctx_[i].uses);
}

std::vector<std::string> DefChecker::names() const {
  std::vector<std::string> all;
  for (const Local& local : ctx_)
    all.push_back(local.name.empty() ? "_" : local.name);
  return all;
}

std::string DefChecker::show(Value* value) {
  if (is_unknown(value)) return "?";
  return show(t_.quote(value, depth(), false));
}

std::string DefChecker::show(const Term* term) {
  return core::show(g_, term, names());
}

// ---- messages ------------------------------------------------------------------

Diag& DefChecker::report(Msg msg, Span span, std::vector<std::string> args) {
  // After a limit was met nothing that is observed means anything; the limit
  // itself is reported for the whole declaration.
  if (t_.failure() != TheoryFailure::kNone) return again_ = Diag{};
  // A row that several arms share is checked in each: say it once.
  for (const Diag& known : owner_.sink_.diags())
    if (known.msg == msg && known.span.file == span.file &&
        known.span.begin == span.begin && known.span.end == span.end &&
        known.where == place_) {
      return again_ = Diag{};
    }
  Diag& diag = owner_.sink_.report(msg, span, std::move(args));
  diag.where = place_;
  return diag;
}

void DefChecker::mismatch(Msg msg, Span span, Value* expected,
                          Value* observed, std::vector<std::string> args,
                          std::string hint) {
  if (is_unknown(expected) || (observed && is_unknown(observed))) return;
  std::string want = show(expected);
  std::string have = observed ? show(observed) : "";
  // A part that was refused makes the whole another, which is no news.
  std::string refused = "?" + kUnknownName;
  if (want.find(refused) != std::string::npos ||
      have.find(refused) != std::string::npos)
    return;
  Diag& diag = report(msg, span, std::move(args));
  diag.expected = want;
  diag.observed = have;
  if (!hint.empty()) diag.repair = std::move(hint);
}

void DefChecker::refuse(Msg msg, Span span, Value* observed,
                        std::vector<std::string> args) {
  if (is_unknown(observed)) return;
  std::string have = show(observed);
  report(msg, span, std::move(args)).observed = have;
}

std::string DefChecker::quoted(std::uint32_t level) const {
  const std::string& name = ctx_[level].name;
  bool made = name.find(' ') != std::string::npos;
  return made ? "the matched value" : "`" + name + "`";
}

Term* DefChecker::broken(Span span) {
  Term* t = g_.make(TermKind::kHole, span);
  t->text = kUnknownName;
  return t;
}

Value* DefChecker::unknown() {
  Value* v = t_.make(ValueKind::kHole);
  v->text = &kUnknownName;
  return v;
}

bool DefChecker::is_unknown(Value* type) {
  Value* v = t_.whnf(type);
  return v->kind == ValueKind::kHole &&
         (!v->text || v->text == &kUnknownName || *v->text == kUnknownName);
}

void DefChecker::uses(Def def) {
  if (self_ != Def::kNone) g_.def(self_).uses.push_back(def);
  if (self_data_ != Data::kNone)
    owner_.def_uses_of_data_[index(self_data_)].push_back(def);
}

void DefChecker::uses(Data data) {
  if (self_ != Def::kNone)
    owner_.data_uses_of_def_[index(self_)].push_back(data);
  if (self_data_ != Data::kNone)
    owner_.data_uses_of_data_[index(self_data_)].push_back(data);
}

}  // namespace tine::core
