// Calls, closures, requests and parallel lets.
#include "compiler/emit/function_emitter.h"

namespace tine {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }

}  // namespace

RepId FunctionEmitter::result_rep(const Stmt& call) {
  return call.op == Op::kApply ? kRepWord
                               : reps_.of(book_.def(call.def).result);
}

std::string FunctionEmitter::call_text(const Stmt& call) {
  if (call.op == Op::kApply) {
    return "apply(w, " + as(call.ins[0], kRepWord) + ", " +
           as(call.ins[1], kRepWord) + ", " + number_ + ")";
  }
  const DefRow& callee = book_.def(call.def);
  std::string text = form_name(shared_, form_of(call)) + "(w";
  for (std::size_t i = 0; i < call.ins.size(); ++i) {
    text += ", " + as(call.ins[i], reps_.of(callee.wires[i].type));
  }
  return text + ")";
}

// Does the statement enter a function, rather than go round the loop?
bool FunctionEmitter::calls(const Stmt& stmt) const {
  if (stmt.op != Op::kCall) return stmt.op == Op::kApply || stmt.op == Op::kPar;
  return stmt.def != id_ || stmt.outs[0] != Wire::kOut;
}

void FunctionEmitter::call(const Stmt& stmt) {
  bool tail = stmt.outs[0] == Wire::kOut;
  if (tail && stmt.def == id_) {
    if (form_of(stmt) == form_) return again(stmt);
    // Once, to the form that owns all and goes round its own loop.
    for (Wire in : stmt.ins) own(in);
    look();
  }
  value(stmt.outs[0], call_text(stmt), result_rep(stmt));
}

void FunctionEmitter::again(const Stmt& stmt) {
  give_holes();
  go_round(arguments(stmt));
}

std::vector<std::string> FunctionEmitter::arguments(const Stmt& call) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < call.ins.size(); ++i) {
    auto param = static_cast<Wire>(i);
    texts.push_back(loose(param) ? wire(call.ins[i])
                                 : as(call.ins[i], rep(param)));
  }
  return texts;
}

// Is the parameter computed from the round that the strip is in?
bool FunctionEmitter::steps(std::size_t param) const {
  return in_strip_ && (param == loop_->count ||
                       (direct_ && loop_->steps[param]));
}

// Round the loop: all arguments are read before a parameter is written.
void FunctionEmitter::go_round(const std::vector<std::string>& arguments) {
  if (!in_strip_) look();
  std::string reads, writes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto param = static_cast<Wire>(i);
    if (steps(i)) continue;
    if (arguments[i] == wire(param)) continue;
    std::string name = "a" + number(i);
    reads += reps_.c_type(rep(param)) + " " + name + " = " + arguments[i] +
             "; ";
    writes += wire(param) + " = " + name + "; ";
  }
  line("{ " + reads + writes + (in_strip_ ? "continue; }" : "goto again; }"));
}

// A node that holds arguments: of a closure or a request.
std::string FunctionEmitter::packed(const Stmt& stmt, std::uint32_t id,
                                    std::string_view tag) {
  std::vector<std::string> fields;
  for (Wire in : stmt.ins) {
    fields.push_back(fresh("b"));
    line("u64 " + fields.back() + " = " + as(in, kRepWord) + ";");
  }
  std::string words = number(fields.size() + 1);
  std::string node = fresh("n");
  line("u64* " + node + " = make(w, HEAD(" + number(id) + ", " + words +
       "), " + words + ", " + number_ + ");");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    line(node + "[" + number(i + 1) + "] = " + fields[i] + ";");
  }
  return "(" + std::string(tag) + " << 60 | (u64)" + node + ")";
}

void FunctionEmitter::closure(const Stmt& stmt) {
  shared_.entered[index(stmt.def)] = true;
  std::string text = stmt.ins.empty()
                         ? "box_fun(" + number(index(stmt.def)) + ")"
                         : packed(stmt, index(stmt.def), "1ull");
  value(stmt.outs[0], text, kRepWord);
}

void FunctionEmitter::effect(const Stmt& stmt) {
  value(stmt.outs[0],
        packed(stmt, static_cast<std::uint32_t>(stmt.effect), "2ull"),
        kRepWord);
}

// The struct that a fork lies in, and the function that a thief runs.
std::string FunctionEmitter::fork_type(const Stmt& call,
                                       std::string_view id) {
  std::string type = "K" + std::string(id);
  std::string members, args;
  for (std::size_t i = 0; i < call.ins.size(); ++i) {
    RepId param = call.op == Op::kApply
                      ? kRepWord
                      : reps_.of(book_.def(call.def).wires[i].type);
    members += reps_.c_type(param) + " a" + number(i) + "; ";
    args += ", k->a" + number(i);
  }
  std::string callee =
      call.op == Op::kApply
          ? "apply(w" + args + ", " + number_ + ")"
          : form_name(shared_, form_of(call)) + "(w" + args + ")";
  shared_.forks += "typedef struct { Fork f; " + members +
                   reps_.c_type(result_rep(call)) + " r; } " + type +
                   ";\nstatic void run_fork" + std::string(id) +
                   "(W* w, Fork* f) {\n  " + type + "* k = (" + type +
                   "*)f;\n  k->r = " + callee + ";\n}\n";
  return type;
}

// The call that a worker runs itself when it offers the others: the only one
// that leads to further forks, else the first. On a spine the rest runs here
// and the leaves are offered, in whichever order they were written: a thief
// then takes a leaf, not the spine, and there are many to take at a time.
std::size_t FunctionEmitter::kept_call(const Stmt& stmt) const {
  std::size_t kept = 0, found = 0;
  for (std::size_t i = 0; i < stmt.calls.size(); ++i) {
    const Stmt& call = stmt.calls[i];
    if (call.op == Op::kCall && !shared_.reach.forks(call.def)) continue;
    kept = i;
    ++found;
  }
  return found == 1 ? kept : 0;
}

// The other calls are offered, the last first, so that the joins meet them in
// order; then each is joined: run here unless somebody has it.
void FunctionEmitter::par(const Stmt& stmt) {
  std::size_t kept = kept_call(stmt);
  for (const Stmt& call : stmt.calls) {
    if (call.op == Op::kApply) own_all(call);
    else form_of(call);
  }
  std::vector<std::string> forks(stmt.calls.size()), runs(forks);
  for (std::size_t i = stmt.calls.size(); i-- > 0;) {
    if (i == kept) continue;
    const Stmt& call = stmt.calls[i];
    std::string id = number(shared_.fork_count++);
    std::string type = fork_type(call, id);
    std::string& fork = forks[i] = "k" + id;
    line(type + " " + fork + ";");
    runs[i] = call.op == Op::kApply ? "apply(w"
                                    : form_name(shared_, form_of(call)) + "(w";
    for (std::size_t a = 0; a < call.ins.size(); ++a) {
      RepId param = call.op == Op::kApply
                        ? kRepWord
                        : reps_.of(book_.def(call.def).wires[a].type);
      std::string slot = fork + ".a" + number(a);
      line(slot + " = " + as(call.ins[a], param) + ";");
      runs[i] += ", " + slot;
    }
    runs[i] += call.op == Op::kApply ? ", " + number_ + ")" : ")";
    line("push_fork(w, &" + fork + ".f, run_fork" + id + ");");
  }
  const Stmt& own = stmt.calls[kept];
  std::vector<std::string> results(stmt.calls.size());
  results[kept] = fresh("r");
  line(reps_.c_type(result_rep(own)) + " " + results[kept] + " = " +
       call_text(own) + ";");
  for (std::size_t i = 0; i < stmt.calls.size(); ++i) {
    if (i == kept) continue;
    std::string fork = forks[i] + ".f";
    results[i] = fresh("r");
    line(reps_.c_type(result_rep(stmt.calls[i])) + " " + results[i] + ";");
    line("if (pop_fork(w, &" + fork + ")) " + results[i] + " = " + runs[i] +
         ";");
    line("else { w->rt->join(w, &" + fork + ", " + number_ + "); " +
         results[i] + " = " + forks[i] + ".r; }");
  }
  for (std::size_t i = 0; i < stmt.calls.size(); ++i) {
    Wire out = stmt.outs.size() == stmt.calls.size() ? stmt.outs[i]
                                                     : stmt.calls[i].outs[0];
    value(out, results[i], result_rep(stmt.calls[i]));
  }
}

}  // namespace tine
