// Prepared pairs: the same bits however they are asked, options, overlap test and distances.
#include "volcontact/overlap/prepared_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 299792458;

struct NamedPair {
  std::string name;
  Solid A, B;
};

// A pair for each way of answering: closed form, patch, octree of a few and of many cells.
std::vector<NamedPair> Pairs() {
  const Pose off = {{0.1, 0.2, 0.05}, {0.2, 0.4, 0.4, 0.8}};
  const Solid drilled = Difference(Box({1.0, 1.0, 1.0}), {InfiniteCylinder(0.25).Posed(off)});
  return {
      {"sphere_half_space", Sphere(0.5), HalfSpace()},
      {"box_box", Box({1.0, 0.75, 0.5}), Box({0.5, 0.75, 1.0})},
      {"ellipsoid_ellipsoid", Ellipsoid({0.5, 0.375, 0.25}), Ellipsoid({0.25, 0.5, 0.375})},
      {"box_cylinder", Box({0.75, 0.75, 0.5}), Cylinder(0.25, 1.0)},
      {"drilled_sphere", drilled, Sphere(0.5)},
      {"union_box", Union({Sphere(0.375), Capsule(0.125, 1.0).Posed(off)}), Box({0.5, 0.5, 0.75})},
  };
}

std::vector<Pose> Poses(int count) {
  Random random(kSeed);
  std::vector<Pose> poses;
  for (int i = 0; i < count; ++i) {
    const double reach = random.Uniform(0.1, 1.0);
    poses.push_back(random.PoseAt(reach * random.UnitVector()));
  }
  return poses;
}

class Prepared : public ::testing::TestWithParam<NamedPair> {};

TEST_P(Prepared, AgreesWithASingleQuery) {
  const NamedPair& pair = GetParam();
  const PreparedPair prepared(pair.A, pair.B);
  int overlaps = 0;
  for (const Pose& pose : Poses(4)) {
    const Metrics single = Query(pair.A, pair.B.Posed(pose));
    const Metrics query = prepared.QueryRelative(pose);
    if (!query.overlap) {
      EXPECT_FALSE(single.overlap);
      continue;
    }
    ++overlaps;
    ExpectMetrics(query, TruthFrom(single, 1e-6), 1e-6);
  }
  EXPECT_GE(overlaps, 1);
}

TEST_P(Prepared, QueriesOfOnePoseAreEqualBitByBit) {
  const NamedPair& pair = GetParam();
  const PreparedPair prepared(pair.A, pair.B);
  const std::vector<Pose> poses = Poses(6);
  for (const double tolerance : {1e-3, 1e-7}) {
    QueryOptions options;
    options.tolerance = tolerance;
    options.hessian = true;
    std::vector<Metrics> expected;
    for (const Pose& pose : poses) expected.push_back(prepared.QueryRelative(pose, options));
    // Again after other queries, which leave their traces in the scratch memory; from a fresh pair;
    // and with A's pose given.
    for (std::size_t i = poses.size(); i-- > 0;) {
      SCOPED_TRACE(i);
      EXPECT_TRUE(BitwiseEqual(prepared.QueryRelative(poses[i], options), expected[i]))
          << "repeated";
      EXPECT_TRUE(
          BitwiseEqual(PreparedPair(pair.A, pair.B).QueryRelative(poses[i], options), expected[i]))
          << "from a fresh pair";
      EXPECT_TRUE(BitwiseEqual(prepared.Query(Pose{}, poses[i], options), expected[i]))
          << "with two poses";
    }
  }
}

TEST_P(Prepared, ThreadsChangeNoBit) {
  const NamedPair& pair = GetParam();
  const PreparedPair prepared(pair.A, pair.B);
  for (const Method method : {Method::kAuto, Method::kBoundary}) {
    for (const double tolerance : {1e-3, 1e-7}) {
      for (const Pose& pose : Poses(3)) {
        QueryOptions options;
        options.method = method;
        options.tolerance = tolerance;
        options.hessian = true;
        const Metrics expected = prepared.QueryRelative(pose, options);
        for (const int threads : {2, 4, 8}) {
          SCOPED_TRACE(::testing::Message() << MethodName(method) << " threads " << threads);
          options.threads = threads;
          EXPECT_TRUE(BitwiseEqual(prepared.QueryRelative(pose, options), expected));
        }
      }
    }
  }
}

TEST_P(Prepared, BatchesEqualSingleQueries) {
  const NamedPair& pair = GetParam();
  const PreparedPair prepared(pair.A, pair.B);
  const std::vector<Pose> poses = Poses(17);
  for (const int threads : {1, 2, 4, 8}) {
    QueryOptions options;
    options.threads = threads;
    const std::vector<Metrics> batch = prepared.QueryRelativeBatch(poses, options);
    ASSERT_EQ(batch.size(), poses.size());
    for (std::size_t i = 0; i < poses.size(); ++i) {
      SCOPED_TRACE(::testing::Message() << "threads " << threads << ", pose " << i);
      EXPECT_TRUE(BitwiseEqual(batch[i], prepared.QueryRelative(poses[i])));
    }
  }
  EXPECT_TRUE(prepared.QueryRelativeBatch({}).empty());
}

TEST_P(Prepared, TakenOneByOneEqualSingleQueries) {
  const NamedPair& pair = GetParam();
  const PreparedPair prepared(pair.A, pair.B);
  const std::vector<Pose> A = Poses(9), B(A.rbegin(), A.rend());
  for (const int threads : {1, 4}) {
    QueryOptions options;
    options.threads = threads;
    std::vector<Metrics> taken(A.size());
    prepared.QueryEach(A.size(), A.data(), B.data(), options,
                       [&](std::size_t i, const Metrics& metrics) { taken[i] = metrics; });
    for (std::size_t i = 0; i < A.size(); ++i) {
      SCOPED_TRACE(::testing::Message() << "threads " << threads << ", pose " << i);
      EXPECT_TRUE(BitwiseEqual(taken[i], prepared.Query(A[i], B[i])));
    }
  }
}

TEST_P(Prepared, ManyThreadsMayQueryOnePair) {
  const NamedPair& pair = GetParam();
  const PreparedPair prepared(pair.A, pair.B);
  const std::vector<Pose> poses = Poses(8);
  std::vector<Metrics> expected;
  for (const Pose& pose : poses) expected.push_back(prepared.QueryRelative(pose));
  constexpr int kThreads = 8;
  std::vector<std::vector<Metrics>> found(kThreads, std::vector<Metrics>(poses.size()));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < poses.size(); ++i) {
          const std::size_t k = (i + static_cast<std::size_t>(t)) % poses.size();
          found[t][k] = prepared.QueryRelative(poses[k]);
        }
      });
    }
  }
  for (int t = 0; t < kThreads; ++t) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      EXPECT_TRUE(BitwiseEqual(found[t][i], expected[i])) << "thread " << t << ", pose " << i;
    }
  }
}

std::string PairName(const ::testing::TestParamInfo<NamedPair>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Ways, Prepared, ::testing::ValuesIn(Pairs()), PairName);

// The message of the exception, or "" without one.
std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

std::string MessageOfQuery(const std::function<void(QueryOptions*)>& change) {
  QueryOptions options;
  change(&options);
  const Solid box = Box({1.0, 1.0, 1.0});
  return MessageOf([&] { Query(Torus(1.0, 0.25), box, options); });
}

TEST(Options, InvalidOnesAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double tolerance : {0.0, 1e-14, 1.0, 2.0, -1e-6, nan}) {
    EXPECT_NE(MessageOfQuery([&](QueryOptions* o) { o->tolerance = tolerance; }).find("tolerance"),
              std::string::npos)
        << tolerance;
  }
  const std::vector<std::pair<std::string, std::function<void(QueryOptions*)>>> invalid = {
      {"threads", [](QueryOptions* o) { o->threads = 0; }},
      {"max_cells", [](QueryOptions* o) { o->max_cells = 0; }},
      {"voxel_size", [](QueryOptions* o) { o->method = Method::kVoxel; }},
      {"previous_normal", [&](QueryOptions* o) { o->previous_normal_W.x() = nan; }},
      {"closed_form", [](QueryOptions* o) { o->method = Method::kClosedForm; }},
  };
  for (const auto& [name, change] : invalid) {
    const std::string message = MessageOfQuery(change);
    EXPECT_NE(message.find(name), std::string::npos) << name << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(Options, InvalidPosesAreNamed) {
  const PreparedPair prepared(Sphere(1.0), Sphere(1.0));
  Pose bad;
  bad.q = {1.0, 0.1, 0.0, 0.0};
  const std::vector<Pose> batch = {Pose{}, bad};
  EXPECT_NE(MessageOf([&] { prepared.Query(bad, Pose{}); }).find("pose of A"), std::string::npos);
  EXPECT_NE(MessageOf([&] { prepared.Query(Pose{}, bad); }).find("pose of B"), std::string::npos);
  EXPECT_NE(MessageOf([&] { prepared.QueryRelativeBatch(batch); }).find("pose 1"),
            std::string::npos);
  const std::string taken = MessageOf([&] {
    prepared.QueryEach(2, batch.data(), batch.data(), {}, [](std::size_t, const Metrics&) {});
  });
  EXPECT_NE(taken.find("query 1 of the batch: pose of A"), std::string::npos) << taken;
  EXPECT_NE(MessageOf([&] { prepared.Overlaps(bad, Pose{}); }).find("pose of A"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] { prepared.DistanceBound(Pose{}, bad); }).find("pose of B"),
            std::string::npos);
}

TEST(Options, AreReportedBack) {
  QueryOptions options;
  options.tolerance = 1e-4;
  options.threads = 2;
  const Metrics metrics = Query(Sphere(1.0), HalfSpace(), options);
  EXPECT_EQ(metrics.tolerance, 1e-4);
  EXPECT_EQ(metrics.stats.threads, 2);
  EXPECT_GE(metrics.stats.seconds, 0.0);
  EXPECT_EQ(MethodName(metrics.method), "closed_form");
  EXPECT_TRUE(metrics.warnings.empty());
}

// With a previous normal of an ambiguous overlap (equal boxes crossed), the side is kept.
TEST(Options, PreviousNormalDecidesTheSideOfASymmetricOverlap) {
  const Solid plate = Box({2.0, 2.0, 0.25}), rod = Box({0.5, 0.5, 3.0});
  for (const double side : {1.0, -1.0}) {
    QueryOptions options;
    options.previous_normal_W = side * Vector3d::UnitZ();
    EXPECT_GT(side * Query(plate, rod, options).normal_W.z(), 0.9);
  }
}

TEST(PreparedPair, ThatWasMovedFromSaysSo) {
  PreparedPair pair(Sphere(0.1), HalfSpace());
  PreparedPair other(std::move(pair));
  const QueryOptions options;
  const std::vector<std::function<void()>> uses = {
      [&] { pair.Query(Pose(), Pose()); },
      [&] { pair.QueryRelative(Pose()); },
      [&] { pair.QueryPatches(Pose(), Pose()); },
      [&] { pair.QueryRelativeBatch({Pose()}, options); },
      [&] {
        pair.QueryBatch({{Pose(), Pose()}}, options);
      },
      [&] { pair.SampleVolume(Pose(), Pose()); },
      [&] { pair.Overlaps(Pose(), Pose()); },
      [&] { pair.Separate(Pose(), Pose()); },
      [&] { pair.DistanceBound(Pose(), Pose()); },
      [&] { pair.EventFunction(Pose(), Pose()); }};
  for (std::size_t i = 0; i < uses.size(); ++i) {
    EXPECT_THROW(uses[i](), InvalidInput) << i;
  }
  EXPECT_TRUE(other.Query(Pose(), Pose()).overlap);
  pair = PreparedPair(Sphere(0.2), HalfSpace());
  EXPECT_TRUE(pair.Query(Pose(), Pose()).overlap);
}

}  // namespace
}  // namespace volcontact::testing
