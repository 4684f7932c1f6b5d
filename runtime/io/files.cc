#include "runtime/io/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tine {
namespace {

constexpr mode_t kMode = 0644;
// A read of more is allowed to come short, as any read is.
constexpr std::uint32_t kMostBytes = 1u << 20;

int flags_of(std::string_view mode) {
  if (mode == "r") return O_RDONLY;
  if (mode == "w") return O_WRONLY | O_CREAT | O_TRUNC;
  if (mode == "a") return O_WRONLY | O_CREAT | O_APPEND;
  return -1;
}

}  // namespace

FileTable::~FileTable() {
  for (const Entry& entry : entries_) {
    if (entry.descriptor >= 0) ::close(entry.descriptor);
  }
}

int FileTable::open(const std::string& path, std::string_view mode,
                    std::uint32_t& file) {
  int flags = flags_of(mode);
  if (flags < 0) return EINVAL;
  if (path.find('\0') != std::string::npos) return ENOENT;
  int descriptor;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, kMode);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return errno;
  std::lock_guard lock(mutex_);
  if (free_.empty()) {
    file = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    file = free_.back();
    free_.pop_back();
  }
  entries_[file] = Entry{descriptor, Utf8Decoder()};
  return 0;
}

int FileTable::descriptor(std::uint32_t file) const {
  std::lock_guard lock(mutex_);
  return file < entries_.size() ? entries_[file].descriptor : -1;
}

int FileTable::read(std::uint32_t file, std::uint32_t most,
                    std::u32string& text) {
  int from = descriptor(file);
  if (from < 0) return EBADF;
  most = std::min(most, kMostBytes);
  buffer_.resize(most);
  while (text.empty() && most > 0) {
    ssize_t count = ::read(from, buffer_.data(), most);
    if (count < 0) return errno;
    std::lock_guard lock(mutex_);
    Utf8Decoder& decoder = entries_[file].decoder;
    if (count == 0) {
      decoder.finish(text);
      return 0;
    }
    decoder.feed({buffer_.data(), static_cast<std::size_t>(count)}, text);
  }
  return 0;
}

int FileTable::read_bytes(std::uint32_t file, std::uint32_t most,
                          std::string& bytes) {
  int from = descriptor(file);
  if (from < 0) return EBADF;
  bytes.resize(std::min(most, kMostBytes));
  ssize_t count = ::read(from, bytes.data(), bytes.size());
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return count < 0 ? errno : 0;
}

int FileTable::read_at(std::uint32_t file, std::uint64_t offset,
                       std::uint32_t most, std::string& bytes) {
  int from = descriptor(file);
  if (from < 0) return EBADF;
  bytes.resize(std::min(most, kMostBytes));
  ssize_t count =
      ::pread(from, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return count < 0 ? errno : 0;
}

int FileTable::size(std::uint32_t file, std::uint64_t& bytes) const {
  int of = descriptor(file);
  struct stat facts;
  if (of < 0 || ::fstat(of, &facts) != 0) return of < 0 ? EBADF : errno;
  bytes = static_cast<std::uint64_t>(facts.st_size);
  return 0;
}

int FileTable::write(std::uint32_t file, std::string_view bytes) {
  int to = descriptor(file);
  if (to < 0) return EBADF;
  while (!bytes.empty()) {
    ssize_t count = ::write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

void FileTable::close(std::uint32_t file) {
  std::lock_guard lock(mutex_);
  if (file >= entries_.size() || entries_[file].descriptor < 0) return;
  ::close(entries_[file].descriptor);
  entries_[file].descriptor = -1;
  free_.push_back(file);
}

std::size_t FileTable::open_files() const {
  std::lock_guard lock(mutex_);
  return entries_.size() - free_.size();
}

}  // namespace tine
