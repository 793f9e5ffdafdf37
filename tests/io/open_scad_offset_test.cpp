// OpenSCAD's offset() and linear_extrude() with a twist: against closed forms and point by point.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "volcontact/io/solid_file.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::open_scad_offset_test {
namespace {

constexpr double kPi = std::numbers::pi;

Solid Parsed(const std::string& text, double deviation = 0.0) {
  ReadOptions options;
  options.deviation = deviation;
  return ParseOpenScad(text, "test.csg", 1.0, options).solid;
}

std::string Moved(double x, double y) {
  return "multmatrix([[1,0,0," + std::to_string(x) + "],[0,1,0," + std::to_string(y) +
         "],[0,0,1,0],[0,0,0,1]]) ";
}

void ExpectArea(const std::string& outline, double area) {
  SCOPED_TRACE(outline);
  QueryOptions options;
  options.tolerance = 1e-12;
  const Solid solid = Parsed("linear_extrude(height = 2) " + outline);
  EXPECT_NEAR(ComputeMassProperties(solid, options).volume / (2.0 * area), 1.0, 1e-11);
}

// Six corners, one of them concave; area 6, perimeter 14.
constexpr char kLShape[] = "polygon([[0,0],[4,0],[4,1],[1,1],[1,3],[0,3]]);";

TEST(OpenScadOffset, RoundCorners) {
  ExpectArea("offset(r = 1) square(4);", 32.0 + kPi);
  ExpectArea("offset(1) square(4);", 32.0 + kPi);
  ExpectArea("offset(r = -1) square(4);", 4.0);
  ExpectArea("offset(r = 0.5) circle(2);", 6.25 * kPi);
  ExpectArea("offset(r = -0.5) circle(2);", 2.25 * kPi);
  // Rounded by shrinking and growing.
  ExpectArea("offset(r = 1) offset(delta = -1) square(4);", 12.0 + kPi);
  // A trapezium: what is left is as wide as the slanted sides, moved, leave it.
  const auto width = [](double y) { return 8.0 - 2.0 * (std::hypot(2.0, 2.5) + 2.0 * y) / 2.5; };
  ExpectArea("offset(r = -1) polygon([[0,0],[8,0],[6,2.5],[2,2.5]]);",
             0.25 * (width(1.0) + width(1.5)));
  // Strips along the edges, discs at convex corners; at the concave one two strips overlap.
  ExpectArea(std::string("offset(r = 0.5) ") + kLShape, 6.0 + 7.0 + (1.25 * kPi - 1.0) * 0.25);
  ExpectArea(std::string("offset(r = -0.25) ") + kLShape, 6.0 - 3.5 + (5.0 - 0.25 * kPi) / 16.0);
}

TEST(OpenScadOffset, SharpCorners) {
  ExpectArea("offset(delta = 1) square(4);", 36.0);
  ExpectArea("offset(delta = -1, chamfer = false) square(4);", 4.0);
  ExpectArea(std::string("offset(delta = 0.5) ") + kLShape, 6.0 + 7.0 + 4.0 * 0.25);
  ExpectArea(std::string("offset(delta = -0.25) ") + kLShape, 6.0 - 3.5 + 4.0 / 16.0);
}

TEST(OpenScadOffset, UnionsAndHoles) {
  const std::string plate = "difference() { square(10); " + Moved(5, 5) + "circle(2); }";
  ExpectArea("offset(r = 1) " + plate, 140.0 + kPi - kPi);
  ExpectArea("offset(r = -1) " + plate, 64.0 - 9.0 * kPi);
  ExpectArea("offset(r = 3) " + plate, 220.0 + 9.0 * kPi);  // the hole is closed
  const double lens = 8.0 * std::acos(0.25) - 0.5 * std::sqrt(15.0);
  ExpectArea("offset(r = 1) { circle(1); " + Moved(1, 0) + "circle(1); }", 8.0 * kPi - lens);
}

// What grows by a distance is where a disc of that radius meets it: membership at random points.
TEST(OpenScadOffset, ConcavePolygonPointByPoint) {
  const Solid grown = Parsed(std::string("linear_extrude(height = 2) offset(r = 0.3) ") + kLShape);
  const Solid shrunk =
      Parsed(std::string("linear_extrude(height = 2) offset(r = -0.3) ") + kLShape);
  const Eigen::Vector2d ring[] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {0, 3}};
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> x(-0.5, 4.5), y(-0.5, 3.5);
  for (int i = 0; i < 2000; ++i) {
    const Eigen::Vector2d p(x(random), y(random));
    double distance = 1e9;
    for (int k = 0; k < 6; ++k) {
      const Eigen::Vector2d &a = ring[k], d = ring[(k + 1) % 6] - a;
      const double t = std::clamp(d.dot(p - a) / d.squaredNorm(), 0.0, 1.0);
      distance = std::min(distance, (p - a - t * d).norm());
    }
    const bool inside =
        p.x() > 0 && p.y() > 0 && ((p.x() < 4 && p.y() < 1) || (p.x() < 1 && p.y() < 3));
    const Eigen::Vector3d q(p.x(), p.y(), 1.0);
    ASSERT_EQ(grown.Locate(q) == Membership::kInside, inside || distance < 0.3) << p.transpose();
    ASSERT_EQ(shrunk.Locate(q) == Membership::kInside, inside && distance > 0.3) << p.transpose();
  }
}

TEST(OpenScadTwist, VolumesWithinTheDeviation) {
  struct Case {
    const char* text;
    double volume, side;  // area of the turning faces, generously
  };
  const Case cases[] = {
      {"linear_extrude(height = 3, twist = 90) square(2, center = true);", 12.0, 40.0},
      {"linear_extrude(height = 3, twist = -400) square([2, 1]);", 6.0, 80.0},
      {"linear_extrude(height = 3, twist = 90, scale = 0.5) square([2, 4], center = true);", 14.0,
       60.0},
      {"linear_extrude(height = 5, center = true, twist = 360) multmatrix([[1,0,0,2],[0,1,0,0],"
       "[0,0,1,0],[0,0,0,1]]) circle(1);",
       5.0 * kPi, 90.0},
      {"linear_extrude(height = 3, twist = 90) difference() { square(4, center = true); circle(1); "
       "}",
       48.0 - 3.0 * kPi, 90.0},
      {"multmatrix([[-1,0,0,0],[0,2,0,0],[0,0,1,0],[0,0,0,1]]) linear_extrude(height = 3, twist = "
       "60) polygon([[0,0],[4,0],[4,1],[1,1],[1,3],[0,3]]);",
       36.0, 150.0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    for (const double deviation : {3e-2, 6e-3}) {
      const MassProperties mass = ComputeMassProperties(Parsed(c.text, deviation));
      EXPECT_NEAR(mass.volume, c.volume, deviation * c.side);
    }
  }
}

// Positive angles turn clockwise, as OpenSCAD has it; points of the smooth part are inside.
TEST(OpenScadTwist, TurnsClockwise) {
  const Solid solid =
      Parsed("linear_extrude(height = 4, twist = 90) " + Moved(2, 0) + "square(1);", 1e-3);
  for (const double share : {0.0, 0.3, 0.5, 1.0}) {
    const double angle = -0.5 * kPi * share, c = std::cos(angle), s = std::sin(angle);
    const double z = 0.01 + 3.98 * share;
    EXPECT_EQ(solid.Locate({2.5 * c - 0.5 * s, 2.5 * s + 0.5 * c, z}), Membership::kInside);
    EXPECT_EQ(solid.Locate({2.5 * c + 0.5 * s, -2.5 * s + 0.5 * c, z}),
              share > 0.0 ? Membership::kOutside : Membership::kInside);
  }
}

// A contact states what the deviation leaves open, and holds the smooth part's volume.
TEST(OpenScadTwist, DeviationIsPartOfTheAnswer) {
  // Turned about its axis the smooth part is a cylinder.
  const Solid rope =
      Parsed("linear_extrude(height = 6, twist = 360, center = true) circle(1);", 1e-3);
  const Solid box = Box({1.0, 4.0, 2.0});
  const Pose X_WA({-0.1, 0.0, 0.0}), X_WB({1.3, 0.0, 0.0});
  const double exact = PreparedPair(Cylinder(1.0, 6.0), box).Query(X_WA, X_WB).volume;
  const Metrics m = PreparedPair(rope, box).Query(X_WA, X_WB);
  ASSERT_TRUE(m.volume_bounds);
  EXPECT_LE((*m.volume_bounds)[0], exact);
  EXPECT_GE((*m.volume_bounds)[1], exact);
  EXPECT_NEAR(m.volume, exact, 1e-3 * 4.0);
  EXPECT_FALSE(m.converged);
}

TEST(OpenScadTwist, IsNoted) {
  const SolidFile file = ParseOpenScad(
      "linear_extrude(height = 3, twist = 90, slices = 4) square(1);", "part.csg", 1.0);
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_TRUE(file.notes[0].starts_with(
      "part.csg: line 1, column 1: linear_extrude() with a twist is a mesh, within 0.0024 m"))
      << file.notes[0];
}

}  // namespace
}  // namespace volcontact::open_scad_offset_test
