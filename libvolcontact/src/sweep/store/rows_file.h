// rows.h5: the rows of a sweep, a data set for each column. The only place that knows HDF5.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "sweep/store/chunk_file.h"
#include "sweep/store/store_layout.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Writes rows in their order: a data set "status" of small integers with names, and one of doubles
/// for each column that is kept, with its unit as the attribute "units". No time stamps: equal rows
/// give equal bytes. One writer or reader at a time in a process, for Debian's library is not made
/// for several threads; another waits. Memory: some hundred kilobytes for each column.
class RowsFileWriter {
 public:
  /// Throws std::runtime_error, as all do here, that names the file and the reason.
  RowsFileWriter(const std::filesystem::path& file, const StoreLayout& layout, bool compress);
  ~RowsFileWriter();
  RowsFileWriter(const RowsFileWriter&) = delete;
  RowsFileWriter& operator=(const RowsFileWriter&) = delete;

  /// Rows that follow those before.
  void Append(const ChunkContents& rows);
  /// Gives the file its name, on the disk. Without it nothing is left of it.
  void Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads such a file from the first row to the last, some thousand rows at a time, each with
/// `status` and `columns`, and the number of the first.
void ReadRowsFile(const std::filesystem::path& file, const StoreLayout& layout,
                  const std::function<void(std::uint64_t, const ChunkContents&)>& read);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
