// Random well-typed programs, as source text.
//
// A program is a few defs over words, numbers, Bool, Maybe, lists, a datatype
// of its own, pairs, arrays and functions; its entry gives a String that shows
// a value. Everything descends and no value is used more often than it may
// be, so a program that is refused is a fault, of the generator or of tine.
//
// Programs are a function of their number alone. Several fit in one file,
// since most of the time of a small program is the check of Base.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tine::fuzz {

// Forks make engines and theory differ: a program has them or not.
enum class Forks : std::uint8_t { kNone, kSome };

// The file of the programs with these numbers. Its `main` is the list of what
// they show.
std::string program_file(const std::vector<std::uint64_t>& numbers,
                         Forks forks);

}  // namespace tine::fuzz
