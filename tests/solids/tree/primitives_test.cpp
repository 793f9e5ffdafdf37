#include "volcontact/solids/primitives.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "solids/implicit/implicit_solid.h"
#include "support/message_of.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

// The message names the function, the parameter, its value and its range.
void ExpectRejected(const std::function<void()>& make, const std::vector<std::string>& words) {
  const std::string message = MessageOf(make);
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
  }
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(PrimitivesTest, LengthsMustBePositiveAndFinite) {
  for (const double bad : {0.0, -1.5, kInfinity, -kInfinity, kNaN, 1e-31, 5e-324, 1e31}) {
    ExpectRejected([=] { Slab(bad); }, {"Slab", "thickness", "positive", "1e-30", "1e+30"});
    ExpectRejected([=] { Sphere(bad); }, {"Sphere", "radius", "positive"});
    ExpectRejected([=] { Ellipsoid({1.0, bad, 1.0}); }, {"Ellipsoid", "semi-axis along y"});
    ExpectRejected([=] { Box({1.0, 1.0, bad}); }, {"Box", "size along z"});
    ExpectRejected([=] { Cylinder(bad, 1.0); }, {"Cylinder", "radius"});
    ExpectRejected([=] { Cylinder(1.0, bad); }, {"Cylinder", "height"});
    ExpectRejected([=] { InfiniteCylinder(bad); }, {"InfiniteCylinder", "radius"});
    ExpectRejected([=] { Cone(1.0, bad); }, {"Cone", "height"});
    ExpectRejected([=] { Capsule(bad, 1.0); }, {"Capsule", "radius"});
    ExpectRejected([=] { Torus(bad, 0.5); }, {"Torus", "major_radius"});
    ExpectRejected([=] { Torus(1.0, bad); }, {"Torus", "minor_radius"});
    if (bad == 0.0) continue;
    ExpectRejected([=] { Cone(bad, 1.0, 1.0); }, {"Cone", "radius", "0 or positive"});
    ExpectRejected([=] { Cone(1.0, 1.0, bad); }, {"Cone", "radius_top", "0 or positive"});
    ExpectRejected([=] { Capsule(1.0, bad); }, {"Capsule", "height", "0 or positive"});
  }
  ExpectRejected([] { Sphere(-1.5); }, {"-1.5 m"});
}

TEST(PrimitivesTest, RadiiMustFitTogether) {
  ExpectRejected([] { Cone(0.0, 1.0, 0.0); }, {"Cone", "radius and radius_top", "both 0"});
  ExpectRejected([] { Torus(1.0, 1.5); }, {"minor_radius is 1.5", "major_radius", "1 m"});
  EXPECT_EQ(MessageOf([] { Torus(1.0, 1.0); }), "accepted");
  EXPECT_EQ(MessageOf([] { Cone(0.0, 1.0, 1.0); }), "accepted");
}

TEST(PrimitivesTest, QuadricMatrixMustBeFiniteSymmetricAndNotZero) {
  Eigen::Matrix4d Q = Eigen::Matrix4d::Identity();
  Q(1, 2) = kNaN;
  ExpectRejected([=] { Quadric(Q); }, {"Quadric", "(1, 2)", "nan", "finite"});
  Q(1, 2) = 0.5;
  ExpectRejected([=] { Quadric(Q); }, {"(2, 1)", "(1, 2)", "0.5", "symmetric"});
  ExpectRejected([] { Quadric(Eigen::Matrix4d::Zero()); }, {"Quadric", "all", "0"});
  Q(2, 1) = std::nextafter(0.5, 1.0);
  EXPECT_EQ(MessageOf([=] { Quadric(Q); }), "accepted");
}

TEST(PrimitivesTest, PolynomialMustHaveDegreeOneToFour) {
  ExpectRejected([] { PolynomialSolid({}); }, {"PolynomialSolid", "constant", "1 to 4"});
  ExpectRejected([] { PolynomialSolid({{3.0, {0, 0, 0}}}); }, {"constant"});
  ExpectRejected([] { PolynomialSolid({{3.0, {1, 0, 0}}, {-3.0, {1, 0, 0}}}); }, {"constant"});
  ExpectRejected(
      [] {
        PolynomialSolid({{1.0, {1, 0, 0}}, {1.0, {2, 2, 1}}});
      },
      {"term 1", "(2, 2, 1)", "exceed 4"});
  ExpectRejected([] { PolynomialSolid({{1.0, {3, -1, 0}}}); }, {"term 0", "negative"});
  const int large = std::numeric_limits<int>::max();
  ExpectRejected([=] { PolynomialSolid({{1.0, {large, large, 2}}}); }, {"exceed 4"});
  ExpectRejected([] { PolynomialSolid({{kInfinity, {1, 0, 0}}}); }, {"term 0", "inf", "finite"});
}

TEST(PrimitivesTest, CombinationsNeedOperandsAndPosesNumbers) {
  ExpectRejected([] { Union({}); }, {"Union", "at least one"});
  ExpectRejected([] { Intersection({}); }, {"Intersection", "at least one"});
  ExpectRejected(
      [] {
        Sphere(1.0).Posed({{kNaN, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}});
      },
      {"Posed", "finite"});
  ExpectRejected(
      [] {
        Sphere(1.0).Posed({{0.0, 1e31, 0.0}, {1.0, 0.0, 0.0, 0.0}});
      },
      {"Posed", "t[1]", "1e+31", "1e+30"});
  ExpectRejected(
      [] {
        Sphere(1.0).Posed({{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}});
      },
      {"Posed", "quaternion", "length 0"});
}

TEST(PrimitivesTest, ExtremeSizesCompileToFiniteSurfaces) {
  const Pose pose = {{1e9, -1e-9, 1e9}, {0.2, 0.4, 0.4, 0.8}};
  for (const double a : {1e-9, 1.0, 1e9}) {
    for (const double b : {1e-9, 1.0, 1e9}) {
      for (const Solid& solid :
           {Ellipsoid({a, b, a}), Box({a, b, b}), Cylinder(a, b), Cone(a, b, a / 2), Capsule(a, b),
            Torus(std::max(a, b), std::min(a, b))}) {
        for (const SurfacePolynomial& psi : Compile(solid.Posed(pose)).surfaces) {
          double largest = 0.0;
          for (int m = 0; m < psi.size(); ++m) {
            EXPECT_TRUE(std::isfinite(psi.c[m].hi) && std::isfinite(psi.c[m].lo));
            largest = std::max(largest, std::abs(psi.c[m].hi));
          }
          EXPECT_GT(largest, 0.0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace volcontact
