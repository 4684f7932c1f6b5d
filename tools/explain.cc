// `tine explain`: the page of a message code, or a list of codes.
#include <cctype>

#include "tools/commands.h"

namespace tine::tool {

int command_explain(const Options& options, Console& console) {
  std::string code = options.operands.empty() ? "" : options.operands[0];
  // e14M is E14m.
  for (std::size_t i = 0; i < code.size(); ++i) {
    auto c = static_cast<unsigned char>(code[i]);
    code[i] = static_cast<char>(i == 0 ? std::toupper(c) : std::tolower(c));
  }
  std::string text = explain(code);
  if (text.empty()) {
    console.fail("there is no code `" + code +
                 "`; `tine explain` lists them all");
    return kUsage;
  }
  console.out(text);
  return kOk;
}

}  // namespace tine::tool
