// Rings: against integrals over circle segments, and where symmetry leaves no direction.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::ring_test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Vector3d;
using std::numbers::pi;

Pose Tilted(double angle) {
  return MakePose(AngleAxisd(angle, Vector3d(1.0, 0.3, 0.0).normalized()).toRotationMatrix(),
                  Vector3d::Zero());
}

struct RingOnPlane {
  double major, minor, depth, tilt;
};

// The depth of a section's circle below the plane, at an angle about the axis.
double DepthAt(const RingOnPlane& ring, double angle) {
  const double rise = std::sin(ring.tilt) * std::sin(angle);
  const double s = std::sqrt(1.0 - rise * rise);
  const double turned = -ring.minor * rise * rise / (1.0 + s);
  return (ring.depth + turned - ring.major * std::cos(angle) * std::sin(ring.tilt)) / s;
}

struct Truth {
  double volume = 0.0, area = 0.0;
  double moment = 0.0;  // first, along the direction in which the ring rises
};

// What a section adds, by the angle.
Truth SectionAt(const RingOnPlane& ring, double angle) {
  const double d = DepthAt(ring, angle), r = ring.minor;
  if (!(d > 0.0)) return {};
  const double half_chord = std::sqrt(d * (2.0 * r - d)),
               x = 4.0 * std::asin(std::sqrt(0.5 * d / r));
  double excess = x - std::sin(x);
  if (x < 0.5) {
    excess = 0.0;
    double term = x * x * x / 6.0;
    for (int n = 4; n < 24; n += 2) {
      excess += term;
      term *= -x * x / (n * (n + 1.0));
    }
  }
  const double rise = std::sin(ring.tilt) * std::sin(angle), s = std::sqrt(1.0 - rise * rise);
  const double lean = std::cos(angle) * std::sin(ring.tilt) / s;
  const double moment = 2.0 / 3.0 * half_chord * half_chord * half_chord;
  const double volume = 0.5 * r * r * excess * ring.major - moment * lean;
  // The section's own extent adds some r d to R², a millionth of it here.
  return {volume, 2.0 * half_chord * (ring.major - (r - d) * lean) / s,
          volume * ring.major * std::cos(angle)};
}

// Trapezoids in a variable in which the integrand goes on evenly beyond both ends.
Truth TruthOf(const RingOnPlane& ring) {
  constexpr int kSteps = 2000;
  double end = 0.0;
  if (DepthAt(ring, 0.0) < 0.0) {
    double outside = 0.0, inside = pi;
    for (int n = 0; n < 80; ++n) {
      const double middle = 0.5 * (outside + inside);
      (DepthAt(ring, middle) > 0.0 ? inside : outside) = middle;
    }
    end = inside;
  }
  Truth truth;
  for (int n = 0; n <= kSteps; ++n) {
    const double t = static_cast<double>(n) / kSteps, u = 0.5 * pi * t;
    const double angle = end > 0.0 ? pi - (pi - end) * std::sin(u) : pi * t;
    const double rate = end > 0.0 ? 0.5 * pi * (pi - end) * std::cos(u) : pi;
    const double weight = 2.0 * rate * (n == 0 || n == kSteps ? 0.5 : 1.0) / kSteps;
    const Truth section = SectionAt(ring, angle);
    truth.volume += weight * section.volume;
    truth.area += weight * section.area;
    truth.moment += weight * section.moment;
  }
  return truth;
}

// Rings that stand on a part of their arc, or on all of it by other depths.
TEST(RingOnPlane, NearlyFlatIsRight) {
  const std::vector<RingOnPlane> rings = {
      {0.0432, 0.0035, 9.1e-5, 2.9e-5}, {0.0495, 0.0023, 1.9e-4, 3.6e-5},
      {0.0504, 0.0036, 1.7e-4, 3.5e-5}, {0.0287, 0.0025, 1.2e-4, 6e-6},
      {0.0516, 0.0018, 1.5e-3, 1.1e-5}, {0.1307, 0.0062, 1.1e-5, 1.9e-4},
      {0.0333, 0.0026, 1.2e-3, 3.4e-5}, {0.0436, 0.0024, 1.5e-5, 5.7e-6},
      {0.0559, 0.0020, 1.3e-3, 6.3e-7}, {0.0240, 0.0024, 4.6e-5, 4.8e-7},
      {0.0537, 0.0020, 1.5e-4, 5.4e-7}};
  constexpr double kTolerance = 1e-6;
  QueryOptions options;
  options.tolerance = kTolerance;
  const Vector3d rising = Vector3d::UnitZ().cross(Vector3d(1.0, 0.3, 0.0).normalized());
  for (RingOnPlane ring : rings) {
    SCOPED_TRACE(::testing::Message() << "R " << ring.major << ", tilt " << ring.tilt);
    ring.depth *= ring.minor;
    const double height = -ring.minor + ring.depth;
    ring.depth = ring.minor + height;
    const Metrics metrics = PreparedPair(Torus(ring.major, ring.minor), HalfSpace())
                                .Query(Tilted(ring.tilt), Pose{{0.0, 0.0, height}}, options);
    const Truth truth = TruthOf(ring);
    EXPECT_TRUE(metrics.converged);
    EXPECT_NEAR(metrics.volume, truth.volume, kTolerance * truth.volume);
    EXPECT_NEAR(metrics.area_vector_W.z(), truth.area, 10.0 * kTolerance * truth.area);
    EXPECT_NEAR(metrics.contact_area, truth.area, 10.0 * kTolerance * truth.area);
    EXPECT_NEAR(metrics.centroid_W.dot(rising), truth.moment / truth.volume,
                30.0 * kTolerance * ring.major);
  }
}

// Turned about its middle a ring on a piston, or in a bore, is pushed nowhere.
TEST(RingOnPiston, HasNoDirection) {
  constexpr double kMajor = 0.05, kMinor = 0.004, kTilt = 1e-6;
  for (const double part : {1e-2, 1e-4}) {
    const double depth = part * kMinor, inner = kMajor - kMinor, outer = kMajor + kMinor;
    const Solid ring = Torus(kMajor, kMinor), piston = Cylinder(inner + depth, 0.05);
    const Solid bore = Difference(Cylinder(outer + 0.02, 0.05), {Cylinder(outer - depth, 0.1)});
    for (const bool in_bore : {false, true}) {
      const Solid& wall = in_bore ? bore : piston;
      const double edge = in_bore ? outer : inner;
      const double annulus = pi * depth * (2.0 * edge + (in_bore ? -depth : depth));
      for (const bool swapped : {false, true}) {
        SCOPED_TRACE(::testing::Message() << part << (in_bore ? " bore" : " piston") << swapped);
        const Pose tilted = Tilted(kTilt);
        const Metrics metrics = swapped ? PreparedPair(wall, ring).Query(Pose{}, tilted, {})
                                        : PreparedPair(ring, wall).Query(tilted, Pose{}, {});
        ASSERT_TRUE(metrics.overlap);
        EXPECT_TRUE(metrics.area_normal_W.isZero()) << metrics.area_vector_W.transpose();
        EXPECT_FALSE(GeometryOf(metrics).touching);
        EXPECT_NEAR(std::abs(metrics.normal_W.z()), 1.0, 1e-3);
        EXPECT_NEAR(metrics.contact_area, annulus, 2e-3 * annulus);
      }
    }
  }
}

// A bead moved along the axis of its groove, a little off it: where it reaches beyond the groove's
// mouth lines enter and leave by its own faces alone.
TEST(BeadInGroove, LinesThroughOneBodyCount) {
  constexpr double kMajor = 0.26, kBead = 0.0167, kGroove = 0.0177, kBore = 0.2622, kShift = 0.0129;
  const Solid bead = Torus(kMajor, kBead);
  const Solid hub = Difference(Cylinder(0.52, 0.5), {Cylinder(kBore, 1.0), Torus(kMajor, kGroove)});
  double truth = 0.0;
  constexpr int kSteps = 200'000;
  const double width = (kMajor + kBead - kBore) / kSteps;
  for (int n = 0; n < kSteps; ++n) {
    const double from_middle = kBore - kMajor + (n + 0.5) * width;
    const double of_bead = std::sqrt(kBead * kBead - from_middle * from_middle);
    const double of_groove = std::sqrt(kGroove * kGroove - from_middle * from_middle);
    const int intervals = (of_bead - kShift > of_groove) + (-of_bead - kShift < -of_groove);
    truth += 2.0 * pi * (kMajor + from_middle) * width * intervals;
  }
  const Pose moved{{1.7e-7, 0.0, -kShift}};
  const Metrics one = PreparedPair(bead, hub).Query(moved, Pose{});
  const Metrics other = PreparedPair(hub, bead).Query(Pose{}, moved);
  for (const Metrics& metrics : {one, other}) {
    EXPECT_NEAR(std::abs(metrics.normal_W.z()), 1.0, 1e-6);
    EXPECT_NEAR(metrics.contact_area, truth, 1e-2 * truth);
  }
  EXPECT_NEAR((one.area_vector_W + other.area_vector_W).norm(), 0.0, 2e-5 * truth);
}

}  // namespace
}  // namespace volcontact::testing::ring_test
