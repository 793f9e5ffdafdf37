// Fits whose parts are clear of each other: the bound of the distance, and what queries say.
#include "support/clear_fits.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/samples.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing::clear_fits_test {
namespace {

constexpr std::uint32_t kSeed = 11;
// The promise, and roundings: of the truth, and of coordinates of some metres.
constexpr double kPromised = 0.9, kTruthRounding = 1e-7, kRounding = 1e-13;

class ClearFits : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Families, ClearFits,
                         ::testing::Values("shaft_in_bore", "shaft_within_bore", "ball_in_socket",
                                           "cone_in_seat", "ring_in_groove", "ring_on_shaft",
                                           "ring_in_bore", "ball_in_race", "key", "dovetail",
                                           "stepped_pin", "ellipsoid_in_mould"),
                         [](const auto& family) { return std::string(family.param); });

std::vector<ClearFit> FitsOf(const std::string& family) {
  static const std::vector<ClearFit> all = MakeClearFits(Samples(4, 60), kSeed);
  std::vector<ClearFit> fits;
  for (const ClearFit& fit : all) {
    if (fit.family == family) fits.push_back(fit);
  }
  return fits;
}

void ExpectNear(double bound, double truth) {
  EXPECT_LE(bound, truth * (1.0 + kTruthRounding) + kRounding);
  EXPECT_GE(bound, kPromised * truth - kRounding);
}

TEST_P(ClearFits, HaveTheirDistanceInAnyOrder) {
  for (const ClearFit& fit : FitsOf(GetParam())) {
    SCOPED_TRACE(fit.id);
    const Separation apart = PreparedPair(fit.A, fit.B).Separate(fit.X_WA, Pose());
    ExpectNear(apart.distance_bound, fit.distance);
    ASSERT_TRUE(apart.nearest_W);
    const auto& [p, q] = *apart.nearest_W;
    EXPECT_GE((p - q).norm(), fit.distance * (1.0 - kTruthRounding) - kRounding);
    ExpectNear(PreparedPair(fit.B, fit.A).DistanceBound(Pose(), fit.X_WA), fit.distance);
  }
}

TEST_P(ClearFits, AreKnownNotToOverlap) {
  for (const ClearFit& fit : FitsOf(GetParam())) {
    SCOPED_TRACE(fit.id);
    const PreparedPair pair(fit.A, fit.B);
    EXPECT_EQ(pair.Overlaps(fit.X_WA, Pose()), OverlapProof::kSeparated);
    const Metrics metrics = pair.Query(fit.X_WA, Pose());
    EXPECT_FALSE(metrics.overlap);
    EXPECT_TRUE(metrics.converged);
    ASSERT_TRUE(metrics.distance);
    ExpectNear(*metrics.distance, fit.distance);
  }
}

// A part moved into the wall by a little more than its distance has none: the bound may not hold.
TEST_P(ClearFits, HaveNoDistanceWhenMovedIntoEachOther) {
  for (const ClearFit& fit : FitsOf(GetParam())) {
    SCOPED_TRACE(fit.id);
    const PreparedPair pair(fit.A, fit.B);
    const Separation apart = pair.Separate(fit.X_WA, Pose());
    ASSERT_TRUE(apart.nearest_W);
    const auto& [p, q] = *apart.nearest_W;
    Pose pressed = fit.X_WA;
    pressed.t += 1.01 * (q - p);
    EXPECT_EQ(pair.DistanceBound(pressed, Pose()), 0.0);
    for (const double part : {0.5, 0.9, 0.99}) {
      Pose near = fit.X_WA;
      near.t += part * (q - p);
      EXPECT_LE(pair.DistanceBound(near, Pose()), (1.0 - part) * (q - p).norm() + kRounding);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::clear_fits_test
