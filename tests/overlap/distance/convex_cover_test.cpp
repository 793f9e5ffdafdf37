// Distances of convex bodies, and of solids that these cover.
#include "overlap/distance/convex_cover.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::convex_cover_test {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pose At(double x, double y, double z) { return {{x, y, z}, {1.0, 0.0, 0.0, 0.0}}; }

std::vector<ConvexBody> Bodies() {
  return {*ConvexBody::Of(SphereShape{0.5}),
          *ConvexBody::Of(CapsuleShape{0.2, 1.0}),
          *ConvexBody::Of(EllipsoidShape{{0.6, 0.4, 0.2}}),
          *ConvexBody::Of(CylinderShape{0.4, 0.7}),
          *ConvexBody::Of(ConeShape{0.5, 0.8, 0.0}),
          *ConvexBody::Of(ConeShape{0.2, 0.6, 0.5}),
          ConvexBody::HullOf(TorusShape{0.5, 0.1}),
          ConvexBody::BoxOf({0.5, 0.3, 0.2}),
          *ConvexBody::Of(SlabShape{0.2})};
}

Vector3d NearestOn(const BodyAtPose& X, const Vector3d& p) {
  const Vector3d local = X.R.transpose() * (p - X.t);
  const ConvexBody::Foot foot = X.body.FootOf(local);
  return foot.distance > 0.0 ? Vector3d(X.R * foot.point + X.t) : p;
}

// By projections on one body and the other in turn, which tend to the nearest points of convex
// sets.
double DistanceByProjections(const BodyAtPose& X, const BodyAtPose& Y) {
  Vector3d x = X.t, y = Y.t;
  for (int k = 0; k < 3000; ++k) {
    x = NearestOn(X, y);
    y = NearestOn(Y, x);
  }
  return (x - y).norm();
}

TEST(ConvexDistance, IsThatOfProjectionsInTurn) {
  Random random(3);
  int apart = 0;
  for (const ConvexBody& one : Bodies()) {
    for (const ConvexBody& other : Bodies()) {
      for (int k = 0; k < 6; ++k) {
        const Pose X = random.PoseAt(Vector3d::Zero());
        const Pose Y = random.PoseAt(random.Uniform(0.6, 1.6) * random.UnitVector());
        const BodyAtPose x = {one, X.Rotation(), X.t}, y = {other, Y.Rotation(), Y.t};
        const double expected = DistanceByProjections(x, y);
        const NearestPair found = ConvexDistance(x, y, kInfinity);
        if (!(expected > 1e-4)) continue;
        if (one.IsLayer() && other.IsLayer()) continue;
        ++apart;
        EXPECT_LE(found.lower, (1.0 + 1e-9) * expected);
        EXPECT_GE(found.lower, (1.0 - 1e-4) * expected);
        EXPECT_LE(found.upper, (1.0 + 1e-4) * expected);
        EXPECT_NEAR((found.x - found.y).norm(), found.upper, 1e-12);
        EXPECT_LE((NearestOn(x, found.x) - found.x).norm(), 1e-12);
        EXPECT_LE((NearestOn(y, found.y) - found.y).norm(), 1e-12);
      }
    }
  }
  EXPECT_GE(apart, 200);
}

TEST(ConvexDistance, IsZeroWhereBodiesMeet) {
  Random random(4);
  for (const ConvexBody& one : Bodies()) {
    for (const ConvexBody& other : Bodies()) {
      const Pose Y = random.PoseAt(0.02 * random.UnitVector());
      EXPECT_EQ(ConvexDistance({one}, {other, Y.Rotation(), Y.t}, kInfinity).lower, 0.0);
    }
  }
}

// Thin gaps of faces, edges and corners, down to roundings.
TEST(ConvexDistance, KeepsThinGaps) {
  const ConvexBody box = ConvexBody::BoxOf({0.5, 0.3, 0.2});
  const ConvexBody cylinder = *ConvexBody::Of(CylinderShape{0.4, 0.7});
  for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const NearestPair faces =
        ConvexDistance({box}, {box, Eigen::Matrix3d::Identity(), {0.1, 0.1, 0.4 + gap}}, kInfinity);
    EXPECT_NEAR(faces.lower, gap, 1e-15 + 1e-6 * gap);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(0.3, Vector3d::UnitX()).toRotationMatrix();
    // The rim's lowest point is below the middle by 0.35 cos + 0.4 sin.
    const double height = 0.35 * std::cos(0.3) + 0.4 * std::sin(0.3);
    const NearestPair rim =
        ConvexDistance({box}, {cylinder, R, {0.0, 0.1, 0.2 + height + gap}}, kInfinity);
    EXPECT_NEAR(rim.lower, gap, 1e-15 + 1e-6 * gap);
    EXPECT_NEAR(rim.upper, gap, 1e-15 + 1e-6 * gap);
  }
}

Solid Drilled() {
  return Difference(Box({2.0, 2.0, 0.5}), {Cylinder(0.3, 1.0).Posed(At(0.5, 0.0, 0.0))});
}

TEST(ConvexCover, IsTheSolidWhereNothingIsCutOff) {
  const Solid bracket = Union({Box({1.0, 0.6, 0.1}).Posed(At(0.5, 0.0, 0.05)),
                               Box({0.1, 0.6, 1.0}).Posed(At(0.05, 0.0, 0.5))});
  const PreparedPair pair(bracket, Drilled());
  // Above the bracket's wall, beside the hole.
  const Separation above = pair.Separate(Pose(), At(0.5, 0.2, 1.35));
  EXPECT_NEAR(above.distance_bound, 0.1, 1e-6);
  ASSERT_TRUE(above.nearest_W.has_value());
  EXPECT_NEAR(((*above.nearest_W)[0] - (*above.nearest_W)[1]).norm(), 0.1, 1e-6);
  // Corner to corner.
  const Separation corner = pair.Separate(Pose(), At(2.01, 1.32, 0.37));
  EXPECT_NEAR(corner.distance_bound, std::hypot(0.01, 0.02, 0.02), 1e-6);
}

// A pin through the hole: the plate's cover is in the way, and other searches tell.
TEST(ConvexCover, LeavesTheRestToOtherSearches) {
  const PreparedPair pair(Drilled(), Cylinder(0.2, 3.0));
  const Separation through = pair.Separate(Pose(), At(0.54, 0.0, 0.0));
  EXPECT_GE(through.distance_bound, 0.9 * 0.06);
  EXPECT_LE(through.distance_bound, 0.06);
  const ConvexCover plate(Drilled()), pin(Cylinder(0.2, 3.0));
  EXPECT_EQ(CoverDistance(plate, pin, Rigid(At(0.54, 0.0, 0.0)), kInfinity).lower, 0.0);
  // Over the hole the cover is nearer than the plate, and tells no points.
  const ConvexCover ball(Sphere(0.1));
  const NearestPair over = CoverDistance(plate, ball, Rigid(At(0.5, 0.0, 0.4)), kInfinity);
  EXPECT_NEAR(over.lower, 0.05, 1e-6);
  EXPECT_FALSE(over.HasPoints());
}

TEST(ConvexCover, IsNotKnownOfUnboundedAndGeneralSolids) {
  EXPECT_FALSE(ConvexCover(Complement(Sphere(1.0))).IsKnown());
  EXPECT_FALSE(ConvexCover(InfiniteCylinder(1.0)).IsKnown());
  EXPECT_FALSE(ConvexCover(PolynomialSolid({{1.0, {4, 0, 0}}, {-1.0, {0, 0, 0}}})).IsKnown());
  EXPECT_FALSE(ConvexCover(Union(std::vector<Solid>(65, Sphere(1.0)))).IsKnown());
  EXPECT_TRUE(ConvexCover(Intersection({Complement(Sphere(0.5)), Sphere(1.0)})).IsKnown());
  EXPECT_TRUE(ConvexCover(HalfSpace()).IsKnown());
}

// Bounds of moved solids never exceed what moving one by the bound allows.
TEST(ConvexCover, BoundsAreCertain) {
  Random random(5);
  const std::vector<Solid> solids = {
      Drilled(), Torus(0.5, 0.1), Union({Box({1.0, 0.2, 0.2}), Cylinder(0.2, 1.0)}),
      Difference(Sphere(0.6), {Box({1.0, 1.0, 1.0}).Posed(At(0.5, 0.5, 0.5))})};
  int checked = 0;
  for (int k = 0; k < 60; ++k) {
    const PreparedPair pair(solids[k % 4], solids[k / 4 % 4]);
    const Pose X_AB = random.PoseAt(random.Uniform(0.8, 2.5) * random.UnitVector());
    const Separation found = pair.Separate(Pose(), X_AB);
    if (!(found.distance_bound > 0.0) || !found.nearest_W) continue;
    ++checked;
    const Vector3d step = (*found.nearest_W)[0] - (*found.nearest_W)[1];
    EXPECT_LE(found.distance_bound, step.norm() + 1e-12);
    const auto moved = [&](double part) { return Pose{X_AB.t + part * step, X_AB.q}; };
    EXPECT_NE(pair.Overlaps(Pose(), moved(0.999 * found.distance_bound / step.norm())),
              OverlapProof::kOverlap);
    EXPECT_EQ(pair.Overlaps(Pose(), moved(1.01)), OverlapProof::kOverlap);
  }
  EXPECT_GE(checked, 30);
}

// Bodies that touch in a point, in a common plane at right angles to a random direction, and the
// same a little nearer or farther.
TEST(ConvexCover, PlanesSeparateBodiesThatTouch) {
  Random random(11);
  const std::vector<Solid> solids = {
      Sphere(0.5),    Capsule(0.2, 1.0),   Ellipsoid({0.6, 0.4, 0.2}), Cylinder(0.4, 0.7),
      Cone(0.5, 0.8), Cone(0.2, 0.6, 0.5), Box({1.0, 0.6, 0.4})};
  const auto support = [](const Solid& solid, const Pose& X, const Vector3d& n) -> Vector3d {
    const auto body = [&] {
      const Shape& shape = solid.node().shape;
      const auto* box = std::get_if<BoxShape>(&shape);
      return box ? ConvexBody::BoxOf(0.5 * Vector3d(box->size.data())) : *ConvexBody::Of(shape);
    };
    return X.Rotation() * *body().SupportPoint(X.Rotation().transpose() * n) + X.t;
  };
  int separate = 0, count = 0;
  for (const Solid& one : solids) {
    for (const Solid& other : solids) {
      for (int k = 0; k < 4; ++k) {
        const Vector3d n = random.UnitVector();
        Pose X_AB = random.PoseAt(Vector3d::Zero());
        X_AB.t = support(one, Pose(), n) - support(other, X_AB, -n);
        const ConvexCover A(one), B(other);
        const auto at = [&](double gap) { return Rigid(Pose{X_AB.t + gap * n, X_AB.q}); };
        ++count;
        separate += DoPlanesSeparate(A, B, at(0.0));
        EXPECT_TRUE(DoPlanesSeparate(A, B, at(1e-9)));
        EXPECT_FALSE(DoPlanesSeparate(A, B, at(-1e-9)));
      }
    }
  }
  // Where two sharp rims or edges cross, neither tells the plane to all digits.
  EXPECT_GE(separate, count - 4);
}

// Cones that roll on each other, about their common apex, touch along a line.
TEST(ConvexCover, PlanesSeparateConesThatTouchAlongALine) {
  for (const double angle : {0.3, 0.7, 1.2}) {
    const Solid cone = Cone(std::tan(angle), 1.0).Posed(At(0.0, 0.0, -1.0));
    for (const double spin : {0.0, 0.4, 2.0}) {
      const auto turned = [&](double by) {
        return cone.Posed(AxisAngle(Vector3d::UnitY(), by))
            .Posed(AxisAngle(Vector3d::UnitZ(), spin));
      };
      const PreparedPair pair(cone, turned(2.0 * angle));
      const Metrics metrics = pair.Query(Pose(), Pose());
      EXPECT_TRUE(metrics.converged);
      EXPECT_FALSE(metrics.undecided);
      EXPECT_EQ(metrics.volume, 0.0);
      EXPECT_NE(pair.Overlaps(Pose(), Pose()), OverlapProof::kOverlap);
      EXPECT_TRUE(PreparedPair(cone, turned(2.0 * angle - 1e-5)).Query(Pose(), Pose()).overlap);
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::convex_cover_test
