// Voxel counting: exact where voxels fit, first order elsewhere, bounded effort.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "overlap/certify/voxels.h"
#include "overlap/region_testing.h"

namespace volcontact::testing::voxel_test {
namespace {

using Eigen::Vector3d;

const double kPi = std::acos(-1.0);
constexpr long kCells = 4'000'000;

LocalProblem Lens() {
  const SurfaceSet set = RegionOf(Sphere(1.0), Sphere(1.0), PoseAt(0, 0, 1.0));
  return ProblemOf(set, FrameAt(PoseAt(0, 0, 0.5, 0.1, 0.2, 0.3), {1.0, 1.1, 0.9}));
}
const double kLens = 2.0 * kPi * 0.25 * 2.5 / 3.0;

TEST(Voxel, IsExactForBoxesThatFitTheVoxels) {
  // The block fills a dyadic part of the start box, whose corner is the origin of the voxels.
  const SurfaceSet set = RegionOf(Box({1, 2, 3}), Box({8, 8, 8}));
  const LocalProblem problem = ProblemOf(set, FrameAt(Pose(), {2, 4, 6}));
  const RawMetrics raw = CountVoxels(problem, 0.25, kCells, 1);
  EXPECT_TRUE(raw.converged);
  EXPECT_NEAR(raw.moments.volume, 6.0, 1e-12);
  EXPECT_NEAR(raw.moments.first.norm(), 0.0, 1e-12);
  EXPECT_NEAR(raw.moments.second(0, 0), 6.0 / 12.0, 1e-12);
  EXPECT_NEAR(raw.moments.second(2, 2), 6.0 * 9.0 / 12.0, 1e-12);
}

TEST(Voxel, ConvergesForALens) {
  const LocalProblem problem = Lens();
  const Vector3d up = problem.frame.X_AC.RotationDouble().transpose() * Vector3d::UnitZ();
  for (const double size : {0.1, 0.05, 0.025}) {
    SCOPED_TRACE(size);
    const RawMetrics raw = CountVoxels(problem, size, kCells, 1);
    ASSERT_TRUE(raw.converged);
    EXPECT_NEAR(raw.moments.volume, kLens, 0.1 * size);
    EXPECT_LE(std::abs(raw.moments.volume - kLens), raw.volume_error);
    EXPECT_LT(raw.volume_error, 10.0 * size);
    EXPECT_LT((raw.moments.first / raw.moments.volume).norm(), 0.05 * size);
    // A's ball is below, so B's outward normal on the boundary within A points down; the section is
    // the disc through the rim, of radius² 3/4.
    EXPECT_LT((raw.area + 0.75 * kPi * up).norm(), 0.5 * size);
    EXPECT_LT(raw.torque.cross(up).norm(), 0.5 * size);
  }
}

TEST(Voxel, ProjectsAlongTheFramesAxis) {
  const SurfaceSet set = RegionOf(Sphere(0.8), Sphere(2.0));
  const RawMetrics raw = CountVoxels(ProblemOf(set, LocalFrame()), 0.05, kCells, 1);
  EXPECT_NEAR(raw.projected_area, kPi * 0.64, 0.01);
  EXPECT_LT(raw.area.norm(), 1e-12);  // none of the boundary is B's
}

TEST(Voxel, GivesUpWithinItsBudget) {
  const LocalProblem problem = Lens();
  const RawMetrics raw = CountVoxels(problem, 1e-6, 20000, 1);
  EXPECT_FALSE(raw.converged);
  EXPECT_NEAR(raw.moments.volume, kLens, raw.volume_error);
  EXPECT_LT(raw.volume_error, 0.5 * kLens);
}

TEST(Voxel, StaysWithinHalfOfTheUndecidedVolumeForRandomSolids) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 10; ++trial) {
    SCOPED_TRACE(trial);
    const SurfaceSet set = RegionOf(RandomSolid(&random, 3), RandomSolid(&random, 2));
    const LocalProblem problem = ProblemOf(set, LocalFrame());
    const RawMetrics coarse = CountVoxels(problem, 0.1, kCells, 1);
    const RawMetrics fine = CountVoxels(problem, 0.02, kCells, 1);
    EXPECT_LE(std::abs(coarse.moments.volume - fine.moments.volume),
              coarse.volume_error + fine.volume_error);
    EXPECT_LE(fine.volume_error, 0.4 * coarse.volume_error);
  }
}

TEST(Voxel, HostileRegions) {
  SurfaceSet constant;
  constant.expression = Expression::Constant(true);
  EXPECT_EQ(CountVoxels(ProblemOf(constant, LocalFrame()), 0.1, kCells, 1).moments.volume, 8.0);
  constant.expression = Expression::Constant(false);
  EXPECT_EQ(CountVoxels(ProblemOf(constant, LocalFrame()), 0.1, kCells, 1).moments.volume, 0.0);
  const SurfaceSet apart = RegionOf(Sphere(0.3), Sphere(0.3), PoseAt(1, 0, 0));
  const RawMetrics none = CountVoxels(ProblemOf(apart, LocalFrame()), 0.05, kCells, 1);
  EXPECT_EQ(none.moments.volume, 0.0);
  EXPECT_TRUE(none.converged);
  // A voxel larger than the box: the box's centre decides.
  const SurfaceSet ball = RegionOf(Sphere(0.5), Sphere(2.0));
  const RawMetrics one = CountVoxels(ProblemOf(ball, LocalFrame()), 10.0, kCells, 1);
  EXPECT_EQ(one.moments.volume, 8.0);
  EXPECT_EQ(one.volume_error, 4.0);
}

TEST(Voxel, IsTheSameForAnyNumberOfThreads) {
  const LocalProblem problem = Lens();
  const RawMetrics one = CountVoxels(problem, 0.03, kCells, 1);
  for (const int threads : {2, 5}) {
    const RawMetrics more = CountVoxels(problem, 0.03, kCells, threads);
    EXPECT_EQ(one.moments.volume, more.moments.volume);
    EXPECT_EQ(one.moments.second, more.moments.second);
    EXPECT_EQ(one.area, more.area);
    EXPECT_EQ(one.torque, more.torque);
  }
}

}  // namespace
}  // namespace volcontact::testing::voxel_test
