// The forces of the pieces of a divided contact, and whether one direction is right.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "volcontact/contact/division.h"
#include "volcontact/forces/pair_force.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::pieces_test {
namespace {

using Eigen::Vector3d;

// A ball in the mouth of a hole through a plate, whose upper face is at z = 5 mm.
constexpr double kBall = 0.015, kHole = 0.01, kFace = 0.005, kStiffness = 1e9;

Solid Ball() { return Sphere(kBall); }
Solid Holed() { return Difference(Box({0.06, 0.06, 0.01}), {Cylinder(kHole, 0.02)}); }

// The law's force on the ball at a height, from a section of the ring that it overlaps.
double RingForce(double z, int sectors) {
  const double d = z - kFace, squares = kBall * kBall - d * d - kHole * kHole;  // of its radii
  const auto across = [](double p) {  // twice the integral of ρ²/√(R² − ρ²)
    return kBall * kBall * std::asin(p / kBall) - p * std::sqrt(kBall * kBall - p * p);
  };
  const double edge = std::sqrt(kBall * kBall - kHole * kHole);
  const double volume =
      2.0 * std::numbers::pi * ((std::pow(edge, 3) - std::pow(d, 3)) / 3.0 - 0.5 * d * squares);
  const double half = std::numbers::pi / sectors;
  const double out =
      std::sin(half) / half * (across(std::sqrt(squares + kHole * kHole)) - across(kHole));
  return kStiffness * volume * squares / std::hypot(squares, out);
}

ContactParameters Spring(double restitution) {
  VolumetricNormal normal;
  normal.stiffness_a = kStiffness;
  normal.damping.restitution = restitution;
  ContactParameters laws;
  laws.normal = normal;
  return laws;
}

std::vector<ContactForce> Forces(const ContactParameters& laws, const PairInstant& instant,
                                 const ContactDivision& division) {
  std::vector<ContactForce> forces;
  for (const ForceAnswer& piece :
       ForcesOfPieces(laws, DividedPair(Ball(), Holed(), division), instant, {})) {
    forces.push_back(piece.force);
  }
  return forces;
}

PairInstant At(const Vector3d& place) { return {{{place}, Pose()}, {}, {}, {}}; }

TEST(ForcesOfPieces, CarryABallInTheMouthOfAHole) {
  for (const double z : {0.0159, 0.016, 0.0161}) {
    for (const int sectors : {6, 24, 96}) {
      const ContactForce sum = SumOf(Forces(Spring(1.0), At({0, 0, z}), {sectors, {false}}));
      const double force = RingForce(z, sectors);
      EXPECT_NEAR(sum.force_W.z(), force, 1e-5 * force) << z << ' ' << sectors;
      EXPECT_LT(sum.force_W.head<2>().norm(), 1e-5 * force);
    }
    // Straight up, all of the spring would push.
    EXPECT_GT(SumOf(Forces(Spring(1.0), At({0, 0, z}), {})).force_W.z(), 1.3 * RingForce(z, 24));
  }
}

TEST(ForcesOfPieces, EachHasItsOwnImpact) {
  PairInstant instant = At({0, 0, 0.016});
  instant.A.velocity_W = {0, 0, -0.2};
  const ContactForce sum = SumOf(Forces(Spring(0.5), instant, {24, {false}}));
  // f = k V (1 + d/e) at each one's speed of impact.
  const double force = RingForce(0.016, 24) * (1.0 + 0.716375266635688 / 0.5);
  EXPECT_NEAR(sum.force_W.z(), force, 1e-5 * force);
}

TEST(ForcesOfPieces, SumToAWrenchThatTakesTheirPowers) {
  PairInstant instant = At({2e-5, 1e-5, 0.016});
  instant.A = {{0.01, -0.02, -0.03}, {0.3, 0.2, 0.1}};
  ContactParameters laws = Spring(0.5);
  laws.friction = CoulombFriction{.mu = 0.3};
  const std::vector<ContactForce> forces = Forces(laws, instant, {24, {false}});
  const ContactForce sum = SumOf(forces);
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();  // about the ball's centre
  for (const ContactForce& each : forces) {
    force += each.force_W;
    torque += each.torque_W + (each.point_W - instant.poses.X_WA.t).cross(each.force_W);
  }
  const Vector3d arm = sum.point_W - instant.poses.X_WA.t;
  EXPECT_LT((sum.force_W - force).norm(), 1e-12 * force.norm());
  EXPECT_LT((sum.torque_W + arm.cross(sum.force_W) - torque).norm(), 1e-12 * force.norm());
  const double power = force.dot(instant.A.velocity_W) + torque.dot(instant.A.angular_velocity_W);
  EXPECT_NEAR(sum.powers.Total(), -power, 1e-9 * std::abs(power));
}

TEST(DirectionWatch, SeesWhatOneDirectionDoesNotStandFor) {
  DirectionWatch watch(Ball(), Holed());
  // On the plate; then in the mouth of its hole, back, and away.
  EXPECT_EQ(watch.FaultAt({{0.02, 0, 0.0199}}, Pose()), "");
  EXPECT_NE(watch.FaultAt({{0, 0, 0.016}}, Pose()).find("goes around a body"), std::string::npos);
  EXPECT_NE(watch.FaultAt({{0, 0, 0.01601}}, Pose()), "");  // no way to speak of
  EXPECT_EQ(watch.FaultAt({{0.02, 0, 0.0199}}, Pose()), "");
  EXPECT_EQ(watch.FaultAt({{0, 0, 0.1}}, Pose()), "");
}

TEST(DirectionWatch, SeesPatchesThatPushApart) {
  const Solid slot = Difference(Box({0.1, 0.06, 0.02}), {Box({0.2, 0.02, 0.04})});
  const std::string fault =
      DirectionWatch(Box({0.03, 0.02002, 0.01}), slot).FaultAt({{0, 1e-6, 0}}, Pose());
  EXPECT_NE(fault.find("patches that push in several directions"), std::string::npos) << fault;
  // Both feet of a bridge stand on one floor.
  const Solid bridge =
      Difference(Box({0.1, 0.02, 0.02}), {Box({0.06, 0.04, 0.01}).Posed({{0, 0, -0.01}})});
  EXPECT_EQ(DirectionWatch(bridge, HalfSpace()).FaultAt({{0, 0, 0.00999}}, Pose()), "");
}

}  // namespace
}  // namespace volcontact::testing::pieces_test
