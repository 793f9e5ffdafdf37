// Fillets and races: tori that touch planes, cylinders, balls and each other along circles.
#include "overlap/arcs/crossing/torus_touch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "overlap/region_testing.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::testing::torus_touch_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr std::uint64_t kSeed = 5;

Pose At(double z) { return {{0.0, 0.0, z}, {1.0, 0.0, 0.0, 0.0}}; }

// The distance from touch of a torus and one more surface, both in an askew pose and a flat frame.
double TouchOf(double R, double r, const Solid& other) {
  const Pose askew = PoseAt(0.3, -0.2, 0.5, 0.4, -0.7, 0.2);
  const SurfaceSet set = RegionOf(Torus(R, r).Posed(askew), Complement(other).Posed(askew));
  LocalProblem problem = ProblemOf(set, FrameAt(askew, {1.0, 1.0, 0.1}));
  TorusSeams tori;
  tori.Choose(set, &problem);
  FindTorusTouches(set, tori, &problem);
  double least = 1.0;
  for (const SurfaceTouch& touch : problem.touches) least = std::min(least, touch.distance);
  return least;
}

TEST(TorusTouch, TellsTouchFromCrossingAndFromGaps) {
  const double R = 0.5, r = 0.2;
  EXPECT_LT(TouchOf(R, r, HalfSpace().Posed(At(r))), 1e-14);
  EXPECT_LT(TouchOf(R, r, HalfSpace().Posed(At(-r))), 1e-14);
  EXPECT_LT(TouchOf(R, r, InfiniteCylinder(R + r)), 1e-13);
  EXPECT_LT(TouchOf(R, r, InfiniteCylinder(R - r)), 1e-13);
  EXPECT_LT(TouchOf(R, r, Sphere(R + r)), 1e-13);
  // A smaller tube inside, and one beside it.
  EXPECT_LT(TouchOf(R, r, Torus(R - 0.1, 0.1)), 1e-13);
  EXPECT_LT(TouchOf(R, r, Torus(R, 0.05).Posed(At(0.25))), 1e-13);
  for (const double off : {1e-9, -1e-9, 1e-3, -1e-3}) {
    EXPECT_NEAR(TouchOf(R, r, HalfSpace().Posed(At(r + off))), 10.0 * std::abs(off), 1e-13);
    EXPECT_GT(TouchOf(R, r, InfiniteCylinder(R + r + off)), 5.0 * std::abs(off));
    EXPECT_GT(TouchOf(R, r, Sphere(R + r + off)), 5.0 * std::abs(off));
    // Off the axis nothing is told.
    EXPECT_EQ(TouchOf(R, r, Sphere(R + r).Posed({{off, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}})), 1.0);
  }
}

Pose AtPlace(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

TEST(TorusTouch, TellsBallsThatFillTheTube) {
  const double R = 0.5, r = 0.2;
  EXPECT_LT(TouchOf(R, r, Sphere(r).Posed(AtPlace(0.3, -0.4, 0.0))), 1e-13);
  for (const double off : {1e-9, -1e-3}) {
    EXPECT_GT(TouchOf(R, r, Sphere(r + off).Posed(AtPlace(R, 0.0, 0.0))), 5.0 * std::abs(off));
    EXPECT_GT(TouchOf(R, r, Sphere(r).Posed(AtPlace(R + off, 0.0, 0.0))), 5.0 * std::abs(off));
    EXPECT_GT(TouchOf(R, r, Sphere(r).Posed(AtPlace(R, 0.0, off))), 5.0 * std::abs(off));
  }
}

// A race with balls of its own radius, as OpenSCAD libraries draw bearings, above a floor.
TEST(TorusTouch, BallsThatFillTheirRaceGoByTheirEdges) {
  const double R = 0.5, r = 0.2, half = 0.25, wide = 0.1;
  const Solid ring =
      Difference(Cylinder(R + wide, 2.0 * half), {Cylinder(R - wide, 1.0), Torus(R, r)});
  const Solid bearing = Union(
      {ring, Sphere(r).Posed(AtPlace(R, 0.0, 0.0)), Sphere(r).Posed(AtPlace(-0.3, 0.4, 0.0))});
  Random random(kSeed);
  for (const double height : {-0.15, 0.05, 0.12}) {
    // The race leaves the ring by its outer and inner walls: its section is a disk cut at ±wide.
    const double corner = std::sqrt(r * r - wide * wide);
    const auto cap = [&](double z) {
      return 0.5 * (z * std::sqrt(r * r - z * z) + r * r * std::asin(z / r));
    };
    const auto until = [&](double z) {  // ∫ of the half width from −r
      double sum = cap(std::min(z, -corner)) - cap(-r);
      if (z > -corner) sum += wide * (std::min(z, corner) + corner);
      if (z > corner) sum += cap(z) - cap(corner);
      return sum;
    };
    const double race = 4.0 * pi * R * until(height);
    const double walls = 4.0 * pi * R * wide * (height + half) - race;
    const double ball = pi * (r * r * (height + r) - (height * height * height + r * r * r) / 3.0);
    for (const Pose& pose : {Pose(), random.PoseAt(random.UniformVector(-1.0, 1.0))}) {
      const PreparedPair pair(bearing, HalfSpace().Posed(At(height)));
      const Metrics metrics = pair.Query(pose, pose);
      EXPECT_TRUE(metrics.converged);
      EXPECT_EQ(metrics.stats.fallback, "");
      EXPECT_NEAR(metrics.volume / (walls + 2.0 * ball), 1.0, 1e-6);
    }
  }
}

// Nine balls between two rings, whose walls the balls pass in points of the circles of touch.
TEST(TorusTouch, NoBallOfABearingIsLost) {
  const double R = 7.5, r = 7.0 / 3.0, wide = 3.5 / 3.0, height = 7.0, outer = 11.0;
  const Solid rings = Union(
      {Difference(Cylinder(outer, height), {Cylinder(R + wide, 8.0)}), Cylinder(R - wide, height)});
  std::vector<Solid> parts = {Difference(rings, {Torus(R, r)})};
  for (int k = 0; k < 9; ++k) {
    const double angle = 2.0 * pi * k / 9.0;
    parts.push_back(Sphere(r).Posed(AtPlace(R * std::cos(angle), R * std::sin(angle), 0.0)));
  }
  const double walls =
      height * pi * (outer * outer - (R + wide) * (R + wide) + (R - wide) * (R - wide));
  const double strip = 2.0 * (wide * std::sqrt(r * r - wide * wide) + r * r * std::asin(wide / r));
  const double volume =
      walls - 2.0 * pi * R * (pi * r * r - strip) + 9.0 * 4.0 / 3.0 * pi * r * r * r;
  const Solid box = Box({40.0, 40.0, 40.0});
  Random random(kSeed);
  for (const Pose& pose : {Pose(), random.PoseAt(random.UniformVector(-1.0, 1.0))}) {
    const Metrics metrics = PreparedPair(Union(parts), box).Query(pose, pose);
    EXPECT_TRUE(metrics.converged);
    EXPECT_NEAR(metrics.volume / volume, 1.0, 1e-6);
  }
}

// A ball pressed by 1e-4 of its gap into the wall of a race that is a little wider than it: a flat
// cap between surfaces that nearly coincide along a circle. Roundings may keep its error above the
// tolerance, but it is there.
TEST(TorusTouch, BallsPressedIntoRacesOfNearlyTheirRadius) {
  const double R = 0.15, r = 0.075;
  Random random(kSeed);
  for (const double part : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const double gap = part * r, depth = 1e-4 * gap, tube = r + gap, off = gap + depth;
    const double angle = random.Uniform(-3.0, 3.0), around = random.Uniform(-3.0, 3.0);
    const double rho = R + off * std::cos(angle);
    const Solid ball = Sphere(r).Posed(
        AtPlace(rho * std::cos(around), rho * std::sin(around), off * std::sin(angle)));
    const Solid block = Difference(Box({4.0, 4.0, 4.0}), {Torus(R, tube)});
    const double across = 1.0 / r - 1.0 / tube;
    const double along = 1.0 / r - std::cos(angle) / (R + tube * std::cos(angle));
    const double volume = pi * depth * depth / std::sqrt(across * along);
    for (const PreparedPair& pair : {PreparedPair(ball, block), PreparedPair(block, ball)}) {
      const Metrics metrics = pair.Query(Pose(), Pose());
      EXPECT_TRUE(metrics.overlap) << part;
      EXPECT_LE(metrics.volume_error, 1e-2 * volume) << part;
      EXPECT_NEAR(metrics.volume / volume, 1.0, 1e-3) << part;
    }
  }
}

// A boss on a plate with a fillet, and a ring pressed on it down to some height above the plate.
struct Boss {
  double radius, fillet;

  Solid Make() const {
    const double R = radius + fillet;
    const Solid ring = Difference(Cylinder(R, fillet).Posed(At(0.5 * fillet)),
                                  {Torus(R, fillet).Posed(At(fillet))});
    return Union(
        {Box({2.0, 2.0, 0.25}).Posed(At(-0.125)), Cylinder(radius, 0.6).Posed(At(0.3)), ring});
  }
  // What lies between the boss and the fillet, from a height to the fillet's end.
  double Above(double height) const {
    // ∫ π (ρ(z)² − radius²) dz, ρ = R − √(f² − (f − z)²), with z = f − f sin t.
    const double R = radius + fillet;
    const auto integral = [&](double t) {
      const double sine = std::sin(t), cosine = std::cos(t);
      return (R * R - radius * radius) * sine - 2.0 * R * fillet * 0.5 * (t + sine * cosine) +
             fillet * fillet * (sine - sine * sine * sine / 3.0);
    };
    return pi * fillet * (integral(std::asin(1.0 - height / fillet)) - integral(0.0));
  }
};

TEST(TorusTouch, RingsOnFilletsGoByTheirEdges) {
  Random random(kSeed);
  for (const Boss& boss : {Boss{0.3, 0.125}, Boss{0.2, 0.05}, Boss{0.4, 0.2}, Boss{0.1, 0.3}}) {
    for (const double part : {0.9, 0.5, 0.1}) {
      const double height = part * boss.fillet;
      const Solid ring =
          Difference(Cylinder(0.9, 0.3), {Cylinder(boss.radius, 1.0)}).Posed(At(height + 0.15));
      const PreparedPair pair(boss.Make(), ring);
      const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
      for (const Pose& pose : {Pose(), X}) {
        QueryOptions options;
        options.tolerance = 1e-8;
        const Metrics metrics = pair.Query(pose, pose, options);
        EXPECT_TRUE(metrics.converged);
        EXPECT_EQ(metrics.stats.fallback, "") << boss.radius << ' ' << part;
        EXPECT_NEAR(metrics.volume / boss.Above(height), 1.0, 2e-8);
      }
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::torus_touch_test
