// Mass properties of single primitives.
#include <Eigen/Geometry>
#include <cmath>

#include "overlap/closed_forms/round_shape.h"

namespace volcontact {
namespace internal {
namespace {

bool IntegrateWhole(const Shape& shape, RawMetrics& raw) {
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    const Eigen::Vector3d size(box->size[0], box->size[1], box->size[2]);
    raw.moments.volume = size.prod();
    raw.moments.second = (size.cwiseAbs2() * (raw.moments.volume / 12.0)).asDiagonal();
    return true;
  }
  const auto round = MakeRoundShape(shape);
  return round != nullptr && round->Whole(raw);
}

// Only a cone, of all primitives, has its centroid away from its frame's origin, on the axis.
void MoveToCentroid(RawMetrics& raw) {
  const double z = raw.moments.Centroid().z();
  raw.moments.second = raw.moments.CentralSecond();
  raw.moments.first.setZero();
  raw.X_AC.t[2] += z;
}

}  // namespace
}  // namespace internal

std::optional<ClosedFormResult> ClosedFormMass(const Solid& A) {
  const auto shapes = internal::FlattenIntersection(A);
  if (!shapes || shapes->size() != 1) return std::nullopt;
  ClosedFormResult result;
  RawMetrics& raw = result.raw;
  if (!internal::IntegrateWhole(shapes->front().shape, raw)) return std::nullopt;
  internal::MoveToCentroid(raw);
  raw.projected_area = 0.0;
  raw.X_AC = shapes->front().X_PS.X * raw.X_AC;
  const double V = raw.moments.volume;
  raw.volume_error = internal::kVolumeRounding * V;
  result.volume_lower = V - raw.volume_error;
  result.volume_upper = V + raw.volume_error;
  return result;
}

}  // namespace volcontact
