// The examples of docs/language.md: every ```bend block is a program that does
// what its tail says, and every ```bend wrong CODE block gets that code only.
#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/tine.hpp"
#include "tools/test_file.h"

using namespace tine;

namespace {

struct Example {
  std::string wrong;  // its code, "" for a right one
  std::string text;
  int line = 0;
};

std::vector<Example> examples() {
  std::ifstream in(TINE_SOURCE_DIR "/docs/language.md");
  REQUIRE(in.good());
  std::vector<Example> all;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!inside && line.starts_with("```bend")) {
      inside = true;
      std::istringstream words(line.substr(7));
      std::string word, code;
      words >> word >> code;
      all.push_back({code, "import Base\n", number});
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      all.back().text += line + "\n";
    }
  }
  return all;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

std::set<std::string> errors(const Program& program) {
  std::set<std::string> codes;
  for (const Message& message : program.messages()) {
    if (message.error) codes.insert(message.code);
  }
  return codes;
}

}  // namespace

TEST_CASE("docs: the examples of the language page do what they say") {
  std::vector<Example> all = examples();
  CHECK(all.size() > 20);
  for (const Example& example : all) {
    CAPTURE(example.line);
    Program program = Context().load_text("example.bend", example.text);
    if (!example.wrong.empty()) {
      CHECK(errors(program) == std::set<std::string>{example.wrong});
      continue;
    }
    CHECK(errors(program).empty());
    tool::TestFile test = tool::read_test_file(example.text);
    CHECK((test.tail.has_value() || !test.theory.empty()));
    if (test.tail) {
      Outcome outcome = program.run({});
      std::string value = outcome.value;
      if (!value.empty()) value += "\n";
      CHECK(outcome.out + value == joined(*test.tail));
    }
    for (const tool::TheoryValue& expected : test.theory) {
      CHECK(program.eval(expected.expression).value == expected.value);
    }
  }
}
