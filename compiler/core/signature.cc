// Signatures of defs, laws and datatypes, and the entry of a def's body.
#include "compiler/core/checker.h"

namespace tine::core {

// Elaborates a telescope; its variables stay pushed.
std::vector<ParamInfo> DefChecker::params(const std::vector<Param>& list,
                                          bool is_unsafe, bool in_data) {
  std::vector<ParamInfo> out;
  Scoped<bool> free(unsafe_, is_unsafe);
  std::map<std::string, bool> templates;
  for (const Param& param : list) {
    ParamInfo info;
    info.mark = param.mark;
    info.is_template = param.is_template;
    info.text = param.text;
    if (param.is_template && in_data) {
      report(Msg::kTildeNotAllowed, param.span);
      info.is_template = false;
    }
    if (info.is_template && templates[param.text])
      report(Msg::kTemplateDuplicate, param.span, {param.text});
    templates[param.text] = info.is_template;
    if (param.type) {
      info.type = check_type(param.type);
    } else {
      info.mark = Mark::kErased;
      info.type = g_.make(TermKind::kQuant, param.span);
    }
    Value* type = t_.eval(info.type, env_);
    if (info.mark == Mark::kReuse)
      need_data(param.text, type, param.span, true);
    push(param.text, info.mark, type, {});
    ctx_.back().is_template = info.is_template;
    out.push_back(std::move(info));
  }
  return out;
}

Term* DefChecker::pi_chain(const std::vector<ParamInfo>& params,
                           Term* result) {
  for (std::size_t i = params.size(); i-- > 0;) {
    Term* pi = g_.make(TermKind::kPi, params[i].type->span);
    pi->mark = params[i].mark;
    pi->text = params[i].text;
    pi->kids = {params[i].type, result};
    result = pi;
  }
  return result;
}

Term* DefChecker::lam_chain(const std::vector<ParamInfo>& params, Term* body) {
  for (std::size_t i = params.size(); i-- > 0;) {
    Term* lam = g_.make(TermKind::kLam, body->span);
    lam->mark = params[i].mark;
    lam->text = params[i].text;
    lam->kids = {body};
    body = lam;
  }
  return body;
}

void DefChecker::def_signature(const Decl& decl) {
  live_ = false;
  std::vector<ParamInfo> rows = params(decl.params, decl.is_unsafe, false);
  Term* result = decl.result ? check_type(decl.result) : broken(decl.span);
  while (depth() > 0) pop();
  DefInfo& def = g_.def(self_);
  def.templates = 0;
  for (const ParamInfo& row : rows) def.templates += row.is_template;
  def.type = pi_chain(rows, result);
  def.params = std::move(rows);
  def.result = result;
}

void DefChecker::push_params(const std::vector<ParamInfo>& rows,
                             const std::vector<Param>* surface) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Span span;
    if (surface && i < surface->size()) span = (*surface)[i].span;
    Value* type = t_.eval(rows[i].type, env_);
    push(rows[i].text, rows[i].mark, type, span);
    Local& local = ctx_.back();
    local.is_template = rows[i].is_template;
    if (rows[i].mark == Mark::kErased || rows[i].is_template)
      local.quiet = true;
    if (rows[i].is_template) continue;
    params_.push_back(depth() - 1);
    local.pending = local.was_pending = true;
    pending_.push_back(depth() - 1);
  }
}

void DefChecker::def_body(const Decl& decl) {
  // Copied: checking may add definitions and move the table.
  std::vector<ParamInfo> rows = g_.def(self_).params;
  push_params(rows, &decl.params);
  Value* goal = t_.eval(g_.def(self_).result, env_);
  // A def that computes a type may look at what is erased.
  type_body_ = is_type_of_types(goal) && !is_unknown(goal);
  Term* body = check(decl.body, goal);
  while (depth() > 0) pop();
  g_.def(self_).body = lam_chain(rows, body);
}

namespace {

// How a def that fills a law starts.
std::string fill_header(const std::string& name,
                        const std::vector<ParamInfo>& law) {
  std::string out = "write `def " + name + "(";
  for (std::size_t i = 0; i < law.size(); ++i)
    out += (i ? ", " : "") + law[i].text;
  return out + "):`";
}

}  // namespace

void DefChecker::fill_body(const Decl& decl) {
  std::vector<ParamInfo> law = g_.def(self_).params;
  std::size_t n = decl.params.size();
  if (n > law.size()) {
    report(Msg::kFillTooManyNames, decl.span,
           {decl.text, counted(law.size(), "clause"), std::to_string(n)});
    return;
  }
  if (n < g_.def(self_).templates) {
    report(Msg::kFillTooFewNames, decl.span,
           {decl.text, counted(g_.def(self_).templates, "`~` clause")})
        .repair = fill_header(decl.text, law);
    return;
  }
  Value* goal = t_.eval(g_.def(self_).type, nullptr);
  std::vector<ParamInfo> rows(law.begin(), law.begin() + std::ptrdiff_t(n));
  for (std::size_t i = 0; i < n; ++i) {
    rows[i].text = decl.params[i].text;
    if (decl.params[i].type)
      report(Msg::kFillTypedBinder, decl.params[i].span, {rows[i].text});
  }
  push_params(rows, &decl.params);
  for (std::size_t i = 0; i < n; ++i)
    goal = t_.instantiate(t_.whnf(goal), envs_[i + 1]->value);
  Term* result = t_.quote(goal, depth(), false);
  Term* body = check(decl.body, goal);
  while (depth() > 0) pop();
  DefInfo& def = g_.def(self_);
  def.params = rows;
  def.result = result;
  def.body = lam_chain(rows, body);
}

// The type that a law's clauses and claim make. While `lead`, `for` clauses
// become parameters of the def.
Term* DefChecker::law_type(const std::vector<Clause>& clauses, std::size_t at,
                           const Node* claim, std::vector<ParamInfo>& out,
                           bool lead) {
  if (at == clauses.size()) return check_type(claim);
  const Clause& clause = clauses[at];
  const Param& param = clause.param;
  Term* type = nullptr;
  Mark mark = param.mark;
  if (param.type) {
    type = check_type(param.type);
  } else {
    type = g_.make(TermKind::kQuant, param.span);
    mark = Mark::kErased;
  }
  auto sigma = [&](Term* first, Term* second) {
    Term* t = g_.make(TermKind::kData, param.span);
    t->data = t_.ids().sigma;
    Term* one = g_.make(TermKind::kQty, param.span);
    one->num = 1;
    Term* lam = g_.make(TermKind::kLam, param.span);
    lam->text = param.text;
    lam->kids = {second};
    t->kids = {one, one, first, lam};
    return t;
  };
  if ((clause.where || clause.kind == ClauseKind::kExs) &&
      t_.ids().sigma == Data::kNone) {
    report(Msg::kNoBase, param.span);
    return broken(param.span);
  }
  if (clause.where) {
    push(param.text, Mark::kPlain, t_.eval(type, env_), {});
    Term* proof = check_type(clause.where);
    pop();
    type = sigma(type, proof);
  }
  Value* value = t_.eval(type, env_);
  if (mark == Mark::kReuse) need_data(param.text, value, param.span);
  bool exs = clause.kind == ClauseKind::kExs;
  if (!exs && lead)
    out.push_back({mark, param.is_template, param.text, type});
  push(param.text, exs ? Mark::kPlain : mark, value, {});
  ctx_.back().is_template = param.is_template;
  Term* rest = law_type(clauses, at + 1, claim, out, lead && !exs);
  pop();
  if (exs) return sigma(type, rest);
  Term* pi = g_.make(TermKind::kPi, param.span);
  pi->mark = mark;
  pi->text = param.text;
  pi->kids = {type, rest};
  return pi;
}

void DefChecker::law_signature(const Decl& decl) {
  live_ = false;
  std::vector<ParamInfo> rows;
  Term* type = law_type(decl.clauses, 0, decl.body, rows, true);
  const Term* result = type;
  for (std::size_t i = 0; i < rows.size(); ++i) result = result->kids[1];
  DefInfo& def = g_.def(self_);
  def.templates = 0;
  for (const ParamInfo& row : rows) def.templates += row.is_template;
  def.type = type;
  def.result = const_cast<Term*>(result);
  def.params = std::move(rows);
}

void DefChecker::data_signature(const Decl& decl) {
  live_ = false;
  std::vector<ParamInfo> rows = params(decl.params, false, true);
  Term* kind = decl.result ? check_type(decl.result) : broken(decl.span);
  Value* value = t_.whnf(t_.eval(kind, env_));
  if (value->kind != ValueKind::kKind && !is_unknown(value)) {
    Diag& diag = report(Msg::kTypeNotKind, decl.result->span, {decl.text});
    diag.observed = show(value);
  }
  while (depth() > 0) pop();
  DataInfo& data = g_.data(self_data_);
  data.leading_quants = 0;
  for (const ParamInfo& row : rows) {
    if (row.type->kind != TermKind::kQuant) break;
    ++data.leading_quants;
  }
  data.params = std::move(rows);
  data.kind = kind;
}

void DefChecker::data_fields(const Decl& decl) {
  live_ = false;
  std::vector<ParamInfo> rows = g_.data(self_data_).params;
  push_params(rows, nullptr);
  std::uint32_t base = depth();
  Value* kind = t_.whnf(t_.eval(g_.data(self_data_).kind, env_));
  Value* need = kind->kind == ValueKind::kKind
                    ? kind->args[0]
                    : t_.word(ValueKind::kQty, 1);
  std::vector<Ctor> ctors = g_.data(self_data_).ctors;
  for (std::size_t c = 0; c < ctors.size(); ++c) {
    std::vector<FieldInfo> fields;
    for (const Param& param : decl.ctors[c].fields) {
      FieldInfo field;
      field.mark = param.mark;
      field.text = param.text;
      for (const FieldInfo& other : fields)
        if (other.text == field.text)
          report(Msg::kRedeclaredField, param.span,
                 {decl.ctors[c].text, field.text});
      if (param.is_template) report(Msg::kTildeNotAllowed, param.span);
      if (param.type) {
        field.type = check_type(param.type);
      } else {
        field.mark = Mark::kErased;
        field.type = g_.make(TermKind::kQuant, param.span);
      }
      Value* type = t_.eval(field.type, env_);
      if (field.mark == Mark::kReuse) {
        need_data(field.text, type, param.span);
      } else if (field.mark == Mark::kPlain && !is_unknown(type) &&
                 !quantity_fits(kind_of(type), need)) {
        std::string shown = show(type), wanted = show(kind);
        Diag& diag = report(Msg::kFieldKind, param.span, {field.text});
        diag.expected = "a type of kind " + wanted;
        diag.observed = shown;
        diag.repair = field_hint(type);
      }
      push(field.text, field.mark, type, {});
      fields.push_back(std::move(field));
    }
    while (depth() > base) pop();
    g_.ctor(ctors[c]).fields = std::move(fields);
  }
  while (depth() > 0) pop();
}

Typed DefChecker::expression(const Node* node) {
  live_ = false;
  return elab(node, nullptr);
}

}  // namespace tine::core
