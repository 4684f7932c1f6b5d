// The sink, the table of wordings and the map of sources.
//
// The table is diag_table.def, read as the enum (diag.h) and as rows here; to
// some of its rows help_table.def gives what to do. Filling a wording copies it and puts argument N where
// `{N}` stands; a missing argument leaves the braces, so that a mistake shows.
#include "compiler/syntax/diag.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "compiler/syntax/utf8.h"

namespace tine {

namespace {

using enum Severity;

struct Row {
  std::string_view code;
  Severity severity;
  std::string_view wording;
};

constexpr Row kRows[] = {
#define TINE_DIAG(id, code, severity, text) {code, severity, text},
#include "compiler/syntax/diag_table.def"
#undef TINE_DIAG
};

// The help of a message, where it is always the same; "" for the others.
constexpr std::array<std::string_view, std::size(kRows)> kHelps = [] {
  std::array<std::string_view, std::size(kRows)> helps{};
#define TINE_HELP(id, text) helps[static_cast<std::size_t>(Msg::id)] = text;
#include "compiler/syntax/help_table.def"
#undef TINE_HELP
  return helps;
}();

const Row& row_of(Msg msg) { return kRows[static_cast<std::size_t>(msg)]; }

std::string fill(std::string_view wording,
                 const std::vector<std::string>& args) {
  std::string out;
  for (std::size_t i = 0; i < wording.size(); ++i) {
    const bool hole = wording[i] == '{' && i + 2 < wording.size() &&
                      wording[i + 1] >= '0' && wording[i + 1] <= '9' &&
                      wording[i + 2] == '}';
    const std::size_t index = hole ? wording[i + 1] - '0' : 0;
    if (!hole || index >= args.size()) {
      out += wording[i];
      continue;
    }
    out += args[index];
    i += 2;
  }
  return out;
}

}  // namespace

std::string_view diag_code(Msg msg) { return row_of(msg).code; }
Severity diag_severity(Msg msg) { return row_of(msg).severity; }
std::string_view diag_wording(Msg msg) { return row_of(msg).wording; }

Diag& Sink::report(Msg msg, Span span, std::vector<std::string> args) {
  const Severity severity = diag_severity(msg);
  (severity == kError ? errors_ : warnings_) += 1;
  Diag& diag = errors_ > kMaxDiags ? spill_ : diags_.emplace_back();
  diag = Diag{};
  diag.msg = msg;
  diag.severity = severity;
  diag.code = diag_code(msg);
  diag.text = fill(diag_wording(msg), args);
  diag.span = span;
  diag.repair = fill(kHelps[static_cast<std::size_t>(msg)], args);
  return diag;
}

// What follows from an error in the same declaration, a name that seems never
// used since the call it stands in was not read, is no news.
void Sink::settle(std::size_t from) {
  std::set<std::tuple<FileId, std::string>> broken;
  for (std::size_t i = from; i < diags_.size(); ++i) {
    const Diag& diag = diags_[i];
    if (diag.severity == kError) broken.emplace(diag.span.file, diag.where);
  }
  const auto start = diags_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto kept = std::remove_if(start, diags_.end(), [&](const Diag& diag) {
    return diag.severity == kWarning &&
           broken.contains({diag.span.file, diag.where});
  });
  warnings_ -= static_cast<std::size_t>(diags_.end() - kept);
  diags_.erase(kept, diags_.end());
  std::stable_sort(start, diags_.end(), [](const Diag& a, const Diag& b) {
    return std::tie(a.span.file, a.span.begin) <
           std::tie(b.span.file, b.span.begin);
  });
}

FileId SourceMap::add(std::string path, std::string text) {
  auto file = std::make_unique<SourceFile>();
  file->path = std::move(path);
  file->text = std::move(text);
  file->line_starts.push_back(0);
  for (std::size_t i = 0; i < file->text.size(); ++i) {
    if (file->text[i] != '\n') continue;
    file->line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  files_.push_back(std::move(file));
  return static_cast<FileId>(files_.size() - 1);
}

std::string_view SourceMap::text(Span span) const {
  if (span.file >= files_.size()) return {};
  const std::string_view all = file(span.file).text;
  const std::size_t begin = std::min<std::size_t>(span.begin, all.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

Place SourceFile::place(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const auto after =
      std::upper_bound(line_starts.begin(), line_starts.end(), offset);
  const auto number = static_cast<std::uint32_t>(after - line_starts.begin());
  const std::uint32_t start = line_starts[number - 1];
  const std::string_view before =
      std::string_view(text).substr(start, offset - start);
  return {number, static_cast<std::uint32_t>(count_code_points(before)) + 1};
}

std::string_view SourceFile::line(std::uint32_t number) const {
  if (number < 1 || number > line_starts.size()) return {};
  const std::uint32_t start = line_starts[number - 1];
  const std::size_t end =
      number < line_starts.size() ? line_starts[number] - 1 : text.size();
  std::string_view found = std::string_view(text).substr(start, end - start);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

}  // namespace tine
