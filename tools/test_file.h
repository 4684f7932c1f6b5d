// A test file: a program whose comments say what is expected of it.
//
//   #! E23 7:5          header: refused, with that code at that place
//   import Base
//   ...
//   #| 42               tail: the expected output
//
// Several header lines are several expected diagnostics, and no other error
// may be reported; a code without its letter stands for all of its kind and
// may be left out; a code W.. is a warning, and the program still runs when
// there is a tail. A place in an imported file is written `lib/x.bend:7:5`.
//
// Before the output, the tail may say what the theory gives and which defs
// rely on unsafe code, all of them and in order:
//
//   #@ write            a def outside Base that relies on unsafe code
//   #= 42               the theory's value of main
//   #= f(1) ==> 2       the theory's value of an expression
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tine.hpp"

namespace tine::tool {

struct ExpectedMessage {
  std::string code;   // "" for any
  std::string file;   // beside the test file; "" for itself
  std::uint32_t line = 0, column = 0;
};

struct TheoryValue {
  std::string expression;  // "" for main
  std::string value;
};

struct TestFile {
  std::vector<ExpectedMessage> header;
  std::vector<std::string> unsafe;               // empty: not looked at
  std::vector<TheoryValue> theory;
  std::optional<std::vector<std::string>> tail;  // lines
  std::size_t tail_begin = 0;  // of the output; the size of the text if none
  std::string bad_header;      // the header line that could not be read
};

TestFile read_test_file(std::string_view text);

// The text with its tail replaced by `lines`.
std::string with_tail(std::string_view text, const TestFile& test,
                      const std::vector<std::string>& lines);

// Does a message of the list meet the expectation of the test file `path`?
bool meets(const std::vector<Message>& messages, const std::string& path,
           const ExpectedMessage& expected);
// An error that none of the expectations speaks of, or null.
const Message* unexpected(const std::vector<Message>& messages,
                          const std::string& path,
                          const std::vector<ExpectedMessage>& expected);
std::string show(const ExpectedMessage& expected);

std::vector<std::string> split_lines(std::string_view text);

// The first places where two outputs differ, for people; "" when equal.
std::string diff_lines(const std::vector<std::string>& expected,
                       const std::vector<std::string>& got);

}  // namespace tine::tool
