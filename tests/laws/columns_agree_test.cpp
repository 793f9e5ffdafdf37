// Columns, when they are asked for, check sums over the boundary: both answer the same.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "volcontact/volcontact.h"

namespace volcontact {
namespace {

// A cone's rim on the edge of a box: a sliver with a far tip.
TEST(ColumnsAgree, SliverWithAFarTip) {
  const PreparedPair pair(Cone(0.5, 1.0, 0.2), Box({0.9, 0.8, 0.7}));
  Pose X_AB;
  X_AB.t = {1.0079828168992779, -0.22370446612217657, 0.44365664676017547};
  X_AB.q = {-0.09037286311839389, 0.39541983289146604, 0.50210370454485787, 0.76378516040192823};
  QueryOptions options;
  options.tolerance = 1e-10;
  options.method = Method::kColumns;
  const Metrics columns = pair.QueryRelative(X_AB, options);
  options.method = Method::kBoundary;
  const Metrics boundary = pair.QueryRelative(X_AB, options);
  ASSERT_TRUE(boundary.converged);
  EXPECT_EQ(columns.method, Method::kColumns);
  EXPECT_EQ(boundary.method, Method::kBoundary);
  EXPECT_NEAR(columns.volume, boundary.volume, 1e-9 * boundary.volume);
  EXPECT_NEAR(columns.contact_area, boundary.contact_area, 1e-5 * boundary.contact_area);
}

Eigen::Vector3d RandomVector(std::mt19937* random) {
  std::normal_distribution<double> normal;
  return {normal(*random), normal(*random), normal(*random)};
}

// Shallow contacts at random poses, the volume within the certified bracket of the other.
TEST(ColumnsAgree, ShallowContactsAtRandomPoses) {
  std::mt19937 random(7);
  const Solid others[] = {Box({0.9, 0.8, 0.7}), Cylinder(0.4, 0.9)};
  for (int k = 0; k < 60; ++k) {
    SCOPED_TRACE(k);
    const PreparedPair pair(Cone(0.5, 1.0, 0.2), others[k % 2]);
    const Eigen::Vector3d direction = RandomVector(&random).normalized();
    Pose X_AB;
    const Eigen::Vector3d axis = RandomVector(&random).normalized();
    X_AB.q = {0.6, 0.8 * axis.x(), 0.8 * axis.y(), 0.8 * axis.z()};
    const double depth = std::pow(10.0, -2 - 2 * (k % 3));
    double low = 0.0, high = 3.0;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (low + high);
      X_AB.t = Eigen::Vector3d(0.0, 0.0, 0.5) + middle * direction;
      (pair.Overlaps(Pose{}, X_AB) == OverlapProof::kOverlap ? low : high) = middle;
    }
    X_AB.t = Eigen::Vector3d(0.0, 0.0, 0.5) + (low - depth) * direction;
    QueryOptions options;
    options.tolerance = 1e-6;
    options.method = Method::kColumns;
    const Metrics columns = pair.QueryRelative(X_AB, options);
    options.method = Method::kBoundary;
    options.tolerance = 1e-8;
    const Metrics boundary = pair.QueryRelative(X_AB, options);
    ASSERT_TRUE(boundary.volume_bounds.has_value());
    const auto [lower, upper] = *boundary.volume_bounds;
    EXPECT_GE(columns.volume, lower * (1.0 - 1e-6));
    EXPECT_LE(columns.volume, upper * (1.0 + 1e-6));
    EXPECT_NEAR(columns.volume, boundary.volume, 2e-6 * boundary.volume);
  }
}

}  // namespace
}  // namespace volcontact
