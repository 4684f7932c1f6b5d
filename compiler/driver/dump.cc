// The surface tree and the checked core terms as text, Base left out.
#include "compiler/driver/dump.h"

#include "compiler/driver/pipeline.h"

namespace tine {
namespace {

std::string mark_text(Mark mark) {
  switch (mark) {
    case Mark::kErased:
      return "-";
    case Mark::kReuse:
      return "+";
    default:
      return "";
  }
}

std::string show_params(const std::vector<Param>& params) {
  std::string text;
  for (const Param& param : params) {
    if (!text.empty()) text += ", ";
    text += (param.is_template ? "~" : mark_text(param.mark)) + param.text;
    if (param.type) text += ": " + show(param.type);
  }
  return text;
}

std::string show_type(const Decl& decl) {
  std::string text = "type " + decl.text;
  if (!decl.params.empty()) text += "<" + show_params(decl.params) + ">";
  text += " is " + (decl.result ? show(decl.result) : "?") + ":\n";
  for (const CtorDecl& ctor : decl.ctors) {
    text += "  " + ctor.text + "{" + show_params(ctor.fields) + "}\n";
  }
  return text;
}

std::string show_def(const Decl& decl) {
  std::string text = decl.is_unsafe ? "@unsafe def " : "def ";
  text += decl.text + "(" + show_params(decl.params) + ")";
  if (decl.result) text += " -> " + show(decl.result);
  text += ":\n";
  if (decl.body) text += "  " + show(decl.body) + "\n";
  return text;
}

std::string show_law(const Decl& decl) {
  std::string text = "law " + decl.text + ":\n";
  for (const Clause& clause : decl.clauses) {
    text += clause.kind == ClauseKind::kFor ? "  for " : "  exs ";
    text += show_params({clause.param});
    if (clause.where) text += " where " + show(clause.where);
    text += "\n";
  }
  if (decl.body) text += "  " + show(decl.body) + "\n";
  return text;
}

std::string show_decl(const Decl& decl) {
  switch (decl.kind) {
    case DeclKind::kType:
      return show_type(decl);
    case DeclKind::kLaw:
      return show_law(decl);
    default:
      return show_def(decl);
  }
}

std::string dump_surface(const Program::State& state) {
  std::string text;
  for (const core::Module& module : state.modules.modules) {
    if (module.is_base) continue;
    text += "# " + state.sources.file(module.tree->file).path + "\n";
    for (const Decl& decl : module.tree->decls) text += show_decl(decl);
  }
  return text;
}

std::string dump_core(const Program::State& state) {
  std::string text;
  for (const core::DefInfo& def : state.globals.defs) {
    if (def.is_base) continue;
    text += def.shown + " : ";
    text += def.type ? show(state.globals, def.type) : "?";
    if (def.body) text += "\n  = " + show(state.globals, def.body);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string dump_stage(Program::State& state, std::string_view stage) {
  if (stage == "surface") return dump_surface(state);
  if (stage == "core") return dump_core(state);
  report_now(state, Msg::kUnknownStage, {std::string(stage)});
  return "";
}

}  // namespace tine
