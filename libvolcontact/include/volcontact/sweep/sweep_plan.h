// A sweep: one kind of run, for many rows of variables (docs/sweep.md).
//
// Component volcontact::sweep. A plan is read once and may be run by any threads and processes at
// once, chunk by chunk, in any order: what row k gives depends on the plan and on k alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// A column of the result: a variable, or what the run gives.
struct ResultColumn {
  std::string name;  ///< such as x, volume, force.z
  std::string unit;  ///< SI; empty for pure numbers
};

enum class RowStatus : std::uint8_t { kOk = 0, kNotConverged = 1, kFailed = 2 };

/// Why a row has no answer, or one that did not converge.
struct RowReason {
  std::uint64_t row = 0;
  std::string text;  ///< one line
};

/// The results of a chunk of rows.
struct ChunkRows {
  std::uint64_t first = 0;                   ///< the number of its first row
  std::vector<RowStatus> status;             ///< for each row
  std::vector<std::vector<double>> columns;  ///< by the plan's columns, then by row; NaN: no value
  std::vector<RowReason> reasons;            ///< ascending; of rows that are not kOk
};

/// A file that the plan was read from, or that a run of it reads.
struct InputFile {
  std::string path;    ///< from the folder of the sweep file
  std::string sha256;  ///< of its bytes, 64 hexadecimal digits
};

/// A plan: what to run, for which rows, and what to keep. A value; cheap to copy.
class VOLCONTACT_EXPORT Plan {
 public:
  /// Reads a sweep file and the files that it names, relative to its folder, with the values
  /// `path=value` set first. Throws InvalidInput that says what is wrong, where in the file, and
  /// what to do.
  static Plan Read(const std::string& file, const std::vector<std::string>& set = {});

  std::uint64_t rows() const;
  /// All chunks have this many rows but perhaps the last. Follows from the plan alone.
  std::uint64_t rows_of_chunk() const;
  std::uint64_t chunks() const;
  const std::vector<ResultColumn>& columns() const;
  const std::vector<InputFile>& inputs() const;
  /// Notes on the files of solids, such as a mesh that may be in another unit. Also what is wrong
  /// in row 0, if none of 16 rows, from the first to the last, could be read.
  const std::vector<std::string>& notes() const;
  /// The sweep file with its values set, as JSON with sorted keys: what it computes follows from
  /// this and the inputs.
  const std::string& document() const;

  /// Runs the rows of a chunk. A row that fails gives a reason, and the next row follows. Empty if
  /// `stop`, asked between rows by any of the threads, ended it. Throws InvalidInput for a chunk
  /// that does not exist. Cost: that of the rows, on `threads` threads, with the same result for
  /// any number. Memory: that of the chunk.
  std::optional<ChunkRows> Run(std::uint64_t chunk, int threads,
                               const std::function<bool()>& stop = nullptr) const;

 private:
  struct VOLCONTACT_LOCAL Contents;
  explicit Plan(std::shared_ptr<const Contents> contents);
  std::shared_ptr<const Contents> contents_;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
