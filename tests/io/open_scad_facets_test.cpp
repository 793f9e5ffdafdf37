// OpenSCAD's round shapes with a stated $fn of 12 or less, against the polyhedra that its manual
// describes: by closed forms of their volumes, corner by corner, and point by point.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact::open_scad_facets_test {
namespace {

constexpr double kPi = std::numbers::pi;

Solid Parsed(const std::string& text) { return ParseOpenScad(text, "test.csg", 1.0).solid; }

// The area of a regular polygon with the circumradius 1.
double AreaOf(int n) { return 0.5 * n * std::sin(2.0 * kPi / n); }

double FrustumVolume(double a, double b, double height) {
  return height * (a * a + a * b + b * b) / 3.0;
}

void ExpectVolume(const std::string& text, double volume) {
  const MassProperties mass = ComputeMassProperties(Parsed(text));
  EXPECT_TRUE(mass.converged) << text;
  EXPECT_NEAR(mass.volume, volume, 1e-9 * volume) << text;
}

// Whether the solid reaches up to a corner, and no farther.
void ExpectCorner(const Solid& solid, const Eigen::Vector3d& corner, const Eigen::Vector3d& inside,
                  const std::string& what) {
  const Eigen::Vector3d inward = 1e-6 * (inside - corner);
  EXPECT_EQ(solid.Locate(corner + inward), Membership::kInside) << what << corner.transpose();
  EXPECT_EQ(solid.Locate(corner - inward), Membership::kOutside) << what << corner.transpose();
}

std::string Fn(int n) { return "$fn = " + std::to_string(n) + ", $fa = 12, $fs = 2, "; }

TEST(OpenScadFacets, CylindersArePrisms) {
  for (int n = 3; n <= 12; ++n) {
    const std::string sizes = "h = 2, r1 = 1.5, r2 = 1.5, center = true);";
    ExpectVolume("cylinder(" + Fn(n) + sizes, 2.0 * 2.25 * AreaOf(n));
    ExpectVolume("cylinder(" + Fn(n) + "h = 2, r1 = 1, r2 = 0.4);",
                 AreaOf(n) * FrustumVolume(1.0, 0.4, 2.0));
    ExpectVolume("cylinder(" + Fn(n) + "h = 2, r1 = 0, r2 = 1.2);",
                 AreaOf(n) * FrustumVolume(0.0, 1.2, 2.0));
    const Solid prism = Parsed("cylinder(" + Fn(n) + sizes);
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * kPi * i / n;
      ExpectCorner(prism, {1.5 * std::cos(angle), 1.5 * std::sin(angle), 1.0}, {0, 0, 0}, sizes);
    }
  }
}

// Fewer facets than three are three, and the fraction is dropped; none stated, and more than 12,
// are round.
TEST(OpenScadFacets, CountOfFacets) {
  const auto volume = [](const std::string& fn, double facets) {
    ExpectVolume("cylinder($fn = " + fn + ", h = 1, r = 1);", facets);
  };
  volume("1", AreaOf(3));
  volume("0.5", AreaOf(3));
  volume("6.9", AreaOf(6));
  volume("12", AreaOf(12));
  volume("0", kPi);
  volume("13", kPi);
  volume("-6", kPi);
}

TEST(OpenScadFacets, SpheresAreRings) {
  for (int n = 3; n <= 12; ++n) {
    const int rings = (n + 1) / 2;
    std::vector<double> radius, height;
    for (int i = 0; i < rings; ++i) {
      radius.push_back(2.0 * std::sin(kPi * (i + 0.5) / rings));
      height.push_back(2.0 * std::cos(kPi * (i + 0.5) / rings));
    }
    double volume = 0.0;
    for (int i = 0; i + 1 < rings; ++i) {
      volume += AreaOf(n) * FrustumVolume(radius[i], radius[i + 1], height[i] - height[i + 1]);
    }
    const std::string text = "sphere(" + Fn(n) + "r = 2);";
    ExpectVolume(text, volume);
    const Solid solid = Parsed(text);
    for (int i = 0; i < rings; ++i) {
      for (int k = 0; k < n; ++k) {
        const double angle = 2.0 * kPi * k / n;
        ExpectCorner(solid, {radius[i] * std::cos(angle), radius[i] * std::sin(angle), height[i]},
                     {0, 0, 0}, text);
      }
    }
  }
}

TEST(OpenScadFacets, CirclesInExtrusions) {
  ExpectVolume("linear_extrude(height = 3) circle(" + Fn(6) + "r = 2);", 3.0 * 4.0 * AreaOf(6));
  ExpectVolume("linear_extrude(height = 3) difference() { circle(" + Fn(8) +
                   "r = 2); circle($fn = 40, r = 1); }",
               3.0 * (4.0 * AreaOf(8) - kPi));
  // A hexagon with corners on the x axis, turned exactly.
  const double ring = AreaOf(6) * 0.25 * 2.0 * kPi * 2.0;
  ExpectVolume(
      "rotate_extrude($fn = 60) multmatrix([[1,0,0,2],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) "
      "circle(" +
          Fn(6) + "r = 0.5);",
      ring);
}

TEST(OpenScadFacets, TurnsInSteps) {
  const std::string part = "polygon(points = [[1, 0], [2, 0], [1.5, 1], [1, 1]], paths = undef);";
  // By Pappus' theorem of slices: the square of the radius over the outline.
  const double squares = FrustumVolume(2.0, 1.5, 1.0) - 1.0;
  for (int n = 3; n <= 12; ++n) {
    const std::string text = "rotate_extrude(" + Fn(n) + "angle = 360) " + part;
    ExpectVolume(text, AreaOf(n) * squares);
    const Solid solid = Parsed(text);
    for (int k = 0; k < n; ++k) {
      // From the side away from x.
      const double angle = kPi + 2.0 * kPi * k / n;
      const Eigen::Vector3d out(std::cos(angle), std::sin(angle), 0.0);
      ExpectCorner(solid, 2.0 * out, 1.4 * out + Eigen::Vector3d(0, 0, 0.4), text);
    }
  }
  // A part of a turn in its share of the steps, from the x axis on.
  ExpectVolume("rotate_extrude($fn = 12, angle = 90) " + part,
               3.0 * 0.5 * std::sin(kPi / 6.0) * squares);
  ExpectVolume("rotate_extrude($fn = 7, angle = -120) " + part,
               2.0 * 0.5 * std::sin(kPi / 3.0) * squares);
  EXPECT_THROW(Parsed("rotate_extrude($fn = 3, angle = 180) " + part), InvalidInput);
  EXPECT_THROW(Parsed("rotate_extrude($fn = 5) circle(r = 1);"), InvalidInput);
}

TEST(OpenScadFacets, UnderMapsAndInHulls) {
  const std::string map = "multmatrix([[2,0,0,0],[0,-1,0.5,0],[0,0,3,0],[0,0,0,1]]) ";
  ExpectVolume(map + "cylinder($fn = 6, h = 1, r = 1);", 6.0 * AreaOf(6));
  ExpectVolume(
      "multmatrix([[2,0,0,0],[0,1,0,0],[0,0,-1,0],[0,0,0,1]]) cylinder($fn = 5, h = 1, "
      "r1 = 1, r2 = 0.5);",
      2.0 * AreaOf(5) * FrustumVolume(1.0, 0.5, 1.0));
  const std::string raised = "multmatrix([[1,0,0,0],[0,1,0,0],[0,0,1,1],[0,0,0,1]]) ";
  ExpectVolume(
      "hull() { cylinder($fn = 6, h = 1, r = 1); " + raised + "cylinder($fn = 6, h = 1, r = 1); }",
      2.0 * AreaOf(6));
  ExpectVolume("hull() { cylinder($fn = 4, h = 1, r1 = 1, r2 = 0.5); }",
               AreaOf(4) * FrustumVolume(1.0, 0.5, 1.0));
}

}  // namespace
}  // namespace volcontact::open_scad_facets_test
