// The area vector and its moment are the derivatives of the volume.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <string>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing::derivative_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 19871123;
// Volumes to 1e-9 over steps of 1e-4 of the size leave about 1e-5; the step squared is less, but
// corners that pass through faces within a step leave up to the step itself.
constexpr double kTolerance = 1e-9;
constexpr double kStep = 1e-4;
constexpr double kDerivativeTolerance = 1e-4;

// X turned by the rotation vector w about the point c, then moved by d.
Pose Perturbed(const Pose& X, const Vector3d& d, const Vector3d& w, const Vector3d& c) {
  const double angle = w.norm();
  if (angle == 0.0) return {X.t + d, X.q};
  const Eigen::AngleAxisd rotation(angle, w / angle);
  return MakePose(rotation * X.Rotation(), c + rotation * (X.t - c) + d);
}

class Derivative : public ::testing::TestWithParam<KindPair> {
 protected:
  // Central difference of the volume along a motion of A.
  static double Difference(const PreparedPair& prepared, const SolidPair& pair,
                           const Metrics& metrics, const Vector3d& d, const Vector3d& w) {
    QueryOptions options;
    options.tolerance = kTolerance;
    double volume[2];
    for (int side = 0; side < 2; ++side) {
      const double h = side == 0 ? kStep : -kStep;
      const Pose X_WA = Perturbed(pair.X_WA, h * d, h * w, metrics.centroid_W);
      volume[side] = prepared.Query(X_WA, pair.X_WB, options).volume;
    }
    return (volume[0] - volume[1]) / (2.0 * kStep);
  }
};

TEST_P(Derivative, OfTheVolumeByThePoseOfA) {
  Random random(kSeed);
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  const PreparedPair prepared(pair.A, pair.B);
  QueryOptions options;
  options.tolerance = 1e-8;
  const Metrics metrics = prepared.Query(pair.X_WA, pair.X_WB, options);
  ASSERT_TRUE(metrics.overlap);
  const Vector3d d = random.UnitVector(), w = random.UnitVector();
  const double size = TruthFrom(metrics, 0.0).Size();
  const double area = std::max(metrics.contact_area, metrics.volume / size);
  EXPECT_NEAR(Difference(prepared, pair, metrics, d, Vector3d::Zero()),
              -metrics.area_vector_W.dot(d), kDerivativeTolerance * area);
  EXPECT_NEAR(Difference(prepared, pair, metrics, Vector3d::Zero(), w),
              -metrics.area_moment_W.dot(w), kDerivativeTolerance * area * size);
}

// Octree and the shortcuts must agree on the derivatives far more closely than differences can
// tell.
TEST_P(Derivative, DoesNotDependOnTheMethod) {
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  const PreparedPair prepared(pair.A, pair.B);
  QueryOptions options;
  options.tolerance = 1e-8;
  const Metrics shortcut = prepared.Query(pair.X_WA, pair.X_WB, options);
  options.method = Method::kBoundary;
  const Metrics octree = prepared.Query(pair.X_WA, pair.X_WB, options);
  const double size = TruthFrom(shortcut, 0.0).Size();
  const double area = std::max(shortcut.contact_area, shortcut.volume / size);
  EXPECT_LE((shortcut.area_vector_W - octree.area_vector_W).norm(), 2e-7 * area);
  EXPECT_LE((shortcut.area_moment_W - octree.area_moment_W).norm(), 2e-7 * area * size);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Derivative, ::testing::ValuesIn(KindPairs()), KindPairName);

}  // namespace
}  // namespace volcontact::testing::derivative_test
