#include "volcontact/io/replace_file.h"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "io/write_error.h"

VOLCONTACT_NAMESPACE_BEGIN

void ReplaceFile(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path fresh = file.string() + ".new";
  const auto fail = [&](int error) {
    std::error_code ignored;
    std::filesystem::remove(fresh, ignored);
    errno = error;
    throw std::runtime_error(file.string() + ": cannot be written: " + WriteErrorText(error));
  };
  {
    errno = 0;
    std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
    stream << text;
    stream.flush();
    if (!stream) fail(errno);
  }
  std::error_code error;
  std::filesystem::rename(fresh, file, error);
  if (error) fail(error.value());
}

VOLCONTACT_NAMESPACE_END
