// A sweep that several processes run, as ranks of MPI.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "volcontact/sweep/sweep_plan.h"
#include "volcontact/sweep/sweep_ranks.h"
#include "volcontact/sweep/sweep_store.h"

namespace volcontact::tool {

/// Looks at the environment, and starts MPI where it says that this is one of several processes, by
/// the module that is beside the tool; nothing for a process by itself. Throws what
/// sweep::FindMpiModule and sweep::Ranks::Start throw: on rank 0 at once, and on the others some
/// seconds later, with their number, for what all of them have rank 0 has said by then, and the
/// launcher has ended them.
std::optional<sweep::Ranks> StartRanks();

/// Runs the chunks that rank 0 names on all ranks, of which each calls this; `options` as of
/// RunChunks. Gives the counts of all on rank 0, where `shown` gets them meanwhile, and whether
/// this rank was stopped.
sweep::RunChunksEnd RunOnRanks(const sweep::Plan& plan, const sweep::Store& store,
                               const std::vector<std::uint64_t>& chunks,
                               sweep::RunChunksOptions options,
                               const std::function<void(const sweep::SweepCounts&)>& shown,
                               sweep::Ranks* ranks);

}  // namespace volcontact::tool
