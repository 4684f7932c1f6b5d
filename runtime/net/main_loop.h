// From a book's main to its outcome, whatever reduces it: a value is printed,
// an IO main is run by the event loop.
#pragma once

#include "runtime/heap/node.h"
#include "runtime/io/effects.h"
#include "runtime/net/code.h"
#include "runtime/net/engine.h"

namespace tine {

// What an engine gives the loop.
class Reducer {
 public:
  virtual ~Reducer() = default;
  // The value of the book's main, of an application; 0 after a trap. `last`
  // is the final continuation of an IO main, else 0.
  virtual Word main(Word last) = 0;
  virtual Word apply(Word function, Word argument) = 0;
  // Of the thread that calls; effects and printing use it.
  virtual LocalHeap& heap() = 0;
  virtual HeapOwner& owner() = 0;
  // The trap so far; a fault in `heap` becomes one.
  virtual const Trap& trapped() = 0;
};

class MainLoop {
 public:
  MainLoop(const Book& book, const NetProgram& program,
           const RunRequest& request, StringIds strings, FileTable& files,
           Reducer& reducer)
      : book_(book),
        program_(program),
        strings_(strings),
        reducer_(reducer),
        heap_(reducer.heap()),
        effects_(book, program, request, strings, files) {}

  void run(RunOutcome& outcome);

 private:
  bool trapped(RunOutcome& outcome);
  void pure(RunOutcome& outcome);
  void effectful(RunOutcome& outcome);
  void flush(RunOutcome& outcome);
  void end(Word op, RunOutcome& outcome);
  void stream_trap(RunOutcome& outcome);

  const Book& book_;
  const NetProgram& program_;
  const StringIds strings_;
  Reducer& reducer_;
  LocalHeap& heap_;
  Effects effects_;
};

}  // namespace tine
