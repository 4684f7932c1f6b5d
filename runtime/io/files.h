// The open files of a run. A program holds an affine word, the number of an
// entry here; dropping it closes the file, and so does the end of the run.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/utf8.h"

namespace tine {

class FileTable {
 public:
  FileTable() = default;
  FileTable(const FileTable&) = delete;
  FileTable& operator=(const FileTable&) = delete;
  ~FileTable();

  // Modes "r", "w" and "a". 0 and the file, or an errno.
  int open(const std::string& path, std::string_view mode,
           std::uint32_t& file);
  // One read of at most `most` bytes, decoded; empty at the end. A char that
  // the read cuts waits for the next; when nothing but part of a char came,
  // it reads on. 0 or an errno; EINTR may be tried again.
  int read(std::uint32_t file, std::uint32_t most, std::u32string& text);
  // The same without decoding.
  int read_bytes(std::uint32_t file, std::uint32_t most, std::string& bytes);
  // From `offset` on; the position of the others stays.
  int read_at(std::uint32_t file, std::uint64_t offset, std::uint32_t most,
              std::string& bytes);
  int size(std::uint32_t file, std::uint64_t& bytes) const;
  // All of `bytes`.
  int write(std::uint32_t file, std::string_view bytes);
  void close(std::uint32_t file);

  // How many were opened and are not closed.
  std::size_t open_files() const;

 private:
  struct Entry {
    int descriptor = -1;
    Utf8Decoder decoder;
  };
  int descriptor(std::uint32_t file) const;

  mutable std::mutex mutex_;  // files may be dropped by any worker
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::string buffer_;
};

}  // namespace tine
