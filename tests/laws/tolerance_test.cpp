// What a tolerance promises: errors, brackets, and what happens at its limits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing {
namespace {

constexpr std::uint64_t kSeed = 31415926;
constexpr double kTight = 1e-11;

class Tolerance : public ::testing::TestWithParam<KindPair> {};

TEST_P(Tolerance, BoundsErrorsAndBrackets) {
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  const PreparedPair prepared(pair.A, pair.B);
  QueryOptions options;
  options.method = Method::kBoundary;
  options.tolerance = kTight;
  const Metrics tight = prepared.Query(pair.X_WA, pair.X_WB, options);
  ASSERT_TRUE(tight.overlap);
  EXPECT_TRUE(tight.converged);
  for (const double tolerance : {0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    SCOPED_TRACE(tolerance);
    options.tolerance = tolerance;
    const Metrics metrics = prepared.Query(pair.X_WA, pair.X_WB, options);
    ExpectMetrics(metrics, TruthFrom(tight, kTight), tolerance);
  }
}

TEST_P(Tolerance, ColumnsHaveABracket) {
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  QueryOptions options;
  options.method = Method::kColumns;
  const Metrics metrics = PreparedPair(pair.A, pair.B).Query(pair.X_WA, pair.X_WB, options);
  ASSERT_TRUE(metrics.volume_bounds);
  ExpectConsistent(metrics);
  options.method = Method::kBoundary;
  options.tolerance = kTight;
  const Metrics tight = PreparedPair(pair.A, pair.B).Query(pair.X_WA, pair.X_WB, options);
  EXPECT_LE((*metrics.volume_bounds)[0], tight.volume * (1.0 + kTight));
  EXPECT_GE((*metrics.volume_bounds)[1], tight.volume * (1.0 - kTight));
}

// Rounding is reached, or lack of convergence is reported; nothing is thrown, nothing hangs.
TEST_P(Tolerance, AtTheLimitOfDoublesIsHonest) {
  const SolidPair pair = RandomPair(GetParam(), kSeed);
  const PreparedPair prepared(pair.A, pair.B);
  QueryOptions options;
  options.max_cells = 20'000;
  options.tolerance = 1e-9;
  const Metrics reference = prepared.Query(pair.X_WA, pair.X_WB, options);
  options.tolerance = 1e-13;
  const Metrics metrics = prepared.Query(pair.X_WA, pair.X_WB, options);
  const double allowed = metrics.converged ? 1e-13 * metrics.volume : metrics.volume_error;
  EXPECT_LE(std::abs(metrics.volume - reference.volume),
            10.0 * allowed +
                (reference.converged ? 1e-9 * reference.volume : 10.0 * reference.volume_error));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Tolerance, ::testing::ValuesIn(KindPairs()), KindPairName);

}  // namespace
}  // namespace volcontact::testing
