// A prepared pair allocates nothing in the steady state. These tests count the calls of the global
// operator new, which is why they are an executable of their own.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace {

thread_local long allocations = 0;

void* Allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return Allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace volcontact::testing {
namespace {

// Allocations of queries along a path that has been travelled once before.
long SteadyAllocations(const Solid& A, const Solid& B, Method method, double tolerance) {
  const PreparedPair prepared(A, B);
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  Random random(4);
  std::vector<Pose> poses;
  for (int i = 0; i < 10; ++i) poses.push_back(random.PoseAt(random.UniformVector(-0.2, 0.2)));
  for (const Pose& pose : poses) {
    const Metrics metrics = prepared.Query(pose, options);
    EXPECT_TRUE(metrics.overlap);
    EXPECT_TRUE(method == Method::kAuto || metrics.method == method) << MethodName(metrics.method);
  }
  const long before = allocations;
  for (const Pose& pose : poses) prepared.Query(pose, options);
  return allocations - before;
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  { const std::vector<int> numbers(100, 1); }
  EXPECT_EQ(allocations, before + 1);
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
    const long before = allocations;
    prepared.Overlaps(Pose{}, Pose{});
    prepared.Overlaps(Pose{}, apart);
    if (pass == 1) {
      EXPECT_EQ(allocations, before);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing
