// OpenSCAD's .csg export, compared point by point with the solids it denotes.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "support/message_of.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::open_scad_test {
namespace {

const double kHalf = std::sqrt(0.5);

Solid Parsed(const std::string& text) { return ParseOpenScad(text, "test.csg", 1.0).solid; }

Solid Moved(const Solid& solid, double x, double y, double z) {
  return solid.Posed(Pose{{x, y, z}});
}

Solid Turned(const Solid& solid, double w, double x, double y, double z) {
  return solid.Posed(Pose{{0, 0, 0}, {w, x, y, z}});
}

// Both solids agree at the points of a grid that lies askew to all surfaces of the tests.
void ExpectSame(const Solid& actual, const Solid& expected) {
  constexpr int kSteps = 15;
  int inside = 0;
  for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
    const Eigen::Vector3d cell(i % kSteps, i / kSteps % kSteps, i / kSteps / kSteps);
    const Eigen::Vector3d p =
        3.0 * ((2.0 / (kSteps - 1)) * cell - Eigen::Vector3d(1.0171, 0.9893, 1.0057));
    const Membership membership = expected.Locate(p);
    inside += membership == Membership::kInside;
    ASSERT_EQ(actual.Locate(p), membership) << p.transpose();
  }
  EXPECT_GT(inside, 0) << "the grid misses the solid";
}

TEST(OpenScad, Primitives) {
  ExpectSame(Parsed("cube(size = [1, 2, 3], center = true);"), Box({1, 2, 3}));
  ExpectSame(Parsed("cube(size = [1, 2, 3], center = false);"), Moved(Box({1, 2, 3}), 0.5, 1, 1.5));
  ExpectSame(Parsed("cube(2);"), Moved(Box({2, 2, 2}), 1, 1, 1));
  ExpectSame(Parsed("cube();"), Moved(Box({1, 1, 1}), 0.5, 0.5, 0.5));
  ExpectSame(Parsed("sphere($fn = 50, $fa = 12, $fs = 2, r = 2);"), Sphere(2));
  ExpectSame(Parsed("cylinder($fn=0, $fa=12, $fs=2, h = 2, r1 = 1, r2 = 1, center = true);"),
             Cylinder(1, 2));
  ExpectSame(Parsed("cylinder(h = 2, r1 = 1, r2 = 1, center = false);"),
             Moved(Cylinder(1, 2), 0, 0, 1));
  ExpectSame(Parsed("cylinder(h = 2, r1 = 2, r2 = 0, center = false);"), Cone(2, 2));
  ExpectSame(Parsed("cylinder(h = 2, r1 = 1, r2 = 2, center = true);"),
             Moved(Cone(1, 2, 2), 0, 0, -1));
  ExpectSame(Parsed("cylinder(2, r = 1.5);"), Moved(Cylinder(1.5, 2), 0, 0, 1));
}

TEST(OpenScad, MillimetresByDefault) {
  const Solid cube = ParseOpenScad("cube([3, 7, 25]);", "f").solid;
  EXPECT_EQ(cube.Locate({0.003, 0.001, 0.001}), Membership::kBoundary);
  EXPECT_EQ(cube.Locate({0.001, 0.007, 0.001}), Membership::kBoundary);
  EXPECT_EQ(cube.Locate({0.001, 0.001, 0.025}), Membership::kBoundary);
  EXPECT_EQ(cube.Locate({0.001, 0.001, 0.0249}), Membership::kInside);
}

TEST(OpenScad, Booleans) {
  ExpectSame(Parsed("union() { cube([1,2,3]); sphere(r=1); }"),
             Union({Moved(Box({1, 2, 3}), 0.5, 1, 1.5), Sphere(1)}));
  ExpectSame(Parsed("cube([1,2,3]); sphere(r=1);"),
             Union({Moved(Box({1, 2, 3}), 0.5, 1, 1.5), Sphere(1)}));
  ExpectSame(Parsed("intersection() { cube([1,2,3]); sphere(r=2); }"),
             Intersection({Moved(Box({1, 2, 3}), 0.5, 1, 1.5), Sphere(2)}));
  ExpectSame(
      Parsed("difference() { sphere(r=2); cube(3); group(); cylinder(h=6,r=0.5,center=true); }"),
      Difference(Sphere(2), {Moved(Box({3, 3, 3}), 1.5, 1.5, 1.5), Cylinder(0.5, 6)}));
  ExpectSame(Parsed("group() { color([1, 0, 0, 1]) { render(convexity = 2) { sphere(r=1); } } }"),
             Sphere(1));
}

TEST(OpenScad, EmptyOperands) {
  ExpectSame(Parsed("group() { } group(); intersection() { group(); cube(9); } sphere(r = 1);"),
             Sphere(1));
  ExpectSame(Parsed("difference() { group(); cube(9); } sphere(r = 1);"), Sphere(1));
}

// As OpenSCAD has it: a bore that a parameter closes is none.
TEST(OpenScad, ShapesWithoutExtentAreNothing) {
  for (const char* nothing :
       {"sphere(r = 0);", "cylinder(h = 7, r1 = 0, r2 = 0);", "cylinder(h = 0, r = 1);",
        "cube([1, 0, 1]);", "cube(size = 0, center = true);"}) {
    const std::string cut = std::string("difference() { sphere(r = 1); ") + nothing + " }";
    ExpectSame(Parsed(cut), Sphere(1));
    ExpectSame(Parsed(std::string("sphere(r = 1); ") + nothing), Sphere(1));
    const SolidFile file = ParseOpenScad(cut, "part.csg");
    EXPECT_TRUE(std::ranges::any_of(file.notes, [](const std::string& note) {
      return note.find("has no extent and is ignored") != std::string::npos;
    })) << nothing;
  }
}

TEST(OpenScad, RigidMatrices) {
  ExpectSame(Parsed("multmatrix([[1,0,0,0.5],[0,1,0,-1],[0,0,1,2],[0,0,0,1]]) { sphere(r=1); }"),
             Moved(Sphere(1), 0.5, -1, 2));
  // Turned about x by 90°, then moved.
  ExpectSame(Parsed("multmatrix([[1,0,0,0],[0,1,0,0],[0,0,1,1],[0,0,0,1]]) {"
                    " multmatrix([[1,0,0,0],[0,0,-1,0],[0,1,0,0],[0,0,0,1]]) { cube([1,2,3]); } }"),
             Moved(Turned(Moved(Box({1, 2, 3}), 0.5, 1, 1.5), kHalf, kHalf, 0, 0), 0, 0, 1));
}

// A quarter turn of the file is one of the solid, exactly.
TEST(OpenScad, QuarterTurnsAreExact) {
  const Solid box = Parsed(
      "multmatrix([[0,0,1,0],[1,0,0,0],[0,1,0,0],[0,0,0,1]]) { cube([1,2,3], center = true); }"
      "multmatrix([[0,-1,0,9],[1,0,0,0],[0,0,1,0],[0,0,0,1]]) { cube([1,2,3], center = true); }");
  EXPECT_EQ(box.Locate({1.5, 0.25, 0.25}), Membership::kBoundary);
  EXPECT_EQ(box.Locate({0.25, 0.5, 0.25}), Membership::kBoundary);
  EXPECT_EQ(box.Locate({0.25, 0.25, 1}), Membership::kBoundary);
  EXPECT_EQ(box.Locate({10, 0.25, 0.25}), Membership::kBoundary);
  EXPECT_EQ(box.Locate({9, 0.5, 0.25}), Membership::kBoundary);
}

TEST(OpenScad, RoundedRotationsAreCleanedWithANote) {
  const SolidFile file = ParseOpenScad(
      "\nmultmatrix([[0.707107,-0.707107,0,0],[0.707107,0.707107,0,0],[0,0,1,0],[0,0,0,1]]) {"
      " cube([1,2,3], center = true); }",
      "part.csg", 1.0);
  const double c = std::cos(std::numbers::pi / 8), s = std::sin(std::numbers::pi / 8);
  ExpectSame(file.solid, Turned(Box({1, 2, 3}), c, 0, 0, s));
  // At the corner, to rounding: six digits would be off by 1e-7.
  const Eigen::Vector3d corner(0.5 * kHalf - kHalf, 0.5 * kHalf + kHalf, 1.5);
  EXPECT_EQ(file.solid.Locate((1 - 1e-14) * corner), Membership::kInside);
  EXPECT_EQ(file.solid.Locate((1 + 1e-14) * corner), Membership::kOutside);
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_TRUE(
      file.notes[0].starts_with("part.csg: line 2, column 1: matrices in the file are rounded"));
  EXPECT_NE(file.notes[0].find("by 2.2e-07"), std::string::npos) << file.notes[0];
}

TEST(OpenScad, Scaling) {
  const std::string scale = "multmatrix([[2,0,0,0],[0,0.5,0,0],[0,0,1.5,0],[0,0,0,1]]) ";
  ExpectSame(Parsed(scale + "sphere(r = 1);"), Ellipsoid({2, 0.5, 1.5}));
  ExpectSame(Parsed(scale + "cube(1);"), Moved(Box({2, 0.5, 1.5}), 1, 0.25, 0.75));
  const std::string twice = "multmatrix([[2,0,0,1],[0,2,0,0],[0,0,2,0],[0,0,0,1]]) ";
  ExpectSame(Parsed(twice + "sphere(r = 1);"), Moved(Sphere(2), 1, 0, 0));
  ExpectSame(Parsed(twice + "cylinder(h = 1, r1 = 1, r2 = 0.5);"), Moved(Cone(2, 2, 1), 1, 0, 0));
  // Translations inside a scaling are scaled.
  ExpectSame(
      Parsed(twice + "multmatrix([[0,-1,0,0.5],[1,0,0,0],[0,0,1,0],[0,0,0,1]]) cube(0.75);"),
      Moved(Turned(Moved(Box({1.5, 1.5, 1.5}), 0.75, 0.75, 0.75), kHalf, 0, 0, kHalf), 2, 0, 0));
  // A scaling close to one is no rounding.
  EXPECT_EQ(Parsed("multmatrix([[1.00005,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) sphere(r=2);")
                .Locate({2.00005, 0, 0}),
            Membership::kInside);
}

TEST(OpenScad, ScalingAcrossACylinderGivesEllipticSections) {
  const std::string scale = "multmatrix([[2,0,0,0],[0,0.5,0,0],[0,0,1.5,0],[0,0,0,1]]) ";
  const Solid elliptic = Intersection(
      {PolynomialSolid({{0.25, {2, 0, 0}}, {4, {0, 2, 0}}, {-1, {0, 0, 0}}}), Slab(1.5)});
  ExpectSame(Parsed(scale + "cylinder(h = 1, r = 1, center = true);"), elliptic);
  ExpectSame(Parsed(scale + "cylinder(h = 1, r = 1);"), Moved(elliptic, 0, 0, 0.75));
  // (x/2)² + (2y)² <= (1 - z/3)² for 0 <= z <= 3
  const Solid cone = Intersection({PolynomialSolid({{0.25, {2, 0, 0}},
                                                    {4, {0, 2, 0}},
                                                    {-1, {0, 0, 0}},
                                                    {2.0 / 3, {0, 0, 1}},
                                                    {-1.0 / 9, {0, 0, 2}}}),
                                   Moved(Slab(3), 0, 0, 1.5)});
  ExpectSame(Parsed(scale + "cylinder(h = 2, r1 = 1, r2 = 0);"), cone);
}

TEST(OpenScad, ScalingAroundRotation) {
  const std::string scale = "multmatrix([[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) ";
  const std::string quarter = "multmatrix([[0,-1,0,0],[1,0,0,0],[0,0,1,0],[0,0,0,1]]) ";
  ExpectSame(Parsed(scale + quarter + "cube([1, 2, 1], center = true);"), Box({4, 1, 1}));
  // The image of a ball is an ellipsoid, whatever is turned between.
  const std::string eighth =
      "multmatrix([[0.707107,-0.707107,0,0],[0.707107,0.707107,0,0],[0,0,1,0],[0,0,0,1]]) ";
  ExpectSame(Parsed(scale + eighth + "sphere(r = 1);"), Ellipsoid({2, 1, 1}));
  ExpectSame(Parsed(scale + eighth + scale + "sphere(r = 1);"), Quadric([] {
               Eigen::Matrix3d S = Eigen::Vector3d(2, 1, 1).asDiagonal(), R;
               R << kHalf, -kHalf, 0, kHalf, kHalf, 0, 0, 0, 1;
               const Eigen::Matrix3d inverse = (S * R * S).inverse();
               Eigen::Matrix4d Q = Eigen::Matrix4d::Zero();
               Q.topLeftCorner<3, 3>() = inverse.transpose() * inverse;
               Q(3, 3) = -1;
               return Q;
             }()));
}

TEST(OpenScad, Mirrors) {
  const std::string x = "multmatrix([[-1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) ";
  const std::string z = "multmatrix([[1,0,0,0],[0,1,0,0],[0,0,-1,0],[0,0,0,1]]) ";
  const std::string shift = "multmatrix([[1,0,0,0.5],[0,1,0,0],[0,0,1,1],[0,0,0,1]]) ";
  ExpectSame(Parsed(x + "cube([1,2,3]);"), Moved(Box({1, 2, 3}), -0.5, 1, 1.5));
  ExpectSame(Parsed(z + "cylinder(h=2,r1=2,r2=0);"), Turned(Cone(2, 2), 0, 1, 0, 0));
  ExpectSame(Parsed(z + shift + "cylinder(h=2,r1=2,r2=0);"),
             Moved(Turned(Cone(2, 2), 0, 1, 0, 0), 0.5, 0, -1));
  ExpectSame(Parsed(z + x + shift + "cube([1,2,3]);"), Moved(Box({1, 2, 3}), -1, 1, -2.5));
  // mirror([1, 1, 0])
  ExpectSame(Parsed("multmatrix([[0,-1,0,0],[-1,0,0,0],[0,0,1,0],[0,0,0,1]]) cube([1,2,3]);"),
             Moved(Box({2, 1, 3}), -1, -0.5, 1.5));
}

TEST(OpenScad, CommentsAndModifiers) {
  const SolidFile file = ParseOpenScad(
      "// a comment\n/* and\n another */ group() { %cube(9); *hull() { cube(1); } #sphere(r=1); }",
      "part.csg", 1.0);
  ExpectSame(file.solid, Sphere(1));
  ASSERT_EQ(file.notes.size(), 2u);
  EXPECT_EQ(file.notes[1], "part.csg: parts marked % or * are ignored: 2");
}

TEST(OpenScad, RootModifierReplacesTheFile) {
  const SolidFile file =
      ParseOpenScad("cube(9);\ngroup() { ! sphere(r = 1); cube(9); }", "part.csg", 1.0);
  ExpectSame(file.solid, Sphere(1));
  EXPECT_EQ(file.notes[0], "part.csg: line 2, column 11: only the part marked ! is read");
}

TEST(OpenScad, OneNoteOnCurves) {
  const SolidFile file = ParseOpenScad(
      "sphere($fn = 18, r = 1); sphere(r = 2); cylinder($fn = 60, h = 1, r = 1);", "part.csg");
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_NE(file.notes[0].find("part.csg: spheres, cylinders, cones and circles are kept exact"),
            std::string::npos);
  EXPECT_TRUE(ParseOpenScad("cube(1);", "part.csg").notes.empty());
  EXPECT_TRUE(ParseOpenScad("sphere($fn = 12, r = 1);", "part.csg").notes.empty());
}

TEST(OpenScad, UnitMustBePositive) {
  EXPECT_THROW(ParseOpenScad("cube(1);", "f", 0.0), InvalidInput);
  EXPECT_THROW(ParseOpenScad("cube(1);", "f", std::numeric_limits<double>::quiet_NaN()),
               InvalidInput);
}

std::string Pyramid(const std::string& faces) {
  return "polyhedron(points = [[0,0,0],[2,0,0],[2,2,0],[0,2,0],[1,1,2]], faces = [" + faces + "]);";
}
constexpr char kPyramidFaces[] = "[0,4,1],[1,4,2],[2,4,3],[3,4,0],[0,1,2,3]";
constexpr char kTurnedFaces[] = "[0,1,4],[1,2,4],[2,3,4],[3,0,4],[3,2,1,0]";

TEST(OpenScad, PolyhedraAreCheckedAsMeshesAre) {
  const Solid pyramid = Parsed(Pyramid(kPyramidFaces));
  EXPECT_EQ(pyramid.Locate({1, 1, 1}), Membership::kInside);
  const std::string mirror = "multmatrix([[-1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) ";
  EXPECT_EQ(Parsed(mirror + Pyramid(kPyramidFaces)).Locate({-1, 1, 1}), Membership::kInside);
  EXPECT_EQ(Parsed(mirror + Pyramid(kTurnedFaces)).Locate({-1, 1, 1}), Membership::kInside);
  const std::string crossing =
      "polyhedron(points = [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[.1,.1,.1],[1.1,.1,.1],[.1,1.1,.1],"
      "[.1,.1,1.1]], faces = [[0,1,2],[0,3,1],[0,2,3],[1,3,2],[4,5,6],[4,7,5],[4,6,7],[5,7,6]]);";
  const std::string refusal = MessageOf([&] { Parsed(crossing); });
  EXPECT_TRUE(refusal.starts_with("test.csg: line 1, column 1: ")) << refusal;
  ReadOptions options;
  options.accept_defects = true;
  const SolidFile file = ParseOpenScad(crossing, "test.csg", 1.0, options);
  ASSERT_FALSE(file.notes.empty());
  EXPECT_TRUE(file.notes[0].starts_with("test.csg: line 1, column 1: accepted: ")) << file.notes[0];
}

// Corners on a line and reflex ones: a fan from the first corner would be flat or turned over.
TEST(OpenScad, FacesOfPolyhedraMayHaveManyCorners) {
  const Solid prism = Parsed(
      "polyhedron(points = [[0,0,0],[1,0,0],[2,0,0],[2,1,0],[1,1,0],[1,2,0],[0,2,0],"
      "[0,0,1],[1,0,1],[2,0,1],[2,1,1],[1,1,1],[1,2,1],[0,2,1]],"
      "faces = [[0,1,2,3,4,5,6],[13,12,11,10,9,8,7],[0,7,8,1],[1,8,9,2],[2,9,10,3],[3,10,11,4],"
      "[4,11,12,5],[5,12,13,6],[6,13,7,0]]);");
  EXPECT_EQ(prism.Locate({1.5, 0.5, 0.5}), Membership::kInside);
  EXPECT_EQ(prism.Locate({1.5, 1.5, 0.5}), Membership::kOutside);
}

}  // namespace
}  // namespace volcontact::open_scad_test
