// C text as loaded machine code, from the cache or from the compiler.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/native/abi.h"

namespace tine {

struct NativeSettings {
  bool cache = true;       // use the user's cache of objects
  bool bytes = false;      // give the bytes of the object as well
  bool keep = true;        // leave the input of a compiler that failed
  // A compile may take so long, and this much more for a byte of C: four times
  // what GCC 12 takes for loops.
  double compile_seconds = 120;
  double byte_seconds = 50e-6;
};

class NativeObject {
 public:
  NativeObject(const NativeObject&) = delete;
  NativeObject& operator=(const NativeObject&) = delete;
  ~NativeObject();
  const NativeProgram& program() const { return *program_; }
  bool from_cache() const { return from_cache_; }

 private:
  friend struct NativeLoader;
  NativeObject() = default;
  void* handle_ = nullptr;
  const NativeProgram* program_ = nullptr;
  bool from_cache_ = false;
};

struct NativeLoad {
  std::shared_ptr<NativeObject> object;  // null when it could not be had
  bool no_compiler = false;              // there is none on this machine
  bool quiet = false;                    // not tried: too long to wait for
  std::string bytes;                     // of the object, when asked for
  std::string problem;                   // why there is no object, one line
  std::string note;                      // what was passed over, one line
};
NativeLoad load_native(const std::string& text, const NativeSettings& settings);
// An object from its bytes; null when it is none of this version, or cannot
// be loaded.
std::shared_ptr<NativeObject> load_native_bytes(std::string_view bytes);

}  // namespace tine
