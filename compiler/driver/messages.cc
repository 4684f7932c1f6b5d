// Messages for people, terminals and programs. See messages.h.
#include "compiler/driver/messages.h"

#include <cstdio>

namespace tine {
namespace {

std::string quote_json(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string place_text(const Message& message) {
  if (message.path.empty()) return "";
  if (message.line == 0) return message.path + ": ";
  return message.path + ":" + std::to_string(message.line) + ":" +
         std::to_string(message.column) + ": ";
}

// Fills the rendered forms of a message that is no Diag.
void render_plain(Message& message, std::string_view source_line) {
  std::string label =
      message.code.empty() ? "error" : "error[" + message.code + "]";
  std::string place = place_text(message);
  std::string excerpt;
  if (!source_line.empty()) {
    excerpt = "\n  " + std::string(source_line) + "\n  " +
              std::string(message.column - 1, ' ') + "^";
  }
  message.rendered = place + label + ": " + message.text + excerpt + "\n";
  message.coloured = "\033[1m" + place + "\033[31m" + label +
                     ":\033[0m\033[1m " + message.text + "\033[0m" + excerpt +
                     "\n";
  message.json = "{\"severity\":\"error\",\"code\":" +
                 quote_json(message.code) +
                 ",\"message\":" + quote_json(message.text) +
                 ",\"path\":" + quote_json(message.path) +
                 ",\"line\":" + std::to_string(message.line) +
                 ",\"column\":" + std::to_string(message.column) + "}";
}

std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; line < number; ++line) {
    std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

Message to_message(const Diag& diag, const SourceMap& sources) {
  Message message;
  message.error = diag.severity == Severity::kError;
  message.code = diag.code;
  message.text = diag.text;
  if (diag.span.file == kNoFile) {
    render_plain(message, "");
    return message;
  }
  const SourceFile& file = sources.file(diag.span.file);
  Place begin = file.place(diag.span.begin), end = file.place(diag.span.end);
  message.path = file.path;
  message.line = begin.line;
  message.column = begin.column;
  message.end_line = end.line;
  message.end_column = end.column;
  message.rendered = render(diag, sources, false);
  message.coloured = render(diag, sources, true);
  message.json = render_json(diag, sources);
  return message;
}

Message to_message(const BookError& error, const std::string& path,
                   std::string_view text) {
  // A line longer than this is no help in a terminal.
  constexpr std::size_t kShownLine = 200;
  Message message;
  message.text = error.text;
  message.path = path;
  message.line = message.end_line = error.line;
  message.column = error.column;
  message.end_column = error.column + 1;
  std::string_view line;
  if (error.line > 0 && error.column > 0) line = line_of(text, error.line);
  if (line.size() > kShownLine || error.column > kShownLine) line = {};
  render_plain(message, line);
  return message;
}

Message plain_error(std::string text, std::string code) {
  Message message;
  message.code = std::move(code);
  message.text = std::move(text);
  render_plain(message, "");
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
    out.push_back(plain_error(std::to_string(all - diags.size()) +
                              " more messages are not shown"));
    out.back().error = sink.has_errors();
  }
}

}  // namespace tine
