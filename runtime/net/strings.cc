#include "runtime/net/strings.h"

#include "runtime/io/utf8.h"
#include "runtime/num/f32.h"

namespace tine {
namespace {

constexpr std::uint64_t kPollChars = 1u << 16;

// A char node, or null at the end.
HeapNode* char_node(StringIds ids, Word text) {
  if (tag_of(text) != Tag::kNode) return nullptr;
  HeapNode* node = node_of(text);
  return node->id() == ids.con && node->size() == 2 ? node : nullptr;
}

}  // namespace

Word make_string(LocalHeap& heap, StringIds ids, std::u32string_view text) {
  Word list = make_ctor(ids.nil);
  for (std::size_t i = text.size(); i-- > 0;) {
    HeapNode* node = new_node(heap, ids.con, 2);
    if (!node) return 0;
    node->fields()[0] = make_char(text[i]);
    node->fields()[1] = list;
    list = node_word(Tag::kNode, node);
    if (i % kPollChars == kPollChars - 1 && heap.interrupted()) return 0;
  }
  return list;
}

Word append_strings(LocalHeap& heap, StringIds ids, Word left, Word right) {
  Word result = 0;
  Word* hole = &result;
  std::uint64_t steps = 0;
  while (HeapNode* node = char_node(ids, left)) {
    if (++steps % kPollChars == 0 && heap.interrupted()) return 0;
    Word rest = node->fields()[1];
    if (node->sole()) {
      *hole = left;
    } else {
      HeapNode* copy = new_node(heap, ids.con, 2);
      if (!copy || !copy_word(heap, rest, false)) return 0;
      copy->fields()[0] = node->fields()[0];
      *hole = node_word(Tag::kNode, copy);
      node = copy;
      drop_owned(heap, left);
    }
    hole = &node->fields()[1];
    left = rest;
  }
  drop_word(heap, left);
  *hole = right;
  return result;
}

Word string_length(LocalHeap& heap, StringIds ids, Word text) {
  std::uint64_t length = 0;
  Word at = text;
  while (HeapNode* node = char_node(ids, at)) {
    at = node->fields()[1];
    if (++length % kPollChars == 0 && heap.interrupted()) return 0;
  }
  drop_word(heap, text);
  return make_nat(length);
}

Word show_f32(LocalHeap& heap, StringIds ids, Word number) {
  return make_string(heap, ids, decode_literal(f32_show(low32(number))));
}

Word read_f32(LocalHeap& heap, StringIds ids, Word text) {
  std::string bytes;
  read_string(ids, text, bytes);
  drop_word(heap, text);
  std::uint32_t bits = 0;
  if (!f32_read(bytes, bits)) return make_ctor(ids.none);
  HeapNode* node = new_node(heap, ids.some, 1);
  if (!node) return 0;
  node->fields()[0] = make_f32_bits(bits);
  return node_word(Tag::kNode, node);
}

void read_string(StringIds ids, Word text, std::string& out) {
  while (HeapNode* node = char_node(ids, text)) {
    put_utf8(out, low32(node->fields()[0]));
    text = node->fields()[1];
  }
}

}  // namespace tine
