// The pressure of a patch, sampled for the directions of its velocities.
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "volcontact/forces/friction.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// If the centre of rotation is this many deviations of the pressure away, directions differ so
// little over the patch that second moments suffice, to the fourth power of one over this.
constexpr double kFar = 10.0;

// The second moments of the pressure across n, over the volume [m²].
Matrix3d SpreadOf(const ContactGeometry& geometry) {
  const Vector3d& n = geometry.normal_W;
  const Matrix3d across = Matrix3d::Identity() - n * n.transpose();
  const Matrix3d second =
      0.5 * geometry.inertia_W.trace() * Matrix3d::Identity() - geometry.inertia_W;
  return across * second * across / geometry.volume;
}

// Four points with the moments of the pressure up to the second.
std::vector<PressureSample> ByMoments(const Matrix3d& spread) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(spread);
  std::vector<PressureSample> pressure;
  for (const int axis : {1, 2}) {
    const double variance = std::max(0.0, solver.eigenvalues()[axis]);
    const Vector3d offset = std::sqrt(2.0 * variance) * solver.eigenvectors().col(axis);
    pressure.push_back({offset, 0.25});
    pressure.push_back({-offset, 0.25});
  }
  return pressure;
}

}  // namespace

std::vector<PressureSample> SlidingPressure(const PreparedPair& pair, const Pose& X_WA,
                                            const Pose& X_WB, const ContactGeometry& geometry,
                                            const Vector3d& velocity_W, double spin,
                                            const QueryOptions& options) {
  if (spin == 0.0) return {{Vector3d::Zero(), 1.0}};
  const Matrix3d spread = SpreadOf(geometry);
  const Vector3d center = geometry.normal_W.cross(velocity_W) / spin;
  if (!(center.squaredNorm() < kFar * kFar * spread.trace())) return ByMoments(spread);
  return PressureOf(
      pair.SampleVolumeAbout({geometry.point_W + center, geometry.normal_W}, X_WA, X_WB, options),
      geometry);
}

VOLCONTACT_NAMESPACE_END
