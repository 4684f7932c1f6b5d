// A test file: a program whose comments say what is expected of it.
//
//   #! E23 7:5          header: refused, with that code at that place
//   import Base
//   ...
//   #| 42               tail: the expected output
//
// Several header lines are several expected diagnostics; a code without its
// letter stands for all of its kind; a code W.. is a warning, and the program
// still runs when there is a tail. In a `.net` file, whose errors have no
// codes, the header is `#! 7:5`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tine.hpp"

namespace tine::tool {

struct ExpectedMessage {
  std::string code;
  std::uint32_t line = 0, column = 0;
};

struct TestFile {
  std::vector<ExpectedMessage> header;
  std::optional<std::vector<std::string>> tail;  // lines
  std::size_t tail_begin = 0;  // byte offset; the size of the text if none
  std::string bad_header;      // the header line that could not be read
};

TestFile read_test_file(std::string_view text);

// The text with its tail replaced by `lines`.
std::string with_tail(std::string_view text, const TestFile& test,
                      const std::vector<std::string>& lines);

// Does a message of the list meet the expectation?
bool meets(const std::vector<Message>& messages,
           const ExpectedMessage& expected);

std::vector<std::string> split_lines(std::string_view text);

// The first places where two outputs differ, for people; "" when equal.
std::string diff_lines(const std::vector<std::string>& expected,
                       const std::vector<std::string>& got);

}  // namespace tine::tool
