// The bytes of a chunk: a head that says which chunk of which plan it is, its rows, why rows have
// no answer, its share of the reductions, and the SHA-256 of all that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/store/store_layout.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// A row that is not kOk.
struct RowFailure {
  std::uint64_t row = 0;
  RowStatus status = RowStatus::kFailed;
  std::string reason;
};

struct ChunkContents {
  SweepCounts counts;
  std::vector<RowStatus> status;             ///< with `columns`, where the layout keeps rows
  std::vector<std::vector<double>> columns;  ///< by the layout's columns
  std::vector<RowFailure> failures;
  std::vector<std::string_view> reductions;  ///< saved states, in the bytes that were read
};

/// Throws InvalidInput for rows that are none of the layout's chunks.
std::string EncodeRows(const StoreLayout& layout, const ChunkRows& rows);

/// The counts of a chunk. Throws DamagedChunk for bytes that are not this chunk, whole.
SweepCounts CheckChunk(const StoreLayout& layout, std::uint64_t chunk, std::string_view bytes);

/// All of it; refers to the bytes. Throws DamagedChunk.
ChunkContents ReadChunk(const StoreLayout& layout, std::uint64_t chunk, std::string_view bytes);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
