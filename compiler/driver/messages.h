// Turns what the passes report into the messages of runtime/tine.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/book/text.h"
#include "compiler/syntax/diag.h"
#include "runtime/tine.hpp"

namespace tine {

Message to_message(const Diag& diag, const SourceMap& sources);
// An error of a book's text, which has a place but no code.
Message to_message(const BookError& error, const std::string& path,
                   std::string_view text);
// An error without a place.
Message plain_error(std::string text, std::string code = "");

// Appends every diagnostic of `sink` from number `from` on; when the sink was
// full, one more message says how many are not shown.
void append_messages(const Sink& sink, std::size_t from,
                     const SourceMap& sources, std::vector<Message>& out);

}  // namespace tine
