// Diagnostics: the table, the sink, places, rendering.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "compiler/syntax/diag.h"
#include "compiler/syntax/utf8.h"

using namespace tine;

namespace {

constexpr Msg kAll[] = {
#define TINE_DIAG(id, code, severity, text) Msg::id,
#include "compiler/syntax/diag_table.def"
#undef TINE_DIAG
};

struct Source {
  SourceMap sources;
  FileId file;
  explicit Source(std::string text) { file = sources.add("a.bend", text); }
  Span span(std::uint32_t begin, std::uint32_t end) const {
    return {file, begin, end};
  }
  Diag diag(std::uint32_t begin, std::uint32_t end) const {
    Sink sink;
    return sink.report(Msg::kUsedTwice, span(begin, end), {"a"});
  }
  std::string text(const Diag& diag) const {
    return render(diag, sources, false);
  }
};

}  // namespace

TEST_CASE("every row of the table has a code of its own and one sentence") {
  std::set<std::string> codes;
  for (const Msg msg : kAll) {
    const std::string code(diag_code(msg));
    const std::string wording(diag_wording(msg));
    CAPTURE(code);
    CHECK(codes.insert(code).second);
    const bool warning = diag_severity(msg) == Severity::kWarning;
    CHECK((code[0] == 'W') == warning);
    CHECK((code[0] >= 'A' && code[0] <= 'Z'));
    CHECK_FALSE(wording.empty());
    CHECK(wording.back() != '.');
    CHECK_FALSE((wording[0] >= 'B' && wording[0] <= 'Z'));
  }
}

TEST_CASE("the table has every code from E01 to E31 and W01 to W04") {
  std::set<std::string> stems;
  for (const Msg msg : kAll) {
    stems.insert(std::string(diag_code(msg).substr(0, 3)));
  }
  for (int i = 1; i <= 31; ++i) {
    const std::string stem = (i < 10 ? "E0" : "E") + std::to_string(i);
    CAPTURE(stem);
    CHECK(stems.count(stem) == 1);
  }
  for (const char* stem : {"W01", "W02", "W03", "W04"}) {
    CHECK(stems.count(stem) == 1);
  }
}

TEST_CASE("a report fills the wording and counts") {
  Sink sink;
  const Diag& diag = sink.report(Msg::kCtorFieldCount, {},
                                 {"K", "2 fields", "1 value"});
  CHECK(diag.text == "the constructor `K` has 2 fields, but this gives 1 value");
  CHECK(diag.code == "E21e");
  sink.report(Msg::kUnusedBinder, {}, {"x"});
  CHECK(sink.errors() == 1);
  CHECK(sink.warnings() == 1);
  CHECK(sink.has_errors());
}

TEST_CASE("past the limit errors are counted, not kept") {
  Sink sink;
  for (std::size_t i = 0; i < Sink::kMaxDiags + 50; ++i) {
    sink.report(Msg::kNoMain, {}).repair = "spill";
  }
  CHECK(sink.errors() == Sink::kMaxDiags + 50);
  CHECK(sink.diags().size() == Sink::kMaxDiags);
}

TEST_CASE("places count code points from 1") {
  const Source source("ab\n\xCE\xBB\xCE\xBBx\r\n\xFF\xFFy");
  const SourceFile& file = source.sources.file(source.file);
  CHECK(file.place(0).line == 1);
  CHECK(file.place(0).column == 1);
  CHECK(file.place(2).column == 3);
  CHECK(file.place(7).line == 2);  // x, behind two lambdas
  CHECK(file.place(7).column == 3);
  CHECK(file.place(12).line == 3);  // y, behind two malformed bytes
  CHECK(file.place(12).column == 3);
  CHECK(file.place(4000).line == 3);
  CHECK(file.line(2) == "\xCE\xBB\xCE\xBBx");
  CHECK(file.line(3) == "\xFF\xFFy");
  CHECK(file.line(0) == "");
  CHECK(file.line(9) == "");
}

TEST_CASE("a diagnostic for people") {
  const Source source("def f():\n  g(a, a)\n");
  Diag diag = source.diag(16, 17);
  diag.expected = "U32";
  diag.observed = "Nat";
  diag.repair = "clone it";
  diag.where = "f";
  diag.notes.push_back({source.span(13, 14), "first used here"});
  diag.notes.push_back({{}, "no place"});
  CHECK(source.text(diag) ==
        "a.bend:2:8: error[E23a]: `a` is used more than once\n"
        "  2 |   g(a, a)\n"
        "    |        ^\n"
        "  expected: U32\n"
        "  observed: Nat\n"
        "  note: a.bend:2:5: first used here\n"
        "  2 |   g(a, a)\n"
        "    |     ^\n"
        "  note: no place\n"
        "  in: f\n"
        "  help: clone it\n");
}

TEST_CASE("warnings say so, and a diagnostic may have no place") {
  const Source source("x\n");
  Sink sink;
  const Diag diag = sink.report(Msg::kUnusedBinder, {}, {"x"});
  CHECK(source.text(diag) == "warning[W01]: `x` is never used\n"
                            "  help: name it `_x` if that is meant\n");
}

TEST_CASE("carets match the columns of multibyte text and tabs") {
  const Source source("\t\xCE\xBB\xE2\x82\xAC = boom\n");
  CHECK(source.text(source.diag(9, 13)) ==
        "a.bend:1:7: error[E23a]: `a` is used more than once\n"
        "  1 |  \xCE\xBB\xE2\x82\xAC = boom\n"
        "    |       ^~~~\n");
}

TEST_CASE("a span over lines is marked to the end of its first line") {
  const Source source("f(a,\n  b)\n");
  CHECK(source.text(source.diag(1, 9)) ==
        "a.bend:1:2: error[E23a]: `a` is used more than once\n"
        "  1 | f(a,\n"
        "    |  ^~~\n");
}

TEST_CASE("an empty span and one past the end have one caret") {
  const Source source("ab");
  CHECK(source.text(source.diag(2, 2)) ==
        "a.bend:1:3: error[E23a]: `a` is used more than once\n"
        "  1 | ab\n"
        "    |   ^\n");
  CHECK(source.text(source.diag(900, 950)).find("    |   ^\n") !=
        std::string::npos);
}

TEST_CASE("of a long line a window is shown") {
  const std::string filler(5000, 'a');
  const Source source(filler + "BOOM" + filler);
  const std::string text = source.text(source.diag(5000, 5004));
  CHECK(text.size() < 700);
  const std::size_t line = text.find("  1 | ");
  const std::size_t carets = text.find("^~~~\n");
  REQUIRE(line != std::string::npos);
  REQUIRE(carets != std::string::npos);
  const std::size_t caret_line = text.rfind('\n', carets) + 1;
  CHECK(text.substr(line + (carets - caret_line), 4) == "BOOM");
  CHECK(text.find("| ...aaa") != std::string::npos);
  CHECK(text.find("aaa...\n") != std::string::npos);
}

TEST_CASE("a window keeps its carets with multibyte text and a huge span") {
  std::string filler;
  for (int i = 0; i < 3000; ++i) filler += "\xCE\xBB";
  const Source source(filler + "X" + filler);
  const std::string one = source.text(source.diag(6000, 6001));
  const std::size_t caret = one.find("^\n");
  REQUIRE(caret != std::string::npos);
  const std::size_t indent = caret - (one.rfind('\n', caret) + 1);
  const std::size_t line = one.find("  1 | ");
  const std::string shown =
      one.substr(line, one.find('\n', line) - line);
  CHECK(count_code_points(shown.substr(0, shown.find('X'))) == indent);
  const std::string all = source.text(source.diag(0, 12001));
  CHECK(count_code_points(all) < 600);
}

TEST_CASE("a line of exactly the limit is shown whole") {
  const Source source(std::string(200, 'a'));
  CHECK(source.text(source.diag(0, 1)).find("...") == std::string::npos);
  const Source longer(std::string(201, 'a'));
  CHECK(longer.text(longer.diag(0, 1)).find("...") != std::string::npos);
}

TEST_CASE("sources cannot send control characters or malformed bytes") {
  const Source source("\x1b[31m \xFF x\x7F\n");
  const std::string text = source.text(source.diag(0, 1));
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\xFF') == std::string::npos);
  CHECK(find_invalid_utf8(text) == std::string::npos);
  CHECK(text.find("\xEF\xBF\xBD[31m") != std::string::npos);
}

TEST_CASE("colour adds escapes only when asked for") {
  const Source source("ab");
  const Diag diag = source.diag(0, 1);
  CHECK(render(diag, source.sources, true).find("\x1b[") != std::string::npos);
  CHECK(source.text(diag).find('\x1b') == std::string::npos);
}

TEST_CASE("a diagnostic as JSON") {
  const Source source("x\n\xCE\xBB = \"q\"\n");
  Diag diag = source.diag(5, 10);
  diag.expected = "U32";
  diag.repair = "write `\"r\"`";
  diag.where = "f";
  diag.notes.push_back({source.span(0, 1), "here"});
  diag.notes.push_back({{}, "nowhere"});
  const std::string text = render_json(diag, source.sources);
  CHECK(text.find('\n') == std::string::npos);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["code"] == "E23a");
  CHECK(json["severity"] == "error");
  CHECK(json["message"] == "`a` is used more than once");
  CHECK(json["path"] == "a.bend");
  CHECK(json["line"] == 2);
  CHECK(json["column"] == 3);
  CHECK(json["end_line"] == 2);
  CHECK(json["end_column"] == 8);
  CHECK(json["begin"] == 5);
  CHECK(json["end"] == 10);
  CHECK(json["expected"] == "U32");
  CHECK(json["observed"] == "");
  CHECK(json["repair"] == "write `\"r\"`");
  CHECK(json["where"] == "f");
  CHECK(json["notes"][0]["text"] == "here");
  CHECK(json["notes"][0]["line"] == 1);
  CHECK(json["notes"][1]["path"].is_null());
}

TEST_CASE("JSON replaces malformed bytes and has no place without a file") {
  const Source source("x");
  Sink sink;
  const Diag diag = sink.report(Msg::kUnusedBinder, {}, {"\xFF\xC3"});
  const std::string text = render_json(diag, source.sources);
  CHECK(find_invalid_utf8(text) == std::string::npos);
  const auto json = nlohmann::json::parse(text);
  CHECK(json["severity"] == "warning");
  CHECK(json["path"].is_null());
  CHECK_FALSE(json.contains("line"));
}

TEST_CASE("decoding refuses overlong, surrogate and cut sequences") {
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xE2\x82", "\x80", "\xFF"}) {
    CHECK(find_invalid_utf8(bad) == 0);
  }
  CHECK(decode_utf8("\xF0\x9F\x98\x80", 0).code == 0x1F600);
  std::string out;
  append_utf8(out, 0xD800);
  CHECK(out == "\xEF\xBF\xBD");
}
