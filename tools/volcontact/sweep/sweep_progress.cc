#include "sweep/sweep_progress.h"

#include <fmt/format.h>

namespace volcontact::tool {

SweepProgressBar::SweepProgressBar(const sweep::Inventory& before)
    : bar_("rows"),
      chunks_(before.missing.size()),
      before_(before.kept),
      start_(std::chrono::steady_clock::now()) {}

void SweepProgressBar::Show(const sweep::SweepCounts& counts) {
  bar_.Show(
      static_cast<double>(counts.chunks) / static_cast<double>(chunks_),
      fmt::format("{:.3g} rows/s, {} not converged, {} failed",
                  static_cast<double>(counts.rows) / SecondsSince(start_),
                  before_.not_converged + counts.not_converged, before_.failed + counts.failed));
}

}  // namespace volcontact::tool
