// `tine repl`: the prompt. A client of Session; what it adds is lines,
// commands and settings.
//
// An input is a declaration if it can be one, else an expression. It goes on
// over lines while a bracket is open, after a line that ends in `:` or `=>`
// until an empty line, and wherever the text cannot end yet; two empty lines
// end anything. A line that starts with `:` is a command.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tools/console.h"
#include "tools/line_reader.h"
#include "tools/options.h"

namespace tine::tool {

struct ReplSettings {
  std::string engine = "net";
  bool types = true;       // after values
  bool steps = false;
  bool time = false;
  std::size_t limit = 10000;  // characters of a value that are printed
};

class Repl {
 public:
  Repl(const Options& options, Console& console);
  // Loads the file, if any, and reads inputs to their end.
  int run_file(const std::vector<std::string>& files);

 private:
  struct Command {
    const char* name;
    const char* argument;  // "" none, "EXPR", "[NAME]" optional
    const char* help;
    void (Repl::*run)(const std::string& argument);
  };
  static const std::vector<Command>& commands();

  // repl.cc: lines and inputs
  int loop();
  bool next_line(bool more, std::string& line);
  void read_input(std::string text);
  void finish_input(const std::string& text);
  void command_line(const std::string& line);
  std::vector<const Command*> matching(const std::string& word) const;
  Completions complete(const std::string& line) const;
  const std::atomic<bool>* begin();

  // repl.cc: what is printed
  void say(const std::string& line);
  void complain(const std::string& text, const std::string& def = "");
  void show(const std::vector<Message>& messages);
  void show_declared(const Declared& declared);
  void show_value(const EvalResult& result, double seconds);
  bool show_failure(const EvalResult& result);
  void show_info(const NameInfo& info, bool full);
  void show_seconds(double seconds);

  // repl_commands.cc
  void evaluate(const std::string& text, bool head);
  void declare(const std::string& text);
  void load_file(const std::string& path);
  void do_browse(const std::string& argument);
  void do_diff(const std::string& argument);
  void do_engine(const std::string& argument);
  void do_eq(const std::string& argument);
  void do_help(const std::string& argument);
  void do_holes(const std::string& argument);
  void do_info(const std::string& argument);
  void do_load(const std::string& argument);
  void do_net(const std::string& argument);
  void do_norm(const std::string& argument);
  void do_paste(const std::string& argument);
  void do_quit(const std::string& argument);
  void do_reload(const std::string& argument);
  void do_run(const std::string& argument);
  void do_set(const std::string& argument);
  void do_threads(const std::string& argument);
  void do_time(const std::string& argument);
  void do_type(const std::string& argument);
  void do_unsafe(const std::string& argument);
  void do_whnf(const std::string& argument);

  // repl_settings.cc
  static bool set_switch(bool& slot, const std::string& value);
  void change(const std::string& name, const std::string& value);
  void show_settings();

  Console& console_;
  Session session_;
  LineReader lines_;
  ReplSettings settings_;
  bool echo_;
  bool quit_ = false;
};

}  // namespace tine::tool
