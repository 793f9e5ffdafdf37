// Many small contacts at once: what is known of each must add up.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "support/contact_scenes.h"
#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::many_contacts_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;
constexpr double kTolerances[] = {1e-3, 1e-6, 1e-9};
// A share of queries that may end without the tolerance: one scene in both orders at the tightest
// one. A needle 1e-8 thick beside a contact of a thousand times its volume closes to 1e-9 of
// itself.
constexpr double kFewNotConverged = 0.06;

QueryOptions At(double tolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  options.max_cells = 100'000;
  return options;
}

// Random scenes on each base, against the contacts one by one.

class ManyContacts : public ::testing::TestWithParam<BaseKind> {};

void ExpectScenesAddUp(const BaseKind& base, Arrangement arrangement, bool balls_only) {
  constexpr int kCounts[] = {2, 3, 5, 9, 16, 50};
  Tally tally;
  int scenes = 0;
  for (const int count : kCounts) {
    const std::uint64_t seed = 20260 + static_cast<std::uint64_t>(count);
    const Scene scene = RandomScene(base, arrangement, count, balls_only, seed);
    SCOPED_TRACE(::testing::Message() << scene.parts.size() << " parts, seed " << seed);
    const ContactSum sum = ContactsOneByOne(scene);
    ASSERT_GT(sum.truth.volume, 0.0);
    ExpectContactsAddUp(scene, sum, &tally);
    ++scenes;
    // One failure tells enough; the next ones may cost minutes.
    if (::testing::Test::HasFailure()) break;
  }
  ::testing::Test::RecordProperty("scenes", scenes);
  ::testing::Test::RecordProperty("not_converged", tally.not_converged);
  EXPECT_LE(tally.Share(), kFewNotConverged)
      << tally.not_converged << " of " << tally.queries << " queries did not converge";
}

TEST_P(ManyContacts, OfAllDepths) { ExpectScenesAddUp(GetParam(), Arrangement::kSpread, false); }

TEST_P(ManyContacts, OfLikeDepths) { ExpectScenesAddUp(GetParam(), Arrangement::kAlike, false); }

TEST_P(ManyContacts, OfBallsOfAllDepths) {
  ExpectScenesAddUp(GetParam(), Arrangement::kSpread, true);
}

TEST_P(ManyContacts, OfBallsOfLikeDepths) {
  ExpectScenesAddUp(GetParam(), Arrangement::kAlike, true);
}

TEST_P(ManyContacts, InRowsAndColumns) {
  ExpectScenesAddUp(GetParam(), Arrangement::kRegular, true);
}

// Nothing depends on the pose of the whole scene, or on its unit. The scale is a power of two, and
// both poses are one, so that the scene is the same in all digits.
TEST_P(ManyContacts, AreTheSameMovedAndScaled) {
  const Pose X = AxisAngle({1.0, 2.0, -1.0}, 0.7, {3.0, -2.0, 5.0});
  int compared = 0;
  for (const int count : {2, 6}) {
    const Scene scene = RandomScene(GetParam(), Arrangement::kAlike, count, false,
                                    static_cast<std::uint64_t>(77 + count));
    SCOPED_TRACE(count);
    for (const double tolerance : kTolerances) {
      SCOPED_TRACE(tolerance);
      const Metrics here = Query(scene.Base(), scene.Parts(), At(tolerance));
      const auto expect_same = [&here](const Metrics& there, double unit) {
        EXPECT_EQ(there.converged, here.converged);
        EXPECT_EQ(there.overlap, here.overlap);
        EXPECT_NEAR(there.volume / (unit * unit * unit), here.volume, 1e-9 * here.volume);
      };
      for (const double unit : {std::ldexp(1.0, -10), std::ldexp(1.0, 10)}) {
        SCOPED_TRACE(unit);
        expect_same(Query(scene.Base(unit), scene.Parts(unit), At(tolerance)), unit);
      }
      const PreparedPair pair(scene.Base(), scene.Parts());
      const Metrics moved = pair.Query(X, X, At(tolerance));
      expect_same(moved, 1.0);
      if (here.overlap && moved.overlap) {
        EXPECT_LE((moved.centroid_W - X * here.centroid_W).norm(), 1e-9);
      }
      if (::testing::Test::HasFailure()) return;
      if (!here.converged) break;
      ++compared;
    }
  }
  EXPECT_GE(compared, 2);
}

// A scene of other units: positions are rounded anew, and volumes change by that.
TEST_P(ManyContacts, AreTheSameInMillimetresAndKilometres) {
  // Deep enough for the rounding not to show.
  Scene scene{&GetParam(), {}};
  Random random(4711);
  for (const double u : {0.15, 0.4, 0.65, 0.9}) {
    const Site site = GetParam().site({u, 0.3 + 0.5 * u, 0.2});
    scene.parts.push_back(PartAt(PartKind::kBall, site, 0.05, 1e-3 * (1.0 + u), &random));
  }
  const Metrics here = Query(scene.Base(), scene.Parts(), At(1e-9));
  ASSERT_TRUE(here.converged);
  for (const double unit : {1e-3, 1e3}) {
    SCOPED_TRACE(unit);
    const Metrics there = Query(scene.Base(unit), scene.Parts(unit), At(1e-9));
    EXPECT_EQ(there.converged, here.converged);
    EXPECT_NEAR(there.volume / (unit * unit * unit), here.volume, 1e-9 * here.volume);
  }
}

INSTANTIATE_TEST_SUITE_P(Bases, ManyContacts, ::testing::ValuesIn(BaseKinds()),
                         [](const auto& test) { return test.param.name; });

// Closed forms of many contacts.

struct Cap {
  double volume = 0.0, centroid = 0.0;  // of its ball's center, towards the cap
};

// The part of a ball beyond a plane, `height` high.
Cap CapOf(double radius, double height) {
  const double volume = kPi * height * height * (radius - height / 3.0);
  const double rest = 2.0 * radius - height;
  return {volume, 0.75 * rest * rest / (3.0 * radius - height)};
}

// The depths in more digits than the positions have.
Metrics BallInHalfSpace(double radius, const Vector3d& center) {
  const auto depth = static_cast<double>(static_cast<long double>(radius) - center.z());
  const Cap cap = CapOf(radius, depth);
  Metrics metrics;
  metrics.overlap = depth > 0.0;
  metrics.volume = cap.volume;
  metrics.centroid_W = center - cap.centroid * Vector3d::UnitZ();
  metrics.contact_area = kPi * depth * (2.0 * radius - depth);
  metrics.area_vector_W = -metrics.contact_area * Vector3d::UnitZ();
  return metrics;
}

long double Length(const Vector3d& v) {
  const long double x = v.x(), y = v.y(), z = v.z();
  return std::sqrt(x * x + y * y + z * z);
}

// A ball at `center` and the unit ball about the origin.
Metrics BallInUnitBall(double radius, const Vector3d& center) {
  const long double distance = Length(center);
  const long double depth = 1.0L + radius - distance;
  // Heights of both caps over the plane of the common circle.
  const auto of_ball = static_cast<double>(depth * (2.0L - depth) / (2.0L * distance));
  const auto of_base = static_cast<double>(depth * (2.0L * radius - depth) / (2.0L * distance));
  const Cap ball = CapOf(radius, of_ball), base = CapOf(1.0, of_base);
  const Vector3d out = center / static_cast<double>(distance);
  Metrics metrics;
  metrics.overlap = depth > 0.0L;
  metrics.volume = ball.volume + base.volume;
  metrics.centroid_W =
      (ball.volume * (center - ball.centroid * out) + base.volume * base.centroid * out) /
      metrics.volume;
  metrics.contact_area = kPi * of_base * (2.0 - of_base);
  metrics.area_vector_W = -metrics.contact_area * out;
  return metrics;
}

// Volume, centroid and area vector; of the inertia these forms say nothing.
void ExpectClosedForm(const std::string& base, Arrangement arrangement,
                      const std::function<Metrics(double, const Vector3d&)>& contact) {
  for (const int count : {2, 4, 8, 20, 50}) {
    const Scene scene = RandomScene(BaseNamed(base), arrangement, count, true,
                                    static_cast<std::uint64_t>(9000 + count));
    std::vector<Metrics> contacts;
    for (const Part& part : scene.parts) {
      contacts.push_back(contact(part.dimensions[0], part.pose.t));
    }
    const ContactSum sum = SumOf(contacts);
    SCOPED_TRACE(::testing::Message() << scene.parts.size() << " balls");
    const PreparedPair pair(scene.Base(), scene.Parts());
    for (const double tolerance : kTolerances) {
      const Metrics metrics = pair.Query(Pose(), Pose(), At(tolerance));
      const Deviation off = DeviationFrom(sum, metrics);
      SCOPED_TRACE(::testing::Message()
                   << "tolerance " << tolerance << ", fallback '" << metrics.stats.fallback << "'");
      EXPECT_TRUE(metrics.converged);
      EXPECT_EQ(off.outside_bracket, 0.0);
      if (!metrics.converged) return;
      EXPECT_LE(off.volume, tolerance);
      EXPECT_LE(off.area_vector, std::max(10.0 * tolerance, 2e-6));
      // By the distances between the contacts: the caps' own inertia is left out.
      EXPECT_LE((metrics.centroid_W - sum.truth.centroid).norm(), 4.0 * tolerance);
    }
  }
}

TEST(ManyBalls, OnAPlaneAreCaps) {
  for (const auto arrangement :
       {Arrangement::kSpread, Arrangement::kAlike, Arrangement::kRegular}) {
    SCOPED_TRACE(static_cast<int>(arrangement));
    ExpectClosedForm("half_space", arrangement, BallInHalfSpace);
    if (HasFailure()) break;
  }
}

TEST(ManyBalls, OnABallAreLenses) {
  for (const auto arrangement :
       {Arrangement::kSpread, Arrangement::kAlike, Arrangement::kRegular}) {
    SCOPED_TRACE(static_cast<int>(arrangement));
    ExpectClosedForm("sphere", arrangement, BallInUnitBall);
    if (HasFailure()) break;
  }
}

// A depth sweep: how thin two contacts may be.
TEST(ManyBalls, TwoOfAnyDepth) {
  Random random(31);
  for (const char* name :
       {"half_space", "box", "sphere", "cylinder", "cone", "ellipsoid", "torus"}) {
    for (const double depth : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      const BaseKind& base = BaseNamed(name);
      Scene scene{&base, {}};
      for (const double u : {0.2, 0.7}) {
        scene.parts.push_back(
            PartAt(PartKind::kBall, base.site({u, 0.4, 0.35}), 0.1, depth, &random));
      }
      SCOPED_TRACE(::testing::Message() << name << ", " << depth << " deep");
      Tally tally;
      ExpectContactsAddUp(scene, ContactsOneByOne(scene), &tally);
      EXPECT_EQ(tally.not_converged, 0) << "of " << tally.queries;
    }
  }
}

// Found at random: 0.3 % too much in one order only, and said to have converged.
TEST(ManyBalls, TwoOnAPlaneInBothOrders) {
  const Vector3d centers[] = {{-1.1176734077108472, -0.059224734120868927, 0.058310563890944002},
                              {-0.18719667365515447, -0.63970347679800699, 0.098962014569334164}};
  const double radii[] = {0.06464577209439662, 0.10868124863576799};
  const Solid balls =
      Union({Sphere(radii[0]).Posed(Pose{centers[0]}), Sphere(radii[1]).Posed(Pose{centers[1]})});
  const double volume =
      BallInHalfSpace(radii[0], centers[0]).volume + BallInHalfSpace(radii[1], centers[1]).volume;
  for (const double tolerance : kTolerances) {
    const Metrics ab = Query(HalfSpace(), balls, At(tolerance));
    const Metrics ba = Query(balls, HalfSpace(), At(tolerance));
    EXPECT_TRUE(ab.converged && ba.converged);
    EXPECT_NEAR(ab.volume, volume, tolerance * volume);
    EXPECT_NEAR(ba.volume, volume, tolerance * volume);
  }
}

// Two balls of radius 0.1, each 1e-5 deep in a cone at right angles to each other: the columns saw
// one of them.
TEST(ManyBalls, TwoAtRightAnglesInACone) {
  const BaseKind cone = {"cone_0.6", [](double scale) { return Cone(0.6 * scale, 0.6 * scale); },
                         nullptr};
  for (const double up : {0.15, 0.3, 0.45}) {
    Scene scene{&cone, {}};
    Random random(5);
    for (const Vector3d& side : {Vector3d(1.0, 0.0, 0.0), Vector3d(0.0, 1.0, 0.0)}) {
      const Site site = {(0.6 - up) * side + up * Vector3d::UnitZ(),
                         (side + Vector3d::UnitZ()).normalized()};
      scene.parts.push_back(PartAt(PartKind::kBall, site, 0.1, 1e-5, &random));
    }
    SCOPED_TRACE(up);
    Tally tally;
    ExpectContactsAddUp(scene, ContactsOneByOne(scene), &tally);
    std::reverse(scene.parts.begin(), scene.parts.end());
    ExpectContactsAddUp(scene, ContactsOneByOne(scene), &tally);
    EXPECT_EQ(tally.not_converged, 0) << "of " << tally.queries;
  }
}

// Both ends through, and other scenes that are their own mirror images.

void ExpectVolume(const VolumeMetrics& metrics, double volume, double tolerance) {
  SCOPED_TRACE(::testing::Message()
               << "tolerance " << tolerance << ", edges " << metrics.stats.edges << ", fallback '"
               << metrics.stats.fallback << "'");
  EXPECT_TRUE(metrics.converged);
  EXPECT_NEAR(metrics.volume, volume, (tolerance + 1e-12) * volume);
  EXPECT_LE(std::abs(metrics.volume - volume), 10.0 * metrics.volume_error + 1e-12 * volume);
  if (metrics.volume_bounds) {
    EXPECT_LE((*metrics.volume_bounds)[0], volume * (1.0 + 1e-12));
    EXPECT_GE((*metrics.volume_bounds)[1], volume * (1.0 - 1e-12));
  }
}

// By the method that is chosen and by the octree, in both orders; all are symmetric about the
// origin, so that the area vector vanishes.
void ExpectSymmetricOverlap(const Solid& A, const Solid& B, double volume) {
  const double size = std::cbrt(volume);
  for (const Method method : {Method::kAuto, Method::kBoundary}) {
    for (const double tolerance : kTolerances) {
      SCOPED_TRACE(MethodName(method));
      QueryOptions options = At(tolerance);
      options.method = method;
      const Metrics ab = Query(A, B, options), ba = Query(B, A, options);
      ExpectVolume(ab, volume, tolerance);
      ExpectVolume(ba, volume, tolerance);
      EXPECT_LE(ab.centroid_W.norm(), tolerance * size);
      EXPECT_LE(ba.centroid_W.norm(), tolerance * size);
      const double area = std::max(10.0 * tolerance, 2e-6) * size * size;
      EXPECT_LE(ab.area_vector_W.norm(), area);
      EXPECT_LE(ba.area_vector_W.norm(), area);
    }
  }
}

// By the double exponential rule: singular ends do no harm.
double Integral(const std::function<double(double)>& f, double low, double high) {
  constexpr double kStep = 1.0 / 64.0;
  constexpr int kSteps = 64 * 4;
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  double sum = 0.0;
  for (int i = -kSteps; i <= kSteps; ++i) {
    const double s = 0.5 * kPi * std::sinh(i * kStep);
    const double weight = 0.5 * kPi * std::cosh(i * kStep) / (std::cosh(s) * std::cosh(s));
    if (weight < 1e-300) continue;
    sum += weight * f(middle + half * std::tanh(s));
  }
  return half * kStep * sum;
}

// The common area of a disc of that radius and an ellipse with semi-axes p >= q, both about 0.
double DiscAndEllipse(double radius, double p, double q) {
  if (radius >= p) return kPi * p * q;
  if (radius <= q) return kPi * radius * radius;
  const double s2 = 1.0 / (radius * radius), p2 = 1.0 / (p * p), q2 = 1.0 / (q * q);
  const double angle = std::asin(std::sqrt((s2 - p2) / (q2 - p2)));
  const double sector = 0.5 * p * q * (0.5 * kPi - std::atan(p / q * std::tan(angle)));
  return 4.0 * (0.5 * radius * radius * angle + sector);
}

double EllipsoidInBall(const Vector3d& semi_axes, double radius) {
  const auto section = [&](double z) {
    const double shrink = std::sqrt(std::max(0.0, 1.0 - z * z / (semi_axes[2] * semi_axes[2])));
    return DiscAndEllipse(std::sqrt(std::max(0.0, radius * radius - z * z)),
                          shrink * std::max(semi_axes[0], semi_axes[1]),
                          shrink * std::min(semi_axes[0], semi_axes[1]));
  };
  // Where the sphere meets the ellipsoid on the planes of symmetry.
  std::vector<double> ends = {0.0, std::min(radius, semi_axes[2])};
  for (const double a : {semi_axes[0], semi_axes[1]}) {
    const double z2 = (radius * radius - a * a) / (1.0 - a * a / (semi_axes[2] * semi_axes[2]));
    if (z2 > 0.0 && z2 < ends[1] * ends[1]) ends.push_back(std::sqrt(z2));
  }
  std::sort(ends.begin(), ends.end());
  double volume = 0.0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    volume += 2.0 * Integral(section, ends[i], ends[i + 1]);
  }
  return volume;
}

TEST(BothEndsThrough, EllipsoidOfRevolutionInABall) {
  // Closed form: up to z the ellipsoid, beyond it the ball.
  const double a = 0.2, c = 0.5, r = 0.48;
  const double z = std::sqrt((r * r - a * a) / (1.0 - a * a / (c * c)));
  const double volume =
      2.0 * kPi *
      (a * a * (z - z * z * z / (3.0 * c * c)) + r * r * (r - z) - (r * r * r - z * z * z) / 3.0);
  ASSERT_NEAR(EllipsoidInBall({a, a, c}, r), volume, 1e-13 * volume);
  ExpectSymmetricOverlap(Ellipsoid({a, a, c}), Sphere(r), volume);
}

TEST(BothEndsThrough, EllipsoidsInABall) {
  for (const double radius : {0.499, 0.48, 0.4, 0.31, 0.301}) {
    SCOPED_TRACE(radius);
    const Vector3d semi_axes(0.2, 0.3, 0.5);
    ExpectSymmetricOverlap(Ellipsoid(semi_axes), Sphere(radius),
                           EllipsoidInBall(semi_axes, radius));
  }
}

TEST(BothEndsThrough, CapsuleAndCylinderInASlab) {
  ExpectSymmetricOverlap(Capsule(0.2, 1.0), Slab(1.0), kPi * 0.04);
  // The balls' ends stick out by 1e-4 on both sides.
  const double out = 1e-4;
  const double whole = kPi * 0.04 + 4.0 / 3.0 * kPi * 0.008;
  ExpectSymmetricOverlap(Capsule(0.2, 1.0), Slab(1.4 - 2.0 * out),
                         whole - 2.0 * CapOf(0.2, out).volume);
  ExpectSymmetricOverlap(Cylinder(0.2, 1.5), Slab(1.0), kPi * 0.04);
}

// What two unbounded cylinders at right angles have in common, b <= a: the integral of
// 4 sqrt(a² − y²) sqrt(b² − y²), with y = b sin t.
double CrossedCylinders(double a, double b) {
  if (a == b) return 16.0 / 3.0 * a * a * a;
  return Integral(
      [a, b](double t) {
        const double y = b * std::sin(t), x = b * std::cos(t);
        return 4.0 * x * x * std::sqrt(a * a - y * y);
      },
      -0.5 * kPi, 0.5 * kPi);
}

const Pose kAcross = AxisAngle({0.0, 1.0, 0.0}, 0.5 * kPi);

TEST(MirrorSymmetric, InfiniteCylindersAtRightAngles) {
  const Solid wide = InfiniteCylinder(0.5);
  for (const double radius : {0.5, 0.4999, 0.45, 0.3, 0.1}) {
    SCOPED_TRACE(radius);
    ExpectSymmetricOverlap(wide, InfiniteCylinder(radius).Posed(kAcross),
                           CrossedCylinders(0.5, radius));
  }
}

TEST(MirrorSymmetric, TubeThroughTube) {
  const auto tube = [](double outer, double inner) {
    return Difference(Cylinder(outer, 4.0), {InfiniteCylinder(inner)});
  };
  for (const double inner : {0.3, 0.45}) {
    SCOPED_TRACE(inner);
    const double volume = CrossedCylinders(0.5, 0.5) - 2.0 * CrossedCylinders(0.5, inner) +
                          CrossedCylinders(inner, inner);
    ExpectSymmetricOverlap(tube(0.5, inner), tube(0.5, inner).Posed(kAcross), volume);
  }
  // Unequal: the thin one pierces both walls of the wide one.
  const double volume = CrossedCylinders(0.5, 0.2) - CrossedCylinders(0.5, 0.15) -
                        CrossedCylinders(0.4, 0.2) + CrossedCylinders(0.4, 0.15);
  ExpectSymmetricOverlap(tube(0.5, 0.4), tube(0.2, 0.15).Posed(kAcross), volume);
}

double BallVolume(double radius) { return 4.0 / 3.0 * kPi * radius * radius * radius; }

// What two balls at that distance have in common.
double LensVolume(double a, double b, double distance) {
  const double plane = (distance * distance + a * a - b * b) / (2.0 * distance);
  return CapOf(a, a - plane).volume + CapOf(b, b - (distance - plane)).volume;
}

TEST(MirrorSymmetric, MassOfTwoEqualBallsThatOverlap) {
  for (const double distance : {1e-3, 0.2, 1.0, 1.5, 1.99, 2.0 - 1e-5}) {
    const Solid balls = Union({Sphere(1.0).Posed(Pose{{-0.5 * distance, 0.0, 0.0}}),
                               Sphere(1.0).Posed(Pose{{0.5 * distance, 0.0, 0.0}})});
    const double volume = 2.0 * BallVolume(1.0) - LensVolume(1.0, 1.0, distance);
    for (const double tolerance : kTolerances) {
      SCOPED_TRACE(distance);
      const MassProperties mass = ComputeMassProperties(balls, At(tolerance));
      ExpectVolume(mass, volume, tolerance);
      EXPECT_LE(mass.centroid_W.norm(), tolerance);
    }
  }
}

TEST(MirrorSymmetric, UnequalBallsInABox) {
  const Solid box = Box({4.0, 2.0, 2.0});
  for (const double distance : {0.9, 1.1, 1.3}) {
    SCOPED_TRACE(distance);
    // Apart from 1.3 on; wholly inside the box.
    const Solid balls = Union({Sphere(0.8).Posed(Pose{{-0.5, 0.0, 0.0}}),
                               Sphere(0.5).Posed(Pose{{-0.5 + distance, 0.0, 0.0}})});
    const double volume =
        BallVolume(0.8) + BallVolume(0.5) - (distance < 1.3 ? LensVolume(0.8, 0.5, distance) : 0.0);
    for (const double tolerance : kTolerances) {
      ExpectVolume(Query(box, balls, At(tolerance)), volume, tolerance);
      ExpectVolume(Query(balls, box, At(tolerance)), volume, tolerance);
    }
  }
  // Through both faces y = ±1, and through one face z = 1.
  const Solid balls = Union(
      {Sphere(1.05).Posed(Pose{{-0.9, 0.0, -0.06}}), Sphere(0.5).Posed(Pose{{1.0, 0.0, 0.6}})});
  const double volume = BallVolume(1.05) - 2.0 * CapOf(1.05, 0.05).volume -
                        CapOf(1.05, 0.06 + 0.05).volume + BallVolume(0.5) - CapOf(0.5, 0.1).volume;
  for (const double tolerance : kTolerances) {
    ExpectVolume(Query(box, balls, At(tolerance)), volume, tolerance);
    ExpectVolume(Query(balls, box, At(tolerance)), volume, tolerance);
  }
}

}  // namespace
}  // namespace volcontact::testing::many_contacts_test
