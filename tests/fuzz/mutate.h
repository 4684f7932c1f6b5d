// Makes a broken program out of good ones, by a seeded generator.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tine::fuzz {

using Rng = std::mt19937_64;

// One to seven random edits of a text: bytes flipped, tokens swapped or
// replaced, lines deleted, doubled or moved, numbers changed, a piece of
// `other` spliced in, the end cut off.
std::string mutate(const std::string& text, const std::string& other,
                   Rng& rng);

}  // namespace tine::fuzz
