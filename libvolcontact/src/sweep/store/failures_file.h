// failures.csv: rows that are not ok, with their reasons.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sweep/store/chunk_file.h"
#include "sweep/store/durable_file.h"
#include "sweep/store/store_layout.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// ok, not_converged or failed.
const char* NameOf(RowStatus status);

/// A text as a cell of CSV.
std::string CsvCell(const std::string& text);

/// Writes the failures of rows in their order.
class FailuresFile {
 public:
  explicit FailuresFile(const std::filesystem::path& file);
  void Append(const std::vector<RowFailure>& failures);
  /// Gives the file its name, on the disk.
  void Finish();

 private:
  std::string Shortened(const std::string& reason);

  DurableFile file_;
  std::set<std::string> whole_;
};

/// The rows of a shard of what is merged, and how many of them such a file lists. Throws
/// std::runtime_error where it cannot be read. Cost: reading the file.
SweepCounts CountsOfShard(const std::filesystem::path& file, const StoreLayout& layout,
                          const Shard& shard);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
