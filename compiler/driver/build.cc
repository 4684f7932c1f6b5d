#include "compiler/driver/build.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "compiler/book/text.h"
#include "compiler/driver/run.h"

namespace tine {
namespace {

constexpr char kMark[8] = {'t', 'i', 'n', 'e', '-', 'p', '0', '1'};

// The last bytes of the executable.
struct Trailer {
  std::uint64_t book, object;  // bytes; the object ends at the trailer
  char mark[8];
};

std::string errno_text() { return std::strerror(errno); }

class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  OpenFile(const OpenFile&) = delete;
  ~OpenFile() { if (file_ >= 0) close(file_); }
  int get() const { return file_; }
  bool good() const { return file_ >= 0; }

 private:
  int file_;
};

bool read_at(int file, std::uint64_t at, void* to, std::size_t bytes) {
  auto* next = static_cast<char*>(to);
  while (bytes > 0) {
    ssize_t n = pread(file, next, bytes, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    next += n;
    at += static_cast<std::uint64_t>(n);
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Size of the file, or 0; the trailer when there is one.
std::uint64_t find_trailer(int file, Trailer& trailer, bool& found) {
  struct stat info;
  found = false;
  if (fstat(file, &info) != 0) return 0;
  auto size = static_cast<std::uint64_t>(info.st_size);
  if (size < sizeof trailer ||
      !read_at(file, size - sizeof trailer, &trailer, sizeof trailer)) {
    return size;
  }
  std::uint64_t room = size - sizeof trailer;
  found = std::memcmp(trailer.mark, kMark, sizeof kMark) == 0 &&
          trailer.book <= room && trailer.object <= room - trailer.book;
  return size;
}

// The bytes of the runner, without a program that it carries itself.
bool read_runner(const std::string& runner, std::string& bytes) {
  OpenFile file(open(runner.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.good()) return false;
  Trailer trailer;
  bool found;
  std::uint64_t size = find_trailer(file.get(), trailer, found);
  if (found) size -= sizeof trailer + trailer.book + trailer.object;
  bytes.resize(size);
  return read_at(file.get(), 0, bytes.data(), size);
}

// Under a name beside it, then renamed: a build that fails leaves what was
// there. "" or why not.
std::string replace_file(const std::string& path, const std::string& runner,
                         std::string_view rest) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return "it is no regular file";
  }
  std::string name = path + "." + std::to_string(getpid()) + ".tmp";
  {
    OpenFile file(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                       0777));
    if (!file.good()) return errno_text();
    if (write_all(file.get(), runner) && write_all(file.get(), rest) &&
        fsync(file.get()) == 0 && rename(name.c_str(), path.c_str()) == 0) {
      return "";
    }
  }
  std::string why = errno_text();
  unlink(name.c_str());
  return why;
}

}  // namespace

BuiltParts read_built(const std::string& executable) {
  BuiltParts parts;
  OpenFile file(open(executable.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.good()) return parts;
  Trailer trailer;
  std::uint64_t size = find_trailer(file.get(), trailer, parts.found);
  if (!parts.found) return parts;
  std::uint64_t object = size - sizeof trailer - trailer.object;
  parts.book.resize(trailer.book);
  parts.object.resize(trailer.object);
  parts.found = read_at(file.get(), object - trailer.book, parts.book.data(),
                        trailer.book) &&
                read_at(file.get(), object, parts.object.data(),
                        trailer.object);
  return parts;
}

bool has_trailer(const std::string& executable) {
  OpenFile file(open(executable.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.good()) return false;
  Trailer trailer;
  bool found;
  find_trailer(file.get(), trailer, found);
  return found;
}

Built write_built(Program::State& state, const std::string& path,
                  const std::string& runner) {
  Built built;
  auto fail = [&](const std::string& text) {
    built.status = kRunFailed;
    built.failure = text;
    return built;
  };
  std::string bytes;
  if (!read_runner(runner, bytes)) {
    return fail("`" + runner + "` cannot be read: " + errno_text());
  }
  std::string rest = print_book(state.book);
  Trailer trailer{rest.size(), 0, {}};
  std::memcpy(trailer.mark, kMark, sizeof kMark);
  NativeLoad load = compiled_bytes(state);
  if (!load.object) built.note = load.problem + "; it runs on the net engine";
  trailer.object = load.bytes.size();
  rest += load.bytes;
  rest.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
  std::string why = replace_file(path, bytes, rest);
  return why.empty() ? built
                     : fail("`" + path + "` cannot be written: " + why);
}

}  // namespace tine
