// Overlaps of several parts of which one has no sums over edges, and surfaces closer to each other
// than the tolerance lets count: once found with other parts counted twice, or terms lost.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

Metrics QueryAt(const Solid& A, const Solid& B, double tolerance) {
  QueryOptions options;
  options.tolerance = tolerance;
  options.max_cells = 100'000;
  return PreparedPair(A, B).Query(Pose(), Pose(), options);
}

// The overlap of a shaft of this radius, outside the slot |y| < s at x > 0, with a hub of this
// height whose bore and slot are the same but moved by t and turned by w, a small vector: between
// two circles in each slice, by midpoint sums over slices and angles. Errors are of third order in
// t.
double OverlapOfKeyedBore(double radius, double s, double height, const Vector3d& t,
                          const Vector3d& w) {
  constexpr int kSlices = 4, kAngles = 400'000;
  double volume = 0.0;
  for (int i = 0; i < kSlices; ++i) {
    const double z = height * ((i + 0.5) / kSlices - 0.5);
    const double cx = t.x() + w.y() * z, cy = t.y() - w.x() * z;
    for (int k = 0; k < kAngles; ++k) {
      const double angle = 2.0 * pi * (k + 0.5) / kAngles;
      const double along = cx * std::cos(angle) + cy * std::sin(angle);
      const double across = cx * std::sin(angle) - cy * std::cos(angle);
      const double bore = along + std::sqrt(radius * radius - across * across);
      const double y = 0.5 * (radius + bore) * std::sin(angle);
      const bool is_in_slot = std::cos(angle) > 0.0 && (std::abs(y) < s || std::abs(y - cy) < s);
      if (bore < radius && !is_in_slot) volume += 0.5 * (radius * radius - bore * bore);
    }
  }
  return volume * height / kSlices * 2.0 * pi / kAngles;
}

// A keyed shaft in a hub with the same key, a hundredth of a millimetre off: exchanged, the same.
TEST(PartsApart, KeyInItsKeyway) {
  const Solid key = Box({0.2, 0.15, 2.0}).Posed(At(0.3, 0.0, 0.0));
  const Solid shaft = Difference(Cylinder(0.3, 1.2), {key});
  const Pose off{{-1.0615200282126437e-05, -1.3393780441432178e-05, 1.0421810057312028e-05},
                 {0.99999999999997702, -1.7898003280559489e-07, -1.1748229658403462e-07,
                  -1.2268204596503135e-08}};
  const Solid hub = Difference(Cylinder(0.6, 0.5),
                               {Cylinder(0.3, 1.0), Box({0.2, 0.15, 1.0}).Posed(At(0.3, 0.0, 0.0))})
                        .Posed(off);
  const Metrics metrics = QueryAt(shaft, hub, 1e-6), exchanged = QueryAt(hub, shaft, 1e-6);
  EXPECT_NEAR(metrics.volume, exchanged.volume, 2e-6 * exchanged.volume);
  const double expected =
      OverlapOfKeyedBore(0.3, 0.075, 0.5, off.t, 2.0 * Vector3d(off.q[1], off.q[2], off.q[3]));
  EXPECT_NEAR(metrics.volume, expected, 2e-5 * expected);
}

// A box that is summed over edges beside a ball that all but fills a hollow one, whose overlap is
// nothing.
TEST(PartsApart, BoxBesideABallThatFillsItsHollow) {
  const Solid shell = Difference(Sphere(1.0), {Sphere(0.5)});
  const Solid box = Box({0.1, 0.1, 0.1}).Posed(At(0.7, 0.0, 0.0));
  const double shift = 6.6264304526189448e-08;
  const Solid ball = Sphere(0.5 - shift / 2.0).Posed(At(shift, 0.0, 0.0));
  Random random(20);
  const Pose X = random.PoseAt(random.UniformVector(-1.0, 1.0));
  const Solid A = shell.Posed(X), B = Union({ball, box}).Posed(X);
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    SCOPED_TRACE(tolerance);
    const Metrics metrics = QueryAt(A, B, tolerance);
    // The box, and less than a shell as thick as the shift over half of the ball.
    EXPECT_GE(metrics.volume, 1e-3 * (1.0 - tolerance) - metrics.volume_error);
    EXPECT_LE(metrics.volume, 1e-3 + pi * 0.5 * shift + metrics.volume_error);
  }
}

// A cone that fills its socket but for less than the tolerance lets count as one: right, or said
// not to be.
TEST(PartsApart, ConeInItsSocket) {
  const Solid socket = Difference(Box({2.0, 2.0, 1.2}).Posed(At(0.0, 0.0, 0.5)), {Cone(0.5, 1.0)});
  Random random(102);
  int converged = 0;
  for (const double gap : {1e-6, 1e-8, 1e-10}) {
    const Pose X = random.PoseAt(random.UniformVector(-2.0, 2.0));
    const Solid cone = Cone(0.5 + gap, 1.0).Posed(At(0.0, 0.0, gap));
    for (const double tolerance : {1e-3, 1e-6}) {
      SCOPED_TRACE(::testing::Message() << gap << " at " << tolerance);
      const Metrics metrics = QueryAt(socket.Posed(X), cone.Posed(X), tolerance);
      const double expected = pi * gap * (1.0 / 3.0 + 1.0 / 4.0);
      ASSERT_TRUE(metrics.volume_bounds);
      EXPECT_LE((*metrics.volume_bounds)[0], expected * (1.0 + 1e-5 + 1e-15 / gap));
      EXPECT_GE((*metrics.volume_bounds)[1], expected * (1.0 - 1e-5 - 1e-15 / gap));
      if (!metrics.converged) continue;
      ++converged;
      // Poses in doubles are known to 1e-16.
      EXPECT_NEAR(metrics.volume, expected, (10.0 * tolerance + 1e-15 / gap) * expected);
    }
  }
  EXPECT_GE(converged, 4);  // of 6
}

// No line sees less of a contact than the sum of the faces it meets.
TEST(PartsApart, ContactAreaIsNoLessThanTheAreaVectorAlongTheNormal) {
  std::vector<Solid> flats;
  for (int k = 0; k < 3; ++k) {
    flats.push_back(Box({0.5, 2.0, 2.0}).Posed(AxisAngle({0.0, 0.0, 1.0}, k * pi / 3.0)));
  }
  const Solid head = Difference(Cylinder(0.6, 0.8), {Intersection(flats)});
  for (const double excess : {1e-6, 2.44e-5, 1e-4}) {
    SCOPED_TRACE(excess);
    const Solid key = Cylinder(0.25 + excess, 1.0).Posed(At(1e-5, -2e-5, 0.45 - excess));
    for (const bool exchanged : {false, true}) {
      const Metrics metrics = exchanged ? QueryAt(key, head, 1e-6) : QueryAt(head, key, 1e-6);
      ASSERT_TRUE(metrics.overlap);
      EXPECT_GE(metrics.contact_area,
                std::abs(metrics.area_vector_W.dot(metrics.normal_W)) * (1.0 - 1e-12));
    }
  }
}

}  // namespace
}  // namespace volcontact::testing
