// From checked core terms to the book.
//
// The pass starts with what an engine enters, and lowers instance after
// instance until the list of work is empty: erased arguments are gone, type
// arguments are specialised away, every rule is linear. Only what can be
// reached gets into the book.
#include "compiler/book/lower.h"

#include <string>
#include <vector>

#include "compiler/book/lower_instances.h"
#include "compiler/book/lower_main.h"
#include "compiler/book/lower_rules.h"
#include "compiler/book/lower_types.h"

namespace tine {

namespace {

using core::Value;
using core::ValueKind;

class Lowering {
 public:
  Lowering(core::Globals& globals, core::Theory& theory,
           const SourceMap& sources, bool closed, Book& book, Sink& sink)
      : globals_(globals),
        theory_(theory),
        book_(book),
        sink_(sink),
        types_(globals, theory, book),
        instances_(globals, theory, sources, types_, book),
        rules_(globals, theory, sources, instances_, types_, book, sink,
               closed) {}

  void run(bool all) {
    if (all) {
      enter_all();
    } else {
      enter_main();
    }
    if (sink_.has_errors()) return;
    // Every instance that is asked for on the way joins the list.
    while (const Instance* next = instances_.next()) {
      rules_.lower(*next);
      if (sink_.has_errors()) return;
    }
    for (core::Ctor ctor : types_.open_ctors()) {
      sink_.report(Msg::kArrayElementOpen, globals_.ctor(ctor).span);
    }
    book_.link_known();
    if (theory_.failure() != core::TheoryFailure::kNone) {
      sink_.report(Msg::kTypesTooLarge, Span{});
    }
  }

 private:
  void enter_main() {
    const core::DefInfo& main = globals_.def(globals_.main);
    if (!main.params.empty()) {
      sink_.report(Msg::kMainParameters, main.span);
      return;
    }
    if (!main.body) {
      sink_.report(Msg::kMainForeign, main.span);
      return;
    }
    MainType type(globals_, theory_, types_);
    Value* result = theory_.eval(main.result, nullptr);
    if (Value* answer = type.answer_of_action(result)) {
      book_.main_is_io = true;
      book_.main =
          instances_
              .entry(globals_.main, answer, applied_action(globals_, main.body))
              .id;
      return;
    }
    std::string part = type.unprintable(result);
    if (!part.empty()) {
      sink_.report(Msg::kMainNotPrintable, main.span, {part});
      return;
    }
    InstanceRequest request;
    request.def = globals_.main;
    book_.main = instances_.get(std::move(request)).id;
  }

  // Every def that has code of its own, its type parameters unknown.
  void enter_all() {
    for (std::uint32_t i = 0; i < globals_.defs.size(); i++) {
      const core::DefInfo& def = globals_.defs[i];
      bool code = !def.is_base && def.body && def.templates == 0 &&
                  def.state == core::DefState::kChecked;
      if (!code || !has_value(def)) continue;
      InstanceRequest request;
      request.def = static_cast<core::Def>(i);
      for (const ParamRole& role : instances_.roles(request.def)) {
        if (role.family) request.types.push_back(kTypeAny);
      }
      instances_.get(std::move(request));
    }
  }

  // False for what gives a type or a proof.
  bool has_value(const core::DefInfo& def) {
    Value* type = theory_.whnf(theory_.eval(def.type, nullptr));
    while (type->kind == ValueKind::kPi) {
      type = theory_.whnf(theory_.instantiate(type, types_.fresh()));
    }
    return type->kind != ValueKind::kKind && type->kind != ValueKind::kEqual &&
           type->kind != ValueKind::kQuant;
  }

  core::Globals& globals_;
  core::Theory& theory_;
  Book& book_;
  Sink& sink_;
  LowerTypes types_;
  Instances instances_;
  RuleLowering rules_;
};

}  // namespace

void lower_program(core::Globals& globals, core::Theory& theory,
                   const SourceMap& sources, const LowerOptions& options,
                   Book& book, Sink& sink) {
  bool has_main = globals.main != core::Def::kNone;
  if (!has_main && !options.all_defs) {
    sink.report(Msg::kNoMain, Span{});
    return;
  }
  Lowering(globals, theory, sources, has_main, book, sink).run(!has_main);
}

}  // namespace tine
