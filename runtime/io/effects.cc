#include "runtime/io/effects.h"

#include <cerrno>
#include <chrono>
#include <cstring>

namespace tine {

Word Effects::word(CtorId ctor) const {
  return ctor == CtorId::kNone ? make_u32(0) : make_ctor(program_.id(ctor));
}

// A node of one or two fields.
Word Effects::make(LocalHeap& heap, CtorId ctor, Word first, Word second) {
  if (first == 0 || ctor == CtorId::kNone) return 0;
  HeapNode* node = new_node(heap, program_.id(ctor), second == 0 ? 1 : 2);
  if (!node) return 0;
  node->fields()[0] = first;
  if (second != 0) node->fields()[1] = second;
  return node_word(Tag::kNode, node);
}

// Fail{(errno, text)}.
Word Effects::failure(LocalHeap& heap, int error) {
  Word text =
      make_string(heap, strings_, decode_literal(std::strerror(error)));
  if (text == 0) return 0;
  Word code = make_u32(static_cast<std::uint32_t>(error));
  return make(heap, book_.known.fail,
              make(heap, book_.known.tuple, code, text));
}

Word Effects::perform(LocalHeap& heap, Effect effect, Word* args) {
  switch (effect) {
    case Effect::kPrint:
    case Effect::kWrite:
    case Effect::kPrintErr: return print(heap, effect, args[0]);
    case Effect::kArgs: return this->args(heap);
    case Effect::kNow: {
      auto now = std::chrono::steady_clock::now().time_since_epoch();
      auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now);
      return make_nat(static_cast<std::uint64_t>(ms.count()) & kMaxNat);
    }
    case Effect::kFileOpen: return open(heap, args[0], args[1]);
    case Effect::kFileRead: return read(heap, args[0], args[1]);
    case Effect::kFileClose:
      drop_word(heap, args[0]);
      return word(book_.known.unit);
    case Effect::kCount: break;
  }
  heap.fail(Fault::kNoArm);
  return 0;
}

Word Effects::print(LocalHeap& heap, Effect effect, Word text) {
  std::string bytes;
  read_string(strings_, text, bytes);
  if (effect != Effect::kWrite) bytes += '\n';
  bool to_err = effect == Effect::kPrintErr;
  error_ = to_err ? request_.host->write_err(bytes)
                  : request_.host->write_out(bytes);
  if (error_ != 0) {
    stream_ = to_err ? "standard error" : "standard output";
    return 0;
  }
  drop_word(heap, text);
  return word(book_.known.unit);
}

bool Effects::flush() {
  error_ = request_.host ? request_.host->flush() : 0;
  stream_ = "standard output";
  return error_ == 0;
}

Word Effects::args(LocalHeap& heap) {
  Word list = word(book_.known.nil);
  for (std::size_t i = request_.args.size(); i-- > 0;) {
    std::u32string text;
    Utf8Decoder decoder;
    decoder.feed(request_.args[i], text);
    decoder.finish(text);
    Word head = make_string(heap, strings_, text);
    list = head == 0 ? 0 : make(heap, book_.known.con, head, list);
    if (list == 0) return 0;
  }
  return list;
}

Word Effects::open(LocalHeap& heap, Word path, Word mode) {
  std::string name, how;
  read_string(strings_, path, name);
  read_string(strings_, mode, how);
  drop_word(heap, path);
  drop_word(heap, mode);
  std::uint32_t file = 0;
  int error = request_.host->allow_effects() ? files_.open(name, how, file)
                                             : EPERM;
  if (error != 0) return failure(heap, error);
  return make(heap, book_.known.done, make_file(file));
}

Word Effects::read(LocalHeap& heap, Word file, Word most) {
  std::u32string text;
  int error = EBADF;
  if (tag_of(file) == Tag::kFile) {
    do {
      error = files_.read(low32(file), low32(most), text);
      if (error == EINTR && heap.interrupted()) return 0;
    } while (error == EINTR);
  }
  Word result;
  if (error != 0) {
    result = failure(heap, error);
  } else {
    Word string = make_string(heap, strings_, text);
    result = string == 0 ? 0 : make(heap, book_.known.done, string);
  }
  return result == 0 ? 0 : make(heap, book_.known.tuple, file, result);
}

}  // namespace tine
