#include "fmi/writer/zip_file.h"

#include <fmt/format.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "io/write_error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// The first day that the times of zip files can say; all members have it.
constexpr unsigned kFirstYear = 1980;
// Half of the default's time, for libraries that are 6 % larger.
constexpr int kCompression = 3;
// What one call of the library takes.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

bool WriteMember(zipFile zip, const ZipMember& member) {
  zip_fileinfo info = {};
  info.tmz_date.tm_year = kFirstYear;
  info.tmz_date.tm_mday = 1;
  const int large = member.data.size() >= 0xffffffffu ? 1 : 0;
  if (zipOpenNewFileInZip64(zip, member.name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                            Z_DEFLATED, kCompression, large) != ZIP_OK) {
    return false;
  }
  bool written = true;
  for (std::size_t at = 0; written && at < member.data.size(); at += kMostBytes) {
    const std::size_t count = std::min(kMostBytes, member.data.size() - at);
    written =
        zipWriteInFileInZip(zip, member.data.data() + at, static_cast<unsigned>(count)) == ZIP_OK;
  }
  return zipCloseFileInZip(zip) == ZIP_OK && written;
}

}  // namespace

void WriteZip(const std::filesystem::path& file, const std::vector<ZipMember>& members) {
  std::filesystem::path fresh = file;
  fresh += ".new";
  zipFile zip = zipOpen64(fresh.c_str(), APPEND_STATUS_CREATE);
  bool written = zip != nullptr;
  errno = 0;
  for (const ZipMember& member : members) written = written && WriteMember(zip, member);
  if (zip != nullptr) written = zipClose(zip, nullptr) == ZIP_OK && written;
  std::error_code error(written ? 0 : errno, std::generic_category());
  if (written) std::filesystem::rename(fresh, file, error);
  if (written && !error) return;
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  throw std::runtime_error(
      fmt::format("{}: cannot be written: {}", file.string(), WriteErrorText(error.value())));
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
