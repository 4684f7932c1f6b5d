// From a book to register code.
#pragma once

#include "runtime/net/code.h"

namespace tine {

// Compiles what `book.main` reaches. `problem` is set where a definition or
// constructor is larger than the code can say.
NetProgram compile_book(const Book& book);

// The numbers of the constructors only, without code; `problem` as above.
NetProgram number_book(const Book& book);

}  // namespace tine
