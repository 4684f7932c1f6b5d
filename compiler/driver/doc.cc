// See doc.h.
#include "compiler/driver/doc.h"

#include <algorithm>
#include <set>

#include "compiler/driver/big_stack.h"
#include "compiler/driver/embedded.h"
#include "compiler/driver/files.h"
#include "compiler/driver/messages.h"
#include "runtime/tine.hpp"

namespace tine {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::string_view kSuffix = ".bend";
constexpr std::string_view kBase = "base.bend";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// The words of a text, as names are written, without dots at their ends.
std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    while (word.ends_with('.')) word.remove_suffix(1);
    if (!word.empty()) words.emplace(word);
    at = std::max(end, at + 1);
  }
  return words;
}

// The text of a comment line; false where the line is none. What a test
// expects (`#|`, `#!`, `#=`) is no comment.
bool comment_text(std::string_view line, std::string& text) {
  if (!line.starts_with('#')) return false;
  line.remove_prefix(1);
  if (line.starts_with('|') || line.starts_with('!') ||
      line.starts_with('=')) {
    return false;
  }
  if (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
  text = line;
  return true;
}

// The alias under which a first comment shows its own module: that of its
// first line `import .. as Alias`.
std::string shown_alias(const std::vector<std::string>& comment) {
  for (const std::string& line : comment) {
    std::size_t at = line.find("import ");
    std::size_t as = line.find(" as ");
    if (at == std::string::npos || as == std::string::npos || as < at) continue;
    std::string_view rest = std::string_view(line).substr(as + 4);
    std::size_t end = 0;
    while (end < rest.size() && is_word(rest[end])) ++end;
    return std::string(rest.substr(0, end));
  }
  return "";
}

// The names that a first comment writes as `Alias.name`.
std::set<std::string> shown_names(const std::vector<std::string>& comment) {
  std::set<std::string> names;
  std::string prefix = shown_alias(comment) + ".";
  if (prefix == ".") return names;
  for (const std::string& line : comment) {
    for (const std::string& word : words_of(line)) {
      if (word.starts_with(prefix)) names.insert(word.substr(prefix.size()));
    }
  }
  return names;
}

// `map.go` is a part of `map`; `List.map` is none of the type List.
bool is_part(const std::string& name, const FileTree& tree) {
  return std::any_of(tree.decls.begin(), tree.decls.end(), [&](auto& other) {
    return other.kind != DeclKind::kType &&
           name.starts_with(other.text + ".");
  });
}

std::string param_text(const Param& param) {
  std::string text = param.mark == Mark::kErased  ? "-"
                     : param.mark == Mark::kReuse ? "+"
                                                  : "";
  if (param.is_template) text += "~";
  text += param.text;
  if (param.type) text += ": " + show(param.type);
  return text;
}

// `def name(..) -> T`, a parameter a line where it is too long for one.
std::string def_signature(const Decl& decl) {
  std::string head = std::string(decl.is_unsafe ? "@unsafe " : "") + "def " +
                     decl.text + "(";
  std::string tail = ")" + (decl.result ? " -> " + show(decl.result) : "");
  std::string line = head, broken = head;
  for (const Param& param : decl.params) {
    std::string text = param_text(param);
    line += (line.size() > head.size() ? ", " : "") + text;
    broken += "\n        " + text + ",";
  }
  line += tail;
  if (line.size() <= kColumns) return line + "\n";
  if (broken.ends_with(',')) broken.pop_back();
  return broken + tail + "\n";
}

std::string paragraph(const std::vector<std::string>& lines,
                      std::string_view indent) {
  std::string text;
  for (const std::string& line : lines) {
    if (!line.empty()) text += std::string(indent) + line;
    text += "\n";
  }
  return text;
}

std::string entry(const SourceMap& sources, const SourceFile& file,
                  const Decl& decl) {
  return signature(sources, decl) + paragraph(comment_above(file, decl), "    ");
}

std::string page(const SourceMap& sources, const FileTree& tree) {
  const SourceFile& file = sources.file(tree.file);
  std::string text = paragraph(first_comment(file), "");
  for (const Decl* decl : shown_decls(sources, tree)) {
    if (!text.empty()) text += "\n";
    text += entry(sources, file, *decl);
  }
  return text;
}

// What the module `name` of the library is embedded as.
std::string embedded_name(const std::string& name) {
  return name == "Base" ? std::string(kBase) : name + std::string(kSuffix);
}

void document_into(Documentation& out, const std::string& shown,
                   std::string text, const std::string& name) {
  SourceMap sources;
  Sink sink;
  FileTree tree;
  const FileId file = sources.add(shown, std::move(text));
  parse_file(sources, file, tree, sink);
  append_messages(sink, 0, sources, out.messages);
  if (sink.has_errors()) return;
  if (name.empty()) out.text = page(sources, tree);
  for (const Decl& decl : tree.decls) {
    if (decl.kind == DeclKind::kFill || decl.text != name) continue;
    out.text = entry(sources, sources.file(file), decl);
  }
  out.found = name.empty() || !out.text.empty();
}

// Reads what `module` means; false where it is nothing.
bool find_module(const std::string& module, std::string& text,
                 Documentation& out) {
  if (!module.ends_with(kSuffix)) {
    std::optional<std::string_view> bytes =
        find_embedded(embedded_name(module));
    text = bytes.value_or("");
    return bytes.has_value();
  }
  FileText file = read_file(module);
  text = std::move(file.text);
  if (file.result == ReadResult::kOk) return true;
  SourceMap sources;
  Sink sink;
  report_unread(file, module, {}, sink);
  append_messages(sink, 0, sources, out.messages);
  return false;
}

}  // namespace

std::vector<std::string> first_comment(const SourceFile& file) {
  std::vector<std::string> lines;
  std::string text;
  const auto count = static_cast<std::uint32_t>(file.line_starts.size());
  for (std::uint32_t number = 1; number <= count; ++number) {
    if (!comment_text(file.line(number), text)) break;
    lines.push_back(text);
  }
  return lines;
}

std::vector<std::string> comment_above(const SourceFile& file,
                                       const Decl& decl) {
  std::vector<std::string> lines;
  std::string text;
  std::uint32_t number = file.place(decl.whole.begin).line;
  while (number > 1 && comment_text(file.line(number - 1), text)) {
    lines.push_back(text);
    --number;
  }
  // It would be the file's first comment, not that of a declaration.
  if (number == 1) lines.clear();
  std::reverse(lines.begin(), lines.end());
  return lines;
}

std::string signature(const SourceMap& sources, const Decl& decl) {
  if (decl.kind == DeclKind::kDef) return def_signature(decl);
  std::string text(sources.text(decl.whole));
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
  return text + "\n";
}

std::vector<const Decl*> shown_decls(const SourceMap& sources,
                                     const FileTree& tree) {
  const std::set<std::string> names =
      shown_names(first_comment(sources.file(tree.file)));
  std::string signatures;
  auto is_named = [&](const Decl& decl) {
    return decl.kind != DeclKind::kFill && names.contains(decl.text);
  };
  for (const Decl& decl : tree.decls) {
    if (is_named(decl)) signatures += signature(sources, decl);
  }
  const std::set<std::string> words = words_of(signatures);
  std::vector<const Decl*> shown;
  for (const Decl& decl : tree.decls) {
    bool wanted = signatures.empty()
                      ? !is_part(decl.text, tree)
                      : is_named(decl) || (decl.kind == DeclKind::kType &&
                                           words.contains(decl.text));
    if (wanted && decl.kind != DeclKind::kFill) shown.push_back(&decl);
  }
  return shown;
}

std::vector<LibraryModule> library_modules() {
  std::vector<LibraryModule> modules;
  for (const EmbeddedFile* row = embedded_files(); row->name; ++row) {
    std::string name = row->name;
    if (!name.ends_with(kSuffix)) continue;
    SourceMap sources;
    const FileId file =
        sources.add(name, std::string(*find_embedded(row->name)));
    std::vector<std::string> lines = first_comment(sources.file(file));
    std::string purpose = lines.empty() ? "" : lines[0];
    if (std::size_t colon = purpose.find(": "); colon != purpose.npos) {
      purpose.erase(0, colon + 2);
    }
    name.resize(name.size() - kSuffix.size());
    modules.push_back({name == "base" ? "Base" : name, std::move(purpose)});
  }
  std::sort(modules.begin(), modules.end(),
            [](auto& a, auto& b) { return a.name < b.name; });
  return modules;
}

Documentation document(const std::string& module, const std::string& name) {
  Documentation out;
  std::string text;
  out.known = find_module(module, text, out);
  if (!out.known) return out;
  std::string shown =
      module.ends_with(kSuffix) ? module : "<lib>/" + embedded_name(module);
  const StackResult result = on_big_stack(
      [&](std::size_t) { document_into(out, shown, std::move(text), name); });
  if (result == StackResult::kNoMemory) {
    out.failure = "the memory does not suffice";
  }
  return out;
}

}  // namespace tine
