#include "integration/octree.h"

#include <algorithm>
#include <cmath>

#include "integration/certify.h"
#include "volcontact/integration/contact_normal.h"

namespace volcontact {
namespace {

// Tolerance of the pass that only has to find the normal.
constexpr double kCoarseTolerance = 1e-2;
// Moments are integrated this much more accurately than asked: the box is up to twice the overlap's
// size, so an error in its units weighs up to this much more on the inertia.
constexpr double kToleranceMargin = 0.1;

// Cells spent on the bracket: few for a quick answer, more where the query is long anyway.
long BracketCells(double tolerance) {
  if (tolerance >= 1e-4) return 100;
  return tolerance >= 1e-7 ? 300 : 2000;
}

}  // namespace

// Turns the frame so that columns follow the contact normal, and tightens it again.
void Octree::AlignWithNormal(const SurfaceSet& set, const RawMetrics& coarse, long* cells) {
  if (!(coarse.moments.volume > 0.0)) return;
  const ContactNormal normal = ComputeContactNormal(coarse.moments.CentralInertia(), coarse.area);
  if (normal.normal.squaredNorm() < 0.5) return;
  const Locator::Result aligned =
      locator_.Align(set, problem_.frame, normal.normal, coarse.moments.CentralSecond(), &problem_);
  *cells += aligned.cells;
}

OctreeResult Octree::Run(const SurfaceSet& set, const Aabb& box, const OctreeOptions& options) {
  OctreeResult result;
  const Locator::Result located = locator_.Run(set, box, &problem_);
  result.cells = located.cells;
  result.raw.X_AC = located.frame.X_AC;
  if (located.empty) return result;
  ColumnQuadratureOptions coarse_options{kCoarseTolerance, options.max_cells, options.threads};
  const ColumnQuadratureResult coarse = quadrature_.Run(problem_, coarse_options);
  AlignWithNormal(set, coarse.sums.ToRaw(problem_.frame), &result.cells);
  ColumnQuadratureOptions fine_options{kToleranceMargin * options.tolerance, options.max_cells,
                                       options.threads};
  const ColumnQuadratureResult fine = quadrature_.Run(problem_, fine_options);
  result.raw = fine.sums.ToRaw(problem_.frame);
  const double unit = problem_.frame.half.prod();
  result.raw.volume_error = fine.error * unit;
  result.raw.converged = fine.converged;
  result.leaves = coarse.panels + fine.panels;
  if (options.certify) {
    long cells = 0;
    result.bracket = CertifyVolume(
        problem_, {BracketCells(options.tolerance), options.tolerance, options.threads}, &cells);
    result.cells += cells;
    // A value outside the bracket means that the quadrature overlooked a part of the region.
    if (result.raw.moments.volume < result.bracket.lower ||
        result.raw.moments.volume > result.bracket.upper) {
      result.raw.converged = false;
    }
  }
  return result;
}

}  // namespace volcontact
