// `tine cache`: what the native engine keeps.
#include "tools/commands.h"

namespace tine::tool {

int command_cache(const Options& options, Console& console) {
  CacheInfo info = cache_info();
  if (info.folder.empty()) {
    console.err("tine: " + info.problem + "\n");
    return kProgramWrong;
  }
  if (options.operands[0] == "clear") {
    console.out("removed " + std::to_string(clear_cache()) + " programs\n");
    return kOk;
  }
  console.out(info.folder + "\n" + std::to_string(info.programs) +
              " programs, " + std::to_string(info.bytes) + " bytes\n");
  return kOk;
}

}  // namespace tine::tool
