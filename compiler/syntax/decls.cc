// Declarations: def, type, law.
//
//   def name(params) -> T: body      @unsafe def ..    def name?(..) ..
//   def name(a, b): body             fills the law of that name
//   def name(..) -> IO(T): import "x.c" import "x.js"
//   type Name<params> is Kind: K{fields} L{fields}
//   law name: for x: T  exs y: T where P  claim
#include "compiler/syntax/parser.h"

namespace tine {

void Parser::parse_declaration() {
  where_.clear();
  switch (peek().kind) {
    case Tok::kDef:
      return parse_def();
    case Tok::kType:
      return parse_type();
    case Tok::kLaw:
      return parse_law();
    case Tok::kAt:
      return parse_def();
    default:
      report_junk();
  }
}

// A name where one must stand: binders, fields, declarations.
bool Parser::take_name(std::string_view what, std::string& text, Span& span) {
  const Token token = peek();
  if (token.kind == Tok::kName) {
    take();
    text = text_of(token);
    span = span_of(token);
    return true;
  }
  if (panic_ || report_special()) return false;
  const bool reserved = token.kind >= Tok::kDef && token.kind <= Tok::kQuant;
  if (reserved && !at_declaration()) {
    fail(Msg::kReservedName, span_of(token), {std::string(text_of(token))});
  } else {
    fail(Msg::kExpectedName, span_of(token),
         {std::string(what), describe(token)});
  }
  return false;
}

// `-`, `+` and (when it may stand here) `~` before a name.
Mark Parser::parse_mark(bool& is_template) {
  if (accept(Tok::kPlusMark)) return Mark::kReuse;
  if (accept(Tok::kMinusMark)) return Mark::kErased;
  if (at_op(find_operator("+"))) {
    set_role(TokenRole::kPrefix);
    take();
    return Mark::kReuse;
  }
  if (at_op(find_operator("-"))) {
    set_role(TokenRole::kPrefix);
    take();
    return Mark::kErased;
  }
  is_template = accept(Tok::kTilde);
  return Mark::kPlain;
}

// Parameters
// ----------

Param Parser::parse_param(bool templates) {
  Param param;
  const Token start = peek();
  param.mark = parse_mark(param.is_template);
  if (param.is_template && !templates) {
    report(Msg::kTildeNotAllowed, span_of(start));
  }
  Span name;
  if (!take_name("a parameter", param.text, name)) return param;
  param.span = span_from(start.begin);
  const bool marked = param.mark != Mark::kPlain || param.is_template;
  if (at(Tok::kColon) || marked) {
    expect(Tok::kColon, "`:` and a type");
    param.type = parse_term(0);
  }
  return param;
}

// Whether a parameter may start here; a reserved word gets its own message.
bool Parser::at_param() const {
  const Tok kind = peek().kind;
  return kind == Tok::kName || kind == Tok::kPlusMark ||
         kind == Tok::kMinusMark || kind == Tok::kTilde ||
         at_op(find_operator("+")) || at_op(find_operator("-")) ||
         (kind >= Tok::kDef && kind <= Tok::kQuant);
}

void Parser::parse_params(std::vector<Param>& params, Tok close,
                          bool templates) {
  bool plain = false;
  while (!at(close) && !at(Tok::kEnd) && !at_declaration()) {
    if (close == Tok::kTightGreater && closes_type_args()) return;
    set_item(!params.empty());
    const Param param = parse_param(templates);
    if (panic_) return;
    if (param.is_template && plain) {
      report(Msg::kTildeAfterPlain, param.span);
    }
    plain = plain || !param.is_template;
    params.push_back(param);
    if (!accept(Tok::kComma) && !at_param()) return;
  }
}

// def
// ---

void Parser::parse_def() {
  const Token start = peek();
  Decl decl;
  decl.kind = DeclKind::kDef;
  if (accept(Tok::kAt)) {
    const Token word = peek();
    if (!at(Tok::kName) || text_of(word) != "unsafe") {
      fail(Msg::kUnknownAttribute, span_of(word),
           {std::string(text_of(word))});
      return;
    }
    take();
    decl.is_unsafe = true;
    if (!at(Tok::kDef)) {
      unexpected("`def`");
      return;
    }
  }
  take();
  if (!take_name("the name of a def", decl.text, decl.span)) return;
  where_ = decl.text;
  if (at(Tok::kQuestion)) set_role(TokenRole::kGlued);
  if (accept(Tok::kQuestion)) decl.is_unsafe = true;
  set_role(TokenRole::kGlued);
  const Token open = peek();
  if (!expect(Tok::kLParen, "`(` and parameters")) return;
  parse_def_rest(decl, start, open);
}

void Parser::parse_def_rest(Decl& decl, const Token& start,
                            const Token& open) {
  {
    const Scope scope(*this, {.colon_ends = true});
    parse_params(decl.params, Tok::kRParen, true);
    expect_close(open, Tok::kRParen, "`,` or `)`");
    if (at_op(kOpArrow)) {
      take();
      decl.result = parse_term(0);
    } else if (!panic_) {
      decl.kind = DeclKind::kFill;
      check_fill(decl);
    }
    expect(Tok::kColon, decl.result == nullptr ? "`->` or `:`" : "`:`");
  }
  set_middle(decl_);
  if (!panic_ && at(Tok::kImport) && decl.result != nullptr) {
    parse_foreign(decl);
  } else {
    const Scope scope(*this, {});
    decl.body = parse_body(0);
  }
  decl.whole = span_from(start.begin);
  tree_.decls.push_back(std::move(decl));
}

void Parser::check_fill(const Decl& decl) {
  for (const Param& param : decl.params) {
    if (param.type == nullptr) continue;
    report(Msg::kFillTypedBinder, param.span, {param.text}).repair =
        "give the def a result type, `-> T`, or drop the types of its "
        "parameters";
    return;
  }
}

void Parser::parse_foreign(Decl& decl) {
  decl.is_foreign = true;
  const Node* result = decl.result;
  const bool is_io = result->kind == NodeKind::kCall &&
                     result->kids[0]->kind == NodeKind::kName &&
                     result->kids[0]->text == "IO";
  if (!is_io) {
    std::string written = show(result);
    report(Msg::kForeignResult, result->span).repair =
        "write `-> IO(" + written + ")`";
  }
  for (const Param& param : decl.params) {
    if (param.is_template) report(Msg::kForeignTemplate, param.span);
  }
  while (at(Tok::kImport)) {
    set_mark(kMarkMember);
    take();
    const Token name = peek();
    if (!expect(Tok::kString, "the file of a foreign body")) return;
    const std::string& path = stream_.strings[name.value];
    if (!path.ends_with(".c") && !path.ends_with(".js")) {
      report(Msg::kForeignSuffix, span_of(name), {path});
    }
    if (decl.foreign.empty()) decl.foreign_span = span_of(name);
    decl.foreign.push_back(path);
  }
}

// type
// ----

void Parser::parse_type() {
  const Token start = take();
  Decl decl;
  decl.kind = DeclKind::kType;
  if (!take_name("the name of a type", decl.text, decl.span)) return;
  where_ = decl.text;
  const Scope scope(*this, {.colon_ends = true});
  parse_type_params(decl);
  if (!accept(Tok::kIs)) {
    unexpected("`is` and the kind of the type");
    return;
  }
  decl.result = parse_term(0);
  expect(Tok::kColon, "`:` behind the kind of the type");
  set_middle(decl_);
  while (at(Tok::kName)) parse_ctor(decl);
  decl.whole = span_from(start.begin);
  tree_.decls.push_back(std::move(decl));
}

// `<a, -A: Kind(a)>`. The lexer reads `<-A` as `<-` and `A`, and `<>` as one
// operator.
void Parser::parse_type_params(Decl& decl) {
  if (at_op(kOpCons)) {
    set_role(TokenRole::kGlued);
    take();
    return;
  }
  const Token open = peek();
  if (!at_op(kOpLess) && !at(Tok::kBackArrow)) return;
  set_role(TokenRole::kTypeOpen);
  take();
  Scope scope(*this, {.colon_ends = true, .greater_closes = true});
  if (open.kind == Tok::kBackArrow) {
    decl.params.push_back(parse_param(false));
    Param& first = decl.params.back();
    first.mark = Mark::kErased;
    first.span.begin = open.begin + 1;
    if (first.type == nullptr) expect(Tok::kColon, "`:` and a type");
    accept(Tok::kComma);
  }
  parse_params(decl.params, Tok::kTightGreater, false);
  if (panic_) return;
  if (!closes_type_args()) {
    unexpected("`,` or `>`");
    return;
  }
  set_role(TokenRole::kTypeClose);
  take();
}

void Parser::parse_ctor(Decl& decl) {
  CtorDecl ctor;
  set_mark(kMarkMember);
  const Token name = take();
  ctor.text = text_of(name);
  set_role(TokenRole::kGlued);
  const Token open = peek();
  if (!accept(Tok::kLBrace)) {
    fail(Msg::kExpectedToken, span_of(open),
         {"`{` and the fields of `" + ctor.text + "`", describe(open)},
         "write `" + ctor.text + "{}` for a constructor without fields");
    return;
  }
  parse_params(ctor.fields, Tok::kRBrace, false);
  expect_close(open, Tok::kRBrace, "`,` or `}`");
  ctor.span = span_of(name);
  check_fields(ctor);
  decl.ctors.push_back(std::move(ctor));
}

void Parser::check_fields(const CtorDecl& ctor) {
  std::unordered_set<std::string_view> seen;
  for (const Param& field : ctor.fields) {
    if (field.text == "_" || seen.insert(field.text).second) continue;
    report(Msg::kRedeclaredField, field.span, {ctor.text, field.text});
  }
}

// law
// ---

void Parser::parse_law() {
  const Token start = take();
  Decl decl;
  decl.kind = DeclKind::kLaw;
  if (!take_name("the name of a law", decl.text, decl.span)) return;
  where_ = decl.text;
  expect(Tok::kColon, "`:` and the claim of the law");
  set_middle(decl_);
  {
    const Scope scope(*this, {.colon_ends = true});
    bool plain = false;
    while (at(Tok::kFor) || at(Tok::kExs)) {
      parse_clause(decl);
      if (panic_) return;
      const Param& param = decl.clauses.back().param;
      if (param.is_template && plain) {
        report(Msg::kTildeAfterPlain, param.span);
      }
      plain = plain || !param.is_template;
    }
  }
  const Scope scope(*this, {});
  set_mark(kMarkMember);
  decl.body = parse_body_here();
  decl.whole = span_from(start.begin);
  tree_.decls.push_back(std::move(decl));
}

// `for x: T`, `exs y: T`, each perhaps with `where P`.
void Parser::parse_clause(Decl& decl) {
  Clause clause;
  set_mark(kMarkMember);
  clause.kind = at(Tok::kFor) ? ClauseKind::kFor : ClauseKind::kExs;
  take();
  const Token start = peek();
  if (clause.kind == ClauseKind::kFor) {
    clause.param.mark = parse_mark(clause.param.is_template);
  }
  Span name;
  if (!take_name("a binder", clause.param.text, name)) return;
  clause.param.span = span_from(start.begin);
  expect(Tok::kColon, "`:` and a type");
  clause.param.type = parse_term(0);
  if (accept(Tok::kWhere)) clause.where = parse_term(0);
  decl.clauses.push_back(std::move(clause));
}

}  // namespace tine
