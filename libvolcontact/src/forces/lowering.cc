#include "volcontact/forces/lowering.h"

#include <cmath>
#include <limits>

#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// The precision of the first touch, relative to the body's size; below all depths that queries
// resolve well.
constexpr double kTouch = 1e-9;
// The tolerance of the queries for volumes at depths.
constexpr double kVolumeTolerance = 1e-6;
// The tolerance of volumes from which sizes are taken.
constexpr double kSizeTolerance = 1e-3;
// A body that has moved by so many of its sizes has missed the other one.
constexpr double kFarthest = 1e3;
constexpr int kMostMoves = 300;

}  // namespace

double CubeEdge(const Solid& solid) {
  if (!solid.Bounds().IsBounded()) return std::numeric_limits<double>::infinity();
  QueryOptions options;
  options.tolerance = kSizeTolerance;
  return std::cbrt(ComputeMassProperties(solid, options).volume);
}

Lowering::Lowering(const Solid& A, const Solid& B, const Pose& X_WA, const Pose& X_WB,
                   const Eigen::Vector3d& along_W)
    : pair_(A, B), start_(X_WA), other_(X_WB), along_(along_W), size_(CubeEdge(A)) {
  if (std::isinf(size_)) throw InvalidInput("the body that rests must be bounded");
}

bool Lowering::FindTouch() {
  double way = 0.0, step = kTouch * size_;  // short: it may stand in a groove or under a roof
  for (; Distance(way) <= 0.0; step *= 2.0) {
    way -= step;
    if (-way > kFarthest * size_) return false;
  }
  // The distance bounds the way to the touch from below: nothing is passed.
  for (int i = 0; i < kMostMoves && way < kFarthest * size_; ++i) {
    const double distance = Distance(way);
    if (distance <= kTouch * size_) {
      touch_ = way;
      return true;
    }
    way += distance;
  }
  return false;
}

Metrics Lowering::QueryAt(double depth) const {
  QueryOptions options;
  options.tolerance = kVolumeTolerance;
  options.bound_distance = false;
  return pair_.Query(PoseAt(depth), other_, options);
}

// Moving it on adds −a · along, with the area vector a that drives it out.
Indentation Lowering::At(double depth) const {
  const Metrics metrics = QueryAt(depth);
  return {metrics.volume, -metrics.area_vector_W.dot(along_)};
}

double Lowering::NormalShare(double depth) const {
  return -QueryAt(depth).area_normal_W.dot(along_);
}

VOLCONTACT_NAMESPACE_END
