// The folder of a sweep: chunks written whole or not at all, and what is merged of them.
//
// Component volcontact::sweep. Any number of processes may put chunks into one folder at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// The next chunk to run, or nothing when all are handed out. Asked by one thread.
using NextChunk = std::function<std::optional<std::uint64_t>()>;

/// A chunk as it is kept: its rows, where the plan keeps rows, and its share of the reductions.
/// The bytes follow from the plan and the chunk's number alone.
VOLCONTACT_EXPORT std::string EncodeChunk(const Plan& plan, const ChunkRows& rows);

/// A folder with the chunks of one plan. A handle; cheap to copy.
class VOLCONTACT_EXPORT Store {
 public:
  /// Makes the folder with its manifest, or opens it where it holds chunks of the same plan.
  /// Throws InvalidInput for a folder of another plan, and std::runtime_error where it cannot be
  /// written.
  static Store Open(const std::filesystem::path& folder, const Plan& plan);

  /// The chunks that are not there yet, ascending.
  std::vector<std::uint64_t> Missing() const;
  /// Keeps a chunk: after this returns it is on the disk; after a crash it is there whole or not at
  /// all. Throws std::runtime_error that names the file and the reason, such as a full disk.
  void Put(std::uint64_t chunk, const std::string& bytes) const;

 private:
  Store(std::filesystem::path folder, std::uint64_t chunks);
  std::filesystem::path folder_;
  std::uint64_t chunks_ = 0;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
