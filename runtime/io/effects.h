// The event loop's hands: performs one request of an IO main.
#pragma once

#include <string>
#include <vector>

#include "runtime/heap/node.h"
#include "runtime/io/files.h"
#include "runtime/net/code.h"
#include "runtime/net/engine.h"
#include "runtime/net/strings.h"

namespace tine {

class Effects {
 public:
  Effects(const Book& book, const NetProgram& program, const RunRequest& request,
          StringIds strings, FileTable& files)
      : book_(book), program_(program), request_(request), strings_(strings),
        files_(files) {}

  // Performs `effect` on `args`, which it consumes. The answer; zero when a
  // standard stream failed (`stream_error`) or with a fault in the heap.
  Word perform(LocalHeap& heap, Effect effect, Word* args);
  // An errno, and which stream it was.
  int stream_error() const { return error_; }
  const char* stream() const { return stream_; }
  // Pushes out what is buffered; false and `stream_error`.
  bool flush();

 private:
  Word print(LocalHeap& heap, Effect effect, Word text);
  Word args(LocalHeap& heap);
  Word open(LocalHeap& heap, Word path, Word mode);
  Word read(LocalHeap& heap, Word file, Word most);
  Word make(LocalHeap& heap, CtorId ctor, Word first, Word second = 0);
  Word failure(LocalHeap& heap, int error);
  Word word(CtorId ctor) const;

  const Book& book_;
  const NetProgram& program_;
  const RunRequest& request_;
  const StringIds strings_;
  FileTable& files_;
  int error_ = 0;
  const char* stream_ = "standard output";
};

}  // namespace tine
