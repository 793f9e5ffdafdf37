// Meshes joined into one, against counts of cells and membership of points.
#include "solids/mesh_boolean/join_meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "solids/tree/solid_node.h"
#include "support/meshes.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::testing::join_meshes_test {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 314159265;
// The error of vertices rounded to doubles, for parts of size one.
constexpr double kRounding = 1e-13;
// Unit cells along each axis.
constexpr int kCells = 4;

bool IsOneMesh(const Solid& solid) { return std::holds_alternative<MeshShape>(solid.node().shape); }

double VolumeOf(const Solid& solid) {
  return solid.Bounds().IsEmpty() ? 0.0 : ComputeMassProperties(solid).volume;
}

Pose Turned(Random* random) { return random->PoseAt(random->UnitVector()); }

// A box of whole cells, as a mesh and as the set of its cells.
struct CellBox {
  Vector3d min, max;
  bool Holds(const Vector3d& p) const {
    return (p.array() > min.array()).all() && (p.array() < max.array()).all();
  }
};

CellBox SomeCells(Random* random) {
  CellBox box;
  for (int i = 0; i < 3; ++i) {
    const int from = static_cast<int>(random->Uniform(0.0, kCells - 0.001));
    const int to = from + 1 + static_cast<int>(random->Uniform(0.0, kCells - from - 0.001));
    box.min[i] = from;
    box.max[i] = to;
  }
  return box;
}

// A random combination of meshes, and what it holds of a point, by what the meshes do.
struct Combined {
  Solid solid;
  std::function<bool(const Vector3d&)> holds;
};

Combined SomeCombination(Random* random, int depth, const Pose& X) {
  if (depth == 0) {
    const CellBox box = SomeCells(random);
    return {
        Mesh(BoxMesh(box.min, box.max, 1 + static_cast<int>(random->Uniform(0, 1.999)))).Posed(X),
        [box](const Vector3d& p) { return box.Holds(p); }};
  }
  const Combined a = SomeCombination(random, depth - 1, X);
  const Combined b = SomeCombination(random, depth - 1, X);
  const double kind = random->Uniform(0.0, 3.0);
  if (kind < 1.0) {
    return {Union({a.solid, b.solid}),
            [a, b](const Vector3d& p) { return a.holds(p) || b.holds(p); }};
  }
  if (kind < 1.5) {
    return {Intersection({a.solid, b.solid}),
            [a, b](const Vector3d& p) { return a.holds(p) && b.holds(p); }};
  }
  return {Difference(a.solid, {b.solid}),
          [a, b](const Vector3d& p) { return a.holds(p) && !b.holds(p); }};
}

int CellsIn(const Combined& combined) {
  int count = 0;
  for (int i = 0; i < kCells * kCells * kCells; ++i) {
    const Vector3d p(i % kCells + 0.5, i / kCells % kCells + 0.5, i / kCells / kCells + 0.5);
    count += combined.holds(p) ? 1 : 0;
  }
  return count;
}

// Faces, edges and corners of boxes of whole cells lie on each other in all ways there are.
TEST(JoinMeshes, BoxesOfCellsHoldTheirCells) {
  Random random(kSeed);
  for (int sample = 0; sample < 80; ++sample) {
    SCOPED_TRACE(sample);
    const Combined combined = SomeCombination(&random, 3, Pose());
    const Solid joined = JoinMeshes(combined.solid);
    const int cells = CellsIn(combined);
    if (cells == 0) {
      EXPECT_TRUE(joined.Bounds().IsEmpty());
      continue;
    }
    ASSERT_TRUE(IsOneMesh(joined));
    EXPECT_DOUBLE_EQ(VolumeOf(joined), cells);
  }
}

// The same turned: faces lie on each other but for the rounding of their corners.
TEST(JoinMeshes, TurnedBoxesOfCellsHoldTheirCells) {
  Random random(kSeed + 1);
  for (int sample = 0; sample < 25; ++sample) {
    SCOPED_TRACE(sample);
    const Combined combined = SomeCombination(&random, 3, Turned(&random));
    const Solid joined = JoinMeshes(combined.solid);
    EXPECT_NEAR(VolumeOf(joined), CellsIn(combined), 100.0 * kRounding);
  }
}

Solid Hulls(Random* random, int count) {
  std::vector<Solid> hulls;
  for (int n = 0; n < count; ++n) {
    hulls.push_back(Mesh(HullMesh(random, 14)).Posed(random->PoseAt(Vector3d(0.9 * n, 0.0, 0.0))));
  }
  return Union(hulls);
}

// Against points on a grid.
TEST(JoinMeshes, ManyHullsMeetCurvedSolids) {
  Random random(kSeed + 3);
  const Solid hulls = Hulls(&random, 12);
  const Solid joined = JoinMeshes(hulls);
  ASSERT_TRUE(IsOneMesh(joined));
  const Solid ball = Sphere(1.3);
  const PreparedPair pair(hulls, ball);
  const QueryOptions options;
  for (const double x : {2.0, 5.7}) {
    const Metrics metrics = pair.Query(Pose(), Pose{{x, 0.2, -0.1}, {1, 0, 0, 0}}, options);
    EXPECT_TRUE(metrics.converged);
    EXPECT_EQ(metrics.method, Method::kBoundary);
    constexpr double kEdge = 0.13;
    long count = 0;
    for (double i = -1.3; i < 1.3; i += kEdge) {
      for (double j = -1.3; j < 1.3; j += kEdge) {
        for (double k = -1.3; k < 1.3; k += kEdge) {
          const Vector3d p(i, j, k);
          if (p.norm() < 1.3 && hulls.Locate(p + Vector3d(x, 0.2, -0.1)) == Membership::kInside)
            ++count;
        }
      }
    }
    const double estimate = static_cast<double>(count) * std::pow(kEdge, 3);
    EXPECT_NEAR(metrics.volume, estimate, 0.05 * estimate);
  }
}

// The mesh parts of a solid with curved ones are joined, and the rest stays.
TEST(JoinMeshes, MeshesBesideCurvedPartsAreJoined) {
  const Solid plate = Mesh(BoxMesh({-1, -1, -0.1}, {1, 1, 0.1}));
  const Solid rib = Mesh(BoxMesh({-0.1, -1, 0}, {0.1, 1, 0.5}));
  const Solid pocket = Mesh(BoxMesh({-0.9, -0.3, 0.0}, {-0.5, 0.3, 0.2}));
  const Solid part = Difference(Union({plate, rib, Sphere(0.3)}), {Cylinder(0.05, 3.0), pocket});
  const double plate_and_rib = 4.0 * 0.2 + 0.2 * 2.0 * 0.4, cut = 0.4 * 0.6 * 0.1;
  const Solid flat = JoinMeshes(Difference(Union({plate, rib}), {pocket}));
  EXPECT_NEAR(VolumeOf(flat), plate_and_rib - cut, kRounding);
  const Metrics whole = PreparedPair(part, Box({4, 4, 4})).QueryRelative(Pose());
  const Metrics left =
      PreparedPair(part, Mesh(BoxMesh({-2, -2, -2}, {-0.4, 2, 2}))).QueryRelative(Pose());
  EXPECT_TRUE(whole.converged);
  EXPECT_NEAR(left.volume, 0.6 * 2.0 * 0.2 - cut, 1e-6);
}

// The complement of a mesh has no bounds; it stays as it is.
TEST(JoinMeshes, UnboundedCombinationsStay) {
  const Solid mesh = Mesh(BoxMesh({0, 0, 0}, {1, 1, 1}));
  const Solid outside = Union({Complement(mesh), Mesh(BoxMesh({0, 0, 0}, {0.5, 1, 1}))});
  EXPECT_FALSE(IsOneMesh(JoinMeshes(outside)));
  EXPECT_NEAR(PreparedPair(outside, Box({4, 4, 4})).QueryRelative(Pose()).volume, 64.0 - 0.5, 1e-9);
}

// A mesh without deviations beside one with: the faces of the first count where the second is near.
TEST(JoinMeshes, DeviationsAreThoseOfTheMeshesNearby) {
  TriangleMesh part = BoxMesh({0, 0, 0}, {1, 1, 1});
  part.deviations.assign(part.faces.size(), 1e-3);
  const Solid joined = JoinMeshes(Union({Mesh(part), Mesh(BoxMesh({0.5, 0, 0}, {3, 1, 1}, 10))}));
  ASSERT_TRUE(IsOneMesh(joined));
  const auto bounds_at = [&](double x) {
    return *PreparedPair(joined, Box({0.2, 0.5, 0.5}))
                .QueryRelative(Pose{{x, 0.5, 0.9}, {1, 0, 0, 0}})
                .volume_bounds;
  };
  const auto [low, high] = bounds_at(0.2);
  EXPECT_GT(high - low, 1e-5);
  const auto [from, to] = bounds_at(2.5);
  EXPECT_LT(to - from, 1e-9);
}

}  // namespace
}  // namespace volcontact::testing::join_meshes_test
