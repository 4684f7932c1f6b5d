// The system's C compiler, as a process with a time limit.
#pragma once

#include <string>
#include <vector>

namespace tine {

struct CCompiler {
  std::string path;        // "" when there is none
  std::string name;        // as it was asked for
  std::string identity;    // path, size and time of change: part of cache keys
  bool clang = false;
};

// TINE_CC where it is set, else the first of cc, gcc, clang in PATH.
CCompiler find_c_compiler();

std::vector<std::string> c_flags(const CCompiler& compiler);

// Compiles `source` to a shared object. "" or why not, in one line; what the
// compiler said is in `source` + ".log".
std::string compile_c(const CCompiler& compiler, const std::string& source,
                      const std::string& object, double seconds);

}  // namespace tine
