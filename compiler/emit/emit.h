// From a book to C: one file per program, compiled by the system's compiler
// and run by runtime/native.
#pragma once

#include <string>

#include "runtime/book/book.h"
#include "runtime/net/code.h"

namespace tine {

struct EmitResult {
  std::string text;
  std::string missing;  // "" or the name of a primitive without C
};

// `numbers` numbers the constructors, see number_book. `counts`: the code
// counts its calls and primitives, which costs it time.
EmitResult emit_c(const Book& book, const NetProgram& numbers, bool counts);
// The functions that reach no fork, with the same text, behind a prelude for
// a device; the kernel `tine_addresses` gives their addresses.
EmitResult emit_device(const Book& book, const NetProgram& numbers);

}  // namespace tine
