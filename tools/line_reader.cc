// See line_reader.h. libedit keeps one line editor per process, so its hooks
// are plain functions that find the reader's completion in a file-local slot.
#include "tools/line_reader.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tools/signals.h"

#if TINE_LIBEDIT
#include <editline/readline.h>
#endif

namespace tine::tool {

std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  // A relative path there is to be ignored.
  if (state && state[0] == '/') return std::string(state) + "/tine/history";
  const char* home = std::getenv("HOME");
  if (!home || home[0] != '/') return "";
  return std::string(home) + "/.local/state/tine/history";
}

ReadLine LineReader::read(const std::string& prompt, std::string& line) {
  return interactive_ ? read_edited(prompt, line) : read_plain(line);
}

ReadLine LineReader::read_plain(std::string& line) {
  while (true) {
    std::size_t end = buffer_.find('\n');
    if (end != std::string::npos || (ended_ && !buffer_.empty())) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end == std::string::npos ? end : end + 1);
      if (line.ends_with('\r')) line.pop_back();
      return ReadLine::kLine;
    }
    if (ended_) return ReadLine::kEnd;
    char bytes[1 << 14];
    if (!wait_for_input(STDIN_FILENO)) return ReadLine::kInterrupted;
    ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (got > 0) {
      buffer_.append(bytes, static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      ended_ = true;
    }
  }
}

#if TINE_LIBEDIT

namespace {

constexpr int kMaxHistory = 2000;

Complete* completion = nullptr;
std::vector<std::string> candidates;

// One code point of standard input; -1 at its end and after an interrupt.
int read_character(FILE*) {
  unsigned char first = 0;
  auto next = [](unsigned char& byte) {
    while (true) {
      if (!wait_for_input(STDIN_FILENO)) return false;
      ssize_t got = ::read(STDIN_FILENO, &byte, 1);
      if (got == 1) return true;
      if (got == 0 || errno != EINTR) return false;
    }
  };
  if (!next(first)) return -1;
  int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  int code = more == 0 ? first : first & (0x3F >> more);
  for (; more > 0; --more) {
    unsigned char byte = 0;
    if (!next(byte)) return -1;
    code = code << 6 | (byte & 0x3F);
  }
  return code;
}

char* next_candidate(const char*, int state) {
  static std::size_t at = 0;
  if (state == 0) at = 0;
  return at < candidates.size() ? strdup(candidates[at++].c_str()) : nullptr;
}

char** complete_word(const char* text, int start, int end) {
  std::string line(rl_line_buffer, static_cast<std::size_t>(end));
  Completions found = (*completion)(line);
  if (found.files) {
    rl_attempted_completion_over = 0;
    return rl_completion_matches(text, rl_filename_completion_function);
  }
  rl_attempted_completion_over = 1;
  candidates = std::move(found.words);
  // The editor's word may begin later than ours, behind a colon.
  std::size_t skip = static_cast<std::size_t>(start) > found.start
                         ? static_cast<std::size_t>(start) - found.start
                         : 0;
  for (std::string& word : candidates) word.erase(0, skip);
  return candidates.empty() ? nullptr
                            : rl_completion_matches(text, next_candidate);
}

}  // namespace

LineReader::LineReader(Complete complete) {
  interactive_ = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (!interactive_) return;
  std::setlocale(LC_CTYPE, "");
  static Complete kept;
  kept = std::move(complete);
  completion = &kept;
  static char name[] = "tine";
  rl_readline_name = name;
  rl_getc_function = read_character;
  rl_initialize();
  rl_attempted_completion_function = complete_word;
  static char breaks[] = " \t\n()[]{}<>,;:=+-*/%&|!@~?\"'";
  rl_basic_word_break_characters = breaks;
  rl_completer_word_break_characters = breaks;
  open_history();
}

LineReader::~LineReader() = default;

void LineReader::open_history() {
  using_history();
  stifle_history(kMaxHistory);
  history_ = history_path();
  if (history_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(
      std::filesystem::path(history_).parent_path(), error);
  if (error) {
    history_.clear();
  } else {
    read_history(history_.c_str());
  }
}

void LineReader::keep(const std::string& line) {
  if (line.find_first_not_of(" \t") == std::string::npos) return;
  add_history(line.c_str());
  if (!history_.empty()) write_history(history_.c_str());
}

ReadLine LineReader::read_edited(const std::string& prompt,
                                 std::string& line) {
  char* text = readline(prompt.c_str());
  if (!text) {
    std::fputs("\n", stdout);
    std::fflush(stdout);
    return interrupted() ? ReadLine::kInterrupted : ReadLine::kEnd;
  }
  line = text;
  std::free(text);
  keep(line);
  return ReadLine::kLine;
}

#else

LineReader::LineReader(Complete) {
  interactive_ = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

LineReader::~LineReader() = default;

void LineReader::open_history() {}
void LineReader::keep(const std::string&) {}

ReadLine LineReader::read_edited(const std::string& prompt,
                                 std::string& line) {
  std::fputs(prompt.c_str(), stdout);
  std::fflush(stdout);
  ReadLine result = read_plain(line);
  if (result != ReadLine::kLine) std::fputs("\n", stdout);
  std::fflush(stdout);
  return result;
}

#endif

}  // namespace tine::tool
