// Symmetries of shapes, and motions that bring them to the same places.
#include "simbody/shape_symmetry.h"

#include <gtest/gtest.h>

#include <cmath>

#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using volcontact::Pose;
using volcontact::Solid;
using volcontact::simbody::BodyMove;
using volcontact::simbody::MoveLess;
using volcontact::simbody::PosedBy;
using volcontact::simbody::ShapeSymmetry;
using volcontact::simbody::SymmetryOf;
using Kind = ShapeSymmetry::Kind;

Pose At(const Vector3d& t, const Quaterniond& turn = Quaterniond::Identity()) {
  return {t, {turn.w(), turn.x(), turn.y(), turn.z()}};
}

Pose Moved(const BodyMove& move, const Pose& X) {
  const Quaterniond turn = move.turn * Quaterniond(X.q[0], X.q[1], X.q[2], X.q[3]);
  return At(move * X.t, turn.normalized());
}

Quaterniond Turn(double angle, const Vector3d& axis) {
  return Quaterniond(AngleAxisd(angle, axis.normalized()));
}

// A ring with a groove inside, as of a bearing.
Solid OuterRing() {
  return volcontact::Difference(
      volcontact::Cylinder(0.027, 0.008),
      {volcontact::Cylinder(0.0225, 0.02), volcontact::Torus(0.019838, 0.00416)});
}

TEST(ShapeSymmetry, IsThatOfAllPartsTogether) {
  EXPECT_EQ(SymmetryOf(volcontact::Sphere(1.0)).kind, Kind::kCenter);
  EXPECT_EQ(SymmetryOf(OuterRing()).kind, Kind::kAxis);
  EXPECT_EQ(SymmetryOf(volcontact::Box({1, 1, 1})).kind, Kind::kNone);
  EXPECT_EQ(SymmetryOf(Solid()).kind, Kind::kNone);
  const Solid ball = volcontact::Sphere(0.5).Posed(At({0, 0, 0.3}));
  EXPECT_EQ(SymmetryOf(volcontact::Union({OuterRing(), ball})).kind, Kind::kAxis);
  EXPECT_EQ(SymmetryOf(volcontact::Union({OuterRing(), ball.Posed(At({1e-9, 0, 0}))})).kind,
            Kind::kNone);
  EXPECT_EQ(SymmetryOf(volcontact::Union({ball, volcontact::Sphere(0.5)})).kind, Kind::kNone);
  const Pose X = At({1, 2, 3}, Turn(1.0, {1, 2, 3}));
  const ShapeSymmetry ring = SymmetryOf(OuterRing().Posed(X));
  EXPECT_EQ(ring.kind, Kind::kAxis);
  EXPECT_LT((ring.axis - X.Rotation() * Vector3d::UnitZ()).norm(), 1e-15);
}

// The overlap where shapes have gone is that where they seem to have, and they have moved less.
void ExpectTheSame(const Solid& a, const Solid& b, const Pose& X_WA, const Pose& X_WB,
                   const Pose& Y_WA, const Pose& Y_WB, const Vector3d& point, double most) {
  BodyMove A(X_WA, Y_WA), B(X_WB, Y_WB);
  MoveLess(PosedBy(X_WA, SymmetryOf(a)), PosedBy(X_WB, SymmetryOf(b)), point, &A, &B);
  EXPECT_LT((B.Back(A * point) - point).norm(), most);
  EXPECT_LT(B.turn.angularDistance(A.turn), most);
  const volcontact::PreparedPair pair(a, b);
  const volcontact::Metrics there = pair.Query(Y_WA, Y_WB);
  const volcontact::Metrics same = pair.Query(Moved(A, X_WA), Moved(B, X_WB));
  ASSERT_TRUE(there.overlap && same.overlap);
  EXPECT_NEAR(same.volume, there.volume, 1e-6 * there.volume);
  EXPECT_LT((same.centroid_W - there.centroid_W).norm(), 1e-8);
  EXPECT_LT((same.area_vector_W - there.area_vector_W).norm(), 1e-6 * there.area_vector_W.norm());
}

TEST(MoveLess, ABallThatRollsInARingDoesNotMoveAgainstIt) {
  const Solid ball = volcontact::Sphere(0.004), ring = OuterRing();
  const Pose X_WB = At({0.1, 0.2, 0.3}, Turn(0.3, {1, 1, 0}));
  const Pose X_WA = volcontact::Compose(X_WB, At({0.02, 0, 0}));
  const Pose Y_WB = At({0.1, 0.2, 0.3}, Turn(0.3, {1, 1, 0}) * Turn(2.5, {0, 0, 1}));
  const Vector3d around{0.02 * std::cos(2.0), 0.02 * std::sin(2.0), 0};
  const Pose Y_WA = volcontact::Compose(X_WB, At(around, Turn(1.5, {1, 2, 3})));
  const Vector3d point = X_WB * Vector3d(0.024, 0, 0);
  ExpectTheSame(ball, ring, X_WA, X_WB, Y_WA, Y_WB, point, 1e-14);
  ExpectTheSame(ring, ball, X_WB, X_WA, Y_WB, Y_WA, point, 1e-14);
}

TEST(MoveLess, ARollerInABushTurnsFreelyAsBallsOnBallsDo) {
  const Solid roller = volcontact::Cylinder(0.01, 0.02);
  const Solid bush =
      volcontact::Difference(volcontact::Cylinder(0.05, 0.01), {volcontact::Cylinder(0.03, 0.05)});
  const Pose X_WA = At({0.020002, 0, 0});
  const Pose Y_WA = At(Turn(1.0, {0, 0, 1}) * Vector3d(0.020002, 0, 0), Turn(2.0, {0, 0, 1}));
  ExpectTheSame(roller, bush, X_WA, Pose(), Y_WA, At({0, 0, 0}, Turn(-0.7, {0, 0, 1})),
                {0.03, 0, 0}, 1e-14);
  const Solid one = volcontact::Sphere(0.01), other = volcontact::Sphere(0.02);
  ExpectTheSame(one, other, At({0.029, 0, 0}), Pose(),
                At(Turn(1.0, {1, 2, 3}) * Vector3d(0.029, 0, 0), Turn(1.0, {3, 2, 1})),
                At({0, 0, 0}, Turn(2.0, {1, 0, 1})), {0.0195, 0, 0}, 1e-14);
  // A box has none: the ball's turning alone is undone.
  BodyMove A(Pose(), At({0.001, 0, 0}, Turn(0.5, {0, 1, 0}))), B{Pose(), Pose()};
  MoveLess(SymmetryOf(one), ShapeSymmetry(), {0, 0, -0.01}, &A, &B);
  EXPECT_LT((A * Vector3d(0, 0, -0.01) - Vector3d(0.001, 0, -0.01)).norm(), 1e-16);
}

}  // namespace
