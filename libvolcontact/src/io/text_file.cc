#include "io/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "io/messages.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;  // read at a time [bytes]

// What helps where a file cannot be opened for this reason.
const char* CureFor(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "check its name and folder";
    case EACCES:
    case EPERM:
      return "check its permissions";
    default:
      return "name a file that can be opened";
  }
}

}  // namespace

void RefuseDirectory(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return;
  throw InvalidInput(Printable(path.string()) + ": is a directory; name a file in it");
}

std::string ReadTextFile(const std::filesystem::path& path, std::size_t max_size) {
  const std::string origin = Printable(path.string());
  RefuseDirectory(path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    const int error = errno;
    throw InvalidInput(
        fmt::format("{}: cannot be opened: {}; {}", origin, std::strerror(error), CureFor(error)));
  }
  std::string text;
  std::string chunk(kChunk, '\0');
  while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())),
         stream.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > max_size) {
      throw InvalidInput(
          fmt::format("{}: larger than {} MiB; split or simplify it", origin, max_size >> 20));
    }
  }
  if (stream.bad()) throw InvalidInput(origin + ": cannot be read to its end");
  return text;
}

std::string LowerCaseExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

VOLCONTACT_NAMESPACE_END
