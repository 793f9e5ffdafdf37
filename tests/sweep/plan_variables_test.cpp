// What is drawn: against closed forms, other implementations' points, and itself in other pieces.
#include <Eigen/Geometry>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "sweep/plan_files.h"
#include "sweep/quasi_random.h"

namespace volcontact::sweep {
namespace {

using nlohmann::json;

bool SameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

json AllKinds() {
  json document =
      TwoBalls({{"rows", 300},
                {"seed", 11},
                {"variables",
                 {{"x", {{"uniform", {-0.1, 0.1}}, {"unit", "m"}}},
                  {"y", {{"normal", {{"sd", 0.01}, {"within", {-0.02, 0.03}}}}}},
                  {"k", {{"log_uniform", {1e3, 1e9}}}},
                  {"c", {{"choice", {0.1, 0.2, 0.4}}, {"weights", {1, 2, 1}}}},
                  {"R", {{"rotation", "uniform"}}}}},
                {"derived", {{"r", "hypot(x, y)"}, {"twice", {{"value", "2*r"}, {"unit", "m"}}}}}});
  document["run"]["query"]["pose_a"] = {{"t", {"x", "y", 0.15}}, {"q", "R"}};
  return document;
}

TEST(PlanVariables, RowsDependOnTheirNumberAlone) {
  const PlanFolder folder;
  for (const char* sampling : {"random", "sobol"}) {
    json document = AllKinds();
    document["over"]["sampling"] = sampling;
    const Plan whole = folder.Read(document);
    ASSERT_EQ(whole.chunks(), 1u);
    const ChunkRows expected = AllRows(whole);
    const ChunkRows threaded = AllRows(whole, 3);
    document["chunk"] = 7;
    const Plan cut = folder.Read(document);
    ASSERT_EQ(cut.chunks(), 43u);
    const ChunkRows pieces = AllRows(cut, 2);
    // Any chunk alone, too.
    const auto last = cut.Run(42, 1);
    for (std::size_t i = 0; i < expected.columns.size(); ++i) {
      EXPECT_TRUE(SameBits(expected.columns[i], threaded.columns[i])) << whole.columns()[i].name;
      EXPECT_TRUE(SameBits(expected.columns[i], pieces.columns[i])) << whole.columns()[i].name;
      EXPECT_TRUE(
          SameBits(last->columns[i], {expected.columns[i].end() - 6, expected.columns[i].end()}));
    }
    // A variable more changes nothing of the others, which are drawn by their names.
    if (sampling == std::string("random")) {
      document["over"]["variables"]["another"] = {{"uniform", {0, 1}}};
      const Plan more = folder.Read(document);
      EXPECT_TRUE(SameBits(ColumnOf(more, AllRows(more), "x"), ColumnOf(whole, expected, "x")));
    }
    document["over"]["seed"] = 12;
    const Plan other = folder.Read(document);
    EXPECT_FALSE(SameBits(ColumnOf(other, AllRows(other), "x"), ColumnOf(whole, expected, "x")));
  }
}

// Mean and variance within five standard errors; the fourth moment bounds that of the variance.
void ExpectMoments(const std::vector<double>& x, double mean, double variance, double kurtosis) {
  const auto n = static_cast<double>(x.size());
  const double m = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double v = 0.0;
  for (const double value : x) v += (value - mean) * (value - mean) / n;
  EXPECT_NEAR(m, mean, 5.0 * std::sqrt(variance / n));
  EXPECT_NEAR(v, variance, 5.0 * variance * std::sqrt((kurtosis - 1.0) / n));
}

double NormalDensity(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2.0 * M_PI); }
double NormalBelow(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

TEST(PlanVariables, HaveTheMomentsOfTheirDistributions) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 20000},
                            {"variables",
                             {{"u", {{"uniform", {-1, 3}}}},
                              {"l", {{"log_uniform", {1, 100}}}},
                              {"n", {{"normal", {{"mean", 2}, {"sd", 0.5}}}}},
                              {"t", {{"normal", {{"sd", 2}, {"within", {-1, 3}}}}}},
                              {"tail", {{"normal", {{"within", {5, 6}}, {"sd", 1}}}}},
                              {"lower", {{"normal", {{"within", {-6, -5}}, {"sd", 1}}}}},
                              {"c", {{"choice", {1, 2, 5}}, {"weights", {1, 2, 1}}}},
                              {"R", {{"rotation", "uniform"}}}}}});
  document["run"]["query"]["pose_a"] = {{"t", {10, 0, 0}}};
  document["run"]["query"]["options"] = {{"bound_distance", false}};
  document["keep"] = {"u", "l", "n", "t", "tail", "lower", "c", "R.qw", "R.qx", "R.qy", "R.qz"};
  const Plan plan = folder.Read(document);
  const ChunkRows rows = AllRows(plan);
  const auto column = [&](const char* name) { return ColumnOf(plan, rows, name); };
  ExpectMoments(column("u"), 1.0, 16.0 / 12.0, 1.8);
  std::vector<double> logs = column("l");
  for (double& value : logs) value = std::log10(value);
  ExpectMoments(logs, 1.0, 4.0 / 12.0, 1.8);
  ExpectMoments(column("n"), 2.0, 0.25, 3.0);
  // Truncated between a and b standard deviations.
  const auto truncated = [](double a, double b) {
    const double share = NormalBelow(b) - NormalBelow(a);
    const double mean = (NormalDensity(a) - NormalDensity(b)) / share;
    const double variance =
        1.0 + (a * NormalDensity(a) - b * NormalDensity(b)) / share - mean * mean;
    return std::array<double, 2>{mean, variance};
  };
  const auto inner = truncated(-0.5, 1.5);
  ExpectMoments(column("t"), 2.0 * inner[0], 4.0 * inner[1], 3.0);
  const auto tail = truncated(-6.0, -5.0);
  ExpectMoments(column("lower"), tail[0], tail[1], 9.0);
  ExpectMoments(column("tail"), -tail[0], tail[1], 9.0);
  ExpectMoments(column("c"), 2.5, 0.25 * 2.25 + 0.5 * 0.25 + 0.25 * 6.25, 3.0);
  const auto [low, high] = std::minmax_element(rows.columns[3].begin(), rows.columns[3].end());
  EXPECT_GE(*low, -1.0);
  EXPECT_LE(*high, 3.0);
  // Uniform rotations: every coordinate of the quaternion has variance 1/4, and kurtosis 2.
  const auto w = column("R.qw"), x = column("R.qx"), y = column("R.qy"), z = column("R.qz");
  std::vector<double> turned(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const Eigen::Quaterniond q(w[i], x[i], y[i], z[i]);
    ASSERT_NEAR(q.norm(), 1.0, 1e-15);
    turned[i] = (q * Eigen::Vector3d(0.6, 0.0, 0.8)).dot(Eigen::Vector3d(0.0, 0.8, 0.6));
  }
  for (const auto* coordinate : {&w, &x, &y, &z}) ExpectMoments(*coordinate, 0.0, 0.25, 2.0);
  // And a turned vector is equally distributed on the sphere: uniform along any axis (Archimedes).
  ExpectMoments(turned, 0.0, 1.0 / 3.0, 1.8);
}

TEST(PlanVariables, SobolPointsAreThoseOfJoeAndKuo) {
  // Points of their list, and of SciPy.
  const std::vector<std::vector<double>> points = {
      {0.5, 0.5, 0.5, 0.5, 0.5},           {0.75, 0.25, 0.25, 0.25, 0.75},
      {0.25, 0.75, 0.75, 0.75, 0.25},      {0.375, 0.375, 0.625, 0.875, 0.375},
      {0.875, 0.875, 0.125, 0.375, 0.875}, {0.625, 0.125, 0.875, 0.625, 0.625},
      {0.125, 0.625, 0.375, 0.125, 0.125}};
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(SobolPoint(5, i), points[i]) << i;
}

// A shift by exclusive or keeps what makes them even: 64 points, from a multiple of 64 on, have one
// coordinate in each 64th.
TEST(PlanVariables, ShiftedSobolPointsFillTheRanges) {
  const PlanFolder folder;
  json document =
      TwoBalls({{"rows", 127},
                {"seed", 5},
                {"sampling", "sobol"},
                {"variables", {{"x", {{"uniform", {0, 64}}}}, {"y", {{"uniform", {0, 64}}}}}}});
  const Plan plan = folder.Read(document);
  const ChunkRows rows = AllRows(plan);
  std::set<int> squares;
  for (const char* name : {"x", "y"}) {
    const std::vector<double>& values = ColumnOf(plan, rows, name);
    std::set<int> parts;
    for (std::size_t i = 63; i < 127; ++i) parts.insert(static_cast<int>(values[i]));
    EXPECT_EQ(parts.size(), 64u) << name;
  }
  for (std::size_t i = 63; i < 127; ++i) {
    squares.insert(static_cast<int>(ColumnOf(plan, rows, "x")[i] / 8) * 8 +
                   static_cast<int>(ColumnOf(plan, rows, "y")[i] / 8));
  }
  EXPECT_EQ(squares.size(), 64u);
}

TEST(PlanVariables, TablesGridsAndRepetitionsSpanAProduct) {
  const PlanFolder folder;
  folder.Write("table.csv", "a [m],b\n1,10\n2,20\n");
  const json document =
      TwoBalls({{"csv", "table.csv"},
                {"repeat", 2},
                {"variables",
                 {{"g", {{"grid", {5, 6, 7}}}},
                  {"h", {{"grid", {{"from", 1}, {"to", 100}, {"count", 3}, {"log", true}}}}},
                  {"u", {{"uniform", {0, 1}}}}}},
                {"derived", {{"s", "a + b"}, {"n", "row + 0*a"}}}});
  const Plan plan = folder.Read(document);
  ASSERT_EQ(plan.rows(), 2u * 3u * 3u * 2u);
  const ChunkRows rows = AllRows(plan);
  const std::vector<double> a = {1, 2}, b = {10, 20}, g = {5, 6, 7}, h = {1, 10, 100};
  for (std::size_t k = 0; k < plan.rows(); ++k) {
    EXPECT_EQ(ColumnOf(plan, rows, "a")[k], a[k / 18]);
    EXPECT_EQ(ColumnOf(plan, rows, "b")[k], b[k / 18]);
    EXPECT_EQ(ColumnOf(plan, rows, "g")[k], g[k / 6 % 3]);
    EXPECT_DOUBLE_EQ(ColumnOf(plan, rows, "h")[k], h[k / 2 % 3]);
    EXPECT_EQ(ColumnOf(plan, rows, "s")[k], a[k / 18] + b[k / 18]);
    EXPECT_EQ(ColumnOf(plan, rows, "n")[k], static_cast<double>(k));
  }
  EXPECT_EQ(plan.columns()[0].unit, "m");
  ASSERT_EQ(plan.inputs().size(), 1u);
  EXPECT_EQ(plan.inputs()[0].path, "table.csv");
}

// Two balls have the gap as the distance of their centres says: what Separate bounds it by is less
// by up to a tenth. Depths, along the line of the centres, are their own closed form.
TEST(PlanVariables, PosesNearContactHaveTheirGaps) {
  const PlanFolder folder;
  json document = TwoBalls({{"rows", 8},
                            {"seed", 5},
                            {"variables", {{"P", {{"near_contact", {{"gap", {-0.01, 0.01}}}}}}}}});
  document["run"]["query"]["pose_a"] = "P";
  document["run"]["query"]["pose_b"] = {{"t", {1, 2, 3}}, {"q", {0.8, 0.6, 0, 0}}};
  const Plan plan = folder.Read(document);
  const ChunkRows rows = AllRows(plan);
  int apart = 0;
  for (std::size_t k = 0; k < plan.rows(); ++k) {
    const double gap = ColumnOf(plan, rows, "P.gap")[k];
    const Eigen::Vector3d t(ColumnOf(plan, rows, "P.x")[k], ColumnOf(plan, rows, "P.y")[k],
                            ColumnOf(plan, rows, "P.z")[k]);
    const double true_gap = t.norm() - 0.2;
    EXPECT_EQ(ColumnOf(plan, rows, "overlap")[k], gap < 0.0 ? 1.0 : 0.0);
    if (gap > 0.0) {
      ++apart;
      EXPECT_GE(true_gap, gap * (1.0 - 1e-12));
      EXPECT_LE(true_gap, 1.12 * gap);
    } else {
      EXPECT_NEAR(true_gap, gap, 2e-8);
    }
  }
  EXPECT_GT(apart, 1);
  EXPECT_LT(apart, 7);
}

}  // namespace
}  // namespace volcontact::sweep
