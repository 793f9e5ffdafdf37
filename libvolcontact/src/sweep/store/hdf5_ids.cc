#include "sweep/store/hdf5_ids.h"

#include <fmt/format.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "sweep/store/durable_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

std::mutex& Hdf5Mutex() {
  static std::mutex mutex;
  return mutex;
}

// What the innermost error says: where the system was asked, its message.
herr_t Innermost(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc == nullptr) return 0;
  auto* const found = static_cast<std::string*>(text);
  const std::string description = error->desc;
  constexpr std::string_view kMessage = "error message = '";
  const std::size_t begin = description.find(kMessage);
  if (begin != std::string::npos) {
    const std::size_t from = begin + kMessage.size();
    *found = description.substr(from, description.find('\'', from) - from);
  } else if (found->empty()) {
    *found = description;
  }
  return 0;
}

// HDF5 gives the message of a system error, and not its number.
std::string CureOfMessage(const std::string& message) {
  for (const int error : {ENOSPC, EDQUOT, EFBIG, EACCES, EROFS, EPERM}) {
    if (message == std::generic_category().message(error)) return CureOf(error);
  }
  return "";
}

}  // namespace

QuietHdf5::QuietHdf5() : lock_(Hdf5Mutex()) {
  // What could not be written would be tried once more when the process ends.
  static const bool once = [] {
    H5dont_atexit();
    return H5open() >= 0;
  }();
  static_cast<void>(once);
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

void ThrowHdf5Error(const std::filesystem::path& file, const char* what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, Innermost, &reason);
  H5Eclear2(H5E_DEFAULT);
  throw std::runtime_error(fmt::format("{}: {}: {}", file.string(), what,
                                       reason.empty() ? "HDF5 does not say why" : reason) +
                           CureOfMessage(reason));
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
