// Work of the elastic force around closed loops of A's pose: none on a plane along the area vector,
// some between curved bodies, much along an eigenvector at an edge.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::elastic_work_test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;

struct Loop {
  double work = 0.0;    // around it, per stiffness [m⁴]
  double energy = 0.0;  // of the greatest excursion on the way
};

// The work k V n·dp_c of a closed path of poses, by the trapezoidal rule, which converges
// spectrally for periodic integrands; velocities by central differences.
Loop WorkAround(const Solid& A, const Solid& B, ContactDirection direction,
                const std::function<Pose(double)>& path, int steps) {
  const PreparedPair pair(A, B);
  const QueryOptions options{.tolerance = 1e-10};
  Loop loop;
  double low = 0.0, high = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double s = static_cast<double>(i) / steps, ds = 1e-4;
    const Pose X = path(s), ahead = path(s + ds), behind = path(s - ds);
    const Metrics metrics = pair.Query(X, Pose(), options);
    if (!metrics.overlap) continue;
    const ContactGeometry geometry = GeometryOf(metrics, direction);
    const Vector3d p_A = X.Rotation().transpose() * (geometry.point_W - X.t);
    const Vector3d v = ((ahead * p_A) - (behind * p_A)) / (2.0 * ds);
    loop.work += geometry.volume * geometry.normal_W.dot(v) / steps;
    low = std::min(low, loop.work);
    high = std::max(high, loop.work);
  }
  loop.energy = high - low;
  return loop;
}

Pose At(const Vector3d& t, const Quaterniond& q) { return {t, {q.w(), q.x(), q.y(), q.z()}}; }

// A box that rocks over a corner and an edge while it goes up and down.
Pose Rocking(double s) {
  const double a = 2.0 * kPi * s;
  const Quaterniond q = Quaterniond(Eigen::AngleAxisd(0.5 + 0.2 * std::cos(a), Vector3d::UnitX())) *
                        Eigen::AngleAxisd(0.4 + 0.2 * std::sin(a), Vector3d::UnitY());
  return At({0.02 * std::sin(a), 0.0, 0.085 + 0.008 * std::sin(2.0 * a)}, q);
}

TEST(ElasticWork, OnAPlaneIsNoneAlongTheAreaVector) {
  const Solid box = Box(Vector3d(0.2, 0.14, 0.1));
  const Loop area = WorkAround(box, HalfSpace(), ContactDirection::kAreaVector, Rocking, 1000);
  const Loop eigenvector =
      WorkAround(box, HalfSpace(), ContactDirection::kEigenvector, Rocking, 1000);
  std::printf("around a loop on a plane: %.1e along the area vector, %.1e along the eigenvector\n",
              area.work / area.energy, eigenvector.work / eigenvector.energy);
  EXPECT_LT(std::abs(area.work), 1e-7 * area.energy);
  EXPECT_GT(std::abs(eigenvector.work), 1e-2 * eigenvector.energy);
}

// A ball led along an ellipsoid to its sharper end, deep, and back less deep: the counter-example
// of theory.md. Two balls have a potential.
TEST(ElasticWork, BetweenCurvedBodiesIsSomePercent) {
  const auto path = [](double r_x, double r_z) {
    return [=](double s) {
      const double a = 2.0 * kPi * s, t = 0.7 + 0.4 * std::sin(a);
      const double depth = 0.01 + 0.006 * std::cos(a);
      return At({(r_x + 0.05 - depth) * std::sin(t), 0.0, (r_z + 0.05 - depth) * std::cos(t)},
                Quaterniond::Identity());
    };
  };
  const Loop balls =
      WorkAround(Sphere(0.05), Sphere(0.1), ContactDirection::kAreaVector, path(0.1, 0.1), 400);
  const Loop ellipsoid = WorkAround(Sphere(0.05), Ellipsoid(Vector3d(0.15, 0.1, 0.1)),
                                    ContactDirection::kAreaVector, path(0.15, 0.1), 400);
  std::printf("around a loop: two balls %.1e, ball and ellipsoid %.1e\n", balls.work / balls.energy,
              ellipsoid.work / ellipsoid.energy);
  EXPECT_LT(std::abs(balls.work), 1e-6 * balls.energy);
  EXPECT_GT(std::abs(ellipsoid.work), 1e-2 * ellipsoid.energy);
  EXPECT_LT(std::abs(ellipsoid.work), 0.1 * ellipsoid.energy);
}

}  // namespace
}  // namespace volcontact::elastic_work_test
