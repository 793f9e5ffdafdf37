// OpenSCAD's plane parts, pulled and turned, and its hulls: against closed forms, point by point,
// and against the mesh that OpenSCAD makes of the same part.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "io/outlines/convex_hull.h"
#include "io/outlines/polygon_formula.h"
#include "support/paths.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::open_scad_shapes_test {
namespace {

constexpr double kPi = std::numbers::pi;

Solid Parsed(const std::string& text) { return ParseOpenScad(text, "test.csg", 1.0).solid; }

std::string Moved(double x, double y, double z) {
  return "multmatrix([[1,0,0," + std::to_string(x) + "],[0,1,0," + std::to_string(y) + "],[0,0,1," +
         std::to_string(z) + "],[0,0,0,1]]) ";
}

struct VolumeCase {
  std::string text;
  double volume;
  double centroid_z;
};

void ExpectVolumes(const std::vector<VolumeCase>& cases, double tolerance) {
  for (const VolumeCase& c : cases) {
    SCOPED_TRACE(c.text);
    QueryOptions options;
    options.tolerance = 1e-12;
    const MassProperties mass = ComputeMassProperties(Parsed(c.text), options);
    EXPECT_NEAR(mass.volume / c.volume, 1.0, tolerance);
    EXPECT_NEAR(mass.centroid_W.z(), c.centroid_z, 10.0 * tolerance);
  }
}

TEST(OpenScadShapes, PulledOutlinesHaveTheirVolumes) {
  const std::string l_shape = "polygon([[0,0],[4,0],[4,1],[1,1],[1,3],[0,3]]);";
  ExpectVolumes(
      {{"linear_extrude(height = 3) square([2, 1]);", 6.0, 1.5},
       {"linear_extrude(height = 3, center = true) circle(2);", 12.0 * kPi, 0.0},
       {"linear_extrude(height = 2) " + l_shape, 12.0, 1.0},
       {"linear_extrude(height = 2) difference() { square(4); " + Moved(2, 2, 0) + "circle(1); }",
        2.0 * (16.0 - kPi), 1.0},
       {"linear_extrude(height = 2) polygon([[0,0],[6,0],[6,6],[0,6],[1,1],[5,1],[5,5],[1,5]],"
        " [[0,1,2,3],[4,5,6,7]]);",
        40.0, 1.0},
       // An outline within a hole: even and odd.
       {"linear_extrude(height = 1) polygon([[0,0],[6,0],[6,6],[0,6],[1,1],[5,1],[5,5],[1,5],"
        "[2,2],[3,2],[3,3]], [[0,1,2,3],[4,5,6,7],[8,9,10]]);",
        20.5, 0.5},
       {"linear_extrude(height = 3, scale = 0.5) square([2, 4], center = true);", 14.0,
        3.0 * (8.0 + 2.0 * 4.0 + 3.0 * 2.0) / (4.0 * (8.0 + 4.0 + 2.0))},
       {"linear_extrude(height = 3, scale = 0) circle(1);", kPi, 0.75},
       // An oblique cone.
       {"linear_extrude(height = 3, scale = 0) " + Moved(5, 0, 0) + "circle(1);", kPi, 0.75},
       {"linear_extrude(height = 1) hull() { circle(1); " + Moved(4, 0, 0) + "circle(1); }",
        8.0 + kPi, 0.5},
       // Sheared in its plane: an ellipse of the same area.
       {"linear_extrude(height = 1) multmatrix([[1,0.5,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]])"
        " circle(1);",
        kPi, 0.5}},
      1e-12);
}

TEST(OpenScadShapes, TurnedOutlinesHaveTheirVolumes) {
  const std::string ring = Moved(3, 1, 0) + "circle(1);";
  ExpectVolumes(
      {{"rotate_extrude() " + ring, 6.0 * kPi * kPi, 1.0},
       {"rotate_extrude(angle = 90) " + ring, 1.5 * kPi * kPi, 1.0},
       {"rotate_extrude(angle = -240) " + ring, 4.0 * kPi * kPi, 1.0},
       {"rotate_extrude(angle = 180) " + Moved(-3, 1, 0) + "circle(1);", 3.0 * kPi * kPi, 1.0},
       {"rotate_extrude() polygon([[0,0],[2,0],[0,4]]);", 16.0 / 3.0 * kPi, 1.0},
       {"rotate_extrude() polygon([[1,0],[2,0],[2,3],[1,3]]);", 9.0 * kPi, 1.5},
       // Pappus: the area times the way of its centroid.
       {"rotate_extrude() polygon([[2,0],[4,0],[3,1]]);", 6.0 * kPi, 1.0 / 3.0},
       {"rotate_extrude() intersection() { circle(2); " + Moved(0, -2, 0) + "square([2, 4]); }",
        32.0 / 3.0 * kPi, 0.0}},
      1e-12);
}

// Circles that reach over the axis, turned under a scaling: quartics.
TEST(OpenScadShapes, QuarticsOfTurnedCircles) {
  const auto expect = [](const std::string& text, auto inside) {
    const Solid solid = Parsed(text);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(-6.0, 6.0);
    for (int i = 0; i < 4000; ++i) {
      const Eigen::Vector3d p(uniform(random), uniform(random), uniform(random));
      ASSERT_EQ(solid.Locate(p) == Membership::kInside, inside(p)) << p.transpose() << '\n' << text;
    }
  };
  const auto disc = [](double rho, double z, double c) {
    return (rho - c) * (rho - c) + z * z < 9.0;
  };
  for (const double c : {2.0, -1.0}) {
    expect("rotate_extrude() intersection() { " + Moved(c, 0, 0) + "circle(3); " + Moved(0, -9, 0) +
               "square([9, 18]); }",
           [&](const Eigen::Vector3d& p) { return disc(std::hypot(p.x(), p.y()), p.z(), c); });
  }
  const std::string scale = "multmatrix([[1,0,0,0],[0,0.5,0,0],[0,0,2,0],[0,0,0,1]]) ";
  expect(scale + "rotate_extrude(angle = 90) " + Moved(3.5, 0, 0) + "circle(3);",
         [&](const Eigen::Vector3d& p) {
           return p.x() > 0 && p.y() > 0 && disc(std::hypot(p.x(), 2.0 * p.y()), 0.5 * p.z(), 3.5);
         });
}

// Scaled about the origin so that the bounding box has the new size; 0 leaves a direction as it is.
TEST(OpenScadShapes, Resized) {
  ExpectVolumes(
      {{"resize(newsize = [2, 4, 6], auto = [0, 0, 0]) sphere(5);", 8.0 * kPi, 0.0},
       {"resize([2, 0, 3]) cube([1, 5, 9]);", 30.0, 1.5},
       {"resize([4, 0, 0], auto = true) cube([2, 3, 1]);", 48.0, 1.0},
       {"resize([4, 0, 0], [false, true, false]) cube([2, 3, 1]);", 24.0, 0.5},
       {"resize([8, 4, 6]) cylinder(h = 3, r = 1);", 48.0 * kPi, 3.0},
       // A bounding box of 3 by 2 by 4 becomes one of 6 by 2 by 2.
       {"resize([6, 2, 2]) linear_extrude(height = 4) hull() { circle(1); " + Moved(1, 0, 0) +
            "circle(1); }",
        4.0 * (2.0 + kPi), 1.0},
       {"multmatrix([[0.6,-0.8,0,3],[0.8,0.6,0,0],[0,0,1,0],[0,0,0,1]]) resize([2, 2, 2]) union() "
        "{ cube(1); " +
            Moved(1, 1, 1) + "cube(3); }",
        1.0 / 8.0 + 27.0 / 8.0, (1.0 * 0.25 + 27.0 * 1.25) / 28.0},
       // A plate with a hole, and a notch in the middle of a side.
       {"resize([8, 8, 0]) difference() { cube([4, 4, 1]); " + Moved(2, 2, -1) +
            "cylinder(h = 3, r = 1); " + Moved(1, -1, -1) + "cube([1, 2, 3]); }",
        4.0 * (15.0 - kPi), 0.5},
       {"linear_extrude(height = 3) resize([8, 0, 0], auto = true) difference() { square(4); " +
            Moved(2, 2, 0) + "circle(1); }",
        3.0 * (64.0 - 4.0 * kPi), 1.5},
       {"linear_extrude(height = 1) resize([8, 2, 0]) circle(1);", 4.0 * kPi, 0.5}},
      1e-12);
}

// Corners of a plate as programs draw them: a sector of a thin disc at each end of an edge.
TEST(OpenScadShapes, HullsOfIntersections) {
  const auto sector = [](double x, double y, double z, bool quarter) {
    const std::string wedge = quarter ? "square(9);" : "polygon([[0,0],[9,0],[9,9],[5,9]]);";
    const auto at = [&](double value) { return std::to_string(value); };
    return "multmatrix([[" + at(x < 0 ? -1 : 1) + ",0,0," + at(x) + "],[0," + at(y < 0 ? -1 : 1) +
           ",0," + at(y) + "],[0,0,1," + at(z) +
           "],[0,0,0,1]]) group() { group() { "
           "multmatrix([[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) "
           "group(); } intersection() { cylinder(h = 0.5, r = 2, center = "
           "true); linear_extrude(height = 1, center = true) " +
           wedge + " } }";
  };
  const auto plate = [&](bool quarter) {
    std::string text = "hull() {";
    for (int i = 0; i < 8; ++i) {
      text += sector(i % 2 ? 4 : -4, i / 2 % 2 ? 3 : -3, i / 4 ? 2 : -2, quarter);
    }
    return text + "}";
  };
  // Quarters have the hull of the whole discs: a plate of 12 by 10 with round corners, exact.
  const double area = 12.0 * 10.0 - (4.0 - kPi) * 4.0;
  ExpectVolumes({{plate(true), 4.5 * area, 0.0},
                 {"multmatrix([[0.6,-0.8,0,0],[0.8,0.6,0,0],[0,0,-1,0],[0,0,0,1]]) " + plate(true),
                  4.5 * area, 0.0}},
                1e-12);
  // What is common with nothing is nothing.
  ExpectVolumes(
      {{"hull() { cube(2, center = true); intersection() { cube(9); group(); } }", 8.0, 0.0}},
      1e-12);
  // Smaller sectors do not: then it is a mesh that states its deviation. A quarter of its area has
  // the arc's segment, and straight edges from the arc's ends to those of its neighbours.
  const SolidFile mesh = ParseOpenScad(plate(false), "test.csg", 1.0);
  EXPECT_NE(mesh.notes.front().find("hull() of these round parts is a mesh"), std::string::npos);
  const double angle = std::atan2(9.0, 5.0), x = 2.0 * std::cos(angle), y = 2.0 * std::sin(angle);
  const double quarter = 2.0 * angle - 0.5 * x * y + x * y + 12.0 + 6.0 + 4.0 * y;
  EXPECT_NEAR(ComputeMassProperties(mesh.solid).volume / (18.0 * quarter), 1.0, 1e-3);
}

TEST(OpenScadShapes, ShearsAreExact) {
  const std::string shear = "multmatrix([[1,0,0.5,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) ";
  ExpectVolumes({{shear + "cube([1,2,3]);", 6.0, 1.5},
                 {shear + "cylinder(h = 3, r = 1, center = true);", 3.0 * kPi, 0.0},
                 {shear + "cylinder(h = 3, r1 = 1, r2 = 0);", kPi, 0.75},
                 {shear + "linear_extrude(height = 2) square(2);", 8.0, 1.0},
                 {shear + "rotate_extrude() polygon([[0,0],[2,0],[0,4]]);", 16.0 / 3.0 * kPi, 1.0}},
                1e-12);
  const SolidFile file = ParseOpenScad("\n" + shear + "cube(1);", "part.csg", 1.0);
  ASSERT_EQ(file.notes.size(), 1u);
  EXPECT_TRUE(file.notes[0].starts_with("part.csg: line 2, column 1: the matrix shears"));
  // Scaling about a turn shears, too.
  const std::string turned =
      "multmatrix([[2,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]])"
      " multmatrix([[0.6,-0.8,0,0],[0.8,0.6,0,0],[0,0,1,0],[0,0,0,1]]) ";
  ExpectVolumes(
      {{turned + "cube(1);", 2.0, 0.5}, {turned + "cylinder(h = 1, r = 1);", 2 * kPi, 0.5}}, 1e-12);
}

// Sums of convex parts: boxes make boxes, balls balls, and a box and a cylinder a plate with round
// corners; a box and a ball a mesh of what it stands for.
TEST(OpenScadShapes, Minkowski) {
  const std::string plate = "minkowski() { cube([4, 3, 2]); cylinder(h = 1, r = 1); }";
  ExpectVolumes(
      {{"minkowski() { cube(2); cube([1, 2, 3]); }", 60.0, 2.5},
       {"minkowski() { cube(2); " + Moved(0, 0, 1) + "cube([1, 2, 3], center = true); *cube(9); }",
        60.0, 2.0},
       {"minkowski() { sphere(1); group() { " + Moved(1, 2, 3) + "sphere(2); } }", 36.0 * kPi, 3.0},
       {plate, 3.0 * (12.0 + 14.0 + kPi), 1.5},
       {Moved(0, 0, 1) + "difference() { " + plate + " cube(1); }", 3.0 * (12.0 + 14.0 + kPi) - 1.0,
        (1.5 * 3.0 * (26.0 + kPi) - 0.5) / (3.0 * (26.0 + kPi) - 1.0) + 1.0},
       {"minkowski() { hull() { sphere(1); " + Moved(0, 0, 4) + "sphere(1); } sphere(1); }",
        16.0 * kPi + 32.0 / 3.0 * kPi, 2.0},
       {"minkowski() { cube(2); }", 8.0, 1.0}},
      1e-12);
  const SolidFile rounded = ParseOpenScad("minkowski() { cube(2); sphere(1); }", "box.csg", 1.0);
  EXPECT_TRUE(rounded.notes.at(0).starts_with(
      "box.csg: line 1, column 1: minkowski() of these round parts is a mesh"))
      << rounded.notes[0];
  const MassProperties mass = ComputeMassProperties(rounded.solid);
  EXPECT_NEAR(mass.volume, 8.0 + 24.0 + 6.0 * kPi + 4.0 / 3.0 * kPi, mass.volume_error);
}

TEST(OpenScadShapes, Hulls) {
  const auto ball = [](double x, double y, double z) { return Moved(x, y, z) + "sphere(1);"; };
  const double round = 4.0 / 3.0 * kPi;
  std::string box;
  for (int i = 0; i < 8; ++i) box += ball(4 * (i & 1), 3 * (i >> 1 & 1), 2 * (i >> 2 & 1));
  ExpectVolumes(
      {{"hull() { " + ball(0, 0, 0) + ball(0, 0, 3) + ball(0, 0, 1) + "}", round + 3 * kPi, 1.5},
       {"hull() { cube(2); " + Moved(0, 0, 2) + "cube([1, 2, 2]); }", 14.0, 38.0 / 21.0},
       {"hull() { cylinder(h = 2, r = 1); " + Moved(4, 0, 0) + "cylinder(h = 2, r = 1); }",
        2.0 * (8.0 + kPi), 1.0},
       {"hull() { cylinder(h = 2, r = 1); " + Moved(3, -1, 0) + "cube([2, 2, 2]); }",
        2.0 * (10.0 + 0.5 * kPi), 1.0}},
      1e-11);
  // Others that are round are meshes, and say within what: the box, its faces' plates, its edges'
  // quarters of cylinders, and a ball.
  const SolidFile file = ParseOpenScad("hull() { " + box + "}", "box.csg", 1.0);
  ASSERT_EQ(file.notes.size(), 2u);
  EXPECT_TRUE(
      file.notes[0].starts_with("box.csg: line 1, column 1: hull() of these round parts is"))
      << file.notes[0];
  const double exact = 24.0 + 2.0 * (12 + 6 + 8) + kPi * 9.0 + round;
  const double volume = ComputeMassProperties(file.solid).volume;
  EXPECT_LT(volume, exact);
  EXPECT_GT(volume, 0.98 * exact);
  // Two balls: what the tangent cone holds beside their caps.
  const double sine = 1.0 / 4.0, cosine = std::sqrt(1.0 - sine * sine), length = 4.0 - sine;
  const auto cap = [](double r, double h) { return kPi * h * h * (3 * r - h) / 3; };
  const double cone = kPi * length * cosine * cosine * (4.0 + 2.0 + 1.0) / 3.0;
  ExpectVolumes({{"hull() { sphere(2); " + ball(0, 0, 4) + "}",
                  cone + cap(2, 2 + 2 * sine) + cap(1, 1 - sine),
                  ComputeMassProperties(Parsed("hull() { sphere(2); " + ball(0, 0, 4) + "}"))
                      .centroid_W.z()}},
                1e-9);
}

// Hulls of random points hold all of them, and no point is missed.
TEST(OpenScadShapes, HullsOfPointsAreConvexAndHoldThem) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int> grid(-3, 3);  // many of them in planes and lines
  int hulls = 0;
  for (int run = 0; run < 40; ++run) {
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i < 5 + run; ++i) points.emplace_back(grid(random), grid(random), grid(random));
    TriangleMesh mesh;
    mesh.faces = HullFaces(points);
    if (mesh.faces.empty()) continue;
    ++hulls;
    mesh.vertices = points;
    EXPECT_TRUE(CheckMesh(mesh).ok());
    for (const auto& [a, b, c] : mesh.faces) {
      const Eigen::Vector3d n =
          (points[static_cast<std::size_t>(b)] - points[static_cast<std::size_t>(a)])
              .cross(points[static_cast<std::size_t>(c)] - points[static_cast<std::size_t>(a)]);
      for (const Eigen::Vector3d& p : points) {
        EXPECT_LE(n.dot(p - points[static_cast<std::size_t>(a)]), 0.0);
      }
    }
  }
  EXPECT_GE(hulls, 35);  // of 40
}

// Points that are equal are one to OpenSCAD, and faces may be turned either way, all or some.
TEST(OpenScadShapes, PolyhedraWithFaultsThatOpenScadTakes) {
  const std::string points = "points = [[0,0,0],[2,0,0],[0,3,0],[0,0,4]";
  const std::string faces[] = {
      "], faces = [[0,2,1],[0,1,3],[1,2,3],[0,3,2]]",                   // counterclockwise
      "], faces = [[0,1,2],[0,1,3],[1,3,2],[0,2,3]]",                   // some
      ",[0,0,0],[0,0,4]], faces = [[0,1,2],[4,3,1],[1,5,2],[4,2,5]]",   // points twice
      ",[2,0,0]], faces = [[0,1,2],[0,3,1],[1,3,2],[0,2,3],[1,4,3]]"};  // a face without area
  for (const std::string& each : faces) {
    SCOPED_TRACE(each);
    const SolidFile file = ParseOpenScad("polyhedron(" + points + each + ");", "test.csg", 1.0);
    EXPECT_NEAR(ComputeMassProperties(file.solid).volume, 4.0, 1e-14);
    ASSERT_FALSE(file.notes.empty());
    EXPECT_NE(file.notes.back().find("line 1, column 1: polyhedron() is not a closed mesh"),
              std::string::npos)
        << file.notes.back();
  }
  const SolidFile sound = ParseOpenScad(
      "polyhedron(" + points + "], faces = [[0,1,2],[0,3,1],[1,3,2],[0,2,3]]);", "test.csg", 1.0);
  EXPECT_TRUE(sound.notes.empty()) << sound.notes.front();
}

// Star-shaped rings of random radii, and combs: the formula against the crossing number.
TEST(OpenScadShapes, PolygonFormulas) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const auto holds = [](const PolygonRing& ring, const PolygonFormula& f, const Eigen::Vector2d& p,
                        const auto& self) -> bool {
    if (f.edge >= 0) {
      const auto e = static_cast<std::size_t>(f.edge);
      const DirectedLine line = LineOf(ring[e], ring[(e + 1) % ring.size()]);
      return line.n.dot(p) <= line.d;
    }
    bool any = false, all = true;
    for (const PolygonFormula& part : f.parts) {
      const bool in = self(ring, part, p, self);
      any = any || in;
      all = all && in;
    }
    return f.conjunction ? all : any;
  };
  int simple = 0;
  for (int run = 0; run < 300; ++run) {
    PolygonRing ring;
    const int n = 3 + run % 30;
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * kPi * (i + 0.5 * uniform(random)) / n;
      const double r = 0.2 + uniform(random);
      ring.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    if (run % 3 == 0) {  // a comb
      ring.clear();
      for (int i = 0; i < n; ++i) ring.emplace_back(0.1 * i, i % 2 == 0 ? 0.0 : uniform(random));
      ring.emplace_back(0.1 * n, 2.0);
      ring.emplace_back(-0.1, 2.0);
    }
    ring = CleanRing(ring);
    if (!IsSimple(ring)) continue;
    ++simple;
    const PolygonFormula formula = FormulaOf(ring);
    for (int k = 0; k < 200; ++k) {
      const Eigen::Vector2d p(4.0 * uniform(random) - 1.5, 4.0 * uniform(random) - 1.5);
      ASSERT_EQ(holds(ring, formula, p, holds), IsInside(ring, p)) << run << ' ' << p.transpose();
    }
  }
  EXPECT_GE(simple, 200);
}

// The mesh that OpenSCAD 2021.01 made of data/bracket.scad, its circles of 64 corners, differs from
// the exact part by their tessellation: 1 − sin(2π/64)/(2π/64) of what is round.
TEST(OpenScadShapes, AgreeWithTheMeshOfTheSamePart) {
  const std::string folder = std::string(TestsFolder()) + "/io/data/";
  const SolidFile exact = ReadSolid(folder + "bracket.csg");
  const Solid mesh = Mesh(ReadMesh(folder + "bracket.stl", 1e-3).mesh);
  const MassProperties a = ComputeMassProperties(exact.solid), b = ComputeMassProperties(mesh);
  EXPECT_TRUE(a.converged);
  const double corner = 2.0 * kPi / 64.0, share = 1.0 - std::sin(corner) / corner;
  EXPECT_NEAR(a.volume, b.volume, share * a.volume);
  EXPECT_NE(a.volume, b.volume);
  EXPECT_LT((a.centroid_W - b.centroid_W).norm(), share * 0.04);
  EXPECT_LT((a.inertia_W - b.inertia_W).norm(), 2.0 * share * a.inertia_W.norm());
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const Aabb box = exact.solid.Bounds();
  int differ = 0;
  constexpr int kPoints = 4000;
  for (int i = 0; i < kPoints; ++i) {
    const Eigen::Vector3d at(uniform(random), uniform(random), uniform(random));
    const Eigen::Vector3d p = box.min + at.cwiseProduct(box.max - box.min);
    differ += exact.solid.Locate(p) != mesh.Locate(p);
  }
  EXPECT_LE(differ, 4);
}

}  // namespace
}  // namespace volcontact::open_scad_shapes_test
