// Matches: a matrix of patterns becomes a tree of one-column matches.
//
// Columns are taken left to right. A column in which every row has a variable
// only renames; else it is opened: one arm per constructor in order of first
// mention, and a default arm for the rest. Opening a parameter or field closes
// every pending binder before it (the binder order of language.md 3.4).
//
//   case Nil{} _:                match xs
//   case h <> t 0n:      ==>       Nil: row 0
//   case h <> t 1n+p:              Con h t: match n
//                                    Zero: row 1    Succ p: row 2
#include <algorithm>

#include "compiler/core/checker.h"

namespace tine::core {

// ---- entries --------------------------------------------------------------------

Typed DefChecker::elab_match(const Node* node, Value* goal) {
  std::vector<const Node*> scrutinees(node->kids.begin(), node->kids.end());
  std::vector<Row> rows;
  std::deque<bool> reached(node->cases.size(), false);
  bool ok = true;
  for (std::size_t i = 0; i < node->cases.size(); ++i) {
    const Case& c = node->cases[i];
    if (c.patterns.size() != scrutinees.size()) {
      ok = false;
      report(Msg::kPatternCount, c.span,
             {counted(c.patterns.size(), "pattern"),
              counted(scrutinees.size(), "scrutinee")});
      continue;
    }
    Row row;
    for (const Node* p : c.patterns) {
      ok &= check_pattern(p);
      row.pats.push_back(p);
    }
    row.body = c.body;
    row.reached = &reached[i];
    rows.push_back(std::move(row));
  }
  if (!ok) return {broken(node->span), goal ? goal : unknown()};
  std::size_t errors = owner_.sink_.errors();
  Typed result = match_on(scrutinees, std::move(rows), goal, node);
  if (owner_.sink_.errors() == errors)
    for (std::size_t i = 0; i < node->cases.size(); ++i)
      if (!reached[i]) report(Msg::kUnreachableCase, node->cases[i].span);
  return result;
}

Typed DefChecker::elab_destruct(const Node* node, Value* goal) {
  if (!check_pattern(node->kids[0]))
    return {broken(node->span), goal ? goal : unknown()};
  Row row;
  bool reached = false;
  row.pats = {node->kids[0]};
  row.body = node->kids[2];
  row.reached = &reached;
  return match_on({node->kids[1]}, {row}, goal, node);
}

Typed DefChecker::match_on(const std::vector<const Node*>& scrutinees,
                           std::vector<Row> rows, Value* goal,
                           const Node* node) {
  if (!match_here_) {
    report(Msg::kMatchPlace, node->kind == NodeKind::kMatch
                                 ? node->op_span
                                 : node->kids[0]->span,
           {"a lambda, a parenthesised term or an argument"})
        .repair = "give it a def of its own";
    return {broken(node->span), goal ? goal : unknown()};
  }
  if (!goal) {
    report(Msg::kCannotInfer, node->span, {"a match"});
    return {broken(node->span), unknown()};
  }
  std::vector<std::uint32_t> cols;
  Term* outer = nullptr;
  Term* inner = nullptr;
  std::size_t pushed = 0;
  std::vector<Typed> computed;
  bool ok = true;
  for (const Node* s : scrutinees) {
    const Node* bare = s;
    while (bare->kind == NodeKind::kGroup) bare = bare->kids[0];
    std::optional<std::uint32_t> level;
    if (bare->kind == NodeKind::kName) level = find_local(bare->text);
    if (level) {
      if (std::find(cols.begin(), cols.end(), *level) != cols.end()) {
        report(Msg::kMatchRepeated, s->span, {bare->text});
        ok = false;
      }
      cols.push_back(*level);
      continue;
    }
    if (bare->kind == NodeKind::kCtor || bare->kind == NodeKind::kU32 ||
        bare->kind == NodeKind::kNat || bare->kind == NodeKind::kChar ||
        bare->kind == NodeKind::kString || bare->kind == NodeKind::kF32 ||
        bare->kind == NodeKind::kList || bare->kind == NodeKind::kTuple) {
      report(Msg::kScrutineeLiteral, s->span);
      ok = false;
      continue;
    }
    Typed value;
    {
      Scoped<bool> no_match(match_here_, false);
      value = elab(s, nullptr);
    }
    Term* let = g_.make(TermKind::kLet, s->span);
    let->kids = {value.term, nullptr};
    (outer ? inner->kids.back() : outer) = let;
    inner = let;
    push("", Mark::kPlain, value.type, {}, t_.delay(value.term, env_));
    ctx_.back().name = "the matched value";
    ctx_.back().quiet = true;
    cols.push_back(depth() - 1);
    ++pushed;
  }
  Term* tree = nullptr;
  auto pending = pending_;
  if (!ok) {
    tree = broken(node->span);
  } else {
    tree = matrix(cols, std::move(rows), goal, node);
  }
  pending_ = std::move(pending);
  for (std::size_t i = 0; i < pushed; ++i) pop();
  if (!outer) return {tree, goal};
  inner->kids.back() = tree;
  return {outer, goal};
}

// ---- the matrix -----------------------------------------------------------------

Term* DefChecker::matrix(std::vector<std::uint32_t> cols,
                         std::vector<Row> rows, Value* goal,
                         const Node* node) {
  if (rows.empty()) return missing(node, goal);
  if (!count_case(node)) return broken(node->span);
  drop_unreachable(rows);
  while (true) {
    if (cols.empty()) return row_body(rows[0], goal);
    bool opens = false;
    for (const Row& row : rows)
      opens |= view(row.pats[0], false).kind != View::kVar;
    if (opens) break;
    for (Row& row : rows) {
      View v = view(row.pats[0], false);
      row.aliases.push_back({v.name, cols[0], v.mark, v.span});
      row.pats.erase(row.pats.begin());
    }
    cols.erase(cols.begin());
  }
  std::uint32_t x = cols[0];
  if (!open_column(x, node->kind == NodeKind::kMatch ? node->kids[0]->span
                                                     : node->kids[1]->span))
    return broken(node->span);
  Value* type = t_.whnf(ctx_[x].type);
  if (is_unknown(type)) return broken(node->span);
  if (type->kind != ValueKind::kData) {
    refuse(Msg::kMatchNonDatatype, node->kids[0]->span, type, {quoted(x)});
    return broken(node->span);
  }
  if (live_ && !type_body_ && ctx_[x].mark == Mark::kErased &&
      !ctx_[x].complained) {
    ctx_[x].complained = true;
    explain_erased(
        report(Msg::kMatchErased, node->kids[0]->span, {quoted(x)}), x);
    return broken(node->span);
  }
  owner_.ensure_fields(type->data);
  bool shapes = false, literals = false, large = false;
  for (const Row& row : rows) {
    const Node* p = row.pats[0];
    shapes |= p->kind == NodeKind::kPCtor || p->kind == NodeKind::kPSucc;
    literals |= p->kind == NodeKind::kPLit;
    large |= is_literal(p, NodeKind::kNat) && p->kids[0]->num > 0;
  }
  bool strings = false;
  for (const Row& row : rows)
    strings |= is_literal(row.pats[0], NodeKind::kString);
  bool nat = type->data == t_.ids().nat;
  if (literals && !shapes && !strings && (!nat || large))
    return split_literals(std::move(cols), std::move(rows), goal, node);
  return split_ctors(std::move(cols), std::move(rows), goal, node, type);
}

// Columns are split from the left, and a row that does not care about a
// column goes into each of its arms: a few matches grow with 2^columns.
bool DefChecker::count_case(const Node* node) {
  if (++cases_ <= kMaxCases) return true;
  if (cases_ == kMaxCases + 1)
    report(Msg::kMatchTooLarge, node->span, {std::to_string(kMaxCases)})
        .repair = "match fewer values at once, or order the columns so that "
                  "the one that most cases look at comes first";
  return false;
}

// What stands after a row that fits everything.
void DefChecker::drop_unreachable(std::vector<Row>& rows) {
  auto fits_all = [&](const Row& row) {
    return std::all_of(row.pats.begin(), row.pats.end(), [&](const Node* p) {
      return view(p, false).kind == View::kVar;
    });
  };
  auto last = std::find_if(rows.begin(), rows.end(), fits_all);
  if (last != rows.end()) rows.erase(last + 1, rows.end());
}

// Binder order: what stood before `level` can no longer be matched.
bool DefChecker::open_column(std::uint32_t level, Span span) {
  Local& local = ctx_[level];
  if (local.opened) {
    report(Msg::kScrutineeTwice, span, {local.name}).repair =
        "match the fields of the case it was matched in";
    return false;
  }
  auto at = std::find(pending_.begin(), pending_.end(), level);
  if (at == pending_.end()) {
    if (!local.was_pending) return true;  // a let, or a computed value
    report(Msg::kMatchOrder, span, {local.name}).repair =
        "match the parameters in the order they are declared";
    return false;
  }
  pending_.erase(pending_.begin(), at + 1);
  return true;
}

Term* DefChecker::row_body(Row& row, Value* goal) {
  *row.reached = true;
  std::size_t mark = names_.size();
  std::vector<std::pair<std::uint32_t, Mark>> marks;
  std::vector<std::uint32_t> was_mentioned;
  for (const Row::Alias& alias : row.aliases) {
    name_level(alias.name, alias.level);
    if (alias.name != "_" && !ctx_[alias.level].opened) {
      ctx_[alias.level].name = alias.name;
      if (ctx_[alias.level].span.file == kNoFile)
        ctx_[alias.level].span = alias.span;
    }
    if (alias.mark == Mark::kReuse && ctx_[alias.level].mark == Mark::kPlain) {
      need_data(alias.name, ctx_[alias.level].type, alias.span);
      std::vector<std::uint32_t> work{alias.level};
      while (!work.empty()) {
        std::uint32_t level = work.back();
        work.pop_back();
        marks.emplace_back(level, ctx_[level].mark);
        if (ctx_[level].mark == Mark::kPlain) ctx_[level].mark = Mark::kReuse;
        for (std::uint32_t field : ctx_[level].fields) work.push_back(field);
      }
    }
    if (ctx_[alias.level].mentioned) was_mentioned.push_back(alias.level);
    ctx_[alias.level].mentioned = false;
  }
  Term* body = nullptr;
  {
    Scoped<bool> here(match_here_, true);
    body = check(row.body, goal);
  }
  for (const Row::Alias& alias : row.aliases)
    if (!ctx_[alias.level].mentioned && alias.name[0] != '_' && live_ &&
        !in_base())
      report(Msg::kUnusedBinder, alias.span, {alias.name});
  for (std::uint32_t level : was_mentioned) ctx_[level].mentioned = true;
  for (std::size_t i = marks.size(); i-- > 0;)
    ctx_[marks[i].first].mark = marks[i].second;
  names_.shrink(mark);
  return body;
}

namespace {

// Solves the variable a scrutinee stands for while an arm is checked.
class Solution {
 public:
  Solution(Theory& theory, Value* scrutinee, Value* value) : theory_(theory) {
    Value* v = theory.whnf(scrutinee);
    if (v->kind != ValueKind::kVar || !v->args.empty()) return;
    level_ = v->level;
    theory_.solve(level_, value);
  }
  ~Solution() {
    if (level_ >= 0) theory_.unsolve(std::uint32_t(level_));
  }
  Solution(const Solution&) = delete;

 private:
  Theory& theory_;
  std::int64_t level_ = -1;
};

}  // namespace

// The rows of one constructor's arm, with its fields' patterns in front.
std::vector<DefChecker::Row> DefChecker::field_rows(
    Ctor id, std::uint32_t x, const std::vector<const Row*>& rows) {
  static const Node wild = [] {
    Node n;
    n.kind = NodeKind::kPWild;
    return n;
  }();
  std::vector<Row> own;
  own.reserve(rows.size());
  for (const Row* row : rows) {
    View v = view(row->pats[0], true);
    Row copy = *row;
    copy.pats.erase(copy.pats.begin());
    if (v.kind == View::kCtor) {
      copy.pats.insert(copy.pats.begin(), v.subs.begin(), v.subs.end());
    } else {
      copy.aliases.push_back({v.name, x, v.mark, v.span});
      copy.pats.insert(copy.pats.begin(), g_.ctor(id).fields.size(), &wild);
    }
    own.push_back(std::move(copy));
  }
  return own;
}

TermArm DefChecker::ctor_arm(Ctor id, std::uint32_t x, Value* type,
                             const std::vector<std::uint32_t>& cols,
                             std::vector<Row> own, Value* goal,
                             const Node* node) {
  const std::vector<FieldInfo>& fields = g_.ctor(id).fields;
  std::uint32_t first = depth();
  TermArm arm;
  arm.kind = ArmKind::kCtor;
  arm.ctor = id;
  const Env* env = nullptr;
  for (Value* arg : type->args) env = t_.push(env, arg);
  std::vector<std::uint32_t> levels;
  std::vector<Value*> values;
  Mark outer = ctx_[x].mark;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Mark mark = fields[i].mark;
    if (outer == Mark::kErased) mark = Mark::kErased;
    if (outer == Mark::kReuse && mark == Mark::kPlain) mark = Mark::kReuse;
    std::string name = fields[i].text;
    for (const Row& row : own) {
      const Node* p = row.pats[i];
      if (p->kind == NodeKind::kPVar) {
        name = p->text;
        break;
      }
    }
    Value* field_type = t_.eval(fields[i].type, env);
    push("", mark, field_type, {});
    ctx_.back().name = name;
    ctx_.back().quiet = true;
    ctx_.back().pending = ctx_.back().was_pending = true;
    levels.push_back(depth() - 1);
    values.push_back(env_->value);
    env = t_.push(env, env_->value);
    arm.binds.push_back({mark, name});
  }
  auto pending = pending_;
  pending_.insert(pending_.begin(), levels.begin(), levels.end());
  ctx_[x].opened = true;
  ctx_[x].ctor = id;
  ctx_[x].fields = levels;
  std::vector<std::uint32_t> next = levels;
  next.insert(next.end(), cols.begin() + 1, cols.end());
  {
    const Env* at = envs_[x + 1];
    Solution solution(t_, at->value, t_.ctor(id, values));
    arm.body = matrix(next, std::move(own), goal, node);
  }
  ctx_[x].opened = false;
  ctx_[x].fields.clear();
  ctx_[x].ctor = Ctor::kNone;
  pending_ = std::move(pending);
  for (std::size_t i = 0; i < arm.binds.size(); ++i)
    if (ctx_[first + i].mark == Mark::kReuse)
      arm.binds[i].mark = Mark::kReuse;
  while (depth() > first) pop();
  return arm;
}

Term* DefChecker::split_ctors(std::vector<std::uint32_t> cols,
                              std::vector<Row> rows, Value* goal,
                              const Node* node, Value* type) {
  std::uint32_t x = cols[0];
  Term* t = g_.make(TermKind::kMatch, node->span);
  t->kids = {var_term(x, node->span)};
  const DataInfo& data = g_.data(type->data);
  // Rows of each constructor, and of the default, in one pass.
  std::vector<Ctor> order;
  std::map<Ctor, std::vector<const Row*>> of;
  std::vector<const Row*> others;
  for (const Row& row : rows) {
    View v = view(row.pats[0], true);
    if (v.kind == View::kLiteral) {
      Diag& diag = wrong_literal(row.pats[0], type);
      if (diag.repair == "write `" + tine::show(row.pats[0]->kids[0]) + "`")
        diag.repair = "literals and constructors do not mix in one column";
      return broken(node->span);
    }
    if (v.kind != View::kCtor) {
      for (auto& [id, list] : of) list.push_back(&row);
      others.push_back(&row);
      continue;
    }
    const CtorInfo& info = g_.ctor(v.ctor);
    if (info.data != type->data || has_tag(type->removed, info.tag)) {
      bool taken = info.data == type->data;
      Diag& diag = report(Msg::kCaseWrongType, row.pats[0]->span,
                          {info.shown});
      diag.expected = show(type);
      diag.repair = taken ? "a case above takes it" : cases_of(type);
      return broken(node->span);
    }
    auto [found, fresh] = of.try_emplace(v.ctor);
    if (fresh) {
      order.push_back(v.ctor);
      found->second = others;
    }
    found->second.push_back(&row);
  }
  auto before = counts();
  count(x, node->kids[0]->span);
  auto base = counts();
  auto joined = base;
  auto pending = pending_;
  TagSet handled = type->removed ? *type->removed : TagSet{};
  for (Ctor id : order) {
    t->arms.push_back(ctor_arm(id, x, type, cols, field_rows(id, x, of[id]),
                               goal, node));
    handled.add(g_.ctor(id).tag);
    join_counts(joined);
    set_counts(base);
    pending_ = pending;
  }
  std::vector<Ctor> rest;
  for (Ctor id : data.ctors)
    if (!handled.has(g_.ctor(id).tag)) rest.push_back(id);
  if (!rest.empty()) {
    std::vector<Row> own;
    for (const Row* row : others) {
      View v = view(row->pats[0], true);
      own.push_back(*row);
      own.back().aliases.push_back({v.name, x, v.mark, v.span});
      own.back().pats.erase(own.back().pats.begin());
    }
    Value* whole = ctx_[x].type;
    Value* residual =
        t_.make(ValueKind::kData, {type->args.begin(), type->args.end()});
    residual->data = type->data;
    residual->removed = t_.keep_tags(std::move(handled));
    TermArm arm;
    arm.kind = ArmKind::kElse;
    if (own.empty()) {
      // Show the first missing constructor in the witness.
      ctx_[x].opened = true;
      ctx_[x].ctor = rest[0];
      ctx_[x].fields.clear();
      arm.body = missing(node, goal);
      ctx_[x].opened = false;
      ctx_[x].ctor = Ctor::kNone;
    } else {
      ctx_[x].type = residual;
      ctx_[x].uses = before[x];
      if (ctx_[x].was_pending) pending_.insert(pending_.begin(), x);
      cols.erase(cols.begin());
      arm.body = matrix(cols, std::move(own), goal, node);
      ctx_[x].type = whole;
      join_counts(joined);
    }
    t->arms.push_back(std::move(arm));
  }
  set_counts(joined);
  pending_ = pending;
  return t;
}

Term* DefChecker::split_literals(std::vector<std::uint32_t> cols,
                                 std::vector<Row> rows, Value* goal,
                                 const Node* node) {
  std::uint32_t x = cols[0];
  Term* t = g_.make(TermKind::kMatch, node->span);
  t->kids = {var_term(x, node->span)};
  Value* type = t_.whnf(ctx_[x].type);
  const BaseIds& ids = t_.ids();
  std::vector<View> order;
  // Rows of each literal, and of the default, in one pass.
  std::map<std::uint64_t, std::vector<Row>> of;
  std::vector<Row> others;
  for (Row& row : rows) {
    View v = view(row.pats[0], false);
    Row rest = row;
    rest.pats.erase(rest.pats.begin());
    if (v.kind == View::kCtor) {  // 0n
      v.kind = View::kLiteral;
      v.literal = NodeKind::kNat;
      v.num = 0;
    }
    if (v.kind == View::kVar) {
      rest.aliases.push_back({v.name, x, v.mark, v.span});
      for (auto& [num, list] : of) list.push_back(rest);
      others.push_back(std::move(rest));
      continue;
    }
    Data want = v.literal == NodeKind::kU32    ? ids.u32
                : v.literal == NodeKind::kF32  ? ids.f32
                : v.literal == NodeKind::kChar ? ids.chr
                                               : ids.nat;
    if (type->data != want) {
      wrong_literal(row.pats[0], type);
      return broken(node->span);
    }
    auto found = of.find(v.num);
    if (found == of.end()) {
      order.push_back(v);
      found = of.emplace(v.num, others).first;
    }
    found->second.push_back(std::move(rest));
  }
  auto before = counts();
  count(x, node->kids[0]->span);
  auto base = counts();
  auto joined = base;
  auto pending = pending_;
  std::vector<std::uint32_t> next(cols.begin() + 1, cols.end());
  for (const View& v : order) {
    TermArm arm;
    arm.kind = ArmKind::kLiteral;
    arm.num = v.num;
    ValueKind kind = v.literal == NodeKind::kU32    ? ValueKind::kU32
                     : v.literal == NodeKind::kF32  ? ValueKind::kF32
                     : v.literal == NodeKind::kChar ? ValueKind::kChar
                                                    : ValueKind::kNat;
    ctx_[x].opened = true;
    if (kind == ValueKind::kNat) ctx_[x].literal = std::int64_t(v.num);
    {
      Solution solution(t_, envs_[x + 1]->value, t_.word(kind, v.num));
      arm.body = matrix(next, std::move(of[v.num]), goal, node);
    }
    ctx_[x].opened = false;
    ctx_[x].literal = -1;
    t->arms.push_back(std::move(arm));
    join_counts(joined);
    set_counts(base);
    pending_ = pending;
  }
  if (others.empty()) {
    Span span = node->kind == NodeKind::kMatch
                    ? Span{node->op_span.file, node->op_span.begin,
                           node->kids.back()->span.end}
                    : node->kids[0]->span;
    report(Msg::kMissingCatchAll, span, {show(type)}).repair =
        "add `case _:` for every other value";
  } else {
    TermArm arm;
    arm.kind = ArmKind::kElse;
    ctx_[x].uses = before[x];
    if (ctx_[x].was_pending) pending_.insert(pending_.begin(), x);
    arm.body = matrix(next, std::move(others), goal, node);
    join_counts(joined);
    t->arms.push_back(std::move(arm));
  }
  set_counts(joined);
  pending_ = pending;
  return t;
}

}  // namespace tine::core
