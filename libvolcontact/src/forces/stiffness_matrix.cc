#include "volcontact/forces/stiffness_matrix.h"

#include <Eigen/Geometry>

#include "forces/require.h"
#include "math/cross_matrix.h"
#include "volcontact/overlap/contact_normal.h"

VOLCONTACT_NAMESPACE_BEGIN

using Eigen::Vector3d;

namespace {

// Zero where there is none.
Vector3d DirectionOf(const Metrics& metrics, ContactDirection direction) {
  const double area = metrics.area_vector_W.norm();
  if (!metrics.overlap || area == 0.0) return Vector3d::Zero();
  return direction == ContactDirection::kEigenvector ? metrics.normal_W
                                                     : metrics.area_vector_W / area;
}

Matrix36 DerivativeOf(const Metrics& metrics, ContactDirection direction) {
  const Matrix36 area = -metrics.hessian_W->topRows<3>();
  if (direction == ContactDirection::kEigenvector) {
    return ContactNormalDerivative(metrics.inertia_W, metrics.area_vector_W,
                                   *metrics.inertia_derivative_W, area);
  }
  const double length = metrics.area_vector_W.norm();
  const Vector3d n = metrics.area_vector_W / length;
  return (area - n * (n.transpose() * area)) / length;
}

}  // namespace

Vector6 ElasticWrench(const Metrics& metrics, double stiffness, const Vector3d& point_W,
                      ContactDirection direction) {
  RequirePositive("stiffness", stiffness, "N/m^3");
  const Vector3d force = stiffness * metrics.volume * DirectionOf(metrics, direction);
  Vector6 wrench;
  wrench << force, (metrics.centroid_W - point_W).cross(force);
  return wrench;
}

Matrix6 ElasticWrenchDerivative(const Metrics& metrics, double stiffness,
                                ContactDirection direction) {
  RequirePositive("stiffness", stiffness, "N/m^3");
  if (!metrics.overlap) return Matrix6::Zero();
  if (!metrics.hessian_W || !metrics.centroid_derivative_W || !metrics.inertia_derivative_W) {
    throw InvalidInput(
        "the metrics have no Hessian; set QueryOptions::hessian, or read in metrics.warnings why "
        "there is none");
  }
  const Vector3d n = DirectionOf(metrics, direction);
  if (n.isZero()) throw InvalidInput("the area vector is zero: the force has no direction");
  Vector6 volume;
  volume << -metrics.area_vector_W, -metrics.area_moment_W;
  const Vector3d force = stiffness * metrics.volume * n;
  Matrix6 result;
  result << stiffness *
                (n * volume.transpose() + metrics.volume * DerivativeOf(metrics, direction)),
      -CrossMatrix(force) * *metrics.centroid_derivative_W;
  return result;
}

VOLCONTACT_NAMESPACE_END
