// Masses of bodies of several parts with meshes among them, as assemblies are.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::mass_of_unions_test {
namespace {

using Eigen::Vector3d;

constexpr double kPi = 3.14159265358979323846;

Solid MeshOfBox(const Vector3d& low, const Vector3d& high) { return Mesh(BoxMesh(low, high, 3)); }

void ExpectMass(const Solid& solid, double volume, const Vector3d& centroid, double tolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  const MassProperties mass = ComputeMassProperties(solid, options);
  EXPECT_TRUE(mass.converged);
  EXPECT_NEAR(mass.volume, volume, tolerance * volume);
  EXPECT_LE((mass.centroid_W - centroid).norm(), tolerance * std::cbrt(volume));
  ASSERT_TRUE(mass.volume_bounds);
  EXPECT_LE((*mass.volume_bounds)[0], volume * (1.0 + 1e-14));
  EXPECT_GE((*mass.volume_bounds)[1], volume * (1.0 - 1e-14));
}

// Two meshes that overlap, a ball that touches neither and a pin flush with one.
TEST(MassOfUnions, CountsWhatTwoHaveInCommonOnce) {
  Random random(71);
  const std::vector<Solid> parts = {
      MeshOfBox({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}), MeshOfBox({0.5, 0.5, 0.5}, {2.0, 2.0, 2.0}),
      Sphere(0.5).Posed(Pose{{5.0, 0.0, 0.0}}), Cylinder(0.2, 1.0).Posed(Pose{{0.3, 0.3, -0.5}})};
  const double volumes[] = {1.0, 3.375, kPi / 6.0, 0.04 * kPi, -0.125};
  const Vector3d centers[] = {
      {0.5, 0.5, 0.5}, {1.25, 1.25, 1.25}, {5.0, 0.0, 0.0}, {0.3, 0.3, -0.5}, {0.75, 0.75, 0.75}};
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  for (int n = 0; n < 5; ++n) {
    volume += volumes[n];
    first += volumes[n] * centers[n];
  }
  const Pose X = random.PoseAt({0.3, -0.4, 0.2});
  for (const Pose& pose : {Pose(), X}) {
    ExpectMass(Union(parts).Posed(pose), volume, pose * Vector3d(first / volume), 1e-9);
  }
}

// Where three have volume in common other ways answer.
TEST(MassOfUnions, OfThreeThatMeet) {
  const Solid all = Union({MeshOfBox({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}),
                           MeshOfBox({0.5, 0.0, 0.0}, {1.5, 1.0, 1.0}),
                           Box({1.0, 1.0, 1.0}).Posed(Pose{{0.75, 0.75, 0.5}})});
  // Squares: 1.5, less the part of y > 1 that the third one, from 0.25 to 1.25, leaves free.
  ExpectMass(all, 1.5 + 0.25,
             Vector3d((1.5 * 0.75 + 0.25 * 0.75) / 1.75, (1.5 * 0.5 + 0.25 * 1.125) / 1.75, 0.5),
             1e-6);
}

}  // namespace
}  // namespace volcontact::testing::mass_of_unions_test
