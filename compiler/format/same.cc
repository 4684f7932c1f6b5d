// Compares two parsed files, spans left out. A work list instead of recursion:
// a chain of statements may be as long as the file.
#include <algorithm>
#include <utility>

#include "compiler/format/format.h"
#include "compiler/format/lines.h"

namespace tine {
namespace {

class Comparer {
 public:
  bool files(const FileTree& a, const FileTree& b) {
    return std::equal(a.imports.begin(), a.imports.end(), b.imports.begin(),
                      b.imports.end(),
                      [](const Import& x, const Import& y) {
                        return x.path == y.path && x.alias == y.alias;
                      }) &&
           all(a.decls, b.decls, &Comparer::decls) && drain();
  }

 private:
  template <class List, class T>
  bool all(const List& a, const List& b,
           bool (Comparer::*same)(const T&, const T&)) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!(this->*same)(a[i], b[i])) return false;
    }
    return true;
  }

  bool later(const Node* a, const Node* b) {
    if (a == nullptr || b == nullptr) return a == b;
    work_.emplace_back(a, b);
    return true;
  }

  bool later_all(const std::vector<Node*>& a, const std::vector<Node*>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) later(a[i], b[i]);
    return true;
  }

  bool drain() {
    while (!work_.empty()) {
      const auto [a, b] = work_.back();
      work_.pop_back();
      if (!nodes(*a, *b)) return false;
    }
    return true;
  }

  // The namespace of an operator follows from where it stands.
  bool nodes(const Node& a, const Node& b) {
    return a.kind == b.kind && a.mark == b.mark && a.bang == b.bang &&
           a.num == b.num && a.text == b.text &&
           (a.ns == nullptr) == (b.ns == nullptr) &&
           later_all(a.kids, b.kids) &&
           all(a.binders, b.binders, &Comparer::binders) &&
           all(a.cases, b.cases, &Comparer::cases) &&
           all(a.steps, b.steps, &Comparer::steps);
  }

  bool binders(const Binder& a, const Binder& b) {
    return a.mark == b.mark && a.text == b.text;
  }

  bool cases(const Case& a, const Case& b) {
    return later_all(a.patterns, b.patterns) && later(a.body, b.body);
  }

  bool steps(const Step& a, const Step& b) {
    return a.kind == b.kind && binders(a.binder, b.binder) &&
           later(a.type, b.type) && later(a.value, b.value);
  }

  bool params(const Param& a, const Param& b) {
    return a.mark == b.mark && a.is_template == b.is_template &&
           a.text == b.text && later(a.type, b.type);
  }

  bool ctors(const CtorDecl& a, const CtorDecl& b) {
    return a.text == b.text && all(a.fields, b.fields, &Comparer::params);
  }

  bool clauses(const Clause& a, const Clause& b) {
    return a.kind == b.kind && params(a.param, b.param) &&
           later(a.where, b.where);
  }

  bool decls(const Decl& a, const Decl& b) {
    return a.kind == b.kind && a.text == b.text &&
           a.is_unsafe == b.is_unsafe && a.is_foreign == b.is_foreign &&
           a.foreign == b.foreign &&
           all(a.params, b.params, &Comparer::params) &&
           later(a.result, b.result) && later(a.body, b.body) &&
           all(a.ctors, b.ctors, &Comparer::ctors) &&
           all(a.clauses, b.clauses, &Comparer::clauses);
  }

  std::vector<std::pair<const Node*, const Node*>> work_;
};

}  // namespace

bool same_source(const FileTree& a, const FileTree& b,
                 const SourceMap& sources) {
  const auto same = [&](const Span& x, const Span& y) {
    return trim_end(sources.text(x)) == trim_end(sources.text(y));
  };
  return std::equal(a.comments.begin(), a.comments.end(), b.comments.begin(),
                    b.comments.end(), same) &&
         Comparer().files(a, b);
}

}  // namespace tine
