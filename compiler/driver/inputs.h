// The text of a session: is an input complete, which words does it use, and
// the renaming of what a later input hides.
//
// Renaming replaces a word everywhere in the texts before the new input, by a
// word that none of them has. So binders that happen to have the name are
// renamed with all their uses, and every text means what it meant.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/tine.hpp"

namespace tine {

InputKind classify_input(std::string_view text);

// How often each name stands in the text, import lines left out.
std::map<std::string, std::size_t> words_of(std::string_view text);

struct Renaming {
  std::map<std::string, std::string> words;
  // Types: `T.x` becomes `T_1.x` too, since an operator on T means `T.x`.
  std::set<std::string> types;
};

std::string rename_words(std::string_view text, const Renaming& renaming);

// The two sides of the `==` that stands outside of all brackets.
std::optional<std::pair<std::string, std::string>> split_equation(
    std::string_view text);

}  // namespace tine
