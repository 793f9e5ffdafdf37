// A prepared pair allocates nothing in the steady state. These tests count the calls of the global
// operator new, which is why they are an executable of their own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "allocation/counted_new.h"
#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

// Allocations of queries along a path that has been travelled once before.
long SteadyAllocations(const Solid& A, const Solid& B, Method method, double tolerance,
                       bool hessian = false) {
  const PreparedPair prepared(A, B);
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.hessian = hessian;
  Random random(4);
  std::vector<Pose> poses;
  for (int i = 0; i < 10; ++i) poses.push_back(random.PoseAt(random.UniformVector(-0.2, 0.2)));
  for (const Pose& pose : poses) {
    const Metrics metrics = prepared.Query(pose, options);
    EXPECT_TRUE(metrics.overlap);
    EXPECT_TRUE(method == Method::kAuto || metrics.method == method) << MethodName(metrics.method);
  }
  const long before = AllocationCount();
  for (const Pose& pose : poses) prepared.Query(pose, options);
  return AllocationCount() - before;
}

TEST(Allocation, TheCounterCounts) {
  const long before = AllocationCount();
  { const std::vector<int> numbers(100, 1); }
  EXPECT_EQ(AllocationCount(), before + 1);
}

TEST(Allocation, ClosedFormAllocatesNothing) {
  EXPECT_EQ(SteadyAllocations(Sphere(0.5), HalfSpace(), Method::kClosedForm, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(Sphere(0.5), Sphere(0.4), Method::kClosedForm, 1e-6), 0);
  const Solid box = Box({1.0, 0.75, 0.5});
  EXPECT_EQ(SteadyAllocations(box, box, Method::kClosedForm, 1e-6), 0);
}

TEST(Allocation, PatchAllocatesNothing) {
  const Solid ellipsoid = Ellipsoid({0.5, 0.4, 0.3});
  EXPECT_EQ(SteadyAllocations(ellipsoid, Sphere(0.5), Method::kPatch, 1e-8), 0);
  EXPECT_EQ(SteadyAllocations(ellipsoid, Box({0.5, 0.6, 0.7}), Method::kPatch, 1e-6), 0);
}

TEST(Allocation, OctreeAllocatesNothing) {
  const Solid ellipsoid = Ellipsoid({0.5, 0.4, 0.3});
  EXPECT_EQ(SteadyAllocations(ellipsoid, Sphere(0.5), Method::kOctree, 1e-3), 0);
  EXPECT_EQ(SteadyAllocations(ellipsoid, Sphere(0.5), Method::kOctree, 1e-8), 0);
  const Solid drilled = Difference(Box({1.0, 1.0, 1.0}), {InfiniteCylinder(0.25)});
  EXPECT_EQ(SteadyAllocations(drilled, Sphere(0.5), Method::kOctree, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(drilled, Sphere(0.5), Method::kAuto, 1e-6), 0);
}

TEST(Allocation, HessianAddsNone) {
  const Solid ellipsoid = Ellipsoid({0.5, 0.4, 0.3});
  EXPECT_EQ(SteadyAllocations(ellipsoid, Sphere(0.5), Method::kAuto, 1e-6, true),
            SteadyAllocations(ellipsoid, Sphere(0.5), Method::kAuto, 1e-6, false));
}

TEST(Allocation, MeshesAllocateNothing) {
  const Solid ball = Mesh(SphereMesh(0.5, 3)), ring = Mesh(TorusMesh(0.5, 0.2, 40, 20));
  EXPECT_EQ(SteadyAllocations(ball, ring, Method::kMesh, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(ring, Box({0.5, 0.6, 0.7}), Method::kMesh, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(HalfSpace(), ball, Method::kMesh, 1e-6), 0);
}

TEST(Allocation, OverlapTestAllocatesNothing) {
  const PreparedPair prepared(Ellipsoid({0.5, 0.4, 0.3}), Box({0.5, 0.6, 0.7}));
  const Pose apart = {{2.0, 0.0, 0.0}, {0.2, 0.4, 0.4, 0.8}};
  for (int pass = 0; pass < 2; ++pass) {
    const long before = AllocationCount();
    prepared.Overlaps(Pose{}, Pose{});
    prepared.Overlaps(Pose{}, apart);
    if (pass == 1) {
      EXPECT_EQ(AllocationCount(), before);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing
