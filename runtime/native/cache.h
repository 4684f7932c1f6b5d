// The user's cache of compiled programs: one shared object per key.
//
// $TINE_CACHE, else $XDG_CACHE_HOME/tine, else $HOME/.cache/tine. A folder
// that somebody else owns or may write to is not used, since its objects are
// loaded. Writes go to a temporary name and are renamed, so that processes
// may share the cache; objects used longest ago go when it grows too large.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine {

// 32 characters; different for texts that nobody made to collide.
std::string content_hash(std::string_view text);

class NativeCache {
 public:
  // Makes the folder. `usable()` is false and `problem()` one line otherwise.
  NativeCache();

  bool usable() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }
  const std::string& problem() const { return problem_; }
  std::string path(const std::string& key) const {
    return folder_ + "/" + key + ".so";
  }
  // Of a checked book, see compiler/driver/kept.h.
  std::string book_path(const std::string& key) const {
    return folder_ + "/" + key + ".book";
  }
  // Is the file there, and written by nobody but us?
  static bool trusted(const std::string& file);
  // The file is used now: it goes later.
  static void touch(const std::string& file);
  // Under a name of its own, then renamed. 0 or an errno.
  int write(const std::string& file, std::string_view bytes) const;
  // Removes the objects used longest ago while there is too much.
  void trim() const;

  struct Contents {
    std::size_t objects = 0;
    std::uint64_t bytes = 0;
  };
  Contents contents() const;
  // How many objects were removed.
  std::size_t clear() const;

 private:
  struct Entry {
    std::string path;
    std::uint64_t bytes;
    std::int64_t used;
  };
  std::vector<Entry> entries(bool books) const;

  std::string folder_;
  std::string problem_;
};

}  // namespace tine
