#include "compiler/core/operators.h"

namespace tine::core {

namespace {

struct Row {
  const char* token;
  const char* name;
};

constexpr Row kMethods[] = {
    {"<", "is_lt"}, {"<=", "is_le"}, {">", "is_gt"}, {">=", "is_ge"},
    {".|.", "or"},  {".^.", "xor"},  {".&.", "and"}, {"<<", "shln"},
    {">>", "shrn"}, {"+", "add"},    {"-", "sub"},   {"*", "mul"},
    {"/", "div"},   {"%", "mod"},
};

constexpr Row kFixed[] = {
    {"||", "Bool.or"}, {"&&", "Bool.and"}, {"++", "String.append"},
};

template <std::size_t N>
const char* find(const Row (&rows)[N], const std::string& token) {
  for (const Row& row : rows)
    if (token == row.token) return row.name;
  return nullptr;
}

// The name at the head of a type; null when there is none.
const std::string* head_name(const Node* type) {
  while (type->kind == NodeKind::kGroup || type->kind == NodeKind::kPlus ||
         type->kind == NodeKind::kTypeApp || type->kind == NodeKind::kCall)
    type = type->kids[0];
  return type->kind == NodeKind::kName ? &type->text : nullptr;
}

}  // namespace

bool is_method(const std::string& op) { return find(kMethods, op) != nullptr; }

std::string operator_def(const Node* op) {
  if (const char* fixed = find(kFixed, op->text)) return fixed;
  const char* method = find(kMethods, op->text);
  const std::string* head = method && op->ns ? head_name(op->ns) : nullptr;
  return head ? *head + "." + method : "";
}

}  // namespace tine::core
