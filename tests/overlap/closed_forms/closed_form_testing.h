// What the tests of the closed forms share.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <optional>

#include "math/rigid.h"
#include "overlap/closed_forms/closed_form.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {

/// Metrics of an overlap in A's frame, with the centroid counted from a given point.
struct Overlap {
  double volume = 0.0, lower = 0.0, upper = 0.0, distance = 0.0, projected = 0.0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  // about the centroid
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
};

inline Overlap Finish(const ClosedFormResult& result, const Vector3dd& reference) {
  Overlap o;
  const RawMetrics& raw = result.raw;
  o.volume = raw.moments.volume;
  o.lower = result.volume_lower;
  o.upper = result.volume_upper;
  o.distance = result.distance;
  o.projected = raw.projected_area;
  if (o.volume == 0.0) return o;
  o.frame = raw.X_AC.RotationDouble();
  const Eigen::Vector3d c = raw.moments.Centroid();
  const Vector3dd p = raw.X_AC * ToDoubleDouble(c);
  for (int i = 0; i < 3; ++i) o.centroid[i] = (p[i] - reference[i]).hi;
  o.inertia = o.frame * raw.moments.CentralInertia() * o.frame.transpose();
  o.area = o.frame * raw.area;
  o.torque = o.frame * (raw.torque - c.cross(raw.area));
  return o;
}

/// nullopt where there is no closed form for the pair or the pose.
inline std::optional<Overlap> Evaluate(const Solid& A, const Solid& B, const Rigid& X_AB,
                                       const Vector3dd& reference = {}) {
  const auto form = ClosedForm::Prepare(A, B);
  if (!form) return std::nullopt;
  const auto result = form->Evaluate(X_AB);
  if (!result) return std::nullopt;
  return Finish(*result, reference);
}

/// Quaternion of unit length to rounding.
inline Pose MakePoseAxisAngle(const Eigen::Vector3d& t, const Eigen::Vector3d& axis, double angle) {
  const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, axis.normalized()));
  return {t, {q.w(), q.x(), q.y(), q.z()}};
}

/// Expects equality up to `tolerance` of the volume, of the patch's size, and so on.
inline void ExpectNear(const Overlap& actual, const Overlap& expected, double tolerance) {
  EXPECT_NEAR(actual.volume, expected.volume, tolerance * expected.volume);
  EXPECT_LE(actual.lower, expected.volume * (1.0 + 1e-15));
  EXPECT_GE(actual.upper, expected.volume * (1.0 - 1e-15));
  const double inertia = expected.inertia.norm();
  const double size = std::sqrt(inertia / expected.volume);
  EXPECT_LE((actual.centroid - expected.centroid).norm(), tolerance * size)
      << actual.centroid.transpose() << "  expected " << expected.centroid.transpose();
  EXPECT_LE((actual.inertia - expected.inertia).norm(), tolerance * inertia)
      << actual.inertia << "\nexpected\n"
      << expected.inertia;
  EXPECT_LE((actual.area - expected.area).norm(),
            tolerance * std::max(expected.area.norm(), expected.volume / size))
      << actual.area.transpose() << "  expected " << expected.area.transpose();
}

}  // namespace volcontact::testing
