// How far a sweep is, on the terminal.
#pragma once

#include <chrono>
#include <cstdint>

#include "cli/progress.h"
#include "volcontact/sweep/sweep_store.h"

namespace volcontact::tool {

/// A bar with the rate, the time left, and how many rows did not converge or failed. Calls to Show
/// must not overlap.
class SweepProgressBar {
 public:
  /// `before` says what is there and what is missing.
  explicit SweepProgressBar(const sweep::Inventory& before);
  /// What this run has kept by now.
  void Show(const sweep::SweepCounts& counts);

 private:
  ProgressBar bar_;
  std::uint64_t chunks_;
  sweep::SweepCounts before_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace volcontact::tool
