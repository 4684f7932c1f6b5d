// What a Session holds. See session.cc.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/inputs.h"
#include "compiler/driver/state.h"
#include "runtime/tine.hpp"

namespace tine {

struct SessionTexts {
  std::string entry;                // the file
  std::vector<std::string> inputs;  // what was typed, oldest first
};

struct Session::State {
  Config config;
  std::string path;                 // "" when there is no file
  SessionTexts texts;
  std::unique_ptr<Program::State> current;
  std::vector<Message> holes;
  // The last value, not yet declared.
  struct {
    std::string type, value, expression;
    bool waiting = false;
  } it;

  std::unique_ptr<Program::State> compile(const SessionTexts& texts,
                                          const std::atomic<bool>* stop,
                                          bool& ok) const;
  void take_messages(const Program::State& from, bool ok,
                     std::vector<Message>& out) const;
  void use(std::unique_ptr<Program::State> state, SessionTexts now);
  std::string fresh(const std::string& name, const std::string& input) const;
  bool is_used(const std::string& name, const Decl& decl) const;
  Renaming hide(const FileTree& tree, const std::string& input,
                Declared& result) const;
  SessionTexts with_input(const Renaming& renaming,
                          const std::string& input) const;
  Declared declare(const std::string& input, const std::atomic<bool>* stop);
  bool is_data(const std::string& type);
  bool bring_it(std::string_view text, std::string& failure);
  EvalResult eval(const EvalOptions& options);
};

}  // namespace tine
