// The folder of a sweep: chunks that are written as a whole or not at all, and the merged files.
//
// Component volcontact::sweep. Any number of processes, on any machines that see the folder, may
// put chunks into it at once. One of them merges while the others wait. The merged files have the
// same bytes however the work was divided. Docs: docs/sweep.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

struct StoreLayout;  // of the source

/// The next chunk to run, or nothing if all are handed out. Called by one thread.
using NextChunk = std::function<std::optional<std::uint64_t>()>;

/// Every `count`th chunk, beginning with `index`, which is below `count`.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

/// Counts of rows and how they ended.
struct SweepCounts {
  std::uint64_t chunks = 0;
  std::uint64_t rows = 0;           ///< in them
  std::uint64_t not_converged = 0;  ///< of these rows
  std::uint64_t failed = 0;         ///< of these rows
};

/// The chunks of a shard of so many rows, and the rows in them.
VOLCONTACT_EXPORT SweepCounts ShareOf(std::uint64_t rows, std::uint64_t rows_of_chunk,
                                      const Shard& shard);

/// Turns the rows of chunks into the stored bytes: the rows, if the plan keeps rows, and their
/// share of the reductions. The bytes follow from the plan and the chunk alone. A value; any
/// threads may use one at once.
class VOLCONTACT_EXPORT ChunkEncoder {
 public:
  /// Throws InvalidInput with the place for invalid reductions of the plan, and for more than
  /// 10,000,000 chunks.
  explicit ChunkEncoder(const Plan& plan);
  explicit ChunkEncoder(std::shared_ptr<const StoreLayout> layout);
  /// Throws InvalidInput for rows that are not a chunk of the plan.
  std::string Encode(const ChunkRows& rows) const;
  /// Whether the plan keeps the rows, in addition to their reductions.
  bool keeps_rows() const;

 private:
  std::shared_ptr<const StoreLayout> layout_;
};

/// The same, once: reading what the plan keeps costs as much as reading its document.
VOLCONTACT_EXPORT std::string EncodeChunk(const Plan& plan, const ChunkRows& rows);

/// The state of a sweep in a folder.
enum class FolderState {
  kNone,    ///< no sweep
  kBegun,   ///< chunks, or not even one
  kMerged,  ///< the merged files of all rows
};

/// Throws InvalidInput for a path that is not a folder, and for a folder with a sweep of another
/// version or with other files.
VOLCONTACT_EXPORT FolderState LookAtFolder(const std::filesystem::path& folder);

/// Removes the sweep in a folder, and nothing else: of its log what RunChunks wrote. Throws
/// InvalidInput as LookAtFolder does, and while RunChunks or Merge work in the folder, in any
/// process, or a Store::Hold lives; std::runtime_error where that fails.
VOLCONTACT_EXPORT void DropSweep(const std::filesystem::path& folder);

/// The existing chunks of a shard.
struct Inventory {
  std::vector<std::uint64_t> missing;  ///< chunks to run, ascending, including damaged ones
  std::uint64_t damaged = 0;           ///< number of existing but damaged chunks
  SweepCounts kept;                    ///< of the existing chunks
  /// Why the merged files must be made again, such as `rows.h5 is gone`; else empty.
  std::string merged_damage;
};

/// A folder with the chunks of one plan. A handle; cheap to copy.
class VOLCONTACT_EXPORT Store {
 public:
  /// Makes the folder with its manifest, or opens it if it holds a sweep of the same plan. Waits
  /// while another process deletes the existing sweep.
  static Store Open(const std::filesystem::path& folder, const Plan& plan);
  /// The same of what a plan keeps; for tests and for what has no plan at hand.
  static Store Open(const std::filesystem::path& folder, std::shared_ptr<const StoreLayout> layout);

  /// The missing or damaged chunks, ascending. Reads all existing chunks.
  std::vector<std::uint64_t> Missing() const;
  /// The same for a shard, with its existing chunks. After a merge nothing is missing, unless a
  /// merged file is damaged; the files are read to check that.
  Inventory Look(const Shard& shard) const;
  /// Stores a chunk. When this returns it is on the disk; after a crash it exists as a whole or not
  /// at all. Throws std::runtime_error that names the file and the reason, such as a full disk, or
  /// a sweep that was deleted meanwhile, and InvalidInput for bytes that are not this chunk of this
  /// plan.
  void Put(std::uint64_t chunk, const std::string& bytes) const;
  /// As long as the returned object lives, no process can delete the sweep. Throws
  /// std::runtime_error if the sweep has been deleted, or if the file system has no locks.
  std::shared_ptr<const void> Hold() const;

  const std::filesystem::path& folder() const { return folder_; }
  ChunkEncoder encoder() const { return ChunkEncoder(layout_); }

 private:
  Store(std::filesystem::path folder, std::shared_ptr<const StoreLayout> layout);
  std::filesystem::path folder_;
  std::shared_ptr<const StoreLayout> layout_;
};

struct RunChunksOptions {
  int threads = 1;
  /// Asked between rows, by any thread: true ends the run. Chunks that are finished are kept.
  std::function<bool()> stop = nullptr;
  /// Called with the counts of this run on the disk, after each chunk, by any thread, one at a
  /// time.
  std::function<void(const SweepCounts&)> kept = nullptr;
  /// Stands in the log of the run beside the machine and the time, such as "shard 1/4".
  std::string label = {};
};

struct RunChunksEnd {
  SweepCounts counts;    ///< of what this run put into the store
  bool stopped = false;  ///< by `stop`, before there was no next chunk
  double seconds = 0.0;
};

/// Runs chunks and stores them, writing some while it computes the next. Leaves a log of the run,
/// log/HOST-PID.json. Throws the exceptions of Store::Put, after the current chunk has ended.
VOLCONTACT_EXPORT RunChunksEnd RunChunks(const Plan& plan, const Store& store,
                                         const NextChunk& next, const RunChunksOptions& options);

struct MergeOptions {
  bool csv = false;          ///< rows.csv, too
  bool compress = false;     ///< rows.h5 by gzip
  bool keep_chunks = false;  ///< else they are deleted when all other files are on the disk
  /// Called with the share that is done, in [0, 1], by this thread.
  std::function<void(double)> progress = nullptr;
  /// True ends the merge; it starts again at the next call.
  std::function<bool()> stop = nullptr;
};

struct MergeResult {
  SweepCounts counts;
  std::string reductions;          ///< the text of reductions.json
  std::vector<std::string> files;  ///< existing files, without the folder
};

/// Merges the chunks of a folder to rows.h5, rows.csv, failures.csv and reductions.json. For a
/// merged folder it returns the result again, and makes rows.csv from rows.h5 if requested. Files
/// are read and compared with their checksums. If nothing must be written, the folder may be
/// read-only. Empty if `stop` ended it. Throws InvalidInput if chunks or merged files are missing
/// or damaged, and std::runtime_error if files cannot be written; the chunks then stay. Memory:
/// that of a chunk, and of the reductions.
VOLCONTACT_EXPORT std::optional<MergeResult> Merge(const std::filesystem::path& folder,
                                                   const MergeOptions& options = {});

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
