// Fillets: tori that touch planes, cylinders and each other along circles.
#include "overlap/arcs/torus_touch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

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
