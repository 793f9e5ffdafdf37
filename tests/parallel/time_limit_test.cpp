// Queries that a time limit ends.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

double SecondsOf(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool SaysWhy(const VolumeMetrics& metrics) {
  for (const std::string& warning : metrics.warnings) {
    if (warning.find("time limit") != std::string::npos) return true;
  }
  return false;
}

Pose Moved(double x, double y, double z) {
  Pose pose;
  pose.t = {x, y, z};
  return pose;
}

// Two parts of several primitives, without a closed form.
Solid Part(double radius) {
  const Solid bore = Cylinder(radius, 1.0).Posed(Moved(0.1, 0.0, 0.0));
  return Union(
      {Difference(Box({0.6, 0.4, 0.2}), {bore}), Torus(0.2, 0.05).Posed(Moved(0.0, 0.0, 0.12))});
}

TEST(TimeLimit, EndsNotConvergedWithWhatIsKnown) {
  const PreparedPair pair(Part(0.05), Part(0.04));
  const Pose X_WB = Moved(0.05, 0.03, 0.08);
  const Metrics exact = pair.Query(Pose(), X_WB);
  ASSERT_TRUE(exact.converged);
  for (const int threads : {1, 2}) {
    QueryOptions options;
    options.threads = threads;
    options.max_seconds = 1e-7;
    Metrics metrics;
    const double seconds = SecondsOf([&] { metrics = pair.Query(Pose(), X_WB, options); });
    EXPECT_LT(seconds, 2.0);  // on a busy machine
    EXPECT_FALSE(metrics.converged);
    EXPECT_TRUE(SaysWhy(metrics));
    if (metrics.volume_bounds) {
      EXPECT_LE((*metrics.volume_bounds)[0], exact.volume * (1.0 + 1e-6));
      EXPECT_GE((*metrics.volume_bounds)[1], exact.volume * (1.0 - 1e-6));
    }
  }
}

// Voxels as fine as these would take hours.
TEST(TimeLimit, HoldsForLongCounts) {
  QueryOptions options;
  options.method = Method::kVoxel;
  options.voxel_size = 1e-6;
  options.max_cells = 1'000'000'000'000;
  options.max_seconds = 0.05;
  const PreparedPair pair(Sphere(0.1), Part(0.05));
  Metrics metrics;
  const double seconds = SecondsOf([&] { metrics = pair.Query(Pose(), Pose(), options); });
  EXPECT_LT(seconds, 5.0);
  EXPECT_FALSE(metrics.converged);
  EXPECT_TRUE(SaysWhy(metrics));
  const double exact = pair.Query(Pose(), Pose()).volume;
  EXPECT_NEAR(metrics.volume, exact, 2.0 * metrics.volume_error);
  EXPECT_LT(metrics.volume_error, 0.5 * exact);
}

TEST(TimeLimit, ChangesNothingWhereItIsNotFelt) {
  const PreparedPair pair(Part(0.05), Part(0.04));
  const Pose X_WB = Moved(0.05, 0.03, 0.08);
  QueryOptions options;
  options.max_seconds = 1000.0;
  const Metrics with = pair.Query(Pose(), X_WB, options), without = pair.Query(Pose(), X_WB);
  EXPECT_EQ(with.volume, without.volume);
  EXPECT_EQ(with.inertia_W, without.inertia_W);
  EXPECT_TRUE(with.converged);
  // Formulas take no notice of the shortest of limits.
  options.max_seconds = 1e-9;
  const Metrics formula =
      PreparedPair(Sphere(0.1), HalfSpace()).Query(Moved(0.0, 0.0, 0.09), Pose(), options);
  EXPECT_TRUE(formula.converged);
  EXPECT_TRUE(formula.warnings.empty());
}

TEST(TimeLimit, IsThatOfAWholeBatch) {
  const PreparedPair pair(Part(0.05), Part(0.04));
  const std::vector<PosePair> poses(400, {Pose(), Moved(0.05, 0.03, 0.08)});
  QueryOptions options;
  options.threads = 2;
  options.max_seconds = 1e-3;
  std::vector<Metrics> metrics;
  const double seconds = SecondsOf([&] { metrics = pair.QueryWorldBatch(poses, options); });
  EXPECT_LT(metrics.size(), 400u);  // those that were begun
  for (const Metrics& one : metrics) EXPECT_TRUE(one.converged || SaysWhy(one));
  EXPECT_LT(seconds, 5.0);
  // The thread is as free as before.
  EXPECT_TRUE(pair.Query(Pose(), poses[0].X_WB).converged);
}

TEST(TimeLimit, HoldsForMassProperties) {
  QueryOptions options;
  options.max_seconds = 1e-7;
  const MassProperties mass = ComputeMassProperties(Part(0.05), options);
  EXPECT_FALSE(mass.converged);
  EXPECT_TRUE(SaysWhy(mass));
  options.max_seconds = 0.0;
  EXPECT_THROW(ComputeMassProperties(Part(0.05), options), InvalidInput);
  options.max_seconds = NAN;
  EXPECT_THROW(ComputeMassProperties(Part(0.05), options), InvalidInput);
}

// Bit by bit those of single queries.
TEST(WorldBatch, IsTheSameAsSingleQueries) {
  const PreparedPair pair(Part(0.05), Part(0.04));
  std::vector<PosePair> poses;
  for (int i = 0; i < 6; ++i) {
    const double angle = 0.3 * i;
    const Pose turned{{0.01 * i, 0.2, 0.0}, {std::cos(angle), 0.0, 0.0, std::sin(angle)}};
    poses.push_back({turned, Moved(0.05, 0.2, 0.06 + 0.01 * i)});
  }
  QueryOptions options;
  options.threads = 2;
  const std::vector<Metrics> batch = pair.QueryWorldBatch(poses, options);
  ASSERT_EQ(batch.size(), poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Metrics single = pair.Query(poses[i].X_WA, poses[i].X_WB);
    EXPECT_EQ(batch[i].volume, single.volume) << i;
    EXPECT_EQ(batch[i].centroid_W, single.centroid_W) << i;
    EXPECT_EQ(batch[i].normal_W, single.normal_W) << i;
  }
  poses[3].X_WB.q = {2.0, 0.0, 0.0, 0.0};
  EXPECT_THROW(pair.QueryWorldBatch(poses), InvalidInput);
}

}  // namespace
}  // namespace volcontact
