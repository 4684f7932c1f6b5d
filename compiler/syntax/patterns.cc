// Terms turned into patterns.
//
// Patterns are parsed with the term grammar, then converted here, in place
// and by a work list, so long list and `<>` patterns cost no recursion:
//
//   x +x _                    kPVar, kPWild
//   K{p, q}                   kPCtor
//   (p, q, r)                 Tuple{p, Tuple{q, r}}
//   [p, q]   h <> t   []      Con{p, Con{q, Nil{}}}, Con{h, t}, Nil{}
//   3  3n  'c'  "s"  1.5      kPLit
//   1n+p                      kPSucc
//
// A bad pattern is reported and becomes kError; the rest goes on.
#include "compiler/syntax/parser.h"

namespace tine {

Node* Parser::to_pattern(Node* term) {
  std::vector<Node*> work{term};
  while (!work.empty()) {
    Node* node = work.back();
    work.pop_back();
    convert_pattern(node, work);
  }
  return term;
}

void Parser::convert_pattern(Node* node, std::vector<Node*>& work) {
  while (node->kind == NodeKind::kGroup && node->kids.size() == 1) {
    Node inner = std::move(*node->kids[0]);
    *node = std::move(inner);
  }
  switch (node->kind) {
    case NodeKind::kName:
      return convert_binder(node, node, Mark::kPlain);
    case NodeKind::kPlus:
      if (node->kids[0]->kind != NodeKind::kName) return refuse_pattern(node);
      return convert_binder(node, node->kids[0], Mark::kReuse);
    case NodeKind::kCtor:
      node->kind = NodeKind::kPCtor;
      work.insert(work.end(), node->kids.rbegin(), node->kids.rend());
      return;
    case NodeKind::kTuple:
      return convert_tuple(node, work);
    case NodeKind::kList:
      return convert_list(node, work);
    case NodeKind::kOp:
      if (node->text != "<>") return refuse_pattern(node);
      node->kind = NodeKind::kPCtor;
      node->text = "Con";
      node->num = 1;
      work.insert(work.end(), node->kids.rbegin(), node->kids.rend());
      return;
    case NodeKind::kSucc:
      node->kind = NodeKind::kPSucc;
      work.push_back(node->kids[0]);
      return;
    case NodeKind::kU32:
    case NodeKind::kNat:
    case NodeKind::kF32:
    case NodeKind::kChar:
    case NodeKind::kString: {
      Node* literal = make(node->kind, node->span);
      literal->num = node->num;
      literal->text = std::move(node->text);
      node->kind = NodeKind::kPLit;
      node->text.clear();
      node->num = 0;
      node->kids = {literal};
      return;
    }
    default:
      return refuse_pattern(node);
  }
}

void Parser::convert_binder(Node* node, const Node* name, Mark mark) {
  const std::string text = name->text;
  node->kids.clear();
  if (text.find('.') != std::string::npos) {
    report(Msg::kPatternDotted, node->span, {text});
    node->kind = NodeKind::kError;
    return;
  }
  node->kind = text == "_" ? NodeKind::kPWild : NodeKind::kPVar;
  node->mark = mark;
  node->text = text;
}

// (a, b, c) is Tuple{a, Tuple{b, c}}: each tail becomes a node of its own.
void Parser::convert_tuple(Node* node, std::vector<Node*>& work) {
  const std::vector<Node*> items = node->kids;
  Node* rest = items.back();
  for (std::size_t i = items.size() - 1; i-- > 0;) {
    const Span span{file_, items[i]->span.begin, items.back()->span.end};
    Node* tuple = i == 0 ? node : make(NodeKind::kPCtor, span);
    tuple->kind = NodeKind::kPCtor;
    tuple->text = "Tuple";
    tuple->num = 1;
    tuple->kids = {items[i], rest};
    rest = tuple;
  }
  work.insert(work.end(), items.rbegin(), items.rend());
}

// [a, b] is Con{a, Con{b, Nil{}}}.
void Parser::convert_list(Node* node, std::vector<Node*>& work) {
  const std::vector<Node*> items = std::move(node->kids);
  const auto become = [](Node* ctor, std::string text,
                         std::vector<Node*> kids) {
    ctor->kind = NodeKind::kPCtor;
    ctor->text = std::move(text);
    ctor->num = 1;
    ctor->kids = std::move(kids);
  };
  if (items.empty()) return become(node, "Nil", {});
  const Span tail{file_, node->span.end - 1, node->span.end};
  Node* rest = make(NodeKind::kPCtor, tail);
  become(rest, "Nil", {});
  for (std::size_t i = items.size(); i-- > 0;) {
    const Span span{file_, items[i]->span.begin, node->span.end};
    Node* cons = i == 0 ? node : make(NodeKind::kPCtor, span);
    become(cons, "Con", {items[i], rest});
    rest = cons;
  }
  work.insert(work.end(), items.rbegin(), items.rend());
}

void Parser::refuse_pattern(Node* node) {
  if (node->kind != NodeKind::kError && !panic_) {
    const bool call = node->kind == NodeKind::kCall ||
                      node->kind == NodeKind::kIndex;
    if (call && node->kids[0]->kind == NodeKind::kName) {
      const std::string name = node->kids[0]->text;
      report(Msg::kPatternCall, node->span, {name}).repair =
          "write a comma after `" + name + "`";
    } else {
      report(Msg::kPatternNotPattern, node->span);
    }
  }
  node->kind = NodeKind::kError;
  node->kids.clear();
}

// The binder of a let; a faulty pattern binds nothing.
Binder Parser::binder_of(const Node* pattern) const {
  const bool variable = pattern->kind == NodeKind::kPVar;
  return {pattern->mark, variable ? pattern->text : "_", pattern->span};
}

}  // namespace tine
