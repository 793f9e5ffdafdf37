// Certified boxes around regions whose parts are unbounded.
#include "overlap/cells/bound_region.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "overlap/region_testing.h"

namespace volcontact::testing::bound_region_test {
namespace {

using Eigen::Vector3d;

const double kInfinity = std::numeric_limits<double>::infinity();

Solid Paraboloid() {  // z >= x² + y²
  Eigen::Matrix4d Q = Eigen::Matrix4d::Zero();
  Q(0, 0) = Q(1, 1) = 1.0;
  Q(2, 3) = Q(3, 2) = -0.5;
  return Quadric(Q);
}

struct Case {
  const char* name;
  SurfaceSet set;
  Aabb tightest;
};

std::vector<Case> BoundedCases() {
  std::vector<Case> cases;
  cases.push_back({"cylinder across slab",
                   RegionOf(InfiniteCylinder(1), Slab(1)),
                   {{-1, -1, -0.5}, {1, 1, 0.5}}});
  cases.push_back(
      {"two crossed cylinders",
       RegionOf(InfiniteCylinder(1), InfiniteCylinder(0.5).Posed(PoseAt(0, 0, 0, 1, 0, 0))),
       {{-0.5, -1, -0.5}, {0.5, 1, 0.5}}});
  // The ellipse's plane section reaches x² + y² = 2 + slope·r.
  cases.push_back({"paraboloid under a plane",
                   RegionOf(Paraboloid(), HalfSpace(), PoseAt(0, 0, 2)),
                   {{-std::sqrt(2), -std::sqrt(2), 0}, {std::sqrt(2), std::sqrt(2), 2}}});
  cases.push_back({"three slabs",
                   RegionOf(Slab(1), Intersection({Slab(2).Posed(PoseAt(0, 0, 0, 1, 0, 0)),
                                                   Slab(3).Posed(PoseAt(0, 0, 0, 0, 1, 0))})),
                   {{-1.5, -1, -0.5}, {1.5, 1, 0.5}}});
  cases.push_back({"ball far away",
                   RegionOf(Sphere(1).Posed(PoseAt(100, -200, 50)), HalfSpace(), PoseAt(0, 0, 50)),
                   {{99, -201, 49}, {101, -199, 50}}});
  cases.push_back(
      {"wedge closed by planes",
       RegionOf(
           Intersection({HalfSpace(), Complement(HalfSpace().Posed(PoseAt(0, 0, -1, 0, 0.1, 0)))}),
           Intersection(
               {Slab(1).Posed(PoseAt(0, 0, 0, 1, 0, 0)), Slab(2).Posed(PoseAt(0, 0, 0, 0, 1, 0))})),
       {{-1, -0.5, -1.2021}, {1, 0.5, 0}}});
  cases.push_back({"small cylinder in a large slab",
                   RegionOf(InfiniteCylinder(1e-3).Posed(PoseAt(5, 0, 0)), Slab(0.1)),
                   {{4.999, -1e-3, -0.05}, {5.001, 1e-3, 0.05}}});
  return cases;
}

TEST(BoundRegion, HoldsBoundedRegionsTightly) {
  for (const Case& c : BoundedCases()) {
    SCOPED_TRACE(c.name);
    const auto box = BoundRegion(c.set, Aabb::Everything());
    ASSERT_TRUE(box.has_value());
    const double size = c.tightest.HalfExtents().maxCoeff();
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(box->min[i], c.tightest.min[i] + 1e-4 * size);
      EXPECT_GE(box->max[i], c.tightest.max[i] - 1e-4 * size);
    }
    EXPECT_LT(box->HalfExtents().prod(), 200.0 * c.tightest.HalfExtents().prod());
  }
}

// Random oblique cylinders cut by random slabs: all points of the region on rays from an inner
// point must be in the box.
TEST(BoundRegion, HoldsObliqueCylindersInSlabs) {
  std::mt19937 random(3);
  const auto number = [&] { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); };
  for (int trial = 0; trial < 200; ++trial) {
    const Pose p =
        PoseAt(10 * number(), 10 * number(), 10 * number(), number(), number(), number());
    const Pose q = PoseAt(p.t.x(), p.t.y(), p.t.z(), number(), number(), number());
    const Vector3d axis = p.Rotation().col(2), normal = q.Rotation().col(2);
    const double cosine = std::abs(axis.dot(normal));
    if (cosine < 0.01) continue;
    const SurfaceSet set = RegionOf(InfiniteCylinder(0.5).Posed(p), Slab(1.0).Posed(q));
    const auto box = BoundRegion(set, Aabb::Everything());
    ASSERT_TRUE(box.has_value()) << trial;
    for (int k = 0; k < 100; ++k) {
      const double angle = 3.0 * (k + number()), side = k % 2 == 0 ? 0.499 : -0.499;
      Vector3d x = p.Rotation() * Vector3d(0.499 * std::cos(angle), 0.499 * std::sin(angle), 0.0);
      x += axis * ((side - x.dot(normal)) / axis.dot(normal));
      x += p.t;
      ASSERT_TRUE((x.array() >= box->min.array()).all() && (x.array() <= box->max.array()).all());
    }
  }
}

TEST(BoundRegion, SaysNothingAboutUnboundedRegions) {
  const Pose tilt = PoseAt(0, 0, 0, 0.3, 0.4, 0.5);
  EXPECT_FALSE(BoundRegion(RegionOf(HalfSpace(), HalfSpace().Posed(tilt)), Aabb::Everything()));
  EXPECT_FALSE(BoundRegion(RegionOf(Slab(1), Slab(1).Posed(tilt)), Aabb::Everything()));
  EXPECT_FALSE(
      BoundRegion(RegionOf(InfiniteCylinder(1), HalfSpace().Posed(tilt)), Aabb::Everything()));
  EXPECT_FALSE(BoundRegion(RegionOf(InfiniteCylinder(1), InfiniteCylinder(2)), Aabb::Everything()));
  EXPECT_FALSE(BoundRegion(RegionOf(Paraboloid(), Complement(Sphere(1))), Aabb::Everything()));
  EXPECT_FALSE(
      BoundRegion(RegionOf(Complement(Sphere(1)), Complement(Sphere(2))), Aabb::Everything()));
}

TEST(BoundRegion, UsesTheHint) {
  const SurfaceSet half_cylinder = RegionOf(InfiniteCylinder(1), HalfSpace());
  Aabb hint;
  EXPECT_FALSE(BoundRegion(half_cylinder, hint));
  hint.min = {-5, -kInfinity, -3};
  const auto box = BoundRegion(half_cylinder, hint);
  ASSERT_TRUE(box);
  EXPECT_GE(box->min.x(), -5.0);
  EXPECT_GE(box->min.z(), -3.0);
  EXPECT_LE(box->max.y(), 2.0);
  // A bounded or empty hint is the answer.
  hint = {{-1, -2, -3}, {1, 2, 3}};
  EXPECT_EQ(BoundRegion(half_cylinder, hint)->min, hint.min);
  EXPECT_TRUE(BoundRegion(half_cylinder, Aabb::Nothing())->IsEmpty());
}

TEST(BoundRegion, KnowsEmptyRegions) {
  SurfaceSet constant;
  constant.expression = Expression::Constant(false);
  EXPECT_TRUE(BoundRegion(constant, Aabb::Everything())->IsEmpty());
  constant.expression = Expression::Constant(true);
  EXPECT_FALSE(BoundRegion(constant, Aabb::Everything()));
  const SurfaceSet apart = RegionOf(Sphere(1), HalfSpace(), PoseAt(0, 0, -5));
  const auto box = BoundRegion(apart, Aabb::Everything());
  ASSERT_TRUE(box);
  EXPECT_TRUE(box->IsEmpty());
}

}  // namespace
}  // namespace volcontact::testing::bound_region_test
