#include "volcontact/contact/cell_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/contact/cells.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::cell_contacts_test {
namespace {

using Eigen::Vector3d;
using testing::Random;

Solid BoxAt(const Vector3d& min, const Vector3d& max) {
  return Box(max - min).Posed({0.5 * (min + max)});
}

// An L of unit thickness in [0, 3] × [0, 3], its arms one wide, cut in several ways.
std::vector<Solid> CutsOfAnL() {
  const Vector3d o = Vector3d::Zero();
  return {
      Union({BoxAt(o, {3, 1, 1}), BoxAt({0, 1, 0}, {1, 3, 1})}),
      Union({BoxAt({1, 0, 0}, {3, 1, 1}), BoxAt(o, {1, 3, 1})}),
      Union({BoxAt(o, {1, 1, 1}), BoxAt({1, 0, 0}, {3, 1, 1}), BoxAt({0, 1, 0}, {1, 3, 1})}),
      // Overlapping arms: the corner must not count twice.
      Union({BoxAt(o, {3, 1, 1}), BoxAt(o, {1, 3, 1})}),
      Union({BoxAt(o, {2, 1, 1}), BoxAt({1, 0, 0}, {3, 1, 1}), BoxAt(o, {1, 3, 1})}),
      Difference(BoxAt(o, {3, 3, 1}), {BoxAt({1, 1, -1}, {4, 4, 2})}),
  };
}

struct Totals {
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Vector3d area_vector = Vector3d::Zero();
};

Totals Sum(const std::vector<CellContact>& contacts) {
  Totals totals;
  for (const auto& [cells, metrics] : contacts) {
    EXPECT_TRUE(metrics.converged);
    totals.volume += metrics.volume;
    totals.first += metrics.volume * metrics.centroid_W;
    totals.area_vector += metrics.area_vector_W;
  }
  return totals;
}

void ExpectEqual(const Totals& actual, const Totals& expected) {
  constexpr double kTolerance = 1e-6;
  EXPECT_NEAR(actual.volume, expected.volume, kTolerance * expected.volume);
  EXPECT_LT((actual.first - expected.first).norm(), kTolerance * expected.first.norm());
  EXPECT_LT((actual.area_vector - expected.area_vector).norm(),
            kTolerance * std::pow(expected.volume, 2.0 / 3.0));
}

// Returns the number of contacts of the first cut.
std::size_t ExpectSameTotals(const std::vector<Solid>& cuts, const Solid& other, const Pose& X_WA,
                             const Pose& X_WB) {
  QueryOptions options;
  options.tolerance = 1e-7;
  const std::vector<CellContact> first = CellContacts(cuts[0], other).Find(X_WA, X_WB, options);
  const Totals expected = Sum(first);
  EXPECT_GT(expected.volume, 0.0);
  for (const Solid& cut : cuts) {
    SCOPED_TRACE(&cut - cuts.data());
    ExpectEqual(Sum(CellContacts(cut, other).Find(X_WA, X_WB, options)), expected);
    // And as the other body: the area vector is reversed.
    Totals reversed = Sum(CellContacts(other, cut).Find(X_WB, X_WA, options));
    reversed.area_vector = -reversed.area_vector;
    ExpectEqual(reversed, expected);
  }
  return first.size();
}

TEST(CellContacts, AddUpHoweverABodyIsCut) {
  Random random(11);
  const Pose X_WA = random.PoseAt({0.4, -0.7, 0.2});
  // In the inner corner, in the outer one, across a joint.
  const std::vector<Vector3d> places = {{1.2, 1.3, 0.6}, {-0.1, 0.2, 0.7}, {0.7, 1.1, 1.3}};
  std::size_t most = 0;
  for (const Vector3d& place : places) {
    const Pose X_WB = Compose(X_WA, random.PoseAt(place));
    most = std::max(most, ExpectSameTotals(CutsOfAnL(), Sphere(0.6), X_WA, X_WB));
    ExpectSameTotals(CutsOfAnL(), Ellipsoid({0.5, 0.7, 0.6}), X_WA, X_WB);
  }
  EXPECT_EQ(most, 2u);
}

TEST(CellContacts, AddUpWhereBothBodiesAreCut) {
  Random random(12);
  const Pose X_WA = random.PoseAt({0.4, -0.7, 0.2});
  const Pose X_WB = Compose(X_WA, testing::AxisAngle({1.0, 0.3, -0.2}, 0.7, {0.5, 0.6, 0.4}));
  const Solid dumbbell = Union({Sphere(0.5), Sphere(0.4).Posed({{0.6, 0, 0}})});
  EXPECT_GT(ExpectSameTotals(CutsOfAnL(), dumbbell, X_WA, X_WB), 2u);
}

TEST(CellContacts, FindWhatQueriesOfAllPairsFind) {
  Random random(13);
  std::vector<Solid> cells_A, cells_B;
  for (int i = 0; i < 4; ++i) {
    cells_A.push_back(Box({0.5, 0.7, 0.9}).Posed(random.PoseAt({1.2 * i, 0, 0})));
    cells_B.push_back(Sphere(0.4).Posed({{0, 1.0 * i, 0}}));
  }
  cells_B.push_back(HalfSpace().Posed(testing::AxisAngle({1, 1, 0}, 0.3, {0, 0, -2})));
  const CellContacts contacts(cells_A, cells_B);
  EXPECT_EQ(contacts.NumCellsA(), 4);
  EXPECT_EQ(contacts.NumCellsB(), 5);
  std::size_t found = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Pose X_WA = random.PoseAt(random.UniformVector(-1.0, 1.0));
    const Pose X_WB = random.PoseAt(random.UniformVector(-1.0, 1.0));
    std::vector<CellContact> expected;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 5; ++b) {
        const Metrics metrics = PreparedPair(cells_A[a], cells_B[b]).Query(X_WA, X_WB);
        if (metrics.overlap) expected.push_back({{a, b}, metrics});
      }
    }
    const std::vector<CellContact> actual = contacts.Find(X_WA, X_WB);
    ASSERT_EQ(PairsOf(actual), PairsOf(expected));
    for (std::size_t i = 0; i < actual.size(); ++i) {
      EXPECT_TRUE(testing::BitwiseEqual(actual[i].metrics, expected[i].metrics));
    }
    found += actual.size();
  }
  EXPECT_GT(found, 20u);
}

TEST(CellContacts, StartFromThePreviousNormalOfTheSamePair) {
  const Solid A = CutsOfAnL()[0], B = Ellipsoid({0.5, 0.7, 0.6});
  const CellContacts contacts(A, B);
  const Pose before = {{1.2, 1.3, 0.6}}, now = {{1.21, 1.28, 0.62}};
  const std::vector<CellContact> previous = contacts.Find({}, before);
  const std::vector<CellContact> current = contacts.Find({}, now, {}, previous);
  ASSERT_EQ(previous.size(), 2u);
  ASSERT_EQ(current.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    QueryOptions options;
    options.previous_normal_W = previous[i].metrics.normal_W;
    const Metrics expected = PreparedPair(DisjointCells(A)[i], B).Query({}, now, options);
    EXPECT_TRUE(testing::BitwiseEqual(current[i].metrics, expected));
  }
}

// A ball that rolls along a beam of two boxes, from one over the joint to the other and off it.
TEST(CellContacts, ComeAndGoAsABallCrossesAJoint) {
  const Solid beam = Union({BoxAt({0, -1, -1}, {2, 1, 0}), BoxAt({2, -1, -1}, {4, 1, 0})});
  const CellContacts contacts(Sphere(0.5), beam);
  // Half the chord of the ball in the surface, at a depth of 0.1.
  const double reach = std::sqrt(0.25 - 0.16);
  std::vector<CellPair> previous;
  std::vector<std::pair<char, int>> events;  // come or gone, which box
  for (int i = 0; i <= 600; ++i) {
    const double x = -1.0 + 0.01 * i + 0.0037;
    const std::vector<CellPair> current = PairsOf(contacts.Find({{x, 0.0, 0.4}}, {}));
    const CellPairChanges changes = Compare(previous, current);
    for (const CellPair& pair : changes.created) {
      EXPECT_NEAR(x, 2.0 * pair.b - reach, 0.011);
      events.emplace_back('+', pair.b);
    }
    for (const CellPair& pair : changes.lost) {
      EXPECT_NEAR(x, 2.0 * pair.b + 2.0 + reach, 0.011);
      events.emplace_back('-', pair.b);
    }
    EXPECT_EQ(changes.kept.size() + changes.created.size(), current.size());
    previous = current;
  }
  EXPECT_EQ(events, (std::vector<std::pair<char, int>>{{'+', 0}, {'+', 1}, {'-', 0}, {'-', 1}}));
}

TEST(CellContacts, RefuseAnEmptyListAndBadPoses) {
  const std::vector<Solid> none, one = {Sphere(1.0)};
  EXPECT_THROW(CellContacts(none, one), InvalidInput);
  EXPECT_THROW(CellContacts(one, none), InvalidInput);
  const Pose bad = {Vector3d::Zero(), {2.0, 0.0, 0.0, 0.0}};
  EXPECT_THROW(CellContacts(one, one).Find(bad, {}), InvalidInput);
  EXPECT_THROW(CellContacts(one, one).Find({}, bad), InvalidInput);
}

TEST(CellPairs, CompareAsSets) {
  using Pairs = std::vector<CellPair>;
  const Pairs previous = {{0, 1}, {0, 2}, {3, 0}}, current = {{0, 0}, {0, 2}, {1, 5}, {3, 0}};
  const CellPairChanges changes = Compare(previous, current);
  EXPECT_EQ(changes.created, (Pairs{{0, 0}, {1, 5}}));
  EXPECT_EQ(changes.kept, (Pairs{{0, 2}, {3, 0}}));
  EXPECT_EQ(changes.lost, (Pairs{{0, 1}}));
  EXPECT_EQ(Compare(Pairs{}, current).created, current);
  EXPECT_EQ(Compare(previous, Pairs{}).lost, previous);
  EXPECT_EQ(Compare(current, current).kept, current);
}

TEST(CellPairs, MustAscend) {
  using Pairs = std::vector<CellPair>;
  const Pairs good = {{0, 1}, {0, 2}}, repeated = {{0, 1}, {0, 1}}, falling = {{1, 0}, {0, 2}};
  EXPECT_THROW(Compare(repeated, good), InvalidInput);
  EXPECT_THROW(Compare(good, repeated), InvalidInput);
  try {
    Compare(good, falling);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("current the pair (0, 2) follows (1, 0)"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace volcontact::cell_contacts_test
