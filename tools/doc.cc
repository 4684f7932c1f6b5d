// `tine lib` and `tine doc`: the library's modules, and what a module declares.
#include <algorithm>

#include "tools/commands.h"

namespace tine::tool {
namespace {

constexpr const char* kList = "`tine lib` lists the modules";

int print_page(const Documentation& page, Console& console) {
  console.show(page.messages, true);
  if (!page.failure.empty()) {
    console.fail(page.failure);
    return kOutOfMemory;
  }
  console.out(page.text);
  return page.found ? kOk : kProgramWrong;
}

int no_such(const std::string& text, Console& console) {
  console.fail(text);
  return kUsage;
}

}  // namespace

int command_lib(const Options&, Console& console) {
  const std::vector<LibraryModule> modules = library_modules();
  std::size_t width = 0;
  for (const LibraryModule& module : modules) {
    width = std::max(width, module.name.size());
  }
  for (const LibraryModule& module : modules) {
    console.out(module.name + std::string(width + 2 - module.name.size(), ' ') +
                module.purpose + "\n");
  }
  return kOk;
}

int command_doc(const Options& options, Console& console) {
  const std::string& word = options.operands[0];
  const std::string name = options.operands.size() > 1 ? options.operands[1]
                                                       : "";
  Documentation page = document(word, name);
  bool is_wrong = !page.messages.empty() || !page.failure.empty();
  if (page.found || is_wrong) return print_page(page, console);
  if (page.known) {
    return no_such("`" + word + "` has no `" + name + "`; `tine doc " +
                       word + "` shows what it has",
                   console);
  }
  if (!name.empty()) {
    return no_such("there is no module `" + word + "`; " + kList, console);
  }
  page = document("Base", word);
  if (page.found) return print_page(page, console);
  return no_such("there is no module `" + word +
                     "`, and Base has no such name; " + kList,
                 console);
}

}  // namespace tine::tool
