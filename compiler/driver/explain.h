// The pages of `tine explain`, embedded from compiler/lib/explain.txt.
//
// A page is a line `= CODE`, sentences, and sections that a line opens:
//
//   - wrong        a program that gets exactly this code
//   - right        the same, repaired
//   - with NAME    a file that both import, by that name
//   - none         why no program can show it
//
// An example that imports nothing gets `import Base`, unless it starts with a
// comment.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tine {

struct ExplainPage {
  std::string code;
  std::string text;    // the sentences
  std::string wrong;   // programs; "" when a page has none
  std::string right;
  std::string none;
  std::vector<std::pair<std::string, std::string>> files;  // name, text
};

std::vector<ExplainPage> explain_pages();

}  // namespace tine
