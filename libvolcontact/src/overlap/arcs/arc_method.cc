#include "overlap/arcs/arc_method.h"

#include <Eigen/Eigenvalues>
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
// Regions with second moments this different are wanted along the axes of their frame, and do not
// lie so where the least moment along an axis exceeds the least along any direction by this factor.
constexpr double kThin = 1e-8, kAskew = 1.01;
// No less of the cube is the volume of a region.
constexpr double kNothing = 1e-13;

// By how much the boundary fails to close, in terms of a volume: for a closed one the integral of n
// is zero, and that of p n' the volume times the identity.
double OpenPart(const BoundarySums& sums) {
  const Matrix3d moment = sums.Moment() - sums.s[BoundarySums::kVolume] * Matrix3d::Identity();
  return std::max(moment.cwiseAbs().maxCoeff(), sums.Area().cwiseAbs().maxCoeff());
}

// Whether a needle or a sheet lies askew in its frame, so that the second moments across it drown
// in the rounding of those along it; and the direction in which it is thinnest.
bool IsAskew(const VolumeMoments& moments, Vector3d* thinnest) {
  const Matrix3d second = moments.CentralSecond();
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(second);
  *thinnest = solver.eigenvectors().col(0);
  const Vector3d& moments_along = solver.eigenvalues();
  return moments_along[0] < kThin * moments_along[2] &&
         second.diagonal().minCoeff() > kAskew * moments_along[0];
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

// The sums over the region in a frame that contains it.
ArcFailure ArcMethod::Sum(const SurfaceSet& set, const LocalFrame& tight,
                          const ArcMethodOptions& options, ArcMethodResult* result) {
  LocalFrame frame = tight;
  frame.half *= kRoom;
  Localize(set, frame, &problem_);
  SimplifyInBox(&problem_);
  for (const Expression::Node& node : problem_.expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral && set.kinds[node.value] == SurfaceKind::kOther) {
      return ArcFailure::kSurfaces;
    }
  }
  const bool found = finder_.Run(problem_, options.max_cells);
  result->cells += finder_.cells();
  result->pieces = static_cast<long>(finder_.pieces().size());
  if (!found || finder_.IsFull()) return ArcFailure::kUnresolved;
  if (!nodes_.Run(problem_, finder_)) return ArcFailure::kLooseEnd;
  const EdgeQuadratureResult sums = quadrature_.Run(problem_, set.kinds, nodes_.segments(),
                                                    kQuadratureShare * options.tolerance, &finder_);
  if (!sums.usable) return ArcFailure::kNearlyDegenerate;
  const double volume = sums.all.s[BoundarySums::kVolume], open = OpenPart(sums.all);
  if (!(volume > kNothing) ||
      !(open <= kClosureShare * options.tolerance * volume + kClosureRounding)) {
    return ArcFailure::kNotClosed;
  }
  result->raw = ToRaw(frame, sums.all, sums.of_B);
  const double error = std::max(sums.error, open);
  result->raw.volume_error = error * frame.half.prod();
  result->raw.converged = error <= options.tolerance * volume;
  return ArcFailure::kNone;
}

// The area of the projection along the normal, for which the sums are known.
ArcFailure ArcMethod::Project(const ArcMethodOptions& options, RawMetrics* raw) {
  const Vector3d spread = raw->moments.CentralSecond().diagonal() / raw->moments.volume;
  // What the tolerance leaves of an area: the volume over the thickness, about.
  raw->area_noise =
      kAreaShare * options.tolerance * raw->moments.volume / std::sqrt(12.0 * spread.minCoeff());
  const std::optional<double> area = projection_.Run(
      problem_, finder_, nodes_, ProjectionAxis(*raw),
      kAreaShare * options.tolerance / std::sqrt(1.0 + finder_.pieces().size()), options.max_cells);
  if (!area) return ArcFailure::kNoOutline;
  raw->projected_area = *area;
  return ArcFailure::kNone;
}

ArcMethodResult ArcMethod::Run(const SurfaceSet& set, const Aabb& box,
                               const ArcMethodOptions& options) {
  ArcMethodResult result;
  Locator::Result located = locator_.Run(set, box, &problem_);
  result.cells = located.cells;
  result.raw.X_AC = located.frame.X_AC;
  if (located.empty) return result;
  result.failure = Sum(set, located.frame, options, &result);
  if (result.failure != ArcFailure::kNone) return result;
  Vector3d thinnest;
  if (IsAskew(result.raw.moments, &thinnest)) {
    located =
        locator_.Align(set, located.frame, thinnest, result.raw.moments.CentralSecond(), &problem_);
    result.cells += located.cells;
    if (!located.empty) result.failure = Sum(set, located.frame, options, &result);
  }
  if (result.failure == ArcFailure::kNone) result.failure = Project(options, &result.raw);
  return result;
}

}  // namespace volcontact
