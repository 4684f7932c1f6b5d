// The text form of a book: printing, reading, verifying. Grammar: GRAMMAR.md
// beside this file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/book/book.h"

namespace tine {

struct BookError {
  std::uint32_t line = 0;    // 1-based; 0 when there is no place
  std::uint32_t column = 0;  // code points from 1
  std::string text;
};

std::string print_book(const Book& book);
// Reads a whole book. On error the list is not empty and the book unusable.
std::vector<BookError> read_book(std::string_view text, Book& book);
// Types, linearity, arities, arms, one definition per wire. Empty when right.
// Any is compatible with every one-word type.
std::vector<BookError> verify_book(const Book& book);

}  // namespace tine
