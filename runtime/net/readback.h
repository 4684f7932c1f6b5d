// The text of a value, as a pure main prints it.
#pragma once

#include <string>

#include "runtime/net/code.h"

namespace tine {

// Keeps the value. Needs no type: tags and constructors tell. False when
// `stopping` told it to stop.
class HeapOwner;
bool print_value(const Book& book, const NetProgram& program, HeapOwner& owner,
                 Word value, std::string& out);

}  // namespace tine
