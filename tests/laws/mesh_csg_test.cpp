// Meshes beside curved primitives and as leaves of CSG trees, against the same solids without
// meshes, closed forms, and independent values.
#include <gtest/gtest.h>

#include <cmath>

#include "volcontact/volcontact.h"

namespace volcontact::mesh_csg_test {
namespace {

TriangleMesh CubeMesh(const Eigen::Vector3d& size) {
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    mesh.vertices.emplace_back(((corner & 1) - 0.5) * size.x(),
                               (((corner >> 1) & 1) - 0.5) * size.y(),
                               (((corner >> 2) & 1) - 0.5) * size.z());
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// An L-shaped prism, 1 by 1 with the quarter x, y > 0.5 left out, 0.5 high.
TriangleMesh LPrism() {
  return {{{0, 0, 0},
           {1, 0, 0},
           {1, 0.5, 0},
           {0.5, 0.5, 0},
           {0.5, 1, 0},
           {0, 1, 0},
           {0, 0, 0.5},
           {1, 0, 0.5},
           {1, 0.5, 0.5},
           {0.5, 0.5, 0.5},
           {0.5, 1, 0.5},
           {0, 1, 0.5}},
          {{0, 2, 1},   {6, 7, 8},  {0, 3, 2},  {6, 8, 9},   {0, 4, 3}, {6, 9, 10}, {0, 5, 4},
           {6, 10, 11}, {0, 1, 7},  {0, 7, 6},  {1, 2, 8},   {1, 8, 7}, {2, 3, 9},  {2, 9, 8},
           {3, 4, 10},  {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}}};
}

Pose Turned(const Eigen::Vector3d& t) {
  Pose pose;
  pose.t = t;
  pose.q = {0.8, 0.36, 0.48, 0.0};
  return pose;
}

void ExpectSame(const Metrics& found, const Metrics& expected, double tolerance) {
  ASSERT_EQ(found.overlap, expected.overlap);
  EXPECT_TRUE(found.converged);
  const double size = std::cbrt(expected.volume);
  EXPECT_NEAR(found.volume, expected.volume, tolerance * expected.volume);
  EXPECT_LE((found.centroid_W - expected.centroid_W).norm(), tolerance * size);
  EXPECT_LE((found.inertia_W - expected.inertia_W).norm(), tolerance * expected.inertia_W.norm());
  ASSERT_TRUE(found.volume_bounds.has_value());
  EXPECT_LE((*found.volume_bounds)[0], expected.volume * (1 + 1e-12));
  EXPECT_GE((*found.volume_bounds)[1], expected.volume * (1 - 1e-12));
}

void ExpectSameArea(const Metrics& found, const Metrics& expected, double tolerance) {
  const double size = std::cbrt(expected.volume);
  EXPECT_LE((found.area_vector_W - expected.area_vector_W).norm(), 10 * tolerance * size * size);
  EXPECT_LE((found.area_moment_W - expected.area_moment_W).norm(),
            10 * tolerance * size * size * size);
}

TEST(MeshCsg, MeshOfABoxIsTheBox) {
  const Eigen::Vector3d size(0.9, 0.7, 0.6);
  const Solid mesh = Mesh(CubeMesh(size)), box = Box(size);
  QueryOptions options;
  options.tolerance = 1e-8;
  const Solid others[] = {Sphere(0.4), Cylinder(0.3, 0.8), Cone(0.4, 0.7, 0.1),
                          Difference(Sphere(0.4), {Cylinder(0.1, 2.0)})};
  for (const Solid& other : others) {
    for (const Eigen::Vector3d& t :
         {Eigen::Vector3d(0.45, 0.1, 0.2), Eigen::Vector3d(0.1, 0.05, 0.55)}) {
      const Solid moved = other.Posed(Turned(t));
      const Metrics found = Query(mesh, moved, options), expected = Query(box, moved, options);
      ExpectSame(found, expected, 1e-7);
      ExpectSameArea(found, expected, 1e-7);
      ExpectSame(Query(moved, mesh, options), Query(moved, box, options), 1e-7);
    }
  }
}

TEST(MeshCsg, AreaVectorInAnyOrder) {
  const Eigen::Vector3d size(0.9, 0.7, 0.6);
  QueryOptions options;
  options.tolerance = 1e-8;
  for (const Solid& other : {Sphere(0.4), Cylinder(0.3, 0.8), Cone(0.4, 0.7, 0.1)}) {
    const Solid moved = other.Posed(Turned({0.45, 0.1, 0.2}));
    ExpectSameArea(Query(moved, Mesh(CubeMesh(size)), options), Query(moved, Box(size), options),
                   1e-7);
  }
}

TEST(MeshCsg, LeafOfATree) {
  const Eigen::Vector3d size(1.0, 1.0, 1.0);
  const auto drilled = [&](const Solid& block) {
    return Difference(block, {Cylinder(0.25, 2.0).Posed(Turned({0.1, 0.0, 0.0}))});
  };
  const Solid with_mesh = drilled(Mesh(CubeMesh(size))), without = drilled(Box(size));
  QueryOptions options;
  options.tolerance = 1e-8;
  const Solid ball = Sphere(0.5).Posed(Turned({0.3, 0.2, 0.6}));
  ExpectSame(Query(with_mesh, ball, options), Query(without, ball, options), 1e-7);
  ExpectSame(Query(ball, with_mesh, options), Query(ball, without, options), 1e-7);
  const MassProperties mass = ComputeMassProperties(with_mesh, options);
  EXPECT_NEAR(mass.volume, ComputeMassProperties(without, options).volume, 1e-8);
}

TEST(MeshCsg, ComplementsAndTwoMeshes) {
  const Solid cube = Mesh(CubeMesh({1.0, 1.0, 1.0}));
  const Solid bar = Mesh(CubeMesh({0.4, 0.4, 3.0})).Posed(Turned({0.05, 0.02, 0.01}));
  const Solid box_bar = Box({0.4, 0.4, 3.0}).Posed(Turned({0.05, 0.02, 0.01}));
  const Solid ball = Sphere(0.6);
  QueryOptions options;
  options.tolerance = 1e-7;
  ExpectSame(Query(Difference(cube, {bar}), ball, options),
             Query(Difference(Box({1.0, 1.0, 1.0}), {box_bar}), ball, options), 1e-6);
  ExpectSame(Query(Complement(bar), ball, options), Query(Complement(box_bar), ball, options),
             1e-6);
}

// Meshes that are apart are summed one after the other, by sums over arcs.
TEST(MeshCsg, SeveralMeshesApart) {
  const Eigen::Vector3d unit(1.0, 1.0, 1.0), low(1.0, 0.8, 0.5);
  const Pose X1 = Turned({-0.52, 0.1, 0.0}), X2 = Turned({1.2, 0.2, -0.1});
  const Solid meshes[] = {Mesh(CubeMesh(unit)).Posed(X1), Mesh(CubeMesh(low)).Posed(X2)};
  const Solid boxes[] = {Box(unit).Posed(X1), Box(low).Posed(X2)};
  const Solid block = Cylinder(1.4, 1.2);
  const Solid rod = Cylinder(0.3, 3.0).Posed(Turned({0.1, 0.15, 0.05}));
  const Solid ball = Sphere(0.7).Posed(Turned({0.15, 0.1, 0.3}));
  QueryOptions options;
  options.tolerance = 1e-9;
  const auto expect_same = [&](const Solid& A, const Solid& B, const Solid& A0, const Solid& B0) {
    const Metrics metrics = Query(A, B, options);
    EXPECT_TRUE(metrics.converged);
    EXPECT_EQ(metrics.stats.fallback, "");
    const Metrics expected = Query(A0, B0, options);
    ExpectSame(metrics, expected, 1e-8);
    ExpectSameArea(metrics, expected, 1e-8);
  };
  for (const Solid& other : {rod, ball}) {
    expect_same(Union({meshes[0], meshes[1]}), other, Union({boxes[0], boxes[1]}), other);
    expect_same(other, Union({meshes[0], meshes[1]}), other, Union({boxes[0], boxes[1]}));
    expect_same(Difference(block, {meshes[0], meshes[1]}), other,
                Difference(block, {boxes[0], boxes[1]}), other);
    expect_same(Union({meshes[0], ball}), Difference(rod, {meshes[1]}), Union({boxes[0], ball}),
                Difference(rod, {boxes[1]}));
  }
  const Metrics none = Query(Intersection({meshes[0], meshes[1]}), ball, options);
  EXPECT_FALSE(none.overlap);
  EXPECT_TRUE(none.converged);
  const PreparedPair pair(Union({meshes[0], meshes[1]}), Sphere(0.1));
  EXPECT_EQ(pair.Overlaps(Pose(), Turned({0.0, 0.0, 2.0})), OverlapProof::kSeparated);
  EXPECT_EQ(pair.Overlaps(Pose(), X2), OverlapProof::kOverlap);
}

// Stacked, they have a face in common and no volume.
TEST(MeshCsg, StackedMeshes) {
  const Solid cube = Mesh(CubeMesh({1.0, 1.0, 1.0}));
  const Solid stack = Union({cube, cube.Posed(Pose{{0.0, 0.0, 1.0}})});
  const Solid bar = Box({1.0, 1.0, 2.0}).Posed(Pose{{0.0, 0.0, 0.5}});
  const Solid ball = Sphere(0.3).Posed(Pose{{0.45, 0.1, 0.55}});
  QueryOptions options;
  options.tolerance = 1e-9;
  const Metrics metrics = Query(stack, ball, options);
  EXPECT_EQ(metrics.stats.fallback, "");
  const Metrics expected = Query(bar, ball, options);
  ExpectSame(metrics, expected, 1e-8);
  ExpectSameArea(metrics, expected, 1e-8);
}

// From an independent quadrature.
TEST(MeshCsg, SphereAtAReEntrantEdge) {
  QueryOptions options;
  options.tolerance = 1e-9;
  const Metrics metrics =
      Query(Mesh(LPrism()), Sphere(0.3).Posed(Pose{{0.6, 0.65, 0.35}}), options);
  EXPECT_NEAR(metrics.volume, 0.03821268959508498, 1e-9 * 0.038);
  const Eigen::Vector3d centroid(0.49672682011845365, 0.5819544814509728, 0.32439939157135705);
  EXPECT_LE((metrics.centroid_W - centroid).norm(), 1e-9);
  const Eigen::Vector3d area(-0.16601977877864013, -0.13002091135284807, -0.08203659276446293);
  EXPECT_LE((metrics.area_vector_W - area).norm(), 1e-7);
}

TEST(MeshCsg, ThinCap) {
  const Solid floor = Mesh(CubeMesh({4.0, 4.0, 1.0}));
  const double r = 0.5;
  for (const double depth : {1e-2, 1e-4, 1e-6}) {
    const Solid ball = Sphere(r).Posed(Pose{{0.1, -0.2, 0.5 + r - depth}});
    QueryOptions options;
    options.tolerance = 1e-6;
    const Metrics metrics = Query(ball, floor, options);
    // The depth as the doubles of the poses have it.
    const double h = 0.5 - (0.5 + r - depth) + r;
    const double cap = M_PI * h * h * (3.0 * r - h) / 3.0;
    EXPECT_NEAR(metrics.volume, cap, 1e-6 * cap) << depth;
    EXPECT_NEAR(metrics.contact_area, M_PI * h * (2.0 * r - h), 1e-5 * metrics.contact_area);
    EXPECT_GT(metrics.normal_W.z(), 1.0 - 1e-9);
  }
}

TEST(MeshSlab, IsTheBoxWideEnough) {
  const Solid mesh = Mesh(LPrism());
  const Solid slab = Slab(0.3), box = Box({20.0, 20.0, 0.3});
  for (const Eigen::Vector3d& t :
       {Eigen::Vector3d(0.3, 0.2, 0.1), Eigen::Vector3d(0.9, -0.5, 0.4)}) {
    ExpectSame(Query(mesh, slab.Posed(Turned(t))), Query(mesh, box.Posed(Turned(t))), 1e-12);
    ExpectSame(Query(slab.Posed(Turned(t)), mesh), Query(box.Posed(Turned(t)), mesh), 1e-12);
  }
  const Metrics apart = Query(mesh, slab.Posed(Pose{{0.0, 0.0, 0.75}}));
  EXPECT_FALSE(apart.overlap);
  EXPECT_NEAR(apart.distance.value(), 0.1, 1e-12);
}

TEST(MeshCsg, SeparatedAndInside) {
  const Solid cube = Mesh(CubeMesh({1.0, 1.0, 1.0}));
  const Metrics apart = Query(cube, Sphere(0.2).Posed(Pose{{2.0, 0.0, 0.0}}));
  EXPECT_FALSE(apart.overlap);
  EXPECT_GT(apart.distance, 1.2);
  EXPECT_LE(apart.distance.value(), 1.3);
  const Metrics corner = Query(cube, Sphere(0.2).Posed(Pose{{0.65, 0.65, 0.65}}));
  EXPECT_FALSE(corner.overlap);
  const Metrics inside = Query(cube, Sphere(0.2).Posed(Pose{{0.1, 0.0, 0.0}}));
  EXPECT_NEAR(inside.volume, 4.0 / 3.0 * M_PI * 0.008, 1e-8);
}

TEST(MeshCsg, OtherMethodsAreRefused) {
  QueryOptions options;
  options.voxel_size = 0.1;
  for (const Method method : {Method::kClosedForm, Method::kVoxel}) {
    options.method = method;
    EXPECT_THROW(Query(Mesh(LPrism()), Sphere(0.3), options), InvalidInput);
    EXPECT_THROW(Query(Mesh(LPrism()), Mesh(LPrism()), options), InvalidInput);
  }
  options.method = Method::kColumns;
  EXPECT_THROW(Query(Mesh(LPrism()), Mesh(LPrism()), options), InvalidInput);
}

}  // namespace
}  // namespace volcontact::mesh_csg_test
