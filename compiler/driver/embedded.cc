// Looks a name up in the table of embedded files. See embedded.h.
#include "compiler/driver/embedded.h"

namespace tine {

std::optional<std::string_view> find_embedded(std::string_view name) {
  for (const EmbeddedFile* row = embedded_files(); row->name; ++row) {
    if (name == row->name) {
      return std::string_view(reinterpret_cast<const char*>(row->bytes),
                              row->size);
    }
  }
  return std::nullopt;
}

}  // namespace tine
