// The formatter on every program of the repository: as it stands, and with
// its layout spoilt at random. Whatever the parser accepts must come out as
// the same program with the same comments, and stay when formatted again.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include "compiler/format/format.h"

using namespace tine;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> all_programs() {
  const fs::path root = TINE_SOURCE_DIR;
  std::vector<fs::path> files;
  for (const char* folder :
       {"compiler/lib", "tests", "examples", "bench", "../shared/seeds"}) {
    std::error_code missing;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(root / folder, missing)) {
      if (entry.path().extension() == ".bend") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Source {
  SourceMap& sources;
  FileTree tree;
  Shape shape;
  bool good = false;
  Source(SourceMap& map, const std::string& text) : sources(map) {
    Sink sink;
    parse_file(sources, sources.add("a.bend", text), tree, sink, &shape);
    good = !sink.has_errors();
  }
  std::string format() const {
    return format_source(sources.file(tree.file), tree, shape);
  }
};

// What a reader sees: the characters without blanks, commas, semicolons, in
// order, comments and strings included.
std::string ink(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view(" \t\r\n,;").find(c) == std::string_view::npos) {
      out += c;
    }
  }
  return out.starts_with("\xEF\xBB\xBF") ? out.substr(3) : out;
}

// "" or what is wrong; nothing is when the text is no program.
std::string judge(const std::string& text, bool& good) {
  SourceMap sources;
  const Source source(sources, text);
  good = source.good;
  if (!good) return "";
  const std::string once = source.format();
  const Source again(sources, once);
  if (!again.good) return "does not parse:\n" + once;
  if (!same_source(source.tree, again.tree, sources)) {
    return "has another tree:\n" + once;
  }
  if (ink(once) != ink(text)) return "has other characters:\n" + once;
  const std::string twice = again.format();
  if (twice != once) return "changes again:\n" + once + "\ninto\n" + twice;
  return "";
}

using Random = std::mt19937;

std::string random_gap(Random& random) {
  const std::string indent(random() % 12, ' ');
  switch (random() % 8) {
    case 0: return "";
    case 1: return " ";
    case 2: return "\t  ";
    case 3: return " # spoilt\n" + indent;
    case 4: return "\n" + indent + "# own line\n" + indent;
    case 5: return "\r\n \n\n" + indent;
    default: return "\n" + indent;
  }
}

// The text with a few of its gaps replaced.
std::string spoil(const std::string& text, const std::vector<Token>& tokens,
                  Random& random) {
  std::vector<std::size_t> where;
  const std::size_t count = 1 + random() % 4;
  for (std::size_t i = 0; i < count; ++i) {
    where.push_back(1 + random() % (tokens.size() - 1));
  }
  std::sort(where.begin(), where.end());
  where.erase(std::unique(where.begin(), where.end()), where.end());
  std::string out;
  std::size_t at = 0;
  for (const std::size_t i : where) {
    const std::size_t end = tokens[i - 1].end;
    const std::size_t begin =
        i + 1 < tokens.size() ? tokens[i].begin : text.size();
    const std::string_view gap =
        std::string_view(text).substr(end, begin - end);
    if (gap.find('#') != std::string_view::npos) continue;
    out += text.substr(at, end - at) + random_gap(random);
    at = begin;
  }
  return out + text.substr(at);
}

// How many spoilt texts for a file; a longer campaign sets it.
std::size_t rounds() {
  const char* text = std::getenv("TINE_FORMAT_ROUNDS");
  return text ? std::strtoul(text, nullptr, 10) : 20;
}

}  // namespace

TEST_CASE("format: every program of the repository stays the same program") {
  std::size_t programs = 0;
  for (const fs::path& path : all_programs()) {
    CAPTURE(path.string());
    bool good = false;
    CHECK(judge(read(path), good) == "");
    programs += good ? 1 : 0;
  }
  CHECK(programs >= 300);
}

TEST_CASE("format: so does every program with a spoilt layout") {
  constexpr std::size_t kLong = 20000;  // such files get one round
  std::size_t programs = 0;
  Random random(1);
  for (const fs::path& path : all_programs()) {
    const std::string text = read(path);
    SourceMap sources;
    const Source source(sources, text);
    if (!source.good || source.shape.stream.tokens.size() < 2) continue;
    const std::size_t times = text.size() > kLong ? 1 : rounds();
    for (std::size_t i = 0; i < times; ++i) {
      const std::string spoilt =
          spoil(text, source.shape.stream.tokens, random);
      bool good = false;
      const std::string fault = judge(spoilt, good);
      programs += good ? 1 : 0;
      if (fault.empty()) continue;
      FAIL_CHECK(path.string() << "\n" << spoilt << "\n" << fault);
      return;
    }
  }
  CHECK(programs >= 1000);
}
