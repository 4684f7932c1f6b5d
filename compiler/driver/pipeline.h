// The passes from text to a book, in order. Each function runs on the stack
// it is called on; `driver` calls them through on_big_stack.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/state.h"

namespace tine {

// Text to checked core terms. Afterwards `state.messages` is complete.
// `more`: inputs of a session that follow the file.
void check_source(Program::State& state, std::optional<std::string_view> text,
                  std::size_t stack,
                  const std::vector<std::string>& more = {});
// Text of a book to a verified book.
void read_book_source(Program::State& state, std::string_view text);
// Checked terms to a verified book, once; true when there is one. Needs a
// program without errors.
bool make_book(Program::State& state, std::size_t stack);

// Brings `state.messages` up to date with the sink.
void show_new_messages(Program::State& state);
// Reports an error without a place, outside of the passes.
void report_now(Program::State& state, Msg msg,
                std::vector<std::string> args = {});

// Limits of one evaluation of the theory on a stack of that size.
core::TheoryLimits theory_limits(const Config& config, std::size_t stack);
// The sentence for a limit that was met; "" for kNone.
std::string describe(core::TheoryFailure failure, const Config& config);

}  // namespace tine
