#include "compiler/syntax/operators.h"

#include <algorithm>
#include <vector>

namespace tine {

bool is_named_operator(std::string_view text) {
  const std::size_t op = find_operator(text);
  return op != kNoOperator && kOperators[op].named;
}

void annotate_operators(Node* term, Node* ns) {
  std::vector<Node*> work{term};
  while (!work.empty()) {
    Node* node = work.back();
    work.pop_back();
    switch (node->kind) {
      case NodeKind::kOp:
        if (is_named_operator(node->text)) node->ns = ns;
        work.insert(work.end(), node->kids.begin(), node->kids.end());
        break;
      case NodeKind::kArrow:
        work.insert(work.end(), node->kids.begin(), node->kids.end());
        break;
      case NodeKind::kGroup:  // an inner annotation has named its own
        if (node->kids.size() == 1) work.push_back(node->kids[0]);
        break;
      case NodeKind::kLet:
      case NodeKind::kTypedLet:
      case NodeKind::kParLet:
      case NodeKind::kErasedLet:
      case NodeKind::kDestruct:
      case NodeKind::kTuple:
        work.push_back(node->kids.back());
        break;
      default:
        break;
    }
  }
}

}  // namespace tine
