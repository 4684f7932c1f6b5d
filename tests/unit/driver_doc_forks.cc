// docs/library.md names exactly the defs that rely on Array.fork: what a page
// of `tine doc` shows, as the checker sees it.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "compiler/driver/doc.h"
#include "compiler/driver/embedded.h"
#include "runtime/tine.hpp"
#include "tests/unit/driver_temp.h"

using namespace tine;
using Names = std::set<std::string>;

namespace {

Names quoted(std::string text) {
  Names names;
  for (std::size_t at; (at = text.find('`')) != text.npos;) {
    std::size_t end = text.find('`', at + 1);
    if (end == text.npos) break;
    names.insert(text.substr(at + 1, end - at - 1));
    text.erase(0, end + 1);
  }
  return names;
}

// Module to defs, from the rows "| `par/x` | `a`, `b` | why |".
std::map<std::string, Names> page_rows() {
  std::ifstream in(TINE_SOURCE_DIR "/docs/library.md");
  REQUIRE(in.good());
  std::map<std::string, Names> rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| `")) continue;
    std::size_t defs = line.find(" | ") + 3;
    std::size_t why = line.find(" | ", defs);
    REQUIRE(why != line.npos);
    CHECK(line.size() > why + 10);  // a reason
    std::string module = *quoted(line.substr(0, defs)).begin();
    CHECK(!rows.contains(module));
    rows[module] = quoted(line.substr(defs, why - defs));
  }
  return rows;
}

// None is @unsafe, shown or not.
Names shown_names(const std::string& module) {
  std::string file = module + ".bend";
  SourceMap sources;
  Sink sink;
  FileTree tree;
  FileId id = sources.add(file, std::string(*find_embedded(file)));
  parse_file(sources, id, tree, sink);
  for (const Decl& decl : tree.decls) CHECK(!decl.is_unsafe);
  Names names;
  for (const Decl* decl : shown_decls(sources, tree)) {
    if (decl->kind == DeclKind::kDef) names.insert(decl->text);
  }
  return names;
}

Names forking(const std::string& module) {
  test::TempFolder folder;
  Session session{Config{}};
  std::string path = folder.write(
      "all.bend", "import Base\nimport " + module + " as Module\n");
  REQUIRE(session.load(path, nullptr).ok);
  Names names;
  for (const std::string& name : shown_names(module)) {
    CAPTURE(name);
    std::vector<NameInfo> infos = session.info("Module." + name);
    REQUIRE(!infos.empty());
    if (infos[0].forks) names.insert(name);
  }
  return names;
}

}  // namespace

TEST_CASE("doc: the page of the library names every def that forks") {
  std::map<std::string, Names> rows = page_rows();
  for (const LibraryModule& module : library_modules()) {
    if (module.name == "Base") continue;
    CAPTURE(module.name);
    REQUIRE(rows.contains(module.name));
    CHECK(rows[module.name] == forking(module.name));
    rows.erase(module.name);
  }
  CHECK(rows.empty());
}
