// Surfaces that nearly coincide, or nearly touch: flush faces a hair apart, a bar in its slot,
// planes nearly along cylinders, and parts of contacts close beside each other.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "overlap/arcs/curves/quadric_curves.h"
#include "overlap/arcs/curves/section_graphs.h"
#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::near_coincidences_test {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

// Faces that are parallel a hair apart have no common points, which cells of any size see.
TEST(NearCoincidences, FlushBoxesCostFewCells) {
  for (const double gap : {1e-3, 1e-6, 1e-8}) {
    const Solid A = Union({Box({1.0, 1.0, 1.0}), Box({1.0, 1.0, 1.0}).Posed(At(0.5, gap, gap))});
    const Solid B = Box({1.5, 0.5, 2.0}).Posed(At(0.25, 0.375, 0.0));
    const ArcMethodResult result = SumEdgesOf(A, B, {.tolerance = 1e-10, .whole_curves = false});
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure) << " at " << gap;
    EXPECT_LE(result.cells, 1500) << gap;
    // The part of either box of A above y = 0.125, less the part that both have.
    const double first = 1.0 * 0.375;                 // of the lower box
    const double second = 1.0 * (0.375 + gap);        // of the upper one
    const double common = 0.5 * 0.375 * (1.0 - gap);  // of both
    EXPECT_NEAR(result.raw.moments.volume / (first + second - common), 1.0, 1e-10) << gap;
  }
}

// A bar with round ends in the slot that it is a little too wide for.
TEST(NearCoincidences, BarInItsSlot) {
  const auto bar = [](double r, double height) {
    return Union({Box({1.0, 2.0 * r, height}), Cylinder(r, height).Posed(At(0.5, 0.0, 0.0)),
                  Cylinder(r, height).Posed(At(-0.5, 0.0, 0.0))});
  };
  const Solid plate = Difference(Box({2.0, 1.0, 0.4}), {bar(0.25, 1.0)});
  for (const double d : {1e-6, 1e-4, 1e-2}) {
    const double r = 0.25 + d;
    const double volume = 0.4 * (2.0 * d + pi * (r - 0.25) * (r + 0.25));
    const ArcMethodResult result = SumEdgesOf(plate, bar(r, 0.6), {.tolerance = 1e-6});
    ASSERT_EQ(result.failure, ArcFailure::kNone) << Describe(result.failure) << " at " << d;
    EXPECT_NEAR(result.raw.moments.volume / volume, 1.0, 1e-6) << d;
  }
}

// A drilled post whose end crosses a plate's top at a small angle, along a line a quarter of its
// width from its middle: A's top bounds the overlap on one side of that, B's end on the other.
TEST(NearCoincidences, FlushFacesThatCrossAtSmallAngles) {
  const Solid plate = Box({4.0, 4.0, 1.0}).Posed(At(0.0, 0.0, 0.5));
  const Solid post =
      Difference(Box({1.0, 1.0, 0.75}).Posed(At(0.0, 0.0, 0.625)), {Cylinder(0.2, 4.0)});
  QueryOptions options;
  options.tolerance = 1e-9;
  for (const double angle : {1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6}) {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, Vector3d::UnitY()));
    const Vector3d fixed(-0.25, 0.0, 1.0), t = fixed - q * fixed;
    const Pose X = {{t.x(), t.y(), t.z()}, {q.w(), q.x(), q.y(), q.z()}};
    const Metrics metrics = PreparedPair(plate, post).Query({}, X, options);
    const Metrics exchanged = PreparedPair(post, plate).Query(X, {}, options);
    const double wedge = 0.5 * 0.25 * 0.25 * angle;
    for (const Metrics& m : {metrics, exchanged}) {
      EXPECT_TRUE(m.converged) << angle;
      EXPECT_EQ(m.method, Method::kBoundary) << angle;
      EXPECT_NEAR(m.volume, 0.75 * (1.0 - 0.04 * pi) - wedge, 1e-11) << angle;
      EXPECT_NEAR(m.contact_area, 1.0 - 0.04 * pi, 1e-6) << angle;
      // Roundings of the faces move their common edge by that part of the angle.
      EXPECT_NEAR(std::abs(m.area_vector_W.z()), 0.25, 1e-7 + 1e-16 / angle) << angle;
    }
  }
}

// A pin a little too thick for its hexagonal socket and askew: six strips, and at the bottom a
// wedge beside one of them, which once counted twice.
TEST(NearCoincidences, WedgeBesideStrips) {
  const auto turned = [](double angle) {
    return Box({0.5, 3.0, 0.5})
        .Posed({{0.0, 0.0, 0.0}, {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)}});
  };
  const Solid hexagon = Intersection({turned(0.0), turned(pi / 3.0), turned(2.0 * pi / 3.0)});
  const Solid socket = Difference(Cylinder(0.5, 0.5), {hexagon.Posed(At(0.0, 0.0, 0.2))});
  const double r = 0.25000125458090106;
  const Pose askew = {
      {4.3825194316072466e-07, 1.3586709332167876e-07, 2.2060062558110049e-07},
      {0.9999999999997834, 3.2871704746603957e-07, 2.9899771481936111e-07, 4.8547567832472641e-07}};
  const Solid pin = Cylinder(r, 1.0).Posed(At(0.0, 0.0, 0.45)).Posed(askew);
  // The segment of the pin's end below the bottom: s u >= h, from the pose in 40 digits.
  const double segment = 7.058271946e-5;
  QueryOptions options;
  options.tolerance = 1e-6;
  const Metrics metrics = PreparedPair(socket, pin).Query(Pose(), Pose(), options);
  const Metrics exchanged = PreparedPair(pin, socket).Query(Pose(), Pose(), options);
  EXPECT_TRUE(metrics.converged);
  EXPECT_NEAR(std::abs(metrics.area_vector_W[2]) / segment, 1.0, 1e-3);
  EXPECT_NEAR(std::abs(exchanged.area_vector_W[2]) / segment, 1.0, 1e-3);
  EXPECT_NEAR(exchanged.volume / metrics.volume, 1.0, 1e-6);
}

// A countersunk pin as wide as its bore: its outlines run along the bore.
TEST(NearCoincidences, ContactAreaOfAPinAsWideAsItsBore) {
  constexpr double kRadius = 0.16, kHead = 0.2;
  const auto countersunk = [](double radius, double height) {
    const Solid head = Cone(radius, kHead, kRadius + kHead);
    return Union({Cylinder(kRadius, height).Posed(At(0.0, 0.0, -kHead - 0.5 * height + 0.01)),
                  head.Posed(At(0.0, 0.0, -kHead))});
  };
  const Solid plate = Difference(Box({1.0, 1.0, 0.4}).Posed(At(0.0, 0.0, -0.2)),
                                 {countersunk(0.999 * kRadius, 2.0)});
  const PreparedPair pair(countersunk(kRadius, 1.0), plate);
  for (const double tilt : {1e-6, 3e-5, 1e-3}) {
    double least = 1.0, most = 0.0;
    for (int k = 0; k < 5; ++k) {
      const double azimuth = 0.2 + 1.1 * k;
      const Vector3d way(std::cos(azimuth), std::sin(azimuth), 0.0);
      const Eigen::AngleAxisd turn(tilt, way);
      const Pose X_WA = MakePose(turn.toRotationMatrix(), Vector3d(0.0, 0.0, -2e-6));
      const Metrics metrics = pair.Query(X_WA, Pose());
      ASSERT_TRUE(metrics.converged);
      EXPECT_TRUE(metrics.warnings.empty()) << metrics.warnings.front();
      EXPECT_TRUE(metrics.stats.fallback.empty()) << metrics.stats.fallback;
      least = std::min(least, metrics.contact_area);
      most = std::max(most, metrics.contact_area);
    }
    EXPECT_LT(most - least, 1e-7 * most) << tilt;
  }
}

// The sections of cylinders by planes nearly along them, and of those that are flat in their frame:
// all of it that lies in the cube, on both surfaces.
TEST(SectionGraphs, LieOnBothSurfaces) {
  Random random(20261123);
  int graphs = 0;
  for (int n = 0; n < 400; ++n) {
    const double slope = std::pow(10.0, random.Uniform(-12.0, -2.0));
    const double depth = std::pow(10.0, random.Uniform(-6.0, -1.0));
    // y² bend + z² flat = z + …: a trough along x, and a plane that cuts it near its bottom.
    LocalSurface plane, trough;
    plane.psi.degree = 1;
    plane.psi.c[kZ] = 1.0;
    plane.psi.c[kX] = slope;
    plane.psi.c[kOne] = random.Uniform(-0.3, 0.3);
    trough.psi.degree = 2;
    trough.psi.c[kYY] = 1.0;
    trough.psi.c[kZZ] = 0.1 * depth;
    trough.psi.c[kZ] = -random.Uniform(0.1, 1.0);
    trough.psi.c[kOne] = random.Uniform(-0.3, 0.3);
    const CurveSurface quadric(trough, SurfaceKind::kElliptic);
    std::vector<WholeCurve> curves;
    if (!AddSectionGraphs(plane, quadric, &curves)) continue;
    for (const WholeCurve& curve : curves) {
      ++graphs;
      for (const double u : {0.07, 0.31, 0.5, 0.83}) {
        const double t = curve.from + u * (curve.to - curve.from), step = 1e-5;
        const CurvePoint point = curve.At(t);
        Vector3d gradient;
        EXPECT_LE(std::abs(EvaluateSurface(plane, point.p, &gradient)), 1e-14);
        EXPECT_LE(std::abs(EvaluateSurface(trough, point.p, &gradient)), 1e-13);
        const Vector3d difference = (curve.At(t + step).p - curve.At(t - step).p) / (2.0 * step);
        EXPECT_LE((point.derivative - difference).norm(), 1e-6 * (1.0 + difference.norm()));
      }
    }
  }
  EXPECT_GE(graphs, 200);
}

// Capsules that lie on a plane, nearly along it: whole curves and cells tell the same.
TEST(SectionGraphs, CapsulesOnAPlane) {
  const Solid plane = Box({4.0, 4.0, 1.0}).Posed(At(0.0, 0.0, -0.5));
  int compared = 0;
  for (const double tilt : {1e-7, 1e-5, 1e-3}) {
    const double depth = 1e-4, half = 0.25 * pi - 0.5 * tilt;
    const Solid capsule = Capsule(0.2, 0.5).Posed(
        {{0.0, 0.0, 0.2 - depth}, {std::cos(half), 0.0, std::sin(half), 0.0}});
    const ArcMethodResult curves = SumEdgesOf(plane, capsule, {.tolerance = 1e-6});
    const ArcMethodResult cells =
        SumEdgesOf(plane, capsule, {.tolerance = 1e-6, .whole_curves = false});
    EXPECT_EQ(curves.failure, ArcFailure::kNone) << Describe(curves.failure) << " at " << tilt;
    if (cells.failure != ArcFailure::kNone) continue;
    ++compared;
    EXPECT_NEAR(curves.raw.moments.volume / cells.raw.moments.volume, 1.0, 1e-6) << tilt;
  }
  EXPECT_GE(compared, 2);
}

}  // namespace
}  // namespace volcontact::testing::near_coincidences_test
