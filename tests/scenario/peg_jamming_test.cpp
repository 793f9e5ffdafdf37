// The scenario peg_jamming against statics of its own: contact points by geometry, forces on the
// edges of their friction cones by least squares in the world's axes.
#include <Eigen/LU>

#include "scenario/scenarios.h"
#include "support/paths.h"

namespace volcontact::scenario::testing {
namespace {

using Eigen::Vector2d;

constexpr double kPeg = 0.00999, kHole = 0.01, kMu = 0.2, kPush = 45.0;  // radii [m], –, [N]

ScenarioFile Jamming() {
  return ReadScenarioFile(std::string(volcontact::DataFolder()) + "/scenarios/peg_jamming.json");
}

// A peg in the plane (x, z), tilted toward +x, or with `side` −1 toward −x.
struct Askew {
  double side, tilt;
  Vector2d tip, flank_normal, edge, corner;
};

Askew AskewOf(const Json& document) {
  const Json& q = document["bodies"][0]["coordinates"];
  const double tilt = q[0];
  Askew peg;
  peg.side = tilt < 0.0 ? -1.0 : 1.0;
  peg.tilt = std::fabs(tilt);
  peg.tip = {q[1].get<double>(), -q[2].get<double>()};
  const Vector2d across(std::cos(tilt), -std::sin(tilt));
  peg.flank_normal = peg.side * across;
  peg.edge = {peg.side * kHole, 0.0};
  peg.corner = peg.tip - kPeg * peg.flank_normal;
  return peg;
}

double Moment(const Vector2d& arm, const Vector2d& force) {
  return arm.y() * force.x() - arm.x() * force.y();  // about +y
}

// The balance of two normal forces with full friction against the load of a variant.
struct Balance {
  Vector2d normal_forces;
  double residual;
};

Balance SlidingIn(const Askew& peg, const Json& load) {
  const Vector2d along(peg.side * std::sin(peg.tilt), std::cos(peg.tilt));
  const Vector2d at_edge = -peg.flank_normal + kMu * along;
  const Vector2d at_tip(peg.side, kMu);
  Eigen::Matrix<double, 3, 2> columns;
  columns << at_edge, at_tip, Moment(peg.edge - peg.tip, at_edge),
      Moment(peg.corner - peg.tip, at_tip);
  const Vector3d applied(load["force"][0], -kPush, load["torque"][1]);
  const Eigen::Matrix<double, 3, 2> scaled = Vector3d(1.0, 1.0, 1.0 / kPeg).asDiagonal() * columns;
  const Vector3d wanted = -Vector3d(applied[0], applied[1], applied[2] / kPeg);
  Balance balance;
  balance.normal_forces =
      Eigen::Matrix2d(scaled.transpose() * scaled).inverse() * (scaled.transpose() * wanted);
  balance.residual = (scaled * balance.normal_forces - wanted).norm();
  return balance;
}

TEST(PegJamming, LoadsOfTheLimitsAreThoseOfFullFrictionAtBothPoints) {
  int limits = 0;
  for (const ScenarioVariant& variant : Jamming().variants) {
    SCOPED_TRACE(variant.name);
    const Json document = Json::parse(variant.document);
    const Json& load = document["loads"][1];
    if (variant.name == "one_wall") {
      EXPECT_NEAR(kMu * std::fabs(load["force"][0].get<double>()), kPush, 1e-6);
      continue;
    }
    const Askew peg = AskewOf(document);
    // Two points of contact, without an overlap.
    EXPECT_NEAR(peg.corner.x(), -peg.side * kHole, 1e-14);
    EXPECT_NEAR((peg.edge - peg.tip).dot(peg.flank_normal), kPeg, 1e-14);
    const double depth = (peg.edge - peg.corner - 2.0 * kPeg * peg.flank_normal).norm();
    if (variant.name.find("wedged") != std::string::npos) {
      EXPECT_LT(depth, kMu * 2.0 * kPeg);
    } else if (variant.name == "free_near_limit") {
      EXPECT_GT(depth, kMu * 2.0 * kPeg);
    } else {
      const Balance balance = SlidingIn(peg, load);
      EXPECT_GT(balance.normal_forces.minCoeff(), 0.0);
      EXPECT_LT(balance.residual, 1e-6);
      ++limits;
    }
  }
  EXPECT_EQ(limits, 10);
}

class PegJammingRun : public ::testing::TestWithParam<const char*> {};

TEST_P(PegJammingRun, AgreesWithTheClosedForm) {
  const ScenarioFile file = Jamming();
  for (const ScenarioVariant& variant : file.variants) {
    if (variant.name != GetParam()) continue;
    Simulator simulator(ReadScenario(file, variant));
    TimeSeries series;
    series.names = simulator.column_names();
    series.columns.resize(series.names.size());
    const double end = Json::parse(variant.document)["end_time"];
    const int outputs = static_cast<int>(std::lround(end / 1e-4));
    for (int i = 0; i <= outputs; ++i) {
      if (i > 0) simulator.AdvanceTo(end * i / outputs);
      const std::vector<double> row = simulator.Row();
      for (std::size_t j = 0; j < row.size(); ++j) series.columns[j].push_back(row[j]);
    }
    const std::vector<MeasureResult> results = TakeMeasures(file.measures, variant.name, series);
    EXPECT_GE(results.size(), 2u);
    for (const MeasureResult& result : results) {
      EXPECT_TRUE(result.agrees()) << result.spec->name << ": " << result.value;
    }
    return;
  }
  FAIL() << "no such variant";
}

INSTANTIATE_TEST_SUITE_P(Variants, PegJammingRun,
                         ::testing::Values("goes_in", "jams", "moment_6_mm", "side_force", "wedged",
                                           "free_near_limit"));

}  // namespace
}  // namespace volcontact::scenario::testing
