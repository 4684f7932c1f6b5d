// The pass over the whole book: numbers the constructors, compiles every
// reachable rule once, and joins calls to code.
#include "runtime/net/compile.h"

#include <algorithm>

#include "runtime/heap/node.h"
#include "runtime/net/rule.h"
#include "runtime/net/trust.h"

namespace tine {
namespace {

// Constructors of one type get consecutive numbers, so that a match is a
// subtraction and a jump.
void number_ctors(const Book& book, NetProgram& program) {
  program.ctor_ids.assign(book.ctors.size(), 0);
  for (const DataRow& data : book.datas) {
    bool words = !data.ctors.empty();  // without constructors: opaque
    for (CtorId ctor : data.ctors) {
      words = words && book.ctor(ctor).fields.empty();
      program.ctor_ids[index(ctor)] =
          static_cast<std::uint32_t>(program.ctor_of.size());
      program.ctor_of.push_back(ctor);
    }
    program.word_data.push_back(words);
  }
}

void check_sizes(const Book& book, NetProgram& program) {
  if (book.ctors.size() > kMaxId || book.defs.size() >= kMaxId) {
    program.problem = "the book has too many definitions";
  }
  for (const CtorRow& ctor : book.ctors) {
    if (ctor.fields.size() > kMaxFields) {
      program.problem = "the constructor " + ctor.name + " has more than " +
                        std::to_string(kMaxFields) + " fields";
    }
  }
}

// The last continuation of an IO main: a def of one parameter that gives
// `Emit` of it. Also the code that begins and ends an entry, and that ends a
// stolen call.
void add_builtins(const Book& book, NetProgram& program) {
  std::size_t begin = program.code.size();
  program.ranges.push_back({begin, DefId::kNone});
  auto block = static_cast<Word>(program.blocks.size());
  program.blocks.push_back({});
  auto add = [&](Code op) {
    Cell cell{};
    cell.ins = {static_cast<std::uint16_t>(op), 0, 0, 0};
    program.code.push_back(cell);
  };
  auto word = [&](Word value) {
    Cell cell{};
    cell.word = value;
    program.code.push_back(cell);
  };
  if (book.known.emit != CtorId::kNone) {
    add(Code::kMake1);
    word(program.id(book.known.emit));
    add(Code::kReturn);
    word(block);
  }
  program.halt = program.code.size();
  add(Code::kHalt);
  program.arrive = program.code.size();
  add(Code::kArrive);
  program.apply = program.code.size();
  add(Code::kTailApply);
  program.code.back().ins.b = 1;
  word(block);
  program.emit = begin;
}

void join_calls(NetProgram& program, const std::vector<std::size_t>& entries,
                const std::vector<std::size_t>& calls) {
  const Cell* code = program.code.data();
  for (std::size_t at : calls) {
    Cell& cell = program.code[at];
    cell.target = code + entries[cell.word];
  }
  for (std::size_t def = 0; def < entries.size(); ++def) {
    if (entries[def] != SIZE_MAX) program.defs[def].code = code + entries[def];
  }
}

}  // namespace

DefId NetProgram::def_at(const Cell* cell) const {
  auto at = static_cast<std::size_t>(cell - code.data());
  auto after = std::upper_bound(
      ranges.begin(), ranges.end(), at,
      [](std::size_t place, const CodeRange& r) { return place < r.begin; });
  return after == ranges.begin() ? DefId::kNone : std::prev(after)->def;
}

NetProgram number_book(const Book& book) {
  NetProgram program;
  number_ctors(book, program);
  check_sizes(book, program);
  return program;
}

NetProgram compile_book(const Book& book) {
  NetProgram program = number_book(book);
  program.defs.resize(book.defs.size() + 1);
  for (std::size_t def = 0; def < book.defs.size(); ++def) {
    program.defs[def].params = book.defs[def].params;
  }
  program.defs.back().params = 1;
  std::vector<std::size_t> entries(program.defs.size(), SIZE_MAX);
  std::vector<std::size_t> calls;
  std::vector<DefId> work{book.main};
  std::vector<bool> seen(book.defs.size());
  seen[index(book.main)] = true;
  bool trust = types_hold(book);
  while (!work.empty() && program.problem.empty()) {
    DefId def = work.back();
    work.pop_back();
    entries[index(def)] = program.code.size();
    program.ranges.push_back({program.code.size(), def});
    RuleResult result = compile_rule(book, def, trust, program);
    calls.insert(calls.end(), result.calls.begin(), result.calls.end());
    for (DefId next : result.reached) {
      if (!seen[index(next)]) {
        seen[index(next)] = true;
        work.push_back(next);
      }
    }
  }
  add_builtins(book, program);
  entries.back() = program.emit;
  join_calls(program, entries, calls);
  return program;
}

}  // namespace tine
