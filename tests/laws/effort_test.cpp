// Effort ends, in an answer that says so, and does not depend on the unit of length.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "math/minimal_rotation.h"
#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::effort_test {
namespace {

constexpr std::uint64_t kSeed = 1380;

// Balls in a cube, many of which overlap many others.
Solid Balls(Random* random, int count, double scale) {
  std::vector<Solid> balls;
  for (int n = 0; n < count; ++n) {
    const double radius = random->Uniform(0.15, 0.35) * scale;
    Pose X = random->PoseAt(random->UniformVector(-1.0, 1.0));
    X.t *= scale;
    balls.push_back(Sphere(radius).Posed(X));
  }
  return Union(balls);
}

// Rounded cubes x⁴ + y⁴ + z⁴ <= r⁴, which have no sums over edges.
Solid RoundedCubes(Random* random, int count) {
  std::vector<Solid> cubes;
  for (int n = 0; n < count; ++n) {
    const double r = random->Uniform(0.15, 0.35);
    const Solid cube = PolynomialSolid(
        {{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-r * r * r * r, {0, 0, 0}}});
    cubes.push_back(cube.Posed(random->PoseAt(random->UniformVector(-1.0, 1.0))));
  }
  return Union(cubes);
}

TEST(Effort, OfTheMassOfManyRoundedCubesEnds) {
  Random random(kSeed);
  QueryOptions options;
  options.max_cells = 20'000;
  const MassProperties mass = ComputeMassProperties(RoundedCubes(&random, 60), options);
  EXPECT_FALSE(mass.converged);
  // What was looked at is a few times what is allowed; what is not known is as large as the box.
  EXPECT_LT(mass.stats.cells, 12 * options.max_cells);
  EXPECT_FALSE(mass.stats.fallback.empty());
  ASSERT_TRUE(mass.volume_error > 0.0);
}

TEST(Effort, IsEnoughForTheMassOfManyBalls) {
  Random random(kSeed);
  QueryOptions options;
  options.max_cells = 20'000;
  const Solid balls = Balls(&random, 100, 1.0);
  const MassProperties mass = ComputeMassProperties(balls, options);
  EXPECT_TRUE(mass.converged);
  const Solid ground = HalfSpace().Posed(random.PoseAt(Eigen::Vector3d::Zero()));
  const double below = Query(balls, ground, options).volume;
  const double above = Query(balls, Complement(ground), options).volume;
  ASSERT_TRUE(below > 0.0 && above > 0.0);
  EXPECT_NEAR(below + above, mass.volume, 3.0 * options.tolerance * mass.volume);
}

// A box with rounded edges: three boxes, flush with twelve capsules.
Solid RoundedBox(const Eigen::Vector3d& inner, double r) {
  std::vector<Solid> parts;
  for (int k = 0; k < 3; ++k) {
    Eigen::Vector3d size = inner;
    size[k] += 2.0 * r;
    parts.push_back(Box(size));
    // The capsule's axis is z.
    const Eigen::Vector3d to = Eigen::Vector3d::Unit(k);
    const Eigen::Quaterniond q = MinimalRotation(Eigen::Vector3d::UnitZ(), to);
    for (int corner = 0; corner < 4; ++corner) {
      Eigen::Vector3d at = Eigen::Vector3d::Zero();
      at[(k + 1) % 3] = (corner % 2 == 0 ? 0.5 : -0.5) * inner[(k + 1) % 3];
      at[(k + 2) % 3] = (corner / 2 == 0 ? 0.5 : -0.5) * inner[(k + 2) % 3];
      parts.push_back(Capsule(r, inner[k]).Posed({at, {q.w(), q.x(), q.y(), q.z()}}));
    }
  }
  return Union(parts);
}

// Whatever is spent and whatever is found: nothing at all, too, has bounds that hold the truth.
TEST(Effort, BoundsHoldAtAnyEffort) {
  constexpr double kPi = 3.14159265358979323846, r = 0.002;
  const Eigen::Vector3d inner(0.02, 0.012, 0.008);
  const double faces = inner.x() * inner.y() + inner.y() * inner.z() + inner.z() * inner.x();
  const double volume =
      inner.prod() + 2.0 * r * faces + kPi * r * r * inner.sum() + 4.0 / 3.0 * kPi * r * r * r;
  Random random(kSeed + 3);
  const Solid solid = RoundedBox(inner, r).Posed(random.PoseAt(Eigen::Vector3d::Zero()));
  int converged = 0;
  for (const long cells : {1, 30, 1000, 30'000}) {
    QueryOptions options;
    options.max_cells = cells;
    const MassProperties mass = ComputeMassProperties(solid, options);
    SCOPED_TRACE(cells);
    ASSERT_TRUE(mass.volume_bounds);
    EXPECT_LE((*mass.volume_bounds)[0], volume * (1.0 + 1e-12));
    EXPECT_GE((*mass.volume_bounds)[1], volume * (1.0 - 1e-12));
    // Where the bounds prove some volume, none is no answer.
    if ((*mass.volume_bounds)[0] > 0.0) {
      EXPECT_GT(mass.volume, 0.0);
    }
    EXPECT_LE(std::abs(mass.volume - volume), 2.0 * mass.volume_error + 1e-12 * volume);
    if (!mass.converged) continue;
    ++converged;
    EXPECT_NEAR(mass.volume, volume, options.tolerance * volume);
  }
  EXPECT_GE(converged, 1);
}

TEST(Effort, OfTheHessianEndsWithAReason) {
  Random random(kSeed + 1);
  // Edges of hyperboloids of one sheet are found in cells.
  const Solid A = Balls(&random, 40, 1.0);
  const Solid B = Intersection(
      {Quadric(Eigen::Vector4d(1.0, 1.2, -0.7, -0.5).asDiagonal()), Box({2.0, 2.0, 2.0})});
  QueryOptions options;
  options.hessian = true;
  options.max_cells = 10'000;
  const Metrics metrics = Query(A, B, options);
  EXPECT_LT(metrics.stats.cells, 12 * options.max_cells);
  EXPECT_FALSE(metrics.hessian_W);
  const bool says_why = std::any_of(
      metrics.warnings.begin(), metrics.warnings.end(),
      [](const std::string& warning) { return warning.find("no Hessian") != std::string::npos; });
  // Without a known overlap there is nothing to differentiate.
  EXPECT_TRUE(metrics.overlap ? says_why : !metrics.converged);
}

TEST(Effort, DoesNotDependOnTheUnitOfLength) {
  for (const double tolerance : {1e-4, 1e-8}) {
    std::vector<long> cells;
    std::vector<double> volumes;
    // Powers of two: the same numbers but for their exponents.
    for (const double scale : {1.0, 0x1p-10, 0x1p10}) {
      Random random(kSeed + 2);
      const Solid A = Balls(&random, 12, scale);
      const Solid ring =
          Torus(0.6 * scale, 0.2 * scale).Posed(random.PoseAt({0.1 * scale, 0.0, 0.0}));
      // Edges need no cells; a bracket that cells prove does.
      const Metrics metrics = Query(A, ring, {.tolerance = tolerance, .bracket_width = 0.1});
      ASSERT_GT(metrics.stats.cells, 0);
      cells.push_back(metrics.stats.cells);
      volumes.push_back(metrics.volume / (scale * scale * scale));
    }
    for (const int k : {1, 2}) {
      EXPECT_NEAR(volumes[k], volumes[0], 2.0 * tolerance * volumes[0]);
      EXPECT_LT(static_cast<double>(cells[k]), 1.3 * static_cast<double>(cells[0]));
      EXPECT_GT(static_cast<double>(cells[k]), 0.7 * static_cast<double>(cells[0]));
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::effort_test
