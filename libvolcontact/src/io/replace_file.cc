#include "volcontact/io/replace_file.h"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

VOLCONTACT_NAMESPACE_BEGIN

void ReplaceFile(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path fresh = file.string() + ".new";
  {
    errno = 0;
    std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.flush();
    if (!stream) {
      throw std::runtime_error(file.string() +
                               ": cannot be written: " + std::generic_category().message(errno));
    }
  }
  std::filesystem::rename(fresh, file);
}

VOLCONTACT_NAMESPACE_END
