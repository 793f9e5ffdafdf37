// Contacts that are divided where they begin, or where they have come to go around a body.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion/world.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::motion_division_test {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.005, kLength = 0.05, kPlay = 1e-5;  // [m]
constexpr double kMass = 8000.0 * std::numbers::pi * kRadius * kRadius * kLength;
constexpr double kWeight = 9.81 * kMass;

ContactParameters Laws(double stiffness, double mu) {
  ContactParameters laws;
  VolumetricNormal normal;
  normal.stiffness_a = stiffness;
  normal.damping.restitution = 0.5;
  laws.normal = normal;
  if (mu > 0.0) {
    BristleFriction bristles;
    bristles.mu_s = bristles.mu_c = mu;
    bristles.sigma0 = 1e5;
    bristles.sigma1 = 300.0;
    laws.friction = bristles;
  }
  return laws;
}

// A bore along z through a plate from z = -0.02 to 0, before which its lower half is a trough.
Solid Bored(double trough_length = 0.06) {
  const Solid bore = Cylinder(kRadius + kPlay, 0.2);
  const Solid plate = Difference(Box({0.04, 0.04, 0.02}).Posed({{0, 0, -0.01}}), {bore});
  const Solid trough =
      Difference(Box({0.04, 0.02, trough_length}).Posed({{0, -0.01, 0.5 * trough_length}}), {bore});
  return Union({plate, trough});
}

PairStepOptions Given() {
  PairStepOptions options;
  options.division = {kUsualSectors, {true, Vector3d::Zero(), Vector3d::UnitZ()}};
  return options;
}

PairStepOptions Later() {
  PairStepOptions options;
  options.later = {DivisionChoice::Kind::kAuto};
  return options;
}

World PegAt(const Vector3d& place, const Vector3d& velocity, const Solid& plate,
            const ContactParameters& laws, const PairStepOptions& options) {
  World world;
  WorldBody peg;
  peg.mass = kMass;
  const double across = kMass * (kRadius * kRadius / 4.0 + kLength * kLength / 12.0);
  peg.inertia = {across, across, kMass * kRadius * kRadius / 2.0};
  peg.X_WB.t = place;
  peg.twist.velocity_W = velocity;
  const int body = world.Add(peg), fixed = world.Add({});
  world.AddPair(body, Cylinder(kRadius, kLength), fixed, plate, laws, options);
  return world;
}

void Advance(World* world, int steps, double step) {
  for (int i = 0; i < steps; ++i) world->Step(step);
}

double Stored(const World& world) {
  double sum = 0.0;
  for (const SteppedPatch& patch : world.patches(0)) sum += patch.state.stored + patch.state.bent;
  return sum;
}

int NumberIn(World* world) { return world->states()[0].division.number; }

// The peg flies into the bore of a plate, and meets the wall within.
World FliesIn(const PairStepOptions& options) {
  const Solid plate = Difference(Box({0.04, 0.04, 0.02}), {Cylinder(kRadius + kPlay, 0.03)});
  World world = PegAt({8.2e-6, 4.1e-6, 0.0282}, {2e-4, 1e-4, -0.2}, plate, Laws(1e13, 0), options);
  world.gravity.setZero();
  return world;
}

TEST(LateDivision, IsThatOfTheStartForAPegThatFliesIn) {
  World found = FliesIn(Later()), given = FliesIn(Given()), whole = FliesIn({});
  for (World* world : {&found, &given, &whole}) Advance(world, 10, 1e-4);
  EXPECT_EQ(NumberIn(&found), 0);
  for (World* world : {&found, &given, &whole}) Advance(world, 120, 1e-4);
  EXPECT_EQ(NumberIn(&found), 1);
  const Pose &X = found.body(0).X_WB, &X_given = given.body(0).X_WB;
  EXPECT_EQ(X.t, X_given.t);
  EXPECT_EQ(X.q, X_given.q);
  EXPECT_EQ(found.body(0).twist.angular_velocity_W, given.body(0).twist.angular_velocity_W);
  // One direction is another motion.
  EXPECT_GT((X.t - whole.body(0).X_WB.t).norm(), 1e-11);
}

// The peg slides in its trough into the bore, under its weight and a push.
World SlidesIn(const PairStepOptions& options) {
  World world = PegAt({0, -kPlay, 0.0255}, {0, 0, -0.1}, Bored(), Laws(1e12, 0.1), options);
  world.gravity = {0.0, -9.81, 0.0};
  world.body(0).force_W = {0.0, 0.0, -0.2 * kWeight};
  return world;
}

TEST(LateDivision, ComesUnderLoadWhereABoreFollowsATrough) {
  World found = SlidesIn(Later()), given = SlidesIn(Given());
  double before = found.Kinetic();
  double depth = 0.0;  // at which it is divided [m]
  for (int i = 1; i <= 110; ++i) {
    const double worked = found.work;
    Advance(&found, 1, 1e-3);
    Advance(&given, 1, 1e-3);
    ASSERT_EQ(found.patches(0).empty(), false) << i;
    if (depth == 0.0 && NumberIn(&found) > 0) depth = 0.5 * kLength - found.body(0).X_WB.t.z();
    // Springs give back no more than they have taken in, whoever holds it.
    const double energy = found.Kinetic() + Stored(found), work = found.work - worked;
    EXPECT_LE(energy, before + work + 1e-9 * energy) << i;
    before = energy;
  }
  // Not in the trough, in which it begins, but once the bore is a fair part of what touches.
  EXPECT_GT(depth, 0.003);
  EXPECT_LT(depth, 0.013);
  EXPECT_EQ(found.patches(0).size(), given.patches(0).size());
  Vector3d push = Vector3d::Zero(), wanted = Vector3d::Zero();
  for (const SteppedPatch& patch : found.patches(0)) push += patch.force.force_W;
  for (const SteppedPatch& patch : given.patches(0)) wanted += patch.force.force_W;
  EXPECT_LT((push - wanted).norm(), 1e-5 * kWeight);
  EXPECT_LT((found.body(0).X_WB.t - given.body(0).X_WB.t).head<2>().norm(), 2e-10);
}

TEST(LateDivision, GoesOnFromASavedState) {
  World first = FliesIn(Later());
  Advance(&first, 40, 1e-4);
  ASSERT_EQ(NumberIn(&first), 1);
  World second = FliesIn(Later());  // has divided nothing yet
  second.states() = first.states();
  second.body(0) = first.body(0);
  for (World* world : {&first, &second}) Advance(world, 40, 1e-4);
  EXPECT_EQ(first.body(0).X_WB.t, second.body(0).X_WB.t);
  EXPECT_EQ(first.body(0).twist.velocity_W, second.body(0).twist.velocity_W);
  World never = FliesIn({});
  never.states() = first.states();
  EXPECT_THROW(never.Step(1e-4), InvalidInput);
}

// Ways to the next look double while the peg slides along its trough, up to a third of its width.
TEST(LateDivision, ComesInTimeHoweverLongAContactHasLasted) {
  const auto slides_far = [](const PairStepOptions& options) {
    World world = PegAt({0, -kPlay, 0.072}, {0, 0, -0.4}, Bored(0.12), Laws(1e12, 0), options);
    world.gravity = {0.0, -9.81, 0.0};
    return world;
  };
  World found = slides_far(Later()), given = slides_far(Given());
  Advance(&found, 110, 1e-3);
  EXPECT_EQ(NumberIn(&found), 0);
  const double before = found.Kinetic() + Stored(found);
  Advance(&found, 45, 1e-3);
  Advance(&given, 155, 1e-3);
  EXPECT_EQ(NumberIn(&found), 1);  // 15 mm deep in the bore
  EXPECT_LE(found.Kinetic() + Stored(found), (1.0 + 1e-9) * before);
  Vector3d push = Vector3d::Zero();
  for (const SteppedPatch& patch : found.patches(0)) push += patch.force.force_W;
  EXPECT_LT((push - Vector3d(0, kWeight, 0)).norm(), 1e-4 * kWeight);
  const Vector3d apart = found.body(0).X_WB.t - given.body(0).X_WB.t;
  EXPECT_LT(apart.head<2>().norm(), 2e-10);
}

}  // namespace
}  // namespace volcontact::testing::motion_division_test
