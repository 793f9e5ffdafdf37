#include "overlap/cells/operands/operand_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "overlap/region_testing.h"
#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::operand_split_test {
namespace {

using Eigen::Vector3d;

Solid BallAt(double radius, const Vector3d& p) {
  return Sphere(radius).Posed(PoseAt(p.x(), p.y(), p.z()));
}

// Whether a point given in A lies in a frame's box.
bool Holds(const LocalFrame& frame, const Vector3d& p_A) {
  const Vector3d p = Round(frame.X_AC.Inverse() * ToDoubleDouble(p_A));
  return (p.cwiseAbs().array() <= frame.half.array()).all();
}

// A plate with its top at z = 0, and balls that dip into it by some depths.
struct BallsOnPlate {
  std::vector<Vector3d> centers;
  std::vector<double> depths;
  SurfaceSet set;
  Aabb box;

  BallsOnPlate(Random* random, int count) {
    const Solid plate = Box({90.0, 9.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5));
    std::vector<Solid> balls;
    for (int n = 0; n < count; ++n) {
      const double depth = std::pow(10.0, random->Uniform(-8.0, -1.0));
      depths.push_back(depth);
      centers.push_back({n - 0.5 * count, random->Uniform(-0.3, 0.3), 0.4 - depth});
      balls.push_back(BallAt(0.4, centers.back()));
    }
    const Solid all = Union(balls);
    set = RegionOf(plate, all);
    box = Intersect(plate.Bounds(), all.Bounds());
  }
};

TEST(OperandSplit, FindsEachBallOnAPlateWithItsOwnSurfaces) {
  Random random(51);
  OperandSplit split;
  for (const int count : {2, 5, 12, 40}) {
    const BallsOnPlate scene(&random, count);
    ASSERT_TRUE(split.Run(scene.set, scene.box));
    ASSERT_EQ(split.size(), static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) {
      const Vector3d lowest = scene.centers[n] - Vector3d(0.0, 0.0, 0.4);
      const double rim = std::sqrt(0.16 - scene.centers[n].z() * scene.centers[n].z());
      int holding = 0;
      for (std::size_t k = 0; k < split.size(); ++k) {
        const OperandSplit::Region& region = split[k];
        const bool holds =
            Holds(region.frame, 0.5 * (lowest + Vector3d(lowest.x(), lowest.y(), 0)));
        holding += holds ? 1 : 0;
        if (!holds) continue;
        // All of the cap, and little more; one ball, and at most the plate and a fence.
        for (const double side : {-0.999, 0.999}) {
          const Vector3d at(lowest.x() + side * rim, lowest.y(), -1e-3 * scene.depths[n]);
          EXPECT_TRUE(Holds(region.frame, at));
        }
        EXPECT_LT(region.frame.half.minCoeff(), 3.0 * scene.depths[n]);
        EXPECT_EQ(std::count_if(region.set.surfaces.begin(), region.set.surfaces.end(),
                                [](const SurfacePolynomial& psi) { return psi.degree == 2; }),
                  region.set.surfaces.size() > 7 ? 2 : 1);
      }
      EXPECT_EQ(holding, 1);
    }
  }
}

TEST(OperandSplit, KeepsWhatMeetsTogetherAndDropsWhatDoesNotTouch) {
  const Solid plate = Box({90.0, 9.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5));
  const auto balls = [](const std::vector<Vector3d>& centers) {
    std::vector<Solid> all;
    for (const Vector3d& p : centers) all.push_back(BallAt(0.4, p));
    return Union(all);
  };
  OperandSplit split;
  const auto run = [&](const std::vector<Vector3d>& centers) {
    const Solid B = balls(centers);
    return split.Run(RegionOf(plate, B), Intersect(plate.Bounds(), B.Bounds()));
  };
  // Two that overlap within the plate, and one apart.
  ASSERT_TRUE(run({{0.0, 0.0, 0.2}, {0.5, 0.0, 0.2}, {3.0, 0.0, 0.3}}));
  EXPECT_EQ(split.size(), 2u);
  // Two that overlap above the plate only.
  ASSERT_TRUE(run({{0.0, 0.0, 0.39}, {0.7, 0.0, 0.39}}));
  EXPECT_EQ(split.size(), 2u);
  // One that hovers.
  EXPECT_FALSE(run({{0.0, 0.0, 0.2}, {3.0, 0.0, 0.41}}));
  EXPECT_FALSE(run({{0.0, 0.0, 0.2}, {0.5, 0.0, 0.2}}));
}

// Chains of balls, listed so that groups of several are joined to each other last.
TEST(OperandSplit, KeepsEveryOperandWhenGroupsJoin) {
  const Solid plate = Box({90.0, 9.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5));
  Random random(8);
  OperandSplit split;
  for (int run = 0; run < 20; ++run) {
    SCOPED_TRACE(run);
    std::vector<Vector3d> centers;
    for (int n = 0; n < 12; ++n) centers.push_back({0.5 * n, 0.0, 0.2});
    for (std::size_t n = centers.size() - 1; n > 0; --n) {
      std::swap(centers[n], centers[static_cast<std::size_t>(random.Uniform(0.0, n + 1.0))]);
    }
    centers.insert(centers.begin() + 5, {-9.0, 0.0, 0.2});
    std::vector<Solid> balls;
    for (const Vector3d& p : centers) balls.push_back(BallAt(0.4, p));
    const Solid B = Union(balls);
    ASSERT_TRUE(split.Run(RegionOf(plate, B), Intersect(plate.Bounds(), B.Bounds())));
    ASSERT_EQ(split.size(), 2u);
    for (const Vector3d& p : centers) {
      const Vector3d within(p.x(), p.y(), -0.1);
      EXPECT_EQ(Holds(split[0].frame, within) + Holds(split[1].frame, within), 1);
    }
  }
}

TEST(OperandSplit, LeavesFlushFacesAndSinglesAlone) {
  OperandSplit split;
  const Solid plate = Box({90.0, 9.0, 1.0}).Posed(PoseAt(0.0, 0.0, -0.5));
  const auto run = [&](const Solid& A, const Solid& B) {
    return split.Run(RegionOf(A, B), Intersect(A.Bounds(), B.Bounds()));
  };
  EXPECT_FALSE(run(plate, BallAt(0.4, {0.0, 0.0, 0.3})));
  // Posts from the plate's lower side up.
  const auto post = [](double x) { return Box({0.2, 0.2, 3.0}).Posed(PoseAt(x, 0.0, 0.5)); };
  EXPECT_FALSE(run(plate, Union({post(-2.0), post(2.0)})));
}

}  // namespace
}  // namespace volcontact::testing::operand_split_test
