// What the command writes: results to standard output, everything else to
// standard error, with failures of the streams remembered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/tine.hpp"

namespace tine::tool {

class Console {
 public:
  explicit Console(bool json);

  // Writes to standard output / error at once; 0 or an errno.
  int out(std::string_view bytes);
  int err(std::string_view bytes);

  // A diagnostic on standard error, as text, coloured text or a JSON line.
  void show(const Message& message);
  void show(const std::vector<Message>& messages, bool warnings);
  // "tine: error: TEXT (in `DEF`)", or a JSON line.
  void fail(std::string_view text, std::string_view def = {}, int status = 1);
  // "tine: note: TEXT"; nothing under --json.
  void note(std::string_view text);

  // The exit status, given what became of standard output: a closed pipe is
  // no failure, anything else is one.
  int finish(int status);

 private:
  bool json_;
  bool colour_;
  int out_error_ = 0;
};

// "tine: error: TEXT (in `DEF`)" and a newline.
std::string failure_line(std::string_view text, std::string_view def);

// A JSON string literal of `text`.
std::string json_string(std::string_view text);

}  // namespace tine::tool
