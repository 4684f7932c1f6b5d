// Diagnostics: what the front end says about a program.
//
// A `Diag` is a value: code, severity, span, message, and optional expected /
// observed lines, notes and a repair. Passes append to a `Sink` and go on; the
// driver stops at a phase barrier when the sink holds an error. All wording
// stands in one table (diag_table.def, read by diag.cc; help_table.def adds
// what to do): a pass names a message by its id and gives the arguments that
// fill `{0}`, `{1}`, ...
//
// Positions are byte offsets into a file of the `SourceMap`; lines and
// columns (code points from 1) are computed only when a Diag is rendered.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tine {

using FileId = std::uint32_t;
inline constexpr FileId kNoFile = ~FileId{0};

// Half-open range of bytes in one file.
struct Span {
  FileId file = kNoFile;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// A place for people: line and column count from 1, columns in code points.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

struct SourceFile {
  std::string path;              // as it is shown to people
  std::string text;              // UTF-8
  std::vector<std::uint32_t> line_starts;  // byte offset of each line
  Place place(std::uint32_t offset) const;
  std::string_view line(std::uint32_t number) const;  // without newline
};

// Owns the text of every file of one compilation.
class SourceMap {
 public:
  FileId add(std::string path, std::string text);
  const SourceFile& file(FileId id) const { return *files_[id]; }
  std::size_t size() const { return files_.size(); }
  std::string_view text(Span span) const;

 private:
  std::vector<std::unique_ptr<SourceFile>> files_;
};

enum class Severity : std::uint8_t { kError, kWarning };

// One message per enumerator; the table gives code, severity and wording.
enum class Msg : std::uint16_t {
#define TINE_DIAG(id, code, severity, text) id,
#include "compiler/syntax/diag_table.def"
#undef TINE_DIAG
};

struct Diag {
  Msg msg{};
  Severity severity = Severity::kError;
  std::string code;      // "E23", "E05b", "W01"
  std::string text;      // the filled message, one line
  Span span;
  std::string expected;  // a type, "" when there is none
  std::string observed;
  std::string repair;    // "write `U32.inc(x)`", "" when there is none
  std::string where;     // the definition it is in, "" outside of one
  struct Note {
    Span span;           // kNoFile when the note has no place of its own
    std::string text;
  };
  std::vector<Note> notes;
};

// Collects diagnostics in order. Never throws. After `kMaxDiags` errors the
// rest are counted, not kept.
class Sink {
 public:
  static constexpr std::size_t kMaxDiags = 100;
  // Returns the stored diagnostic so that the caller may add to it.
  Diag& report(Msg msg, Span span, std::vector<std::string> args = {});
  // Of the messages from the `from`th on: drops warnings of declarations that
  // have an error, and orders the others by their places.
  void settle(std::size_t from);
  bool has_errors() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }
  const std::vector<Diag>& diags() const { return diags_; }
  std::vector<Diag>& diags() { return diags_; }

 private:
  std::vector<Diag> diags_;
  Diag spill_;  // receives what is past kMaxDiags
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

// The table, for `tine explain` and the tests.
std::string_view diag_code(Msg msg);
Severity diag_severity(Msg msg);
std::string_view diag_wording(Msg msg);

// Text for people: `path:line:col: error[E23]: ...`, source line, caret line,
// expected / observed, notes, repair. `colour` adds terminal escapes.
std::string render(const Diag& diag, const SourceMap& sources, bool colour);
// The same as one JSON object on one line (no newline at its end).
std::string render_json(const Diag& diag, const SourceMap& sources);

}  // namespace tine
