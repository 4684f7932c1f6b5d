// The order of the file: prelude, structs, prototypes, functions, entries of
// closures, the description of the program. For a device only what reaches no
// fork.
#include "compiler/emit/emit.h"

#include <cctype>

#include "compiler/emit/function.h"
#include "compiler/emit/prelude.h"
#include "compiler/emit/reach.h"
#include "runtime/net/trust.h"

namespace tine {
namespace {

std::string mangled(const Book& book, DefId def) {
  std::string name = "f" + std::to_string(index(def)) + "_";
  for (char c : book.def(def).name.substr(0, 40)) {
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name;
}

class Emitter {
 public:
  Emitter(const Book& book, const NetProgram& numbers, bool counts)
      : shared_{.book = book,
                .numbers = numbers,
                .reps = Reps(book, numbers, types_hold(book)),
                .readers = Readers(book),
                .reach = Reach(book),
                .counts = counts},
        reach_(shared_.reach) {}

  EmitResult emit() {
    std::string bodies;
    for (const Function& function : functions()) bodies += function.text;
    std::string rest = entries() + main_entry();
    std::string text = "/* emitted by tine */\n" +
                       c_prelude(shared_.counts) + values() +
                       "\n/* definitions */\n" + prototypes(false) +
                       shared_.texts + shared_.forks + bodies + rest +
                       c_program_row(shared_.book.defs.size(), shared_.counts);
    return {std::move(text), shared_.missing};
  }

  EmitResult emit_for_device() {
    std::string bodies, rows;
    std::size_t number = 0;
    for (const Function& function : functions()) {
      if (reach_.forks(function.form.def)) continue;
      bodies += function.text;
      rows += "  to[" + std::to_string(number++) + "] = (const void*)" +
              form_name(shared_, function.form) + ";\n";
    }
    std::string text = "/* emitted by tine for a device */\n" +
                       device_prelude() + values() +
                       "\n/* definitions */\n" + prototypes(true) +
                       shared_.texts + bodies +
                       "\n/* addresses */\nextern \"C\" __global__ void "
                       "tine_addresses(const void** to) {\n  (void)to;\n" +
                       rows + "}\n";
    return {std::move(text), shared_.missing};
  }

 private:
  struct Function {
    EmitForm form;
    std::string text;
  };

  std::vector<Function> functions() {
    const Book& book = shared_.book;
    shared_.names.resize(book.defs.size());
    shared_.entered.resize(book.defs.size());
    for (DefId def : reach_.order()) {
      shared_.names[index(def)] = mangled(book, def);
    }
    std::vector<Function> result;
    for (DefId def : reach_.order()) result.push_back(function({def}));
    // Forms ask for further forms.
    for (std::size_t i = 0; i < shared_.lent_forms.size(); ++i) {
      result.push_back(function(shared_.lent_forms[i]));
    }
    return result;
  }
  Function function(EmitForm form) {
    return {form, emit_function(shared_, form, reach_.checks(form.def))};
  }

  std::string values() {
    return "\n/* values */\n" + shared_.reps.declarations();
  }

  std::string prototypes(bool device) {
    std::string text;
    auto add = [&](const EmitForm& form) {
      if (device && reach_.forks(form.def)) return;
      if (reach_.runs_seldom(form.def)) text += "COLD ";
      if (reach_.heads_work(form.def)) text += "HOT ";
      text += function_head(shared_, form) + ";\n";
    };
    for (DefId def : reach_.order()) add({def});
    for (const EmitForm& form : shared_.lent_forms) add(form);
    return text;
  }

  // Def by number: what `apply` needs to call it.
  std::string entries() {
    std::string text, rows;
    std::size_t count = shared_.book.defs.size();
    for (DefId def : reach_.order()) {
      if (!shared_.entered[index(def)]) continue;
      text += emit_entry(shared_, def);
      rows += "  [" + std::to_string(index(def)) + "] = { " +
              std::to_string(shared_.book.def(def).params) + ", e" +
              std::to_string(index(def)) + " },\n";
    }
    CtorId emit = shared_.book.known.emit;
    std::string number = std::to_string(count);
    if (emit != CtorId::kNone) {
      text += "/* the last continuation: Emit */\nstatic u64 e" + number +
              "(W* w, u64* node, u64 last) {\n  u64* n = make(w, HEAD(" +
              std::to_string(shared_.numbers.id(emit)) + ", 2), 2, MAIN);\n"
              "  (void)node;\n  n[1] = last;\n  return (u64)n;\n}\n";
      rows += "  [" + number + "] = { 1, e" + number + " },\n";
    } else {
      rows += "  [" + number + "] = { 0, 0 },\n";
    }
    return "\n/* closures */\n#define MAIN " +
           std::to_string(index(shared_.book.main)) + "u\n" + text +
           "static const Def defs[] = {\n" + rows + "};\n";
  }

  std::string main_entry() {
    const DefRow& main = shared_.book.def(shared_.book.main);
    std::string call = shared_.names[index(shared_.book.main)] +
                       (main.params == 1 ? "(w, k)" : "(w)");
    return "static u64 main_entry(W* w, u64 k) {\n  (void)k;\n  return " +
           shared_.reps.convert(call, shared_.reps.of(main.result), kRepWord,
                                "MAIN") +
           ";\n}\n";
  }

  EmitShared shared_;
  const Reach& reach_;
};

}  // namespace

EmitResult emit_c(const Book& book, const NetProgram& numbers, bool counts) {
  return Emitter(book, numbers, counts).emit();
}

EmitResult emit_device(const Book& book, const NetProgram& numbers) {
  return Emitter(book, numbers, false).emit_for_device();
}

}  // namespace tine
