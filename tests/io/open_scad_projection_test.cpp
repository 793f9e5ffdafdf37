// OpenSCAD's projection(): areas in closed form, and sections point by point against the solid.
#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "support/message_of.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact::open_scad_projection_test {
namespace {

constexpr double kPi = std::numbers::pi;
// A hole through a plate of 8 by 6 by 2, widened at the top as for the head of a screw.
constexpr char kCountersunk[] =
    "difference() { cube([8, 6, 2]); multmatrix([[1,0,0,4],[0,1,0,3],[0,0,1,-1],[0,0,0,1]]) "
    "cylinder(h = 9, r = 1); multmatrix([[1,0,0,4],[0,1,0,3],[0,0,1,1],[0,0,0,1]]) "
    "cylinder(h = 1, r1 = 1, r2 = 2); }";

Solid Parsed(const std::string& text) { return ParseOpenScad(text, "test.csg", 1.0).solid; }

std::string Moved(double x, double y, double z) {
  return "multmatrix([[1,0,0," + std::to_string(x) + "],[0,1,0," + std::to_string(y) + "],[0,0,1," +
         std::to_string(z) + "],[0,0,0,1]]) ";
}

// Turned about x, with the sine 0.6.
constexpr char kTilted[] = "multmatrix([[1,0,0,0],[0,0.8,-0.6,0],[0,0.6,0.8,0],[0,0,0,1]]) ";
// A quarter turn about x.
constexpr char kLevel[] = "multmatrix([[1,0,0,0],[0,0,-1,0],[0,1,0,0],[0,0,0,1]]) ";

void ExpectArea(const std::string& projection, double area) {
  SCOPED_TRACE(projection);
  QueryOptions options;
  options.tolerance = 1e-12;
  const Solid solid = Parsed("linear_extrude(height = 2) " + projection);
  EXPECT_NEAR(ComputeMassProperties(solid, options).volume / (2.0 * area), 1.0, 1e-11);
}

TEST(OpenScadProjection, Images) {
  const auto image = [](const std::string& text, double area) {
    ExpectArea("projection(cut = false) { " + text + " }", area);
  };
  image("cube([2, 3, 4]);", 6.0);
  image("sphere(2);", 4.0 * kPi);
  image("multmatrix([[3,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) sphere(2);", 12.0 * kPi);
  image("cylinder(h = 3, r1 = 1, r2 = 2);", 4.0 * kPi);
  image(std::string(kLevel) + "cylinder(h = 3, r = 2);", 12.0);
  image(std::string(kTilted) + "cube([2, 3, 4]);", 2.0 * (0.8 * 3.0 + 0.6 * 4.0));
  image(std::string(kTilted) + "cylinder(h = 1, r = 1, $fn = 4);", 2.0 * 0.8 + 2.0 * 0.6);
  image("cylinder(h = 3, r = 1); " + Moved(5, 0, 9) + "sphere(2);", 5.0 * kPi);
  image("hull() { cylinder(h = 3, r = 1); " + Moved(4, 0, 0) + "cylinder(h = 3, r = 1); }",
        8.0 + kPi);
}

// The smallest section of a hole is seen through.
TEST(OpenScadProjection, ImagesOfHoles) {
  ExpectArea(std::string("projection() ") + kCountersunk, 48.0 - kPi);
  // A blind hole is not.
  ExpectArea("projection() difference() { cube([4, 4, 2]); " + Moved(2, 2, 1) +
                 "cylinder(h = 9, r = 1); }",
             16.0);
  // A step that covers a part of the hole.
  ExpectArea("projection() difference() { union() { cube([4, 4, 2]); " + Moved(2, 0, 2) +
                 "cube([2, 4, 2]); } " + Moved(2, 2, -1) + "cylinder(h = 3, r = 1); }",
             16.0 - 0.5 * kPi);
  ExpectArea(
      "projection() intersection() { cube(4, center = true); " + Moved(0, 0, 3) + "sphere(3); }",
      // Between z = 0 and 2 the largest section is that at z = 2, of a radius of √8.
      16.0);
  ExpectArea("projection() intersection() { cube([9, 9, 2]); sphere(3); }", 0.25 * 9.0 * kPi);
}

TEST(OpenScadProjection, Sections) {
  const auto cut = [](const std::string& text, double area) {
    ExpectArea("projection(cut = true) { " + text + " }", area);
  };
  cut(Moved(0, 0, -1) + "cube([2, 3, 4]);", 6.0);
  cut("cube([2, 3, 4]);", 6.0);  // a face in the plane
  cut(Moved(0, 0, -4) + "cube([2, 3, 4]);", 6.0);
  cut(Moved(1, 1, 3) + "sphere(5);", 16.0 * kPi);
  cut(Moved(0, 0, -1) + "cylinder(h = 2, r1 = 1, r2 = 2);", 2.25 * kPi);
  cut(Moved(0, 0, 3) + kLevel + "cylinder(h = 7, r = 5);", 56.0);
  cut(Moved(0, 0, -1.5) + kCountersunk, 48.0 - 2.25 * kPi);
  // Both sides of a step in the plane.
  cut(Moved(0, 0, -1) + "{ cube([4, 1, 1]); " + Moved(0, 0, 1) + "cube([1, 4, 1]); }", 7.0);
}

TEST(OpenScadProjection, SectionsPointByPoint) {
  const std::string cases[] = {
      std::string(kTilted) + "cube([2, 3, 4], center = true);",
      Moved(0.1, 0.2, 0.5) +
          "multmatrix([[1.5,0.3,0.4,0],[0,1,0.7,0],[0.2,0,1,0],[0,0,0,1]]) "
          "sphere(1);",
      std::string(kTilted) + "cylinder(h = 3, r1 = 2, r2 = 1, $fn = 7, center = true);",
      Moved(0, 0, -1) + kTilted + "hull() { cube(1); " + Moved(1, 1, 1) +
          "cube(2, center = true); }",
      "difference() { " + Moved(0, 0, 0.5) + "sphere(2); " + kLevel +
          "cylinder(h = 5, r = 1, center = true); " + Moved(1, 0, -2) +
          "cylinder(h = 3, r1 = 0, r2 = 1); }",
      "intersection() { " + std::string(kTilted) + "cube(3, center = true); " + Moved(0, 0, 1) +
          "sphere(2); }"};
  std::mt19937_64 random(33);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (const std::string& text : cases) {
    SCOPED_TRACE(text);
    const Solid whole = Parsed(text);
    const Solid section =
        Parsed("linear_extrude(height = 2, center = true) projection(cut = true) " + text);
    int held = 0;
    for (int i = 0; i < 4000; ++i) {
      const Eigen::Vector3d p(uniform(random), uniform(random), 0.0);
      const bool inside = whole.Locate(p) == Membership::kInside;
      held += inside ? 1 : 0;
      ASSERT_EQ(section.Locate(p) == Membership::kInside, inside) << p.transpose();
    }
    EXPECT_GT(held, 100);
  }
}

TEST(OpenScadProjection, WhatHasNoOutlineIsRefused) {
  const std::vector<std::string> cases = {
      std::string(kTilted) + "cylinder(h = 3, r = 1);", "rotate_extrude() square(1);",
      "polyhedron(points = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], faces = "
      "[[0,1,2],[0,2,3],[0,3,1],[1,3,2]]);",
      // The hole widens towards both ends, and a step narrows it: no height shows all.
      "difference() { cube(4, center = true); " + std::string(kTilted) +
          "cube([1, 1, 9], center = true); }"};
  for (const std::string& text : cases) {
    SCOPED_TRACE(text);
    const std::string message =
        MessageOf([&] { Parsed("linear_extrude(height = 1) projection() " + text); });
    EXPECT_NE(message.find("export this part as STL"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace volcontact::open_scad_projection_test
