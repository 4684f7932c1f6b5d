// Turns what the passes report into the messages of runtime/tine.hpp.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/book/text.h"
#include "compiler/driver/files.h"
#include "compiler/syntax/diag.h"
#include "runtime/tine.hpp"

namespace tine {

Message to_message(const Diag& diag, const SourceMap& sources);

// Appends every diagnostic of `sink` from number `from` on; when the sink was
// full, one more message says how many are not shown.
void append_messages(const Sink& sink, std::size_t from,
                     const SourceMap& sources, std::vector<Message>& out);

// Reports why a file was not read; `span` is the import line, if any.
void report_unread(const FileText& file, const std::string& path, Span span,
                   Sink& sink);
// Reports errors of a book's text, which is `file` of the map.
void report_book(const std::vector<BookError>& errors, FileId file,
                 const SourceMap& sources, Sink& sink);

}  // namespace tine
