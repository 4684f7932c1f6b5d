// `tine fmt`: parse, format, and see that nothing but the layout changed. See
// Formatted in runtime/tine.hpp.
//
// A program must never be changed by its formatter, so the result is parsed
// and compared with the source, and formatted again, before anybody sees it.
#include "compiler/format/format.h"

#include <utility>

#include "compiler/driver/big_stack.h"
#include "compiler/driver/files.h"
#include "compiler/driver/messages.h"
#include "runtime/tine.hpp"

namespace tine {
namespace {

struct ParsedText {
  FileTree tree;
  Shape shape;
};

ParsedText parse_text(SourceMap& sources, const std::string& path,
                      std::string text, Sink& sink) {
  ParsedText parsed;
  const FileId file = sources.add(path, std::move(text));
  parse_file(sources, file, parsed.tree, sink, &parsed.shape);
  return parsed;
}

std::string format_parsed(const SourceMap& sources,
                          const ParsedText& parsed) {
  return format_source(sources.file(parsed.tree.file), parsed.tree,
                       parsed.shape);
}

// Why the formatted text must not replace the source; "" when it may.
std::string check_formatted(SourceMap& sources, const ParsedText& source,
                            const std::string& text) {
  Sink sink;
  const ParsedText again = parse_text(sources, "", text, sink);
  if (sink.has_errors() || !same_source(source.tree, again.tree, sources)) {
    return "the formatter would change the program";
  }
  if (format_parsed(sources, again) != text) {
    return "the formatter does not agree with itself";
  }
  return "";
}

void format_into(Formatted& out, const std::string& path) {
  SourceMap sources;
  Sink sink;
  const ParsedText source = parse_text(sources, path, out.source, sink);
  append_messages(sink, 0, sources, out.messages);
  if (sink.has_errors()) return;
  out.text = format_parsed(sources, source);
  out.failure = check_formatted(sources, source, out.text);
  out.ok = out.failure.empty();
}

}  // namespace

Formatted format_text(const std::string& path, std::string_view text) {
  Formatted out;
  out.source = text;
  const StackResult result =
      on_big_stack([&](std::size_t) { format_into(out, path); });
  if (result == StackResult::kNoMemory) {
    out.failure = "the memory does not suffice";
  }
  return out;
}

Formatted format_file(const std::string& path) {
  FileText file = read_file(path);
  if (file.result == ReadResult::kOk) return format_text(path, file.text);
  Formatted out;
  SourceMap sources;
  Sink sink;
  report_unread(file, path, {}, sink);
  append_messages(sink, 0, sources, out.messages);
  return out;
}

}  // namespace tine
