// The pass over the whole book: what is reachable, which functions must look
// at the stack, and the order of the file: prelude, structs, prototypes,
// functions, entries of closures, the description of the program. For a device
// only what reaches no fork.
#include "compiler/emit/emit.h"

#include <algorithm>
#include <cctype>

#include "compiler/emit/function.h"
#include "compiler/emit/prelude.h"
#include "runtime/net/trust.h"

namespace tine {
namespace {

// A function that cannot recurse does without a look at the stack when the
// chain of calls below it is short and its frame small.
constexpr unsigned kMostUnchecked = 16;
constexpr std::size_t kSmallFrame = 200;  // wires

void each_stmt(const Block& block, const auto& visit) {
  std::vector<const Block*> work{&block};
  while (!work.empty()) {
    const Block& next = *work.back();
    work.pop_back();
    for (const Stmt& stmt : next) {
      visit(stmt);
      for (const Stmt& call : stmt.calls) visit(call);
      for (const Arm& arm : stmt.arms) work.push_back(&arm.block);
    }
  }
}

// What main reaches, callees before callers where there is no cycle.
class Reach {
 public:
  explicit Reach(const Book& book)
      : book_(book), state_(book.defs.size()), height_(book.defs.size()) {}

  void walk(DefId root);
  std::vector<DefId> order;
  // Does the function look at the stack when it is entered?
  bool checks(DefId def) const { return height_[index(def)] == 0; }

 private:
  enum class Walk : std::uint8_t { kNew, kOpen, kDone };
  struct Step {
    DefId def;
    std::vector<DefId> next;
    std::size_t at = 0;
    unsigned height = 1;
    bool cycle = false;
  };
  Step begin(DefId def);
  void end(const Step& step);

  const Book& book_;
  std::vector<Walk> state_;
  std::vector<unsigned> height_;  // 0: checks
  std::vector<Step> steps_;
};

Reach::Step Reach::begin(DefId def) {
  state_[index(def)] = Walk::kOpen;
  Step step{def, {}};
  each_stmt(book_.def(def).block, [&](const Stmt& stmt) {
    if (stmt.def != DefId::kNone) step.next.push_back(stmt.def);
  });
  return step;
}

void Reach::end(const Step& step) {
  std::size_t def = index(step.def);
  state_[def] = Walk::kDone;
  bool small = book_.defs[def].wires.size() <= kSmallFrame;
  height_[def] = !step.cycle && small && step.height <= kMostUnchecked
                     ? step.height
                     : 0;
  order.push_back(step.def);
}

void Reach::walk(DefId root) {
  steps_.push_back(begin(root));
  while (!steps_.empty()) {
    Step& step = steps_.back();
    if (step.at == step.next.size()) {
      end(step);
      steps_.pop_back();
      continue;
    }
    DefId next = step.next[step.at];
    Walk state = state_[index(next)];
    if (state == Walk::kNew) {
      steps_.push_back(begin(next));
      continue;
    }
    ++step.at;
    if (state == Walk::kDone) {
      step.height = std::max(step.height, height_[index(next)] + 1);
      continue;
    }
    // A call of a def that is open closes a cycle; every cycle has one, and
    // the function that makes it looks at the stack.
    step.cycle = true;
  }
}

// Which defs fork, or call what does.
std::vector<bool> forks(const Book& book) {
  std::vector<bool> found(book.defs.size());
  std::vector<std::vector<DefId>> callers(book.defs.size());
  std::vector<DefId> work;
  for (std::size_t i = 0; i < book.defs.size(); ++i) {
    auto def = static_cast<DefId>(i);
    each_stmt(book.def(def).block, [&](const Stmt& stmt) {
      if (stmt.def != DefId::kNone) callers[index(stmt.def)].push_back(def);
      if (stmt.op != Op::kPar || found[i]) return;
      found[i] = true;
      work.push_back(def);
    });
  }
  while (!work.empty()) {
    DefId next = work.back();
    work.pop_back();
    for (DefId caller : callers[index(next)]) {
      if (found[index(caller)]) continue;
      found[index(caller)] = true;
      work.push_back(caller);
    }
  }
  return found;
}

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
                .counts = counts},
        reach_(book) {}

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
    reaches_fork_ = forks(shared_.book);
    std::string bodies, rows;
    std::size_t number = 0;
    for (const Function& function : functions()) {
      if (reaches_fork_[index(function.form.def)]) continue;
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
    reach_.walk(book.main);
    shared_.names.resize(book.defs.size());
    shared_.entered.resize(book.defs.size());
    for (DefId def : reach_.order) {
      shared_.names[index(def)] = mangled(book, def);
    }
    std::vector<Function> result;
    for (DefId def : reach_.order) result.push_back(function({def}));
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
      if (device && reaches_fork_[index(form.def)]) return;
      text += function_head(shared_, form) + ";\n";
    };
    for (DefId def : reach_.order) add({def});
    for (const EmitForm& form : shared_.lent_forms) add(form);
    return text;
  }

  // Def by number: what `apply` needs to call it.
  std::string entries() {
    std::string text, rows;
    std::size_t count = shared_.book.defs.size();
    for (DefId def : reach_.order) {
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
  Reach reach_;
  std::vector<bool> reaches_fork_;  // by DefId
};

}  // namespace

EmitResult emit_c(const Book& book, const NetProgram& numbers, bool counts) {
  return Emitter(book, numbers, counts).emit();
}

EmitResult emit_device(const Book& book, const NetProgram& numbers) {
  return Emitter(book, numbers, false).emit_for_device();
}

}  // namespace tine
