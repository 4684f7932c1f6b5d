// The effects that answer at once, and the values that effects take and give.
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
  // May the program touch the world outside of it?
  bool allowed() const { return request_.host->allow_effects(); }

  // Values. A zero field gives zero.
  Word make(LocalHeap& heap, CtorId ctor, Word first, Word second = 0);
  Word failure(LocalHeap& heap, int error);
  Word word(CtorId ctor) const;
  // Bytes as a String; a String as bytes, consumed.
  Word text(LocalHeap& heap, std::string_view bytes);
  void take_text(LocalHeap& heap, Word text, std::string& bytes);
  void take_texts(LocalHeap& heap, Word list, std::vector<std::string>& texts);

 private:
  Word print(LocalHeap& heap, Effect effect, Word text);
  Word args(LocalHeap& heap);
  Word get_env(LocalHeap& heap, Word name);
  Word random(LocalHeap& heap);
  Word open(LocalHeap& heap, Word path, Word mode);
  Word read(LocalHeap& heap, Word file, Word most);
  Word read_bytes(LocalHeap& heap, Effect effect, Word* args);
  Word read_array(LocalHeap& heap, Word file, Word array);
  Word size(LocalHeap& heap, Word file);
  Word write(LocalHeap& heap, Effect effect, Word* args);
  Word write_array(LocalHeap& heap, Word* args);
  Word byte_list(LocalHeap& heap, std::string_view bytes);
  bool take_bytes(LocalHeap& heap, Word list, std::string& bytes);
  // (file, Done{value}) or (file, Fail{..}).
  Word with_file(LocalHeap& heap, Word file, int error, Word value);
  Word result(LocalHeap& heap, int error, Word value);

  const Book& book_;
  const NetProgram& program_;
  const RunRequest& request_;
  const StringIds strings_;
  FileTable& files_;
  int error_ = 0;
  const char* stream_ = "standard output";
};

}  // namespace tine
