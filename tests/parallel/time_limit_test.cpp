// Queries that a time limit ends.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "support/meshes.h"
#include "volcontact/math/error.h"
#include "volcontact/math/run_within.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::time_limit_test {
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

constexpr double kShort = 0.1;  // [s]

// Random parts, as they come.
class Cloud {
 public:
  explicit Cloud(unsigned seed) : random_(seed) {}

  Solid Of(int count, double spread, const std::function<Solid()>& part) {
    std::vector<Solid> parts;
    for (int i = 0; i < count; ++i) parts.push_back(part().Posed(AnyPose(spread)));
    return Union(std::move(parts));
  }
  Solid Boxes(int count, double spread) {
    return Of(count, spread, [&] { return Box({Size(), Size(), Size()}); });
  }
  Solid Tori(int count, double spread) {
    return Of(count, spread, [] { return Torus(0.08, 0.024); });
  }
  Solid Balls(int count, double spread) {
    return Of(count, spread, [&] { return Sphere(0.5 * Size()); });
  }

 private:
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double Size() { return Uniform(0.05, 0.1); }
  Pose AnyPose(double spread) {
    Eigen::Vector4d q;
    for (double& x : q) x = std::normal_distribution<double>()(random_);
    q.normalize();
    const auto at = [&] { return Uniform(-spread, spread); };
    return {{at(), at(), at()}, {q[0], q[1], q[2], q[3]}};
  }

  std::mt19937_64 random_;
};

// A ring of so many triangles around and along, not quite smooth.
Solid RoughRing(int around, int along) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k < along; ++k) {
      const double a = 2.0 * M_PI * i / around, b = 2.0 * M_PI * k / along;
      const double r = 0.1 * (1.0 + 1e-3 * std::sin(7.0 * i + 3.0 * k));
      const double rho = 0.3 + r * std::cos(b);
      mesh.vertices.emplace_back(rho * std::cos(a), rho * std::sin(a), r * std::sin(b));
      const int next = (i + 1) % around, up = (k + 1) % along;
      mesh.faces.push_back({i * along + k, next * along + k, next * along + up});
      mesh.faces.push_back({i * along + k, next * along + up, i * along + up});
    }
  }
  return Mesh(mesh);
}

struct HardScene {
  const char* name;
  Solid A, B;
};

std::vector<HardScene> HardScenes() {
  Cloud cloud(3);
  const Solid ball = Sphere(0.5);
  return {{"boxes", cloud.Boxes(50, 0.3), cloud.Boxes(50, 0.3)},
          {"many boxes", cloud.Boxes(300, 0.5), cloud.Boxes(300, 0.5)},
          {"tori", cloud.Tori(30, 0.3), cloud.Tori(30, 0.3)},
          {"balls in a ball", cloud.Balls(1000, 0.5), ball},
          {"more balls than pairs of them fit", cloud.Balls(3000, 0.5), ball},
          {"a mesh and tori", RoughRing(200, 60), cloud.Tori(30, 0.3)},
          {"meshes", RoughRing(400, 100), RoughRing(400, 100).Posed(Pose{{1e-4, 0, 1e-5}})}};
}

// A fifth of the limit and half a second, and a second more on a busy machine.
void ExpectInTime(double seconds, const char* name) {
  EXPECT_LT(seconds, 1.2 * kShort + 0.5 + 1.0) << name;
}

// What is not known is not zero.
void ExpectHonest(const Metrics& metrics, const char* name) {
  if (metrics.converged) return;
  EXPECT_TRUE(SaysWhy(metrics)) << name;
  EXPECT_GT(metrics.volume, 0.0) << name;
  ASSERT_TRUE(metrics.volume_bounds) << name;
  EXPECT_LT((*metrics.volume_bounds)[0], (*metrics.volume_bounds)[1]) << name;
  EXPECT_NE(metrics.overlap, metrics.undecided) << name;
  if (!metrics.undecided) return;
  EXPECT_DOUBLE_EQ(metrics.volume, 0.5 * (*metrics.volume_bounds)[1]) << name;
}

TEST(TimeLimit, HoldsForHardScenes) {
  for (const HardScene& scene : HardScenes()) {
    const PreparedPair pair(scene.A, scene.B);
    QueryOptions options;
    options.max_seconds = kShort;
    options.hessian = true;
    options.bracket_width = 1e-9;
    Metrics metrics;
    ExpectInTime(SecondsOf([&] { metrics = pair.QueryRelative(Pose(), options); }), scene.name);
    ExpectHonest(metrics, scene.name);
    std::vector<Metrics> patches;
    ExpectInTime(SecondsOf([&] { patches = pair.QueryPatches(Pose(), Pose(), options); }),
                 scene.name);
    EXPECT_FALSE(patches.empty()) << scene.name;
  }
}

TEST(TimeLimit, HoldsForMassesOfHardParts) {
  for (const HardScene& scene : HardScenes()) {
    QueryOptions options;
    options.max_seconds = kShort;
    MassProperties mass;
    ExpectInTime(SecondsOf([&] { mass = ComputeMassProperties(scene.A, options); }), scene.name);
    EXPECT_TRUE(mass.converged || SaysWhy(mass)) << scene.name;
    EXPECT_GT(mass.volume, 0.0) << scene.name;
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
  const double seconds = SecondsOf([&] { metrics = pair.QueryBatch(poses, options); });
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

// Two balls of meshes that cross, whose joining takes more than a second, several times as long as
// what a limit may be late by.
Solid CrossingMeshes() {
  return Union({Mesh(testing::SphereMesh(0.1, 7)),
                Mesh(testing::SphereMesh(0.1, 7)).Posed(Moved(0.011, 0.007, 0.003))});
}

TEST(TimeLimit, HoldsForMeshesThatAreJoined) {
  const Solid meshes = CrossingMeshes();
  QueryOptions options;
  options.max_seconds = 1e-3;
  const MassProperties mass = ComputeMassProperties(meshes, options);
  EXPECT_FALSE(mass.converged);
  EXPECT_TRUE(SaysWhy(mass));
  ASSERT_TRUE(mass.volume_bounds);
  EXPECT_LT((*mass.volume_bounds)[1], 0.22 * 0.21 * 0.21);
  EXPECT_GT((*mass.volume_bounds)[1], ComputeMassProperties(meshes).volume);
}

TEST(TimeLimit, HoldsForSeveralCallsTogether) {
  const Solid meshes = CrossingMeshes();
  const TriangleMesh fine = testing::SphereMesh(0.1, 6);
  EXPECT_THROW(RunWithin(1e-3, "late",
                         [&] {
                           PreparedPair(meshes, Box({0.1, 0.1, 0.1}));
                         }),
               OutOfTime);
  EXPECT_THROW(RunWithin(1e-3, "late",
                         [&] {
                           for (int i = 0; i < 1000; ++i) CheckMesh(fine);
                         }),
               OutOfTime);
  // A query has an answer.
  const PreparedPair pair(Part(0.05), Part(0.04));
  RunWithin(1e-7, "late", [&] {
    EXPECT_FALSE(pair.Query(Pose(), Moved(0.05, 0.03, 0.08)).converged);
    // A limit within another one ends with that.
    RunWithin(60.0, "late",
              [&] { EXPECT_FALSE(pair.Query(Pose(), Moved(0.05, 0.03, 0.08)).converged); });
  });
  EXPECT_TRUE(pair.Query(Pose(), Moved(0.05, 0.03, 0.08)).converged);
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
  const std::vector<Metrics> batch = pair.QueryBatch(poses, options);
  ASSERT_EQ(batch.size(), poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Metrics single = pair.Query(poses[i].X_WA, poses[i].X_WB);
    EXPECT_EQ(batch[i].volume, single.volume) << i;
    EXPECT_EQ(batch[i].centroid_W, single.centroid_W) << i;
    EXPECT_EQ(batch[i].normal_W, single.normal_W) << i;
  }
  poses[3].X_WB.q = {2.0, 0.0, 0.0, 0.0};
  EXPECT_THROW(pair.QueryBatch(poses), InvalidInput);
}

}  // namespace
}  // namespace volcontact::time_limit_test
