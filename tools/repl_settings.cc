// The settings of the REPL: `:set` shows them, `:set NAME VALUE` changes one.
#include <cstdio>

#include "tools/repl.h"

namespace tine::tool {
namespace {

const char* on_off(bool on) { return on ? "on" : "off"; }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

bool Repl::set_switch(bool& slot, const std::string& value) {
  if (value != "on" && value != "off") return false;
  slot = value == "on";
  return true;
}

void Repl::change(const std::string& name, const std::string& value) {
  // Names and values are those of the command line.
  Options options;
  options.config = session_.config();
  const char* wanted = "on or off";
  bool done = false;
  if (name == "types") {
    done = set_switch(settings_.types, value);
  } else if (name == "steps") {
    done = set_switch(settings_.steps, value);
  } else if (name == "time") {
    done = set_switch(settings_.time, value);
  } else if (name == "engine") {
    return do_engine(value);
  } else if (name == "limit") {
    std::optional<std::size_t> limit = parse_size(value);
    wanted = "a number of characters";
    done = limit.has_value();
    if (limit) settings_.limit = *limit;
  } else if (name == "threads" || name == "deadline" || name == "mem" ||
             name == "fuel") {
    wanted = set_option(options, "--" + name, value);
    done = wanted == nullptr;
    if (done) session_.config() = options.config;
  } else {
    return complain("there is no setting `" + name + "`; :set lists them");
  }
  if (!done) {
    complain("`" + name + "` needs " + wanted + ", not `" + value + "`");
  }
}

void Repl::show_settings() {
  const Config& config = session_.config();
  say("engine    " + settings_.engine);
  say("threads   " +
      std::to_string(config.threads ? config.threads : usable_cpus()));
  say("deadline  " + (config.check_deadline > 0
                          ? number(config.check_deadline) + " seconds"
                          : std::string("none")));
  say("fuel      " + (config.fuel ? std::to_string(config.fuel) + " steps"
                                  : std::string("no limit")));
  say("mem       " + (config.memory ? std::to_string(config.memory) + " bytes"
                                    : std::string("80% of what is free")));
  say("limit     " + std::to_string(settings_.limit) +
      " characters of a value");
  say(std::string("types     ") + on_off(settings_.types));
  say(std::string("steps     ") + on_off(settings_.steps));
  say(std::string("time      ") + on_off(settings_.time));
}

void Repl::do_set(const std::string& argument) {
  if (argument.empty()) return show_settings();
  std::size_t blank = argument.find_first_of(" \t");
  if (blank == std::string::npos) {
    return complain("`:set` needs a name and a value");
  }
  std::string value =
      argument.substr(argument.find_first_not_of(" \t", blank));
  change(argument.substr(0, blank), value);
}

}  // namespace tine::tool
