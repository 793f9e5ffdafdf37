#include "overlap/arcs/lines/line_bundles.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "overlap/cells/reduce_undecided.h"
#include "overlap/frame/axes.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The unit of the turned coordinates: half the diagonal of the cube, and more.
constexpr double kTurnedUnit = 1.75;
// Bundles with no more surfaces are not quartered, nor those that come of so many quarterings, nor
// those asked for no more lines, unless these were asked about as many surfaces as the last number.
constexpr std::size_t kFewSurfaces = 8;
constexpr int kFewLines = 4, kMostQuarterings = 10;
constexpr std::size_t kManyAsked = 128;
// Rounding of turned coefficients, relative to their sum.
constexpr double kTurnedRounding = 0x1p-46;

// One of the four quarters of a cell across its third axis.
Cell QuarterOf(const Cell& cell, int k) {
  Cell quarter = cell;
  for (int i = 0; i < 2; ++i) {
    quarter.half[i] *= 0.5;
    quarter.center[i] += (k >> i & 1) != 0 ? quarter.half[i] : -quarter.half[i];
  }
  return quarter;
}

}  // namespace

void LineBundles::Begin(const LocalProblem& problem, const Vector3d& direction) {
  problem_ = &problem;
  axes_ = AxesAlong(direction);
  whole_.undecided.expression = problem.expression;
  whole_.undecided.expression.FindSurfaces(&whole_.undecided.surfaces);
  whole_.lines = 0;
  whole_.quarters = nullptr;
  are_turned_ = false;
  count_ = 0;
}

void LineBundles::TurnSurfaces() {
  are_turned_ = true;
  turned_.resize(problem_->surfaces.size());
  std::array<std::array<double, 3>, 3> M;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) M[i][j] = kTurnedUnit * axes_(i, j);
  }
  for (const int s : whole_.undecided.surfaces) {
    LocalSurface& surface = turned_[s];
    surface.psi = Substitute(problem_->surfaces[s].psi, M, {0.0, 0.0, 0.0});
    double sum = 0.0;
    for (int m = 0; m < surface.psi.size(); ++m) sum += std::abs(surface.psi.c[m]);
    surface.rounding = problem_->surfaces[s].rounding + kTurnedRounding * sum;
  }
}

// Quarters a bundle; not while another thread quarters one, for which waiting would take longer
// than asking about more surfaces.
void LineBundles::TryToQuarter(const Cell& cell, Bundle* bundle) {
  const std::unique_lock lock(quartering_, std::try_to_lock);
  if (!lock.owns_lock() || bundle->quarters.load(std::memory_order_relaxed) != nullptr) return;
  if (!are_turned_) TurnSurfaces();
  if (count_ == quarters_.size()) quarters_.emplace_back();
  std::array<Bundle, 4>& quarters = quarters_[count_++];
  const Undecided& whole = bundle->undecided;
  for (int k = 0; k < 4; ++k) {
    const Cell quarter = QuarterOf(cell, k);
    const auto truth_of = [&](int s) { return ClassifyIn(turned_[s], quarter); };
    ReduceUndecided(whole, truth_of, &quarters[k].undecided);
    quarters[k].lines.store(0, std::memory_order_relaxed);
    quarters[k].quarters.store(nullptr, std::memory_order_relaxed);
  }
  bundle->quarters.store(&quarters, std::memory_order_release);
}

const Undecided& LineBundles::Near(const Vector3d& p) {
  const Vector3d place = axes_.transpose() * p / kTurnedUnit;
  Cell cell;
  Bundle* bundle = &whole_;
  for (int k = 0; k < kMostQuarterings; ++k) {
    if (bundle->undecided.surfaces.size() <= kFewSurfaces) break;
    std::array<Bundle, 4>* quarters = bundle->quarters.load(std::memory_order_acquire);
    if (quarters == nullptr) {
      const int lines = bundle->lines.fetch_add(1, std::memory_order_relaxed);
      if (lines < kFewLines && (lines + 1) * bundle->undecided.surfaces.size() < kManyAsked) break;
      TryToQuarter(cell, bundle);
      quarters = bundle->quarters.load(std::memory_order_acquire);
      if (quarters == nullptr) break;
    }
    const int quarter = (place[0] > cell.center[0] ? 1 : 0) + (place[1] > cell.center[1] ? 2 : 0);
    bundle = &(*quarters)[quarter];
    cell = QuarterOf(cell, quarter);
  }
  return bundle->undecided;
}

}  // namespace volcontact
