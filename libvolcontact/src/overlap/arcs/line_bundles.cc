#include "overlap/arcs/line_bundles.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "overlap/frame/axes.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The unit of the turned coordinates: half the diagonal of the cube, and more.
constexpr double kTurnedUnit = 1.75;
// Bundles with no more surfaces are not quartered, nor those asked for no more lines, nor those
// that come of so many quarterings.
constexpr std::size_t kFewSurfaces = 8;
constexpr int kFewLines = 4, kMostQuarterings = 10;
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

LineBundles::LineBundles(const LocalProblem& problem, const Vector3d& direction)
    : problem_(problem), axes_(AxesAlong(direction)) {}

void LineBundles::TurnSurfaces() {
  states_.assign(problem_.surfaces.size(), Truth::kUnknown);
  turned_.resize(problem_.surfaces.size());
  std::array<std::array<double, 3>, 3> M;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) M[i][j] = kTurnedUnit * axes_(i, j);
  }
  for (const int s : bundles_[0].undecided.surfaces) {
    LocalSurface& surface = turned_[s];
    surface.psi = Substitute(problem_.surfaces[s].psi, M, {0.0, 0.0, 0.0});
    double sum = 0.0;
    for (int m = 0; m < surface.psi.size(); ++m) sum += std::abs(surface.psi.c[m]);
    surface.rounding = problem_.surfaces[s].rounding + kTurnedRounding * sum;
  }
}

void LineBundles::Quarter(int bundle, const Cell& cell) {
  if (turned_.empty()) TurnSurfaces();
  const int first = static_cast<int>(bundles_.size());
  bundles_.resize(first + 4);
  bundles_[bundle].quarters = first;
  const Undecided& whole = bundles_[bundle].undecided;
  for (int k = 0; k < 4; ++k) {
    const Cell quarter = QuarterOf(cell, k);
    for (const int s : whole.surfaces) states_[s] = Classify(Quadratize(turned_[s], quarter));
    bundles_[first + k].undecided.AssignReduced(whole, states_);
  }
}

const Undecided& LineBundles::Near(const Vector3d& p) {
  if (bundles_.empty()) bundles_.push_back({{problem_.expression, problem_.expression.Surfaces()}});
  const Vector3d place = axes_.transpose() * p / kTurnedUnit;
  Cell cell;
  int bundle = 0;
  for (int k = 0; k < kMostQuarterings; ++k) {
    if (bundles_[bundle].undecided.surfaces.size() <= kFewSurfaces) break;
    if (bundles_[bundle].quarters < 0) {
      if (++bundles_[bundle].lines <= kFewLines) break;
      Quarter(bundle, cell);
    }
    const int quarter = (place[0] > cell.center[0] ? 1 : 0) + (place[1] > cell.center[1] ? 2 : 0);
    bundle = bundles_[bundle].quarters + quarter;
    cell = QuarterOf(cell, quarter);
  }
  return bundles_[bundle].undecided;
}

}  // namespace volcontact
