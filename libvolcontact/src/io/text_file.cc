#include "io/text_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <istream>
#include <new>
#include <system_error>

#include "io/messages.h"
#include "volcontact/io/printable.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;  // read at a time [bytes]
// A device may give bytes without end; a person at a terminal types less.
constexpr std::size_t kMaxDeviceSize = std::size_t{1} << 20;

[[noreturn]] void FailTooLarge(const std::string& origin, std::size_t max_size) {
  throw InvalidInput(
      fmt::format("{}: larger than {} MiB; split or simplify it", origin, max_size >> 20));
}

// What can be told before anything is read.
void RefuseLargeFile(const std::filesystem::path& path, const std::string& origin,
                     std::size_t max_size) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > max_size) FailTooLarge(origin, max_size);
}

std::string ReadStream(std::istream* stream, const std::string& origin, std::size_t max_size,
                       bool is_device) {
  std::string text;
  std::string chunk(kChunk, '\0');
  while (stream->read(chunk.data(), static_cast<std::streamsize>(chunk.size())),
         stream->gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(stream->gcount()));
    if (is_device && text.size() > kMaxDeviceSize) {
      throw InvalidInput(origin + ": is a device with more than 1 MiB; name a file");
    }
    if (text.size() > max_size) FailTooLarge(origin, max_size);
  }
  if (stream->bad()) throw InvalidInput(origin + ": cannot be read to its end");
  return text;
}

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

std::ifstream OpenedFile(const std::filesystem::path& path) {
  RefuseDirectory(path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (stream) return stream;
  const int error = errno;
  throw InvalidInput(fmt::format("{}: cannot be opened: {}; {}", Printable(path.string()),
                                 std::strerror(error), CureFor(error)));
}

std::string ReadTextFile(const std::filesystem::path& path, std::size_t max_size) {
  const std::string origin = Printable(path.string());
  std::ifstream stream = OpenedFile(path);
  RefuseLargeFile(path, origin, max_size);
  std::error_code error;
  const bool is_device = std::filesystem::is_character_file(path, error);
  try {
    return ReadStream(&stream, origin, max_size, is_device);
  } catch (const std::bad_alloc&) {
    throw InvalidInput(origin + ": does not fit in memory; split or simplify it");
  }
}

std::string LowerCaseExtension(const std::filesystem::path& path) {
  return LowerCase(path.extension().string());
}

VOLCONTACT_NAMESPACE_END
