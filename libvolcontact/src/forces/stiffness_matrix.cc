#include "volcontact/forces/stiffness_matrix.h"

#include <Eigen/Geometry>

#include "forces/require.h"
#include "math/cross_matrix.h"

VOLCONTACT_NAMESPACE_BEGIN

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector6 ElasticWrench(const Metrics& metrics, double stiffness, const Vector3d& point_W) {
  RequirePositive("stiffness", stiffness, "N/m^3");
  Vector6 wrench = Vector6::Zero();
  const double area = metrics.area_vector_W.norm();
  if (!metrics.overlap || area == 0.0) return wrench;
  const Vector3d force = stiffness * metrics.volume / area * metrics.area_vector_W;
  wrench << force, (metrics.centroid_W - point_W).cross(force);
  return wrench;
}

Matrix6 ElasticWrenchDerivative(const Metrics& metrics, double stiffness) {
  RequirePositive("stiffness", stiffness, "N/m^3");
  if (!metrics.overlap) return Matrix6::Zero();
  if (!metrics.hessian_W || !metrics.centroid_derivative_W) {
    throw InvalidInput(
        "the metrics have no Hessian: ask for it with QueryOptions::hessian; where it was asked "
        "for, metrics.warnings tell why there is none");
  }
  const double area = metrics.area_vector_W.norm();
  if (!(area > 0.0)) {
    throw InvalidInput("the area vector is zero: the elastic force has no direction");
  }
  const Vector3d n = metrics.area_vector_W / area;
  const Vector3d force = stiffness * metrics.volume * n;
  Vector6 volume;
  volume << -metrics.area_vector_W, -metrics.area_moment_W;
  const Matrix3d across = (Matrix3d::Identity() - n * n.transpose()) / area;
  Matrix6 result;
  result << stiffness * (n * volume.transpose() -
                         metrics.volume * across * metrics.hessian_W->topRows<3>()),
      -CrossMatrix(force) * *metrics.centroid_derivative_W;
  return result;
}

VOLCONTACT_NAMESPACE_END
