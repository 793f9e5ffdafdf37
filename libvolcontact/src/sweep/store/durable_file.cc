#include "sweep/store/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

constexpr char kCannotWrite[] = "cannot be written";
constexpr char kCannotLock[] = "cannot be locked";

// Entries of folders are on the disk when the folder is. File systems that cannot do that for a
// folder say so by EINVAL, and do it at once.
void SyncFolderOf(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) ThrowFileError(folder, kCannotWrite, errno);
  const int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  if (error != 0 && error != EINVAL) ThrowFileError(folder, kCannotWrite, error);
}

int OpenNew(const fs::path& file) {
  return open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

}  // namespace

void ThrowFileError(const fs::path& file, const char* what, int error) {
  throw std::runtime_error(fmt::format("{}: {}: {}{}", file.string(), what,
                                       std::generic_category().message(error), CureOf(error)));
}

const char* CureOf(int error) {
  if (error == EFBIG) {
    return "; raise the limit of the size of files (ulimit -f) and continue with --resume: earlier "
           "chunks are kept";
  }
  if (error == ENOSPC || error == EDQUOT) {
    return "; make room and continue with --resume: earlier chunks are kept";
  }
  if (error == EACCES || error == EROFS || error == EPERM) {
    return "; choose a folder that can be written";
  }
  return "";
}

fs::path UnfinishedName(const fs::path& file) {
  // Hosts and processes of containers may share their names.
  std::random_device random;
  fs::path name = file;
  name.replace_filename(
      fmt::format("{}{}.{:08x}{:08x}", kUnfinished, file.filename().string(), random(), random()));
  return name;
}

DurableFile::DurableFile(fs::path file)
    : file_(std::move(file)), unfinished_(UnfinishedName(file_)) {
  // Until it is locked, RemoveUnfinished may take it for one that was left.
  struct stat status = {};
  while (status.st_nlink == 0) {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = OpenNew(unfinished_);
    if (descriptor_ < 0) ThrowFileError(file_, kCannotWrite, errno);
    if (flock(descriptor_, LOCK_SH) != 0 || fstat(descriptor_, &status) != 0) {
      const int error = errno;
      close(descriptor_);
      unlink(unfinished_.c_str());
      ThrowFileError(file_, kCannotLock, error);
    }
  }
}

DurableFile::~DurableFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(unfinished_.c_str());
}

void DurableFile::Fail(int error) { ThrowFileError(file_, kCannotWrite, error); }

void DurableFile::Write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= kBufferSize) WriteOut();
}

void DurableFile::WriteOut() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t count = write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) Fail(count < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(count);
  }
  buffer_.clear();
}

void DurableFile::Finish() {
  WriteOut();
  if (fsync(descriptor_) != 0) Fail(errno);
  // Locked until it has its name: RemoveUnfinished would take it for one that was left.
  const int lock = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (lock < 0) Fail(errno);
  // Some file systems say only now that there is no room.
  int error = close(descriptor_) == 0 ? 0 : errno;
  descriptor_ = -1;
  if (error == 0 && rename(unfinished_.c_str(), file_.c_str()) != 0) error = errno;
  if (error != 0) unlink(unfinished_.c_str());
  close(lock);
  if (error != 0) Fail(error);
  SyncFolderOf(file_);
}

void WriteDurably(const fs::path& file, std::string_view bytes) {
  DurableFile durable(file);
  durable.Write(bytes);
  durable.Finish();
}

void RemoveUnfinished(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with(kUnfinished)) continue;
    const int descriptor = open(entry.path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry.path().c_str());
    close(descriptor);
  }
}

void FinishDurably(const fs::path& unfinished, const fs::path& file) {
  const int descriptor = open(unfinished.c_str(), O_RDONLY | O_CLOEXEC);
  int error = descriptor < 0 || fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0) close(descriptor);
  if (error == 0 && rename(unfinished.c_str(), file.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(unfinished.c_str());
    ThrowFileError(file, kCannotWrite, error);
  }
  SyncFolderOf(file);
}

std::optional<std::string> ReadWhole(const fs::path& file, std::uint64_t most) {
  constexpr char kCannotRead[] = "cannot be read";
  const int descriptor = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) return std::nullopt;
    ThrowFileError(file, kCannotRead, errno);
  }
  struct stat status = {};
  std::string bytes;
  int error = fstat(descriptor, &status) == 0 ? 0 : errno;
  const bool is_file = S_ISREG(status.st_mode);
  const bool is_small = static_cast<std::uint64_t>(status.st_size) <= most;
  if (error == 0 && is_file && is_small) {
    bytes.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = read(descriptor, bytes.data() + done, bytes.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) error = errno;
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
  }
  close(descriptor);
  if (error != 0) ThrowFileError(file, kCannotRead, error);
  if (!is_file) throw std::runtime_error(file.string() + ": is not a file; remove it");
  if (!is_small) {
    throw std::runtime_error(
        fmt::format("{}: has {} bytes, which is too many for such a file; remove it", file.string(),
                    status.st_size));
  }
  return bytes;
}

void RemoveFile(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) ThrowFileError(file, "cannot be removed", error.value());
}

void MakeFolder(const fs::path& folder) {
  if (folder.empty() || fs::is_directory(folder)) return;
  if (folder.has_parent_path() && folder.parent_path() != folder) MakeFolder(folder.parent_path());
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    ThrowFileError(folder, "cannot be made", errno);
  }
  if (!fs::is_directory(folder)) {
    throw std::runtime_error(folder.string() +
                             ": is not a folder; remove it, or choose another name");
  }
  SyncFolderOf(folder);
}

void RequireWritable(const fs::path& folder) {
  const fs::path probe = UnfinishedName(folder / "probe");
  const int descriptor = OpenNew(probe);
  if (descriptor < 0) ThrowFileError(folder, kCannotWrite, errno);
  close(descriptor);
  unlink(probe.c_str());
}

FileLock::FileLock(const fs::path& file, const std::function<bool()>& stop) {
  constexpr auto kBetweenTries = std::chrono::milliseconds(20);
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0) ThrowFileError(file, kCannotWrite, errno);
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error != EWOULDBLOCK && error != EINTR) {
      close(descriptor_);
      ThrowFileError(file, kCannotLock, error);
    }
    if (stop && stop()) return;
    std::this_thread::sleep_for(kBetweenTries);
  }
  held_ = true;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
