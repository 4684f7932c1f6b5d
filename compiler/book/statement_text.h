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
// The statement as one line for messages, wires by their own names, cut at
// `limit` bytes.
std::string statement_text(const Book& book, const DefRow& def,
                           const Stmt& stmt, std::size_t limit);

}  // namespace tine
