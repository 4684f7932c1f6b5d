// Depth-first walk over the import lines. See loader.h.
//
// A file is known by its identity: the real path, or "<lib>/name" for an
// embedded one. While a file's imports are being loaded it is on `path_`;
// meeting it again then is a cycle.
#include "compiler/driver/loader.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "compiler/driver/embedded.h"
#include "compiler/driver/files.h"
#include "compiler/driver/messages.h"
#include "runtime/native/cache.h"

namespace tine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLib = "<lib>/";
constexpr std::string_view kSuffix = ".bend";

// Where a file is and how its own imports find their way.
struct Source {
  std::string identity;
  std::string shown;   // for people
  std::string space;
  std::string text;
  bool embedded = false;
};

// The file an import line means, or why it was not read.
struct Found {
  Source source;
  FileText file;
};

std::string real_path(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error) real = fs::absolute(path, error).lexically_normal();
  return real.string();
}

std::string without_suffix(std::string name) {
  if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
  return name;
}

class Loader {
 public:
  Loader(SourceMap& sources, ModuleSet& out, Sink& sink)
      : sources_(sources), out_(out), sink_(sink) {}

  void load_entry(const std::string& path,
                  std::optional<std::string_view> text);
  void load_more(const std::string& text);
  void put_base_first();

 private:
  enum class State { kLoading, kLoaded };
  struct Known {
    State state = State::kLoading;
    std::string space;
    std::string shown;
  };

  void load(Source source, bool is_entry, bool is_base);
  void follow(const Source& from, const Import& line, core::Module& module);
  bool enter(const Source& source, const Import& line);
  Found find(const Source& from, const Import& line);
  Found find_file(const Source& from, const std::string& path);
  Found find_library(const std::string& name);
  void report_missing(const Found& found, const Import& line);
  std::string space_of(const std::string& identity) const;
  std::string free_space(std::string wanted);
  std::string cycle_through(const std::string& identity) const;

  SourceMap& sources_;
  ModuleSet& out_;
  Sink& sink_;
  fs::path entry_folder_;
  std::size_t inputs_ = 0;
  std::vector<std::pair<std::string, std::string>> entry_aliases_;
  std::map<std::string, Known> known_;
  std::set<std::string> spaces_;
  std::vector<std::string> path_;
};

void Loader::load_entry(const std::string& path,
                        std::optional<std::string_view> text) {
  Source source;
  source.shown = path;
  if (text) {
    source.text = *text;
  } else {
    FileText file = read_file(path);
    if (file.result != ReadResult::kOk) {
      return report_unread(file, path, {}, sink_);
    }
    source.text = std::move(file.text);
  }
  source.identity = real_path(path);
  out_.read.push_back({path, source.identity, content_hash(source.text)});
  entry_folder_ = fs::path(source.identity).parent_path();
  load(std::move(source), true, false);
  entry_aliases_ = out_.modules.back().aliases;
}

// One more text of the entry's namespace; it sees the aliases before it.
void Loader::load_more(const std::string& text) {
  Source source;
  source.shown = kInputPath;
  source.text = text;
  std::string name = "<input " + std::to_string(++inputs_) + ">";
  source.identity = (entry_folder_ / name).string();
  load(std::move(source), true, false);
  auto& aliases = out_.modules.back().aliases;
  for (const auto& alias : aliases) {
    std::erase_if(entry_aliases_, [&](const auto& old) {
      return old.first == alias.first;
    });
    entry_aliases_.push_back(alias);
  }
  aliases = entry_aliases_;
}

void Loader::put_base_first() {
  // Base's names must be there before anybody uses them.
  std::stable_partition(
      out_.modules.begin(), out_.modules.end(),
      [](const core::Module& module) { return module.is_base; });
}

// Parses one file, then loads what it imports, then adds it.
void Loader::load(Source source, bool is_entry, bool is_base) {
  known_[source.identity] = {State::kLoading, source.space, source.shown};
  path_.push_back(source.identity);
  FileId id = sources_.add(source.shown, std::move(source.text));
  FileTree& tree = out_.trees.emplace_back();
  tree.file = id;
  parse_file(sources_, id, tree, sink_);

  core::Module module;
  module.tree = &tree;
  module.space = source.space;
  module.is_base = is_base;
  module.is_entry = is_entry;
  for (const Import& line : tree.imports) follow(source, line, module);
  out_.modules.push_back(std::move(module));
  path_.pop_back();
  known_[source.identity].state = State::kLoaded;
}

// Loads the file of one import line and notes its alias.
void Loader::follow(const Source& from, const Import& line,
                    core::Module& module) {
  Found found = find(from, line);
  if (found.file.result != ReadResult::kOk) return report_missing(found, line);
  std::string identity = found.source.identity;
  if (!enter(found.source, line)) return;
  if (!known_.contains(identity)) {
    if (!line.alias.empty()) {
      found.source.space = free_space(std::move(found.source.space));
    }
    load(std::move(found.source), false, line.alias.empty());
  }
  if (!line.alias.empty()) {
    module.aliases.emplace_back(line.alias, known_[identity].space);
  }
}

// False, with a message, when `source` is still loading: a cycle.
bool Loader::enter(const Source& source, const Import& line) {
  auto known = known_.find(source.identity);
  if (known == known_.end() || known->second.state == State::kLoaded) {
    return true;
  }
  sink_.report(Msg::kImportCycle, line.path_span,
               {cycle_through(source.identity)});
  return false;
}

Found Loader::find(const Source& from, const Import& line) {
  if (line.alias.empty()) return find_library("base.bend");
  if (line.path.ends_with(kSuffix)) return find_file(from, line.path);
  std::string file = line.path + std::string(kSuffix);
  if (!from.embedded) {
    Found found = find_file(from, file);
    if (found.file.result != ReadResult::kMissing) return found;
    out_.absent.push_back(found.source.identity);
  }
  return find_library(file);
}

// A path beside `from`.
Found Loader::find_file(const Source& from, const std::string& path) {
  if (from.embedded) {
    std::string name = from.identity.substr(kLib.size());
    return find_library(
        (fs::path(name).parent_path() / path).lexically_normal().string());
  }
  fs::path folder = fs::path(from.identity).parent_path();
  Found found;
  found.source.identity = real_path(folder / path);
  if (!known_.contains(found.source.identity)) {
    found.file = read_file(found.source.identity);
  }
  found.source.space = space_of(found.source.identity);
  found.source.text = std::move(found.file.text);
  if (found.file.result == ReadResult::kOk) {
    std::string hash;
    for (const ReadFile& read : out_.read) {
      if (read.real == found.source.identity) hash = read.hash;
    }
    if (hash.empty()) hash = content_hash(found.source.text);
    out_.read.push_back(
        {(folder / path).string(), found.source.identity, std::move(hash)});
  }
  fs::path shown =
      (fs::path(from.shown).parent_path() / path).lexically_normal();
  // Across links the short spelling may name another file.
  found.source.shown = real_path(shown) == found.source.identity
                           ? shown.string()
                           : found.source.identity;
  return found;
}

Found Loader::find_library(const std::string& name) {
  Found found;
  std::optional<std::string_view> text = find_embedded(name);
  if (!text) found.file.result = ReadResult::kMissing;
  found.source.identity = std::string(kLib) + name;
  found.source.shown = found.source.identity;
  found.source.space = name == "base.bend" ? "" : without_suffix(name);
  found.source.text = text.value_or("");
  found.source.embedded = true;
  return found;
}

void Loader::report_missing(const Found& found, const Import& line) {
  if (found.source.embedded) {
    sink_.report(Msg::kImportUnknownLibrary, line.path_span, {line.path});
  } else {
    report_unread(found.file, line.path, line.path_span, sink_);
  }
}

std::string Loader::space_of(const std::string& identity) const {
  return without_suffix(
      fs::path(identity).lexically_relative(entry_folder_).generic_string());
}

// A file and an embedded module may want the same namespace; the later one
// gets a prefix that no path has.
std::string Loader::free_space(std::string wanted) {
  while (!spaces_.insert(wanted).second) wanted.insert(0, "./");
  return wanted;
}

std::string Loader::cycle_through(const std::string& identity) const {
  std::string text;
  auto start = std::find(path_.begin(), path_.end(), identity);
  for (auto step = start; step != path_.end(); ++step) {
    text += "`" + known_.at(*step).shown + "` -> ";
  }
  return text + "`" + known_.at(identity).shown + "`";
}

}  // namespace

void load_modules(const std::string& path,
                  std::optional<std::string_view> text, SourceMap& sources,
                  ModuleSet& out, Sink& sink,
                  const std::vector<std::string>& more) {
  Loader loader(sources, out, sink);
  loader.load_entry(path, text);
  for (const std::string& input : more) loader.load_more(input);
  loader.put_base_first();
}

}  // namespace tine
