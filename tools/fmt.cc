// `tine fmt`: formats files in place, or standard input to standard output.
//
// A file is replaced at once: its new text goes to a file beside it, which
// then takes its name. What a link points to is replaced, not the link; the
// permissions stay.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tools/commands.h"
#include "tools/line_diff.h"

namespace tine::tool {
namespace {

namespace fs = std::filesystem;

std::string last_error() {
  return std::generic_category().message(errno);
}

// All programs of a folder, sorted; hidden ones are left out, and links to
// folders are not followed.
void collect(const fs::path& folder, std::vector<std::string>& files,
             std::error_code& error) {
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator next(folder, error), end;
       !error && next != end; next.increment(error)) {
    if (!next->path().filename().string().starts_with('.')) {
      entries.push_back(*next);
    }
  }
  std::sort(entries.begin(), entries.end());
  for (const fs::directory_entry& entry : entries) {
    std::error_code ignored;
    if (entry.is_directory(ignored)) {
      if (!entry.is_symlink(ignored)) collect(entry.path(), files, error);
    } else if (entry.path().extension() == ".bend") {
      files.push_back(entry.path().string());
    }
    if (error) return;
  }
}

bool write_whole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(fd, text.data(), text.size());
    if (done >= 0) {
      text.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

// A new file beside `path` with its owner and permissions, and the text.
bool fill_new(int fd, const struct stat& old, std::string_view text) {
  // Only root may give a file away; others keep what they can.
  if (fchown(fd, old.st_uid, old.st_gid) != 0 && errno != EPERM) return false;
  return fchmod(fd, old.st_mode & 07777) == 0 && write_whole(fd, text) &&
         fsync(fd) == 0;
}

// Replaces a file's text; "" or why it could not be done.
std::string replace_file(const std::string& path, std::string_view text) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error) return error.message();
  struct stat old {};
  if (stat(real.c_str(), &old) != 0) return last_error();
  if (!S_ISREG(old.st_mode)) return "it is no regular file";
  // A file that may not be written is not replaced either.
  const int probe = open(real.c_str(), O_WRONLY | O_CLOEXEC);
  if (probe < 0) return last_error();
  close(probe);
  std::string name =
      (real.parent_path() / ("." + real.filename().string() + ".XXXXXX"))
          .string();
  const int fd = mkstemp(name.data());
  if (fd < 0) return last_error();
  bool done = fill_new(fd, old, text);
  std::string why = done ? "" : last_error();
  done = close(fd) == 0 && done;
  if (done && std::rename(name.c_str(), real.c_str()) == 0) return "";
  if (why.empty()) why = last_error();
  unlink(name.c_str());
  return why;
}

std::string read_input() {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got == 0 || (got < 0 && errno != EINTR)) return text;
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
}

// Says why a text was not formatted; the status, 0 when it was.
int judge(const Formatted& formatted, const std::string& name,
          Console& console) {
  console.show(formatted.messages, false);
  if (formatted.ok) return kOk;
  if (formatted.failure.empty()) return kProgramWrong;
  console.fail("internal error, `" + name + "` is left as it was: " +
                   formatted.failure,
               {}, kRunFailed);
  return kRunFailed;
}

// What would change: the name, or the lines.
void tell_change(const std::string& name, const Formatted& formatted,
                 const Options& options, Console& console) {
  console.out(options.diff
                  ? unified_diff(name, formatted.source, formatted.text)
                  : name + "\n");
}

int format_input(const Options& options, Console& console) {
  constexpr const char* kName = "<stdin>";
  const Formatted formatted = format_text(kName, read_input());
  const int status = judge(formatted, kName, console);
  if (status != kOk) return status;
  if (!options.check && !options.diff) {
    console.out(formatted.text);
    return kOk;
  }
  if (formatted.text == formatted.source) return kOk;
  tell_change(kName, formatted, options, console);
  return kProgramWrong;
}

int format_one(const std::string& file, const Options& options,
               Console& console) {
  const Formatted formatted = format_file(file);
  const int status = judge(formatted, file, console);
  if (status != kOk || formatted.text == formatted.source) return status;
  const bool keep = options.check || options.diff;
  if (!keep) {
    const std::string why = replace_file(file, formatted.text);
    if (!why.empty()) {
      console.fail("`" + file + "` cannot be written: " + why, {},
                   kRunFailed);
      return kRunFailed;
    }
  }
  tell_change(file, formatted, options, console);
  return keep ? kProgramWrong : kOk;
}

}  // namespace

int command_fmt(const Options& options, Console& console) {
  if (options.operands.empty() || options.operands[0] == "-") {
    return format_input(options, console);
  }
  int status = kOk;
  for (const std::string& path : options.operands) {
    std::error_code error;
    std::vector<std::string> files;
    if (fs::is_directory(path, error)) {
      collect(path, files, error);
    } else {
      error.clear();
      files.push_back(path);  // what is not there is a message
    }
    if (error) {
      console.fail("the folder `" + path + "` cannot be read: " +
                       error.message(),
                   {}, kRunFailed);
      status = kRunFailed;
    }
    for (const std::string& file : files) {
      status = std::max(status, format_one(file, options, console));
    }
  }
  return status;
}

}  // namespace tine::tool
