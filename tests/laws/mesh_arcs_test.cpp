// Meshes beside planes, quadrics and tori as sums over arcs: against the same solids without
// meshes, closed forms, columns and finer meshes; thin overlaps.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/paths.h"
#include "support/random_solids.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing::mesh_arcs_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 14;
const Vector3d kBox(1.0, 0.8, 0.6);

QueryOptions Tight(double tolerance = 1e-9) {
  QueryOptions options;
  options.tolerance = tolerance;
  return options;
}

Solid BoxOfFaces(int parts) { return Mesh(BoxMesh(-0.5 * kBox, 0.5 * kBox, parts)); }

bool IsByArcs(const Metrics& metrics) { return metrics.stats.fallback.empty(); }

// Volume, centroid, inertia, area vector and its moment, each in units of the overlap's size.
void ExpectSame(const Metrics& found, const Metrics& expected, double tolerance, double size) {
  ASSERT_EQ(found.overlap, expected.overlap);
  if (!expected.overlap) return;
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.volume, expected.volume, tolerance * expected.volume);
  EXPECT_LE((found.centroid_W - expected.centroid_W).norm(), tolerance * size);
  EXPECT_LE((found.inertia_W - expected.inertia_W).norm(),
            10.0 * tolerance * expected.inertia_W.norm());
  EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 10.0 * tolerance * size * size);
  EXPECT_LE((found.area_moment_W - expected.area_moment_W).norm(),
            10.0 * tolerance * size * size * size);
  ASSERT_TRUE(found.volume_bounds);
  EXPECT_LE((*found.volume_bounds)[0], expected.volume);
  EXPECT_GE((*found.volume_bounds)[1], expected.volume);
}

struct Curved {
  std::string name;
  Solid solid;
  /// What the contact area of the same solids without a mesh is good to, where their overlap is
  /// convex: then both count the same.
  double projection = 1e-6;
  /// Surfaces of it touch along circles: one in ten is left to other methods.
  bool is_touching = false;
};

// x² + y² <= 0.09 + z²/2.
Solid Hyperboloid() {
  QuadricMatrix matrix = QuadricMatrix::Zero();
  matrix.diagonal() << 1.0, 1.0, -0.5, -0.09;
  return Quadric(matrix);
}

std::vector<Curved> CurvedSolids() {
  return {{"sphere", Sphere(0.5)},
          {"ellipsoid", Ellipsoid({0.5, 0.35, 0.25})},
          {"cylinder", Cylinder(0.3, 0.9)},
          {"cone", Cone(0.4, 0.8)},
          {"frustum", Cone(0.4, 0.6, 0.2)},
          {"capsule", Capsule(0.25, 0.5)},
          {"pin", Intersection({Cylinder(0.4, 0.8), Sphere(0.45)})},
          {"drilled_ball", Difference(Sphere(0.5), {Cylinder(0.15, 2.0)}), 0.0},
          {"box_with_ball", Union({Box({0.6, 0.5, 0.4}), Sphere(0.3).Posed(Pose{{0.3, 0.1, 0.2}})}),
           0.0},
          {"cross",
           Union({Cylinder(0.2, 0.9), Cylinder(0.15, 0.9).Posed(AxisAngle({1.0, 0.1, 0.0}, 1.3))}),
           0.0},
          {"torus", Torus(0.4, 0.15), 0.0},
          {"horn_torus", Torus(0.3, 0.3), 0.0},
          {"ring_with_ball", Union({Torus(0.35, 0.12), Sphere(0.3)}), 0.0},
          {"groove", Difference(Cylinder(0.4, 0.3), {Torus(0.4, 0.1)}), 0.0},
          {"rounded_disc",
           Union({Cylinder(0.4, 0.2), Cylinder(0.3, 0.4), Torus(0.3, 0.1).Posed(Pose{{0, 0, 0.1}}),
                  Torus(0.3, 0.1).Posed(Pose{{0, 0, -0.1}})}),
           0.0, true},
          {"cooling_tower", Intersection({Hyperboloid(), Slab(0.7)}), 0.0}};
}

class MeshArcs : public ::testing::TestWithParam<int> {};

// A mesh of a box is the box, however many its faces are and whichever of both comes first.
TEST_P(MeshArcs, OfABoxAreThoseOfTheBox) {
  const Curved curved = CurvedSolids()[GetParam()];
  Random random(kSeed + GetParam());
  const Solid box = Box(kBox);
  int overlaps = 0;
  for (int n = 0; n < 10; ++n) {
    SCOPED_TRACE(n);
    const Solid mesh = BoxOfFaces(n % 2 == 0 ? 1 : 4);
    const Pose X_WA = random.PoseAt(random.UniformVector(-0.1, 0.1));
    const Pose X_WB = random.PoseAt(X_WA.t + random.Uniform(0.1, 0.7) * random.UnitVector());
    const bool swapped = n % 3 == 0;
    const auto query = [&](const Solid& block) {
      return swapped ? PreparedPair(curved.solid, block).Query(X_WB, X_WA, Tight())
                     : PreparedPair(block, curved.solid).Query(X_WA, X_WB, Tight());
    };
    const Metrics found = query(mesh), expected = query(box);
    ExpectSame(found, expected, 1e-9, std::cbrt(expected.volume));
    if (!expected.overlap) continue;
    ++overlaps;
    EXPECT_TRUE(curved.is_touching || IsByArcs(found)) << found.stats.fallback;
    if (curved.projection > 0.0) {
      EXPECT_NEAR(found.contact_area, expected.contact_area,
                  curved.projection * expected.contact_area);
    }
  }
  EXPECT_GE(overlaps, 5);
}

INSTANTIATE_TEST_SUITE_P(Solids, MeshArcs, ::testing::Range(0, 16),
                         [](const ::testing::TestParamInfo<int>& param) {
                           return CurvedSolids()[param.param].name;
                         });

// How far a solid reaches along a direction.
struct Supported {
  Solid solid;
  std::function<double(const Vector3d&)> reach;
};

std::vector<Supported> SupportedSolids() {
  return {
      {Sphere(0.5), [](const Vector3d&) { return 0.5; }},
      {Ellipsoid({0.5, 0.35, 0.25}),
       [](const Vector3d& u) { return Vector3d(0.5, 0.35, 0.25).cwiseProduct(u).norm(); }},
      {Cylinder(0.3, 0.9),
       [](const Vector3d& u) { return 0.3 * std::hypot(u.x(), u.y()) + 0.45 * std::abs(u.z()); }},
      {Cone(0.4, 0.8),
       [](const Vector3d& u) { return std::max(0.4 * std::hypot(u.x(), u.y()), 0.8 * u.z()); }},
      {Torus(0.35, 0.12),
       [](const Vector3d& u) { return 0.35 * std::hypot(u.x(), u.y()) + 0.12; }}};
}

// False beside the face, where there is no overlap.
bool ExpectSameOnTop(const Solid& solid, const Eigen::Matrix3d& R, double reach, double depth,
                     Random* random) {
  const Pose X_WA = random->PoseAt(random->UniformVector(-1.0, 1.0));
  const Vector3d t(random->Uniform(-0.1, 0.1), random->Uniform(-0.1, 0.1), 0.3 + reach - depth);
  const Pose X_WB = MakePose(X_WA.Rotation() * R, X_WA * t);
  const Metrics expected = PreparedPair(Box(kBox), solid).Query(X_WA, X_WB, Tight());
  const Metrics found = PreparedPair(BoxOfFaces(3), solid).Query(X_WA, X_WB, Tight());
  if (!expected.overlap) return false;
  EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
  ExpectSame(found, expected, 1e-9, std::sqrt(expected.contact_area));
  EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(),
            1e-8 * expected.area_vector_W.norm());
  return true;
}

TEST(MeshArcsOfThinOverlaps, KeepTheirDigits) {
  Random random(kSeed);
  int overlaps = 0;
  for (const Supported& other : SupportedSolids()) {
    for (const double depth : {1e-3, 1e-5, 1e-7, 1e-8}) {
      for (int n = 0; n < 3; ++n) {
        SCOPED_TRACE(depth);
        const Eigen::Matrix3d R = random.PoseAt(Vector3d::Zero()).Rotation();
        const double reach = other.reach(-R.row(2).transpose());
        overlaps += ExpectSameOnTop(other.solid, R, reach, depth, &random) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(overlaps, 45);  // of 60
}

TEST(MeshArcsOfThinOverlaps, KeepTheirDigitsAlongALine) {
  Random random(kSeed);
  for (const double depth : {1e-3, 1e-5, 1e-7}) {
    SCOPED_TRACE(depth);
    const double angle = random.Uniform(0.0, pi);
    Eigen::Matrix3d R;
    R.col(2) = Vector3d(std::cos(angle), std::sin(angle), 0.0);
    R.col(0) = Vector3d::UnitZ();
    R.col(1) = R.col(2).cross(R.col(0));
    ExpectSameOnTop(Cylinder(0.3, 0.9), R, 0.3, depth, &random);
  }
}

// A torus that lies flat touches along its whole crest: by Pappus the section of the tube, a
// circle's segment, around the axis; a sum over the triangles of a plate.
TEST(MeshArcsOfThinOverlaps, KeepTheirDigitsAlongACircle) {
  Random random(kSeed);
  const double R = 0.25, r = 0.1;
  for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8}) {
    SCOPED_TRACE(depth);
    const Pose X_WA = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose X_WB = MakePose(X_WA.Rotation(), X_WA * Vector3d(0.02, -0.03, 0.3 + r - depth));
    const Metrics found = PreparedPair(BoxOfFaces(3), Torus(R, r)).Query(X_WA, X_WB, Tight(1e-8));
    EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
    EXPECT_TRUE(found.converged || depth < 1e-7);
    EXPECT_LE(found.volume_error, 1e-6 * found.volume);
    const double half = 2.0 * std::asin(std::sqrt(depth / (2.0 * r)));
    const double x = 2.0 * half;
    // x − sin x without cancellation.
    const double rise = depth < 1e-3 ? x * x * x / 6.0 * (1.0 - x * x / 20.0 * (1.0 - x * x / 42.0))
                                     : x - std::sin(x);
    const double volume = 2.0 * pi * R * 0.5 * r * r * rise;
    EXPECT_NEAR(found.volume, volume, 1e-8 * volume + 2.0 * found.volume_error);
    const Vector3d up = X_WA.Rotation().col(2);
    EXPECT_LE((found.area_vector_W.cross(up)).norm(), 1e-7 * found.area_vector_W.norm());
    EXPECT_NEAR(found.area_vector_W.norm(), 4.0 * pi * R * r * std::sin(half),
                1e-7 * found.area_vector_W.norm());
  }
}

// A whole torus in a mesh, and a mesh with a torus cut out of it: seams without edges.
TEST(MeshArcsOfATorus, HoldAllOfIt) {
  Random random(kSeed);
  const double R = 0.2, r = 0.07, whole = 2.0 * pi * pi * R * r * r;
  for (int n = 0; n < 5; ++n) {
    const Pose X_WA = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose X_WB = random.PoseAt(X_WA * random.UniformVector(-0.02, 0.02));
    const Metrics inside = PreparedPair(BoxOfFaces(2), Torus(R, r)).Query(X_WA, X_WB, Tight());
    EXPECT_TRUE(IsByArcs(inside)) << inside.stats.fallback;
    EXPECT_NEAR(inside.volume, whole, 1e-11 * whole);
    EXPECT_LE((inside.centroid_W - X_WB.t).norm(), 1e-11);
    const Solid block = Difference(Sphere(1.0), {Torus(R, r)});
    const Metrics around = PreparedPair(BoxOfFaces(2), block).Query(X_WA, X_WB, Tight());
    EXPECT_NEAR(around.volume, kBox.prod() - whole, 1e-11);
  }
}

// A seam of a solid at the height of a plate's face, where two of its surfaces and the face share a
// circle: a shaft goes through the plate, and its area vector is zero.
TEST(MeshArcsOfSeams, CountOnceInAFaceThatHoldsThem) {
  Random random(kSeed);
  const Vector3d plate(1.0, 0.8, 0.2);
  const Solid shaft = Cylinder(0.2, 0.5).Posed(Pose{{0, 0, -0.25}});
  const Solid solids[] = {Union({shaft, Cone(0.2, 0.3)}), Union({shaft, Cone(0.3, 0.3, 0.2)}),
                          Union({shaft, Sphere(0.2)}),
                          Union({shaft, Cylinder(0.1, 0.2), Torus(0.1, 0.1)})};
  const double volume = pi * 0.04 * 0.2;
  for (const Solid& solid : solids) {
    for (int n = 0; n < 24; ++n) {
      SCOPED_TRACE(n);
      const Solid mesh = Mesh(BoxMesh(-0.5 * plate, 0.5 * plate, n % 2 == 0 ? 1 : 4));
      const Pose X_WA = n < 2 ? Pose{} : random.PoseAt(random.UniformVector(-1.0, 1.0));
      const Pose X_WB = MakePose(X_WA.Rotation(), X_WA * Vector3d(0.03, -0.02, 0.1));
      const Metrics found = PreparedPair(mesh, solid).Query(X_WA, X_WB, Tight());
      EXPECT_TRUE(IsByArcs(found)) << found.stats.fallback;
      EXPECT_TRUE(found.converged);
      EXPECT_NEAR(found.volume, volume, 1e-12);
      EXPECT_LE(found.area_vector_W.norm(), 1e-12);
      // Seen from a little beside, since the shaft's outline runs along it.
      EXPECT_NEAR(found.contact_area, pi * 0.04, 1e-5);
    }
  }
}

// Two shells of one mesh that cross: what both enclose counts twice.
TEST(MeshArcsOfCrossingShells, AreThoseOfBothShells) {
  const TriangleMesh first = BoxMesh(-0.5 * kBox, 0.5 * kBox);
  const Vector3d step(0.31, 0.17, 0.23);
  const TriangleMesh second = BoxMesh(step - 0.5 * kBox, step + 0.5 * kBox);
  const TriangleMesh both = Joined(first, second);
  Random random(41);
  for (const Solid& curved :
       {Sphere(0.6), Sphere(0.25), Torus(0.4, 0.15), Difference(Sphere(0.6), {Cylinder(0.2, 3.0)}),
        Difference(Box({0.9, 0.8, 0.7}), {Cylinder(0.2, 3.0)})}) {
    for (int n = 0; n < 6; ++n) {
      SCOPED_TRACE(n);
      const Pose X = random.PoseAt(random.UniformVector(-0.5, 0.6));
      QueryOptions options;
      options.tolerance = 1e-9;
      const Metrics metrics = PreparedPair(curved, Mesh(both)).Query(X, Pose(), options);
      EXPECT_TRUE(metrics.converged);
      EXPECT_EQ(metrics.stats.fallback, "");
      const Metrics of_first = PreparedPair(curved, Mesh(first)).Query(X, Pose(), options);
      const Metrics of_second = PreparedPair(curved, Mesh(second)).Query(X, Pose(), options);
      EXPECT_NEAR(metrics.volume, of_first.volume + of_second.volume, 1e-9 * metrics.volume);
      const Vector3d a = of_first.area_vector_W + of_second.area_vector_W;
      EXPECT_LT((metrics.area_vector_W - a).norm(), 1e-8);
      options.method = Method::kColumns;
      options.tolerance = 2e-3;
      const Metrics columns = PreparedPair(curved, Mesh(both)).Query(X, Pose(), options);
      EXPECT_NEAR(columns.volume, metrics.volume, 2.0 * columns.volume_error);
      EXPECT_LE(columns.volume_error, 5e-3 * columns.volume);
    }
  }
}

// A ball about the centre of a regular icosahedron, larger than its faces' distance and smaller
// than that of its edges: the ball less twenty caps.
TEST(MeshArcsOfAnIcosahedron, AreABallLessItsCaps) {
  const TriangleMesh mesh = SphereMesh(1.0, 0);
  const auto& face = mesh.faces[0];
  const Vector3d a = mesh.vertices[face[0]], b = mesh.vertices[face[1]], c = mesh.vertices[face[2]];
  const double inner = (a + b + c).norm() / 3.0, edge = 0.5 * (a + b).norm();
  Random random(kSeed);
  for (const double part : {1e-4, 0.1, 0.9}) {
    const double r = inner + part * (edge - inner), h = r - inner;
    const double cap = pi * h * h * (3.0 * r - h) / 3.0, disc = pi * h * (2.0 * r - h);
    const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose Y = random.PoseAt(X.t);
    const Metrics metrics = PreparedPair(Mesh(mesh), Sphere(r)).Query(X, Y, Tight());
    EXPECT_TRUE(IsByArcs(metrics));
    const double volume = 4.0 / 3.0 * pi * r * r * r - 20.0 * cap;
    EXPECT_NEAR(metrics.volume, volume, 1e-12 * volume);
    EXPECT_LE((metrics.centroid_W - X.t).norm(), 1e-12);
    EXPECT_LE(metrics.area_vector_W.norm(), 1e-12 * disc + 1e-13);
    // All moments of inertia of a solid with this symmetry are equal.
    EXPECT_LE((metrics.inertia_W - metrics.inertia_W(0, 0) * Eigen::Matrix3d::Identity()).norm(),
              1e-12);
  }
}

// A cylinder, a cone and a ball with their axis through a prism along it: columns over a triangle,
// as long as the prism is.
TEST(MeshArcsOfAPrism, AreClosedForms) {
  const Solid prism = Mesh(StarPrism({2.0, 2.0, 2.0}, 0.5));  // a triangle with an incircle of 1
  const PreparedPair round(prism, Cylinder(0.9, 3.0));
  const Pose X = AxisAngle({0.3, -0.4, 0.5}, 0.7, {0.1, 0.2, -0.3});
  const auto on_axis = [&](double z) { return MakePose(X.Rotation(), X * Vector3d(0.0, 0.0, z)); };
  const double cylinder = pi * 0.81 * 0.5;
  EXPECT_NEAR(round.Query(X, on_axis(0.2), Tight()).volume, cylinder, 1e-12);
  // Beyond the incircle three segments are left out.
  const double r = 1.2, half = std::acos(1.0 / r);
  const double segment = r * r * (half - std::sin(half) * std::cos(half));
  const double cut = (pi * r * r - 3.0 * segment) * 0.5;
  EXPECT_NEAR(PreparedPair(prism, Cylinder(r, 3.0)).Query(X, on_axis(0.1), Tight()).volume, cut,
              1e-12);
  // A cone from z = −0.5 to its tip at 0.5.
  const double frustum = pi * 0.81 / 3.0 * (0.75 * 0.75 * 0.75 - 0.25 * 0.25 * 0.25);
  EXPECT_NEAR(PreparedPair(prism, Cone(0.9, 1.0)).Query(X, on_axis(-0.5), Tight()).volume, frustum,
              1e-12);
  const double zone = pi * (0.81 * 0.5 - 2.0 * 0.25 * 0.25 * 0.25 / 3.0);
  EXPECT_NEAR(PreparedPair(prism, Sphere(0.9)).Query(X, on_axis(0.0), Tight()).volume, zone, 1e-12);
}

// Meshes of a ball that get finer by halves, their volumes extrapolated, lead to the lens of balls.
TEST(MeshArcsOfFinerMeshes, LeadToTheirLimit) {
  const Pose X_WB = AxisAngle({0.2, 0.5, -0.3}, 0.4, {0.9, 0.5, 0.4});
  const double expected = Query(Sphere(1.0), Sphere(0.6).Posed(X_WB), Tight(1e-12)).volume;
  double volumes[4];
  for (int level = 0; level < 4; ++level) {
    volumes[level] = PreparedPair(Mesh(SphereMesh(1.0, level + 2)), Sphere(0.6))
                         .Query(Pose{}, X_WB, Tight())
                         .volume;
  }
  // The error of a mesh with edges h is that of h², and about that of h⁴.
  const auto once = [&](int n) { return (4.0 * volumes[n + 1] - volumes[n]) / 3.0; };
  EXPECT_NEAR(volumes[3], expected, 2e-3 * expected);
  EXPECT_NEAR(once(2), expected, 2e-5 * expected);
  EXPECT_LT(std::abs(once(2) - expected), 0.2 * std::abs(once(0) - expected));
}

class MeshArcsOfFiles : public ::testing::TestWithParam<const char*> {};

TEST_P(MeshArcsOfFiles, AreThoseOfColumns) {
  const std::string file = GetParam();
  const TriangleMesh mesh = ReadMesh(std::filesystem::path(DataFolder()) / "meshes" / file).mesh;
  const Solid solid = Mesh(mesh);
  const double size = 2.0 * solid.Bounds().HalfExtents().maxCoeff();
  Random random(kSeed);
  const Solid others[] = {Sphere(0.12 * size), Cylinder(0.08 * size, 0.25 * size),
                          Cone(0.12 * size, 0.2 * size),
                          Ellipsoid(Vector3d(0.15, 0.1, 0.08) * size)};
  int by_arcs = 0, overlaps = 0;
  for (int n = 0; n < 8; ++n) {
    SCOPED_TRACE(n);
    const Solid& other = others[n % 4];
    // Partly in the mesh, at a vertex.
    const double number = random.Uniform(0.0, static_cast<double>(mesh.vertices.size()));
    const Pose X_WB = random.PoseAt(mesh.vertices[static_cast<std::size_t>(number)] +
                                    0.1 * size * random.UnitVector());
    const Metrics found = PreparedPair(solid, other).Query(Pose{}, X_WB, Tight());
    const Metrics again = PreparedPair(other, solid).Query(X_WB, Pose{}, Tight());
    overlaps += found.overlap ? 1 : 0;
    by_arcs += found.overlap && IsByArcs(found) ? 1 : 0;
    ASSERT_EQ(again.overlap, found.overlap);
    if (!found.overlap) continue;
    const double length = std::cbrt(found.volume);
    EXPECT_NEAR(again.volume, found.volume, 1e-11 * found.volume);
    EXPECT_LE((again.area_vector_W + found.area_vector_W).norm(), 1e-10 * length * length);
    QueryOptions by_columns = Tight(2e-3);
    by_columns.method = Method::kColumns;
    const Metrics columns = PreparedPair(solid, other).Query(Pose{}, X_WB, by_columns);
    EXPECT_EQ(columns.method, Method::kColumns);
    ExpectSame(columns, found, 2e-3, length);
  }
  EXPECT_GE(overlaps, 4);
  EXPECT_EQ(by_arcs, overlaps);
}

INSTANTIATE_TEST_SUITE_P(Files, MeshArcsOfFiles,
                         ::testing::Values("dented_sphere.obj", "gear.obj", "plate.obj",
                                           "bracket.stl"),
                         [](const ::testing::TestParamInfo<const char*>& param) {
                           const std::string file = param.param;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace volcontact::testing::mesh_arcs_test
