// The import header of a file.
//
// It is read line by line: blank lines and comments are skipped, the first
// other line ends it. An import line is
//
//   import Base
//   import ./lib/scan.bend as Scan   # a comment may follow
//   import par/scan as Scan
//
// Each bad line is reported and dropped, and reading goes on.
#include "compiler/syntax/imports.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/syntax/token.h"

namespace tine {

namespace {

bool is_path_word(std::string_view word) {
  if (word.empty() || !is_name_start(word[0])) return false;
  return std::all_of(word.begin(), word.end(), [](char c) {
    return c == '-' || (is_name_char(c) && c != '.');
  });
}

// Words joined by `/`.
bool is_plain_path(std::string_view path) {
  for (;;) {
    const std::size_t slash = path.find('/');
    if (!is_path_word(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

bool strip_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

ImportKind classify_import(std::string_view path) {
  constexpr std::string_view kSuffix = ".bend";
  if (path == "Base") return ImportKind::kBase;
  if (path.starts_with("0x") || path.find('@') != std::string_view::npos) {
    return ImportKind::kHub;
  }
  if (is_plain_path(path)) return ImportKind::kLibrary;
  if (!path.ends_with(kSuffix)) return ImportKind::kNoSuffix;
  path.remove_suffix(kSuffix.size());
  strip_prefix(path, "./");
  if (!strip_prefix(path, "/")) {
    while (strip_prefix(path, "../")) {
    }
  }
  return is_plain_path(path) ? ImportKind::kFile : ImportKind::kMalformed;
}

bool is_import_alias(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_name_char(c) && c != '.'; });
}

namespace {

struct Word {
  std::string_view text;
  Span span;
};

class ImportReader {
 public:
  ImportReader(const SourceMap& sources, FileId file, FileTree& tree,
               Sink& sink)
      : file_(file), text_(sources.file(file).text), tree_(tree), sink_(sink) {}

  std::uint32_t read() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
    while (at_ < text_.size()) {
      const std::size_t stop = std::min(text_.find('\n', at_), text_.size());
      if (!read_line(stop)) break;
      at_ = std::min(stop + 1, text_.size());
    }
    return static_cast<std::uint32_t>(at_);
  }

 private:
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(end)};
  }

  // Reads the line up to `stop`; false when it is no part of the header.
  bool read_line(std::size_t stop) {
    const std::vector<Word> words = split(stop);
    if (words.empty()) return take_comment(stop);
    if (words[0].text != "import") return false;
    take_comment(stop);
    read_import(words);
    return true;
  }

  // The words before a comment, which starts at a word.
  std::vector<Word> split(std::size_t stop) {
    constexpr std::size_t kMaxWords = 8;  // enough to tell what is wrong
    constexpr std::string_view kBlanks = " \t\r";
    constexpr std::string_view kWordEnds = " \t\r\n#";
    std::vector<Word> words;
    std::size_t at = at_;
    comment_ = stop;
    for (;;) {
      at = std::min(text_.find_first_not_of(kBlanks, at), stop);
      if (at == stop) return words;
      if (text_[at] == '#') {
        comment_ = at;
        return words;
      }
      const std::size_t end =
          std::min(text_.find_first_of(kWordEnds, at), stop);
      if (words.size() < kMaxWords) {
        words.push_back({text_.substr(at, end - at), span(at, end)});
      }
      // A first word that is not `import` ends the header: no need for more.
      if (words[0].text != "import") return words;
      at = end;
    }
  }

  bool take_comment(std::size_t stop) {
    if (comment_ < stop) tree_.comments.push_back(span(comment_, stop));
    return true;
  }

  void read_import(const std::vector<Word>& words) {
    const Span line = span(words[0].span.begin, words.back().span.end);
    if (words.size() < 2) {
      sink_.report(Msg::kImportMalformed, line);
      return;
    }
    const Word& path = words[1];
    if (path.text == "Base" && words.size() == 2) {
      tree_.imports.push_back({"Base", "", line, path.span});
      return;
    }
    if (!check_path(path) || !check_alias(words, line)) return;
    tree_.imports.push_back({std::string(path.text),
                             std::string(words[3].text), line, path.span});
  }

  bool check_path(const Word& path) {
    const std::string text(path.text);
    switch (classify_import(path.text)) {
      case ImportKind::kHub:
        return refuse(Msg::kImportHub, path.span, {text});
      case ImportKind::kNoSuffix:
        return refuse(Msg::kImportSuffix, path.span, {text},
                      "write `" + text + ".bend`");
      case ImportKind::kMalformed:
        return refuse(Msg::kImportBadPath, path.span, {text});
      default:
        return true;
    }
  }

  bool check_alias(const std::vector<Word>& words, Span line) {
    const Word& path = words[1];
    const std::string shown(path.text);
    if (words.size() == 2) {
      return refuse(Msg::kImportNoAlias, path.span, {shown},
                    "write `import " + shown + " as Name`");
    }
    if (path.text == "Base" || words[2].text != "as") {
      return refuse(Msg::kImportJunk, words[2].span,
                    {std::string(words[2].text)});
    }
    if (words.size() == 3) return refuse(Msg::kImportMalformed, line, {});
    const Word& alias = words[3];
    const std::string name(alias.text);
    if (!is_import_alias(alias.text)) {
      return refuse(Msg::kImportBadAlias, alias.span, {name});
    }
    if (words.size() > 4) {
      return refuse(Msg::kImportJunk, words[4].span,
                    {std::string(words[4].text)});
    }
    const auto [earlier, fresh] = aliases_.emplace(name, line);
    if (fresh) return true;
    sink_.report(Msg::kImportDuplicateAlias, alias.span, {name})
        .notes.push_back({earlier->second, "the earlier import is here"});
    return false;
  }

  bool refuse(Msg msg, Span where, std::vector<std::string> args,
              std::string repair = "") {
    Diag& diag = sink_.report(msg, where, std::move(args));
    if (!repair.empty()) diag.repair = std::move(repair);
    return false;
  }

  FileId file_;
  std::string_view text_;
  FileTree& tree_;
  Sink& sink_;
  std::size_t at_ = 0;
  std::unordered_map<std::string, Span> aliases_;
  std::size_t comment_ = 0;  // where the comment of the line starts
};

}  // namespace

std::uint32_t parse_imports(const SourceMap& sources, FileId file,
                            FileTree& tree, Sink& sink) {
  return ImportReader(sources, file, tree, sink).read();
}

}  // namespace tine
