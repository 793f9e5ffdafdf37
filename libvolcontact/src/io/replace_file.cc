#include "volcontact/io/replace_file.h"

#include <fstream>
#include <stdexcept>

VOLCONTACT_NAMESPACE_BEGIN

void ReplaceFile(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path fresh = file.string() + ".new";
  {
    std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.flush();
    if (!stream) throw std::runtime_error(fresh.string() + ": cannot be written");
  }
  std::filesystem::rename(fresh, file);
}

VOLCONTACT_NAMESPACE_END
