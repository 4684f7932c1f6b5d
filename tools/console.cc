// See console.h. SIGPIPE is ignored by main, so that a closed pipe is EPIPE.
#include "tools/console.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace tine::tool {
namespace {

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t done = write(fd, bytes.data(), bytes.size());
    if (done >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(no_colour && *no_colour);
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string failure_line(std::string_view text, std::string_view def) {
  std::string line = "tine: error: " + std::string(text);
  if (!def.empty()) line += " (in `" + std::string(def) + "`)";
  return line + "\n";
}

Console::Console(bool json) : json_(json), colour_(!json && wants_colour()) {}

int Console::out(std::string_view bytes) {
  if (out_error_ == 0) out_error_ = write_all(STDOUT_FILENO, bytes);
  return out_error_;
}

int Console::err(std::string_view bytes) {
  return write_all(STDERR_FILENO, bytes);
}

void Console::show(const Message& message) {
  if (json_) {
    err(message.json + "\n");
  } else {
    err(colour_ ? message.coloured : message.rendered);
  }
}

void Console::show(const std::vector<Message>& messages, bool warnings) {
  for (const Message& message : messages) {
    if (message.error || warnings) show(message);
  }
}

void Console::fail(std::string_view text, std::string_view def, int status) {
  if (json_) {
    err("{\"severity\":\"failure\",\"message\":" + json_string(text) +
        ",\"def\":" + json_string(def) +
        ",\"status\":" + std::to_string(status) + "}\n");
    return;
  }
  std::string line = failure_line(text, def);
  if (colour_) {
    line.insert(line.find("error:") + 6, "\033[0m");
    line.insert(line.find("error:"), "\033[1;31m");
  }
  err(line);
}

void Console::note(std::string_view text) {
  if (!json_) err("tine: note: " + std::string(text) + "\n");
}

int Console::finish(int status) {
  if (out_error_ == 0 || out_error_ == EPIPE) return status;
  fail("standard output cannot be written: " +
           std::generic_category().message(out_error_),
       {}, kRunFailed);
  return kRunFailed;
}

}  // namespace tine::tool
