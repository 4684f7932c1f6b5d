// A diagnostic as text for people, or as one line of JSON.
//
//   scan.bend:41:15: error[E23a]: `a` is used more than once
//     41 |   f(a, (a, 1))
//        |         ^
//     expected: U32
//     help: clone the array first
//
// A source line is shown with one column per code point: control characters
// and malformed bytes become U+FFFD and a tab becomes a space, so the caret
// line always matches and a source cannot send escapes to the terminal. Of a
// long line only a window around the caret is shown.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "compiler/syntax/diag.h"
#include "compiler/syntax/utf8.h"

namespace tine {

namespace {

constexpr std::size_t kLongLine = 200;    // code points shown whole
constexpr std::size_t kBeforeCaret = 80;  // of a longer line
constexpr std::string_view kElided = "...";

std::u32string visible(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode_utf8(text, at);
    at += decoded.length;
    const char32_t code = decoded.code;
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    out += code == '\t' ? U' ' : control ? kReplacement : code;
  }
  return out;
}

std::string encode(std::u32string_view text) {
  std::string out;
  for (const char32_t code : text) append_utf8(out, code);
  return out;
}

// Message texts keep their newlines as spaces: one line each.
std::string clean(std::string_view text) {
  std::string flat(text);
  std::replace(flat.begin(), flat.end(), '\n', ' ');
  return encode(visible(flat));
}

class Painter {
 public:
  explicit Painter(bool colour) : colour_(colour) {}
  std::string paint(std::string_view code, std::string_view text) const {
    if (!colour_) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }

 private:
  bool colour_;
};

// What is shown of one source line: the window and where its carets stand.
struct Window {
  std::string text;
  std::size_t indent = 0;
  std::size_t width = 1;
};

// Steps over up to `count` code points, back from `at` or on from it; a byte
// that continues none counts as one when it is malformed.
std::size_t step_back(std::string_view line, std::size_t at,
                      std::size_t count) {
  for (; count > 0 && at > 0; --count) {
    std::size_t start = at - 1;
    while (start > 0 && at - start < 4 && (line[start] & 0xC0) == 0x80) {
      --start;
    }
    const bool whole = start + decode_utf8(line, start).length == at;
    at = whole ? start : at - 1;
  }
  return at;
}

std::size_t step_on(std::string_view line, std::size_t at, std::size_t count) {
  for (; count > 0 && at < line.size(); --count) {
    at += decode_utf8(line, at).length;
  }
  return at;
}

bool is_long(std::string_view line) {
  return line.size() > 4 * kLongLine || count_code_points(line) > kLongLine;
}

// The part of `line` around the bytes [begin, end). Only that part is decoded.
Window cut_window(std::string_view line, std::size_t begin, std::size_t end) {
  const bool cut = is_long(line);
  const std::size_t from = cut ? step_back(line, begin, kBeforeCaret) : 0;
  const std::size_t to = cut ? step_on(line, from, kLongLine) : line.size();
  Window window;
  if (from > 0) window.text = kElided;
  window.text += encode(visible(line.substr(from, to - from)));
  if (to < line.size()) window.text += kElided;
  window.indent = count_code_points(line.substr(from, begin - from)) +
                  (from > 0 ? kElided.size() : 0);
  end = std::clamp(end, begin, std::max(begin, to));
  window.width = std::max<std::size_t>(
      1, count_code_points(line.substr(begin, end - begin)));
  return window;
}

Window window_of(const SourceFile& file, Span span) {
  const std::uint32_t number = file.place(span.begin).line;
  const std::string_view line = file.line(number);
  const std::size_t start = file.line_starts[number - 1];
  const std::size_t begin =
      std::min<std::size_t>(span.begin - start, line.size());
  const std::size_t end = std::max(span.begin, span.end) - start;
  return cut_window(line, begin, std::min<std::size_t>(end, line.size()));
}

std::string snippet(const SourceFile& file, Span span, const Painter& painter,
                    std::string_view colour) {
  const std::string number = std::to_string(file.place(span.begin).line);
  const std::string gutter(number.size(), ' ');
  const Window window = window_of(file, span);
  const std::string carets = "^" + std::string(window.width - 1, '~');
  return "  " + painter.paint("2", number + " |") + " " + window.text +
         "\n  " + painter.paint("2", gutter + " |") + " " +
         std::string(window.indent, ' ') + painter.paint(colour, carets) +
         "\n";
}

std::string place_text(const SourceFile& file, Span span) {
  const Place place = file.place(span.begin);
  return clean(file.path) + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

bool has_place(Span span, const SourceMap& sources) {
  return span.file < sources.size();
}

std::string render_note(const Diag::Note& note, const SourceMap& sources,
                        const Painter& painter) {
  const std::string label = "  " + painter.paint("36", "note:") + " ";
  if (!has_place(note.span, sources)) return label + clean(note.text) + "\n";
  const SourceFile& file = sources.file(note.span.file);
  return label + place_text(file, note.span) + ": " + clean(note.text) + "\n" +
         snippet(file, note.span, painter, "36");
}

std::string_view severity_name(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

using Json = nlohmann::ordered_json;

void add_place(Json& json, Span span, const SourceMap& sources) {
  if (!has_place(span, sources)) {
    json["path"] = nullptr;
    return;
  }
  const SourceFile& file = sources.file(span.file);
  const Place begin = file.place(span.begin);
  const Place end = file.place(std::max(span.begin, span.end));
  json["path"] = file.path;
  json["line"] = begin.line;
  json["column"] = begin.column;
  json["end_line"] = end.line;
  json["end_column"] = end.column;
  json["begin"] = span.begin;
  json["end"] = std::max(span.begin, span.end);
}

}  // namespace

std::string render(const Diag& diag, const SourceMap& sources, bool colour) {
  const Painter painter(colour);
  const std::string_view tint =
      diag.severity == Severity::kError ? "1;31" : "1;33";
  const bool placed = has_place(diag.span, sources);
  std::string out;
  if (placed) {
    const SourceFile& file = sources.file(diag.span.file);
    out += painter.paint("1", place_text(file, diag.span) + ":") + " ";
  }
  out += painter.paint(tint, std::string(severity_name(diag.severity)) + "[" +
                                 diag.code + "]:");
  out += " " + clean(diag.text) + "\n";
  if (placed) {
    out += snippet(sources.file(diag.span.file), diag.span, painter, tint);
  }
  const auto field = [&](std::string_view label, const std::string& text) {
    if (text.empty()) return;
    out += "  " + painter.paint("1", label) + " " + clean(text) + "\n";
  };
  const bool sides = diag.msg == Msg::kEquationSides;
  field(sides ? "left:" : "expected:", diag.expected);
  field(sides ? "right:" : "observed:", diag.observed);
  for (const Diag::Note& note : diag.notes) {
    out += render_note(note, sources, painter);
  }
  field("in:", diag.where);
  field("help:", diag.repair);
  return out;
}

std::string render_json(const Diag& diag, const SourceMap& sources) {
  Json json;
  json["code"] = diag.code;
  json["severity"] = severity_name(diag.severity);
  json["message"] = diag.text;
  add_place(json, diag.span, sources);
  json["expected"] = diag.expected;
  json["observed"] = diag.observed;
  json["repair"] = diag.repair;
  json["where"] = diag.where;
  json["notes"] = Json::array();
  for (const Diag::Note& note : diag.notes) {
    Json entry;
    entry["text"] = note.text;
    add_place(entry, note.span, sources);
    json["notes"].push_back(std::move(entry));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tine
