// One-line pieces of the text form, for the printer and for messages.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "runtime/book/book.h"

namespace tine {

// A literal as it is written for a value of this type.
std::string literal_text(std::uint64_t value, TypeId type);
// What stands behind `=`; the whole statement where it has no outs.
std::string right_side(const Book& book, const Stmt& stmt,
                       const std::function<std::string(Wire)>& name);

}  // namespace tine
