// What `sweep` prints.
#pragma once

#include <optional>
#include <string>

#include "cli/output.h"
#include "volcontact/sweep/sweep_plan.h"
#include "volcontact/sweep/sweep_store.h"

namespace volcontact::tool {

/// How a sweep went, or a shard of it.
struct SweepReport {
  std::string file, out;  ///< none of these where it is empty
  std::optional<sweep::Shard> shard;
  sweep::SweepCounts there;   ///< of the sweep, or its shard, all that is kept
  sweep::RunChunksEnd run;    ///< of this process
  std::uint64_t damaged = 0;  ///< chunks that were, and were run anew
  std::string merged_damage;  ///< of sweep::Inventory
  std::optional<sweep::MergeResult> merged;
};

Json ReportJson(const SweepReport& report);
std::string ReportText(const SweepReport& report);

/// What would be run: of `--dry-run`.
Json PlanJson(const sweep::Plan& plan, const std::optional<sweep::Shard>& shard);
std::string PlanText(const std::string& file, const sweep::Plan& plan,
                     const std::optional<sweep::Shard>& shard);

}  // namespace volcontact::tool
