// Diagnostics to messages, and the reports the driver makes itself.
#include "compiler/driver/messages.h"

#include <algorithm>

namespace tine {
namespace {

// The byte offset of a place given by line and column (code points).
std::uint32_t offset_of(const SourceFile& file, std::uint32_t line,
                        std::uint32_t column) {
  if (line < 1 || line > file.line_starts.size()) return 0;
  std::size_t at = file.line_starts[line - 1];
  for (; column > 1 && at < file.text.size(); --column) {
    ++at;
    // Bytes 10xxxxxx continue a code point.
    while (at < file.text.size() && (file.text[at] & 0xC0) == 0x80) ++at;
  }
  return static_cast<std::uint32_t>(at);
}

Span span_of(const BookError& error, FileId id, const SourceMap& sources) {
  if (error.line == 0) return {};
  const SourceFile& file = sources.file(id);
  std::uint32_t at = offset_of(file, error.line, error.column);
  auto size = static_cast<std::uint32_t>(file.text.size());
  return {id, at, std::min(at + 1, size)};
}

}  // namespace

Message to_message(const Diag& diag, const SourceMap& sources) {
  Message message;
  message.error = diag.severity == Severity::kError;
  message.code = diag.code;
  message.text = diag.text;
  message.rendered = render(diag, sources, false);
  message.coloured = render(diag, sources, true);
  message.json = render_json(diag, sources);
  if (diag.span.file == kNoFile) return message;
  const SourceFile& file = sources.file(diag.span.file);
  Place begin = file.place(diag.span.begin), end = file.place(diag.span.end);
  message.path = file.path;
  message.line = begin.line;
  message.column = begin.column;
  message.end_line = end.line;
  message.end_column = end.column;
  return message;
}

void append_messages(const Sink& sink, std::size_t from,
                     const SourceMap& sources, std::vector<Message>& out) {
  const std::vector<Diag>& diags = sink.diags();
  for (std::size_t i = from; i < diags.size(); ++i) {
    out.push_back(to_message(diags[i], sources));
  }
  std::size_t all = sink.errors() + sink.warnings();
  if (all > diags.size()) {
    Sink more;
    more.report(Msg::kMessagesHidden, {}, {std::to_string(all - diags.size())});
    out.push_back(to_message(more.diags()[0], sources));
    out.back().error = sink.has_errors();
  }
}

void report_unread(const FileText& file, const std::string& path, Span span,
                   Sink& sink) {
  switch (file.result) {
    case ReadResult::kOk:
      break;
    case ReadResult::kMissing:
      // A file that nobody imports is named from where the command runs.
      if (Diag& diag = sink.report(Msg::kImportMissingFile, span, {path});
          span.file == kNoFile) {
        diag.repair.clear();
      }
      break;
    case ReadResult::kTooLarge:
      sink.report(Msg::kFileTooLarge, span, {path});
      break;
    case ReadResult::kUnreadable:
      sink.report(Msg::kImportUnreadable, span, {path, file.why});
      break;
  }
}

void report_book(const std::vector<BookError>& errors, FileId file,
                 const SourceMap& sources, Sink& sink) {
  for (const BookError& error : errors) {
    sink.report(Msg::kBookWrong, span_of(error, file, sources), {error.text});
  }
}

}  // namespace tine
