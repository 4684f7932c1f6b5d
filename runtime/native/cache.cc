#include "runtime/native/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace tine {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

std::string wanted_folder() {
  auto value = [](const char* name) -> std::string {
    const char* text = std::getenv(name);
    return text && *text == '/' ? text : "";
  };
  std::string folder = value("TINE_CACHE");
  if (!folder.empty()) return folder;
  folder = value("XDG_CACHE_HOME");
  if (!folder.empty()) return folder + "/tine";
  folder = value("HOME");
  return folder.empty() ? "" : folder + "/.cache/tine";
}

// With the folders above it. 0 or an errno.
int make_folder(const std::string& folder) {
  for (std::size_t at = 1; at != std::string::npos;) {
    at = folder.find('/', at);
    std::string part = folder.substr(0, at);
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) return errno;
    if (at != std::string::npos) ++at;
  }
  return 0;
}

}  // namespace

// Two FNV-1a sums with different starts: 128 bits.
std::string content_hash(std::string_view text) {
  std::uint64_t a = 0xcbf29ce484222325, b = 0x9ae16a3b2f90404f;
  for (unsigned char c : text) {
    a = (a ^ c) * 0x100000001b3;
    b = (b ^ c) * 0x9e3779b97f4a7c15;
    b ^= b >> 29;
  }
  char key[40];
  std::snprintf(key, sizeof key, "%016llx%016llx",
                static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b));
  return key;
}

NativeCache::NativeCache() {
  std::string folder = wanted_folder();
  if (folder.empty()) {
    problem_ = "there is no folder for the cache (HOME is not set)";
    return;
  }
  std::string start = "the cache `" + folder + "` is not used: ";
  int error = make_folder(folder);
  struct stat info;
  if (error == 0 && stat(folder.c_str(), &info) != 0) error = errno;
  if (error != 0) {
    problem_ = start + std::strerror(error);
  } else if (!S_ISDIR(info.st_mode)) {
    problem_ = start + std::strerror(ENOTDIR);
  } else if (info.st_uid != geteuid() || (info.st_mode & 022) != 0) {
    problem_ = start + "others may write to it";
  } else {
    folder_ = folder;
  }
}

bool NativeCache::trusted(const std::string& file) {
  struct stat info;
  return lstat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         info.st_uid == geteuid() && (info.st_mode & 022) == 0;
}

void NativeCache::touch(const std::string& file) {
  utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
}

int NativeCache::write(const std::string& file, std::string_view bytes) const {
  std::string name = file + "." + std::to_string(getpid()) + ".tmp";
  std::FILE* out = std::fopen(name.c_str(), "wb");
  if (!out) return errno;
  bool wrote = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
  int error = wrote ? 0 : errno;
  if (std::fclose(out) != 0 && error == 0) error = errno;
  if (error == 0 && rename(name.c_str(), file.c_str()) != 0) error = errno;
  if (error == 0) trim();
  else unlink(name.c_str());
  return error;
}

std::vector<NativeCache::Entry> NativeCache::entries(bool books) const {
  std::vector<Entry> found;
  DIR* folder = usable() ? opendir(folder_.c_str()) : nullptr;
  if (!folder) return found;
  while (const dirent* row = readdir(folder)) {
    std::string name = row->d_name;
    if (!name.ends_with(".so") && !(books && name.ends_with(".book"))) continue;
    std::string path = folder_ + "/" + name;
    struct stat info;
    if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    found.push_back({path, static_cast<std::uint64_t>(info.st_size),
                     static_cast<std::int64_t>(info.st_mtime)});
  }
  closedir(folder);
  return found;
}

void NativeCache::trim() const {
  std::vector<Entry> found = entries(true);
  std::uint64_t bytes = 0;
  for (const Entry& entry : found) bytes += entry.bytes;
  if (bytes <= kMostBytes) return;
  std::sort(found.begin(), found.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : found) {
    if (bytes <= kMostBytes / 2) break;
    if (unlink(entry.path.c_str()) == 0) bytes -= entry.bytes;
  }
}

NativeCache::Contents NativeCache::contents() const {
  Contents sum;
  for (const Entry& entry : entries(false)) {
    ++sum.objects;
    sum.bytes += entry.bytes;
  }
  return sum;
}

std::size_t NativeCache::clear() const {
  std::size_t removed = 0;
  for (const Entry& entry : entries(true)) {
    bool gone = unlink(entry.path.c_str()) == 0;
    removed += gone && entry.path.ends_with(".so");
  }
  return removed;
}

}  // namespace tine
