// What the operators mean: the def each of them calls.
#pragma once

#include <string>

#include "compiler/syntax/surface.h"

namespace tine::core {

// The def that an operator node calls: "Bool.and", or for an operator that
// takes its meaning from a type "T.add". "" where no type reached it, or where
// the operator calls no def.
std::string operator_def(const Node* op);
// True for the operators that take their meaning from a type.
bool is_method(const std::string& op);

}  // namespace tine::core
