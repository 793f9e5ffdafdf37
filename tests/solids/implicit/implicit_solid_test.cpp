#include "solids/implicit/implicit_solid.h"

#include <gtest/gtest.h>

#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

const Pose kPose = {{12.0, -3.0, 0.7}, {0.2, 0.4, 0.4, 0.8}};

Pose Translation(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

std::size_t SurfaceCount(const std::vector<Solid>& solids) {
  return Compile(Union(solids)).surfaces.size();
}

SurfacePolynomial OnlySurface(const Solid& solid) { return Compile(solid).surfaces.at(0); }

TEST(CompileTest, DegreesAreTheTrueOnes) {
  for (const SurfacePolynomial& psi : Compile(Box({1.0, 2.0, 3.0}).Posed(kPose)).surfaces) {
    EXPECT_EQ(psi.degree, 1);
  }
  Eigen::Matrix4d plane = Eigen::Matrix4d::Zero();
  plane(0, 3) = plane(3, 0) = 0.5;
  EXPECT_EQ(OnlySurface(Quadric(plane).Posed(kPose)).degree, 1);
  EXPECT_EQ(
      OnlySurface(PolynomialSolid(
                      {{1.0, {2, 0, 0}}, {1.0, {0, 0, 4}}, {-1.0, {0, 0, 4}}, {-1.0, {0, 0, 0}}}))
          .degree,
      2);
  EXPECT_EQ(OnlySurface(Torus(2.0, 1.0)).degree, 4);
  EXPECT_EQ(OnlySurface(Sphere(2.0)).degree, 2);
}

TEST(CompileTest, ConstantQuadricsAreConstants) {
  const Eigen::Matrix4d Q = Eigen::Vector4d(0.0, 0.0, 0.0, 1.0).asDiagonal();
  EXPECT_FALSE(Compile(Quadric(Q)).expression.ConstantValue());
  EXPECT_TRUE(Compile(Quadric(-Q)).expression.ConstantValue());
  EXPECT_TRUE(Compile(Quadric(Q)).surfaces.empty());
}

TEST(CompileTest, EqualSurfacesInDifferentGuisesAreOne) {
  const Solid sphere = Sphere(0.3).Posed(kPose);
  const Solid ellipsoid = Ellipsoid({0.3, 0.3, 0.3}).Posed(kPose);
  EXPECT_EQ(SurfaceCount({sphere, ellipsoid}), 1u);
  EXPECT_EQ(SurfaceCount({sphere, Sphere(0.3).Posed({kPose.t, {0.5, 0.5, 0.5, -0.5}})}), 1u);
  // One mantle, and ends at z = −1.5, −1, 0, 1, 3, 3.5.
  EXPECT_EQ(SurfaceCount({Cylinder(0.7, 2.0), Cone(0.7, 3.0, 0.7),
                          Cylinder(0.7, 5.0).Posed({{0.0, 0.0, 1.0}, {0.6, 0.0, 0.0, 0.8}})}),
            7u);
}

TEST(CompileTest, FlushFacesAreOneSurfaceOfOppositeSense) {
  const Solid left = Box({1.0, 2.0, 3.0}), right = left.Posed(Translation(1.0, 0.0, 0.0));
  EXPECT_EQ(SurfaceCount({left.Posed(kPose), right.Posed(kPose)}), 7u);
  // Two boxes that share a face have no common volume, whatever their pose.
  EXPECT_TRUE(
      Compile(Intersection({left.Posed(kPose), right.Posed(kPose)})).expression.IsConstant());
}

TEST(CompileTest, TranslationsThatCancelLeaveNoSliver) {
  const Pose far = {{1000.0, -37.7, 123.4}, {0.2, 0.4, 0.4, 0.8}};
  const Pose back = {{0.0, 0.0, 0.0}, {0.2, -0.4, -0.4, -0.8}};
  const Solid box = Box({1.0, 2.0, 3.0});
  const Solid returned = box.Posed(far).Posed(Translation(-1000.0, 37.7, -123.4)).Posed(back);
  EXPECT_EQ(SurfaceCount({box, returned}), 6u);
  EXPECT_TRUE(Compile(Difference(box, {returned})).expression.IsConstant());
}

TEST(CompileTest, SmallGapsAreKept) {
  const Solid box = Box({1.0, 1.0, 1.0});
  const Solid near = box.Posed(Translation(0.0, 0.0, 1.0 - 0x1p-52));
  EXPECT_FALSE(Compile(Intersection({box, near})).expression.IsConstant());
  const Solid sphere = Sphere(0.1).Posed(Translation(100.0, 0.0, 0.0));
  const Solid larger = Sphere(std::nextafter(0.1, 1.0)).Posed(Translation(100.0, 0.0, 0.0));
  EXPECT_EQ(SurfaceCount({sphere, larger}), 2u);
  const Solid shifted = Sphere(1e-9).Posed(Translation(1.0 + 0x1p-52, 0.0, 0.0));
  EXPECT_EQ(SurfaceCount({Sphere(1e-9).Posed(Translation(1.0, 0.0, 0.0)), shifted}), 2u);
}

TEST(CompileTest, UnusedSurfacesAreDropped) {
  const Solid box = Box({1.0, 2.0, 3.0});
  EXPECT_TRUE(Compile(Difference(box, {box})).surfaces.empty());
  const ImplicitSolid solid = Compile(Union({Difference(box, {box}), Sphere(1.0)}));
  EXPECT_EQ(solid.surfaces.size(), 1u);
  EXPECT_EQ(solid.expression.Surfaces(), std::vector<int>{0});
}

TEST(CompileTest, LengthIsTheLargestTranslation) {
  EXPECT_EQ(Compile(Sphere(1.0)).length, 0.0);
  const Solid inner = Sphere(1.0).Posed(Translation(0.0, -3.0, 1.0));
  EXPECT_EQ(Compile(Union({inner, Sphere(1.0)}).Posed(Translation(2.0, 0.0, 0.0))).length, 3.0);
}

TEST(CoincideTest, FactorsOfEitherSign) {
  const SurfacePolynomial f = OnlySurface(Torus(2.0, 0.5).Posed(kPose));
  bool opposite = false;
  for (const double factor : {2.0, -3.7e-8, 1e20, -1.0 / 3.0}) {
    SurfacePolynomial g = f;
    for (int m = 0; m < g.size(); ++m) g.c[m] = g.c[m] * factor;
    EXPECT_TRUE(Coincide(f, g, &opposite)) << factor;
    EXPECT_EQ(opposite, factor < 0.0);
    g.c[0] = g.c[0] * (1.0 + 1e-12);
    EXPECT_FALSE(Coincide(f, g, &opposite)) << factor;
  }
}

TEST(CoincideTest, TellsDifferentSurfacesApart) {
  const SurfacePolynomial plane = OnlySurface(HalfSpace());
  const SurfacePolynomial sphere = OnlySurface(Sphere(1.0));
  bool opposite = false;
  EXPECT_FALSE(Coincide(plane, sphere, &opposite));
  EXPECT_FALSE(
      Coincide(plane, OnlySurface(HalfSpace().Posed(Translation(0.0, 0.0, 1e-20))), &opposite));
  EXPECT_TRUE(
      Coincide(plane, OnlySurface(HalfSpace().Posed(Translation(1.0, 1.0, 0.0))), &opposite));
  EXPECT_FALSE(Coincide(
      plane, OnlySurface(HalfSpace().Posed({{0.0, 0.0, 0.0}, {1.0, 1e-20, 0.0, 0.0}})), &opposite));
  EXPECT_FALSE(
      Coincide(sphere, OnlySurface(Ellipsoid({1.0, 1.0, std::nextafter(1.0, 2.0)})), &opposite));
}

}  // namespace
}  // namespace volcontact
