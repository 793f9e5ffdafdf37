#include "overlap/meridian/meridian_method.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::meridian_method_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 1315;

std::optional<MeridianResult> SumOver(const Solid& A, const Solid& B, double tolerance = 1e-10) {
  return MeridianMethod().Run(RegionOf(A, B), CommonBox(A, B), tolerance);
}

// φ − sin φ cos φ, a circle's segment of radius one and half angle φ, without cancellation.
double SegmentArea(double phi) {
  if (phi > 0.5) return phi - std::sin(phi) * std::cos(phi);
  double sum = 0.0, term = 4.0 / 3.0 * phi * phi * phi;
  for (int n = 3; n < 40; n += 2) {
    sum += 0.5 * term;
    term *= -4.0 * phi * phi / ((n + 1) * (n + 2));
  }
  return sum;
}

Pose At(double z) { return PoseAt(0.0, 0.0, z); }

// The half angle of the chord that cuts a cap of some depth off a circle.
double HalfAngle(double depth, double radius) {
  return 2.0 * std::asin(std::sqrt(0.5 * depth / radius));
}

struct Scene {
  Solid A, B;
};

// Both in another place and turned: the motion is part of the trees.
Scene Moved(const Scene& scene, std::uint64_t seed) {
  Random random(seed);
  const Pose X = random.PoseAt(random.UniformVector(-3.0, 3.0));
  return {scene.A.Posed(X), scene.B.Posed(X)};
}

TEST(MeridianMethod, RingOnRingAtAnyDepth) {
  // Pappus: the lens between two equal circles, one above the other.
  for (const double scale : {0x1p-10, 1.0, 0x1p10}) {
    for (const double depth : {0.25, 1e-2, 1e-4, 1e-6, 1e-8, 1e-9}) {
      const double R = 0.8 * scale, r = 0.3 * scale, apart = 2.0 * r - depth * scale;
      const Scene drawn = {Torus(R, r), Torus(R, r).Posed(At(apart))};
      const double phi = HalfAngle(0.5 * (2.0 * r - apart), r);
      const double volume = 2.0 * pi * R * 2.0 * r * r * SegmentArea(phi);
      const double width = r * std::sin(phi);
      const auto result = SumOver(drawn.A, drawn.B);
      ASSERT_TRUE(result) << depth;
      const RawMetrics& raw = result->raw;
      // Moved parts are known to some 1e-31 of their place, and so is a depth.
      EXPECT_NEAR(raw.moments.volume / volume, 1.0, 1e-11) << depth;
      EXPECT_NEAR(raw.area.z() / (4.0 * pi * R * width), -1.0, 1e-11) << depth;
      EXPECT_NEAR(raw.projected_area / (4.0 * pi * R * width), 1.0, 1e-11) << depth;
      const SumsInA sums(raw);
      EXPECT_NEAR(sums.moments.Centroid().z() / scale, 0.5 * apart / scale, 1e-12) << depth;
      EXPECT_LE(raw.volume_error, 1e-10 * volume);
      const Scene moved = Moved(drawn, 7);
      const auto again = SumOver(moved.A, moved.B);
      ASSERT_TRUE(again) << depth;
      EXPECT_NEAR(again->raw.moments.volume / volume, 1.0, 1e-10) << depth;
    }
  }
}

TEST(MeridianMethod, RingInItsBoreAtAnyDepth) {
  for (const double depth : {0.1, 1e-3, 1e-5, 1e-7, 1e-9}) {
    const double R = 1.0, r = 0.25, bore = R + r - depth, inner = bore - R;
    const Solid bush = Difference(Cylinder(2.0, 1.0), {Cylinder(bore, 2.0)});
    const double phi = HalfAngle(r - inner, r), s = r * std::sin(phi);
    const double volume = 2.0 * pi * (R * r * r * SegmentArea(phi) + 2.0 / 3.0 * s * s * s);
    const auto result = SumOver(bush, Torus(R, r));
    ASSERT_TRUE(result) << depth;
    EXPECT_NEAR(result->raw.moments.volume / volume, 1.0, 1e-11) << depth;
    EXPECT_LE(result->raw.area.norm(), result->raw.area_noise) << depth;
    const double ring = pi * (R + r - bore) * (R + r + bore);
    EXPECT_NEAR(result->raw.projected_area / ring, 1.0, 1e-11) << depth;
  }
}

// Solids about the z axis, some touching or flush.
Solid RandomRound(Random* random, int parts) {
  const auto one = [&]() -> Solid {
    const int kind = static_cast<int>(random->Uniform(0.0, 7.0));
    const double z = 0.25 * std::floor(random->Uniform(-3.0, 4.0));
    const double size = 0.125 * std::floor(random->Uniform(2.0, 9.0)),
                 other = random->Uniform(0.2, 1.0);
    if (kind == 0) return Sphere(size).Posed(At(z));
    if (kind == 1) return Cylinder(size, other).Posed(At(z));
    if (kind == 2) return Cone(size, other, 0.5 * size).Posed(At(z));
    if (kind == 3) return Torus(size, 0.4 * size).Posed(At(z));
    if (kind == 4) return Ellipsoid({size, size, other}).Posed(At(z));
    if (kind == 5) return Capsule(0.5 * size, other).Posed(At(z));
    return Difference(Cylinder(size, 0.5).Posed(At(z)), {Torus(size, 0.3 * size).Posed(At(z))});
  };
  std::vector<Solid> solids;
  for (int n = 0; n < parts; ++n) solids.push_back(one());
  if (random->Uniform(0.0, 1.0) < 0.5) return Union(solids);
  const Solid first = solids.front();
  solids.erase(solids.begin());
  return Difference(Union({first, Cylinder(1.2, 0.4)}), solids);
}

TEST(MeridianMethod, AgreesWithSumsOverEdges) {
  Random random(kSeed);
  int compared = 0, answered = 0;
  for (int n = 0; n < 60; ++n) {
    const Solid A = RandomRound(&random, 2), B = RandomRound(&random, 2);
    const auto result = SumOver(A, B, 1e-9);
    if (!result) continue;
    ++answered;
    const auto exchanged = SumOver(B, A, 1e-9);
    ASSERT_TRUE(exchanged) << n;
    const SumsInA sums(result->raw), other(exchanged->raw);
    const double volume = sums.moments.volume, area = result->raw.projected_area;
    EXPECT_NEAR(other.moments.volume, volume, 2e-9 * volume) << n;
    EXPECT_NEAR((other.area + sums.area).norm(), 0.0, 1e-8 * area) << n;
    const ArcMethodResult arcs = SumEdgesOf(A, B, {.tolerance = 1e-8, .max_cells = 20'000});
    if (arcs.failure != ArcFailure::kNone || !arcs.raw.converged) continue;
    ++compared;
    const SumsInA truth(arcs.raw);
    EXPECT_NEAR(volume, truth.moments.volume, 2e-8 * volume) << n;
    EXPECT_NEAR((sums.moments.first - truth.moments.first).norm(), 0.0, 5e-8 * volume) << n;
    EXPECT_NEAR((sums.moments.second - truth.moments.second).norm(), 0.0, 5e-8 * volume) << n;
    EXPECT_NEAR((sums.area - truth.area).norm(), 0.0, 2e-7 * area) << n;
  }
  EXPECT_GE(answered, 35);
  EXPECT_GE(compared, 20);
}

TEST(MeridianMethod, LeavesWhatIsAskewToOthers) {
  const Solid bush = Difference(Cylinder(2.0, 1.0), {Cylinder(1.24, 2.0)}), ring = Torus(1.0, 0.25);
  EXPECT_TRUE(SumOver(bush, ring, 1e-6));
  EXPECT_FALSE(SumOver(bush, ring.Posed(AxisAngle({1.0, 0.0, 0.0}, 1e-6)), 1e-6));
  EXPECT_FALSE(SumOver(bush, ring.Posed(PoseAt(1e-6, 0.0, 0.0)), 1e-6));
  EXPECT_FALSE(SumOver(Box({3.0, 1.5, 1.0}), ring, 1e-6));
  // Each of two balls alone has an axis with a third.
  const Solid pair =
      Union({Sphere(0.1).Posed(PoseAt(1.09, 0.0, 0.0)), Sphere(0.1).Posed(PoseAt(0.0, 1.09, 0.0))});
  EXPECT_FALSE(SumOver(Sphere(1.0), pair, 1e-3));
  // No more than roundings, which are part of the error.
  const auto rounded = SumOver(bush, ring.Posed(PoseAt(1e-13, 0.0, 0.0)), 1e-6);
  ASSERT_TRUE(rounded);
  EXPECT_GT(rounded->raw.volume_error, 1e-12 * rounded->raw.moments.volume);
  // The sides of a plate are out of reach.
  EXPECT_TRUE(SumOver(Difference(Box({3.0, 3.0, 1.0}), {Cylinder(1.24, 2.0)}), ring, 1e-6));
}

// A large ring far off the axis of a small one cuts it: 3 % of such differences were answered as if
// nothing were cut away.
TEST(MeridianMethod, SeesLargeRingsFarOffTheAxis) {
  Random random(kSeed);
  int cut = 0;
  for (int n = 0; n < 300; ++n) {
    SCOPED_TRACE(n);
    const double R = random.Uniform(0.1, 0.4), r = R * std::pow(10.0, random.Uniform(-2.5, -0.1));
    const double large = std::pow(10.0, random.Uniform(-0.7, 2.0));
    const double tube = random.Uniform(0.1, 0.6) * std::min(1.0, large);
    const Vector3d beside = Vector3d(-large, 0.0, 0.0) + random.UniformVector(-0.2, 0.2);
    const Solid A = Torus(R, r).Posed(random.PoseAt(random.UniformVector(-0.3, 0.3)));
    const Solid B = Torus(large, tube)
                        .Posed(PoseAt(beside.x(), beside.y(), beside.z()))
                        .Posed(random.PoseAt(random.UniformVector(-0.1, 0.1)));
    const Metrics inside = Query(A, B), outside = Query(A, Complement(B));
    if (!inside.converged || !outside.converged) continue;
    cut += inside.volume > 0.0 && outside.volume > 0.0;
    const double whole = 2.0 * pi * pi * R * r * r;
    EXPECT_NEAR(inside.volume + outside.volume, whole, 1e-5 * whole);
  }
  EXPECT_GE(cut, 30);
}

TEST(MeridianMethod, AnswersQueriesWithinTheBracket) {
  // A filleted boss, on which a ring lies: a band around its foot, and one on the plate.
  const double boss = 0.3, fillet = 0.125;
  const Solid foot = Difference(Cylinder(boss + fillet, fillet).Posed(At(0.5 * fillet)),
                                {Torus(boss + fillet, fillet).Posed(At(fillet))});
  const Solid A =
      Union({Box({2.0, 2.0, 0.25}).Posed(At(-0.125)), Cylinder(boss, 0.6).Posed(At(0.3)), foot});
  for (const double depth : {1e-2, 1e-4, 1e-6}) {
    const Solid B = Torus(boss + 0.1, 0.1).Posed(At(0.1 - depth));
    const Metrics metrics = Query(A, B);
    ASSERT_TRUE(metrics.converged) << depth;
    EXPECT_LT(metrics.stats.cells, 100) << depth;
    ASSERT_TRUE(metrics.volume_bounds);
    EXPECT_LE((*metrics.volume_bounds)[0], metrics.volume);
    EXPECT_GE((*metrics.volume_bounds)[1], metrics.volume);
    // V changes by −a·d, and the contact's normal is the axis.
    const double step = 1e-3 * depth;
    const double up =
        Query(A, Torus(boss + 0.1, 0.1).Posed(At(0.1 - depth + step)), {.tolerance = 1e-11}).volume;
    const double down =
        Query(A, Torus(boss + 0.1, 0.1).Posed(At(0.1 - depth - step)), {.tolerance = 1e-11}).volume;
    EXPECT_NEAR((up - down) / (2.0 * step) / metrics.area_vector_W.z(), 1.0, 1e-4) << depth;
    EXPECT_NEAR(std::abs(metrics.normal_W.z()), 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace volcontact::testing::meridian_method_test
