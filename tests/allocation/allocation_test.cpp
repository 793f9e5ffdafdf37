// A prepared pair allocates nothing in the steady state. These tests count the calls of the global
// operator new, which is why they are an executable of their own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "allocation/counted_new.h"
#include "support/meshes.h"
#include "support/random_solids.h"
#include "volcontact/motion/moving_bodies.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

// Poses of B in A that hold some of both, in the middle.
std::vector<Pose> SomePoses() {
  Random random(4);
  std::vector<Pose> poses;
  for (int i = 0; i < 10; ++i) poses.push_back(random.PoseAt(random.UniformVector(-0.2, 0.2)));
  return poses;
}

// Allocations of queries along a path that has been travelled before: twice, since what one query
// has swapped with another is large enough for both then.
long SteadyAllocations(const PreparedPair& prepared, const std::vector<Pose>& poses,
                       const QueryOptions& options) {
  for (int pass = 0; pass < 2; ++pass) {
    for (const Pose& pose : poses) {
      const Metrics metrics = prepared.QueryRelative(pose, options);
      EXPECT_TRUE(metrics.overlap);
      EXPECT_TRUE(options.method == Method::kAuto || metrics.method == options.method)
          << MethodName(metrics.method);
    }
  }
  const long before = AllocationCount();
  for (const Pose& pose : poses) prepared.QueryRelative(pose, options);
  return AllocationCount() - before;
}

long SteadyAllocations(const Solid& A, const Solid& B, Method method, double tolerance,
                       bool hessian = false) {
  QueryOptions options;
  options.method = method;
  options.tolerance = tolerance;
  options.hessian = hessian;
  return SteadyAllocations(PreparedPair(A, B), SomePoses(), options);
}

Pose At(double x, double y, double z) { return {{x, y, z}, Pose().q}; }

// A plate with a bore, a boss with a groove, and a foot.
Solid MachinedPart() {
  const Solid plate =
      Difference(Box({1.2, 1.0, 0.4}), {Cylinder(0.2, 1.0), Sphere(0.3).Posed(At(0.5, 0.4, 0.2))});
  return Union({plate, Cylinder(0.3, 0.6).Posed(At(0.35, -0.2, 0.3)),
                Cone(0.4, 0.7).Posed(At(-0.4, 0.0, 0.3))});
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

TEST(Allocation, ShallowContactsAllocateNothing) {
  const Solid ellipsoid = Ellipsoid({0.5, 0.4, 0.3});
  QueryOptions options;
  options.method = Method::kBoundary;
  options.tolerance = 1e-8;
  const std::vector<Pose> poses = {At(0.9, 0.1, 0.0), At(-0.1, 0.82, 0.1), At(0.0, 0.1, -0.75)};
  EXPECT_EQ(SteadyAllocations(PreparedPair(ellipsoid, Sphere(0.5)), poses, options), 0);
}

TEST(Allocation, BoundaryAllocatesNothing) {
  const Solid ellipsoid = Ellipsoid({0.5, 0.4, 0.3});
  EXPECT_EQ(SteadyAllocations(ellipsoid, Sphere(0.5), Method::kBoundary, 1e-3), 0);
  EXPECT_EQ(SteadyAllocations(ellipsoid, Sphere(0.5), Method::kBoundary, 1e-8), 0);
  const Solid drilled = Difference(Box({1.0, 1.0, 1.0}), {InfiniteCylinder(0.25)});
  EXPECT_EQ(SteadyAllocations(drilled, Sphere(0.5), Method::kBoundary, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(drilled, Sphere(0.5), Method::kAuto, 1e-6), 0);
}

// Whole curves, with the projections of parts that lines may meet twice.
TEST(Allocation, WholeCurvesAllocateNothing) {
  const Solid part = MachinedPart();
  EXPECT_EQ(SteadyAllocations(part, part, Method::kAuto, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(part, part, Method::kAuto, 1e-10, true), 0);
  const Solid pins = Union({Cylinder(0.2, 1.5), Cylinder(0.25, 1.2).Posed(At(0.3, 0.1, 0.0)),
                            Sphere(0.4).Posed(At(-0.3, 0.2, 0.1))});
  EXPECT_EQ(SteadyAllocations(part, pins, Method::kAuto, 1e-8), 0);
}

// Tori have no whole curves.
TEST(Allocation, EdgesInCellsAllocateNothing) {
  const Solid ring = Torus(0.4, 0.15), box = Box({0.6, 0.7, 0.8});
  EXPECT_EQ(SteadyAllocations(ring, box, Method::kAuto, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(Union({ring, Cylinder(0.2, 1.0)}), box, Method::kAuto, 1e-8, true),
            0);
}

// Four feet on a plate are four parts that lie apart.
TEST(Allocation, PartsApartAllocateNothing) {
  std::vector<Solid> feet;
  for (const double x : {-0.4, 0.4}) {
    for (const double y : {-0.3, 0.3}) feet.push_back(Sphere(0.1).Posed(At(x, y, 0.0)));
  }
  QueryOptions options;
  options.tolerance = 1e-8;
  const std::vector<Pose> poses = {{{0.0, 0.0, 0.299}, {1.0, 0.0, 0.0, 0.0}},
                                   {{0.01, 0.02, 0.298}, Pose().q}};
  const PreparedPair prepared(Box({2.0, 2.0, 0.4}), Union(feet));
  EXPECT_EQ(SteadyAllocations(prepared, poses, options), 0);
}

TEST(Allocation, ASharperBracketAllocatesNothing) {
  QueryOptions options;
  options.bracket_width = 1e-2;
  const PreparedPair prepared(Ellipsoid({0.5, 0.4, 0.3}), Box({0.5, 0.6, 0.7}));
  EXPECT_EQ(SteadyAllocations(prepared, SomePoses(), options), 0);
}

TEST(Allocation, HessianAllocatesNothing) {
  const Solid ellipsoid = Ellipsoid({0.5, 0.4, 0.3});
  EXPECT_EQ(SteadyAllocations(ellipsoid, Sphere(0.5), Method::kAuto, 1e-6, true), 0);
}

TEST(Allocation, MeshesAllocateNothing) {
  const Solid ball = Mesh(SphereMesh(0.5, 3)), ring = Mesh(TorusMesh(0.5, 0.2, 40, 20));
  EXPECT_EQ(SteadyAllocations(ball, ring, Method::kBoundary, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(ring, Box({0.5, 0.6, 0.7}), Method::kBoundary, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(HalfSpace(), ball, Method::kBoundary, 1e-6), 0);
  EXPECT_EQ(SteadyAllocations(HalfSpace(), ball, Method::kBoundary, 1e-6, true), 0);
  EXPECT_EQ(SteadyAllocations(ball, ring, Method::kBoundary, 1e-6, true), 0);
}

TEST(Allocation, OverlapTestAllocatesNothing) {
  const PreparedPair prepared(MachinedPart(), Ellipsoid({0.5, 0.4, 0.3}));
  const Pose apart = {{1.2, 0.0, 0.0}, {0.2, 0.4, 0.4, 0.8}};
  for (int pass = 0; pass < 2; ++pass) {
    const long before = AllocationCount();
    prepared.Overlaps(Pose{}, Pose{});
    prepared.Overlaps(Pose{}, apart);
    if (pass == 1) {
      EXPECT_EQ(AllocationCount(), before);
    }
  }
}

// A step that is no larger than one before.
TEST(SteadyState, StepsAreSolvedWithoutAllocations) {
  ContactParameters parameters;
  VolumetricNormal normal;
  normal.stiffness_a = 1e9;
  parameters.normal = normal;
  BristleFriction bristles;
  bristles.mu_s = bristles.mu_c = 0.4;
  bristles.sigma0 = 1e4;
  bristles.sigma1 = 100.0;
  parameters.friction = bristles;
  const StepLaws laws{ContactModel(parameters)};
  QueryOptions options;
  options.hessian = true;
  const NearbyContact nearby(
      PreparedPair(Sphere(0.1), HalfSpace()).Query(At(0.0, 0.0, 0.0999), Pose{}, options));
  std::vector<ContactInStep> contacts;
  std::vector<PushedContact> pushed(3);
  for (int i = 0; i < 3; ++i)
    contacts.emplace_back(laws, nearby, StepState{}, Vector6::Zero(), 1e-3);
  for (std::size_t i = 0; i < 3; ++i) {
    pushed[i].contact = &contacts[i];
    pushed[i].response =
        BodyResponse(1.0, 0.004 * Eigen::Matrix3d::Identity(), 6 * static_cast<int>(i));
    pushed[i].free << 0.1, 0.0, -0.1, 0.0, 0.0, 0.0;
    pushed[i].guess = pushed[i].free;
  }
  StepSolver solver;
  solver.Solve(18, pushed, {}, 1e-3);
  const long before = AllocationCount();
  const StepOutcome outcome = solver.Solve(18, pushed, {}, 1e-3);
  EXPECT_EQ(AllocationCount() - before, 0);
  EXPECT_TRUE(outcome.converged);
  EXPECT_GT(outcome.iterations, 1);
}

}  // namespace
}  // namespace volcontact::testing
