// Files that are on the disk when a function returns, and whole or not there after a crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Beginning of the names of files that are being written; what is left of them means nothing.
inline constexpr char kUnfinished[] = ".unfinished-";

/// A name beside `file` that no other process or thread takes, for a file that will become it.
std::filesystem::path UnfinishedName(const std::filesystem::path& file);

/// Makes a file, or replaces it: when this returns it is on the disk, and after a crash the old
/// file is there or the new one. Any number of processes may write one file at once: the last wins.
/// Throws std::runtime_error that names the file and the reason; nothing is left of it then.
VOLCONTACT_EXPORT void WriteDurably(const std::filesystem::path& file, std::string_view bytes);

/// The same in pieces, for files larger than memory.
class DurableFile {
 public:
  explicit DurableFile(std::filesystem::path file);
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  void Write(std::string_view bytes);
  /// Gives the file its name. Without it nothing is left of it.
  void Finish();

 private:
  void WriteOut();
  [[noreturn]] void Fail(int error);

  std::filesystem::path file_, unfinished_;
  std::string buffer_;
  int descriptor_ = -1;
};

/// Removes what processes that were killed have left unfinished in a folder; what others are
/// writing stays, for it is locked.
VOLCONTACT_EXPORT void RemoveUnfinished(const std::filesystem::path& folder);

/// Gives a whole file that another library wrote as `unfinished` the name `file`, on the disk.
void FinishDurably(const std::filesystem::path& unfinished, const std::filesystem::path& file);

/// The bytes of a regular file; nothing where there is none of that name. Throws std::runtime_error
/// where it cannot be read, is something else, or has more than `most` bytes. Never waits, as
/// opening a pipe would.
std::optional<std::string> ReadWhole(const std::filesystem::path& file, std::uint64_t most);

/// Removes a file, if it is there. Throws std::runtime_error that names it.
void RemoveFile(const std::filesystem::path& file);

/// The cure of a system error that prevents writing, to stand behind its message; empty if none is
/// known.
const char* CureOf(int error);

/// Throws std::runtime_error: the file, what cannot be done with it, the error of the system, and
/// its cure.
[[noreturn]] void ThrowFileError(const std::filesystem::path& file, const char* what, int error);

/// Makes a folder and those it lies in, durably. Throws std::runtime_error.
void MakeFolder(const std::filesystem::path& folder);

/// Throws std::runtime_error, which names the folder and the cure, where no file can be made in it.
void RequireWritable(const std::filesystem::path& folder);

/// Holds a file locked against all other processes and threads; waits for those that hold it,
/// asking `stop` meanwhile. The system ends the lock of a process that is killed.
class FileLock {
 public:
  /// Throws std::runtime_error where the file system has no locks, or the file cannot be made.
  explicit FileLock(const std::filesystem::path& file, const std::function<bool()>& stop = nullptr);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// False where `stop` ended the wait.
  bool held() const { return held_; }

 private:
  int descriptor_ = -1;
  bool held_ = false;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
