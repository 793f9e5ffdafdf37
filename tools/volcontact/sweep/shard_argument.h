// Which share of a sweep a process does.
#pragma once

#include <optional>
#include <string>

#include "volcontact/sweep/sweep_store.h"

namespace volcontact::tool {

/// The shard of `--shard i/N`, i from 0; of `--shard /N` the index is GNU parallel's PARALLEL_SEQ -
/// 1 or the index within a Slurm array; where the option is not given the task of a Slurm array
/// says both. Nothing where there is neither: all chunks are this process's. Throws InvalidInput.
std::optional<sweep::Shard> ShardOf(const std::optional<std::string>& option);

}  // namespace volcontact::tool
