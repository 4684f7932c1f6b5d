// Instances: one definition of the book per def and its closed arguments.
//
// The key of an instance is the def, the book types of its type parameters
// and the text of its template arguments; quantities, proofs and other erased
// arguments are no part of it. Names: `List.length<U32>`, `twice~2`.
//
// Types may grow from call to call (`f<T>` calling `f<List<T>>`), so a def has
// at most kMaxInstances tuples of types and a type argument nests at most
// kMaxTypeArgDepth deep; past that it is Any.
//
// A signature is worked out when an instance is first asked for; its body is
// lowered later, from the list of work.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/book/lower_types.h"
#include "compiler/core/term.h"
#include "compiler/core/theory.h"
#include "runtime/book/book.h"

namespace tine {

// What a parameter of a def is to the lowering.
struct ParamRole {
  bool is_template = false;
  bool live = false;    // an argument at run time
  bool family = false;  // a type, or a function that gives one
  bool quantity = false;
};

// What a core variable is while code is made for its scope.
struct ScopeEntry {
  enum class Kind : std::uint8_t {
    kErased,   // no code: a type, a proof, an erased value
    kWire,     // a wire of function `owner`
    kClosed,   // a template argument: `term`, lowered at each use
    kRebuilt,  // a matched variable: `ctor` of the entries from `first` on
    kLiteral,  // a matched variable that equals the literal `term`
  };
  Kind kind = Kind::kErased;
  core::Value* type = nullptr;
  core::Value* value = nullptr;
  const std::string* name = nullptr;
  struct Function* owner = nullptr;
  Wire wire{};
  const core::Term* term = nullptr;
  core::Ctor ctor = core::Ctor::kNone;
  std::uint32_t first = 0;
};

struct Instance {
  core::Def def = core::Def::kNone;
  DefId id = DefId::kNone;
  std::vector<ScopeEntry> scope;  // kWire entries are its parameters, in order
  const core::Env* env = nullptr;
  const core::Term* body = nullptr;  // under the scope; null: native
  core::Value* result = nullptr;
  std::uint32_t arity = 0;    // wires in scope
  std::vector<TypeId> types;  // of the type parameters
  std::uint32_t nesting = 0;  // template instances that led here
};

struct InstanceRequest {
  core::Def def = core::Def::kNone;
  std::vector<const core::Term*> templates;  // closed, one per template param
  std::vector<TypeId> types;                 // one per family, in order
};

class Instances {
 public:
  static constexpr std::size_t kMaxInstances = 64;
  static constexpr std::uint32_t kMaxTypeArgDepth = 8;
  static constexpr std::uint32_t kMaxNesting = 64;
  static constexpr std::uint64_t kMaxTemplateSize = 1 << 15;

  Instances(core::Globals& globals, core::Theory& theory,
            const SourceMap& sources, LowerTypes& types, Book& book)
      : globals_(globals),
        theory_(theory),
        sources_(sources),
        types_(types),
        book_(book) {}

  const std::vector<ParamRole>& roles(core::Def def);
  const Instance& get(InstanceRequest request);
  // True when an instance asked for now would be the last of a chain of
  // template instances that is too long, or when its arguments are too large:
  // an argument that holds the last one twice doubles with each instance.
  bool too_nested(const InstanceRequest& request);
  // The def that an engine enters: `main` of type IO(A), whose body takes the
  // final continuation A -> IO.OP<A>.
  const Instance& entry(core::Def main, core::Value* answer,
                        const core::Term* body);
  // The next instance without a body; null when there is none.
  const Instance* next();

  // A declared row of the book with a name of its own.
  DefId add_row(const std::string& name, core::Def origin, Span place);

 private:
  void limit(InstanceRequest& request);
  std::uint32_t type_depth(TypeId type);
  std::string type_key(const InstanceRequest& request) const;
  std::uint64_t size_of(const core::Term* term);
  std::string name_of(const InstanceRequest& request);
  void sign(Instance& made, const InstanceRequest& request);
  void sign_head(Instance& made, core::Value* entry_answer);
  void push(Instance& made, ScopeEntry entry);

  core::Globals& globals_;
  core::Theory& theory_;
  const SourceMap& sources_;
  LowerTypes& types_;
  Book& book_;
  std::deque<Instance> instances_;
  std::size_t done_ = 0;
  std::uint32_t nesting_ = 0;  // of the instance that is being lowered
  std::unordered_map<std::string, Instance*> by_key_;
  std::unordered_map<std::uint32_t, std::vector<ParamRole>> roles_;
  std::unordered_map<std::uint32_t, std::unordered_set<std::string>> tuples_;
  std::unordered_map<std::string, std::uint32_t> numbered_;
  std::unordered_map<std::uint32_t, std::uint32_t> depths_;
  std::unordered_map<const core::Term*, std::uint64_t> sizes_;
};

// A text that differs for terms that differ in more than bound names.
std::string term_key(const core::Term* term);
// "file.bend:12", without folders; "" when the span has no file.
std::string place_text(const SourceMap& sources, Span span);

}  // namespace tine
