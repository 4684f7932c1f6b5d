// See explain.h.
#include "compiler/driver/explain.h"

#include <algorithm>

#include "compiler/driver/embedded.h"
#include "compiler/syntax/diag.h"
#include "runtime/tine.hpp"

namespace tine {
namespace {

constexpr const char* kPages = "explain.txt";
constexpr Msg kMessages[] = {
#define TINE_DIAG(id, code, severity, text) Msg::id,
#include "compiler/syntax/diag_table.def"
#undef TINE_DIAG
};

// The text of the section that a line opens.
std::string& section(ExplainPage& page, std::string_view line) {
  if (line == "- wrong") return page.wrong;
  if (line == "- right") return page.right;
  if (line == "- none") return page.none;
  line.remove_prefix(std::string_view("- with ").size());
  return page.files.emplace_back(line, "").second;
}

void trim_end(std::string& text) {
  std::size_t end = text.find_last_not_of('\n');
  text.resize(end == std::string::npos ? 0 : end + 1);
  if (!text.empty()) text += '\n';
}

void finish(ExplainPage& page) {
  for (std::string* text : {&page.text, &page.wrong, &page.right, &page.none}) {
    trim_end(*text);
  }
  for (auto& [name, text] : page.files) trim_end(text);
  for (std::string* text : {&page.wrong, &page.right}) {
    bool imports = text->starts_with("import") || text->starts_with("#") ||
                   text->find("\nimport ") != std::string::npos;
    if (!text->empty() && !imports) text->insert(0, "import Base\n\n");
  }
}

std::string indented(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find('\n', at) + 1;
    if (end - at > 1) out += "    ";
    out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

// The table's wording, with `..` where a message has its own words.
std::string wording(std::string_view code) {
  for (Msg msg : kMessages) {
    if (diag_code(msg) != code) continue;
    std::string text(diag_wording(msg));
    for (std::size_t at; (at = text.find('{')) != text.npos;) {
      std::size_t end = text.find('}', at);
      if (end == at + 2 && text[at + 1] >= '0' && text[at + 1] <= '9') {
        text.replace(at, 3, "..");
      } else {
        return text;  // a brace of the language
      }
    }
    return text;
  }
  return "";
}

std::string page_text(const ExplainPage& page) {
  std::string text = page.code + ": " + wording(page.code) + "\n\n";
  text += page.text;
  if (!page.none.empty()) text += page.none;
  for (const auto& [name, file] : page.files) {
    text += "\nWith the file " + name + ":\n\n" + indented(file);
  }
  if (!page.wrong.empty()) text += "\nWrong:\n\n" + indented(page.wrong);
  if (!page.right.empty()) text += "\nRight:\n\n" + indented(page.right);
  return text;
}

}  // namespace

std::vector<ExplainPage> explain_pages() {
  std::vector<ExplainPage> pages;
  std::string_view text = find_embedded(kPages).value_or("");
  std::string* target = nullptr;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("= ")) {
      pages.emplace_back().code = line.substr(2);
      target = &pages.back().text;
    } else if (target && line.starts_with("- ")) {
      target = &section(pages.back(), line);
    } else if (target) {
      *target += std::string(line) + "\n";
    }
  }
  for (ExplainPage& page : pages) finish(page);
  return pages;
}

std::string explain(std::string_view code) {
  std::vector<ExplainPage> pages = explain_pages();
  for (const ExplainPage& page : pages) {
    if (page.code == code) return page_text(page);
  }
  std::string list;
  for (Msg msg : kMessages) {
    std::string_view own = diag_code(msg);
    if (!own.starts_with(code)) continue;
    list += std::string(own) + std::string(own.size() < 5 ? 5 - own.size() : 1,
                                           ' ') + wording(own) + "\n";
  }
  return list;
}

}  // namespace tine
