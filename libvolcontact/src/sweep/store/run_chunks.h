// Running chunks, whatever runs them, while those before are written.
#pragma once

#include <functional>
#include <optional>

#include "volcontact/export.h"
#include "volcontact/sweep/sweep_store.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Runs a chunk, asking `stop` between rows; nothing where that ended it.
using ChunkRunner =
    std::function<std::optional<ChunkRows>(std::uint64_t chunk, const std::function<bool()>& stop)>;

/// RunChunks with any runner. Exported, as MakeLayout is, for tests.
VOLCONTACT_EXPORT RunChunksEnd RunChunksBy(const ChunkRunner& run, const Store& store,
                                           const NextChunk& next, const RunChunksOptions& options);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
