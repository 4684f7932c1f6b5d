#include "compiler/driver/kept.h"

#include <sys/stat.h>

#include <filesystem>
#include <sstream>

#include "compiler/driver/files.h"
#include "runtime/native/cache.h"
#include "runtime/tine.hpp"

namespace tine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForm = "tine-book 1";

// This executable, which has Base and the compiler inside: its place, size and
// time of change.
std::string identity() {
  struct stat info;
  if (stat("/proc/self/exe", &info) != 0) return "";
  std::ostringstream text;
  text << kForm << ' ' << kVersion << ' ' << info.st_dev << ' ' << info.st_ino
       << ' ' << info.st_size << ' ' << info.st_mtim.tv_sec << ' '
       << info.st_mtim.tv_nsec;
  return text.str();
}

// The entry's file; "" without a cache.
std::string entry_path(const NativeCache& cache, const std::string& real,
                       const std::string& who) {
  if (!cache.usable() || real.empty() || who.empty()) return "";
  return cache.book_path(content_hash(who + '\n' + real));
}

std::string real_path_of(const std::string& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? "" : real.string();
}

// Is a file that was read the same now?
bool same(const std::string& path, const std::string& real,
          const std::string& hash) {
  if (real_path_of(path) != real) return false;
  FileText file = read_file(real);
  return file.result == ReadResult::kOk && content_hash(file.text) == hash;
}

}  // namespace

std::optional<std::string> find_kept_book(const std::string& path) {
  NativeCache cache;
  std::string who = identity();
  std::string real = real_path_of(path);
  std::string file = entry_path(cache, real, who);
  if (file.empty() || !cache.trusted(file)) return std::nullopt;
  FileText entry = read_file(file);
  if (entry.result != ReadResult::kOk) return std::nullopt;
  std::istringstream in(entry.text);
  std::string line, hash, from;
  if (!std::getline(in, line) || line != who) return std::nullopt;
  // Rows of two or three lines, then the hash of the book and the book.
  while (std::getline(in, line) && line != "book") {
    if (!std::getline(in, from)) return std::nullopt;
    if (line == "absent") {
      std::error_code error;
      if (fs::exists(from, error) || error) return std::nullopt;
      continue;
    }
    if (!std::getline(in, real) || !same(from, real, line)) {
      return std::nullopt;
    }
  }
  if (!std::getline(in, hash)) return std::nullopt;
  std::string book = entry.text.substr(static_cast<std::size_t>(in.tellg()));
  if (content_hash(book) != hash) return std::nullopt;
  cache.touch(file);
  return book;
}

void keep_book(const std::string& path, const ModuleSet& modules,
               const std::string& book) {
  NativeCache cache;
  std::string who = identity();
  std::string file = entry_path(cache, real_path_of(path), who);
  if (file.empty()) return;
  std::string text = who + '\n';
  auto add = [&](const std::string& line) {
    // A name with a newline would be taken for two.
    if (line.find('\n') != std::string::npos) file.clear();
    text += line + '\n';
  };
  for (const ReadFile& read : modules.read) {
    add(read.hash);
    add(fs::absolute(read.path).string());
    add(read.real);
  }
  for (const std::string& absent : modules.absent) {
    add("absent");
    add(fs::absolute(absent).string());
  }
  text += "book\n" + content_hash(book) + '\n' + book;
  if (!file.empty()) cache.write(file, text);
}

}  // namespace tine
