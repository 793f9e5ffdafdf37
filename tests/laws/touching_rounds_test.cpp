// Parts whose round surfaces touch their flat ones: edges and corners rounded by unions with
// cylinders and balls, slots with round ends, fillets.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "math/minimal_rotation.h"
#include "support/random_solids.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::touching_rounds_test {
namespace {

using Eigen::Vector3d;

constexpr double kPi = 3.14159265358979323846;
constexpr double kTolerances[] = {1e-3, 1e-6, 1e-9};

QueryOptions Asking(double tolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  return options;
}

Pose At(double x, double y, double z) { return Pose{{x, y, z}}; }

// Turns z to the coordinate axis k.
Pose AlongAxis(int k, const Vector3d& t) {
  const auto q = MinimalRotation(Vector3d::UnitZ(), Vector3d::Unit(k));
  return {t, {q.w(), q.x(), q.y(), q.z()}};
}

// What is within r of a box about the origin, as people draw it: three boxes, a cylinder for each
// edge and a ball for each corner.
Solid RoundedBox(const Vector3d& inner, double r, bool has_corners) {
  std::vector<Solid> parts;
  for (int k = 0; k < 3; ++k) {
    if (!has_corners && k == 2) continue;
    Vector3d size = inner;
    size[k] += 2.0 * r;
    parts.push_back(Box(size));
  }
  for (int k = has_corners ? 0 : 2; k < 3; ++k) {
    for (int edge = 0; edge < 4; ++edge) {
      Vector3d t = Vector3d::Zero();
      t[(k + 1) % 3] = (edge % 2 - 0.5) * inner[(k + 1) % 3];
      t[(k + 2) % 3] = (edge / 2 - 0.5) * inner[(k + 2) % 3];
      parts.push_back(Cylinder(r, inner[k]).Posed(AlongAxis(k, t)));
    }
  }
  for (int corner = 0; has_corners && corner < 8; ++corner) {
    const Vector3d side(corner % 2 - 0.5, corner / 2 % 2 - 0.5, corner / 4 - 0.5);
    parts.push_back(Sphere(r).Posed(Pose{side.cwiseProduct(inner)}));
  }
  return Union(parts);
}

// By Steiner's formula.
double VolumeOfRoundedBox(const Vector3d& a, double r) {
  const double faces = 2.0 * (a.x() * a.y() + a.y() * a.z() + a.z() * a.x());
  return a.prod() + faces * r + kPi * r * r * a.sum() + 4.0 / 3.0 * kPi * r * r * r;
}

// The volume up to a height h <= r over its lowest face: layers of a rectangle rounded by s, s² =
// r² − (r − h)², with the antiderivatives of s and s².
double VolumeOfLayer(const Vector3d& a, double r, double h) {
  const double s = std::sqrt(h * (2.0 * r - h));
  const double of_s = 0.5 * (r * r * std::acos((r - h) / r) - (r - h) * s);
  const double of_square = r * h * h - h * h * h / 3.0;
  return a.x() * a.y() * h + 2.0 * (a.x() + a.y()) * of_s + kPi * of_square;
}

void ExpectMass(const Solid& solid, double volume, const Vector3d& centroid) {
  for (const double tolerance : kTolerances) {
    SCOPED_TRACE(tolerance);
    const MassProperties mass = ComputeMassProperties(solid, Asking(tolerance));
    EXPECT_TRUE(mass.converged) << mass.stats.fallback;
    EXPECT_NEAR(mass.volume, volume, tolerance * volume);
    EXPECT_LE(std::abs(mass.volume - volume), mass.volume_error + 1e-12 * volume);
    EXPECT_LE((mass.centroid_W - centroid).norm(), tolerance * std::cbrt(volume));
    ASSERT_TRUE(mass.volume_bounds);
    EXPECT_LE((*mass.volume_bounds)[0], volume);
    EXPECT_GE((*mass.volume_bounds)[1], volume);
  }
}

TEST(TouchingRounds, RoundedBoxesHaveTheirVolume) {
  Random random(61);
  for (int n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const Vector3d inner = 0.03 * Vector3d::Ones() + random.UniformVector(-0.02, 0.02);
    const double r = random.Uniform(0.002, 0.01);
    const Pose X = n == 0 ? Pose() : random.PoseAt(random.UniformVector(-1.0, 1.0));
    ExpectMass(RoundedBox(inner, r, true).Posed(X), VolumeOfRoundedBox(inner, r), X.t);
    const double flat = inner.x() * inner.y() + 2.0 * (inner.x() + inner.y()) * r + kPi * r * r;
    ExpectMass(RoundedBox(inner, r, false).Posed(X), flat * inner.z(), X.t);
  }
}

// Two of them at a time, of which each takes part by itself.
TEST(TouchingRounds, PartsApartAddUp) {
  const Vector3d inner(0.02, 0.03, 0.01);
  const double volume = VolumeOfRoundedBox(inner, 0.005);
  const Solid one = RoundedBox(inner, 0.005, true);
  ExpectMass(Union({one.Posed(At(-0.03, 0.0, 0.0)), one.Posed(At(0.03, 0.0, 0.0))}), 2.0 * volume,
             Vector3d::Zero());
}

TEST(TouchingRounds, PressedOnAPlaneAreLayers) {
  const Vector3d inner(0.02, 0.03, 0.01);
  const double r = 0.004;
  const Solid part = RoundedBox(inner, r, true);
  Random random(62);
  for (const double depth : {1e-3, 1e-5, 1e-7}) {
    for (int n = 0; n < 2; ++n) {
      SCOPED_TRACE(::testing::Message() << depth << ' ' << n);
      const Pose X = random.PoseAt(random.UniformVector(-0.1, 0.1));
      const Pose X_WA = Pose{X * Vector3d(0.0, 0.0, 0.5 * inner.z() + r - depth), X.q};
      const Metrics metrics = PreparedPair(part, HalfSpace()).Query(X_WA, X, Asking(1e-6));
      // The pose is rounded.
      const double volume = VolumeOfLayer(inner, r, depth), allowed = 1e-6 + 1e-15 / depth;
      const double area = (VolumeOfLayer(inner, r, depth * (1.0 + 1e-4)) -
                           VolumeOfLayer(inner, r, depth * (1.0 - 1e-4))) /
                          (2e-4 * depth);
      EXPECT_TRUE(metrics.converged) << metrics.stats.fallback;
      EXPECT_NEAR(metrics.volume, volume, allowed * volume);
      EXPECT_NEAR(metrics.area_vector_W.norm(), area, 1e-5 * area);
      EXPECT_NEAR(metrics.contact_area, area, 1e-3 * area);
      EXPECT_GT(metrics.area_vector_W.normalized().dot(X.Rotation().col(2)), 1.0 - 1e-9);
    }
  }
}

// The same as CAD programs have it: a box whose edges and corners are cut off beyond cylinders and
// balls that end where they touch its sides.
Solid BoxLessItsEdges(const Vector3d& inner, double r) {
  const auto beyond = [&](int k, int side) {
    const Pose up = AlongAxis(k, Vector3d::Zero());
    const Solid below = side > 0 ? HalfSpace() : Complement(HalfSpace());
    return Complement(side > 0 ? below.Posed(AlongAxis(k, 0.5 * inner[k] * Vector3d::Unit(k)))
                               : below.Posed(Pose{-0.5 * inner[k] * Vector3d::Unit(k), up.q}));
  };
  std::vector<Solid> cuts;
  for (int corner = 0; corner < 8; ++corner) {
    const int side[3] = {corner % 2 * 2 - 1, corner / 2 % 2 * 2 - 1, corner / 4 * 2 - 1};
    const Vector3d t = 0.5 * inner.cwiseProduct(Vector3d(side[0], side[1], side[2]));
    for (int k = 0; k < 3; ++k) {
      if (side[k] < 0) continue;
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const Vector3d axis = t - t[k] * Vector3d::Unit(k);
      cuts.push_back(Difference(Intersection({beyond(i, side[i]), beyond(j, side[j])}),
                                {InfiniteCylinder(r).Posed(AlongAxis(k, axis))}));
    }
    cuts.push_back(
        Difference(Intersection({beyond(0, side[0]), beyond(1, side[1]), beyond(2, side[2])}),
                   {Sphere(r).Posed(Pose{t})}));
  }
  return Difference(Box(inner + 2.0 * r * Vector3d::Ones()), cuts);
}

// Surfaces that touch along lines and circles, and in points where these meet, have their edges
// found without cells, also in frames as flat as a shallow contact.
TEST(TouchingRounds, EdgesCutRoundNeedNoCells) {
  const Vector3d inner(0.054, 0.034, 0.014);
  const double r = 0.003;
  const Solid part = BoxLessItsEdges(inner, r);
  const MassProperties mass = ComputeMassProperties(part, Asking(1e-9));
  EXPECT_TRUE(mass.converged);
  EXPECT_LT(mass.stats.cells, 100) << mass.stats.fallback;
  const double whole = VolumeOfRoundedBox(inner, r);
  EXPECT_NEAR(mass.volume, whole, 1e-9 * whole);
  const PreparedPair pair(part, HalfSpace());
  for (const double depth : {2e-3, 1e-3, 1e-4, 1e-5}) {
    SCOPED_TRACE(depth);
    const Pose X_WA = At(0.0, 0.0, 0.5 * inner.z() + r - depth);
    const Metrics metrics = pair.Query(X_WA, Pose(), Asking(1e-9));
    const double volume = VolumeOfLayer(inner, r, depth), allowed = 1e-9 + 1e-16 / depth;
    EXPECT_TRUE(metrics.converged);
    EXPECT_TRUE(metrics.stats.fallback.empty()) << metrics.stats.fallback;
    EXPECT_NEAR(metrics.volume, volume, allowed * volume);
  }
}

// A little askew on the plane, as at rest in a simulation: what touches lies at a small angle to
// what cuts it. Columns do not look for edges.
TEST(TouchingRounds, EdgesCutRoundALittleAskewNeedNoCells) {
  const Vector3d inner(0.054, 0.034, 0.014);
  const double r = 0.003;
  const PreparedPair pair(BoxLessItsEdges(inner, r), HalfSpace());
  Random random(65);
  QueryOptions by_columns = Asking(1e-6);
  by_columns.method = Method::kColumns;
  for (const double depth : {1e-6, 1e-5, 1e-4}) {
    for (const double tilt : {1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
      SCOPED_TRACE(::testing::Message() << depth << ' ' << tilt);
      const double angle = random.Uniform(0.0, 2.0 * kPi);
      const Eigen::Quaterniond q(
          Eigen::AngleAxisd(tilt, Vector3d(std::cos(angle), std::sin(angle), 0.0)));
      double lowest = 0.0;
      for (int corner = 0; corner < 8; ++corner) {
        const Vector3d side(corner % 2 - 0.5, corner / 2 % 2 - 0.5, corner / 4 - 0.5);
        lowest = std::min(lowest, (q * side.cwiseProduct(inner)).z());
      }
      const Pose X_WA{{0.0, 0.0, r - lowest - depth}, {q.w(), q.x(), q.y(), q.z()}};
      const Metrics metrics = pair.Query(X_WA, Pose(), Asking(1e-6));
      EXPECT_TRUE(metrics.converged);
      EXPECT_TRUE(metrics.stats.fallback.empty()) << metrics.stats.fallback;
      const Metrics columns = pair.Query(X_WA, Pose(), by_columns);
      EXPECT_NEAR(metrics.volume, columns.volume, metrics.volume_error + columns.volume_error);
      EXPECT_LE((metrics.centroid_W - columns.centroid_W).norm(), 1e-7);
      EXPECT_GT(metrics.normal_W.dot(columns.normal_W), 1.0 - 1e-9);
    }
  }
}

// What is below a plane and what is above add up to the whole, and A and B may be exchanged.
TEST(TouchingRounds, CutByAPlaneAddUp) {
  const Vector3d inner(0.02, 0.03, 0.01);
  const Solid part = RoundedBox(inner, 0.004, true);
  const double whole = VolumeOfRoundedBox(inner, 0.004);
  Random random(63);
  for (int n = 0; n < 4; ++n) {
    SCOPED_TRACE(n);
    const Solid ground = HalfSpace().Posed(random.PoseAt(random.UniformVector(-0.005, 0.005)));
    const Metrics below = Query(part, ground, Asking(1e-7)),
                  above = Query(part, Complement(ground), Asking(1e-7)),
                  exchanged = Query(ground, part, Asking(1e-7));
    EXPECT_TRUE(below.converged && above.converged && exchanged.converged);
    EXPECT_NEAR(below.volume + above.volume, whole, 2e-7 * whole);
    EXPECT_NEAR(exchanged.volume, below.volume, 2e-7 * below.volume);
    EXPECT_LE((exchanged.area_vector_W + below.area_vector_W).norm(),
              1e-6 * below.area_vector_W.norm());
  }
}

// A plate with a slot for a pin: a box less a box and two cylinders that touch its sides.
TEST(TouchingRounds, SlotsAndFillets) {
  Random random(64);
  const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
  const double width = 0.012, length = 0.03, r = 0.5 * width, thick = 0.01;
  const Solid slot = Union({Box({length, width, 2.0 * thick}),
                            Cylinder(r, 2.0 * thick).Posed(At(-0.5 * length, 0.0, 0.0)),
                            Cylinder(r, 2.0 * thick).Posed(At(0.5 * length, 0.0, 0.0))});
  const Solid plate = Difference(Box({0.08, 0.05, thick}), {slot});
  ExpectMass(plate.Posed(X), thick * (0.08 * 0.05 - length * width - kPi * r * r), X.t);
  // An angle with a fillet: what a cylinder that touches both legs leaves of a bar in the corner.
  const Solid bar = Box({r, r, thick}).Posed(At(0.5 * r, 0.5 * r, 0.0));
  const Solid fillet = Difference(bar, {Cylinder(r, 2.0 * thick).Posed(At(r, r, 0.0))});
  const Solid angle = Union({Box({0.04, 0.01, thick}).Posed(At(0.01, -0.005, 0.0)),
                             Box({0.01, 0.04, thick}).Posed(At(-0.005, 0.01, 0.0)), fillet});
  const double area = 0.04 * 0.01 + 0.04 * 0.01 - 0.01 * 0.01 + r * r * (1.0 - 0.25 * kPi);
  const MassProperties mass = ComputeMassProperties(angle.Posed(X), Asking(1e-9));
  EXPECT_TRUE(mass.converged) << mass.stats.fallback;
  EXPECT_NEAR(mass.volume, thick * area, 1e-9 * thick * area);
}

// Bodies that touch each other keep their size: only what touches its own body is made smaller.
TEST(TouchingRounds, OfTwoBodiesStay) {
  const Metrics metrics = Query(Sphere(0.1).Posed(At(0.0, 0.0, 0.1)),
                                Union({Box({1.0, 1.0, 0.2}).Posed(At(0.0, 0.0, -0.1)),
                                       Sphere(0.05).Posed(At(0.0, 0.0, 0.01))}),
                                Asking(1e-9));
  EXPECT_TRUE(metrics.converged);
  EXPECT_NE(metrics.stats.fallback, "round surfaces that touch others were made slightly smaller");
}

}  // namespace
}  // namespace volcontact::testing::touching_rounds_test
