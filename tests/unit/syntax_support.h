// What the tests of compiler/syntax share: one parsed text and its messages.
#pragma once

#include <string>
#include <string_view>

#include "compiler/syntax/surface.h"

namespace tine::testing {

struct Parsed {
  SourceMap sources;
  FileTree tree;
  Sink sink;
  FileId file = kNoFile;

  explicit Parsed(std::string text, std::string path = "t.bend") {
    file = sources.add(std::move(path), std::move(text));
    parse_file(sources, file, tree, sink);
  }
  std::size_t count() const { return sink.diags().size(); }
  const Diag& diag(std::size_t i = 0) const { return sink.diags().at(i); }
  // "E14a `text of the span`" of every message, one per line.
  std::string messages() const {
    std::string out;
    for (const Diag& diag : sink.diags()) {
      if (!out.empty()) out += "\n";
      out += diag.code + " `" + std::string(sources.text(diag.span)) + "`";
    }
    return out;
  }
  std::string body(std::size_t i = 0) const {
    return show(tree.decls.at(i).body);
  }
};

// A def whose body is `text`, from line 2 on, indented by two.
inline std::string in_def(std::string_view text) {
  std::string out = "def f(x: U32) -> U32:\n  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + "\n";
}

// The messages of a body, see Parsed::messages.
inline std::string errors_of(std::string_view body) {
  return Parsed(in_def(body)).messages();
}

// The canonical spelling of a body, or its messages when it has any.
inline std::string shown(std::string_view body) {
  const Parsed parsed{in_def(body)};
  if (parsed.count() > 0) return parsed.messages();
  return parsed.body();
}

inline std::string repair_of(std::string_view body) {
  const Parsed parsed{in_def(body)};
  return parsed.count() == 0 ? "no message" : parsed.diag().repair;
}

}  // namespace tine::testing
