// The .bend files that are part of the binary: Base and the standard modules,
// by their path under compiler/lib ("base.bend", "par/scan.bend").
// The table itself is written by cmake/embed.cmake.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tine {

struct EmbeddedFile {
  const char* name;  // null in the row that ends the table
  const unsigned char* bytes;
  std::size_t size;
};

const EmbeddedFile* embedded_files();

// The text of an embedded file; nothing when there is no such file.
std::optional<std::string_view> find_embedded(std::string_view name);

}  // namespace tine
