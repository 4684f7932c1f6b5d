// The checker's entry: declare every name, order the units, check each.
#include "compiler/core/check.h"

#include "compiler/core/checker.h"

namespace tine::core {

CheckResult check_program(const std::vector<Module>& modules,
                          Globals& globals, Theory& theory, Sink& sink) {
  std::size_t from = sink.diags().size();
  CheckResult result = Checker(modules, globals, theory, sink).run();
  sink.settle(from);
  return result;
}

Typed check_expression(const std::vector<Module>& modules, Globals& globals,
                       Theory& theory, const Node* node, Sink& sink) {
  return Checker(modules, globals, theory, sink).expression(node);
}

CheckResult Checker::run() {
  CheckResult result;
  // Every name is known before any type is read.
  declare_all();
  // A file without Base may use its names for types of other shapes.
  for (const Module& module : modules_)
    if (module.is_base) theory_.link_base();
  if (sink_.has_errors()) return result;
  for (std::uint32_t i : order()) {
    const Unit& unit = units_[i];
    if (unit.data != Data::kNone) {
      ensure_fields(unit.data);
    } else {
      ensure_signature(unit.def);
      if (i == body_unit(unit.def)) ensure_body(unit.def);
    }
    if (!report_limit(unit)) return result;
  }
  mark_unsafe(result);
  report_open(result);
  return result;
}

// A limit of the theory ends checking; false when one was met.
bool Checker::report_limit(const Unit& unit) {
  const char* what = nullptr;
  switch (theory_.failure()) {
    case TheoryFailure::kNone: return true;
    case TheoryFailure::kFuel: what = "it takes too many steps"; break;
    case TheoryFailure::kDeadline: what = "the time is up"; break;
    case TheoryFailure::kMemory: what = "it takes too much memory"; break;
    case TheoryFailure::kDepth: what = "evaluation nests too deeply"; break;
    case TheoryFailure::kInterrupted: what = "it was interrupted"; break;
  }
  sink_.report(Msg::kCheckLimit, unit.decl->span, {unit.decl->text, what});
  return false;
}

void Checker::ensure_data(Data data) {
  Progress& done = data_done_[index(data)];
  if (done != Progress::kNone) return;
  done = Progress::kActive;
  const Unit& unit = units_[unit_of_data_[index(data)]];
  DefChecker(*this, unit.module, Def::kNone, data).data_signature(*unit.decl);
  data_done_[index(data)] = Progress::kDone;
}

void Checker::ensure_fields(Data data) {
  ensure_data(data);
  Progress& done = fields_done_[index(data)];
  if (done != Progress::kNone) return;
  done = Progress::kActive;
  const Unit& unit = units_[unit_of_data_[index(data)]];
  DefChecker(*this, unit.module, Def::kNone, data).data_fields(*unit.decl);
  fields_done_[index(data)] = Progress::kDone;
}

void Checker::ensure_signature(Def def) {
  Progress& done = sig_done_[index(def)];
  if (done != Progress::kNone) return;
  done = Progress::kActive;
  const Unit& unit = units_[unit_of_def_[index(def)]];
  DefChecker checker(*this, unit.module, def, Data::kNone);
  if (unit.decl->kind == DeclKind::kLaw)
    checker.law_signature(*unit.decl);
  else
    checker.def_signature(*unit.decl);
  sig_done_[index(def)] = Progress::kDone;
}

void Checker::ensure_body(Def def) {
  ensure_signature(def);
  if (globals_.def(def).state != DefState::kDeclared) return;
  const Unit& unit = units_[body_unit(def)];
  if (unit.decl->kind == DeclKind::kLaw) {
    globals_.def(def).state = DefState::kChecked;  // open: no body
    return;
  }
  globals_.def(def).state = DefState::kChecking;
  std::size_t errors = sink_.errors();
  if (unit.decl->is_foreign) {
    std::string file =
        unit.decl->foreign.empty() ? "" : unit.decl->foreign[0];
    sink_.report(Msg::kForeignRefused, unit.decl->foreign_span, {file})
        .where = globals_.def(def).shown;
  } else {
    DefChecker checker(*this, unit.module, def, Data::kNone);
    if (unit.decl->kind == DeclKind::kFill)
      checker.fill_body(*unit.decl);
    else
      checker.def_body(*unit.decl);
  }
  bool ok = sink_.errors() == errors && globals_.def(def).body;
  globals_.def(def).state = ok ? DefState::kChecked : DefState::kFailed;
}

Typed Checker::expression(const Node* node) {
  // The tables are complete: nothing is left to be done on demand.
  unit_of_def_.assign(globals_.defs.size(), 0);
  unit_of_data_.assign(globals_.datas.size(), 0);
  fill_of_def_.assign(globals_.defs.size(), kNoUnit);
  sig_done_.assign(globals_.defs.size(), Progress::kDone);
  data_done_.assign(globals_.datas.size(), Progress::kDone);
  fields_done_.assign(globals_.datas.size(), Progress::kDone);
  std::uint32_t entry = 0;
  for (std::uint32_t m = 0; m < modules_.size(); ++m)
    if (modules_[m].is_entry) entry = m;
  units_.assign(1, Unit{});
  units_[0].module = entry;
  std::size_t errors = sink_.errors();
  Typed typed;
  {
    DefChecker checker(*this, entry, Def::kNone, Data::kNone);
    typed = checker.expression(node);
  }
  if (sink_.errors() != errors) return {};
  return typed;
}

}  // namespace tine::core
