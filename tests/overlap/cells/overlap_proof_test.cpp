// Overlap proofs: right at any depth, in any orientation, and honest when nothing can be proved.
#include "overlap/cells/overlap_proof.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "math/minimal_rotation.h"
#include "overlap/region_testing.h"

namespace volcontact::testing::overlap_proof_test {
namespace {

using Eigen::Vector3d;

constexpr long kCells = 20000;
// Off the solids' symmetries, so that no cell face or centre meets them by chance.
const LocalFrame kFrame = FrameAt(PoseAt(0.031, -0.043, 0.057), {4.1, 4.3, 4.7});

// Pairs whose first solid penetrates the second by `depth` (a gap when negative).
struct Case {
  const char* name;
  std::function<SurfaceSet(double depth)> make;
};

SurfaceSet SphereSphere(double depth) {
  const Vector3d p = (2.0 - depth) * Vector3d(0.3, 0.5, 0.8).normalized();
  return RegionOf(Sphere(1.0), Sphere(1.0), PoseAt(p.x(), p.y(), p.z()));
}

SurfaceSet EllipsoidHalfSpace(double depth) {
  const Pose tilt = PoseAt(0, 0, 0, 0.3, -0.2, 0.5);
  const Vector3d axes(0.5, 1.0, 2.0), n = Vector3d(0.2, -0.6, 0.4).normalized();
  // The support of the tilted ellipsoid along n.
  const double reach = axes.cwiseProduct(tilt.Rotation().transpose() * n).norm();
  const Eigen::Quaterniond q = MinimalRotation(Vector3d::UnitZ(), -n);
  const Vector3d p = (reach - depth) * n;
  return RegionOf(Ellipsoid(axes).Posed(tilt),
                  HalfSpace().Posed(Pose{p, {q.w(), q.x(), q.y(), q.z()}}));
}

SurfaceSet BoxFaceOnFace(double depth) {
  return RegionOf(Box({1, 1, 1}), Box({1, 1, 1}), PoseAt(0.3, 0.2, 1.0 - depth, 0, 0, 0.3));
}

SurfaceSet BoxEdges(double depth) {
  const Pose edge_up = PoseAt(0, 0, 0, std::tan(std::acos(-1.0) / 8.0), 0, 0);
  const Solid box = Box({1, 1, 1}).Posed(edge_up);
  return RegionOf(box, box.Posed(PoseAt(0.1, 0.05, std::sqrt(2.0) - depth, 0, 0, 0.2)));
}

SurfaceSet BallInBlock(double depth) {
  return RegionOf(Sphere(1.0), Complement(Box({10, 10, 2.0 - 2.0 * depth})), PoseAt(0.2, 0.1, 0));
}

SurfaceSet PegInHole(double depth) {
  return RegionOf(Cylinder(1.0, 1.0), Difference(Box({4, 4, 2}), {Cylinder(1.0 - depth, 4.0)}));
}

SurfaceSet TorusSphere(double depth) {
  return RegionOf(Torus(1.0, 0.3), Sphere(0.5), PoseAt(0.6, 0.8, 0.8 - depth));
}

const Case kCases[] = {
    {"sphere on sphere", SphereSphere},  {"ellipsoid on half-space", EllipsoidHalfSpace},
    {"box face on face", BoxFaceOnFace}, {"box edge on edge", BoxEdges},
    {"ball in block", BallInBlock},      {"peg in hole", PegInHole},
    {"sphere on torus", TorusSphere}};

TEST(OverlapTest, ProvesThinOverlapsAndThinGaps) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    for (const double depth : {0.3, 1e-2, 1e-4, 1e-6, 1e-8}) {
      EXPECT_EQ(TestOverlap(c.make(depth), kFrame, kCells), OverlapProof::kOverlap) << depth;
      EXPECT_EQ(TestOverlap(c.make(-depth), kFrame, kCells), OverlapProof::kSeparated) << depth;
      EXPECT_NE(TestSeparation(c.make(depth), kFrame, kCells), OverlapProof::kSeparated) << depth;
      EXPECT_EQ(TestSeparation(c.make(-depth), kFrame, kCells), OverlapProof::kSeparated) << depth;
    }
  }
}

// With so many cells the search for a proof would not end.
TEST(OverlapTest, SearchForSeparationGivesUpAtTouches) {
  constexpr long kNoEnd = 1L << 40;
  for (const SurfaceSet& set : {SphereSphere(0.0), TorusSphere(0.0), BallInBlock(0.0)}) {
    EXPECT_EQ(TestSeparation(set, kFrame, kNoEnd), OverlapProof::kUndecided);
  }
}

TEST(OverlapTest, NeedsFewCellsForConvexPairs) {
  for (const double depth : {1e-2, 1e-8}) {
    EXPECT_EQ(TestOverlap(SphereSphere(depth), kFrame, 64), OverlapProof::kOverlap);
    EXPECT_EQ(TestOverlap(EllipsoidHalfSpace(depth), kFrame, 64), OverlapProof::kOverlap);
    EXPECT_EQ(TestOverlap(BoxEdges(-depth), kFrame, 64), OverlapProof::kSeparated);
    EXPECT_EQ(TestOverlap(SphereSphere(-depth), kFrame, 4000), OverlapProof::kSeparated);
  }
}

TEST(OverlapTest, SearchesOnlyItsBox) {
  const SurfaceSet set = RegionOf(Sphere(1.0), Sphere(1.0), PoseAt(1.0, 0, 0));
  const Vector3d half = Vector3d::Constant(0.5);
  EXPECT_EQ(TestOverlap(set, FrameAt(PoseAt(0.5, 0, 0), half), kCells), OverlapProof::kOverlap);
  EXPECT_EQ(TestOverlap(set, FrameAt(PoseAt(-1, 0, 0), half), kCells), OverlapProof::kSeparated);
}

TEST(OverlapTest, HostileRegions) {
  SurfaceSet constant;
  constant.expression = Expression::Constant(false);
  EXPECT_EQ(TestOverlap(constant, kFrame, kCells), OverlapProof::kSeparated);
  constant.expression = Expression::Constant(true);
  EXPECT_EQ(TestOverlap(constant, kFrame, kCells), OverlapProof::kOverlap);
  EXPECT_EQ(TestOverlap(RegionOf(Sphere(1), Sphere(1)), kFrame, kCells), OverlapProof::kOverlap);
  EXPECT_EQ(TestOverlap(RegionOf(Sphere(1), Complement(Sphere(1))), kFrame, kCells),
            OverlapProof::kSeparated);
  // Faces that coincide are one surface, seen from both sides.
  EXPECT_EQ(
      TestOverlap(RegionOf(Box({1, 1, 1}), Box({1, 1, 1}), PoseAt(0.25, 0, 1)), kFrame, kCells),
      OverlapProof::kSeparated);
  // Touching spheres: any certain answer would be luck, "overlap" would be wrong.
  EXPECT_NE(TestOverlap(RegionOf(Sphere(1), Sphere(1), PoseAt(2, 0, 0)), kFrame, 500),
            OverlapProof::kOverlap);
}

// Any grid point in both solids is an overlap; a claim of "disjoint" must not meet one.
TEST(OverlapTest, AgreesWithDenseSamplingOfRandomSolids) {
  std::mt19937 random(5);
  constexpr int kPoints = 40;
  int overlaps = 0, undecided = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const SurfaceSet set = RegionOf(RandomSolid(&random, 1 + trial % 4), RandomSolid(&random, 2));
    const LocalProblem problem = ProblemOf(set, LocalFrame());
    bool sampled = false;
    for (int i = 0; i < kPoints * kPoints * kPoints && !sampled; ++i) {
      const Vector3d index(i % kPoints, i / kPoints % kPoints, i / kPoints / kPoints);
      sampled = Contains(problem, (2.0 * index.array() + 1.0) / kPoints - 1.0);
    }
    const OverlapProof proof = TestOverlap(set, LocalFrame(), kCells);
    if (sampled) {
      EXPECT_EQ(proof, OverlapProof::kOverlap);
    }
    overlaps += proof == OverlapProof::kOverlap ? 1 : 0;
    undecided += proof == OverlapProof::kUndecided ? 1 : 0;
  }
  EXPECT_GT(overlaps, 20);
  EXPECT_LT(overlaps, 60);
  EXPECT_EQ(undecided, 0);
}

}  // namespace
}  // namespace volcontact::testing::overlap_proof_test
