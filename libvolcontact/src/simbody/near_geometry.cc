#include "simbody/near_geometry.h"

#include <algorithm>
#include <cmath>

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;

// As a Hessian has it: of A's point at p while B stays, and the rotation about it.
Vector6 MotionOf(const BodyMove& A, const BodyMove& B, const Vector3d& p) {
  const Eigen::AngleAxisd turn(B.turn.conjugate() * A.turn);
  Vector6 motion;
  motion << B.Back(A * p) - p, turn.angle() * turn.axis();
  return motion;
}

// Where derivatives are not known: the patch goes with both bodies' mean.
ContactGeometry WithoutHessian(const NearbyContact& nearby, const Vector6& motion) {
  ContactGeometry moved = nearby.geometry();
  const Vector3d turn = motion.tail<3>();
  moved.volume = nearby.Volume(motion);
  moved.point_W +=
      0.5 * motion.head<3>() - moved.normal_W.cross(nearby.tilting() * turn) / moved.volume;
  return moved;
}

// How far the bodies have parted along the direction in which they part, to second order: where
// surfaces roll or slide on each other, they do not, though they move.
double PartedBy(const NearbyContact& nearby, const Matrix6& hessian, const Vector6& motion) {
  const double p = nearby.exponent(), reach = nearby.reach();
  const double s = nearby.parting().dot(motion);
  const double bend = nearby.compression() * p * (p - 1.0) / (reach * reach);
  return s - 0.5 * (motion.dot(hessian * motion) - bend * s * s) / nearby.slope();
}

void Add(const ContactGeometry& rate, double by, ContactGeometry* to) {
  to->point_W += by * rate.point_W;
  to->normal_W += by * rate.normal_W;
  to->inertia_W += by * rate.inertia_W;
  to->contact_area += by * rate.contact_area;
  to->gyration_radius += by * rate.gyration_radius;
}

// Of the depth, by which bodies may come nearer and what is known still tells: a contact that has
// just begun may be less deep than rounding is.
constexpr double kDeeper = 4.0;

// The power law of the volume, which comes to zero and stays there; from some times the depth on,
// where it would be no more than a guess, along its tangent.
double VolumeWhenPartedBy(const NearbyContact& nearby, double parted) {
  const double p = nearby.exponent(), left = std::max(1.0 - parted / nearby.reach(), 0.0);
  const double known = std::min(left, 1.0 + kDeeper);
  return nearby.compression() *
         (std::pow(known, p) + p * std::pow(known, p - 1.0) * (left - known));
}

// Everything but the volume changes with the gap to second order, beside it to first, as far as
// that is known.
ContactGeometry WithHessian(const NearPatch& patch, const Vector6& motion) {
  const NearbyContact& nearby = patch.nearby;
  const double parted = PartedBy(nearby, *patch.hessian, motion);
  Vector6 counted = motion;
  counted.head<3>() += (parted - nearby.parting().dot(motion)) * nearby.parting().head<3>();
  counted *= std::min(1.0, kDeeper * nearby.reach() / std::abs(parted));
  ContactGeometry moved = nearby.geometry();
  for (int i = 0; i < 6; ++i) Add(patch.rates[static_cast<std::size_t>(i)], counted[i], &moved);
  moved.volume = VolumeWhenPartedBy(nearby, parted);
  return moved;
}

}  // namespace

bool IsSecondOrder(const Metrics& overlap) {
  return overlap.hessian_W.has_value() && !overlap.area_normal_W.isZero();
}

NearPatch::NearPatch(const PatchMark& at, const Metrics& overlap, ContactDirection direction,
                     const Vector3d& last_normal_W)
    : mark(at), nearby(overlap, direction, last_normal_W) {
  if (!IsSecondOrder(overlap) || !nearby.geometry().touching) return;
  hessian = overlap.hessian_W;
  rates = DerivativesOf(overlap, direction);
}

ContactGeometry NearPatch::Moved(const BodyMove& A, const BodyMove& B) const {
  const Vector6 motion = MotionOf(A, B, nearby.geometry().point_W);
  ContactGeometry moved = hessian ? WithHessian(*this, motion) : WithoutHessian(nearby, motion);
  if (!(moved.volume > 0.0)) return {};
  moved.contact_area = std::max(moved.contact_area, 0.0);
  moved.gyration_radius = std::max(moved.gyration_radius, 0.0);
  moved.point_W = B * moved.point_W;
  moved.normal_W = (B.turn * moved.normal_W).normalized();
  const Eigen::Matrix3d R = B.turn.toRotationMatrix();
  moved.inertia_W = R * moved.inertia_W * R.transpose();
  return moved;
}

double NearPatch::ChangeBy(const BodyMove& A, const BodyMove& B) const {
  const Vector6 motion = MotionOf(A, B, nearby.geometry().point_W);
  const Vector3d &n = nearby.geometry().normal_W, d = motion.head<3>(), turn = motion.tail<3>();
  const double height = nearby.reach(), extent = nearby.geometry().gyration_radius;
  return std::max({std::abs(nearby.parting().dot(motion)) / height, turn.norm() * extent / height,
                   (d - n * n.dot(d)).norm() / extent});
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
