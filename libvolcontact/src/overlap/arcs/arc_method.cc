#include "overlap/arcs/arc_method.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "overlap/arcs/components.h"

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

// What the tolerance leaves of an area: the volume over the thickness, about.
void SetAreaNoise(double tolerance, RawMetrics* raw) {
  const Vector3d spread = raw->moments.CentralSecond().diagonal() / raw->moments.volume;
  raw->area_noise =
      kAreaShare * tolerance * raw->moments.volume / std::sqrt(12.0 * spread.minCoeff());
}

// A box, in the scaled coordinates of a frame, around another frame's box.
Cell ReachIn(const LocalFrame& inner, const LocalFrame& outer) {
  const Rigid X = outer.X_AC.Inverse() * inner.X_AC;
  const Vector3d reach = kRoom * (X.RotationDouble().cwiseAbs() * inner.half);
  return {Round(X.t).cwiseQuotient(outer.half), reach.cwiseQuotient(outer.half)};
}

// The sums over all parts, in one frame.
RawMetrics Total(const Rigid& X_AC, const std::vector<ArcMethodResult>& parts, double tolerance) {
  RawMetrics total;
  total.X_AC = X_AC;
  for (const ArcMethodResult& part : parts) {
    const Rigid X = X_AC.Inverse() * part.raw.X_AC;
    const Matrix3d R = X.RotationDouble();
    const Vector3d p = Round(X.t), area = R * part.raw.area;
    total.moments += part.raw.moments.Transformed(R, p);
    total.area += area;
    total.torque += R * part.raw.torque + p.cross(area);
    total.volume_error += part.raw.volume_error;
  }
  // An error of a part counts in the inertia with its distance.
  const Vector3d centroid = total.moments.Centroid();
  double inertia_error = 0.0;
  for (const ArcMethodResult& part : parts) {
    const Vector3d p = Round((X_AC.Inverse() * part.raw.X_AC).t) - centroid;
    const double spread = part.raw.moments.CentralSecond().trace() / part.raw.moments.volume;
    inertia_error += part.raw.volume_error * (p.squaredNorm() + spread);
  }
  total.converged = total.volume_error <= tolerance * total.moments.volume &&
                    inertia_error <= tolerance * total.moments.CentralSecond().trace();
  return total;
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

// Brings the problem into a frame that contains the region, with some room around it.
void ArcMethod::LocalizeIn(const SurfaceSet& set, const LocalFrame& tight) {
  LocalFrame frame = tight;
  frame.half *= kRoom;
  Localize(set, frame, &problem_);
  SimplifyInBox(&problem_);
}

// The edges of the region in a frame that contains it.
ArcFailure ArcMethod::Find(const SurfaceSet& set, const LocalFrame& tight,
                           const ArcMethodOptions& options, ArcMethodResult* result) {
  LocalizeIn(set, tight);
  for (const Expression::Node& node : problem_.expression.nodes()) {
    if (node.kind == Expression::Kind::kLiteral && set.kinds[node.value] == SurfaceKind::kOther) {
      return ArcFailure::kSurfaces;
    }
  }
  const bool found = finder_.Run(problem_, options.max_cells);
  result->cells += finder_.cells();
  result->pieces = static_cast<long>(finder_.pieces().size());
  if (!found || finder_.IsFull()) return ArcFailure::kUnresolved;
  return nodes_.Run(finder_) ? ArcFailure::kNone : ArcFailure::kLooseEnd;
}

// The sums over the region in a frame that contains it.
ArcFailure ArcMethod::Sum(const SurfaceSet& set, const LocalFrame& tight,
                          const ArcMethodOptions& options, ArcMethodResult* result) {
  const ArcFailure failure = Find(set, tight, options, result);
  if (failure != ArcFailure::kNone) return failure;
  const LocalFrame& frame = problem_.frame;
  const EdgeQuadratureResult sums = quadrature_.Run(problem_, set.kinds, nodes_.segments(),
                                                    kQuadratureShare * options.tolerance, &finder_);
  if (!sums.usable) return ArcFailure::kNearlyDegenerate;
  const double volume = sums.all.s[BoundarySums::kVolume], open = OpenPart(sums.all);
  const double error = std::max(sums.error, open);
  result->raw = ToRaw(frame, sums.all, sums.of_B);
  result->raw.volume_error = error * frame.half.prod();
  result->raw.converged = error <= options.tolerance * sums.Scale();
  const bool closed = open <= kClosureShare * options.tolerance * volume + kClosureRounding;
  return volume > kNothing && closed ? ArcFailure::kNone : ArcFailure::kNotClosed;
}

// The same, in another frame where the region lies askew in the first.
ArcFailure ArcMethod::SumAligned(const SurfaceSet& set, const LocalFrame& tight,
                                 const ArcMethodOptions& options, ArcMethodResult* result) {
  const ArcFailure failure = Sum(set, tight, options, result);
  Vector3d thinnest;
  if (failure != ArcFailure::kNone || !IsAskew(result->raw.moments, &thinnest)) return failure;
  const Locator::Result aligned =
      locator_.Align(set, tight, thinnest, result->raw.moments.CentralSecond(), &problem_);
  result->cells += aligned.cells;
  return aligned.empty ? failure : Sum(set, aligned.frame, options, result);
}

// The area of the shadow of the region that was summed last.
std::optional<double> ArcMethod::Shadow(const ArcMethodOptions& options,
                                        const Vector3d& direction) {
  const double pieces = static_cast<double>(finder_.pieces().size());
  return projection_.Run(problem_, finder_, nodes_, direction,
                         kAreaShare * options.tolerance / std::sqrt(1.0 + pieces),
                         options.max_cells);
}

// The sums over the parts of a region that lie apart, each in a frame of its own; kNotClosed where
// there are no such parts.
ArcFailure ArcMethod::SumParts(const SurfaceSet& set, const LocalFrame& tight,
                               const ArcMethodOptions& options, ArcMethodResult* result) {
  Localize(set, tight, &problem_);
  const std::vector<Cell> parts = SeparateParts(problem_);
  if (parts.size() < 2) return ArcFailure::kNotClosed;
  std::vector<ArcMethodResult> sums;
  std::vector<LocalFrame> frames;
  for (const Cell& part : parts) {
    const LocalFrame box = FrameIn(tight.X_AC, part.center.cwiseProduct(tight.half),
                                   Matrix3d::Identity(), part.half.cwiseProduct(tight.half));
    const Locator::Result located = locator_.RunDeeper(set, box, &problem_);
    result->cells += located.cells;
    if (located.empty) continue;
    const Cell reach = ReachIn(located.frame, tight);
    const auto meets = [&](const Cell& other) {
      return &other != &part && GapBetween(other, reach) <= 0.0;
    };
    if (std::any_of(parts.begin(), parts.end(), meets)) return ArcFailure::kNotClosed;
    ArcMethodResult sum;
    const ArcFailure failure = Sum(set, located.frame, options, &sum);
    result->cells += sum.cells;
    if (failure != ArcFailure::kNone) return failure;
    sums.push_back(std::move(sum));
    frames.push_back(located.frame);
  }
  result->raw = Total(tight.X_AC, sums, options.tolerance);
  result->pieces = 0;
  for (const ArcMethodResult& sum : sums) result->pieces += sum.pieces;
  // The shadows of the parts, along the normal of the whole.
  SetAreaNoise(options.tolerance, &result->raw);
  const Vector3d direction_A = tight.X_AC.RotationDouble() * ProjectionAxis(result->raw);
  for (const LocalFrame& frame : frames) {
    ArcMethodResult again;
    if (Find(set, frame, options, &again) != ArcFailure::kNone) return ArcFailure::kNoOutline;
    const std::optional<double> area =
        Shadow(options, problem_.frame.X_AC.RotationDouble().transpose() * direction_A);
    if (!area) return ArcFailure::kNoOutline;
    result->raw.projected_area += *area;
  }
  return ArcFailure::kNone;
}

ArcMethodResult ArcMethod::Run(const SurfaceSet& set, const Aabb& box,
                               const ArcMethodOptions& options) {
  ArcMethodResult result;
  const Locator::Result located = locator_.Run(set, box, &problem_);
  result.cells = located.cells;
  result.raw.X_AC = located.frame.X_AC;
  if (located.empty) return result;
  result.failure = SumAligned(set, located.frame, options, &result);
  if (result.failure == ArcFailure::kNone) {
    SetAreaNoise(options.tolerance, &result.raw);
    const std::optional<double> area = Shadow(options, ProjectionAxis(result.raw));
    if (!area) result.failure = ArcFailure::kNoOutline;
    result.raw.projected_area = area.value_or(0.0);
    if (result.raw.converged) return result;
  }
  if (result.failure == ArcFailure::kSurfaces) return result;
  ArcMethodResult parts;
  if (SumParts(set, located.frame, options, &parts) == ArcFailure::kNone) {
    parts.cells += result.cells;
    result = std::move(parts);
  }
  // The bracket is of the whole.
  LocalizeIn(set, located.frame);
  return result;
}

}  // namespace volcontact
