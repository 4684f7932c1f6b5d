// Reads a whole file by open, fstat and read; folders and endless devices
// are refused. See files.h.
#include "compiler/driver/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tine {
namespace {

FileText failure(int error) {
  if (error == ENOENT || error == ENOTDIR) return {ReadResult::kMissing, "", ""};
  return {ReadResult::kUnreadable, "",
          std::generic_category().message(error)};
}

// Reads to the end of `fd`, at most one byte more than kMaxFile.
FileText drain(int fd) {
  FileText out;
  char buffer[1 << 16];
  while (out.text.size() <= kMaxFile) {
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got == 0) return out;
    if (got > 0) {
      out.text.append(buffer, static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return failure(errno);
    }
  }
  return {ReadResult::kTooLarge, "", ""};
}

}  // namespace

FileText read_file(const std::string& path) {
  // An embedded zero would cut the name short.
  if (path.find('\0') != std::string::npos) return failure(ENOENT);
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(errno);
  struct stat info {};
  FileText out;
  if (fstat(fd, &info) != 0) {
    out = failure(errno);
  } else if (S_ISDIR(info.st_mode)) {
    out = failure(EISDIR);
  } else if (S_ISREG(info.st_mode) &&
             static_cast<std::size_t>(info.st_size) > kMaxFile) {
    out = {ReadResult::kTooLarge, "", ""};
  } else {
    out = drain(fd);
  }
  close(fd);
  return out;
}

}  // namespace tine
