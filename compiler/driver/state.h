// What a Program holds: every table of one compilation, from text to book.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "compiler/core/check.h"
#include "compiler/core/term.h"
#include "compiler/core/theory.h"
#include "compiler/driver/loader.h"
#include "compiler/syntax/diag.h"
#include "runtime/book/book.h"
#include "runtime/native/object.h"
#include "runtime/tine.hpp"

namespace tine {

struct Program::State {
  Config config;
  std::string path;               // as given
  std::vector<Message> messages;
  bool wrong = false;             // loading or checking failed
  bool no_main_noted = false;     // by an earlier run
  const std::atomic<bool>* stop = nullptr;  // interrupts the check

  // Source programs only.
  bool from_source = false;
  SourceMap sources;
  Sink sink;
  std::size_t shown = 0;          // diagnostics already in `messages`
  ModuleSet modules;
  core::Globals globals;
  std::unique_ptr<core::Theory> theory;
  core::CheckResult checked;
  std::deque<FileTree> expressions;  // of eval

  // The book: at once for a `.net` file, on demand for a source program.
  Book book;
  bool lowered = false;           // tried; `book_ok` says how it went
  bool book_ok = false;

  std::string keep_as;            // keep its book in the cache, once

  // Compiled by the first run on the native engine.
  NativeLoad native;

  bool has_main() const {
    return from_source ? globals.main != core::Def::kNone
                       : book.main != DefId::kNone;
  }
};

}  // namespace tine
