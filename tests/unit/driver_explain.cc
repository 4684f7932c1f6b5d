// Every code has a page, and every example gets what its page says.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "compiler/driver/explain.h"
#include "compiler/syntax/diag.h"
#include "runtime/tine.hpp"
#include "tests/unit/driver_temp.h"

using namespace tine;
using tine::test::TempFolder;

namespace {

std::set<std::string> codes_of_table() {
  return {
#define TINE_DIAG(id, code, severity, text) code,
#include "compiler/syntax/diag_table.def"
#undef TINE_DIAG
  };
}

struct Reported {
  std::set<std::string> errors, warnings;
};

Reported compile(const ExplainPage& page, const std::string& text) {
  TempFolder folder;
  for (const auto& [name, file] : page.files) folder.write(name, file);
  Program program =
      Context().load_text(folder.at("example.bend"), text);
  if (program.ok()) program.book_text();  // E31 is of the lowering
  Reported reported;
  for (const Message& message : program.messages()) {
    (message.error ? reported.errors : reported.warnings)
        .insert(message.code);
  }
  return reported;
}

}  // namespace

TEST_CASE("explain: every code has one page, with examples or a reason") {
  std::set<std::string> pages;
  for (const ExplainPage& page : explain_pages()) {
    CAPTURE(page.code);
    CHECK(pages.insert(page.code).second);
    bool examples = !page.wrong.empty() && !page.right.empty();
    CHECK(examples == page.none.empty());
  }
  CHECK(pages == codes_of_table());
}

TEST_CASE("explain: a wrong example gets exactly its code, a right one none") {
  for (const ExplainPage& page : explain_pages()) {
    if (page.wrong.empty()) continue;
    CAPTURE(page.code);
    Reported wrong = compile(page, page.wrong);
    Reported right = compile(page, page.right);
    CHECK(right.errors.empty());
    if (page.code[0] == 'W') {
      CHECK(wrong.errors.empty());
      CHECK(wrong.warnings.contains(page.code));
      CHECK_FALSE(right.warnings.contains(page.code));
    } else {
      CHECK(wrong.errors == std::set<std::string>{page.code});
    }
  }
}

TEST_CASE("explain: pages, rows of codes, unknown codes") {
  CHECK(explain("E23a").find("Right:") != std::string::npos);
  CHECK(explain("E23").find("E23b ") != std::string::npos);
  CHECK(explain("E23").find("Right:") == std::string::npos);
  CHECK(explain("E99") == "");
}
