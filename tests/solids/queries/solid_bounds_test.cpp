#include <gtest/gtest.h>

#include <limits>

#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::solid_bounds_test {
namespace {

using Eigen::Vector3d;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Pose kTurned = {{1.0, -2.0, 3.0}, {0.2, 0.4, 0.4, 0.8}};

// The box holds [min, max], itself known to a few roundings, and is hardly larger.
void ExpectTight(const Solid& solid, const Vector3d& min, const Vector3d& max) {
  const Aabb box = solid.Bounds();
  const double scale = (min.cwiseAbs() + max.cwiseAbs()).maxCoeff();
  const double slack = 1e-14 * scale, rounding = 1e-15 * scale;
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(box.min[i], min[i] + rounding);
    EXPECT_GE(box.min[i], min[i] - slack);
    EXPECT_GE(box.max[i], max[i] - rounding);
    EXPECT_LE(box.max[i], max[i] + slack);
  }
}

TEST(SolidBoundsTest, PrimitivesAreTight) {
  ExpectTight(Sphere(2.0), {-2, -2, -2}, {2, 2, 2});
  ExpectTight(Ellipsoid({1.0, 2.0, 3.0}), {-1, -2, -3}, {1, 2, 3});
  ExpectTight(Box({1.0, 2.0, 3.0}), {-0.5, -1, -1.5}, {0.5, 1, 1.5});
  ExpectTight(Cylinder(1.0, 4.0), {-1, -1, -2}, {1, 1, 2});
  ExpectTight(Cone(1.0, 4.0, 2.0), {-2, -2, 0}, {2, 2, 4});
  ExpectTight(Capsule(1.0, 4.0), {-1, -1, -3}, {1, 1, 3});
  ExpectTight(Torus(2.0, 0.5), {-2.5, -2.5, -0.5}, {2.5, 2.5, 0.5});
}

TEST(SolidBoundsTest, PosedPrimitivesUseTheirSupport) {
  // R of q ∝ (1, 2, 2, 4) is [-15 0 20; 16 -15 12; 12 20 9]/25.
  ExpectTight(Box({2.0, 2.0, 2.0}).Posed(kTurned), {1 - 1.4, -2 - 1.72, 3 - 1.64},
              {1 + 1.4, -2 + 1.72, 3 + 1.64});
  ExpectTight(Cone(1.0, 25.0).Posed(kTurned),
              {1 - 0.6, -2 - std::sqrt(481.0) / 25, 3 - std::sqrt(544.0) / 25},
              {1 + 20, -2 + 12, 3 + 9});
}

TEST(SolidBoundsTest, QuadricAgreesWithItsEllipsoid) {
  // The ellipsoid with semi-axes 1, 2, 4 about (1, 2, 3) written as a quadric.
  Eigen::Matrix4d Q = Eigen::Matrix4d::Zero();
  const Vector3d a(16.0, 4.0, 1.0), m(1.0, 2.0, 3.0);
  for (int i = 0; i < 3; ++i) {
    Q(i, i) = a[i];
    Q(i, 3) = Q(3, i) = -a[i] * m[i];
    Q(3, 3) += a[i] * m[i] * m[i];
  }
  Q(3, 3) -= 16.0;
  ExpectTight(Quadric(Q), {0, 0, -1}, {2, 4, 7});
  const Pose to_center = {m, {1.0, 0.0, 0.0, 0.0}};
  const Aabb box = Ellipsoid({1.0, 2.0, 4.0}).Posed(to_center).Posed(kTurned).Bounds();
  const Aabb quadric_box = Quadric(Q).Posed(kTurned).Bounds();
  EXPECT_LE((quadric_box.min - box.min).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LE((quadric_box.max - box.max).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_FALSE(Quadric(-Q).Bounds().IsBounded());
  EXPECT_TRUE(Complement(Quadric(-Q)).Bounds().IsBounded());
  Q(3, 3) += 17.0;
  EXPECT_TRUE(Quadric(Q).Bounds().IsEmpty());
}

TEST(SolidBoundsTest, UnboundedPrimitivesAreBoundedWhereExactlyAligned) {
  const Pose aligned = {{0.1, 0.2, 0.3}, {std::sqrt(0.5), 0.0, std::sqrt(0.5), 0.0}};  // z to x
  const Aabb half_space = HalfSpace().Posed(aligned).Bounds();
  EXPECT_EQ(half_space.max, Vector3d(0.1, kInfinity, kInfinity));
  EXPECT_EQ(half_space.min, Vector3d::Constant(-kInfinity));
  const Aabb complement = Complement(HalfSpace()).Bounds();
  EXPECT_EQ(complement.min, Vector3d(-kInfinity, -kInfinity, 0.0));
  const Aabb slab = Slab(2.0).Posed(aligned).Bounds();
  EXPECT_NEAR(slab.min.x(), -0.9, 1e-15);
  EXPECT_NEAR(slab.max.x(), 1.1, 1e-15);
  EXPECT_EQ(slab.max.y(), kInfinity);
  const Aabb cylinder = InfiniteCylinder(1.0).Posed(aligned).Bounds();
  EXPECT_EQ(cylinder.max.x(), kInfinity);
  EXPECT_NEAR(cylinder.max.y(), 1.2, 1e-15);
  EXPECT_NEAR(cylinder.min.z(), -0.7, 1e-15);
  EXPECT_FALSE(InfiniteCylinder(1.0).Posed(kTurned).Bounds().max.array().isFinite().any());
  EXPECT_FALSE(HalfSpace().Posed(kTurned).Bounds().max.array().isFinite().any());
}

TEST(SolidBoundsTest, Combinations) {
  const Solid far = Sphere(1.0).Posed({{5.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}});
  ExpectTight(Union({Sphere(1.0), far}), {-1, -1, -1}, {6, 1, 1});
  EXPECT_TRUE(Intersection({Sphere(1.0), far}).Bounds().IsEmpty());
  ExpectTight(Difference(Sphere(1.0), {far}), {-1, -1, -1}, {1, 1, 1});
  ExpectTight(Intersection({InfiniteCylinder(1.0), Slab(4.0)}), {-1, -1, -2}, {1, 1, 2});
  ExpectTight(Complement(Complement(Sphere(1.0))), {-1, -1, -1}, {1, 1, 1});
  ExpectTight(Difference(Box({2.0, 2.0, 2.0}), {HalfSpace()}), {-1, -1, 0}, {1, 1, 1});
  EXPECT_FALSE(Complement(Sphere(1.0)).Bounds().IsBounded());
}

TEST(SolidBoundsTest, QuarticsWithADefiniteLeadingFormAreBounded) {
  const Aabb box =
      PolynomialSolid({{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-16.0, {0, 0, 0}}})
          .Bounds();
  EXPECT_LE(box.min.maxCoeff(), -2.0);
  EXPECT_GE(box.min.minCoeff(), -3.0);
  // Positive along the axes, negative along (1, 1, 0).
  EXPECT_FALSE(PolynomialSolid({{1.0, {4, 0, 0}},
                                {1.0, {0, 4, 0}},
                                {1.0, {0, 0, 4}},
                                {-3.0, {2, 2, 0}},
                                {-16.0, {0, 0, 0}}})
                   .Bounds()
                   .IsBounded());
  // Zero along z.
  EXPECT_FALSE(PolynomialSolid({{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {-16.0, {0, 0, 0}}})
                   .Bounds()
                   .IsBounded());
}

}  // namespace
}  // namespace volcontact::solid_bounds_test
