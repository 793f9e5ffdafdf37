#include "fmi/exchange/contact_shapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "volcontact/forces/contact_model.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Samples of the pressure need no more: what is integrated over them has an error of its own.
constexpr double kPressureTolerance = 1e-4;
// The step of the derivatives of a point pair's formulas, as a part of the sphere's size.
constexpr double kPointStep = 1e-4;

Aabb BoundsAt(const Pose& X_WS, const Aabb& bounds) {
  if (!bounds.IsBounded()) return Aabb::Everything();
  const Vector3d center = X_WS * bounds.Center();
  const Vector3d half = X_WS.Rotation().cwiseAbs() * bounds.HalfExtents();
  return {center - half, center + half};
}

// The distance of two boxes, a lower bound of that of what they hold.
double DistanceOf(const Aabb& a, const Aabb& b) {
  const Vector3d gap = (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(0.0);
  return gap.allFinite() ? gap.norm() : 0.0;
}

Matrix3d CrossOf(const Vector3d& w) {
  Matrix3d m;
  m << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
  return m;
}

Pose Moved(const Pose& X, const Vector3d& d, const Vector3d& w) {
  const double angle = w.norm();
  const Vector3d axis = angle > 0.0 ? Vector3d(w / angle) : Vector3d(Vector3d::UnitZ());
  return MakePose(Eigen::AngleAxisd(angle, axis).toRotationMatrix() * X.Rotation(), X.t + d);
}

}  // namespace

ContactShapes::ContactShapes(const FmuContact& contact)
    : point_pair_(contact.contact.point_pair),
      X_AP_(contact.contact.frame_a),
      X_BQ_(contact.contact.frame_b),
      direction_(contact.contact.parameters.direction),
      needs_area_(ContactModel(contact.contact.parameters).Needs().contact_area) {
  if (point_pair_) return;
  pair_.emplace(*contact.A, *contact.B);
  bounds_A_ = contact.A->Bounds();
  bounds_B_ = contact.B->Bounds();
}

PointContact ContactShapes::FindPoint(const PosePair& poses) const {
  return FindContact(*point_pair_, Compose(poses.X_WA, X_AP_), Compose(poses.X_WB, X_BQ_));
}

ShapesContact ContactShapes::Find(const PosePair& poses, const Vector3d& last_normal_W,
                                  double tolerance) const {
  ShapesContact found;
  if (point_pair_) {
    const PointContact contact = FindPoint(poses);
    found.geometry = contact.geometry;
    found.gap = contact.gap;
    return found;
  }
  ValidatePose(poses.X_WA, "the pose of A");
  ValidatePose(poses.X_WB, "the pose of B");
  found.gap = DistanceOf(BoundsAt(poses.X_WA, bounds_A_), BoundsAt(poses.X_WB, bounds_B_));
  if (found.gap > 0.0) return found;
  QueryOptions options;
  options.tolerance = tolerance;
  options.bound_distance = options.bound_volume = false;
  // Along the area vector its length is the area.
  options.contact_area = direction_ == ContactDirection::kEigenvector;
  const Metrics metrics = pair_->Query(poses.X_WA, poses.X_WB, options);
  found.converged = metrics.converged;
  found.geometry = GeometryOf(metrics, direction_, last_normal_W);
  found.gap = metrics.overlap ? -std::cbrt(metrics.volume) : kUnknownGap;
  return found;
}

double ContactShapes::Gap(const PosePair& poses, const ShapesContact& found) const {
  // Boxes that are apart are enough: only the sign makes an event.
  if (point_pair_ || found.gap != kUnknownGap) return found.gap;
  return std::max(kUnknownGap, pair_->DistanceBound(poses.X_WA, poses.X_WB));
}

std::vector<PressureSample> ContactShapes::Pressure(const PosePair& poses,
                                                    const ContactGeometry& geometry,
                                                    const Vector3d& velocity_W, double spin,
                                                    double tolerance) const {
  QueryOptions options;
  options.tolerance = std::max(tolerance, kPressureTolerance);
  return SlidingPressure(*pair_, poses.X_WA, poses.X_WB, geometry, velocity_W, spin, options);
}

ContactGeometry ContactShapes::Derivative(const PosePair& poses, const ShapesMotion& motion,
                                          double tolerance) const {
  return point_pair_ ? PointDerivative(poses, motion) : SolidsDerivative(poses, motion, tolerance);
}

// All moves with B, and A against B besides, about the centroid as the Hessian's chart has it.
ContactGeometry ContactShapes::SolidsDerivative(const PosePair& poses, const ShapesMotion& motion,
                                                double tolerance) const {
  QueryOptions options;
  options.tolerance = tolerance;
  options.bound_distance = options.bound_volume = options.contact_area = false;
  options.hessian = true;
  options.check_hessian = false;
  const Metrics metrics = pair_->Query(poses.X_WA, poses.X_WB, options);
  ContactGeometry rate;
  if (!metrics.overlap) return rate;
  if (needs_area_ && direction_ == ContactDirection::kEigenvector) {
    throw InvalidInput("the projected area of a contact along the eigenvector has no derivative");
  }
  const ContactGeometryDerivatives by_motion = DerivativesOf(metrics, direction_);
  rate.touching = true;
  const Vector3d& p = metrics.centroid_W;
  const Vector3d d_B = motion.d_B + motion.w_B.cross(p - poses.X_WB.t);
  const Vector3d d_A = motion.d_A + motion.w_A.cross(p - poses.X_WA.t);
  Vector6 x;
  x << d_A - d_B, motion.w_A - motion.w_B;
  const Vector3d n =
      direction_ == ContactDirection::kEigenvector ? metrics.normal_W : metrics.area_normal_W;
  const Matrix3d turn = CrossOf(motion.w_B);
  rate.point_W = d_B;
  rate.normal_W = motion.w_B.cross(n);
  rate.inertia_W = turn * metrics.inertia_W - metrics.inertia_W * turn;
  for (int i = 0; i < 6; ++i) {
    const ContactGeometry& by = by_motion[static_cast<std::size_t>(i)];
    rate.volume += x[i] * by.volume;
    rate.point_W += x[i] * by.point_W;
    rate.normal_W += x[i] * by.normal_W;
    rate.inertia_W += x[i] * by.inertia_W;
    rate.contact_area += x[i] * by.contact_area;
  }
  return rate;
}

ContactGeometry ContactShapes::PointDerivative(const PosePair& poses,
                                               const ShapesMotion& motion) const {
  const double radius =
      std::visit([](const auto& pair) { return pair.sphere_radius; }, *point_pair_);
  const double size = std::max({motion.d_A.norm(), motion.d_B.norm(), radius * motion.w_A.norm(),
                                radius * motion.w_B.norm()});
  ContactGeometry rate;
  if (!FindPoint(poses).geometry.touching) return rate;
  rate.touching = true;
  if (size == 0.0) return rate;
  // No further than the contact reaches.
  const double depth = FindPoint(poses).geometry.depth;
  const double step = kPointStep * std::min(depth, radius) / size;
  const auto at = [&](double s) {
    return FindPoint({Moved(poses.X_WA, s * motion.d_A, s * motion.w_A),
                      Moved(poses.X_WB, s * motion.d_B, s * motion.w_B)})
        .geometry;
  };
  const ContactGeometry after = at(step), before = at(-step);
  rate.point_W = (after.point_W - before.point_W) / (2.0 * step);
  rate.normal_W = (after.normal_W - before.normal_W) / (2.0 * step);
  rate.depth = (after.depth - before.depth) / (2.0 * step);
  return rate;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
