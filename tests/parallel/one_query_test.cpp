// One query on several threads: the same bits as on one, whatever way it is answered.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "math/parallel.h"
#include "support/meshes.h"
#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

struct LongQuery {
  std::string name;
  Solid A, B;
  Pose X_AB;
  QueryOptions options;
};

const Pose kAskew = {{0.1, -0.05, 0.2}, {0.36, 0.48, -0.64, 0.48}};

Pose At(double x, double y, double z) { return {{x, y, z}, Pose().q}; }

Solid Pins(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Solid> pins;
  for (int i = 0; i < count; ++i) {
    const Solid pin = Cylinder(random.Uniform(0.2, 0.4), random.Uniform(0.8, 2.0));
    pins.push_back(pin.Posed(random.PoseAt(random.UniformVector(-0.3, 0.3))));
  }
  return Union(pins);
}

Solid Cluster(int count) {
  Random random(5);
  std::vector<Solid> balls;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d place = random.UniformVector(-0.6, 0.6);
    balls.push_back(Sphere(random.Uniform(0.15, 0.3)).Posed({place, Pose().q}));
  }
  return Union(balls);
}

Solid Feet() {
  std::vector<Solid> feet;
  for (const double x : {-0.4, 0.4}) {
    for (const double y : {-0.3, 0.3}) feet.push_back(Sphere(0.1).Posed(At(x, y, 0.0)));
  }
  return Union(feet);
}

// x⁴ + y⁴ + z⁴ <= 1/16: columns answer.
Solid RoundedCube() {
  return PolynomialSolid(
      {{1.0, {4, 0, 0}}, {1.0, {0, 4, 0}}, {1.0, {0, 0, 4}}, {-0.0625, {0, 0, 0}}});
}

// Many edges along whole curves, in cells, in parts that lie apart; with faces that touch, so that
// cells are many; columns; slices across a torus; a mesh.
std::vector<LongQuery> LongQueries() {
  QueryOptions all;
  all.tolerance = 1e-8;
  all.hessian = true;
  QueryOptions loose;
  loose.tolerance = 1e-4;
  QueryOptions few = all;
  few.max_cells = 2000;
  QueryOptions sharp = loose;
  sharp.bracket_width = 1e-2;
  const Solid rings = Union({Torus(0.5, 0.2), Torus(0.4, 0.15).Posed(kAskew)});
  return {
      {"pins", Pins(4, 1), Pins(4, 2), Pose(), all},
      {"many_pins", Pins(7, 3), Pins(6, 4), Pose(), loose},
      {"sharp_bracket", Pins(3, 5), Ellipsoid({0.5, 0.3, 0.4}), Pose(), sharp},
      {"cluster", Cluster(80), Ellipsoid({0.6, 0.5, 0.4}), kAskew, all},
      {"feet", Box({2.0, 2.0, 0.4}), Feet(), At(0.0, 0.0, 0.299), all},
      {"rings", rings, Cylinder(0.3, 1.0), kAskew, all},
      {"rings_with_few_cells", rings, Cylinder(0.3, 1.0), kAskew, few},
      {"ring_on_plate", Torus(0.5, 0.1), Box({2.0, 2.0, 0.2}), At(0.0, 0.0, -0.199), loose},
      {"capsules", Union({Capsule(0.2, 1.0), Capsule(0.2, 1.0).Posed(kAskew)}),
       Box({0.5, 0.6, 0.7}), Pose(), all},
      {"quartic", RoundedCube(), Difference(Box({0.8, 0.8, 0.8}), {Cylinder(0.2, 2.0)}), kAskew,
       loose},
      {"mesh_ball", Mesh(SphereMesh(0.5, 2)), Sphere(0.4), At(0.83, 0.1, 0.05), loose},
  };
}

class OneQuery : public ::testing::TestWithParam<LongQuery> {};

TEST_P(OneQuery, IsTheSameForAnyNumber) {
  const LongQuery& query = GetParam();
  const PreparedPair prepared(query.A, query.B);
  const Metrics expected = prepared.QueryRelative(query.X_AB, query.options);
  EXPECT_TRUE(expected.overlap);
  for (const int threads : {2, 4, 8}) {
    SCOPED_TRACE(::testing::Message() << "threads " << threads);
    QueryOptions options = query.options;
    options.threads = threads;
    // What other threads were given to do leaves its traces in their memory.
    for (int pass = 0; pass < 2; ++pass) {
      EXPECT_TRUE(BitwiseEqual(prepared.QueryRelative(query.X_AB, options), expected));
    }
  }
}

std::string QueryName(const ::testing::TestParamInfo<LongQuery>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Ways, OneQuery, ::testing::ValuesIn(LongQueries()), QueryName);

// Small enough for the thread sanitizer, and yet with loops over pairs, pieces, the contour, cells
// of edges, and those of the bracket.
TEST(OneQueryOnThreads, IsTheSame) {
  QueryOptions options;
  options.tolerance = 1e-6;
  options.hessian = true;
  options.bracket_width = 0.1;
  const Solid ring_in_pin =
      Difference(Union({Cylinder(0.4, 0.6), Box({0.5, 0.9, 0.4})}), {Torus(0.35, 0.1)});
  for (const Solid& A : {Pins(3, 1), ring_in_pin}) {
    const PreparedPair prepared(A, Pins(2, 2));
    options.threads = 1;
    const Metrics expected = prepared.QueryRelative(Pose{}, options);
    EXPECT_GT(expected.stats.edges, 30);
    options.threads = 2;
    for (int pass = 0; pass < 3; ++pass) {
      EXPECT_TRUE(BitwiseEqual(prepared.QueryRelative(Pose{}, options), expected));
    }
  }
}

TEST(ParallelFor, TakesEveryIndexOnce) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> taken(1000, 0), workers(1000, 0);
    ParallelFor(taken.size(), threads, [&](std::size_t i, int worker) {
      ++taken[i];
      workers[i] = worker;
    });
    for (std::size_t i = 0; i < taken.size(); ++i) {
      ASSERT_EQ(taken[i], 1);
      ASSERT_GE(workers[i], 0);
      ASSERT_LT(workers[i], threads);
    }
  }
}

// A loop within a loop is one thread's, whatever it asks for: all threads have work already.
TEST(ParallelFor, WithinAnotherIsPlain) {
  std::vector<int> sums(8, 0);
  ParallelFor(sums.size(), 2, [&](std::size_t i, int) {
    ParallelFor(100, 4, [&](std::size_t k, int worker) {
      EXPECT_EQ(worker, 0);
      sums[i] += static_cast<int>(k);
    });
  });
  for (const int sum : sums) EXPECT_EQ(sum, 4950);
}

TEST(ParallelFor, PassesOnExceptions) {
  for (const int threads : {1, 2}) {
    EXPECT_THROW(ParallelFor(100, threads,
                             [](std::size_t i, int) {
                               if (i == 50) throw std::runtime_error("no");
                             }),
                 std::runtime_error);
    // And goes on working.
    int count = 0;
    ParallelFor(1, threads, [&](std::size_t, int) { ++count; });
    EXPECT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace volcontact::testing
