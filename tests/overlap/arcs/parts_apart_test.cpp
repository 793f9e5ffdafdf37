#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <vector>

#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::parts_apart_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 20261128;

// Balls in the groove of a ring, each pressed into it by its own depth.
struct Bearing {
  double r = 0.0;
  std::vector<Solid> balls;
  Solid ring = Sphere(1.0);

  Bearing(Random* random, int count, double deepest) {
    const double R = random->Uniform(0.4, 0.8), groove = random->Uniform(0.09, 0.13);
    r = groove / random->Uniform(1.001, 1.06);
    ring = Difference(Cylinder(R + 2.0 * groove, 2.4 * groove),
                      {Cylinder(R, 3.0 * groove), Torus(R, groove)});
    for (int n = 0; n < count; ++n) {
      const double depth = deepest * std::pow(10.0, random->Uniform(-2.0, 0.0)) * r;
      const double around = 2.0 * pi * (n + random->Uniform(-0.2, 0.2)) / count;
      const double up = random->Uniform(0.1, 0.5), out = groove - r + depth;
      const double rho = R + out * std::cos(up);
      balls.push_back(Sphere(r).Posed(
          {{rho * std::cos(around), rho * std::sin(around), out * std::sin(up)}, Pose().q}));
    }
  }
};

ArcMethodResult Sum(const Solid& A, const Solid& B) {
  return SumEdgesOf(A, B, {.tolerance = 1e-8});
}

// All balls together have the volume, the area vector and its moment of all balls alone.
TEST(PartsApart, BallsInARaceAddUp) {
  Random random(kSeed);
  int without_cells = 0;
  for (int n = 0; n < 16; ++n) {
    const Bearing bearing(&random, 2 + n % 4, n % 2 == 0 ? 1e-2 : 1e-4);
    const ArcMethodResult all = Sum(Union(bearing.balls), bearing.ring);
    ASSERT_EQ(all.failure, ArcFailure::kNone) << n << ": " << Describe(all.failure);
    without_cells += all.cells == 0 ? 1 : 0;
    EXPECT_TRUE(all.raw.converged) << n;
    SumsInA sum;
    double contact_area = 0.0;
    for (const Solid& ball : bearing.balls) {
      const ArcMethodResult one = Sum(ball, bearing.ring);
      ASSERT_EQ(one.failure, ArcFailure::kNone) << n;
      sum.Add(1.0, one.raw);
      contact_area += one.raw.area.norm();
    }
    const SumsInA together(all.raw);
    EXPECT_NEAR(together.moments.volume, sum.moments.volume, 3e-8 * sum.moments.volume) << n;
    EXPECT_LE((together.moments.first - sum.moments.first).norm(), 3e-8 * sum.moments.volume) << n;
    EXPECT_LE((together.area - sum.area).norm(), 1e-7 * contact_area) << n;
    EXPECT_LE((together.torque - sum.torque).norm(), 1e-7 * contact_area) << n;
  }
  EXPECT_GE(without_cells, 12);
}

// A ball that touches nothing has a surface without edges that is no face; one inside of the ring's
// material has one that is.
TEST(PartsApart, SurfacesWithoutEdgesAreFacesOrNot) {
  Random random(kSeed + 1);
  for (int n = 0; n < 6; ++n) {
    Bearing bearing(&random, 3, 1e-3);
    const ArcMethodResult plain = Sum(Union(bearing.balls), bearing.ring);
    ASSERT_EQ(plain.failure, ArcFailure::kNone) << n;
    const double volume = plain.raw.moments.volume;
    bearing.balls.push_back(Sphere(0.5 * bearing.r));
    const ArcMethodResult beside = Sum(Union(bearing.balls), bearing.ring);
    ASSERT_EQ(beside.failure, ArcFailure::kNone) << n;
    EXPECT_NEAR(beside.raw.moments.volume, volume, 3e-8 * volume) << n;
    const double small = 0.1 * bearing.r;
    const Vector3d inside(0.0, bearing.ring.Bounds().max.y() - 2.0 * small, 0.0);
    bearing.balls.push_back(Sphere(small).Posed({inside, Pose().q}));
    const ArcMethodResult more = Sum(Union(bearing.balls), bearing.ring);
    const double all = volume + 4.0 / 3.0 * pi * small * small * small;
    ASSERT_EQ(more.failure, ArcFailure::kNone) << n;
    EXPECT_NEAR(more.raw.moments.volume, all, 1e-7 * all) << n;
  }
}

}  // namespace
}  // namespace volcontact::testing::parts_apart_test
