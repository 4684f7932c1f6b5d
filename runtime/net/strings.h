// Strings: lists of chars, `SNil` and `SCon head tail`.
#pragma once

#include <string>
#include <string_view>

#include "runtime/heap/node.h"

namespace tine {

struct StringIds {
  // Constructor ids of the program.
  std::uint32_t nil = 0, con = 0, none = 0, some = 0;
};

// Zero and a fault without memory.
Word make_string(LocalHeap& heap, StringIds ids, std::u32string_view text);
// Consumes both; the nodes of `left` are reused where it alone owns them.
Word append_strings(LocalHeap& heap, StringIds ids, Word left, Word right);
// Consumes the string.
Word string_length(LocalHeap& heap, StringIds ids, Word text);
// The text of a float; the float a text spells, as a Maybe. Consumes the text.
Word show_f32(LocalHeap& heap, StringIds ids, Word number);
Word read_f32(LocalHeap& heap, StringIds ids, Word text);
// The string as UTF-8, appended; keeps the string.
void read_string(StringIds ids, Word text, std::string& out);

}  // namespace tine
