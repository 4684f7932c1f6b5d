// Reads source files, with every failure as a value.
#pragma once

#include <cstddef>
#include <string>

namespace tine {

inline constexpr std::size_t kMaxFile = std::size_t{64} << 20;

enum class ReadResult {
  kOk,
  kMissing,
  kUnreadable,  // `why` says it in words
  kTooLarge,    // more than kMaxFile bytes
};

struct FileText {
  ReadResult result = ReadResult::kOk;
  std::string text;
  std::string why;
};

FileText read_file(const std::string& path);

}  // namespace tine
