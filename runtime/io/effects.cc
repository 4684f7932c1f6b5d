#include "runtime/io/effects.h"

#include <sys/random.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "runtime/heap/array.h"

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
    case Effect::kGetEnv: return get_env(heap, args[0]);
    case Effect::kThreadCount: return make_u32(request_.limits.workers);
    case Effect::kRandomU32: return random(heap);
    case Effect::kFileReadBytes:
    case Effect::kFileReadAt: return read_bytes(heap, effect, args);
    case Effect::kFileReadArray: return read_array(heap, args[0], args[1]);
    case Effect::kFileSize: return size(heap, args[0]);
    case Effect::kFileWrite:
    case Effect::kFileWriteBytes: return write(heap, effect, args);
    case Effect::kFileWriteArray: return write_array(heap, args);
    default: break;  // of the event loop
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
    Word head = text(heap, request_.args[i]);
    list = head == 0 ? 0 : make(heap, book_.known.con, head, list);
    if (list == 0) return 0;
  }
  return list;
}

Word Effects::open(LocalHeap& heap, Word path, Word mode) {
  std::string name, how;
  take_text(heap, path, name);
  take_text(heap, mode, how);
  std::uint32_t file = 0;
  int error = allowed() ? files_.open(name, how, file) : EPERM;
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
  Word string = error == 0 ? make_string(heap, strings_, text) : 0;
  return with_file(heap, file, error, string);
}

// ---- values -----------------------------------------------------------------

Word Effects::text(LocalHeap& heap, std::string_view bytes) {
  std::u32string chars;
  Utf8Decoder decoder;
  decoder.feed(bytes, chars);
  decoder.finish(chars);
  return make_string(heap, strings_, chars);
}

void Effects::take_text(LocalHeap& heap, Word text, std::string& bytes) {
  read_string(strings_, text, bytes);
  drop_word(heap, text);
}

void Effects::take_texts(LocalHeap& heap, Word list,
                         std::vector<std::string>& texts) {
  for (Word at = list; tag_of(at) == Tag::kNode && node_of(at)->size() == 2;
       at = node_of(at)->fields()[1]) {
    read_string(strings_, node_of(at)->fields()[0], texts.emplace_back());
  }
  drop_word(heap, list);
}

Word Effects::byte_list(LocalHeap& heap, std::string_view bytes) {
  Word list = word(book_.known.nil);
  for (std::size_t i = bytes.size(); i-- > 0 && list != 0;) {
    Word byte = make_u32(static_cast<std::uint8_t>(bytes[i]));
    list = make(heap, book_.known.con, byte, list);
  }
  return list;
}

// False where a number is no byte.
bool Effects::take_bytes(LocalHeap& heap, Word list, std::string& bytes) {
  bool good = true;
  for (Word at = list; tag_of(at) == Tag::kNode && node_of(at)->size() == 2;
       at = node_of(at)->fields()[1]) {
    std::uint32_t byte = low32(node_of(at)->fields()[0]);
    good = good && byte < 256;
    bytes += static_cast<char>(byte);
  }
  drop_word(heap, list);
  return good;
}

Word Effects::result(LocalHeap& heap, int error, Word value) {
  return error != 0 ? failure(heap, error)
                    : make(heap, book_.known.done, value);
}

Word Effects::with_file(LocalHeap& heap, Word file, int error, Word value) {
  Word outcome = result(heap, error, value);
  return outcome == 0 ? 0 : make(heap, book_.known.tuple, file, outcome);
}

// ---- the system -------------------------------------------------------------

Word Effects::get_env(LocalHeap& heap, Word name) {
  std::string key;
  take_text(heap, name, key);
  bool plain = key.find('\0') == std::string::npos;
  const char* found = plain ? std::getenv(key.c_str()) : nullptr;
  int error = !allowed() ? EPERM : found ? 0 : ENOENT;
  return result(heap, error, error == 0 ? text(heap, found) : 0);
}

Word Effects::random(LocalHeap& heap) {
  std::uint32_t number = 0;
  ssize_t count;
  do {
    count = ::getrandom(&number, sizeof number, 0);
  } while (count < 0 && errno == EINTR);
  int error = count == sizeof number ? 0 : count < 0 ? errno : EIO;
  return result(heap, error, make_u32(number));
}

// ---- files as bytes ---------------------------------------------------------

Word Effects::read_bytes(LocalHeap& heap, Effect effect, Word* args) {
  std::string bytes;
  int error;
  do {
    error = effect == Effect::kFileReadAt
                ? files_.read_at(low32(args[0]), low32(args[1]),
                                 low32(args[2]), bytes)
                : files_.read_bytes(low32(args[0]), low32(args[1]), bytes);
    if (error == EINTR && heap.interrupted()) return 0;
  } while (error == EINTR);
  return with_file(heap, args[0], error,
                   error == 0 ? byte_list(heap, bytes) : 0);
}

Word Effects::read_array(LocalHeap& heap, Word file, Word array) {
  std::string bytes;
  int error;
  auto room = static_cast<std::uint32_t>(array_size(array));
  do {
    error = files_.read_bytes(low32(file), room, bytes);
    if (error == EINTR && heap.interrupted()) return 0;
  } while (error == EINTR);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Word byte = make_u32(static_cast<std::uint8_t>(bytes[i]));
    if (!array_set(heap, array, static_cast<std::uint32_t>(i), byte)) return 0;
  }
  Word count = make_u32(static_cast<std::uint32_t>(bytes.size()));
  Word outcome = result(heap, error, count);
  Word rest = outcome == 0 ? 0
                           : make(heap, book_.known.tuple, array, outcome);
  return rest == 0 ? 0 : make(heap, book_.known.tuple, file, rest);
}

Word Effects::size(LocalHeap& heap, Word file) {
  std::uint64_t bytes = 0;
  int error = files_.size(low32(file), bytes);
  if (error == 0 && bytes > UINT32_MAX) error = EOVERFLOW;
  return with_file(heap, file, error,
                   make_u32(static_cast<std::uint32_t>(bytes)));
}

Word Effects::write(LocalHeap& heap, Effect effect, Word* args) {
  std::string bytes;
  bool good = true;
  if (effect == Effect::kFileWrite) take_text(heap, args[1], bytes);
  else good = take_bytes(heap, args[1], bytes);
  int error = good ? files_.write(low32(args[0]), bytes) : EINVAL;
  return with_file(heap, args[0], error, word(book_.known.unit));
}

Word Effects::write_array(LocalHeap& heap, Word* args) {
  std::uint64_t count = low32(args[2]);
  int error = count > array_size(args[1]) ? EINVAL : 0;
  std::string bytes;
  for (std::uint32_t i = 0; error == 0 && i < count; ++i) {
    Word cell = 0;
    if (!array_get(heap, args[1], i, cell)) return 0;
    if (low32(cell) > 255) error = EINVAL;
    bytes += static_cast<char>(low32(cell));
  }
  if (error == 0) error = files_.write(low32(args[0]), bytes);
  Word outcome = result(heap, error, word(book_.known.unit));
  Word rest = outcome == 0 ? 0
                           : make(heap, book_.known.tuple, args[1], outcome);
  return rest == 0 ? 0 : make(heap, book_.known.tuple, args[0], rest);
}

}  // namespace tine
