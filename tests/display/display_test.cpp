// Surfaces for display against the solids they were made of.
#include "volcontact/display/display.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::display_test {
namespace {

using Eigen::Vector3d;
constexpr double kPi = std::numbers::pi;

Pose PoseOf(const Vector3d& t, const Vector3d& turn) {
  if (turn.isZero(0.0)) return MakePose(Eigen::Matrix3d::Identity(), t);
  return MakePose(Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix(), t);
}

const Pose kAwkward = PoseOf({0.3, -2.0, 1.7}, {0.3, -0.7, 1.1});

Vector3d TwiceArea(const DisplayMesh& mesh, const std::array<std::uint32_t, 3>& t) {
  const Vector3d& p = mesh.points[t[0]];
  return (mesh.points[t[1]] - p).cross(mesh.points[t[2]] - p);
}

double VolumeOf(const DisplayMesh& mesh) {
  if (mesh.points.empty()) return 0.0;
  double volume = 0.0;
  for (const auto& t : mesh.triangles) {
    volume += (mesh.points[t[0]] - mesh.points[0]).dot(TwiceArea(mesh, t)) / 6.0;
  }
  return volume;
}

double AreaOf(const DisplayMesh& mesh) {
  double area = 0.0;
  for (const auto& t : mesh.triangles) area += 0.5 * TwiceArea(mesh, t).norm();
  return area;
}

double LengthOf(const std::vector<Vector3d>& line) {
  double length = 0.0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) length += (line[i + 1] - line[i]).norm();
  return length;
}

// Edges of which one side has no triangle, points told apart by their places alone.
int OpenEdges(const DisplayMesh& mesh) {
  double size = 0.0;
  for (const Vector3d& p : mesh.points) size = std::max(size, (p - mesh.points[0]).norm());
  std::map<std::array<long, 3>, int> numbers;
  const auto number = [&](std::uint32_t i) {
    std::array<long, 3> key;
    for (int k = 0; k < 3; ++k) {
      key[k] = std::lround((mesh.points[i][k] - mesh.points[0][k]) / size * 1e6);
    }
    return numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second;
  };
  std::map<std::pair<int, int>, int> sides;
  for (const auto& t : mesh.triangles) {
    const std::array<int, 3> v = {number(t[0]), number(t[1]), number(t[2])};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    for (int i = 0; i < 3; ++i) {
      ++sides[{v[i], v[(i + 1) % 3]}];
      --sides[{v[(i + 1) % 3], v[i]}];
    }
  }
  int open = 0;
  for (const auto& [key, sum] : sides) open += std::max(sum, 0);
  return open;
}

// Normals are unit vectors and agree with the way triangles turn.
void ExpectSound(const DisplayMesh& mesh, const std::string& name) {
  ASSERT_EQ(mesh.points.size(), mesh.normals.size()) << name;
  EXPECT_TRUE(mesh.complete) << name;
  double against = 0.0;
  for (const auto& t : mesh.triangles) {
    const Vector3d area = TwiceArea(mesh, t);
    Vector3d normal = Vector3d::Zero();
    for (const std::uint32_t i : t) {
      ASSERT_LT(i, mesh.points.size()) << name;
      ASSERT_NEAR(mesh.normals[i].norm(), 1.0, 1e-9) << name;
      normal += mesh.normals[i];
    }
    if (area.dot(normal) < 0.0) against += 0.5 * area.norm();
  }
  // Along edges a thin triangle may lean over by less than the deviation.
  EXPECT_LT(against, 1e-4 * AreaOf(mesh)) << name;
}

struct Named {
  std::string name;
  Solid solid;
  double volume;
  bool is_smooth;
};

std::vector<Named> Primitives() {
  QuadricMatrix saddle = QuadricMatrix::Zero();
  saddle(0, 0) = 1.0;
  saddle(1, 1) = -1.0;
  saddle(2, 3) = saddle(3, 2) = -0.5;
  QuadricMatrix waist = QuadricMatrix::Zero();
  waist(0, 0) = waist(1, 1) = 1.0;
  waist(2, 2) = -1.0;
  waist(3, 3) = -0.05;
  // ∫ π (z² + 0.05) dz over |z| <= 1.
  const double waist_volume = kPi * (2.0 / 3.0 + 0.1);
  return {
      {"sphere", Sphere(0.7), 4.0 / 3.0 * kPi * 0.343, true},
      {"ellipsoid", Ellipsoid({1.0, 0.5, 0.2}), 4.0 / 3.0 * kPi * 0.1, true},
      {"box", Box({1.0, 2.0, 3.0}), 6.0, false},
      {"cylinder", Cylinder(0.5, 2.0), kPi * 0.5, false},
      {"cone", Cone(0.5, 1.0), kPi * 0.25 / 3.0, false},
      {"frustum", Cone(0.5, 1.0, 0.2), kPi * (0.25 + 0.1 + 0.04) / 3.0, false},
      {"capsule", Capsule(0.3, 1.0), kPi * 0.09 + 4.0 / 3.0 * kPi * 0.027, true},
      {"torus", Torus(1.0, 0.3), 2.0 * kPi * kPi * 0.09, true},
      {"horn torus", Torus(1.0, 1.0), 2.0 * kPi * kPi, false},
      {"saddle", Intersection({Quadric(saddle), Box({2.0, 2.0, 2.0})}), 4.0, false},
      {"waist", Intersection({Quadric(waist), Box({4.0, 4.0, 2.0})}), waist_volume, false},
      {"quartic",
       PolynomialSolid({{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-1.0, {0, 0, 0}}}),
       8.0 * std::pow(std::tgamma(1.25), 3) / std::tgamma(1.75), true},
  };
}

TEST(DisplaySurface, PrimitivesInAnAwkwardPose) {
  for (const Named& one : Primitives()) {
    const Solid solid = one.solid.Posed(kAwkward);
    const DisplayMesh mesh = DisplaySurface(solid);
    ExpectSound(mesh, one.name);
    EXPECT_EQ(OpenEdges(mesh), 0) << one.name;
    EXPECT_NEAR(VolumeOf(mesh), one.volume, AreaOf(mesh) * mesh.deviation) << one.name;
    const double step = 1e-7;
    for (std::size_t i = 0; one.is_smooth && i < mesh.points.size(); ++i) {
      const Vector3d d = step * mesh.normals[i];
      EXPECT_EQ(solid.Locate(mesh.points[i] + d), Membership::kOutside) << one.name;
      EXPECT_EQ(solid.Locate(mesh.points[i] - d), Membership::kInside) << one.name;
    }
  }
}

// For convex solids, no point of a triangle is outside, and its middle is within the deviation.
TEST(DisplaySurface, StaysWithinTheDeviation) {
  int count = 0;
  for (const Named& one : Primitives()) {
    const Solid solid = one.solid.Posed(kAwkward);
    if (!solid.IsConvex()) continue;
    ++count;
    for (const double deviation : {0.02, 0.002}) {
      DisplayOptions options;
      options.deviation = deviation;
      const DisplayMesh mesh = DisplaySurface(solid, options);
      EXPECT_EQ(mesh.deviation, deviation);
      for (const auto& t : mesh.triangles) {
        const Vector3d middle = (mesh.points[t[0]] + mesh.points[t[1]] + mesh.points[t[2]]) / 3.0;
        const Vector3d normal = (mesh.normals[t[0]] + mesh.normals[t[1]] + mesh.normals[t[2]]);
        const Vector3d d = 1.4 * deviation * normal.normalized();
        EXPECT_EQ(solid.Locate(middle + d), Membership::kOutside) << one.name;
      }
    }
  }
  EXPECT_GE(count, 5);
}

TEST(DisplaySurface, FindsSharpEdges) {
  const DisplayMesh box = DisplaySurface(Box({1.0, 2.0, 3.0}).Posed(kAwkward));
  ASSERT_EQ(box.edges.size(), 12u);
  double length = 0.0;
  for (const auto& line : box.edges) length += LengthOf(line);
  EXPECT_NEAR(length, 24.0, 1e-9);

  const DisplayMesh cylinder = DisplaySurface(Cylinder(0.5, 2.0).Posed(kAwkward));
  ASSERT_EQ(cylinder.edges.size(), 2u);
  for (const auto& line : cylinder.edges) {
    EXPECT_LT((line.front() - line.back()).norm(), 1e-8);
    EXPECT_NEAR(LengthOf(line), kPi, 0.01);
  }
  EXPECT_TRUE(DisplaySurface(Capsule(0.3, 1.0)).edges.empty());
  EXPECT_TRUE(DisplaySurface(Torus(1.0, 0.3)).edges.empty());
  EXPECT_EQ(DisplaySurface(Cone(0.5, 1.0)).edges.size(), 1u);
  // A plate of which a bore and a drilled ball take something: 12 edges, two circles, one circle.
  const Solid part = Difference(Box({1.0, 1.0, 0.2}),
                                {Cylinder(0.1, 1.0).Posed(PoseOf({0.2, 0.1, 0.0}, {0, 0, 0})),
                                 Sphere(0.1).Posed(PoseOf({-0.2, 0.0, 0.12}, {0, 0, 0}))});
  EXPECT_EQ(DisplaySurface(part.Posed(kAwkward)).edges.size(), 15u);
}

TEST(DisplaySurface, CombinationsAreClosed) {
  const Pose about_x = PoseOf({0, 0, 0}, {kPi / 2, 0, 0}),
             about_y = PoseOf({0, 0, 0}, {0, 1.3, 0.2});
  std::vector<Solid> pins;
  for (int i = 0; i < 12; ++i) {
    pins.push_back(Cylinder(0.03, 0.4).Posed(
        PoseOf({0.15 * (i % 4), 0.15 * (i / 4), 0.0}, {0.1 * i, 0.2, 0.0})));
  }
  const std::vector<std::pair<std::string, Solid>> parts = {
      {"drilled ball", Difference(Intersection({Box({1, 1, 1}), Sphere(0.65)}),
                                  {Cylinder(0.3, 2), Cylinder(0.3, 2).Posed(about_x)})},
      {"star", Union({Cylinder(0.5, 3), Cylinder(0.5, 3).Posed(PoseOf({0, 0, 0}, {1.2, 0, 0})),
                      Cylinder(0.4, 3).Posed(about_y)})},
      {"cap", Difference(Sphere(1.0), {Sphere(0.999), HalfSpace()})},
      {"pins", Difference(Box({1.2, 1.2, 0.2}), pins)},
      {"bored torus",
       Difference(Torus(1.0, 0.3), {Cylinder(0.2, 1.0).Posed(PoseOf({1, 0, 0}, {0.2, 0, 0}))})},
  };
  for (const auto& [name, part] : parts) {
    const Solid solid = part.Posed(kAwkward);
    const DisplayMesh mesh = DisplaySurface(solid);
    ExpectSound(mesh, name);
    EXPECT_LE(OpenEdges(mesh), static_cast<int>(mesh.triangles.size()) / 250) << name;
    QueryOptions query;
    query.tolerance = 1e-4;
    const double volume = ComputeMassProperties(solid, query).volume;
    EXPECT_NEAR(VolumeOf(mesh), volume, 0.6 * AreaOf(mesh) * mesh.deviation) << name;
  }
}

// Each triangle of a face needs only some of the cuts of its neighbours: 18 of these had gaps.
TEST(DisplaySurface, NeighboursShareTheirCuts) {
  const Solid dented =
      Difference(Box({1.5, 1.2, 1.8}), {Sphere(0.4).Posed(PoseOf({0.7, -0.1, 0.2}, {0, 0, 0}))});
  int open = 0;
  for (int i = 0; i < 20; ++i) {
    const Solid box =
        Box({2.0, 1.3, 1.4})
            .Posed(PoseOf({0.03 * i, 0.02 * i - 0.1, -0.1}, {0.1 * i, 0.3 - 0.05 * i, 0.2}));
    const DisplayMesh mesh = DisplaySurface(Union({dented, box}));
    ExpectSound(mesh, "dented box");
    if (OpenEdges(mesh) > 0) ++open;
  }
  EXPECT_LE(open, 2);
}

TEST(DisplaySurface, ServesAllScales) {
  for (const double size : {1e-6, 1.0, 1e4}) {
    const Pose far = PoseOf({1e3 * size, 2.0 * size, 0.0}, {0.3, -0.7, 1.1});
    const Solid solid = Difference(Box({size, size, size}), {Sphere(0.6 * size)}).Posed(far);
    const DisplayMesh mesh = DisplaySurface(solid);
    ExpectSound(mesh, std::to_string(size));
    EXPECT_EQ(OpenEdges(mesh), 0) << size;
    EXPECT_NEAR(VolumeOf(mesh), ComputeMassProperties(solid).volume, 4e-3 * size * size * size);
  }
}

TEST(DisplaySurface, ClipsWhatIsUnbounded) {
  EXPECT_THROW(DisplaySurface(HalfSpace()), InvalidInput);
  const Aabb clip = {{-1, -1, -1}, {1, 1, 1}};
  const DisplayMesh plane = DisplaySurface(HalfSpace(), {}, clip);
  EXPECT_NEAR(AreaOf(plane), 4.0, 1e-9);
  for (const Vector3d& normal : plane.normals) EXPECT_GT(normal.z(), 0.999);
  const DisplayMesh tube = DisplaySurface(InfiniteCylinder(0.5), {}, clip);
  EXPECT_NEAR(AreaOf(tube), 2.0 * kPi, 0.05);
  EXPECT_TRUE(tube.edges.empty());
  EXPECT_TRUE(DisplaySurface(Sphere(1.0), {}, {{2, 2, 2}, {3, 3, 3}}).triangles.empty());
}

TEST(DisplaySurface, TellsWhatItIsNotGiven) {
  EXPECT_TRUE(DisplaySurface(Solid()).triangles.empty());
  EXPECT_TRUE(DisplaySurface(Difference(Sphere(1.0), {Sphere(1.0)})).triangles.empty());
  EXPECT_TRUE(
      DisplaySurface(Intersection({Sphere(1.0), Sphere(1.0).Posed(PoseOf({3, 0, 0}, {0, 0, 0}))}))
          .triangles.empty());
  DisplayOptions few;
  few.most_triangles = 300;
  EXPECT_FALSE(DisplaySurface(Sphere(1.0), few).complete);
  for (const double bad : {-1.0, std::nan("")}) {
    DisplayOptions options;
    options.deviation = bad;
    EXPECT_THROW(DisplaySurface(Sphere(1.0), options), InvalidInput);
    options = {};
    options.sharp_angle = bad;
    EXPECT_THROW(DisplaySurface(Sphere(1.0), options), InvalidInput);
  }
}

TriangleMesh BoxMesh(const Vector3d& half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(
        {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]});
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TEST(DisplaySurface, MeshesAmongCurvedParts) {
  const Solid block = Mesh(BoxMesh({0.5, 0.4, 0.3}));
  const DisplayMesh plain = DisplaySurface(block.Posed(kAwkward));
  EXPECT_EQ(plain.triangles.size(), 12u);
  EXPECT_EQ(plain.edges.size(), 12u);
  const double bore = kPi * 0.04 * 0.6;
  const Solid bored = Difference(block, {Cylinder(0.2, 2.0)}).Posed(kAwkward);
  const DisplayMesh mesh = DisplaySurface(bored);
  ExpectSound(mesh, "bored");
  EXPECT_EQ(mesh.edges.size(), 14u);
  EXPECT_EQ(OpenEdges(mesh), 0);
  EXPECT_NEAR(VolumeOf(mesh), 0.48 - bore, 0.4 * mesh.deviation);
}

// The sum over the patch of height times projected area.
double PatchVolume(const PatchDisplay& patch, const Vector3d& normal) {
  double volume = 0.0;
  for (const auto& t : patch.mesh.triangles) {
    const double height = patch.heights[t[0]] + patch.heights[t[1]] + patch.heights[t[2]];
    volume += 0.5 * TwiceArea(patch.mesh, t).dot(normal) * height / 3.0;
  }
  return volume;
}

struct Contact {
  std::string name;
  Solid A;
  Pose X_WA;
  Solid B;
  Pose X_WB;
  int arcs;
};

std::vector<Contact> ContactsOfDepth(double d) {
  const auto in_w = [](const Vector3d& t, const Vector3d& turn) {
    return Compose(kAwkward, PoseOf(t, turn));
  };
  const Solid block = Mesh(BoxMesh({0.5, 0.4, 0.3}));
  // A corner of a cube down.
  const Vector3d on_corner = Vector3d(1, -1, 0).normalized() * std::acos(1.0 / std::sqrt(3.0));
  const double corner = 0.05 * std::sqrt(3.0);
  return {
      {"ball on plate", Sphere(0.5), in_w({0, 0, 0.5 - d}, {0, 0, 0}), HalfSpace(), kAwkward, 1},
      {"crossed cylinders", Cylinder(0.3, 1), in_w({0, 0, 0.3 - d / 2}, {0, kPi / 2, 0}),
       Cylinder(0.3, 1), in_w({0, 0, -0.3 + d / 2}, {kPi / 2, 0, 0}), 1},
      {"corner in mesh", Box({0.1, 0.1, 0.1}), in_w({0.11, 0.07, 0.3 + corner - d}, on_corner),
       block, kAwkward, 1},
      {"box on box", Box({0.2, 0.2, 0.2}), in_w({0.03, 0.05, 0.2 - d}, {0, 0, 0.3}),
       Box({0.2, 0.2, 0.2}), kAwkward, 1},
      {"tori", Torus(0.3, 0.1), kAwkward, Torus(0.3, 0.1), in_w({0.8 - d, 0, 0}, {kPi / 2, 0, 0}),
       1},
  };
}

TEST(DisplayOverlap, VolumeAndPatchOfThinOverlaps) {
  for (const double depth : {3e-2, 1e-6}) {
    for (const Contact& c : ContactsOfDepth(depth)) {
      const std::string name = c.name + " " + std::to_string(depth);
      const Metrics metrics = PreparedPair(c.A, c.B).Query(c.X_WA, c.X_WB);
      const OverlapDisplay overlap = DisplayOverlap(c.A, c.X_WA, c.B, c.X_WB);
      ExpectSound(overlap.mesh, name);
      ASSERT_EQ(overlap.owners.size(), overlap.mesh.triangles.size());
      EXPECT_NEAR(VolumeOf(overlap.mesh) / metrics.volume, 1.0, 1e-3) << name;
      EXPECT_EQ(static_cast<int>(overlap.arcs.size()), c.arcs) << name;
      const PatchDisplay patch = DisplayPatch(overlap, 2.0 * metrics.normal_W);
      ASSERT_EQ(patch.heights.size(), patch.mesh.points.size());
      EXPECT_NEAR(PatchVolume(patch, metrics.normal_W) / metrics.volume, 1.0, 1.2e-3) << name;
      EXPECT_FALSE(patch.mesh.edges.empty()) << name;
    }
  }
}

// Contact along a ring: triangles of the plate that are thin, and long beside the ring's width.
TEST(DisplayOverlap, RingOnAPlate) {
  const Pose X_WB = Compose(kAwkward, PoseOf({0, 0, -0.1}, {0, 0, 0}));
  const Pose X_WA = Compose(kAwkward, PoseOf({0, 0, 0.05}, {0, 0, 0}));
  DisplayOptions options;
  options.deviation = 1e-4;
  const Solid ring = Torus(0.3, 0.1), plate = Box({1.0, 1.0, 0.2});
  const OverlapDisplay overlap = DisplayOverlap(ring, X_WA, plate, X_WB, options);
  ExpectSound(overlap.mesh, "ring");
  EXPECT_EQ(overlap.arcs.size(), 2u);
  const double volume = PreparedPair(ring, plate).Query(X_WA, X_WB).volume;
  EXPECT_NEAR(VolumeOf(overlap.mesh) / volume, 1.0, 3e-3);
}

TEST(DisplayOverlap, OwnersTellWhoseFacesTheyAre) {
  // Flush at the bottom: the face at z = −0.5 is both's.
  const Pose X_WB = Compose(kAwkward, PoseOf({0.5, 0.0, 0.25}, {0, 0, 0}));
  const OverlapDisplay overlap = DisplayOverlap(Box({1, 1, 1}), kAwkward, Box({1, 0.5, 1.5}), X_WB);
  EXPECT_NEAR(VolumeOf(overlap.mesh), 0.25, 1e-9);
  std::array<double, 3> area = {};
  for (std::size_t i = 0; i < overlap.owners.size(); ++i) {
    area[static_cast<int>(overlap.owners[i])] +=
        0.5 * TwiceArea(overlap.mesh, overlap.mesh.triangles[i]).norm();
  }
  EXPECT_NEAR(area[0], 0.75, 1e-9);  // x = 0.5, and the top
  EXPECT_NEAR(area[1], 1.5, 1e-9);   // x = 0, and two sides
  EXPECT_NEAR(area[2], 0.25, 1e-9);
}

TEST(DisplayOverlap, NothingWhereNothingIs) {
  const Pose here = PoseOf({0, 0, 0}, {0, 0, 0});
  for (const double x : {3.0, 2.0}) {
    const OverlapDisplay overlap =
        DisplayOverlap(Sphere(1.0), here, Sphere(1.0), PoseOf({x, 0, 0}, {0, 0, 0}));
    EXPECT_TRUE(overlap.mesh.triangles.empty());
    EXPECT_TRUE(DisplayPatch(overlap, {0, 0, 1}).mesh.triangles.empty());
  }
  EXPECT_THROW(DisplayPatch({}, {0, 0, 0}), InvalidInput);
  EXPECT_THROW(DisplayOverlap(HalfSpace(), here, HalfSpace(), here), InvalidInput);
}

}  // namespace
}  // namespace volcontact::display_test
