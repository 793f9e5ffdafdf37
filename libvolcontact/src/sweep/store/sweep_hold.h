// Who works in a sweep's folder: any number of processes, or one alone that drops the sweep.
#pragma once

#include <filesystem>
#include <optional>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Keeps others from dropping a sweep, or from working in it while it is dropped: a lock of its
/// manifest.json. The system ends the lock of a process that is killed.
class SweepHold {
 public:
  /// Beside others that work in the sweep; waits for one that drops it. Nothing where there is no
  /// manifest. Throws std::runtime_error where it cannot be locked.
  static std::optional<SweepHold> Shared(const std::filesystem::path& manifest);
  /// Alone; nothing where others work in the sweep, or have just dropped it. Throws
  /// std::runtime_error where it cannot be locked.
  static std::optional<SweepHold> Alone(const std::filesystem::path& manifest);

  SweepHold(SweepHold&& other) noexcept;
  SweepHold& operator=(SweepHold&& other) noexcept;
  ~SweepHold();

 private:
  explicit SweepHold(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
