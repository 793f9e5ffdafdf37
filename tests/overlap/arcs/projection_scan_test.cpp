// The area of a projection by lines, against closed forms.
#include "overlap/arcs/lines/projection_scan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "overlap/region_testing.h"
#include "support/random_solids.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

LocalProblem Localized(const Solid& solid, const Vector3d& half) {
  const Pose askew = PoseAt(0.1, 0.2, -0.1, 0.3, 0.5, -0.2);
  return ProblemOf(RegionOf(solid.Posed(askew), Box({9.0, 9.0, 9.0}).Posed(askew)),
                   FrameAt(askew, half));
}

TEST(ProjectionScan, EllipsoidsFromAllSides) {
  Random random(7);
  for (const Vector3d& axes :
       {Vector3d(1.0, 1.0, 1.0), Vector3d(1.0, 0.3, 0.05), Vector3d(0.9, 0.8, 0.001)}) {
    const LocalProblem problem = Localized(Ellipsoid({axes.x(), axes.y(), axes.z()}), 1.1 * axes);
    for (int k = 0; k < 5; ++k) {
      const Vector3d n = k == 0 ? Vector3d::UnitZ() : random.UnitVector();
      const double area = pi * axes.prod() * n.cwiseQuotient(axes).norm();
      EXPECT_NEAR(ScanProjection(problem, n) / area, 1.0, 1e-3);
    }
  }
}

TEST(ProjectionScan, RingsAndPartsBehindEachOther) {
  const double R = 0.7, r = 0.2;
  const LocalProblem ring = Localized(Torus(R, r), {1.0, 1.0, 0.25});
  EXPECT_NEAR(ScanProjection(ring, Vector3d::UnitZ()) / (4.0 * pi * R * r), 1.0, 1e-3);
  EXPECT_NEAR(ScanProjection(ring, Vector3d::UnitX()) / (4.0 * R * r + pi * r * r), 1.0, 1e-3);
  const auto ball = [](double x, double y, double z) {
    return Sphere(0.3).Posed({{x, y, z}, {1.0, 0.0, 0.0, 0.0}});
  };
  const LocalProblem balls = Localized(
      Union({ball(0.0, 0.0, -0.5), ball(0.0, 0.0, 0.5), ball(0.65, 0.0, 0.0)}), {1.0, 1.0, 1.0});
  EXPECT_NEAR(ScanProjection(balls, Vector3d::UnitZ()) / (2.0 * pi * 0.09), 1.0, 1e-3);
}

}  // namespace
}  // namespace volcontact::testing
