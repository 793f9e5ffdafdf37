// What contours of discs enclose that nearly coincide, cross, lie in each other, or do not close.

#include "overlap/arcs/projection/rim_slabs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "overlap/arcs/projection/contour_rim.h"

namespace volcontact::testing::rim_slabs_test {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using std::numbers::pi;

constexpr double kPrecision = 1e-12, kBeside = 1e-9;

struct Disc {
  Vector2d middle;
  double radius;
  double count = 2.0;  // −2: a hole
  double end = 1.0;    // of its circle, in turns
};

// Circles across z, at heights of their own.
class Circles : public ContourCurves {
 public:
  explicit Circles(std::vector<Disc> discs) : discs_(std::move(discs)) {}

  bool PointOn(int curve, double u, CurvePoint* point) const override {
    const Disc& disc = discs_[curve];
    const double angle = 2.0 * pi * u, c = std::cos(angle), s = std::sin(angle);
    point->p << disc.middle + disc.radius * Vector2d(c, s), 0.1 * curve;
    point->derivative = 2.0 * pi * disc.radius * Vector3d(-s, c, 0.0);
    return true;
  }
  int ArcsOf(int, double from, double to) const override {
    return static_cast<int>(std::ceil(16.0 * (to - from)));
  }
  std::vector<ContourPart> Parts() const {
    std::vector<ContourPart> parts;
    for (int n = 0; n < static_cast<int>(discs_.size()); ++n)
      parts.push_back({this, n, 0.0, discs_[n].end, discs_[n].count});
    return parts;
  }
  // In how many of them a point is.
  int Count(const Vector3d& p) const {
    return static_cast<int>(std::count_if(discs_.begin(), discs_.end(), [&](const Disc& disc) {
      return (p.head<2>() - disc.middle).norm() < disc.radius;
    }));
  }

 private:
  std::vector<Disc> discs_;
};

std::optional<double> BySlabs(const std::vector<Disc>& discs) {
  const Circles circles(discs);
  const std::vector<ContourPart> parts = circles.Parts();
  ContourCrossings crossings;
  crossings.Run(Vector3d::UnitZ(), parts);
  const RimSweep sweep(Vector3d::UnitZ(), kPrecision, kBeside, {});
  const std::optional<double> twice =
      RimSlabs().Run(Vector3d::UnitZ(), parts, crossings, sweep, false);
  return twice ? std::optional(0.5 * *twice) : std::nullopt;
}

// The area of a union of discs: a sum over the arcs of circles that no other disc covers.
double UnionOf(const std::vector<Disc>& discs) {
  double twice = 0.0;
  for (const Disc& disc : discs) {
    std::vector<std::pair<double, double>> covered;
    bool is_hidden = false;
    for (const Disc& other : discs) {
      if (&other == &disc) continue;
      const Vector2d way = other.middle - disc.middle;
      const double d = way.norm(), r = disc.radius, s = other.radius;
      is_hidden = is_hidden || d + r <= s;
      if (d >= r + s || d + std::min(r, s) <= std::max(r, s)) continue;
      const double half = std::acos((d * d + r * r - s * s) / (2.0 * d * r));
      const double from = std::remainder(std::atan2(way[1], way[0]) - half, 2.0 * pi);
      covered.emplace_back(from, from + 2.0 * half);
      covered.emplace_back(from + 2.0 * pi, from + 2.0 * (half + pi));
      covered.emplace_back(from - 2.0 * pi, from + 2.0 * (half - pi));
    }
    if (is_hidden) continue;
    const auto add = [&](double from, double to) {
      const double r = disc.radius;
      const Vector2d chord =
          r * Vector2d(std::sin(to) - std::sin(from), std::cos(from) - std::cos(to));
      twice += r * r * (to - from) + disc.middle.dot(chord);
    };
    std::sort(covered.begin(), covered.end());
    double from = -pi;
    for (const auto& [begin, end] : covered) {
      if (begin >= pi) break;
      if (begin > from) add(from, begin);
      from = std::max(from, end);
    }
    if (from < pi) add(from, pi);
  }
  return 0.5 * twice;
}

TEST(RimSlabs, TwoDiscsThatNearlyCoincide) {
  for (const double apart : {0.0, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3, 0.1}) {
    for (const double wider : {0.0, 1e-12, 1e-8, 1e-4}) {
      for (const double turn : {0.1, 0.7, 2.4}) {
        const Vector2d way(std::cos(turn), std::sin(turn));
        const std::vector<Disc> discs = {{{0.1, -0.2}, 0.4},
                                         {Vector2d(0.1, -0.2) + apart * way, 0.4 + wider}};
        const double alike = wider >= apart ? pi * (0.4 + wider) * (0.4 + wider) : UnionOf(discs);
        const std::optional<double> area = BySlabs(discs);
        ASSERT_TRUE(area.has_value()) << apart << ' ' << wider;
        EXPECT_NEAR(*area, alike, 3e-9) << apart << ' ' << wider << ' ' << turn;
      }
    }
  }
}

TEST(RimSlabs, ManyDiscs) {
  std::mt19937_64 random(20261127);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (const int count : {3, 10, 60}) {
    std::vector<Disc> discs;
    for (int n = 0; n < count; ++n)
      discs.push_back({0.8 * Vector2d(unit(random), unit(random)), 0.1 + 0.05 * unit(random)});
    const std::optional<double> area = BySlabs(discs);
    ASSERT_TRUE(area.has_value());
    EXPECT_NEAR(*area, UnionOf(discs), 1e-9) << count;
  }
}

TEST(RimSlabs, DiscsInEachOther) {
  EXPECT_NEAR(BySlabs({{{0, 0}, 0.5}, {{0.1, 0}, 0.2}}).value(), pi * 0.25, 1e-10);
  EXPECT_NEAR(BySlabs({{{0, 0}, 0.5}, {{0.1, 0}, 0.2, -2.0}}).value(), pi * 0.21, 1e-10);
  EXPECT_NEAR(BySlabs({{{0, 0}, 0.5}, {{0, 0}, 0.5}, {{0, 0}, 0.5}}).value(), pi * 0.25, 1e-10);
  // Twice in, once out: what remains is in once.
  EXPECT_NEAR(BySlabs({{{0, 0}, 0.5, 4.0}, {{0, 0}, 0.3, -2.0}}).value(), pi * 0.25, 1e-10);
}

TEST(RimSlabs, NoAreaOfAContourThatDoesNotClose) {
  EXPECT_FALSE(BySlabs({{{0, 0}, 0.5, 2.0, 0.9}}).has_value());
  EXPECT_FALSE(BySlabs({{{0, 0}, 0.5}, {{0.1, 0}, 0.2, -4.0}}).has_value());
}

// Stretches answer where discs cross, slabs where they coincide; the area knows no difference.
TEST(ContourRim, StretchesAndSlabsAgree) {
  for (const double apart : {1e-12, 1e-6, 0.05}) {
    const std::vector<Disc> discs = {
        {{0, 0}, 0.4}, {{apart, 0.5 * apart}, 0.4}, {{0.3, 0.2}, 0.3}, {{-0.5, 0.3}, 0.2}};
    const Circles circles(discs);
    const RimSweep sweep(Vector3d::UnitZ(), kPrecision, kBeside,
                         [&](const Vector3d& p) { return circles.Count(p); });
    const auto area = ContourRim().Run(Vector3d::UnitZ(), circles.Parts(), sweep, true, 1);
    ASSERT_TRUE(area.has_value()) << apart;
    EXPECT_NEAR(*area, BySlabs(discs).value(), 1e-9) << apart;
    EXPECT_NEAR(*area, UnionOf(discs), 1e-9) << apart;
  }
}

// Each of many discs is cut where others cover it.
TEST(ContourRim, UnionsAndHolesByStretches) {
  std::mt19937_64 random(20261128);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int n = 0; n < 40; ++n) {
    std::vector<Disc> discs;
    const int count = 2 + n;
    for (int k = 0; k < count; ++k)
      discs.push_back({0.7 * Vector2d(unit(random), unit(random)), 0.15 + 0.12 * unit(random)});
    const Circles circles(discs);
    const std::vector<ContourPart> parts = circles.Parts();
    ContourCrossings crossings;
    crossings.Run(Vector3d::UnitZ(), parts);
    ASSERT_TRUE(crossings.AreAllFound());
    const RimSweep sweep(Vector3d::UnitZ(), kPrecision, kBeside,
                         [&](const Vector3d& p) { return circles.Count(p); });
    const auto rim = RimStretches().Run(Vector3d::UnitZ(), parts, crossings, sweep, 1);
    ASSERT_TRUE(rim.has_value());
    EXPECT_NEAR(0.5 * rim->area, UnionOf(discs), 1e-9) << count;
  }
}

// Without the parts that are known to be inside, the rim is the same.
TEST(ContourRim, InnerParts) {
  const std::vector<Disc> discs = {{{0, 0}, 0.5}, {{0.1, 0}, 0.2}, {{0.55, 0.1}, 0.2}};
  const Circles circles(discs);
  std::vector<ContourPart> parts = circles.Parts();
  parts[1].is_inner = true;
  const RimSweep sweep(Vector3d::UnitZ(), kPrecision, kBeside,
                       [&](const Vector3d& p) { return circles.Count(p); });
  const auto area = ContourRim().Run(Vector3d::UnitZ(), parts, sweep, true, 1);
  ASSERT_TRUE(area.has_value());
  EXPECT_NEAR(*area, UnionOf(discs), 1e-9);
}

}  // namespace
}  // namespace volcontact::testing::rim_slabs_test
