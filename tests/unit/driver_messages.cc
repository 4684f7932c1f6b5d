// Whole messages: every wrong program of tests/check and what is said about
// it, word for word, in tests/golden/messages.txt; and every code of the table
// must be among them.
//
// TINE_UPDATE=1 build/release/tine_tests -tc='messages*' writes the file anew.
// Read what changed: does a message name the variable, point at the exact
// wrong place, and say what to do?
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/syntax/diag.h"
#include "runtime/tine.hpp"
#include "tests/unit/driver_temp.h"

using namespace tine;
using tine::test::TempFolder;

namespace {

namespace fs = std::filesystem;

const std::string kChecks = TINE_SOURCE_DIR "/tests/check/";
const std::string kGolden = TINE_SOURCE_DIR "/tests/golden/messages.txt";

// What no program can provoke, and the test that has it.
const std::map<std::string, std::string> kElsewhere = {
    {"I01", "a fault of tine itself: no input is known that gives it"},
    {"L01", "no memory: driver_hostile.cc"},
    {"E31b", "a foreign body is refused before, as E29d: a second guard"},
    {"E31k", "the limit must fall into the lowering: lower_program.cc"},
};

struct Golden {
  std::map<std::string, std::string> sections;
  std::set<std::string> codes;

  void add(const std::string& name, const Program& program,
           const std::string& folder) {
    std::string& text = sections[name];
    for (const Message& message : program.messages()) {
      codes.insert(message.code);
      text += message.rendered;
    }
    for (std::size_t at = text.find(folder);
         !folder.empty() && at != std::string::npos;
         at = text.find(folder, at)) {
      text.erase(at, folder.size());
    }
  }
};

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  return buffer.str();
}

// The files of a folder of tests/check.
void add_folder(Golden& golden, const std::string& name) {
  for (const fs::directory_entry& entry :
       fs::directory_iterator(kChecks + name)) {
    if (entry.path().extension() != ".bend") continue;
    Program program = Context().load_file(entry.path().string());
    if (program.ok() && program.has_main()) program.book_text();
    golden.add(name + "/" + entry.path().filename().string(), program,
               kChecks + name + "/");
  }
}

Program load(const std::string& text, const Config& config = {}) {
  return Context(config).load_text("file.bend", text);
}

// What a file in the repository cannot be.
void add_others(Golden& golden) {
  TempFolder folder;
  golden.add("a folder", Context().load_file(folder.path()),
             fs::path(folder.path()).parent_path().string() + "/");
  std::string& text = golden.sections["a folder"];
  std::string name = fs::path(folder.path()).filename().string();
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at)) {
    text.replace(at, name.size(), "FOLDER");
  }
  std::string large = folder.write("large.bend", "");
  fs::resize_file(large, std::uintmax_t{65} << 20);
  golden.add("a large file", Context().load_file(large),
             folder.path() + "/");
  golden.add("a byte that is no UTF-8",
             load("def f() -> U32:\n  # caf\xe9\n  1\n"), "");
  Program nothing = load("import Base\n\ndef f() -> U32:\n  1\n");
  nothing.run({});
  golden.add("no main", nothing, "");
  Config little;
  little.fuel = 2'000'000;
  golden.add("little fuel",
             load("import Base\n\ndef spin(n: Nat) -> Nat:\n  match n:\n"
                  "    case 0n: 0n\n    case 1n+p: spin(p)\n\n"
                  "def f() -> {spin(4000000000n) == 0n : Nat}:\n  {==}\n",
                  little),
             "");
  std::string many;
  for (int i = 0; i < 103; ++i)
    many += "def f" + std::to_string(i) + "() -> U32: g\n";
  Program hidden = load("import Base\n\n" + many);
  golden.codes.insert(hidden.messages().back().code);
  golden.sections["many messages"] = hidden.messages().back().rendered;
}

void add_books(Golden& golden) {
  golden.add("a wrong book", Context().load_book("file.net", "rule f\n"), "");
  Program book = Context().load_book(
      "file.net", load("import Base\ndef main() -> U32: 1\n").book_text());
  for (const Message& message : book.eval("").messages) {
    golden.codes.insert(message.code);
    golden.sections["the theory of a book"] += message.rendered;
  }
  Program stage = load("import Base\n\ndef main() -> U32:\n  1\n");
  stage.dump("nothing");
  golden.add("an unknown stage", stage, "");
}

std::map<std::string, std::string> read_golden() {
  std::map<std::string, std::string> sections;
  std::istringstream in(read_text(kGolden));
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== ")) {
      name = line.substr(3);
      sections[name];
    } else if (!name.empty()) {
      sections[name] += line + "\n";
    }
  }
  return sections;
}

void write_golden(const std::map<std::string, std::string>& sections) {
  std::ofstream out(kGolden, std::ios::binary | std::ios::trunc);
  for (const auto& [name, text] : sections) out << "== " << name << "\n" << text;
}

}  // namespace

TEST_CASE("messages: every one of them, word for word") {
  Golden golden;
  add_folder(golden, "bad");
  add_folder(golden, "warn");
  add_others(golden);
  add_books(golden);
  if (std::getenv("TINE_UPDATE")) write_golden(golden.sections);
  std::map<std::string, std::string> recorded = read_golden();
  for (const auto& [name, text] : golden.sections) {
    CAPTURE(name);
    CHECK(text == recorded[name]);
  }
  CHECK(recorded.size() == golden.sections.size());

  std::set<std::string> table = {
#define TINE_DIAG(id, code, severity, text) code,
#include "compiler/syntax/diag_table.def"
#undef TINE_DIAG
  };
  for (const std::string& code : table) {
    CAPTURE(code);
    CHECK(golden.codes.contains(code) != kElsewhere.contains(code));
  }
}
