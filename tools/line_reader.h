// Lines for the REPL: from a terminal through libedit, with history and
// completion; from anything else as they come, without a prompt and without
// escape codes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tine::tool {

// Words that could stand at the end of a line.
struct Completions {
  std::size_t start = 0;        // where the word begins in the line
  std::vector<std::string> words;
  bool files = false;           // the names of files instead
};
using Complete = std::function<Completions(const std::string& line)>;

enum class ReadLine { kLine, kEnd, kInterrupted };

class LineReader {
 public:
  explicit LineReader(Complete complete);
  ~LineReader();
  LineReader(const LineReader&) = delete;

  bool interactive() const { return interactive_; }
  ReadLine read(const std::string& prompt, std::string& line);

 private:
  ReadLine read_plain(std::string& line);
  ReadLine read_edited(const std::string& prompt, std::string& line);
  void open_history();
  void keep(const std::string& line);

  bool interactive_ = false;
  std::string buffer_;          // read and not yet given
  bool ended_ = false;
  std::string history_;         // the file; "" when there is none
};

// $XDG_STATE_HOME/tine/history or ~/.local/state/tine/history; "" without a
// home.
std::string history_path();

}  // namespace tine::tool
