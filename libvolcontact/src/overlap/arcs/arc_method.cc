#include "overlap/arcs/arc_method.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The cube is larger than the located box, so that the region keeps off its sides.
constexpr double kRoom = 1.13;
// Of the tolerance, what the quadrature may spend.
constexpr double kQuadratureShare = 0.25;
// A boundary that misses closing by more than these parts of the tolerance and of its own area is
// not believed.
constexpr double kClosureShare = 4.0, kClosureRounding = 1e-11;
// No less of the cube is the volume of a region.
constexpr double kNothing = 1e-13;

// By how much the boundary fails to close, in terms of a volume: for a closed one the integral of n
// is zero, and that of p n' the volume times the identity.
double OpenPart(const BoundarySums& sums) {
  const Matrix3d moment = sums.Moment() - sums.s[BoundarySums::kVolume] * Matrix3d::Identity();
  return std::max(moment.cwiseAbs().maxCoeff(), sums.Area().cwiseAbs().maxCoeff());
}

// From the coordinates of the cube to the frame's.
RawMetrics ToRaw(const LocalFrame& frame, const BoundarySums& all, const BoundarySums& of_B) {
  const Vector3d& h = frame.half;
  const double scale = h.prod();
  RawMetrics raw;
  raw.X_AC = frame.X_AC;
  raw.moments.volume = scale * all.s[BoundarySums::kVolume];
  raw.moments.first = scale * h.cwiseProduct(all.First());
  raw.moments.second = scale * (h.asDiagonal() * all.Second() * h.asDiagonal());
  raw.area = scale * of_B.Area().cwiseQuotient(h);
  const Matrix3d moment = scale * (h.asDiagonal() * of_B.Moment() * h.cwiseInverse().asDiagonal());
  raw.torque = {moment(1, 2) - moment(2, 1), moment(2, 0) - moment(0, 2),
                moment(0, 1) - moment(1, 0)};
  return raw;
}

}  // namespace

const char* Describe(ArcFailure failure) {
  switch (failure) {
    case ArcFailure::kNone:
      return "";
    case ArcFailure::kSurfaces:
      return "a surface is neither a plane nor a quadric that bends to one side";
    case ArcFailure::kUnresolved:
      return "surfaces touch, or several share an edge";
    case ArcFailure::kLooseEnd:
      return "an edge found does not go on";
    case ArcFailure::kNearlyDegenerate:
      return "a surface is nearly degenerate";
    case ArcFailure::kNoOutline:
      return "outlines were not all found";
    case ArcFailure::kNotClosed:
      return "the faces found do not close";
  }
  return "";
}

ArcMethodResult ArcMethod::Run(const SurfaceSet& set, const Aabb& box,
                               const ArcMethodOptions& options) {
  ArcMethodResult result;
  const Locator::Result located = locator_.Run(set, box, &problem_);
  result.cells = located.cells;
  result.raw.X_AC = located.frame.X_AC;
  if (located.empty) return result;
  LocalFrame frame = located.frame;
  frame.half *= kRoom;
  Localize(set, frame, &problem_);
  SimplifyInBox(&problem_);
  for (const Expression::Node& node : problem_.expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral && set.kinds[node.value] == SurfaceKind::kOther) {
      result.failure = ArcFailure::kSurfaces;
      return result;
    }
  }
  const bool found = finder_.Run(problem_, options.max_cells);
  result.cells += finder_.cells();
  result.pieces = static_cast<long>(finder_.pieces().size());
  if (!found || finder_.IsFull()) {
    result.failure = ArcFailure::kUnresolved;
    return result;
  }
  if (!nodes_.Run(problem_, finder_)) {
    result.failure = ArcFailure::kLooseEnd;
    return result;
  }
  const EdgeQuadratureResult sums = quadrature_.Run(problem_, set.kinds, nodes_.segments(),
                                                    kQuadratureShare * options.tolerance, &finder_);
  if (!sums.usable) {
    result.failure = ArcFailure::kNearlyDegenerate;
    return result;
  }
  const double volume = sums.all.s[BoundarySums::kVolume];
  const double open = OpenPart(sums.all);
  if (!(volume > kNothing) ||
      !(open <= kClosureShare * options.tolerance * volume + kClosureRounding)) {
    result.failure = ArcFailure::kNotClosed;
    return result;
  }
  result.raw = ToRaw(frame, sums.all, sums.of_B);
  const double error = std::max(sums.error, open);
  result.raw.volume_error = error * frame.half.prod();
  result.raw.converged = error <= options.tolerance * volume;
  const std::optional<double> area = projection_.Run(problem_, finder_, ProjectionAxis(result.raw),
                                                     result.raw.area, options.max_cells);
  if (!area) {
    result.failure = ArcFailure::kNoOutline;
    return result;
  }
  result.raw.projected_area = *area;
  result.raw.area_noise = kAreaShare * options.tolerance * *area;
  return result;
}

}  // namespace volcontact
