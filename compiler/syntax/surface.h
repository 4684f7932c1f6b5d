// The surface tree: what the parser makes of a file, before any name is
// resolved. One `Node` type serves terms, bodies and patterns; `NodeKind`
// says which fields are used. Nodes live in the `Arena` of their `FileTree`.
//
// The parser is purely syntactic: it needs no table of declared names.
// Everything that depends on names (is it a datatype, a template, a
// constructor that exists, does `D<..>` lack quantities) is the work of core.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/diag.h"
#include "compiler/syntax/storage.h"

namespace tine {

enum class Mark : std::uint8_t { kPlain, kErased /* - */, kReuse /* + */ };

enum class NodeKind : std::uint8_t {
  // Terms. `kids` in this order:
  kName,       // text
  kCtor,       // text; kids = fields                      K{a, b}
  kU32,        // num                                      42
  kNat,        // num                                      3n
  kSucc,       // num = k; kids = {e}                      2n+e
  kF32,        // num = bits of the float                  1.5
  kChar,       // num = code point                         'c'
  kString,     // text = UTF-8 of the decoded literal      "text"
  kType,       //                                          Type
  kData,       //                                          Data
  kQuant,      //                                          Quant
  kKind,       // kids = {q}                               Kind(q)
  kQuantity,   // num = 0, 1, 2                            &0 &1 &2
  kPi,         // mark, text; kids = {A, B}                @+x: A -> B
  kArrow,      // kids = {A, B}                            A -> B
  kExists,     // text; kids = {A, B}                      &x: A -> B
  kPlus,       // kids = {e}                               +D<..>
  kList,       // kids = items                             [a, b]
  kTuple,      // kids = items (2 or more)                 (a, b, c)
  kGroup,      // kids = {e}; kids[1] = T when annotated   (e) or (e : T)
  kArrayPow,   // kids = {v, T, depth}                     [v : T^d]
  kArrayMul,   // kids = {v, T, count}                     [v : T*4n]
  kAnn,        // kids = {e, T}                            {e : T}
  kEqual,      // kids = {a, b, T}; num = 1 for !=         {a == b : T}
  kRefl,       //                                          {==}
  kRewrite,    // text = name or ""; kids = {e, P, body}   %e@n : P; body
               //   num = 1 when e is a name, too, and may be n
  kRawMatch,   // kids = {C1, f1, C2, f2, .., default?}    \{C: f; g}
  kHole,       // text                                     ?name
  kDo,         // text = M; kids = type args; steps        do M<..>: ..
  kCall,       // kids = {f, args..}; num = count of ~args; bang
  kIndex,      // kids = {a, i}                            a[i]
  kWrite,      // kids = {a, i, v}                         a[i] <- v
  kLambda,     // mark, text; kids = {body}                x => e
  kTypeApp,    // kids = {head, args..}                    D<a, b>
  kOp,         // text = operator, kids = {a, b}; ns       a + b
  // Bodies:
  kMatch,      // kids = scrutinees; cases                 match a, b: ..
  kLet,        // binders (1), kids = {v, body}            x = v; body
  kTypedLet,   // binders (1), kids = {T, v, body}         x : T = v; body
  kParLet,     // binders (n), kids = {v1..vn, body}       x y = v w; body
  kErasedLet,  // binders (n), kids = {v1..vn, body}       -x y = v w; body
  kDestruct,   // kids = {pattern, v, body}                (a, b) = v; body
  // Patterns:
  kPVar,       // mark, text                               x, +x
  kPWild,      //                                          _
  kPCtor,      // text; kids = field patterns; num = 1 when written by sugar
               //   (tuples "Tuple", lists "Con" and "Nil", `h <> t`)
  kPSucc,      // num = k; kids = {p}                      1n+p
  kPLit,       // kids = {literal node}                    3, 3n, 'c', "s"
  kError,      // the parser could not read it; already reported
};

struct Node;

struct Binder {
  Mark mark = Mark::kPlain;
  std::string text;  // "_" when ignored
  Span span;         // includes the mark
};

struct Case {
  std::vector<Node*> patterns;  // one per scrutinee
  Node* body = nullptr;
  Span span;                    // the keyword and the patterns
};

enum class StepKind : std::uint8_t { kBind, kPure, kRun, kUnit, kReturn, kLast };

// One statement of a do block.
//   kBind   x : T <- e      kPure  x : T = e     kRun   T <- e
//   kUnit   e (Unit)        kReturn  return e    kLast  e
struct Step {
  StepKind kind{};
  Binder binder;
  Node* type = nullptr;
  Node* value = nullptr;
  Span span;
};

struct Node {
  NodeKind kind = NodeKind::kError;
  Mark mark = Mark::kPlain;
  bool bang = false;            // kCall: f!(..)
  Span span;
  Span op_span;                 // kOp: the operator token; kMatch: `match`;
                                // kCall: head to `)` is `span`; a let's or
                                // rewrite's `span` ends before its body, a
                                // match's before its cases
  std::uint64_t num = 0;
  std::string text;
  std::vector<Node*> kids;
  Rare<Binder> binders;         // lets
  Rare<Case> cases;             // kMatch
  Rare<Step> steps;             // kDo
  Node* ns = nullptr;           // kOp: the type whose head names the operator;
                                // null when none reached it (E15 in core);
                                // &kIndexNamespace-like U32 name node in a[..]
};

struct Param {
  Mark mark = Mark::kPlain;
  bool is_template = false;     // ~x: T
  std::string text;
  Node* type = nullptr;         // null for a bare parameter (-a: Quant)
  Span span;                    // mark and name
};

struct CtorDecl {
  std::string text;
  std::vector<Param> fields;
  Span span;
};

enum class ClauseKind : std::uint8_t { kFor, kExs };

struct Clause {
  ClauseKind kind{};
  Param param;
  Node* where = nullptr;
};

enum class DeclKind : std::uint8_t { kType, kDef, kLaw, kFill };

struct Decl {
  DeclKind kind{};
  std::string text;
  Span span;                    // the name
  Span whole;                   // from keyword to end
  bool is_unsafe = false;       // @unsafe or f?
  bool is_foreign = false;
  std::vector<Param> params;    // kType, kDef, kFill (bare)
  Node* result = nullptr;       // kType: the kind; kDef: result type
  Node* body = nullptr;         // kDef, kFill; kLaw: the claim
  std::vector<CtorDecl> ctors;  // kType
  std::vector<Clause> clauses;  // kLaw
  std::vector<std::string> foreign;
  Span foreign_span;            // the first of them
};

struct Import {
  std::string path;             // "Base", "./a.bend", "par/scan"
  std::string alias;            // "" for Base
  Span span;
  Span path_span;
};

// One parsed file. Owns its nodes.
struct FileTree {
  FileId file = kNoFile;
  std::vector<Import> imports;
  std::vector<Decl> decls;
  Arena<Node> arena;
  // Spans of comments in file order, for the formatter and `tine doc`.
  std::vector<Span> comments;

  Node* make(NodeKind kind, Span span) {
    Node& node = arena.emplace_back();
    node.kind = kind;
    node.span = span;
    return &node;
  }
};

// Parses one file. Reports to `sink`, recovers at the next declaration, and
// always returns a tree (perhaps with kError nodes). Nesting deeper than
// `kMaxNesting` is an error message, never a crash.
// `shape`, when given, receives the layout of a file without errors.
inline constexpr int kMaxNesting = 2000;
struct Shape;
void parse_file(const SourceMap& sources, FileId file, FileTree& tree,
                Sink& sink, Shape* shape = nullptr);

// Parses one expression (the REPL, `tine eval -e`). Null on error.
Node* parse_expression(const SourceMap& sources, FileId file, FileTree& tree,
                       Sink& sink);

// Source text of a term, one line, for messages. Canonical spelling.
std::string show(const Node* node);

}  // namespace tine
