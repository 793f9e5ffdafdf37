#include "sweep/store/sweep_hold.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "sweep/store/durable_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// A sweep is dropped in moments.
constexpr auto kBetweenLooks = std::chrono::milliseconds(20);

constexpr char kCannotHold[] = "cannot be locked";

// Nothing where there is no such file.
std::optional<int> OpenFile(const std::filesystem::path& file, int access) {
  const int descriptor = open(file.c_str(), access | O_NONBLOCK | O_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  if (errno == ENOENT) return std::nullopt;
  ThrowFileError(file, kCannotHold, errno);
}

// Whether the lock is had; it is not where another process has one that excludes it.
bool TryLock(int descriptor, int kind, const std::filesystem::path& file) {
  while (flock(descriptor, kind | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) ThrowFileError(file, kCannotHold, errno);
  }
  return true;
}

// The file may have been removed between opening and locking.
bool HasName(int descriptor, const std::filesystem::path& file) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) ThrowFileError(file, kCannotHold, errno);
  return status.st_nlink > 0;
}

}  // namespace

std::optional<SweepHold> SweepHold::Shared(const std::filesystem::path& manifest) {
  while (const std::optional<int> descriptor = OpenFile(manifest, O_RDONLY)) {
    SweepHold hold(*descriptor);
    if (!TryLock(*descriptor, LOCK_SH, manifest)) {
      std::this_thread::sleep_for(kBetweenLooks);
    } else if (HasName(*descriptor, manifest)) {
      return hold;
    }
  }
  return std::nullopt;
}

std::optional<SweepHold> SweepHold::Alone(const std::filesystem::path& manifest) {
  const std::optional<int> descriptor = OpenFile(manifest, O_RDWR);
  if (!descriptor) return std::nullopt;
  SweepHold hold(*descriptor);
  if (!TryLock(*descriptor, LOCK_EX, manifest) || !HasName(*descriptor, manifest)) {
    return std::nullopt;
  }
  return hold;
}

SweepHold::SweepHold(SweepHold&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

SweepHold& SweepHold::operator=(SweepHold&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SweepHold::~SweepHold() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
