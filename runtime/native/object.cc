#include "runtime/native/object.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/native/cache.h"
#include "runtime/native/compiler.h"

namespace tine {
namespace {

std::string key_of(const std::string& text, const CCompiler& compiler) {
  std::string all = compiler.identity + '\0';
  for (const std::string& flag : c_flags(compiler)) all += flag + '\0';
  return content_hash(all + text);
}

// A folder of our own for one compilation, removed at the end unless kept.
class WorkFolder {
 public:
  WorkFolder() {
    const char* base = std::getenv("TMPDIR");
    path_ = std::string(base && *base == '/' ? base : "/tmp") + "/tine-XXXXXX";
    if (!mkdtemp(path_.data())) {
      error_ = errno;
      path_.clear();
    }
  }
  WorkFolder(const WorkFolder&) = delete;
  ~WorkFolder() {
    if (path_.empty() || kept_) return;
    for (const char* name : {"program.c", "program.c.log", "program.so"}) {
      unlink(file(name).c_str());
    }
    rmdir(path_.c_str());
  }
  int error() const { return error_; }
  std::string file(const char* name) const { return path_ + "/" + name; }
  void keep() { kept_ = true; }

 private:
  std::string path_;
  int error_ = 0;
  bool kept_ = false;
};

int write_file(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file) return errno;
  bool wrote = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = wrote ? 0 : errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

std::string read_file_bytes(const std::string& path) {
  std::string bytes;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    char buffer[1 << 16];
    while (std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) {
      bytes.append(buffer, n);
    }
    std::fclose(file);
  }
  return bytes;
}

// Copies the object into the cache. "" or a line that says why it is not there.
std::string store(const NativeCache& cache, const std::string& key,
                  const std::string& object) {
  int error = cache.write(cache.path(key), read_file_bytes(object));
  if (error == 0) return "";
  return "the cache `" + cache.folder() +
         "` is not used: " + std::strerror(error);
}

}  // namespace

struct NativeLoader {
  // Null when the file is no object of this version.
  static std::shared_ptr<NativeObject> open(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return nullptr;
    std::shared_ptr<NativeObject> object(new NativeObject);
    object->handle_ = handle;
    object->program_ =
        static_cast<const NativeProgram*>(dlsym(handle, "tine_program"));
    bool good = object->program_ &&
                object->program_->version == kNativeVersion &&
                native_layout_holds(object->program_->layout);
    return good ? object : nullptr;
  }

  static std::shared_ptr<NativeObject> cached(const NativeCache& cache,
                                              const std::string& key) {
    if (!cache.usable() || !cache.trusted(cache.path(key))) return nullptr;
    std::shared_ptr<NativeObject> object = open(cache.path(key));
    if (!object) return nullptr;
    object->from_cache_ = true;
    cache.touch(cache.path(key));
    return object;
  }

  static void compile(const std::string& text, const CCompiler& compiler,
                      const NativeSettings& settings, const NativeCache* cache,
                      const std::string& key, NativeLoad& load) {
    WorkFolder folder;
    int error = folder.error();
    std::string source = folder.file("program.c");
    if (error == 0) error = write_file(source, text);
    if (error != 0) {
      load.problem = std::string("the C file cannot be written: ") +
                     std::strerror(error);
      return;
    }
    std::string object = folder.file("program.so");
    double seconds = settings.compile_seconds +
                     settings.byte_seconds * static_cast<double>(text.size());
    load.problem = compile_c(compiler, source, object, seconds);
    if (load.problem.empty()) {
      load.object = open(object);
      if (!load.object) load.problem = "the compiled program does not load";
    }
    if (!load.problem.empty()) {
      if (!settings.keep) return;
      folder.keep();
      load.problem += "; its input is " + source;
      return;
    }
    if (settings.bytes) load.bytes = read_file_bytes(object);
    if (cache) load.note = store(*cache, key, object);
  }
};

NativeObject::~NativeObject() {
  if (handle_) dlclose(handle_);
}

NativeLoad load_native(const std::string& text,
                       const NativeSettings& settings) {
  NativeLoad load;
  CCompiler compiler = find_c_compiler();
  if (compiler.path.empty()) {
    load.no_compiler = true;
    load.problem =
        compiler.name.empty() || !std::getenv("TINE_CC")
            ? "there is no C compiler (cc, gcc, clang)"
            : "there is no C compiler `" + compiler.name + "`";
    return load;
  }
  std::string key = key_of(text, compiler);
  if (!settings.cache) {
    NativeLoader::compile(text, compiler, settings, nullptr, key, load);
    return load;
  }
  NativeCache cache;
  load.object = NativeLoader::cached(cache, key);
  if (load.object) {
    if (settings.bytes) load.bytes = read_file_bytes(cache.path(key));
    return load;
  }
  NativeLoader::compile(text, compiler, settings,
                        cache.usable() ? &cache : nullptr, key, load);
  if (!cache.usable() && load.note.empty()) load.note = cache.problem();
  return load;
}

std::shared_ptr<NativeObject> load_native_bytes(std::string_view bytes) {
  int file = memfd_create("tine-program", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  std::size_t done = 0;
  while (done < bytes.size()) {
    ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  std::shared_ptr<NativeObject> object;
  if (done == bytes.size()) {
    object = NativeLoader::open("/proc/self/fd/" + std::to_string(file));
  }
  close(file);
  return object;
}

}  // namespace tine
