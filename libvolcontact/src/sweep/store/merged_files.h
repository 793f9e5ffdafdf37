// Whether the merged files of a sweep are those that were written.
#pragma once

#include <optional>
#include <string>

#include "sweep/store/store_files.h"
#include "sweep/store/store_layout.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// What is compared with checksums.json.
enum class MergedCheck {
  kSizes,   ///< of the files, without reading those of rows
  kContent  ///< SHA-256; takes as long as reading them
};

/// What there is of a merge of a plan. Neither: nothing was merged.
struct MergedFiles {
  std::optional<std::string> reductions;  ///< the text of reductions.json where all is there, whole
  std::string damage;                     ///< else what is not, such as `rows.h5 is gone`
};

/// Throws std::runtime_error where a file is there and cannot be read.
MergedFiles LookAtMerged(const StoreFiles& files, const StoreLayout& layout, MergedCheck check);

/// Writes checksums.json. It covers the files that exist and reductions.json, which is written next
/// and says that all is there. Cost: reading the files.
void WriteChecksums(const StoreFiles& files, const StoreLayout& layout,
                    const std::string& reductions);

/// What a text of reductions.json says of the rows.
SweepCounts CountsOfMerged(const std::string& text, const StoreFiles& files,
                           const StoreLayout& layout);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
